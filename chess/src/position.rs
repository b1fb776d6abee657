use core::error::Error;
use core::fmt;

use crate::attacks::{self, LINES};
use crate::bitboard::Bitboard;
use crate::castling::{Castling, CastlingRights, CastlingSide};
use crate::color::Color;
use crate::moves::Move;
use crate::piece::{Piece, Role};
use crate::square::Square;
use crate::table::Table;

/// A chess position: pieces, side to move, castling rights, en passant square and counters.
///
/// Invariants, which [`Setup`](crate::Setup) checks and every legal move keeps:
/// - each side has exactly one king, and the side that is not to move is not in check;
/// - no pawn stands on the first or the eighth rank;
/// - a castling right exists only while its king and its rook stand on their start squares;
/// - the en passant square is set only if a pawn can legally capture on it, so that two positions are equal exactly when
///   they have the same legal moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// The piece on each square.
    pub(crate) board: Table<Option<Piece>>,
    /// The same board as bitboards, for the move generator.
    pub(crate) sets: Sets,
    pub(crate) turn: Color,
    pub(crate) castling: CastlingRights,
    pub(crate) en_passant: Option<Square>,
    pub(crate) halfmoves: u8,
    pub(crate) fullmoves: u16,
}

const _: () = assert!(size_of::<Position>() == 136, "the size of a position is stated in the documentation");

/// The squares of each role, of both sides, then the squares of each side.
///
/// There are eight sets, so an index of three bits is always in range: a role is its own index, White is 6 and Black 7.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sets([Bitboard; 8]);

impl Sets {
    pub(crate) const EMPTY: Self = Self([Bitboard::EMPTY; 8]);

    #[inline]
    #[expect(clippy::indexing_slicing, reason = "there are fewer roles than entries")]
    pub(crate) const fn role(&self, role: Role) -> Bitboard {
        self.0[role as usize]
    }

    #[inline]
    pub(crate) const fn color(&self, color: Color) -> Bitboard {
        match color {
            Color::White => self.0[6],
            Color::Black => self.0[7],
        }
    }

    /// All words, for hashing.
    pub(crate) const fn words(&self) -> &[Bitboard; 8] {
        &self.0
    }

    /// Adds a piece to these squares, or removes it from them.
    #[inline]
    #[expect(clippy::indexing_slicing, reason = "three bits cannot miss in 8 entries")]
    pub(crate) fn toggle(&mut self, piece: Piece, squares: Bitboard) {
        // The lowest three bits of a piece are its role.
        self.0[usize::from(piece as u8 & 7)] ^= squares;
        match piece.color() {
            Color::White => self.0[6] ^= squares,
            Color::Black => self.0[7] ^= squares,
        }
    }
}

/// The move is not legal in this position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IllegalMove(pub Move);

impl fmt::Display for IllegalMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is not a legal move here", self.0)
    }
}

impl Error for IllegalMove {}

impl Position {
    /// Fills memory for positions that are not known yet: all its bytes are zero, so that a static array of it takes no flash.
    /// It is not a position, and has none of the invariants.
    pub const BLANK: Self = Self {
        board: Table([Some(Piece::WhitePawn); 64]),
        sets: Sets::EMPTY,
        turn: Color::White,
        castling: CastlingRights::NONE,
        en_passant: None,
        halfmoves: 0,
        fullmoves: 0,
    };

    /// The start position of chess.
    #[must_use]
    pub const fn start() -> Self {
        START
    }

    /// The piece on each square, a1 first, h8 last.
    #[must_use]
    pub const fn board(&self) -> &[Option<Piece>; 64] {
        &self.board.0
    }

