//! At the start of a game with a remote opponent the lights show which side is played at the board. Sides change with each rematch, and pieces
//! cannot tell.

use chess::{Bitboard, Color};
use wire::link::Seat;

use super::Referee;
use crate::time::Instant;

/// How long the own side is lit, in milliseconds: two periods of its rhythm.
const SHOWN: u64 = 4_000;

/// Whether the own side is lit.
#[derive(Clone, Copy, Debug)]
pub(super) enum OwnSide {
    NotShown,
    /// As soon as the pieces stand in the start position.
    Due,
    Until(Instant),
}

impl Referee {
    /// A game has just started. A game that is only loaded again is not announced.
    pub(crate) fn announce_game(&mut self, now: Instant) {
        if self.play.is_empty() && self.play.verdict().is_none() {
            self.own_side = OwnSide::Due;
            self.show_own_side(now);
        }
    }

    /// Called after every change of the game.
    pub(super) fn show_own_side(&mut self, now: Instant) {
        if !self.play.is_empty() || self.play.verdict().is_some() {
            self.own_side = OwnSide::NotShown;
        } else if matches!(self.own_side, OwnSide::Due) && self.arranged {
            self.own_side = OwnSide::Until(now.after(SHOWN));
        }
    }

    /// Until when the own side is lit, if it is.
    pub(super) fn own_side_until(&self) -> Option<Instant> {
        match self.own_side {
            OwnSide::Until(until) => Some(until),
            OwnSide::NotShown | OwnSide::Due => None,
        }
    }

    /// The only side that is played at the board.
    pub(super) const fn own_color(&self) -> Option<Color> {
        match self.seat {
            Seat::White => Some(Color::White),
            Seat::Black => Some(Color::Black),
            Seat::Both | Seat::Neither => None,
        }
    }

    /// The squares of the pieces that the player at the board moves.
    pub(super) fn own_pieces(&self) -> Bitboard {
        self.own_color().map_or(Bitboard::EMPTY, |color| self.play.turn().of(color))
    }
}
