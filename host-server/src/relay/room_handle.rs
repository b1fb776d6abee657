use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use chess::Color;
use rules::Ply;
use tokio::sync::mpsc::error::TrySendError;
use tokio::sync::{broadcast, oneshot};
use tokio::time::Instant;
use wire::link::Occupancy;

use super::EnterError;
use super::participant::Claim;
use super::room_task::{Entered, RoomMessage, RoomSender};
use super::rulings::RulingError;
use super::update::RoomUpdate;
use crate::room::{Act, EventId, Participant, Refusal, Room, Time};
use crate::store::{Store, StoreError};

/// The handle of one participant to a room: sends acts, receives updates. Dropping it disconnects the participant.
#[derive(Debug)]
pub struct RoomHandle {
    number: u64,
    participant: Participant,
    token: Option<Box<str>>,
    store: Arc<dyn Store>,
    messages: RoomSender,
    updates: broadcast::Receiver<Arc<RoomUpdate>>,
    room: Arc<Room>,
    spectators: usize,
    leaves: bool,
}

/// Why a handle receives no more updates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UpdatesEnded {
    /// The participant read too slowly and missed updates. Entering again gives the current state.
    Lagged,
    /// The task of the room has ended.
    Ended,
}

/// Why an act was not executed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ActError {
    /// The room has refused it.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The store has failed. If its answer was lost, the act may have been executed all the same.
    #[error("{}", .0.for_clients())]
    Store(StoreError),
    /// The script that has the rules did not rule on it.
    #[error(transparent)]
    Script(Box<RulingError>),
    /// The task of the room has ended.
    #[error("This relay no longer serves this game. Connect again.")]
    Ended,
}

impl From<EnterError> for ActError {
    fn from(error: EnterError) -> Self {
        match error {
            EnterError::NoRoom | EnterError::Closed => Self::Refused(Refusal::Closed),
            EnterError::Store(error) => Self::Store(error),
            EnterError::WrongToken | EnterError::Taken | EnterError::TooManyRooms(_) | EnterError::Stopping => {
                Self::Ended
            }
        }
    }
}

impl RoomHandle {
    /// Enters the room of a task. `None` if the task has ended meanwhile.
    pub(super) async fn enter(
        store: Arc<dyn Store>,
        messages: RoomSender,
        participant: Participant,
        claim: Claim,
    ) -> Option<Result<Self, EnterError>> {
        let (reply, answer) = oneshot::channel();
        messages.send(Box::new(RoomMessage::Enter { participant, claim, since: Instant::now(), reply })).await.ok()?;
        let entered = answer.await.ok()?;
        Some(entered.map(|Entered { number, participant, token, updates, room, spectators }| Self {
            number,
            participant,
            token: token.map(String::into_boxed_str),
            store,
            messages,
            updates,
            room,
            spectators,
            leaves: false,
        }))
    }

    /// The participant. After [`Claim::Resume`] it is the player of the seat; the given name is ignored.
    #[must_use]
    pub const fn participant(&self) -> &Participant {
        &self.participant
    }

    /// The token of the seat, if the participant has just taken it.
    #[must_use]
    pub fn token(&self) -> Option<&str> {
        self.token.as_deref()
    }

    /// The room after the last update that was received.
    #[must_use]
    pub const fn room(&self) -> &Arc<Room> {
        &self.room
    }

    /// Number of spectators when the participant entered, as last announced.
    #[must_use]
    pub const fn spectators(&self) -> usize {
        self.spectators
    }

    /// The side that the participant plays.
    #[must_use]
    pub fn color(&self) -> Option<Color> {
        self.room.seat_of(&self.participant.id)
    }

    /// The current time of the store.
    #[must_use]
    pub fn now(&self) -> Time {
        self.store.now()
    }

    /// Waits for the next update. Cancel-safe.
    pub async fn next(&mut self) -> Result<Arc<RoomUpdate>, UpdatesEnded> {
        let update = self.updates.recv().await.map_err(|error| match error {
            broadcast::error::RecvError::Lagged(_) => UpdatesEnded::Lagged,
            broadcast::error::RecvError::Closed => UpdatesEnded::Ended,
        })?;
        self.room = update.room.clone();
        Ok(update)
    }

