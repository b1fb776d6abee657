use super::table::Table;

/// No piece of a snapshot is longer than this.
pub const MAX_PIECE: usize = 512;

/// No FEN is longer than this: 71 characters of board, and the longest that the other five fields can be.
pub const MAX_FEN: usize = 92;

/// The game as it is, in place of everything that was said about it before. Its bytes follow in pieces, and after the
/// last of them the word that it is complete. No event comes in between.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Snapshot<'a> {
    /// It stands for everything that the sender has said up to this number.
    pub number: u32,
    /// It has in it everything that the receiver has said up to this number.
    pub heard: u32,
    /// The number at which the sender last began a game; 0 if the game is not of its making. What the receiver said
    /// without having heard of it was about another game, and is void.
    pub renewed: u32,
    /// What there is to know beside the moves.
    pub table: Table<'a>,
    /// What the bytes are.
    pub origin: Origin<'a>,
}

/// What the bytes of a snapshot are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin<'a> {
    /// The documented game state.
    State,
    /// The moves alone, written as in the game state, of a game that began from this position. The game state has no
    /// place for those.
    Fen(&'a str),
}
