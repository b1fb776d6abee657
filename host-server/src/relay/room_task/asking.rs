//! Commands that wait for the answer of a script. The room executes other commands meanwhile.

use std::future::poll_fn;
use std::pin::Pin;
use std::sync::Arc;
use std::task::Poll;

use tokio::sync::oneshot;

use super::super::room_handle::{ActError, Reply};
use super::super::rulings::RulingError;
use super::RoomTask;
use crate::room::{Answered, Command, Room, ScriptQuestion, Time};
use crate::scripts::ScriptError;

/// Commands of one room that may wait for a script at the same time: those of two players, and of the board of one of them. More would let one room
/// keep the processes of the relay from the others.
const MAX_WAITING_COMMANDS: usize = 3;

/// A command that waits for the answer of a script. Dropping it cancels the call.
pub(super) struct WaitingCommand {
    command: Command,
    received: Time,
    reply: ReplyTo,
    ruling: Pin<Box<dyn Future<Output = Result<Answered, RulingError>> + Send>>,
}

/// Who receives the result of a command.
pub(super) enum ReplyTo {
    /// The sender of an act.
    Act(Reply),
    /// The sender of a board's progress, who gets the room after it.
    Follow(oneshot::Sender<Result<Arc<Room>, ActError>>),
    /// Nobody: the command comes from the relay itself, which reads the room when it has changed.
    NoClient,
}

/// What an attempt has led to.
pub(super) enum Attempted {
    Done(Result<(), ActError>),
    /// A script has to be asked first.
    Asks(Box<ScriptQuestion>),
}

/// The commands of a room that wait for a script. The box is there once a script was asked, so that idle rooms stay small.
#[derive(Default)]
pub(super) struct Waiting(Option<Box<[Option<WaitingCommand>; MAX_WAITING_COMMANDS]>>);

/// A command of which the script has answered the question, or failed.
pub(super) type Ruled = Box<(WaitingCommand, Result<Answered, RulingError>)>;

impl Waiting {
    pub(super) fn is_empty(&self) -> bool {
        self.iter().next().is_none()
    }

    fn iter(&self) -> impl Iterator<Item = &WaitingCommand> {
        self.0.iter().flat_map(|slots| slots.iter().flatten())
    }

    /// A place for another command, if there is one.
    fn free(&mut self) -> Option<&mut Option<WaitingCommand>> {
        self.0.get_or_insert_default().iter_mut().find(|slot| slot.is_none())
    }

    /// Waits for the first answer of a script; forever if none is asked. Cancel-safe.
    pub(super) fn next(&mut self) -> impl Future<Output = Ruled> {
        poll_fn(|context| {
            for slot in self.0.iter_mut().flat_map(|slots| slots.iter_mut()) {
                if let Some(asked) = slot
                    && let Poll::Ready(ruling) = asked.ruling.as_mut().poll(context)
                    && let Some(asked) = slot.take()
                {
                    return Poll::Ready(Box::new((asked, ruling)));
                }
            }
            Poll::Pending
        })
    }
}

impl RoomTask {
    /// Executes a command, and replies to it. If a script has to be asked first, that happens when it has answered.
    pub(super) async fn attempt_or_ask(&mut self, command: Command, received: Time, reply: ReplyTo) {
        let attempted = self.attempt_with(&command, received, None).await;
        self.go_on(attempted, command, received, reply);
    }

    /// Executes a command of which the script has answered the question.
    pub(super) async fn attempt_ruled(&mut self, ruled: Ruled) {
        let (WaitingCommand { command, received, reply, .. }, ruling) = *ruled;
        let attempted = match ruling {
            // If another relay was faster, the room has another question now.
            Ok(answered) => self.attempt_with(&command, received, Some(&answered)).await,
            Err(error) => Attempted::Done(Err(ActError::Script(Box::new(error)))),
        };
        self.go_on(attempted, command, received, reply);
    }

    pub(super) fn go_on(&mut self, attempted: Attempted, command: Command, received: Time, reply: ReplyTo) {
        match attempted {
            Attempted::Done(result) => self.reply(reply, result),
            Attempted::Asks(question) => {
                let (relay, room) = (self.relay.clone(), self.room.clone());
                if let Some(slot) = self.asked.free() {
                    let ruling = Box::pin(async move { relay.rulings.ask(room.code(), *question).await });
                    *slot = Some(WaitingCommand { command, received, reply, ruling });
                } else {
                    let busy = RulingError::Script(ScriptError::Busy);
                    self.reply(reply, Err(ActError::Script(Box::new(busy))));
                }
            }
        }
    }

    fn reply(&self, reply: ReplyTo, result: Result<(), ActError>) {
        // The caller may have left.
        match reply {
            ReplyTo::Act(reply) => drop(reply.send(result)),
            // Without a reply the caller asks the next task of the room.
            ReplyTo::Follow(_) if self.is_lost => {}
            ReplyTo::Follow(reply) => drop(reply.send(result.map(|()| self.room.clone()))),
            ReplyTo::NoClient => {}
        }
    }

    /// The time by which something is judged that was received at `time`: not later than the commands that wait for a script. So a player does
    /// not lose on time whose move was received before, however long the script takes.
    pub(super) fn before_asked(&self, time: Time) -> Time {
        self.asked.iter().map(|asked| asked.received).fold(time, Time::min)
    }
}
