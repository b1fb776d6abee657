use core::error::Error;
use core::fmt;

use super::VERSION;
use super::noise::NOISE_LEN;
use super::pairing::BoardId;

/// Version and board, which are sent in the open and bound into the keys.
pub(super) const PROLOGUE_LEN: usize = 9;

/// How long the first frame of a board is.
pub const KNOCK_LEN: usize = PROLOGUE_LEN + NOISE_LEN;

/// How long the answer of a relay is that lets the board in.
pub const ANSWER_LEN: usize = 2 + NOISE_LEN;

/// How long the answer of a relay is that does not.
pub const REFUSAL_LEN: usize = 4;

const _: () = assert!(KNOCK_LEN == 57 && ANSWER_LEN == 50, "the lengths are stated in the specification");

/// The second byte of an answer that lets the board in.
const ACCEPTED: u8 = 0;

/// Why a relay does not let a board in.
///
/// Nobody has proved anything yet when this is said, so anybody on the way can say it. A board may show it and must not
/// act on it, other than by trying again later.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// No board of this name is paired with the relay, or its key is another one.
    UnknownBoard,
    /// The relay does not speak the version of the board.
    Version {
        /// The lowest version that it speaks.
        lowest: u8,
        /// The highest version that it speaks.
        highest: u8,
    },
    /// Not now.
    Busy,
    /// A reason that this version has no name for.
    Other(u8),
}

impl Refusal {
    const UNKNOWN_BOARD: u8 = 1;
    const VERSION: u8 = 2;
    const BUSY: u8 = 3;

    /// The frame that says it. All versions write it alike, so that a board of any version can read it.
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
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownBoard => f.write_str("the relay does not know this board"),
            Self::Version { lowest, highest } => {
                write!(f, "the relay speaks versions {lowest} to {highest} of the link, and the board {VERSION}")
            }
            Self::Busy => f.write_str("the relay cannot take the board now"),
            Self::Other(code) => write!(f, "the relay refuses for reason {code}"),
        }
    }
}

impl Error for Refusal {}

/// What both sides know before the handshake.
pub(super) fn prologue(board: BoardId) -> [u8; PROLOGUE_LEN] {
    join(&[VERSION], &board.0)
}

/// The first frame of a board.
pub(super) fn knock_frame(board: BoardId, noise: &[u8; NOISE_LEN]) -> [u8; KNOCK_LEN] {
    join(&prologue(board), noise)
}

/// The frame that lets a board in.
pub(super) fn answer_frame(noise: &[u8; NOISE_LEN]) -> [u8; ANSWER_LEN] {
    join(&[VERSION, ACCEPTED], noise)
}

/// Two parts, one behind the other.
pub(super) fn join<const N: usize>(first: &[u8], second: &[u8]) -> [u8; N] {
    let mut frame = [0; N];
    for (slot, byte) in frame.iter_mut().zip(first.iter().chain(second)) {
        *slot = *byte;
    }
    frame
}

/// What the answer of a relay is.
pub(super) enum Answer<'a> {
    Accepted { version: u8, noise: &'a [u8] },
    Refused(Refusal),
}

/// Reads an answer, if it has the bytes that every version has.
pub(super) const fn read_answer(frame: &[u8]) -> Option<Answer<'_>> {
    Some(match *frame {
        [version, ACCEPTED, ref noise @ ..] => Answer::Accepted { version, noise },
        [_, Refusal::UNKNOWN_BOARD, _, _] => Answer::Refused(Refusal::UnknownBoard),
        [_, Refusal::VERSION, lowest, highest] => Answer::Refused(Refusal::Version { lowest, highest }),
        [_, Refusal::BUSY, _, _] => Answer::Refused(Refusal::Busy),
        [_, code, _, _] => Answer::Refused(Refusal::Other(code)),
        _ => return None,
    })
}
