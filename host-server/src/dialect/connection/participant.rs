//! The session of a client that enters one room: acts in, updates out, translated by its [`Dialect`].

use std::future;
use std::sync::Arc;

use axum::extract::ws::{Message, WebSocket};
use tokio::time::Instant;

use super::long_welcomes::{LONG_GAME, LONG_WELCOMES};
use super::rate::Checked;
use super::{ConnectionProtocol, End, Peer, Rate, run, until};
use crate::dialect::{Dialect, Refused, Request, View};
use crate::metrics;
use crate::relay::{ActError, ActResult, RoomHandle, RoomUpdate, Update, UpdatesEnded};
use crate::room::{Act, Phase, Refusal, Room};
use crate::server::{ChatLimit, ClientContext};

/// A client that has entered a room, and waits for the upgrade of its connection.
pub(in crate::dialect) struct Entered<D> {
    pub(in crate::dialect) client: ClientContext,
    pub(in crate::dialect) handle: RoomHandle,
    /// Whether the client knows the token of its seat. A player who does not can never come back, so a player who closes the
    /// connection gives up the seat. A connection that dies without a close frame is not a player who left: the grace period
    /// decides.
    pub(in crate::dialect) can_return: bool,
    pub(in crate::dialect) dialect: D,
}

/// Serves a client that has entered a room, until the connection ends.
///
/// The client is boxed because the task of an upgrade keeps the memory of what its closure has captured until it ends.
#[expect(clippy::boxed_local, reason = "an unboxed argument would be kept in the future of the upgrade")]
pub(in crate::dialect) fn serve<D: Dialect>(
    socket: WebSocket,
    entered: Box<Entered<D>>,
) -> impl Future<Output = ()> + Send {
    let Entered { client, handle, can_return, dialect } = *entered;
    let session = ParticipantProtocol {
        before: handle.room().clone(),
        handle,
        dialect,
        can_return,
        is_welcomed: false,
        pending: None,
        owes: false,
    };
    let (rate, stop) = (Rate::refuse(client.messages()), client.stopping().clone());
    run(Peer::new::<ParticipantProtocol<D>>(socket, Some(client), rate, stop), session)
}

pub(super) struct ParticipantProtocol<D> {
    dialect: D,
    handle: RoomHandle,
    /// The room before the next update.
    before: Arc<Room>,
    can_return: bool,
    is_welcomed: bool,
    pending: Option<PendingAnswer>,
    /// Whether a call of a script has used up its time or memory, and is not charged yet.
    owes: bool,
}

/// An act whose answer the client waits for. No further message is read until then.
struct PendingAnswer {
    answer: ActResult,
    kind: ActKind,
    since: Instant,
    /// What was charged for the answer of a script, in bytes, until the answer is known; 0 if nothing was.
    charged: u32,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum ActKind {
    Move,
    Leave,
    Other,
}

pub(super) enum RoomEvent {
    Update(Result<Arc<RoomUpdate>, UpdatesEnded>),
    Answer(Result<(), ActError>),
    Wake,
}

impl<D: Dialect> ConnectionProtocol for ParticipantProtocol<D> {
    const DIALECT: &'static str = D::NAME;
    const KEEPALIVE: bool = true;
    type Event = RoomEvent;
    type End = End;

    async fn advance(&mut self, peer: &mut Peer) -> Result<(), End> {
        if !self.is_welcomed {
            self.is_welcomed = true;
            let Self { dialect, handle, before, .. } = self;
            let mut welcome = || dialect.welcome(&view(handle, before), handle.spectators());
            let plies = before.game().len();
            // Held until the client has read them.
            let (messages, _memory) = if plies >= LONG_GAME {
                let client = peer.client.as_ref().map(ClientContext::address);
                let made = LONG_WELCOMES.make(client, handle.color().is_some(), plies, welcome).await;
                made.map(|(messages, memory)| (messages, Some(memory))).ok_or(End::Slow)?
            } else {
                (welcome(), None)
            };
            peer.send(messages).await?;
        }
        // The opponent waits for a player while a game is played, or about to begin.
        let is_on = matches!(self.before.phase(), Phase::Playing | Phase::Counting { .. });
        peer.keepalive.set_urgent(is_on && self.handle.color().is_some());
        Ok(())
    }

