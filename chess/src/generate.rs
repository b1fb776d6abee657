//! Legal move generator, which does not make and unmake moves.
//!
//! First it finds checkers and pinned pieces. Then it computes the set of target squares of each piece, and of all pawns
//! together for each kind of step.

use crate::attacks::{self, LINES, along, along_rank};
use crate::bitboard::Bitboard;
use crate::castling::{Castling, CastlingSide};
use crate::color::Color;
use crate::legal::{LAST_RANKS, LegalMoves, PawnStep};
use crate::piece::Role;
use crate::position::Position;
use crate::square::{Rank, Square};

impl Position {
    /// All legal moves, as the set of target squares of each piece.
    #[must_use]
    pub fn legal(&self) -> LegalMoves {
        let mut legal = LegalMoves::none(self.turn);
        self.generate(Bitboard::ALL, &mut legal);
        legal
    }

    /// Only the captures and the promotions among the legal moves, for a quiescence search.
    #[must_use]
    pub fn legal_captures(&self) -> LegalMoves {
        let mut legal = LegalMoves::none(self.turn);
        self.generate(self.of_color(self.turn.other()), &mut legal);
        legal
    }

    /// Generates the moves to the wanted squares, all promotions and en passant captures.
    ///
    /// Not inlined: it is the largest function of the crate, and one copy in flash is enough.
    #[inline(never)]
    fn generate(&self, wanted: Bitboard, legal: &mut LegalMoves) {
        let safety = KingSafety::of(self);
        self.king_moves(&safety, wanted, legal);
        // In double check only the king can move.
        if !safety.checkers.several() {
            // Targets of all pieces except the king: no own piece; in check, only the checker and the squares before it.
            let targets = safety.check_line().without(safety.ours);
            self.piece_moves(&safety, targets & wanted, legal);
            // A promotion changes the material like a capture.
            let targets = targets & (wanted | LAST_RANKS);
            match self.turn {
                Color::White => self.pawn_moves::<true>(&safety, targets, legal),
                Color::Black => self.pawn_moves::<false>(&safety, targets, legal),
            }
        }
    }

    #[inline]
    fn king_moves(&self, safety: &KingSafety<'_>, wanted: Bitboard, legal: &mut LegalMoves) {
        let us = self.turn;
        let theirs = safety.theirs;
        let mut guarded = attacks::pawns(us.other(), self.of_role(Role::Pawn) & theirs)
            | attacks::king((self.of_role(Role::King) & theirs).lowest());
        for knight in self.of_role(Role::Knight) & theirs {
            guarded |= attacks::knight(knight);
        }
        let mut safe = attacks::king(safety.king).without(safety.ours | guarded) & wanted;
        for square in safe {
            if safety.slider_attacks(square) {
                safe ^= Bitboard::of(square);
            }
        }
        let mut castles = Bitboard::EMPTY;
        if !self.castling.is_empty() && safety.checkers.is_empty() {
            for side in CastlingSide::ALL {
                let way = Castling::of(us, side);
                // The square that the king passes is adjacent to it, so its safety is known already.
                if self.castling.has(us, side)
                    && (safety.occupied & way.between).is_empty()
                    && safe.has(way.rook_to)
                    && !guarded.has(way.king_to)
                    && !safety.slider_attacks(way.king_to)
                {
                    castles |= Bitboard::of(way.king_to);
                }
            }
        }
        legal.add(safety.king, safe | castles);
    }

    #[inline]
    fn piece_moves(&self, safety: &KingSafety<'_>, targets: Bitboard, legal: &mut LegalMoves) {
        // A pinned knight has no legal move: every step leaves the line of the pin.
        for from in (self.of_role(Role::Knight) & safety.ours).without(safety.pinned) {
            legal.add(from, attacks::knight(from) & targets);
        }
        let queens = self.of_role(Role::Queen);
        for from in self.of_role(Role::Bishop) & safety.ours {
            legal.add(from, attacks::bishop(from, safety.occupied) & targets & safety.pin_line(from));
        }
        for from in self.of_role(Role::Rook) & safety.ours {
            legal.add(from, attacks::rook(from, safety.occupied) & targets & safety.pin_line(from));
        }
        for from in queens & safety.ours {
            let reached = attacks::bishop(from, safety.occupied) | attacks::rook(from, safety.occupied);
            legal.add(from, reached & targets & safety.pin_line(from));
        }
    }

