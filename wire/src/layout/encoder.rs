use chess::{Game, Move, Position, Scoresheet};

use super::encode::EncodeError;
use super::ledger::Ledger;
use super::{history, picture};

/// Writes a game state in pieces, of whatever lengths, for those who have no buffer for the whole.
///
/// The game has to stay as it is until all is written: its bytes begin with the position that its moves lead to.
#[derive(Clone, Debug)]
pub struct Encoder {
    /// Who has moved and who is gone; nothing if only the moves are written.
    ledger: Option<Ledger>,
    len: usize,
    written: usize,
}

impl Encoder {
    /// Before the first byte of this game, if it can be written.
    pub fn new(game: &Game<impl Scoresheet>) -> Result<Self, EncodeError> {
        past(game.start(), game.moves()).map(|ledger| Self::begin(game, Some(ledger)))
    }

    /// For the moves alone, which can be written wherever the game began.
    #[must_use]
    pub fn of_moves(game: &Game<impl Scoresheet>) -> Self {
        Self::begin(game, None)
    }

    fn begin(game: &Game<impl Scoresheet>, ledger: Option<Ledger>) -> Self {
        let mut encoder = Self { ledger, len: 0, written: 0 };
        encoder.len = encoder.bytes(game.position(), game.moves()).count();
        encoder
    }

    /// How many bytes are left to be written.
    #[must_use]
    pub const fn remaining(&self) -> usize {
        self.len.saturating_sub(self.written)
    }

    /// Writes the next bytes, as many as there are or as fit in, and returns how many they were.
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
        let head = self.ledger.iter().flat_map(|ledger| picture::picture(position, ledger));
        head.chain(moves.iter().copied().flat_map(history::bytes))
    }
}

/// Follows the moves of a game to find out who has moved and who is gone.
fn past(start: &Position, moves: &[Move]) -> Result<Ledger, EncodeError> {
    let mut position = *start;
    let mut ledger = Ledger::of_start(&position);
    if position == Position::start() {
        for &mv in moves {
            ledger.record(&position, mv);
            // Never the old position again: a game only keeps moves that were legal.
            position = position.play(mv).unwrap_or(position);
        }
        return Ok(ledger);
    }
    if !moves.is_empty() {
        return Err(EncodeError::SetUpMoves);
    }
    if let Some(square) = position.en_passant() {
        return Err(EncodeError::SetUpEnPassant(square));
    }
    match (position.halfmoves(), position.fullmoves()) {
        (0, 1) => Ok(ledger),
        (0, number) => Err(EncodeError::SetUpFullmoves(number)),
        (count, _) => Err(EncodeError::SetUpHalfmoves(count)),
    }
}
