//! Pub/sub signals between relays.
//!
//! A task owns one subscription connection, to any node: nodes forward published messages to each other. When the connection
//! breaks, the task reconnects with backoff, and all listeners get [`Signal::Lost`].

mod listeners;

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use futures_util::StreamExt;
use redis::aio::{PubSubSink, PubSubStream};
use redis::{Client, ConnectionInfo, Msg};
use tokio::sync::{mpsc, oneshot, watch};
use tokio::task::AbortHandle;
use tokio::time::{MissedTickBehavior, interval, sleep, timeout};

use self::listeners::{Guard, RoomListeners};
use super::connection::{Connection, neighbour};
use super::keys::Keys;
use super::sentinel::is_same;
use crate::room::RoomId;
use crate::store::{Head, Listener, Signal, StoreError};

/// Timeout of connecting and of commands.
const ANSWER: Duration = Duration::from_secs(2);

/// Interval of the self-test: a message to the own channel that must arrive before the next one is sent.
const ECHO: Duration = Duration::from_secs(3);

/// Interval at which all rooms of a Cluster look for entries without a message. After the restart of a node, its link to another node may
/// still be down while both answer their clients: then messages between these two are lost, and no error is reported.
const REFRESH: Duration = Duration::from_secs(10);

/// Bounds of the reconnect backoff.
const FIRST_WAIT: Duration = Duration::from_millis(50);
const LONGEST_WAIT: Duration = Duration::from_secs(2);

/// Number of channels per subscribe command.
const CHANNELS_AT_ONCE: usize = 500;

/// The kinds of messages, after the id of the sender.
const GROWN: u8 = b'+';
const TRANSIENT: u8 = b'!';
const NAME_LENGTH: usize = 16;

/// A message to the task.
#[derive(Debug)]
pub(super) enum SubscriptionRequest {
    /// A new listener, who waits until the subscription is confirmed.
    Subscribe(RoomId, oneshot::Sender<()>),
    /// A listener was dropped: unsubscribe if it was the last of its room.
    Unsubscribe(RoomId),
}

/// A handle to the task.
#[derive(Debug)]
pub(super) struct Signals {
    name: String,
    keys: Arc<Keys>,
    connection: SilentConnection,
    listeners: Arc<RoomListeners>,
    requests: mpsc::UnboundedSender<SubscriptionRequest>,
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
        let id = crate::random::roll();
        let (requests, received) = mpsc::unbounded_channel();
        let listeners = Arc::<RoomListeners>::default();
        let name = format!("{id:016x}");
        let task = Task {
            name: name.clone(),
            echo: keys.echo(id),
            keys: keys.clone(),
            connection: connection.clone(),
            listeners: listeners.clone(),
            requests: received,
            nodes,
            next_node: 0,
            primary: connection.primary(),
        };
        let task = tokio::spawn(task.run()).abort_handle();
        (Self { name, keys, connection: SilentConnection(connection), listeners, requests }, task)
    }

    /// Marks the messages of this store, which it ignores itself.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    pub(super) async fn listen(&self, room: RoomId) -> Result<Listener, StoreError> {
        let (number, signals) = self.listeners.add(room);
        let guard = Guard { listeners: self.listeners.clone(), requests: self.requests.clone(), room, number };
        let (done, is_done) = oneshot::channel();
        // If the task has ended, the wait below ends as well.
        let _ = self.requests.send(SubscriptionRequest::Subscribe(room, done));
        match timeout(ANSWER, is_done).await {
            Ok(Ok(())) => Ok(Listener { signals, guard: Some(Box::new(guard)) }),
            _ => Err(StoreError::Unavailable("the subscription to other relays is down".to_owned())),
        }
    }

    /// Tells other relays that a log has grown to this entry.
    pub(super) async fn announce(&self, room: RoomId, head: Head) -> Result<(), StoreError> {
        let message = format!("{}{}{}:{}", self.name, char::from(GROWN), head.version, head.write_id);
        self.connection.0.ask(redis::cmd("PUBLISH").arg(self.keys.signals(room)).arg(message)).await
    }

    pub(super) fn publish(&self, room: RoomId, payload: &[u8]) -> impl Future<Output = ()> + Send + use<> {
        let message = [self.name.as_bytes(), &[TRANSIENT], payload].concat();
        let mut publish = redis::cmd("PUBLISH");
        publish.arg(self.keys.signals(room)).arg(message);
        let connection = self.connection.0.clone();
        async move {
            if let Err(error) = connection.ask::<()>(&publish).await {
                tracing::debug!(%room, %error, "publishing a transient update failed");
            }
        }
    }
}

struct Task {
    name: String,
    echo: String,
    keys: Arc<Keys>,
    connection: Connection,
    listeners: Arc<RoomListeners>,
    requests: mpsc::UnboundedReceiver<SubscriptionRequest>,
    /// The nodes to connect to: those of the settings, and the current ones of a Cluster.
    nodes: Vec<ConnectionInfo>,
    next_node: usize,
    /// The primary that Sentinels name; `None` in a Cluster.
    primary: Option<watch::Receiver<ConnectionInfo>>,
}

