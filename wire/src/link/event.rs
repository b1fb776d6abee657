use chess::{Color, DrawClaim, Move, Outcome};

use super::form::SaidForm;
use super::message::{ReadError, WriteError, read_form, write_form};

/// Something that happened at the table, and that the other side must learn exactly once and in its order.
///
/// It is the same whoever says it, so a relay can hand what one board says to another as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// A move was made.
    Moved {
        /// How many plies were played before it.
        ply: u16,
        /// The move.
        mv: Move,
        /// How long the player took, in milliseconds.
        thought_ms: u32,
    },
    /// A player gave up.
    Resigned {
        /// Who.
        color: Color,
    },
    /// A player offers a draw.
    DrawOffered {
        /// Who.
        color: Color,
    },
    /// The other player answers the offer.
    DrawAnswered {
        /// How.
        accepted: bool,
    },
    /// The player to move claims a draw.
    DrawClaimed {
        /// For what.
        claim: DrawClaim,
        /// With this move, which is announced and not played; or in the position on the board.
        with: Option<Move>,
    },
    /// A player asks to take moves back.
    TakebackAsked {
        /// How many plies.
        plies: u8,
    },
    /// The other player answers that.
    TakebackAnswered {
        /// How.
        accepted: bool,
    },
    /// Moves were taken back.
    TakenBack {
        /// How many plies.
        plies: u8,
    },
    /// The game is over, for a reason that does not follow from its moves; or from its moves, to be sure.
    Ended {
        /// How.
        outcome: Outcome,
    },
    /// Hints are allowed from now on, or no longer.
    Hints {
        /// Whether they are.
        on: bool,
    },
}

/// An event with its place in what was said and heard. A journal keeps it in the same bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Said {
    /// Its number. The first event of a stream has number 1.
    pub number: u32,
    /// What the speaker had heard from the other side when it said this. An answer to something is one that has heard
    /// it.
    pub heard: u32,
    /// What happened.
    pub event: Event,
}

impl Said {
    /// No event takes more bytes than this.
    pub const MAX_LEN: usize = 24;

    /// Writes it into a buffer and returns how many bytes it took.
    pub fn write(&self, buffer: &mut [u8]) -> Result<usize, WriteError> {
        write_form(&SaidForm::from(*self), buffer)
    }

    /// Reads it, and nothing else, from these bytes.
    pub fn read(bytes: &[u8]) -> Result<Self, ReadError> {
        read_form::<SaidForm>(bytes)?.try_into()
    }
}
