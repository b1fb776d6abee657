//! Questions to the engine, which runs outside of the core: in a task of low priority, or in a thread.
//!
//! The referee says what it would like to know ([`WantedSearch`]), as a function of its state. When that changes, a question with a new
//! number goes out, and an answer to an older one is dropped. So nothing has to cancel a search by hand.

use arrayvec::ArrayVec;
use chess::{FixedSheet, Game, Key, Move, Position};
use engine::{Best, Engine, Level, Limits, Score, StartError};

/// The most moves of a question: no position repeats over more.
pub const MAX_QUESTION_MOVES: usize = 150;

/// A search of one position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// Numbers the questions. The answer repeats it.
    pub id: u32,
    /// The position at the start of the game, or after a move that cannot be undone.
    pub start: Position,
    /// The moves since then.
    pub moves: ArrayVec<Move, MAX_QUESTION_MOVES>,
    /// How strong the answer is.
    pub level: Level,
    /// Decides among openings and nearly equal moves.
    pub seed: u64,
    /// When the search ends.
    pub limits: Limits,
}

impl Question {
    fn new(id: u32, wanted: &WantedSearch, game: &Game<FixedSheet>, limits: Limits) -> Self {
        let all = (*game.start(), game.moves());
        // The list of openings needs the moves from the start.
        let (start, since) = if all.1.len() <= MAX_QUESTION_MOVES { all } else { game.reversible() };
        let mut moves = ArrayVec::new();
        // Both lists are short enough.
        let _ = moves.try_extend_from_slice(since);
        Self { id, start, moves, level: wanted.level, seed: wanted.seed, limits }
    }

    /// Starts the search. Replaying the moves takes some milliseconds on a device.
    pub fn start(&self, engine: &mut Engine<'_>) -> Result<(), StartError> {
        engine.set_level(self.level);
        engine.set_seed(self.seed);
        engine.start(&self.start, &self.moves, self.limits)
    }

    /// The answer to this question.
    #[must_use]
    pub fn answer(&self, best: &Best) -> SearchResult {
        // A move of the list of openings has no score.
        SearchResult { id: self.id, mv: best.mv, score: (best.depth > 0).then(|| best.score()) }
    }
}

/// What to do with the engine.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::large_enum_variant, reason = "there is no allocator to box it with, and it is moved twice per ply")]
pub enum ThinkCommand {
    /// Give up the search in progress, if there is one, and start this one. Its result is [`Input::SearchResult`](crate::Input::SearchResult).
    Start(Question),
    /// Give up the search in progress. A result that is on its way already is dropped.
    Cancel,
}

/// The answer to a [`Question`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchResult {
    /// The number of the question.
    pub id: u32,
    /// The best move.
    pub mv: Move,
    /// Its score for the side to move, if the position was searched.
    pub score: Option<Score>,
}

/// What the answer is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// The computer plays it.
    Move,
    /// It is shown to the player.
    Hint,
}

/// What the referee would like to know: the best move of its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WantedSearch {
    pub(crate) purpose: Purpose,
    /// Identifies the position.
    pub(crate) key: Key,
    pub(crate) plies: usize,
    pub(crate) level: Level,
    pub(crate) seed: u64,
}

impl WantedSearch {
    /// What the answer is for.
    #[must_use]
    pub const fn purpose(&self) -> Purpose {
        self.purpose
    }
}

/// The question in progress.
#[derive(Clone, Debug, Default)]
pub(crate) struct Thinking {
    last_id: u32,
    asked: Option<OpenQuestion>,
}

#[derive(Clone, Debug)]
struct OpenQuestion {
    wanted: WantedSearch,
    is_answered: bool,
}

impl Thinking {
    /// The command that follows from the search that the referee wants.
    pub(crate) fn command(
        &mut self,
        wanted: Option<WantedSearch>,
        game: Option<&Game<FixedSheet>>,
        limits: impl FnOnce() -> Limits,
    ) -> Option<ThinkCommand> {
        match (wanted.zip(game), &self.asked) {
            (Some((wanted, _)), Some(asked)) if asked.wanted == wanted => None,
            (Some((wanted, game)), _) => {
                self.last_id = self.last_id.wrapping_add(1);
                self.asked = Some(OpenQuestion { wanted, is_answered: false });
                Some(ThinkCommand::Start(Question::new(self.last_id, &wanted, game, limits())))
            }
            (None, _) => {
                let asked = self.asked.take()?;
                (!asked.is_answered).then_some(ThinkCommand::Cancel)
            }
        }
    }

    /// The search that this answer belongs to; nothing if the question is outdated.
    pub(crate) fn accept(&mut self, id: u32) -> Option<WantedSearch> {
        let asked = self.asked.as_mut().filter(|asked| id == self.last_id && !asked.is_answered)?;
        asked.is_answered = true;
        Some(asked.wanted)
    }
}

#[cfg(test)]
mod tests {
    use std::boxed::Box;

    use super::*;

    fn play(game: &mut Game<FixedSheet>, moves: &str) {
        for text in moves.split(' ') {
            game.play(text.parse().expect(text)).expect(text);
        }
    }

    #[test]
    fn a_question_has_all_moves_or_else_those_since_the_last_irreversible_one() {
        let mut game = Box::new(Game::new());
        let key = game.position().key();
        let wanted = WantedSearch { purpose: Purpose::Move, key, plies: 0, level: Level::FULL, seed: 0 };
        for steps in ["2376", "3465"] {
            let [one, two, seven, six] = [0, 1, 2, 3].map(|index| &steps[index..=index]);
            for file in ["a", "b", "c", "d", "e", "h"] {
                for _ in 0..3 {
                    play(&mut game, "g1f3 g8f6 f3g1 f6g8");
                }
                let question = Question::new(1, &wanted, &game, Limits::default());
                if game.moves().len() <= MAX_QUESTION_MOVES {
                    assert_eq!((question.start, &question.moves[..]), (Position::start(), game.moves()));
                } else {
                    assert_eq!(&question.moves[..], &game.moves()[game.moves().len() - 12..]);
                }
                let end = question.moves.iter().fold(question.start, |position, &mv| position.after(mv));
                assert_eq!(end, *game.position());
                play(&mut game, &std::format!("{file}{one}{file}{two} {file}{seven}{file}{six}"));
            }
        }
        assert!(game.moves().len() > MAX_QUESTION_MOVES);
    }
}
