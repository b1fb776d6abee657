use chess::{Game, Move, Position, Scoresheet};

use super::encode::EncodeError;
use super::piece_tracker::PieceTracker;
use super::{header, history};

/// Incremental encoder: writes a game state in chunks of any length.
///
/// The game must not change until all bytes are written: the header describes the position after the last move.
#[derive(Clone, Debug)]
pub struct Encoder {
    /// `None` if only the moves are written.
    tracker: Option<PieceTracker>,
    len: usize,
    written: usize,
}

impl Encoder {
    /// Starts encoding a game, or fails if the state cannot hold it.
    pub fn new(game: &Game<impl Scoresheet>) -> Result<Self, EncodeError> {
        track(game.start(), game.moves()).map(|tracker| Self::begin(game, Some(tracker)))
    }

    /// Encodes the moves without a header, for a game from any start position.
    #[must_use]
    pub fn of_moves(game: &Game<impl Scoresheet>) -> Self {
        Self::begin(game, None)
    }

    fn begin(game: &Game<impl Scoresheet>, tracker: Option<PieceTracker>) -> Self {
        let mut encoder = Self { tracker, len: 0, written: 0 };
        encoder.len = encoder.bytes(game.position(), game.moves()).count();
        encoder
    }

    /// Number of bytes that are not yet written.
    #[must_use]
    pub const fn remaining(&self) -> usize {
        self.len.saturating_sub(self.written)
    }

    /// Writes as many of the remaining bytes as the buffer holds, and returns their number.
    pub fn write(&mut self, game: &Game<impl Scoresheet>, buffer: &mut [u8]) -> usize {
        self.write_bytes(game.position(), game.moves(), buffer)
    }

    fn write_bytes(&mut self, position: &Position, moves: &[Move], buffer: &mut [u8]) -> usize {
        let before = self.written;
        let wanted = self.remaining().min(buffer.len());
        let target = buffer.iter_mut().take(wanted);
        let count = target.zip(self.bytes(position, moves).skip(before)).map(|(slot, byte)| *slot = byte).count();
        self.written = before.saturating_add(count);
        count
    }

    fn bytes<'a>(&'a self, position: &'a Position, moves: &'a [Move]) -> impl Iterator<Item = u8> + 'a {
        let header = self.tracker.iter().flat_map(|tracker| header::header_bytes(position, tracker));
        header.chain(moves.iter().copied().flat_map(history::bytes))
    }
}

/// Replays the moves of a game to find out which pieces have moved and which were captured.
fn track(start: &Position, moves: &[Move]) -> Result<PieceTracker, EncodeError> {
    let mut position = *start;
    let mut tracker = PieceTracker::of_start(&position);
    if position == Position::start() {
        for &mv in moves {
            tracker.apply(&position, mv);
            // The fallback is unreachable: a game holds only legal moves.
            position = position.play(mv).unwrap_or(position);
        }
        return Ok(tracker);
    }
    if !moves.is_empty() {
        return Err(EncodeError::SetUpMoves);
    }
    if let Some(square) = position.en_passant() {
        return Err(EncodeError::SetUpEnPassant(square));
    }
    match (position.halfmoves(), position.fullmoves()) {
        (0, 1) => Ok(tracker),
        (0, number) => Err(EncodeError::SetUpFullmoves(number)),
        (count, _) => Err(EncodeError::SetUpHalfmoves(count)),
    }
}
