//! A promotion is chosen by tapping one of several squares.

use chess::{Bitboard, File, Rank, Square};
use rules::Ply;

use super::evaluate::Evaluation;
use super::reading::{Reading, Stance};
use super::{Hand, Looking, View};
use crate::time::Instant;

/// The squares on which the four choices of a promotion in chess are offered, in the order of
/// [`Situation::choices`](rules::Situation::choices): the pawn's own square, where most players put a queen at once, and those behind it.
#[must_use = "iterators are lazy"]
pub fn promotion_squares(to: Square) -> impl DoubleEndedIterator<Item = Square> {
    choice_squares(to, 4)
}

/// The squares on which the choices of a promotion are offered: the pawn's file from its square on, and then the file beside it, on the
/// side of the centre.
#[must_use = "iterators are lazy"]
pub fn choice_squares(to: Square, choices: u8) -> impl DoubleEndedIterator<Item = Square> {
    let from_the_top = to.rank() == Rank::Eighth;
    (0..choices).map(move |number| {
        let (rank, file) = (to.rank().index(), to.file().index());
        let steps = number & 7;
        let rank = if from_the_top { rank.wrapping_sub(steps) } else { rank.wrapping_add(steps) };
        let file = match number {
            ..8 => file,
            _ if file < 4 => file.wrapping_add(1),
            _ => file.wrapping_sub(1),
        };
        Square::new(File::from_index(file), Rank::from_index(rank & 7))
    })
}

/// A promotion that waits for its choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Choice {
    from: Square,
    to: Square,
    /// How many choices there are.
    count: u8,
    /// What was occupied when the pawn arrived.
    arrived: Bitboard,
    since: Instant,
    /// The square that was tapped last, the choice that it stands for, and when it was tapped.
    chosen: Option<(Square, u8, Instant)>,
}

impl Hand {
    /// The pawn stands on its last square: waits for a tap on one of the offered squares, that is a lift and a place in either
    /// order. There is no default and no timeout. A tap takes as long as a hand needs: a pawn that wobbles when it lands, or a
    /// magnet that flickers, chooses nothing. The choice rests, and another square can be tapped meanwhile: a pawn that is put straight
    /// looks like a tap of its own square.
    pub(super) fn evaluate_promotion(&mut self, ply: Ply, view: &View<'_>, now: Instant) -> Evaluation {
        let (from, to) = (ply.from(), ply.to());
        let same = |choice: &Choice| (choice.from, choice.to) == (from, to);
        // A pawn that stood on its last square and taps an offered one leaves its own: that is no promotion elsewhere.
        let stood = |choice: Choice| self.trail.lift_of(choice.to).since(choice.since) >= self.settings.rest;
        if self.choosing.is_some_and(|choice| !same(&choice) && stood(choice))
            && let Some(stance) = self.still_choosing()
        {
            return Evaluation::Not(stance);
        }
        let choices = view.here.here.choices(ply);
        // No ply has more than 15 choices.
        let count = choices.len() as u8;
        let new = Choice { from, to, count, arrived: self.occupied, since: now, chosen: None };
        let asked = self.choosing.filter(same).unwrap_or(new);
        let is_tapped = |square: Square| self.is_tapped(square, asked.arrived, asked.since);
        // The pawn itself may have been used to tap another square, and then its own square was tapped as well. If the other tap
        // was too short to count, nothing is chosen.
        let brushed = |square: Square| !asked.arrived.has(square) && self.trail.placed_while_empty(square, to);
        let is_meant = |square: Square| is_tapped(square) && (square != to || !choice_squares(to, count).any(brushed));
        let offered = choice_squares(to, count).zip(choices.iter().copied());
        let tapped = offered
            .filter(|(square, _)| is_meant(*square))
            .map(|(square, choice)| (square, choice, self.trail.touch_of(square)))
            .max_by_key(|(_, _, at)| *at);
        // A choice stays until another square is tapped, even if reeds flicker meanwhile.
        let is_later = |at: Instant| asked.chosen.is_none_or(|(_, _, before)| at > before);
        let tapped = tapped.filter(|(_, _, at)| is_later(*at)).or(asked.chosen);
        self.choosing = Some(Choice { chosen: tapped, ..asked });
        match tapped {
            Some((_, choice, _)) => Evaluation::Read(Reading::Moved(ply.choosing(choice)), self.rests().choice),
            None => Evaluation::Not(Stance::Choosing { to }),
        }
    }

    /// A promotion whose choice rests, if these lifts confirm it: the opponent has begun to answer, on a square that no choice stands for.
    pub(super) fn confirmed_choice(&self, lifted: Bitboard, view: &View<'_>) -> Option<Reading> {
        let Choice { to, count, .. } = self.choosing?;
        let waiting = self.waiting.filter(|waiting| waiting.unsupported_since.is_none())?;
        let (Reading::Moved(promotion) | Reading::MovedTwice(_, promotion)) = waiting.reading else { return None };
        let offered: Bitboard = choice_squares(to, count).collect();
        let turn = view.here.turn();
        let opponent = match waiting.reading {
            Reading::MovedTwice(..) => turn.own(),
            _ => turn.of(!turn.to_move),
        };
        let is_answer = self.surely_lifted(lifted & opponent, waiting.read_at).without(offered).any();
        (self.looking == Looking::ForMoves && promotion.choice() != 0 && is_answer).then_some(waiting.reading)
    }

    /// The choice that was made of the promotion to a square, if it rests.
    pub(super) fn chosen(&self, ply: Ply) -> bool {
        self.choosing.is_some_and(|choice| {
            (choice.from, choice.to) == (ply.from(), ply.to())
                && choice.chosen.is_some_and(|(_, chosen, _)| chosen == ply.choice())
        })
    }

    /// Whether a promotion was chosen by tapping the pawn on its last square.
    pub(super) fn has_tapped_itself(&self, to: Square) -> bool {
        self.choosing.is_some_and(|choice| choice.to == to && choice.chosen.is_some_and(|(tapped, ..)| tapped == to))
    }

    /// Whether the choice of this promotion is pending, and nothing but its pieces is on the board.
    pub(super) fn is_chosen_now(&self, ply: Ply) -> bool {
        self.choosing.is_some_and(|choice| {
            ply.choice() != 0 && (choice.from, choice.to) == (ply.from(), ply.to()) && choice.arrived == self.occupied
        })
    }

    /// Whether a promotion is pending and nothing has changed since the pawn arrived but on the offered squares: then one of them
    /// is being tapped, and the choice stays open.
    pub(super) fn still_choosing(&self) -> Option<Stance> {
        let Choice { to, count, arrived, chosen, .. } = self.choosing?;
        let squares: Bitboard = choice_squares(to, count).collect();
        let stance = match chosen {
            Some((square, ..)) if self.occupied == arrived => Stance::Chosen { to, square },
            _ => Stance::Choosing { to },
        };
        (self.occupied ^ arrived).without(squares).is_empty().then_some(stance)
    }
}
