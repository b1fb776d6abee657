use wire::link::{
    Challenge, ConsoleLine, ConsoleOutput, Event, GameInfo, Goodbye, Hello, Live, NumberedEvent, Occupancy,
};

/// What the peer has sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "variants that carry a documented message")]
pub enum Incoming<'a> {
    /// The peer has completed the handshake.
    Online(Hello<'a>),
    /// An event, exactly once and in order.
    Event(Event),
    /// A snapshot starts. The game is invalid until it is complete.
    SnapshotBegins(GameInfo),
    /// The snapshot is complete. Events of this side that it does not include, which
    /// [`Session::events_missing_in`](super::Session::events_missing_in) lists, have to be applied to it again.
    SnapshotComplete(SnapshotBasis),
    Occupancy(Occupancy),
    Live(Live),
    Challenge(Option<Challenge>),
    /// A command for the console. Only a board receives it.
    ConsoleLine(ConsoleLine<'a>),
    /// A part of an answer of the console. Only a relay receives it.
    ConsoleOutput(ConsoleOutput<'a>),
    /// The peer closes the connection.
    Goodbye(Goodbye),
}

/// Which events of this side a snapshot of the peer includes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SnapshotBasis {
    /// All up to this number.
    pub(super) received_up_to: u32,
    /// But none that was sent before this event of the peer was received.
    pub(super) renewed: u32,
}

impl SnapshotBasis {
    /// The event of the peer with which it started the game; 0 if the game came from this side. It identifies a game without a remote opponent.
    #[must_use]
    pub const fn renewed(self) -> u32 {
        self.renewed
    }

    /// Whether the snapshot does not include this event of this side, although it should.
    pub(super) const fn excludes(self, event: &NumberedEvent) -> bool {
        event.number > self.received_up_to && event.received_up_to >= self.renewed
    }
}