    /// The piece on this square.
    #[must_use]
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        self.board[square]
    }

    /// The side to move.
    #[must_use]
    pub const fn turn(&self) -> Color {
        self.turn
    }

    /// The castling rights.
    #[must_use]
    pub const fn castling(&self) -> CastlingRights {
        self.castling
    }

    /// The en passant square, if a legal move captures on it.
    #[must_use]
    pub const fn en_passant(&self) -> Option<Square> {
        self.en_passant
    }

    /// Plies since the last capture or pawn move.
    #[must_use]
    pub const fn halfmoves(&self) -> u8 {
        self.halfmoves
    }

    /// The move number, which increases after Black's move.
    #[must_use]
    pub const fn fullmoves(&self) -> u16 {
        self.fullmoves
    }

    /// All occupied squares: the reading of the reed switches in this position.
    #[must_use]
    #[inline]
    pub const fn occupied(&self) -> Bitboard {
        Bitboard(self.sets.color(Color::White).0 | self.sets.color(Color::Black).0)
    }

    /// The squares of one side's pieces.
    #[must_use]
    #[inline]
    pub const fn of_color(&self, color: Color) -> Bitboard {
        self.sets.color(color)
    }

    /// The squares of the pieces in one role, of both sides.
    #[must_use]
    #[inline]
    pub const fn of_role(&self, role: Role) -> Bitboard {
        self.sets.role(role)
    }

    /// The squares of one side's pieces in one role.
    #[must_use]
    #[inline]
    pub const fn of(&self, piece: Piece) -> Bitboard {
        Bitboard(self.sets.role(piece.role()).0 & self.sets.color(piece.color()).0)
    }

    /// The square of this side's king.
    #[must_use]
    #[inline]
    pub const fn king(&self, color: Color) -> Square {
        self.of(Piece::new(color, Role::King)).lowest()
    }

    /// The pieces that give check to the side to move.
    #[must_use]
    pub fn checkers(&self) -> Bitboard {
        let theirs = self.of_color(self.turn.other());
        let occupied = self.occupied();
        let king_set = self.of(Piece::new(self.turn, Role::King));
        let king = king_set.lowest();
        let lines = &LINES[king];
        let queens = self.of_role(Role::Queen);
        let mut checkers = attacks::knight(king) & self.of_role(Role::Knight)
            | attacks::pawns(self.turn, king_set) & self.of_role(Role::Pawn);
        let mut look = |line: Bitboard, sliders: Bitboard, along: fn(Bitboard, Bitboard, Bitboard) -> Bitboard| {
            let sliders = line & sliders & theirs;
            // Most lines have no enemy slider.
            if sliders.any() {
                checkers |= along(line, king_set, occupied) & sliders;
            }
        };
        let rooks = self.of_role(Role::Rook) | queens;
        let bishops = self.of_role(Role::Bishop) | queens;
        look(lines.rank, rooks, attacks::along_rank);
        look(lines.file, rooks, attacks::along);
        look(lines.diagonal, bishops, attacks::along);
        look(lines.antidiagonal, bishops, attacks::along);
        checkers & theirs
    }

    /// Whether the side to move is in check.
    #[must_use]
    pub fn is_check(&self) -> bool {
        self.checkers().any()
    }

    /// Whether the side to move is checkmated.
    #[must_use]
    pub fn is_checkmate(&self) -> bool {
        !self.has_legal_move() && self.is_check()
    }

    /// Whether the side to move has no legal move and is not in check.
    #[must_use]
    pub fn is_stalemate(&self) -> bool {
        !self.has_legal_move() && !self.is_check()
    }

    /// The pieces of both sides that attack a square, with the given occupancy.
    #[must_use]
    #[inline(never)]
    pub fn attackers(&self, square: Square, occupied: Bitboard) -> Bitboard {
        let of = |role| self.sets.role(role);
        let one = Bitboard::of(square);
        let queens = of(Role::Queen);
        let white_pawns = attacks::pawns(Color::Black, one) & self.of_color(Color::White);
        let black_pawns = attacks::pawns(Color::White, one) & self.of_color(Color::Black);
        attacks::knight(square) & of(Role::Knight)
            | attacks::king(square) & of(Role::King)
            | (white_pawns | black_pawns) & of(Role::Pawn)
            | attacks::bishop(square, occupied) & (of(Role::Bishop) | queens)
            | attacks::rook(square, occupied) & (of(Role::Rook) | queens)
    }

    /// The position after a move, if the move is legal.
    pub fn play(&self, mv: Move) -> Result<Self, IllegalMove> {
        if self.is_legal(mv) { Ok(self.after(mv)) } else { Err(IllegalMove(mv)) }
    }

    /// Whether a move is a capture, including en passant.
    #[must_use]
    pub fn is_capture(&self, mv: Move) -> bool {
        self.victim(mv).is_some()
    }

    /// The square of the captured piece: the target square, except for en passant.
    #[must_use]
    pub fn victim(&self, mv: Move) -> Option<Square> {
        if self.board[mv.to()].is_some() {
            return Some(mv.to());
        }
        let moves_pawn = self.board[mv.from()].is_some_and(|piece| piece.role() == Role::Pawn);
        (moves_pawn && self.en_passant == Some(mv.to())).then(|| passed_pawn(self.turn, mv.to()))
    }

    /// The start and target squares of the rook, if this move of the side to move is castling.
    #[must_use]
    pub fn castling_rook(&self, mv: Move) -> Option<(Square, Square)> {
        let king = Piece::new(self.turn, Role::King);
        CastlingSide::ALL.into_iter().map(|side| Castling::of(self.turn, side)).find_map(|way| {
            let castles = self.board[mv.from()] == Some(king) && mv == Move::new(way.king_from, way.king_to);
            castles.then_some((way.rook_from, way.rook_to))
        })
    }

    /// The position after a move that is known to be legal, without the check of [`Position::play`]. For a search, which plays
    /// only moves that the generator returned. An illegal move gives a position whose invariants do not hold.
    #[must_use]
    pub fn after(&self, mv: Move) -> Self {
        // Field by field: for small cores the compiler copies small fields inline, and a whole struct with a loop.
        let mut next = Self {
            board: self.board,
            sets: self.sets,
            turn: self.turn,
            castling: self.castling,
            en_passant: None,
            halfmoves: 0,
            fullmoves: 0,
        };
        self.finish_move(mv, &mut next);
        next
    }

    /// Like [`Position::after`], into memory that is there already: that saves a copy.
    pub fn after_into(&self, mv: Move, next: &mut Self) {
        next.board = self.board;
        next.sets = self.sets;
        self.finish_move(mv, next);
    }

    /// Makes a copy of the pieces of this position the position after a move.
    #[inline]
    fn finish_move(&self, mv: Move, next: &mut Self) {
        let us = self.turn;
        let (from, to) = (mv.from(), mv.to());
        next.turn = us.other();
        next.castling = self.castling.after_move(from, to);
        next.en_passant = None;
        next.halfmoves = self.halfmoves.saturating_add(1);
        next.fullmoves = self.fullmoves.saturating_add(us as u16);
        if let Some(victim) = self.board[to] {
            next.sets.toggle(victim, Bitboard::of(to));
            next.halfmoves = 0;
        }
        next.board[from] = None;
        next.board[to] = self.board[from];
        if let Some(piece) = self.board[from] {
            next.sets.toggle(piece, Bitboard::of(from) | Bitboard::of(to));
            match piece.role() {
                Role::Pawn => next.finish_pawn_move(us, mv, self.en_passant == Some(to)),
                Role::King => next.finish_king_move(us, mv),
                _ => {}
            }
        }
    }

    /// The position after a null move: the other side moves, and no en passant capture is possible. For the null-move heuristic
    /// of a search. The side to move must not be in check.
    #[must_use]
    pub fn pass(&self) -> Self {
        Self { turn: self.turn.other(), en_passant: None, halfmoves: self.halfmoves.saturating_add(1), ..*self }
    }

    /// Promotion, en passant capture and double step of a pawn of `us`.
    fn finish_pawn_move(&mut self, us: Color, mv: Move, is_en_passant: bool) {
        let (from, to) = (mv.from(), mv.to());
        self.halfmoves = 0;
        if let Some(promotion) = mv.promotion() {
            let promoted = Piece::new(us, promotion.role());
            self.sets.toggle(Piece::new(us, Role::Pawn), Bitboard::of(to));
            self.sets.toggle(promoted, Bitboard::of(to));
            self.board[to] = Some(promoted);
        } else if is_en_passant {
            let passed = passed_pawn(us, to);
            self.sets.toggle(Piece::new(!us, Role::Pawn), Bitboard::of(passed));
            self.board[passed] = None;
        } else if from.index() ^ to.index() == 16 {
            let passed = passed_pawn(us, to);
            self.en_passant = self.en_passant_captures(passed).any().then_some(passed);
        }
    }

    /// The rook's move when `us` castles: only then the king moves by two squares.
    fn finish_king_move(&mut self, us: Color, mv: Move) {
        let (from, to) = (mv.from(), mv.to());
        if from.index().abs_diff(to.index()) == 2 {
            let way = Castling::of(us, if to > from { CastlingSide::King } else { CastlingSide::Queen });
            let rook = Piece::new(us, Role::Rook);
            self.sets.toggle(rook, Bitboard::of(way.rook_from) | Bitboard::of(way.rook_to));
            self.board[way.rook_from] = None;
            self.board[way.rook_to] = Some(rook);
        }
    }

    /// The pawns of the side to move that can legally capture en passant on this square.
    ///
    /// Two pawns leave the same rank, which may expose the king along it, so the whole position after the capture is
    /// checked.
    pub(crate) fn en_passant_captures(&self, square: Square) -> Bitboard {
        let us = self.turn;
        let ours = self.of(Piece::new(us, Role::Pawn));
        let mut captures = attacks::pawns(!us, Bitboard::of(square)) & ours;
        if captures.any() {
            let passed = Bitboard::of(passed_pawn(us, square));
            let king = self.king(us);
            for from in captures {
                let gone = Bitboard::of(from) | passed;
                let occupied = self.occupied().without(gone) | Bitboard::of(square);
                if (self.attackers(king, occupied) & self.of_color(!us).without(passed)).any() {
                    captures ^= Bitboard::of(from);
                }
            }
        }
        captures
    }
}

