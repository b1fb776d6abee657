//! Every legal move of a position, found without trying one out.
//!
//! First the king's surroundings are surveyed: who gives check, who is pinned on which line. Then each piece gets the
//! set of squares it may go to, and pawns, who all step alike, get theirs together.

use crate::attacks::{self, LINES, along, along_rank};
use crate::bitboard::Bitboard;
use crate::castling::{Castling, CastlingSide};
use crate::color::Color;
use crate::legal::{LegalMoves, PawnStep};
use crate::piece::Role;
use crate::position::Position;
use crate::square::{Rank, Square};

impl Position {
    /// Every legal move, as the set of squares that each piece may go to.
    #[must_use]
    pub fn legal(&self) -> LegalMoves {
        let mut legal = LegalMoves::none(self.turn);
        self.generate(&mut legal);
        legal
    }

    /// One copy of this is enough in flash: it is the biggest function of all, and its caller does little else.
    #[inline(never)]
    fn generate(&self, legal: &mut LegalMoves) {
        let survey = Survey::of(self);
        self.king_moves(&survey, legal);
        // Only the king can answer two checks at once.
        if !survey.checkers.several() {
            // Where a piece other than the king may go: not on an own piece; in check, between or on the checker.
            let targets = survey.check_line().without(survey.ours);
            self.piece_moves(&survey, targets, legal);
            match self.turn {
                Color::White => self.pawn_moves::<true>(&survey, targets, legal),
                Color::Black => self.pawn_moves::<false>(&survey, targets, legal),
            }
        }
    }

    #[inline]
    fn king_moves(&self, survey: &Survey<'_>, legal: &mut LegalMoves) {
        let us = self.turn;
        let theirs = survey.theirs;
        let mut guarded = attacks::pawns(us.other(), self.of_role(Role::Pawn) & theirs)
            | attacks::king((self.of_role(Role::King) & theirs).lowest());
        for knight in self.of_role(Role::Knight) & theirs {
            guarded |= attacks::knight(knight);
        }
        let mut safe = attacks::king(survey.king).without(survey.ours | guarded);
        for square in safe {
            if survey.slider_hits(square) {
                safe ^= Bitboard::of(square);
            }
        }
        let mut castles = Bitboard::EMPTY;
        if !self.castling.is_empty() && survey.checkers.is_empty() {
            for side in CastlingSide::ALL {
                let way = Castling::of(us, side);
                // The square that the king passes is next to it, so it is known already whether it is safe there.
                if self.castling.has(us, side)
                    && (survey.occupied & way.between).is_empty()
                    && safe.has(way.rook_to)
                    && !guarded.has(way.king_to)
                    && !survey.slider_hits(way.king_to)
                {
                    castles |= Bitboard::of(way.king_to);
                }
            }
        }
        legal.add(survey.king, safe | castles);
    }

    #[inline]
    fn piece_moves(&self, survey: &Survey<'_>, targets: Bitboard, legal: &mut LegalMoves) {
        // A pinned knight never has a move: each of its steps leaves the line.
        for from in (self.of_role(Role::Knight) & survey.ours).without(survey.pinned) {
            legal.add(from, attacks::knight(from) & targets);
        }
        let queens = self.of_role(Role::Queen);
        for from in self.of_role(Role::Bishop) & survey.ours {
            legal.add(from, attacks::bishop(from, survey.occupied) & targets & survey.leash(from));
        }
        for from in self.of_role(Role::Rook) & survey.ours {
            legal.add(from, attacks::rook(from, survey.occupied) & targets & survey.leash(from));
        }
        for from in queens & survey.ours {
            let reached = attacks::bishop(from, survey.occupied) | attacks::rook(from, survey.occupied);
            legal.add(from, reached & targets & survey.leash(from));
        }
    }

    #[inline]
    fn pawn_moves<const WHITE: bool>(&self, survey: &Survey<'_>, targets: Bitboard, legal: &mut LegalMoves) {
        let us = if WHITE { Color::White } else { Color::Black };
        let (up, third) = if WHITE { (8, Rank::Third) } else { (-8, Rank::Sixth) };
        let (towards_a, towards_h) = attacks::pawn_captures(us);
        let empty = !survey.occupied;
        let pawns = self.of_role(Role::Pawn) & survey.ours;

        // A pinned pawn may still go along the line of its pin: up its file, or to take on its diagonal.
        let (a_line, h_line) = if WHITE {
            (survey.pins.antidiagonal, survey.pins.diagonal)
        } else {
            (survey.pins.diagonal, survey.pins.antidiagonal)
        };
        let free = pawns.without(survey.pinned);
        let once = (free | pawns & survey.pins.file).shift(up) & empty;
        let twice = (once & Bitboard::rank(third)).shift(up) & empty;
        let takes_a = (free | pawns & a_line).without(attacks::A_FILE).shift(towards_a) & survey.theirs;
        let takes_h = (free | pawns & h_line).without(attacks::H_FILE).shift(towards_h) & survey.theirs;
        legal.set_pawns(PawnStep::Once, once & targets);
        legal.set_pawns(PawnStep::Twice, twice & targets);
        legal.set_pawns(PawnStep::TakesTowardsA, takes_a & targets);
        legal.set_pawns(PawnStep::TakesTowardsH, takes_h & targets);
        if let Some(square) = self.en_passant {
            legal.set_en_passant(self.en_passant_captures(square), square);
        }
    }
}

