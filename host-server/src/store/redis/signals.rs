//! What comes from other relays by itself.
//!
//! A connection of its own, to any node: what is published on one reaches all of them. A task keeps it, and begins anew when
//! it breaks; then everybody who listens is told that something may have been missed.

mod ear;

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use futures_util::StreamExt;
use redis::aio::{PubSubSink, PubSubStream};
use redis::{Client, ConnectionInfo, Msg};
use tokio::sync::{mpsc, oneshot};
use tokio::task::AbortHandle;
use tokio::time::{MissedTickBehavior, interval, sleep, timeout};

use self::ear::{Ears, Guard};
use super::connection::{Connection, neighbour};
use super::keys::Keys;
use crate::room::RoomId;
use crate::store::{Listener, Signal, StoreError};

/// How long to wait for a connection, and for an answer on it.
const ANSWER: Duration = Duration::from_secs(2);

/// How often we say something to ourselves. If it is not heard by the next time, the connection is no good.
const ECHO: Duration = Duration::from_secs(3);

/// How long to wait before trying again: at first, and at most.
const FIRST_WAIT: Duration = Duration::from_millis(50);
const LONGEST_WAIT: Duration = Duration::from_secs(2);

/// So many channels are asked for at once.
const CHANNELS_AT_ONCE: usize = 500;

/// What follows the name of the writer.
const GROWN: u8 = b'+';
const WHISPER: u8 = b'!';
const NAME_LENGTH: usize = 16;

/// Something for the task to do.
#[derive(Debug)]
pub(super) enum Order {
    /// Somebody new listens to a room, and waits until it works.
    Subscribe(RoomId, oneshot::Sender<()>),
    /// Perhaps nobody listens to a room any more.
    Unsubscribe(RoomId),
}

/// The way to the task.
#[derive(Debug)]
pub(super) struct Signals {
    name: String,
    keys: Arc<Keys>,
    connection: SilentConnection,
    ears: Arc<Ears>,
    orders: mpsc::UnboundedSender<Order>,
}

/// A connection has nothing to show.
struct SilentConnection(Connection);

impl std::fmt::Debug for SilentConnection {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Connection")
    }
}

impl Signals {
    pub(super) fn start(connection: Connection, keys: Arc<Keys>, nodes: Vec<ConnectionInfo>) -> (Self, AbortHandle) {
        let id = crate::dice::roll();
        let (orders, received) = mpsc::unbounded_channel();
        let ears = Arc::<Ears>::default();
        let name = format!("{id:016x}");
        let task = Task {
            name: name.clone(),
            echo: keys.echo(id),
            keys: keys.clone(),
            connection: connection.clone(),
            ears: ears.clone(),
            orders: received,
            nodes,
            next_node: 0,
        };
        let task = tokio::spawn(task.run()).abort_handle();
        (Self { name, keys, connection: SilentConnection(connection), ears, orders }, task)
    }

    /// By which other stores, and this one, know what comes from here.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    pub(super) async fn listen(&self, room: RoomId) -> Result<Listener, StoreError> {
        let (number, signals) = self.ears.add(room);
        let guard = Guard { ears: self.ears.clone(), orders: self.orders.clone(), room, number };
        let (done, is_done) = oneshot::channel();
        // Either way the wait below ends.
        let _ = self.orders.send(Order::Subscribe(room, done));
        match timeout(ANSWER, is_done).await {
            Ok(Ok(())) => Ok(Listener { signals, guard: Some(Box::new(guard)) }),
            _ => Err(StoreError::Unavailable("signals of other relays cannot be heard".to_owned())),
        }
    }

    pub(super) fn whisper(&self, room: RoomId, words: &[u8]) -> impl Future<Output = ()> + Send + use<> {
        let message = [self.name.as_bytes(), &[WHISPER], words].concat();
        let mut publish = redis::cmd("PUBLISH");
        publish.arg(self.keys.signals(room)).arg(message);
        let connection = self.connection.0.clone();
        async move {
            if let Err(error) = connection.ask::<()>(&publish).await {
                tracing::debug!(%room, %error, "a whisper was lost");
            }
        }
    }
}

struct Task {
    name: String,
    echo: String,
    keys: Arc<Keys>,
    connection: Connection,
    ears: Arc<Ears>,
    orders: mpsc::UnboundedReceiver<Order>,
    /// Where to connect to: the nodes that are known from the start, and those that a Cluster has by now.
    nodes: Vec<ConnectionInfo>,
    next_node: usize,
}

impl Task {
    async fn run(mut self) {
        let mut wait = FIRST_WAIT;
        loop {
            let mut subscribed = HashSet::new();
            match self.connect(&mut subscribed).await {
                Ok((sink, stream)) => {
                    wait = FIRST_WAIT;
                    self.ears.tell_all(&Signal::Lost);
                    self.serve(sink, stream, &mut subscribed).await;
                    tracing::warn!("signals of other relays are no longer heard");
                    sleep(FIRST_WAIT).await;
                }
                Err(why) => {
                    tracing::debug!(why, "signals of other relays cannot be heard");
                    self.learn_nodes().await;
                    sleep(wait).await;
                    wait = (wait * 2).min(LONGEST_WAIT);
                }
            }
        }
    }

