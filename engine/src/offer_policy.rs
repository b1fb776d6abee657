//! When the computer resigns, offers a draw, and accepts one.

use chess::Position;

use crate::best::{Best, Score};
use crate::level::Level;

/// What the computer offers or answers beside its move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Intent {
    /// Play on.
    Play,
    /// Resign instead of playing the move.
    Resign,
    /// Offer a draw with the move.
    OfferDraw,
}

/// Watches the scores of one game. Call [`OfferPolicy::after_search`] once for each search of the computer's own moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OfferPolicy {
    level: Level,
    /// Searches in a row with a lost and with an even score.
    lost: u8,
    even: u8,
    /// The score of the last search in centipawns.
    last: Option<i32>,
}

/// Below this level the computer plays until mate: beginners learn from giving it.
const RESIGNING_LEVEL: u8 = 5;
const LOST_CENTIPAWNS: i32 = -900;
const LOST_SEARCHES: u8 = 4;
const EVEN_CENTIPAWNS: i32 = 15;
const EVEN_SEARCHES: u8 = 10;
/// Moves before which no draw is offered.
const OFFER_MOVE: u16 = 40;
/// Moves before which a draw is accepted only in a bad position.
const ACCEPT_MOVE: u16 = 20;
const BAD_CENTIPAWNS: i32 = -150;

impl OfferPolicy {
    /// For a new game.
    #[must_use]
    pub const fn new(level: Level) -> Self {
        Self { level, lost: 0, even: 0, last: None }
    }

    /// Decides after a search of this position.
    pub fn after_search(&mut self, position: &Position, best: &Best) -> Intent {
        // A move of the list of openings has no score.
        if best.depth == 0 { Intent::Play } else { self.after_score(position, best.score()) }
    }

    /// Decides after a search of this position that has found this score for the computer, by this engine or by another one.
    pub fn after_score(&mut self, position: &Position, score: Score) -> Intent {
        let score = match score {
            Score::Centipawns(centipawns) => centipawns.into(),
            Score::Mate(moves) => {
                if moves > 0 {
                    i32::MAX
                } else {
                    i32::MIN
                }
            }
        };
        self.last = Some(score);
        self.lost = if score <= LOST_CENTIPAWNS { self.lost.saturating_add(1) } else { 0 };
        self.even = if (-EVEN_CENTIPAWNS..=EVEN_CENTIPAWNS).contains(&score) { self.even.saturating_add(1) } else { 0 };
        if self.lost >= LOST_SEARCHES && self.level.number() >= RESIGNING_LEVEL {
            Intent::Resign
        } else if self.even >= EVEN_SEARCHES && position.fullmoves() >= OFFER_MOVE {
            // The next offer needs as many even scores again.
            self.even = 0;
            Intent::OfferDraw
        } else {
            Intent::Play
        }
    }

    /// Whether the computer accepts a draw offer in this position, by the score of its last search.
    #[must_use]
    pub fn accepts_draw(&self, position: &Position) -> bool {
        self.last.is_some_and(|score| {
            score <= BAD_CENTIPAWNS || score <= EVEN_CENTIPAWNS && position.fullmoves() >= ACCEPT_MOVE
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::MATE;

    fn best(value: i32) -> Best {
        Best { value, depth: 5, ..Best::NONE }
    }

    fn position(fullmoves: u16) -> Position {
        std::format!("4k3/8/8/8/8/8/4P3/4K3 w - - 0 {fullmoves}").parse().expect("a position")
    }

    #[test]
    fn resigns_only_after_several_lost_scores() {
        let mut policy = OfferPolicy::new(Level::FULL);
        let intents = [-950, -950, -300, -950, -MATE + 4, -1200, -2000]
            .map(|value| policy.after_search(&position(30), &best(value)));
        assert_eq!(intents.iter().filter(|&&intent| intent == Intent::Resign).count(), 1);
        assert_eq!(intents[6], Intent::Resign);
    }

    #[test]
    fn a_weak_level_plays_until_mate() {
        let mut policy = OfferPolicy::new(Level::WEAKEST);
        assert!((0..40).all(|_| policy.after_search(&position(60), &best(-3000)) == Intent::Play));
    }

    #[test]
    fn offers_a_draw_in_a_long_even_game_and_not_with_every_move() {
        let mut policy = OfferPolicy::new(Level::FULL);
        assert!((0..30).all(|_| policy.after_search(&position(20), &best(3)) == Intent::Play));
        let mut policy = OfferPolicy::new(Level::FULL);
        let offers = (0..20).filter(|_| policy.after_search(&position(50), &best(-3)) == Intent::OfferDraw).count();
        assert_eq!(offers, 2);
    }

    #[test]
    fn accepts_a_draw_only_without_an_advantage() {
        for (value, move_number, accepts) in
            [(0, 30, true), (0, 5, false), (-200, 5, true), (60, 80, false), (-20, 25, true)]
        {
            let mut policy = OfferPolicy::new(Level::FULL);
            assert!(!policy.accepts_draw(&position(move_number)), "nothing was searched yet");
            policy.after_search(&position(move_number), &best(value));
            assert_eq!(policy.accepts_draw(&position(move_number)), accepts, "{value} {move_number}");
        }
    }
}
