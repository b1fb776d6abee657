//! Every legal move of a position, found without trying one out.
//!
//! First the king's surroundings are surveyed: who gives check, who is pinned on which line. Then each piece gets the
//! set of squares it may go to, and pawns, who all step alike, get theirs together. What becomes of the sets is up to a
//! [`Visitor`]: they can be listed, counted without a list, or only asked whether there is one.

use crate::attacks::{self, LINES, along, along_rank};
use crate::bitboard::Bitboard;
use crate::castling::{Castling, CastlingSide};
use crate::color::Color;
use crate::moves::{Move, MoveList};
use crate::piece::{Promotion, Role};
use crate::position::Position;
use crate::square::{Rank, Square};

impl Position {
    /// Every legal move.
    #[must_use]
    pub fn legal_moves(&self) -> MoveList {
        let mut list = MoveList::new();
        self.visit(&mut list);
        list
    }

    /// How many legal moves there are, without making a list of them.
    #[must_use]
    pub fn count_legal_moves(&self) -> u32 {
        let mut count = Count(0);
        self.visit(&mut count);
        count.0
    }

    /// Whether there is a legal move.
    #[must_use]
    pub fn has_legal_move(&self) -> bool {
        self.count_legal_moves() != 0
    }

    /// Whether this move can be played.
    #[must_use]
    pub fn is_legal(&self, mv: Move) -> bool {
        self.legal_moves().contains(&mv)
    }

    #[inline]
    fn visit(&self, visitor: &mut impl Visitor) {
        match self.turn {
            Color::White => self.visit_moves_of::<true>(visitor),
            Color::Black => self.visit_moves_of::<false>(visitor),
        }
    }

    fn visit_moves_of<const WHITE: bool>(&self, visitor: &mut impl Visitor) {
        let us = if WHITE { Color::White } else { Color::Black };
        let survey = Survey::of(self, us);
        self.visit_king::<WHITE>(&survey, visitor);
        if survey.checkers.several() {
            return;
        }
        // Where a piece other than the king may go: not on an own piece, and in check only between, or on the checker.
        let targets = survey.check_line().without(survey.ours);
        self.visit_pieces(&survey, targets, visitor);
        self.visit_pawns::<WHITE>(&survey, targets, visitor);
    }

    #[inline]
    fn visit_king<const WHITE: bool>(&self, survey: &Survey<'_>, visitor: &mut impl Visitor) {
        let us = if WHITE { Color::White } else { Color::Black };
        let theirs = survey.theirs;
        let mut safe = attacks::king(survey.king)
            .without(survey.ours)
            .without(attacks::pawns(us.other(), self.of_role(Role::Pawn) & theirs))
            .without(attacks::king((self.of_role(Role::King) & theirs).lowest()));
        for knight in self.of_role(Role::Knight) & theirs {
            safe = safe.without(attacks::knight(knight));
        }
        for square in safe {
            if survey.slider_hits(square) {
                safe ^= Bitboard::of(square);
            }
        }
        visitor.piece(survey.king, safe);

        if self.castling.is_empty() || survey.checkers.any() {
            return;
        }
        for side in CastlingSide::ALL {
            let way = Castling::of(us, side);
            // The square that the king passes is next to it, so it is known already whether it is safe there.
            if self.castling.has(us, side)
                && (survey.occupied & way.between).is_empty()
                && safe.has(way.rook_to)
                && (self.attackers(way.king_to, survey.occupied) & theirs).is_empty()
            {
                visitor.piece(way.king_from, Bitboard::of(way.king_to));
            }
        }
    }

    #[inline]
    fn visit_pieces(&self, survey: &Survey<'_>, targets: Bitboard, visitor: &mut impl Visitor) {
        // A pinned knight never has a move: each of its steps leaves the line.
        for from in (self.of_role(Role::Knight) & survey.ours).without(survey.pinned) {
            visitor.piece(from, attacks::knight(from) & targets);
        }
        for from in self.of_role(Role::Bishop) & survey.ours {
            visitor.piece(
                from,
                attacks::bishop(from, survey.occupied) & targets & survey.leash(from),
            );
        }
        for from in self.of_role(Role::Rook) & survey.ours {
            visitor.piece(
                from,
                attacks::rook(from, survey.occupied) & targets & survey.leash(from),
            );
        }
        for from in self.of_role(Role::Queen) & survey.ours {
            let reached = attacks::bishop(from, survey.occupied) | attacks::rook(from, survey.occupied);
            visitor.piece(from, reached & targets & survey.leash(from));
        }
    }

