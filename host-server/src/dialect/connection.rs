//! The connection loop of the dialects over plain WebSocket connections that enter rooms: the board link, Chessata and chezz.
//!
//! One task serves one connection: it waits for the socket, for the protocol's own events, for the keepalive timer and for the
//! shutdown of the relay, and handles one event at a time. A [`ConnectionProtocol`] interprets the messages. Clients that enter one
//! room need only a [`Dialect`](super::Dialect), which [`ParticipantProtocol`](participant::ParticipantProtocol) adapts.

mod long_welcomes;
pub(super) mod participant;
mod rate;

use std::pin::{Pin, pin};
use std::time::Duration;

use axum::body::Bytes;
use axum::extract::ws::{CloseFrame, Message, WebSocket};
use futures_util::SinkExt;
use tokio::time::{Instant, sleep_until, timeout};
use tokio_util::sync::{CancellationToken, WaitForCancellationFuture};

use crate::metrics::{self, ConnectionGauge, DropReason};
use crate::server::{ClientContext, CloseReason, Keepalive, KeepaliveAction, close, close_reason};

pub(super) use rate::{Checked, Rate};

/// A peer that does not take a message for this long does not read, or has stopped without closing the connection.
const SEND_TIMEOUT: Duration = Duration::from_secs(10);

/// Time limit for the closing handshake where it is only a courtesy.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(2);

/// The protocol of one connection.
pub(super) trait ConnectionProtocol: Send + Sized {
    /// The label of the connection in the metrics.
    const DIALECT: &'static str;

    /// Whether the loop pings an idle peer and drops it if it does not answer. A protocol with its own keepalive says no.
    const KEEPALIVE: bool;

    /// What the protocol waits for, beside the socket: updates of a room, answers, timers.
    type Event: Send;

    /// Why the connection ends.
    type End: From<End> + Send;

    /// Sends what is due. Called when the connection starts, and after every event.
    fn advance(&mut self, peer: &mut Peer) -> impl Future<Output = Result<(), Self::End>> + Send;

    /// Waits for the next event. It must be cancel-safe.
    fn next(&mut self) -> impl Future<Output = Self::Event> + Send;

    /// Whether the loop may read from the socket now.
    fn is_ready(&self) -> bool;

    fn handle(&mut self, event: Self::Event, peer: &mut Peer) -> impl Future<Output = Result<(), Self::End>> + Send;

    fn receive(&mut self, message: Message, peer: &mut Peer) -> impl Future<Output = Result<(), Self::End>> + Send;

    /// Releases what the protocol holds, and closes the socket.
    fn close(self, peer: Peer, end: Self::End) -> impl Future<Output = ()> + Send;
}

/// Why the loop ends a connection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// The protocol is complete.
    Done,
    /// The peer has closed the connection with a close frame.
    Closed,
    /// The connection broke.
    Disconnected,
    /// The peer does not answer pings.
    TimedOut,
    /// The peer keeps exceeding the message rate.
    Rate,
    /// The peer violates the WebSocket protocol.
    Protocol(CloseReason),
    /// The peer does not read.
    Slow,
    /// The peer reads too slowly to receive all updates.
    Lagged,
    /// A message was too large to be read.
    TooLarge,
    /// The relay stops, or no longer serves the room.
    Restart,
}

/// The peer of a connection: its socket, with the limits that apply to it.
pub(super) struct Peer {
    pub(super) socket: WebSocket,
    /// Keeps the connection counted. `None` for a connection inside the process.
    pub(super) client: Option<ClientContext>,
    pub(super) rate: Rate,
    pub(super) keepalive: Keepalive,
    /// Cancelled when the relay stops.
    pub(super) stop: CancellationToken,
    _gauge: ConnectionGauge,
}

impl Peer {
    pub(super) fn new<P: ConnectionProtocol>(
        socket: WebSocket,
        client: Option<ClientContext>,
        rate: Rate,
        stop: CancellationToken,
    ) -> Self {
        let gauge = metrics::connected(P::DIALECT);
        Self { socket, client, rate, keepalive: Keepalive::default(), stop, _gauge: gauge }
    }