    /// Sends an act. Its effect arrives as an update, like the acts of others.
    #[expect(clippy::must_use_candidate, reason = "the act is executed whether or not the caller waits for the answer")]
    pub fn act(&self, act: Act) -> ActResult {
        self.send(act, None)
    }

    /// Sends an act that an event of a board leads to. It has an effect once, however often the event is delivered.
    #[expect(clippy::must_use_candidate, reason = "the act is executed whether or not the caller waits for the answer")]
    pub fn act_once(&self, act: Act, event: EventId) -> ActResult {
        self.send(act, Some(event))
    }

    fn send(&self, act: Act, event: Option<EventId>) -> ActResult {
        let (reply, answer) = oneshot::channel();
        let message = RoomMessage::Act { number: self.number, act, event, received: self.store.now(), reply };
        match self.messages.try_send(Box::new(message)) {
            // If the task has ended, the reply is dropped with the message, and the answer is `ActError::Ended`.
            Ok(()) | Err(TrySendError::Closed(_)) => ActResult::Queued(answer),
            Err(TrySendError::Full(message)) => {
                let messages = self.messages.clone();
                ActResult::Waiting(Box::pin(async move {
                    let _ = messages.send(message).await;
                    answer.await.unwrap_or(Err(ActError::Ended))
                }))
            }
        }
    }

    /// Whether the task of the room has ended: then only entering again helps.
    #[must_use]
    pub fn is_ended(&self) -> bool {
        self.messages.is_closed()
    }

    /// The current state of the room. Updates that led to it may still be pending.
    pub async fn look(&self) -> Result<Arc<Room>, ActError> {
        let (reply, answer) = oneshot::channel();
        self.messages.send(Box::new(RoomMessage::Look { reply })).await.map_err(|_| ActError::Ended)?;
        answer.await.map_err(|_| ActError::Ended)
    }

    /// Shows the occupancy of this player's board to all participants. It is dropped if the room is overloaded.
    pub fn report_occupancy(&self, occupancy: Occupancy) {
        let _ = self.messages.try_send(Box::new(RoomMessage::Occupancy { number: self.number, occupancy }));
    }

    /// Tells all participants that this player is choosing the piece of a promotion. It is dropped if the room is overloaded.
    pub fn announce_promotion(&self, ply: Ply) {
        let _ = self.messages.try_send(Box::new(RoomMessage::Promoting { number: self.number, ply }));
    }

    /// Disconnects and gives up the seat, for a player who has no token to come back with.
    pub fn leave(mut self) {
        self.leaves = true;
    }
}

/// Resolves to the result of an act.
///
/// An act that found the mailbox of the room full is sent while the answer is polled; all others are executed even if the
/// answer is dropped.
pub enum ActResult {
    /// The message is in the mailbox.
    Queued(oneshot::Receiver<Result<(), ActError>>),
    /// The mailbox was full: the message waits for a free place.
    Waiting(Pin<Box<dyn Future<Output = Result<(), ActError>> + Send>>),
}

impl Future for ActResult {
    type Output = Result<(), ActError>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        match &mut *self {
            Self::Queued(answer) => Pin::new(answer).poll(context).map(|answer| answer.unwrap_or(Err(ActError::Ended))),
            Self::Waiting(sending) => sending.as_mut().poll(context),
        }
    }
}

/// Where the result of an act goes.
pub(super) type Reply = oneshot::Sender<Result<(), ActError>>;

impl Drop for RoomHandle {
    fn drop(&mut self) {
        let message = Box::new(RoomMessage::Exit { number: self.number, leaves: self.leaves });
        if let Err(TrySendError::Full(message)) = self.messages.try_send(message) {
            // A drop cannot wait, and an exit must not be lost: the player would count as connected for ever.
            let messages = self.messages.clone();
            if let Ok(runtime) = tokio::runtime::Handle::try_current() {
                runtime.spawn(async move { messages.send(message).await });
            }
        }
    }
}
