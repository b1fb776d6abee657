use chess::{Color, DrawClaim};
use rules::{Ply, Verdict};

use super::message::{ReadError, WriteError, read_repr, write_repr};
use super::repr::NumberedEventRepr;

/// Something that happened in a game, which the peer must learn exactly once and in order.
///
/// It has the same form in both directions, so a relay can forward an event of one board to another unchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "most variants and fields are named for what they are")]
pub enum Event {
    Moved {
        /// How many plies were played before it.
        number: u16,
        ply: Ply,
        /// How long the player took, in milliseconds.
        thought_ms: u32,
    },
    Resigned {
        color: Color,
    },
    DrawOffered {
        color: Color,
    },
    /// The opponent's answer to a draw offer.
    DrawAnswered {
        accepted: bool,
    },
    /// The side to move claims a draw.
    DrawClaimed {
        claim: DrawClaim,
        /// With this ply, which is announced and not played; otherwise in the position on the board.
        with: Option<Ply>,
    },
    TakebackAsked {
        plies: u8,
    },
    /// The opponent's answer to a takeback request.
    TakebackAnswered {
        accepted: bool,
    },
    TakenBack {
        plies: u8,
    },
    /// The game is over. It is also sent if that follows from the plies, as a confirmation.
    Ended {
        verdict: Verdict,
    },
    /// From a board: whether its owner agrees to suggested moves. From the relay: whether the board shows where a lifted piece can go.
    Hints {
        on: bool,
    },
    /// The last ply, which has this number, was sent before the player had let go of the piece. It is undone, and another
    /// [`Event::Moved`] follows. Only to a relay whose hello has [`CORRECTIONS`](super::CORRECTIONS), soon after the ply, and before the
    /// opponent has replied.
    Corrected {
        number: u16,
    },
    /// The answer of the player at the board to a challenge.
    ChallengeAnswered {
        /// The number of the challenge.
        number: u32,
        accepted: bool,
    },
}

/// An event with its sequence number. The journal stores it in the same bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NumberedEvent {
    /// The first event of a stream has number 1.
    pub number: u32,
    /// The last event of the peer that the sender had received when it sent this. An event is an answer to another only if the
    /// sender had received that one.
    pub received_up_to: u32,
    #[expect(missing_docs, reason = "see `Event`")]
    pub event: Event,
}

impl NumberedEvent {
    /// No event takes more bytes than this.
    pub const MAX_LEN: usize = 24;

    /// Encodes it, and returns its length in bytes.
    pub fn write(&self, buffer: &mut [u8]) -> Result<usize, WriteError> {
        write_repr(&NumberedEventRepr::from(*self), buffer)
    }

    /// Decodes it. Trailing bytes are an error.
    pub fn read(bytes: &[u8]) -> Result<Self, ReadError> {
        read_repr::<NumberedEventRepr>(bytes)?.try_into()
    }
}
