//! The documented game state: a whole game as a string of bytes.
//!
//! `docs/protocol.md` is the specification; this is the only place in the project that knows these offsets.
//!
//! | bytes | what |
//! |---|---|
//! | 0 | whose turn it is |
//! | 1 | who is in check |
//! | 2 | whether that is mate |
//! | 3 | the castling rights |
//! | 4 to 67 | the board, a1 first, h8 last |
//! | from 68 | the captured pieces in order, then a 0 |
//! | to the end | the moves |
//!
//! [`encode()`] writes it, [`decode()`] reads it back into a game, and [`State`] looks at the bytes that were read.
//! [`Encoder`] and [`Decoder`] do the same piece by piece, where there is no memory for all the bytes at once.
//! Everything but the moves follows from the moves, and `decode` holds the bytes to that.

mod army;
mod decode;
mod decoder;
mod encode;
mod encoder;
mod history;
mod ledger;
mod man;
mod picture;
mod refusal;
mod set_up;
mod state;

pub use decode::decode;
pub use decoder::Decoder;
pub use encode::{EncodeError, encode};
pub use encoder::Encoder;
pub use history::History;
pub(crate) use history::{promotion as promotion_of_tag, tag as promotion_tag};
pub use man::{Captured, Man};
pub use refusal::{DecodeError, Reason};
pub use state::State;

use chess::MAX_PLIES;

/// Where the four bytes about the position end and the 64 bytes of the board begin.
const BOARD: usize = 4;
/// Where the board ends and the captured pieces begin.
const CAPTURED: usize = 68;

/// Of the 32 pieces only the kings are never captured.
const MAX_CAPTURED: usize = 30;
/// Each pawn can be promoted once.
const MAX_PROMOTIONS: usize = 16;

/// No state is shorter than this: nothing captured, nothing played.
pub const MIN_LEN: usize = 69;

/// No more bytes than this stand before the moves.
const MAX_HEAD: usize = MIN_LEN + MAX_CAPTURED;

/// No state is longer than this, so a buffer of this size holds any game that [`encode()`] can write.
///
/// A move is two bytes, and a third one if it promotes. Only games from the start position have moves in the bytes, and
/// such a game has at most [`MAX_PLIES`] of them.
pub const MAX_LEN: usize = MAX_HEAD + 2 * MAX_PLIES + MAX_PROMOTIONS;

const _: () = assert!(MAX_LEN == 35_509, "the greatest length is stated in the specification");