    /// Sends messages in one flush, within the time limit.
    pub(super) async fn send(
        &mut self,
        messages: impl IntoIterator<Item = Message, IntoIter: Send>,
    ) -> Result<(), End> {
        let messages = messages.into_iter();
        let sending = async {
            for message in messages {
                self.socket.feed(message).await?;
            }
            self.socket.flush().await
        };
        match timeout(SEND_TIMEOUT, sending).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(error)) => {
                let _: axum::Error = error;
                Err(End::Disconnected)
            }
            Err(_) => Err(End::Slow),
        }
    }

    /// Closes the connection as its end demands, after a last message of the dialect.
    pub(super) async fn close(self, end: End, last: Option<Message>) {
        let Self { mut socket, client, .. } = self;
        match end {
            End::Closed | End::Disconnected => {
                // Sends the reply to the peer's close frame.
                let _ = timeout(CLOSE_TIMEOUT, socket.flush()).await;
            }
            End::Lagged => {
                metrics::dropped(DropReason::Slow);
                let frame = CloseFrame { code: 1013, reason: "too slow, connect again".into() };
                let _ = timeout(CLOSE_TIMEOUT, socket.send(Message::Close(Some(frame)))).await;
            }
            End::Done => close(socket, CloseReason::Done, last).await,
            End::Restart => close(socket, CloseReason::Restart, last).await,
            End::TooLarge => close(socket, CloseReason::Size, last).await,
            End::Slow => close(socket, CloseReason::Slow, last).await,
            End::TimedOut => close(socket, CloseReason::Dead, last).await,
            End::Rate => close(socket, CloseReason::Rate, last).await,
            End::Protocol(reason) => close(socket, reason, last).await,
        }
        drop(client);
    }
}

/// Sleeps until a time, or for ever. Boxed, because few connections have a timer and all would need memory for it.
async fn until(at: Option<Instant>) {
    match at {
        Some(at) => Box::pin(sleep_until(at)).await,
        None => std::future::pending().await,
    }
}

/// What the loop waits for.
enum Event<E> {
    Stop,
    Protocol(E),
    Received(Option<Result<Message, axum::Error>>),
    MayRead,
    Keepalive(KeepaliveAction),
}

struct Connection<P> {
    peer: Peer,
    protocol: P,
}

/// Serves a connection until it ends.
///
/// The futures that handle events are boxed, so that an idle connection needs only the memory that waiting takes.
pub(super) fn run<P: ConnectionProtocol>(peer: Peer, protocol: P) -> impl Future<Output = ()> + Send {
    // Boxed because a future has a second copy of the arguments that are moved into it.
    Box::new(Connection { peer, protocol }).run()
}

impl<P: ConnectionProtocol> Connection<P> {
    async fn run(mut self: Box<Self>) {
        let mut result = Box::pin(self.protocol.advance(&mut self.peer)).await;
        let stop = self.peer.stop.clone();
        let mut stopped = pin!(stop.cancelled());
        let end = loop {
            if let Err(end) = result {
                break end;
            }
            let event = self.wait(stopped.as_mut()).await;
            result = Box::pin(self.handle(event)).await;
        };
        let Self { peer, protocol } = *self;
        Box::pin(protocol.close(peer, end)).await;
    }

    /// Waits for the next event. Updates of the room come before messages of the client, so that an act is not refused for a
    /// reason that was not sent to the client.
    ///
    /// `stopped` is polled last and kept between waits, because polling it takes a lock that all connections share. A client that
    /// sends without a pause does not keep it from being polled: the runtime lets a task read a limited number of messages at a time.
    async fn wait(&mut self, stopped: Pin<&mut WaitForCancellationFuture<'_>>) -> Event<P::Event> {
        let Self { peer: Peer { socket, rate, keepalive, .. }, protocol } = self;
        let is_ready = protocol.is_ready();
        let delay = rate.delay_until();
        tokio::select! {
            biased;
            event = protocol.next() => Event::Protocol(event),
            message = socket.recv(), if is_ready && delay.is_none() => Event::Received(message),
            () = until(delay), if delay.is_some() => Event::MayRead,
            // The loop does not read while a protocol is not ready, so silence means nothing then.
            action = keepalive.next(), if P::KEEPALIVE && is_ready => Event::Keepalive(action),
            () = stopped => Event::Stop,
        }
    }

    async fn handle(&mut self, event: Event<P::Event>) -> Result<(), P::End> {
        let Self { peer, protocol } = self;
        match event {
            Event::Protocol(event) => protocol.handle(event, peer).await?,
            Event::Received(Some(Ok(Message::Close(_)))) => return Err(End::Closed.into()),
            Event::Received(None) => return Err(End::Disconnected.into()),
            Event::Received(Some(Ok(message))) => {
                peer.keepalive.received();
                protocol.receive(message, peer).await?;
            }
            Event::Received(Some(Err(error))) => {
                return Err(match close_reason(&error) {
                    None => End::Disconnected,
                    Some(CloseReason::Size) => End::TooLarge,
                    Some(reason) => End::Protocol(reason),
                }
                .into());
            }
            Event::MayRead => {}
            Event::Keepalive(KeepaliveAction::Ping) => peer.send([Message::Ping(Bytes::new())]).await?,
            Event::Keepalive(KeepaliveAction::TimedOut) => return Err(End::TimedOut.into()),
            Event::Stop => return Err(End::Restart.into()),
        }
        protocol.advance(peer).await
    }
}
