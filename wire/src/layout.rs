//! Encodes and decodes the documented game state: a whole game as a byte string.
//!
//! `docs/protocol.md` is the specification; no other module in the project knows these offsets.
//!
//! | bytes | content |
//! |---|---|
//! | 0 | side to move |
//! | 1 | side in check |
//! | 2 | checkmate flag |
//! | 3 | castling rights |
//! | 4 to 67 | board, a1 first, h8 last |
//! | from 68 | captured pieces in order, terminated by a 0 |
//! | to the end | moves |
//!
//! [`encode()`] writes a game, [`decode()`] reads it back, and [`StateView`] gives access to the decoded bytes.
//! [`Encoder`] and [`Decoder`] do the same incrementally, for devices without a buffer for a whole game.
//! All bytes before the moves (the header) follow from the moves, and `decode` verifies that they do.

mod decode;
mod decode_error;
mod decoder;
mod encode;
mod encoder;
mod header;
mod history;
mod piece_count;
mod piece_tracker;
mod set_up;
mod state_view;
mod tracked_piece;

pub use decode::decode;
pub use decode_error::{DecodeError, DecodeErrorKind};
pub use decoder::Decoder;
pub use encode::{EncodeError, encode};
pub use encoder::Encoder;
pub use history::History;
pub use state_view::StateView;
pub use tracked_piece::{CapturedPieces, TrackedPiece};

use chess::MAX_PLIES;

/// Offset of the 64 board bytes.
const BOARD: usize = 4;
/// Offset of the captured pieces.
const CAPTURED: usize = 68;

/// 32 pieces without the two kings.
const MAX_CAPTURED: usize = 30;
/// Each of the 16 pawns can promote once.
const MAX_PROMOTIONS: usize = 16;

/// Length of the shortest state in bytes: no captures, no moves.
pub const MIN_LEN: usize = 69;

/// Length of the longest header, which is everything before the moves.
const MAX_HEADER: usize = MIN_LEN + MAX_CAPTURED;

/// Length of the longest state in bytes. A buffer of this size holds any game that [`encode()`] can write.
///
/// A move takes two bytes, a promotion three. Only games from the start position have moves in their state, and such a
/// game has at most [`MAX_PLIES`] moves.
pub const MAX_LEN: usize = MAX_HEADER + 2 * MAX_PLIES + MAX_PROMOTIONS;

const _: () = assert!(MAX_LEN == 35_509, "docs/protocol.md states the greatest length");
