use chess::{Game, PlayError, Position, Scoresheet};

use super::decode_error::{DecodeError, DecodeErrorKind};
use super::header::header_bytes;
use super::piece_tracker::PieceTracker;
use super::set_up::set_up;
use super::state_view::StateView;
use super::{CAPTURED, MAX_HEADER, history};

/// Incremental decoder: reads a game state that arrives in chunks of any length.
///
/// It performs the checks of [`decode`](super::decode()), which is built on it, and buffers only the header, at most
/// 99 bytes. Moves are played as they arrive, so the game is valid only after [`Decoder::finish`] returned `Ok`.
#[derive(Clone, Debug)]
pub struct Decoder {
    /// The first `header_len` bytes have arrived.
    header: [u8; MAX_HEADER],
    header_len: usize,
    /// The first `partial_len` bytes of an incomplete move.
    partial: [u8; history::MAX_MOVE],
    partial_len: usize,
    /// Offset of that move.
    offset: usize,
    part: Part,
    tracker: PieceTracker,
}

/// The part of the state that the next byte belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Header,
    /// The header is complete and no move has arrived: the state may still be a set-up position.
    FirstMove,
    Moves,
    /// Moves from another start position, sent without a header: there is no header to compare with.
    BareMoves,
}

impl Decoder {
    /// Starts decoding, and restarts `game`: a device has no memory for a second game.
    #[must_use]
    pub fn new(game: &mut Game<impl Scoresheet>) -> Self {
        Self::begin(game, Position::start(), Part::Header)
    }

    /// Decodes moves without a header, from a known position. Offsets in errors count from the first move.
    #[must_use]
    pub fn of_moves(game: &mut Game<impl Scoresheet>, start: Position) -> Self {
        Self::begin(game, start, Part::BareMoves)
    }

    fn begin(game: &mut Game<impl Scoresheet>, start: Position, part: Part) -> Self {
        game.restart(start);
        Self {
            header: [0; MAX_HEADER],
            header_len: 0,
            partial: [0; history::MAX_MOVE],
            partial_len: 0,
            offset: 0,
            part,
            tracker: PieceTracker::of_start(&start),
        }
    }

    /// Decodes the next bytes. An error restarts the game and is final.
    pub fn feed(&mut self, bytes: &[u8], game: &mut Game<impl Scoresheet>) -> Result<(), DecodeError> {
        let result = bytes.iter().try_for_each(|&byte| match self.part {
            Part::Header => self.feed_header(byte),
            Part::FirstMove | Part::Moves | Part::BareMoves => self.feed_move(byte, game),
        });
        or_restart(result, game)
    }

    /// Ends the input and compares the header with the game. An error restarts the game.
    pub fn finish(mut self, game: &mut Game<impl Scoresheet>) -> Result<(), DecodeError> {
        let result = self.check(game);
        or_restart(result, game)
    }

    fn check(&mut self, game: &mut Game<impl Scoresheet>) -> Result<(), DecodeError> {
        if self.partial_len > 0 {
            let offset = self.offset.saturating_add(self.partial_len);
            return Err(DecodeError { offset, kind: DecodeErrorKind::EndsInMove });
        }
        match self.part {
            Part::BareMoves => return Ok(()),
            Part::Moves => {}
            // A state without moves may be a set-up position. Reading an incomplete header returns the error.
            Part::Header | Part::FirstMove => self.tracker = set_up(&StateView::read(self.header())?, game)?,
        }
        compare(self.header(), game.position(), &self.tracker)
    }

    fn header(&self) -> &[u8] {
        self.header.get(..self.header_len).unwrap_or(&self.header)
    }

    fn feed_header(&mut self, byte: u8) -> Result<(), DecodeError> {
        // The slot always exists: a full header is read below, and is then either complete or an error.
        if let Some(slot) = self.header.get_mut(self.header_len) {
            *slot = byte;
        }
        let is_end = self.header_len >= CAPTURED && byte == 0;
        self.header_len = self.header_len.saturating_add(1);
        if is_end || self.header_len >= MAX_HEADER {
            StateView::read(self.header())?;
            self.part = Part::FirstMove;
            self.offset = self.header_len;
        }
        Ok(())
    }

    fn feed_move(&mut self, byte: u8, game: &mut Game<impl Scoresheet>) -> Result<(), DecodeError> {
        if self.part == Part::FirstMove {
            self.part = Part::Moves;
        }
        // The slot always exists: three bytes are a complete move or an error.
        if let Some(slot) = self.partial.get_mut(self.partial_len) {
            *slot = byte;
        }
        self.partial_len = self.partial_len.saturating_add(1);
        let mv = match history::read(self.partial.get(..self.partial_len).unwrap_or(&self.partial)) {
            Ok((mv, _)) => mv,
            Err((_, DecodeErrorKind::EndsInMove)) => return Ok(()),
            Err((before, kind)) => return Err(DecodeError { offset: self.offset.saturating_add(before), kind }),
        };
        let before = *game.position();
        game.play(mv).map_err(|error| DecodeError {
            offset: self.offset,
            kind: match error {
                PlayError::Over(outcome) => DecodeErrorKind::Over(outcome),
                PlayError::Illegal(_) => DecodeErrorKind::Illegal(mv),
                PlayError::Full => DecodeErrorKind::TooLong,
            },
        })?;
        self.tracker.apply(&before, mv);
        self.offset = self.offset.saturating_add(self.partial_len);
        self.partial_len = 0;
        Ok(())
    }
}

/// Restarts the game on an error, so that the caller never keeps a partly decoded game.
fn or_restart(result: Result<(), DecodeError>, game: &mut Game<impl Scoresheet>) -> Result<(), DecodeError> {
    if result.is_err() {
        game.restart(Position::start());
    }
    result
}

/// Compares the header with the one that the game would be encoded with.
///
/// Lists of captured pieces of different lengths differ too: one has its 0 where the other has a piece.
fn compare(header: &[u8], position: &Position, tracker: &PieceTracker) -> Result<(), DecodeError> {
    let mut pairs = header.iter().copied().zip(header_bytes(position, tracker)).enumerate();
    match pairs.find(|(_, (found, expected))| found != expected) {
        Some((offset, (found, expected))) => {
            Err(DecodeError { offset, kind: DecodeErrorKind::Mismatch { found, expected } })
        }
        None => Ok(()),
    }
}