/// What the king of the side to move sees.
struct Survey<'a> {
    lines: &'a attacks::Lines,
    king: Square,
    ours: Bitboard,
    theirs: Bitboard,
    occupied: Bitboard,
    their_rooks: Bitboard,
    their_bishops: Bitboard,
    checkers: Bitboard,
    /// Own pieces that only stand between the king and a check, by the line on which they do.
    pins: attacks::Lines,
    /// All of them.
    pinned: Bitboard,
}

impl Survey<'static> {
    #[inline]
    fn of(position: &Position) -> Self {
        let us = position.turn;
        let ours = position.of_color(us);
        let theirs = position.of_color(us.other());
        let occupied = ours | theirs;
        let king_set = position.of_role(Role::King) & ours;
        let king = king_set.lowest();
        let lines = &LINES[king];
        let queens = position.of_role(Role::Queen);
        let their_rooks = (position.of_role(Role::Rook) | queens) & theirs;
        let their_bishops = (position.of_role(Role::Bishop) | queens) & theirs;

        let mut checkers = attacks::knight(king) & position.of_role(Role::Knight) & theirs
            | attacks::pawns(us, king_set) & position.of_role(Role::Pawn) & theirs;

        let mut look = |line: Bitboard, sliders: Bitboard, along: fn(Bitboard, Bitboard, Bitboard) -> Bitboard| {
            let snipers = line & sliders;
            // Most lines have no enemy slider on them at all.
            if snipers.is_empty() {
                return Bitboard::EMPTY;
            }
            let seen = along(line, king_set, occupied);
            checkers |= seen & snipers;
            let shields = seen & ours;
            if shields.is_empty() {
                return Bitboard::EMPTY;
            }
            let beyond = along(line, king_set, occupied ^ shields).without(seen);
            let mut pinned = Bitboard::EMPTY;
            for pinner in beyond & snipers {
                pinned |= shields & between(king_set, Bitboard::of(pinner));
            }
            pinned
        };
        let pins = attacks::Lines {
            rank: look(lines.rank, their_rooks, along_rank),
            file: look(lines.file, their_rooks, along),
            diagonal: look(lines.diagonal, their_bishops, along),
            antidiagonal: look(lines.antidiagonal, their_bishops, along),
        };
        let pinned = pins.rank | pins.file | pins.diagonal | pins.antidiagonal;
        Self { lines, king, ours, theirs, occupied, their_rooks, their_bishops, checkers, pins, pinned }
    }
}

impl Survey<'_> {
    /// Whether an enemy slider would hit the king if it went to this square.
    #[inline]
    fn slider_hits(&self, square: Square) -> bool {
        let lines = &LINES[square];
        let king = Bitboard::of(square);
        // The king does not stand in its own shadow.
        let occupied = self.occupied.without(Bitboard::of(self.king));
        let hits = |line: Bitboard, sliders: Bitboard, along: fn(Bitboard, Bitboard, Bitboard) -> Bitboard| {
            (line & sliders).any() && (along(line, king, occupied) & sliders).any()
        };
        hits(lines.rank, self.their_rooks, along_rank)
            || hits(lines.file, self.their_rooks, along)
            || hits(lines.diagonal, self.their_bishops, along)
            || hits(lines.antidiagonal, self.their_bishops, along)
    }

    /// The squares on which a piece other than the king answers the one check there is; all of them if there is none.
    #[inline]
    fn check_line(&self) -> Bitboard {
        if self.checkers.is_empty() {
            return Bitboard::ALL;
        }
        let checker = self.checkers.lowest_bit();
        let line = [self.lines.rank, self.lines.file, self.lines.diagonal, self.lines.antidiagonal]
            .into_iter()
            .find(|line| (*line & checker).any())
            .unwrap_or(Bitboard::EMPTY);
        line & between(Bitboard::of(self.king), checker) | checker
    }

    /// Where a piece may go without leaving its king in check: along its pin, or anywhere if it has none.
    #[inline]
    fn leash(&self, from: Square) -> Bitboard {
        if !self.pinned.has(from) {
            return Bitboard::ALL;
        }
        let Self { lines, pins, .. } = self;
        if pins.rank.has(from) {
            lines.rank
        } else if pins.file.has(from) {
            lines.file
        } else if pins.diagonal.has(from) {
            lines.diagonal
        } else {
            lines.antidiagonal
        }
    }
}

/// The squares between two squares in index order. On a line that both are on, these are the squares between them.
#[inline]
fn between(one: Bitboard, other: Bitboard) -> Bitboard {
    let (low, high) = if one < other { (one, other) } else { (other, one) };
    Bitboard(high.0.wrapping_sub(low.0)).without(low)
}