    async fn next(&mut self) -> RoomEvent {
        let Self { handle, pending, dialect, .. } = self;
        let wake_at = dialect.wake_at();
        tokio::select! {
            biased;
            update = handle.next() => RoomEvent::Update(update),
            answer = answer_to(pending.as_mut()) => RoomEvent::Answer(answer),
            () = until(wake_at), if wake_at.is_some() => RoomEvent::Wake,
        }
    }

    fn is_ready(&self) -> bool {
        self.pending.is_none()
    }

    async fn handle(&mut self, event: RoomEvent, peer: &mut Peer) -> Result<(), End> {
        match event {
            RoomEvent::Update(Ok(update)) => self.send_update(&update, peer).await,
            RoomEvent::Update(Err(UpdatesEnded::Lagged)) => Err(End::Lagged),
            RoomEvent::Update(Err(UpdatesEnded::Ended)) if self.before.phase() == Phase::Closed => Err(End::Done),
            RoomEvent::Update(Err(UpdatesEnded::Ended)) => Err(End::Restart),
            RoomEvent::Answer(answer) => self.take_answer(answer, peer).await,
            RoomEvent::Wake => {
                let messages = self.dialect.wake(&view(&self.handle, &self.before));
                peer.send(messages).await
            }
        }
    }

    async fn receive(&mut self, message: Message, peer: &mut Peer) -> Result<(), End> {
        let checked = peer.rate.count()?;
        if matches!(message, Message::Ping(_) | Message::Pong(_)) {
            // The WebSocket library has answered already; they only count.
            return Ok(());
        }
        let request = match checked {
            Checked::Within => self.dialect.decode(&message, &view(&self.handle, &self.before)),
            Checked::Exceeded(wait) => Err(self.dialect.refuse(Refused::Rate(wait))),
        };
        match request {
            Ok(Request::Act(Act::Chat { ref text }))
                if self.handle.color().is_none()
                    && let Some(client) = &peer.client
                    && let Err(limit) = client.try_spectator_chat(self.before.id(), text) =>
            {
                let reply = self.dialect.refuse(match limit {
                    ChatLimit::Rate(wait) => Refused::Rate(wait),
                    ChatLimit::Room => Refused::Act(ActError::Refused(Refusal::ChatFull)),
                });
                peer.send([reply]).await
            }
            Ok(Request::Act(act)) => {
                let is_chat = matches!(act, Act::Chat { .. });
                let ruling = self.before.expected_ruling(&act);
                let text = if is_chat { len(&message) } else { ruling };
                if self.owes && ruling > 0 {
                    if let Some(Err(wait)) = peer.client.as_ref().map(ClientContext::try_expensive) {
                        return peer.send([self.dialect.refuse(Refused::Rate(wait))]).await;
                    }
                    self.owes = false;
                }
                if let Some(Err(wait)) = peer.client.as_ref().map(|client| client.try_act(text)) {
                    return peer.send([self.dialect.refuse(Refused::Rate(wait))]).await;
                }
                let kind = match act {
                    Act::Move { .. } => ActKind::Move,
                    Act::Leave => ActKind::Leave,
                    _ => ActKind::Other,
                };
                let charged = u32::try_from(ruling).unwrap_or(u32::MAX);
                self.pending =
                    Some(PendingAnswer { answer: self.handle.act(act), kind, since: Instant::now(), charged });
                Ok(())
            }
            Ok(Request::Disconnect) => Err(End::Done),
            Ok(Request::Reply(reply)) | Err(reply) => peer.send([reply]).await,
        }
    }

