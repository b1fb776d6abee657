use core::error::Error;
use core::fmt;

use super::VERSION;
use super::noise::NOISE_LEN;
use super::pairing::BoardId;

/// Length of version and board id, which are sent unencrypted and bound into the keys.
pub(super) const PROLOGUE_LEN: usize = 9;

/// Length of a board's first frame.
pub const FIRST_FRAME_LEN: usize = PROLOGUE_LEN + NOISE_LEN;

/// Length of the answer of a relay that accepts the board.
pub const ANSWER_LEN: usize = 2 + NOISE_LEN;

/// Length of the answer of a relay that refuses the board.
pub const REFUSAL_LEN: usize = 4;

const _: () = assert!(FIRST_FRAME_LEN == 57 && ANSWER_LEN == 50, "the lengths are stated in the specification");

/// The second byte of an answer that accepts the board.
const ACCEPTED: u8 = 0;

/// Why a relay refuses a board.
///
/// It is not authenticated: an attacker on the network can forge it. A board may show it, but must not act on it other than
/// by retrying later.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The relay has no pairing with this board id, or another key for it.
    UnknownBoard,
    /// The relay does not support the board's version of the link.
    Version {
        /// The lowest supported version.
        lowest: u8,
        /// The highest supported version.
        highest: u8,
    },
    /// The relay is temporarily unable to serve the board.
    Busy,
    /// A reason that this version does not know.
    Other(u8),
}

impl Refusal {
    const UNKNOWN_BOARD: u8 = 1;
    const VERSION: u8 = 2;
    const BUSY: u8 = 3;

    /// Encodes it. The encoding is the same in all versions, so that every board can read it.
    #[must_use]
    pub const fn frame(self) -> [u8; REFUSAL_LEN] {
        let (code, lowest, highest) = match self {
            Self::UnknownBoard => (Self::UNKNOWN_BOARD, VERSION, VERSION),
            Self::Version { lowest, highest } => (Self::VERSION, lowest, highest),
            Self::Busy => (Self::BUSY, VERSION, VERSION),
            Self::Other(code) => (code, VERSION, VERSION),
        };
        [VERSION, code, lowest, highest]
    }

    /// Decodes the bytes after the version.
    pub(crate) const fn of_code(code: u8, lowest: u8, highest: u8) -> Self {
        match code {
            Self::UNKNOWN_BOARD => Self::UnknownBoard,
            Self::VERSION => Self::Version { lowest, highest },
            Self::BUSY => Self::Busy,
            code => Self::Other(code),
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownBoard => f.write_str("the relay knows no board with this key"),
            Self::Version { lowest, highest } => {
                write!(f, "the relay supports versions {lowest} to {highest} of the link, and the board uses {VERSION}")
            }
            Self::Busy => f.write_str("the relay cannot serve the board now"),
            Self::Other(code) => write!(f, "the relay refuses for reason {code}"),
        }
    }
}

impl Error for Refusal {}

/// The data that both ends know before the handshake.
pub(super) fn prologue(board: BoardId) -> [u8; PROLOGUE_LEN] {
    join(&[VERSION], &board.0)
}

pub(super) fn first_frame(board: BoardId, noise: &[u8; NOISE_LEN]) -> [u8; FIRST_FRAME_LEN] {
    join(&prologue(board), noise)
}

/// The frame that accepts a board.
pub(super) fn answer_frame(noise: &[u8; NOISE_LEN]) -> [u8; ANSWER_LEN] {
    join(&[VERSION, ACCEPTED], noise)
}

/// Concatenates two slices.
pub(super) fn join<const N: usize>(first: &[u8], second: &[u8]) -> [u8; N] {
    let mut frame = [0; N];
    for (slot, byte) in frame.iter_mut().zip(first.iter().chain(second)) {
        *slot = *byte;
    }
    frame
}

/// A decoded answer of a relay.
pub(super) enum RelayAnswer<'a> {
    Accepted { version: u8, noise: &'a [u8] },
    Refused(Refusal),
}

/// Decodes an answer; `None` if it is too short for any version.
pub(super) const fn read_answer(frame: &[u8]) -> Option<RelayAnswer<'_>> {
    Some(match *frame {
        [version, ACCEPTED, ref noise @ ..] => RelayAnswer::Accepted { version, noise },
        [_, code, lowest, highest] => RelayAnswer::Refused(Refusal::of_code(code, lowest, highest)),
        _ => return None,
    })
}
