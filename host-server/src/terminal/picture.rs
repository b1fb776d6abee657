use board::Frame;
use chess::{Bitboard, Color, Piece, Square};

/// Everything that is to be seen on the screen. Two that are equal look alike, so the screen is painted anew only for one
/// that is different.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Picture {
    /// Whether Black sits near.
    pub(super) turned: bool,
    /// Whether pieces are shown as letters.
    pub(super) letters: bool,
    /// What stands on each square, a1 first.
    pub(super) standing: [Option<Piece>; 64],
    /// The light of each square, in the order of the game's squares.
    pub(super) light: Frame,
    pub(super) cursor: Square,
    /// Whether pieces are pushed rather than carried.
    pub(super) pushing: bool,
    /// What is in the hand; the last goes down first.
    pub(super) hand: Vec<Piece>,
    /// The piece that would go down under the cursor.
    pub(super) in_the_air: Option<Piece>,
    /// What lies in the box.
    pub(super) aside: Vec<Piece>,
    pub(super) page: Page,
    /// Whose turn it is, or how the game has ended.
    pub(super) headline: String,
    pub(super) clocks: Option<Clocks>,
    /// What the board says.
    pub(super) sentence: String,
    /// What only the eye sees: a piece that is not the one the game has there.
    pub(super) note: Option<String>,
    /// The moves, a line for each of White's.
    pub(super) score: Vec<String>,
    /// Squares whose magnets are weak.
    pub(super) weak: Bitboard,
    /// What the reeds read, if that is to be seen.
    pub(super) reeds: Option<Bitboard>,
}

/// What the panel beside the board shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Page {
    /// The game.
    Game,
    /// The keys.
    Help,
    /// The game, and the question which piece is to come out of the box.
    Asking,
}

/// What the clocks show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Clocks {
    pub(super) white: String,
    pub(super) black: String,
    pub(super) running: Option<Color>,
}
