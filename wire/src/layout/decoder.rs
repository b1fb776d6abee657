use chess::{Game, PlayError, Position, Scoresheet};

use super::ledger::Ledger;
use super::picture::picture;
use super::refusal::{DecodeError, Reason};
use super::set_up::set_up;
use super::state::State;
use super::{CAPTURED, MAX_HEAD, history};

/// Reads a game state that comes in pieces, of any lengths, into a game.
///
/// It judges exactly as [`decode`](super::decode()) does, which is built on it, and needs no buffer for the whole: it
/// keeps the bytes before the moves, of which there are at most 99, and plays the moves as they come. So the game is
/// only to be believed once [`Decoder::finish`] has said so.
#[derive(Clone, Debug)]
pub struct Decoder {
    /// The bytes before the moves, as far as they have come.
    head: [u8; MAX_HEAD],
    len: usize,
    /// What has come of a move that is not complete.
    begun: [u8; history::MAX_MOVE],
    begun_len: usize,
    /// How many bytes stand before that move.
    offset: usize,
    part: Part,
    ledger: Ledger,
}

/// What the next byte belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    /// The bytes before the moves.
    Head,
    /// The moves of a game from the start position, of which the first has not come yet.
    FirstMove,
    /// The moves.
    Moves,
    /// The moves of a game from elsewhere, which came without a head: there is nothing to hold them against.
    BareMoves,
}

impl Decoder {
    /// Before the first byte. What was in the game is gone from here on: a game is too big to have a second one beside
    /// it on a small machine.
    #[must_use]
    pub fn new(game: &mut Game<impl Scoresheet>) -> Self {
        Self::begin(game, Position::start(), Part::Head)
    }

    /// For the moves alone, from a position that is known already. Their offsets count from the first of them.
    #[must_use]
    pub fn of_moves(game: &mut Game<impl Scoresheet>, start: Position) -> Self {
        Self::begin(game, start, Part::BareMoves)
    }

    fn begin(game: &mut Game<impl Scoresheet>, start: Position, part: Part) -> Self {
        game.restart(start);
        Self {
            head: [0; MAX_HEAD],
            len: 0,
            begun: [0; history::MAX_MOVE],
            begun_len: 0,
            offset: 0,
            part,
            ledger: Ledger::of_start(&start),
        }
    }

    /// Takes the next bytes. If they are refused, the game is a new one, and there is no going on.
    pub fn feed(&mut self, bytes: &[u8], game: &mut Game<impl Scoresheet>) -> Result<(), DecodeError> {
        let taken = bytes.iter().try_for_each(|&byte| match self.part {
            Part::Head => self.take_head(byte),
            Part::FirstMove | Part::Moves | Part::BareMoves => self.take_move(byte, game),
        });
        or_restart(taken, game)
    }

    /// There are no more bytes: checks all of those before the moves against the game. If they are refused, the game is
    /// a new one.
    pub fn finish(mut self, game: &mut Game<impl Scoresheet>) -> Result<(), DecodeError> {
        let result = self.check(game);
        or_restart(result, game)
    }

    fn check(&mut self, game: &mut Game<impl Scoresheet>) -> Result<(), DecodeError> {
        if self.begun_len > 0 {
            let offset = self.offset.saturating_add(self.begun_len);
            return Err(DecodeError { offset, reason: Reason::EndsInMove });
        }
        match self.part {
            Part::BareMoves => return Ok(()),
            Part::Moves => {}
            // Without moves it may be a set-up position. If the head is not complete, reading it says what is missing.
            Part::Head | Part::FirstMove => self.ledger = set_up(&State::read(self.head())?, game)?,
        }
        compare(self.head(), game.position(), &self.ledger)
    }

    fn head(&self) -> &[u8] {
        self.head.get(..self.len).unwrap_or(&self.head)
    }

    fn take_head(&mut self, byte: u8) -> Result<(), DecodeError> {
        // There is a slot for it: a head that is full is read, and then it is either complete or refused.
        if let Some(slot) = self.head.get_mut(self.len) {
            *slot = byte;
        }
        let is_end = self.len >= CAPTURED && byte == 0;
        self.len = self.len.saturating_add(1);
        if is_end || self.len >= MAX_HEAD {
            State::read(self.head())?;
            self.part = Part::FirstMove;
            self.offset = self.len;
        }
        Ok(())
    }

    fn take_move(&mut self, byte: u8, game: &mut Game<impl Scoresheet>) -> Result<(), DecodeError> {
        if self.part == Part::FirstMove {
            self.part = Part::Moves;
        }
        // There is a slot for it: three bytes are a move or are refused.
        if let Some(slot) = self.begun.get_mut(self.begun_len) {
            *slot = byte;
        }
        self.begun_len = self.begun_len.saturating_add(1);
        let mv = match history::read(self.begun.get(..self.begun_len).unwrap_or(&self.begun)) {
            Ok((mv, _)) => mv,
            Err((_, Reason::EndsInMove)) => return Ok(()),
            Err((before, reason)) => return Err(DecodeError { offset: self.offset.saturating_add(before), reason }),
        };
        let before = *game.position();
        game.play(mv).map_err(|error| DecodeError {
            offset: self.offset,
            reason: match error {
                PlayError::Over(outcome) => Reason::Over(outcome),
                PlayError::Illegal(_) => Reason::Illegal(mv),
                PlayError::Full => Reason::TooLong,
            },
        })?;
        self.ledger.record(&before, mv);
        self.offset = self.offset.saturating_add(self.begun_len);
        self.begun_len = 0;
        Ok(())
    }
}

/// Whoever is refused is left with a new game, and not with half of a bad one.
fn or_restart(result: Result<(), DecodeError>, game: &mut Game<impl Scoresheet>) -> Result<(), DecodeError> {
    if result.is_err() {
        game.restart(Position::start());
    }
    result
}

/// Holds all bytes before the moves against those that the game would be written with.
///
/// The lists of captured men need not be of the same length: one of them has its 0 where the other has a man.
fn compare(head: &[u8], position: &Position, ledger: &Ledger) -> Result<(), DecodeError> {
    let mut pairs = head.iter().copied().zip(picture(position, ledger)).enumerate();
    match pairs.find(|(_, (found, expected))| found != expected) {
        Some((offset, (found, expected))) => {
            Err(DecodeError { offset, reason: Reason::Contradiction { found, expected } })
        }
        None => Ok(()),
    }
}