    #[inline]
    fn pawn_moves<const WHITE: bool>(&self, safety: &KingSafety<'_>, targets: Bitboard, legal: &mut LegalMoves) {
        let us = if WHITE { Color::White } else { Color::Black };
        let (up, third) = if WHITE { (8, Rank::Third) } else { (-8, Rank::Sixth) };
        let (towards_a, towards_h) = attacks::pawn_captures(us);
        let empty = !safety.occupied;
        let pawns = self.of_role(Role::Pawn) & safety.ours;

        // A pinned pawn may move along the line of its pin: up its file, or with a capture on its diagonal.
        let (a_line, h_line) = if WHITE {
            (safety.pins.antidiagonal, safety.pins.diagonal)
        } else {
            (safety.pins.diagonal, safety.pins.antidiagonal)
        };
        let free = pawns.without(safety.pinned);
        let once = (free | pawns & safety.pins.file).shift(up) & empty;
        let twice = (once & Bitboard::rank(third)).shift(up) & empty;
        let takes_a = (free | pawns & a_line).without(attacks::A_FILE).shift(towards_a) & safety.theirs;
        let takes_h = (free | pawns & h_line).without(attacks::H_FILE).shift(towards_h) & safety.theirs;
        legal.set_pawns(PawnStep::Once, once & targets);
        legal.set_pawns(PawnStep::Twice, twice & targets);
        legal.set_pawns(PawnStep::TakesTowardsA, takes_a & targets);
        legal.set_pawns(PawnStep::TakesTowardsH, takes_h & targets);
        if let Some(square) = self.en_passant {
            legal.set_en_passant(self.en_passant_captures(square), square);
        }
    }
}

/// Checkers and pinned pieces of the side to move, with the sets that the generator needs.
struct KingSafety<'a> {
    lines: &'a attacks::Lines,
    king: Square,
    ours: Bitboard,
    theirs: Bitboard,
    occupied: Bitboard,
    their_rooks: Bitboard,
    their_bishops: Bitboard,
    checkers: Bitboard,
    /// Pinned pieces, by the line of the pin.
    pins: attacks::Lines,
    /// All pinned pieces.
    pinned: Bitboard,
}

impl KingSafety<'static> {
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
            // Most lines have no enemy slider.
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

impl KingSafety<'_> {
    /// Whether an enemy slider attacks this square after the king has moved there.
    #[inline]
    fn slider_attacks(&self, square: Square) -> bool {
        let lines = &LINES[square];
        let king = Bitboard::of(square);
        // The king must not block the line behind it.
        let occupied = self.occupied.without(Bitboard::of(self.king));
        let hits = |line: Bitboard, sliders: Bitboard, along: fn(Bitboard, Bitboard, Bitboard) -> Bitboard| {
            (line & sliders).any() && (along(line, king, occupied) & sliders).any()
        };
        hits(lines.rank, self.their_rooks, along_rank)
            || hits(lines.file, self.their_rooks, along)
            || hits(lines.diagonal, self.their_bishops, along)
            || hits(lines.antidiagonal, self.their_bishops, along)
    }

    /// The squares on which a piece other than the king answers a single check; all squares without a check.
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

    /// The line of the pin of a piece; all squares if it is not pinned.
    #[inline]
    fn pin_line(&self, from: Square) -> Bitboard {
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

/// The squares between two squares in index order. Intersected with a line through both, these are the squares between
/// them on the line.
#[inline]
fn between(one: Bitboard, other: Bitboard) -> Bitboard {
    let (low, high) = if one < other { (one, other) } else { (other, one) };
    Bitboard(high.0.wrapping_sub(low.0)).without(low)
}