    async fn close(mut self, peer: Peer, end: End) {
        let last = match &end {
            End::Restart | End::TooLarge => self.dialect.last_message(&end),
            _ => None,
        };
        if !self.can_return && end == End::Closed && self.handle.color().is_some() {
            self.handle.leave();
        } else {
            // The opponent learns of the disconnection before the closing handshake is done.
            drop(self.handle);
        }
        peer.close(end, last).await;
    }
}

impl<D: Dialect> ParticipantProtocol<D> {
    async fn send_update(&mut self, update: &RoomUpdate, peer: &mut Peer) -> Result<(), End> {
        self.charge(update, peer);
        let messages = self.dialect.encode(&self.before, update, &view(&self.handle, &update.room));
        self.before = update.room.clone();
        peer.send(messages).await?;
        if self.handle.color().is_some() && update.is_move() {
            metrics::move_delivered(update.since.elapsed());
        }
        if update.room.phase() == Phase::Closed { Err(End::Done) } else { Ok(()) }
    }

    /// Counts what the answer of a script takes in the store beyond what it was expected to take.
    fn charge(&mut self, update: &RoomUpdate, peer: &Peer) {
        let Update::Entry(entry) = &update.update else { return };
        let Some(ruling) = entry.fact.ruling() else { return };
        let is_own = self.handle.color() == Some(self.before.game().to_move());
        let pending = self.pending.as_mut().filter(|pending| pending.kind != ActKind::Move || is_own);
        let charged = pending.map_or(0, |pending| std::mem::take(&mut pending.charged)) as usize;
        if let Some(client) = peer.client.as_ref().filter(|_| charged > 0 && ruling.size() > charged) {
            client.count_stored(ruling.size() - charged);
        }
    }

    /// The effect of an act arrives as an update; only a refusal is answered.
    async fn take_answer(&mut self, answer: Result<(), ActError>, peer: &mut Peer) -> Result<(), End> {
        let Some(PendingAnswer { kind, since, .. }) = self.pending.take() else { return Ok(()) };
        peer.keepalive.received();
        if let Err(ActError::Script(error)) = &answer
            && error.is_of_limits()
            && let Some(Err(_)) = peer.client.as_ref().map(ClientContext::try_expensive)
        {
            self.owes = true;
        }
        match (answer, kind) {
            (Ok(()), ActKind::Leave) => Err(End::Done),
            (Ok(()), ActKind::Move) => {
                metrics::move_stored(since.elapsed());
                Ok(())
            }
            (Ok(()), ActKind::Other) => Ok(()),
            (Err(error), _) => {
                let reply = self.dialect.refuse(Refused::Act(error));
                peer.send([reply]).await
            }
        }
    }
}

/// The size of a message, in bytes.
fn len(message: &Message) -> usize {
    match message {
        Message::Text(text) => text.len(),
        Message::Binary(bytes) => bytes.len(),
        _ => 0,
    }
}

fn view<'a>(handle: &'a RoomHandle, room: &'a Room) -> View<'a> {
    View { room, participant: handle.participant(), color: room.seat_of(&handle.participant().id), now: handle.now() }
}

/// The answer to the pending act; never, if there is none.
async fn answer_to(pending: Option<&mut PendingAnswer>) -> Result<(), ActError> {
    match pending {
        Some(pending) => (&mut pending.answer).await,
        None => future::pending().await,
    }
}

/// Memory of an idle connection, in bytes: the future that waits, and the boxed state.
#[cfg(test)]
pub(in crate::dialect) fn idle_size<D: Dialect>() -> usize {
    fn size_of_future<S, F: Future>(_: impl FnOnce(Peer, S) -> F) -> usize {
        size_of::<F>()
    }
    size_of_future(run::<ParticipantProtocol<D>>) + size_of::<super::Connection<ParticipantProtocol<D>>>()
}
