use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use chess::Color;
use tokio::sync::{broadcast, oneshot};
use tokio::time::Instant;
use wire::link::Wood;

use super::EnterError;
use super::happening::Happening;
use super::host::{Entered, Order, Orders};
use super::visitor::{Claim, Visitor};
use crate::room::{Command, Origin, Refusal, Room, Time};
use crate::store::{Store, StoreError};

/// Somebody's being in a room. Whoever drops it goes.
#[derive(Debug)]
pub struct Attendance {
    number: u64,
    visitor: Visitor,
    token: Option<String>,
    store: Arc<dyn Store>,
    orders: Orders,
    news: broadcast::Receiver<Arc<Happening>>,
    room: Arc<Room>,
    watching: usize,
}

/// Why there is nothing more to hear.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gone {
    /// More has happened than this visitor could take in. Who comes again sees how things are now.
    Behind,
    /// The relay no longer looks after this room.
    Ended,
}

/// Why something that a visitor wanted did not happen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CommandError {
    /// The room has refused it.
    Refused(Refusal),
    /// It could not be written down. It may happen all the same if the store had only not answered.
    Store(StoreError),
    /// The relay no longer looks after this room.
    Ended,
}

impl fmt::Display for CommandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused(refusal) => refusal.fmt(f),
            Self::Store(error) => write!(f, "It could not be written down: {error}."),
            Self::Ended => f.write_str("The relay no longer looks after this match. Connect again."),
        }
    }
}

impl std::error::Error for CommandError {}

impl From<Refusal> for CommandError {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

/// What a player wants, as soon as it is known which side that is.
pub(super) type Want = Box<dyn FnOnce(Color) -> Command + Send>;

impl Attendance {
    /// Comes in. There is no answer if the task has ended in the meantime.
    pub(super) async fn enter(
        store: Arc<dyn Store>,
        orders: Orders,
        visitor: Visitor,
        claim: Claim,
    ) -> Option<Result<Self, EnterError>> {
        let (reply, answer) = oneshot::channel();
        orders.send(Box::new(Order::Enter { visitor, claim, since: Instant::now(), reply })).ok()?;
        let entered = answer.await.ok()?;
        Some(entered.map(|Entered { number, visitor, token, news, room, watching }| Self {
            number,
            visitor,
            token,
            store,
            orders,
            news,
            room,
            watching,
        }))
    }

    /// Who this is. It may be another than who came: somebody who comes back is who they were.
    #[must_use]
    pub const fn visitor(&self) -> &Visitor {
        &self.visitor
    }

    /// The secret that opens the seat again, if this visitor has just sat down.
    #[must_use]
    pub fn token(&self) -> Option<&str> {
        self.token.as_deref()
    }

    /// The room, as of the last thing that was heard.
    #[must_use]
    pub const fn room(&self) -> &Arc<Room> {
        &self.room
    }

    /// How many watched when this visitor came in, as the others had last been told: through this relay, or through another.
    #[must_use]
    pub const fn watching(&self) -> usize {
        self.watching
    }

    /// Which side this visitor plays.
    #[must_use]
    pub fn color(&self) -> Option<Color> {
        self.room.seat_of(&self.visitor.id)
    }

    /// What time it is for the room.
    #[must_use]
    pub fn now(&self) -> Time {
        self.store.now()
    }

    /// Waits for the next thing that happens. It loses nothing if it is given up while it waits.
    pub async fn next(&mut self) -> Result<Arc<Happening>, Gone> {
        let happening = self.news.recv().await.map_err(|error| match error {
            broadcast::error::RecvError::Lagged(_) => Gone::Behind,
            broadcast::error::RecvError::Closed => Gone::Ended,
        })?;
        self.room = happening.room.clone();
        Ok(happening)
    }

    /// Does something that only players can. What comes of it is heard like everything else, and goes on being heard while
    /// the answer is waited for.
    pub fn play(&self, want: impl FnOnce(Color) -> Command + Send + 'static) -> Answer {
        self.order(|received, reply| Order::Play {
            number: self.number,
            want: Box::new(want),
            from: None,
            received,
            reply,
        })
    }

    /// The same for a board that said it with a number.
    pub fn play_from(&self, want: impl FnOnce(Color) -> Command + Send + 'static, stream: u64, number: u32) -> Answer {
        let from = Some((stream, number));
        self.order(|received, reply| Order::Play { number: self.number, want: Box::new(want), from, received, reply })
    }

    /// Says something.
    #[expect(clippy::must_use_candidate, reason = "it is said, whether the answer is waited for or not")]
    pub fn say(&self, text: String) -> Answer {
        self.order(|received, reply| Order::Say { number: self.number, text, received, reply })
    }

    /// The room as it is now. What led to it may still be to be heard.
    pub async fn look(&self) -> Result<Arc<Room>, CommandError> {
        let (reply, answer) = oneshot::channel();
        self.orders.send(Box::new(Order::Look { reply })).map_err(|_| CommandError::Ended)?;
        answer.await.map_err(|_| CommandError::Ended)
    }

    /// Shows what the wood of this visitor looks like.
    pub fn show_wood(&self, wood: Wood) {
        // If nobody looks after the room any more, nobody looks at the wood either.
        let _ = self.orders.send(Box::new(Order::Wood { number: self.number, wood }));
    }

    fn order(&self, order: impl FnOnce(Time, Reply) -> Order) -> Answer {
        let (reply, answer) = oneshot::channel();
        // If nobody is there to take it, the reply is dropped with it, and that is what the answer says.
        let _ = self.orders.send(Box::new(order(self.store.now(), reply)));
        Answer(answer)
    }
}

/// What will have come of something that a visitor wanted. It has been asked for, whether this is waited for or not.
#[derive(Debug)]
pub struct Answer(oneshot::Receiver<Result<(), CommandError>>);

impl Future for Answer {
    type Output = Result<(), CommandError>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        Pin::new(&mut self.0).poll(context).map(|answer| answer.unwrap_or(Err(CommandError::Ended)))
    }
}

/// Where the answer to an order goes.
pub(super) type Reply = oneshot::Sender<Result<(), CommandError>>;

/// What a board said, without where it is.
pub(super) type Said = (u64, u32);

pub(super) fn origin(color: Color, (stream, number): Said) -> Origin {
    Origin { color, stream, number }
}

impl Drop for Attendance {
    fn drop(&mut self) {
        // If the task has ended, everybody has gone from it.
        let _ = self.orders.send(Box::new(Order::Exit { number: self.number }));
    }
}