/// The square of the pawn that `us` captures en passant on this square; also the square that a pawn of `us` passed on its
/// double step to this one.
pub(crate) const fn passed_pawn(us: Color, square: Square) -> Square {
    square.offset(match us {
        Color::White => -8,
        Color::Black => 8,
    })
}

#[expect(clippy::indexing_slicing, reason = "evaluated by the compiler only")]
const START: Position = {
    const BACK: [Role; 8] =
        [Role::Rook, Role::Knight, Role::Bishop, Role::Queen, Role::King, Role::Bishop, Role::Knight, Role::Rook];
    let mut board = [None; 64];
    let mut sets = [Bitboard::EMPTY; 8];
    let mut file = 0;
    while file < 8 {
        let rows = [
            (0, Color::White, BACK[file]),
            (8, Color::White, Role::Pawn),
            (48, Color::Black, Role::Pawn),
            (56, Color::Black, BACK[file]),
        ];
        let mut row = 0;
        while row < 4 {
            let (first, color, role) = rows[row];
            board[first + file] = Some(Piece::new(color, role));
            sets[role as usize].0 |= 1 << (first + file);
            sets[6 + color as usize].0 |= 1 << (first + file);
            row += 1;
        }
        file += 1;
    }
    Position {
        board: Table(board),
        sets: Sets(sets),
        turn: Color::White,
        castling: CastlingRights::ALL,
        en_passant: None,
        halfmoves: 0,
        fullmoves: 1,
    }
};