impl Task {
    async fn run(mut self) {
        let mut wait = FIRST_WAIT;
        loop {
            let mut subscribed = HashSet::new();
            match self.connect(&mut subscribed).await {
                Ok((sink, stream)) => {
                    wait = FIRST_WAIT;
                    self.listeners.signal_all(&Signal::Lost);
                    self.serve(sink, stream, &mut subscribed).await;
                    tracing::warn!("subscription to other relays lost, reconnecting");
                    sleep(FIRST_WAIT).await;
                }
                Err(why) => {
                    tracing::debug!(why, "subscribing to other relays failed, will retry");
                    self.learn_nodes().await;
                    sleep(wait).await;
                    wait = (wait * 2).min(LONGEST_WAIT);
                }
            }
        }
    }

    /// Waits until Sentinels have named another primary.
    async fn primary_moved(primary: &mut Option<watch::Receiver<ConnectionInfo>>) {
        let is_known = match primary {
            Some(primary) => primary.changed().await.is_ok(),
            None => false,
        };
        if !is_known {
            std::future::pending::<()>().await;
        }
    }

    /// Connects to the next node, and subscribes to the channels of all listeners.
    async fn connect(&mut self, subscribed: &mut HashSet<RoomId>) -> Result<(PubSubSink, PubSubStream), String> {
        if let Some(primary) = &mut self.primary {
            let current = primary.borrow_and_update().clone();
            if !self.nodes.iter().any(|node| is_same(node.addr(), current.addr())) {
                self.nodes = vec![current];
            }
        }
        let node = self.nodes.get(self.next_node % self.nodes.len().max(1)).ok_or("no node is configured")?.clone();
        self.next_node = self.next_node.wrapping_add(1);
        let client = Client::open(node).map_err(|error| error.to_string())?;
        let connection = timeout(ANSWER, client.get_async_pubsub()).await.map_err(|_| "timeout")?;
        let (mut sink, stream) = connection.map_err(|error| error.to_string())?.split();
        let rooms = self.listeners.rooms();
        subscribe(&mut sink, std::slice::from_ref(&self.echo)).await?;
        subscribe(&mut sink, &self.channels(&rooms)).await?;
        subscribed.extend(rooms);
        Ok((sink, stream))
    }

    /// Executes requests and forwards messages until the connection fails.
    async fn serve(&mut self, mut sink: PubSubSink, mut stream: PubSubStream, subscribed: &mut HashSet<RoomId>) {
        let mut echoes = interval(ECHO);
        echoes.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut waits_for_echo = false;
        let is_cluster = self.primary.is_none();
        let mut refreshes = interval(REFRESH);
        refreshes.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                request = self.requests.recv() => {
                    let Some(request) = request else { return };
                    if self.execute(request, &mut sink, subscribed).await.is_err() {
                        return;
                    }
                }
                message = stream.next() => match message {
                    Some(message) if message.get_channel_name() == self.echo => waits_for_echo = false,
                    Some(message) => self.pass_on(&message),
                    None => return,
                },
                () = Self::primary_moved(&mut self.primary) => return,
                _ = refreshes.tick(), if is_cluster => self.listeners.signal_all(&Signal::Lost),
                _ = echoes.tick() => {
                    if waits_for_echo {
                        return;
                    }
                    // If publishing fails, Redis is down and there are no messages to miss.
                    waits_for_echo = self.connection.ask::<()>(redis::cmd("PUBLISH").arg(&self.echo).arg("")).await.is_ok();
                }
            }
        }
    }

    /// Executes this request and all that are queued.
    async fn execute(
        &mut self,
        first: SubscriptionRequest,
        sink: &mut PubSubSink,
        subscribed: &mut HashSet<RoomId>,
    ) -> Result<(), String> {
        let (mut new, mut old, mut waiting) = (HashSet::new(), HashSet::new(), Vec::new());
        let mut next = Some(first);
        while let Some(request) = next {
            match request {
                SubscriptionRequest::Subscribe(room, done) => {
                    waiting.push(done);
                    if !subscribed.contains(&room) {
                        new.insert(room);
                    }
                }
                SubscriptionRequest::Unsubscribe(room) => {
                    old.insert(room);
                }
            }
            next = self.requests.try_recv().ok();
        }
        let new: Vec<RoomId> = new.into_iter().collect();
        subscribe(sink, &self.channels(&new)).await?;
        subscribed.extend(new);
        for done in waiting {
            // The caller may have given up.
            let _ = done.send(());
        }
        // There may be a new listener by now.
        old.retain(|room| subscribed.contains(room) && !self.listeners.has(*room));
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
            // An unreadable message still means that something happened.
            Some((&GROWN, head)) => parse_head(head).map_or(Signal::Lost, Signal::Grown),
            Some((&TRANSIENT, payload)) => Signal::Transient(payload.into()),
            _ => return,
        };
        self.listeners.signal_room(room, &signal);
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

/// The end of a log in a message: `<entries>:<write id>`.
fn parse_head(text: &[u8]) -> Option<Head> {
    let (version, write_id) = std::str::from_utf8(text).ok()?.split_once(':')?;
    Some(Head { version: version.parse().ok()?, write_id: write_id.parse().ok()? })
}

async fn subscribe(sink: &mut PubSubSink, channels: &[String]) -> Result<(), String> {
    for channels in channels.chunks(CHANNELS_AT_ONCE) {
        answer(sink.subscribe(channels)).await?;
    }
    Ok(())
}

async fn answer(asked: impl Future<Output = redis::RedisResult<()>>) -> Result<(), String> {
    timeout(ANSWER, asked).await.map_err(|_| "timeout")?.map_err(|error| error.to_string())
}