    #[inline]
    fn visit_pawns<const WHITE: bool>(&self, survey: &Survey<'_>, targets: Bitboard, visitor: &mut impl Visitor) {
        let us = if WHITE { Color::White } else { Color::Black };
        let (up, up_twice, third, last) = match us {
            Color::White => (8, 16, Rank::Third, Rank::Eighth),
            Color::Black => (-8, -16, Rank::Sixth, Rank::First),
        };
        let (towards_a, towards_h) = attacks::pawn_captures(us);
        let last = Bitboard::rank(last);
        let empty = !survey.occupied;
        let pawns = self.of_role(Role::Pawn) & survey.ours;

        // A pinned pawn may still go along the line of its pin: up its file, or to take on its diagonal.
        let (diagonal, antidiagonal) = if WHITE {
            (survey.pins.diagonal, survey.pins.antidiagonal)
        } else {
            (survey.pins.antidiagonal, survey.pins.diagonal)
        };
        let free = pawns.without(survey.pinned);
        let pushers = free | pawns & survey.pins.file;
        let once = pushers.shift(up) & empty;
        let twice = (once & Bitboard::rank(third)).shift(up) & empty & targets;
        let steps = [
            (up, once & targets),
            (
                towards_a,
                (free | pawns & antidiagonal).without(attacks::A_FILE).shift(towards_a) & targets & survey.theirs,
            ),
            (
                towards_h,
                (free | pawns & diagonal).without(attacks::H_FILE).shift(towards_h) & targets & survey.theirs,
            ),
        ];
        for (step, reached) in steps {
            visitor.pawns(step, reached.without(last));
            if (reached & last).any() {
                visitor.promotions(step, reached & last);
            }
        }
        visitor.pawns(up_twice, twice);

        if let Some(square) = self.en_passant {
            for from in self.en_passant_captures(square) {
                visitor.piece(from, Bitboard::of(square));
            }
        }
    }
}

/// What becomes of the moves.
trait Visitor {
    /// A piece on `from` may go to any of these squares.
    fn piece(&mut self, from: Square, targets: Bitboard);
    /// Pawns may go to any of these squares, each by the same step.
    fn pawns(&mut self, step: i8, targets: Bitboard);
    /// Pawns may go to any of these squares and become any of four pieces.
    fn promotions(&mut self, step: i8, targets: Bitboard);
}

impl Visitor for MoveList {
    #[inline]
    fn piece(&mut self, from: Square, targets: Bitboard) {
        for to in targets {
            self.push(Move::new(from, to));
        }
    }

    #[inline]
    fn pawns(&mut self, step: i8, targets: Bitboard) {
        for to in targets {
            self.push(Move::new(to.offset(step.wrapping_neg()), to));
        }
    }

    #[inline]
    fn promotions(&mut self, step: i8, targets: Bitboard) {
        for to in targets {
            for promotion in Promotion::ALL {
                self.push(Move::new(to.offset(step.wrapping_neg()), to).promoting(Some(promotion)));
            }
        }
    }
}

struct Count(u32);

impl Visitor for Count {
    #[inline]
    fn piece(&mut self, _: Square, targets: Bitboard) {
        self.0 = self.0.wrapping_add(targets.count());
    }

    #[inline]
    fn pawns(&mut self, _: i8, targets: Bitboard) {
        self.0 = self.0.wrapping_add(targets.count());
    }

    #[inline]
    fn promotions(&mut self, _: i8, targets: Bitboard) {
        self.0 = self.0.wrapping_add(targets.count().wrapping_mul(4));
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
    fn of(position: &Position, us: Color) -> Self {
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
        Self {
            lines,
            king,
            ours,
            theirs,
            occupied,
            their_rooks,
            their_bishops,
            checkers,
            pins,
            pinned,
        }
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
        let line = [
            self.lines.rank,
            self.lines.file,
            self.lines.diagonal,
            self.lines.antidiagonal,
        ]
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
