use wire::link::{Event, Goodbye, Hello, Live, Said, Table, Wood};

/// What came from the other side, for whoever keeps the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum News<'a> {
    /// The other side is there.
    Online(Hello<'a>),
    /// Something happened. It comes once, and in order.
    Event(Event),
    /// Another game comes, at this table. From now on the game is not to be looked at, until it is there.
    Loading(Table<'a>),
    /// It is there. What this side had said and the other side had not heard is not in it: whatever
    /// [`Conversation::standing`](super::Conversation::standing) gives has to be done to it again.
    Loaded(Basis),
    /// What the wood looks like.
    Wood(Wood),
    /// What the clocks show, and who is there.
    Live(Live),
    /// The other side hangs up. There is nothing left to do with this connection but to close it.
    Goodbye(Goodbye),
}

/// What a game that came from the other side takes into account.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Basis {
    /// Everything that this side has said up to this number.
    pub(super) heard: u32,
    /// But nothing that this side has said without having heard this.
    pub(super) renewed: u32,
}

impl Basis {
    /// Whether an event of this side is not in the game, and should be.
    pub(super) const fn lacks(self, said: &Said) -> bool {
        said.number > self.heard && said.heard >= self.renewed
    }
}
