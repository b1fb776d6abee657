use wire::link::Seen;

/// What a side must not forget: together with the events that are not yet acknowledged, and the game, it is all that a
/// conversation needs to go on after a restart as if nothing had been.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Memory {
    /// The stream in which this side speaks. Events belong to a stream: those of another one can be forgotten.
    pub stream: u64,
    /// Events up to this number are in the other side's journal, and can be forgotten.
    pub acknowledged: u32,
    /// Events up to this number are not told one by one any more.
    pub floor: u32,
    /// The number of the last event.
    pub said: u32,
    /// The number at which this side last began a game.
    pub renewed: u32,
    /// What was heard from the other side.
    pub seen: Seen,
}

impl Memory {
    /// For a side that remembers nothing. Its stream is one that has never been before, so the number has to be random.
    #[must_use]
    pub const fn blank(random: u64) -> Self {
        // 0 stands for no stream.
        let stream = if random == 0 { 1 } else { random };
        Self { stream, acknowledged: 0, floor: 0, said: 0, renewed: 0, seen: Seen { stream: 0, last: 0 } }
    }
}