    /// Connects to the next node, and listens to everything that somebody wants to hear.
    async fn connect(&mut self, subscribed: &mut HashSet<RoomId>) -> Result<(PubSubSink, PubSubStream), String> {
        let node = self.nodes.get(self.next_node % self.nodes.len().max(1)).ok_or("there is no node")?.clone();
        self.next_node = self.next_node.wrapping_add(1);
        let client = Client::open(node).map_err(|error| error.to_string())?;
        let connection = timeout(ANSWER, client.get_async_pubsub()).await.map_err(|_| "it does not answer")?;
        let (mut sink, stream) = connection.map_err(|error| error.to_string())?.split();
        let rooms = self.ears.rooms();
        subscribe(&mut sink, std::slice::from_ref(&self.echo)).await?;
        subscribe(&mut sink, &self.channels(&rooms)).await?;
        subscribed.extend(rooms);
        Ok((sink, stream))
    }

    /// Does what it is told, and passes on what comes, until the connection is no good any more.
    async fn serve(&mut self, mut sink: PubSubSink, mut stream: PubSubStream, subscribed: &mut HashSet<RoomId>) {
        let mut echoes = interval(ECHO);
        echoes.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut waits_for_echo = false;
        loop {
            tokio::select! {
                order = self.orders.recv() => {
                    let Some(order) = order else { return };
                    if self.obey(order, &mut sink, subscribed).await.is_err() {
                        return;
                    }
                }
                message = stream.next() => match message {
                    Some(message) if message.get_channel_name() == self.echo => waits_for_echo = false,
                    Some(message) => self.pass_on(&message),
                    None => return,
                },
                _ = echoes.tick() => {
                    if waits_for_echo {
                        return;
                    }
                    // If it cannot even be said, then nobody says anything, and there is nothing to be heard.
                    waits_for_echo = self.connection.ask::<()>(redis::cmd("PUBLISH").arg(&self.echo).arg("")).await.is_ok();
                }
            }
        }
    }

    /// Obeys this order and all others that wait.
    async fn obey(
        &mut self,
        first: Order,
        sink: &mut PubSubSink,
        subscribed: &mut HashSet<RoomId>,
    ) -> Result<(), String> {
        let (mut new, mut old, mut waiting) = (HashSet::new(), HashSet::new(), Vec::new());
        let mut next = Some(first);
        while let Some(order) = next {
            match order {
                Order::Subscribe(room, done) => {
                    waiting.push(done);
                    if !subscribed.contains(&room) {
                        new.insert(room);
                    }
                }
                Order::Unsubscribe(room) => {
                    old.insert(room);
                }
            }
            next = self.orders.try_recv().ok();
        }
        let new: Vec<RoomId> = new.into_iter().collect();
        subscribe(sink, &self.channels(&new)).await?;
        subscribed.extend(new);
        for done in waiting {
            // Whoever asked may have lost patience.
            let _ = done.send(());
        }
        // Somebody else may listen by now.
        old.retain(|room| subscribed.contains(room) && !self.ears.has(*room));
        let old: Vec<RoomId> = old.into_iter().collect();
        for channels in self.channels(&old).chunks(CHANNELS_AT_ONCE) {
            answer(sink.unsubscribe(channels)).await?;
        }
        for room in &old {
            subscribed.remove(room);
        }
        Ok(())
    }

    fn channels(&self, rooms: &[RoomId]) -> Vec<String> {
        rooms.iter().map(|&room| self.keys.signals(room)).collect()
    }

    fn pass_on(&self, message: &Msg) {
        let Some(room) = self.keys.room_of_signals(message.get_channel_name()) else { return };
        let Some((name, words)) = message.get_payload_bytes().split_at_checked(NAME_LENGTH) else { return };
        if name == self.name.as_bytes() {
            return;
        }
        let signal = match words.split_first() {
            Some((&GROWN, number)) => {
                let number = std::str::from_utf8(number).ok().and_then(|number| number.parse().ok());
                // What cannot be read says at least that there is something.
                number.map_or(Signal::Lost, Signal::Grown)
            }
            Some((&WHISPER, words)) => Signal::Whisper(words.into()),
            _ => return,
        };
        self.ears.tell(room, &signal);
    }

    async fn learn_nodes(&mut self) {
        let Some(known) = self.nodes.first().cloned() else { return };
        for (host, port) in self.connection.cluster_nodes().await {
            if let Some(node) = neighbour(&known, host, port)
                && !self.nodes.iter().any(|other| other.addr() == node.addr())
            {
                self.nodes.push(node);
            }
        }
    }
}

async fn subscribe(sink: &mut PubSubSink, channels: &[String]) -> Result<(), String> {
    for channels in channels.chunks(CHANNELS_AT_ONCE) {
        answer(sink.subscribe(channels)).await?;
    }
    Ok(())
}

async fn answer(asked: impl Future<Output = redis::RedisResult<()>>) -> Result<(), String> {
    timeout(ANSWER, asked).await.map_err(|_| "it does not answer")?.map_err(|error| error.to_string())
}
