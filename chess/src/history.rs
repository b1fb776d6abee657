//! Undo information of a game, and the keys of the positions that the current one could repeat.

use crate::bitboard::Bitboard;
use crate::castling::{Castling, CastlingRights, CastlingSide};
use crate::key::Key;
use crate::moves::Move;
use crate::piece::{Piece, Role};
use crate::position::{Position, passed_pawn};
use crate::square::Square;

/// Size of the ring of keys. A position can repeat at most 150 earlier ones, so the ring holds the keys of at least 106 more
/// plies; keys are computed again only when more plies than that were taken back. A `u8` index is always in range.
const KEYS: usize = 256;
/// Keys that remain in the ring besides the newest one.
const OLDER_KEYS: u16 = 255;

/// Plies whose undo information is stored: at most 96 pawn moves, 30 captures and 4 losses of castling rights.
const UNDOS: usize = 130;

/// What makes a game's moves reversible, in fixed memory.
#[derive(Clone)]
pub(crate) struct History {
    /// The key of the position before ply `n` is at index `n % 256`, for the last plies from `oldest_key` on.
    keys: [Key; KEYS],
    oldest_key: u16,
    /// The first `undo_count` entries are valid, in the order of their plies.
    undos: [Undo; UNDOS],
    undo_count: u8,
}

/// What a position had before a ply, where that does not follow from the move and the position after it.
#[derive(Clone, Copy)]
struct Undo {
    ply: u16,
    captured: Option<Piece>,
    /// The square of the captured piece.
    victim: Square,
    castling: CastlingRights,
    halfmoves: u8,
}

impl Undo {
    const NONE: Self =
        Self { ply: 0, captured: None, victim: Square::A1, castling: CastlingRights::NONE, halfmoves: 0 };
}

/// A position while a game is walked backwards.
#[derive(Clone, Copy)]
pub(crate) struct Cursor {
    pub(crate) position: Position,
    /// Plies played up to this position.
    plies: u16,
    /// Undo records of those plies.
    undo_count: u8,
}

impl History {
    pub(crate) const fn new() -> Self {
        Self { keys: [Key::NONE; KEYS], oldest_key: 0, undos: [Undo::NONE; UNDOS], undo_count: 0 }
    }

    pub(crate) const fn clear(&mut self) {
        self.oldest_key = 0;
        self.undo_count = 0;
    }

    /// The keys of the earlier positions that a position after this many plies could repeat. Since the last capture or pawn
    /// move there are never more than 150.
    pub(crate) fn keys(&self, position: &Position, plies: usize) -> impl Iterator<Item = Key> + '_ {
        (first_reversible(position, plies)..plies).map(|ply| self.key(ply))
    }

    #[expect(clippy::indexing_slicing, reason = "eight bits cannot miss in 256 entries")]
    const fn key(&self, ply: usize) -> Key {
        self.keys[ply as u8 as usize]
    }

    #[expect(clippy::indexing_slicing, reason = "eight bits cannot miss in 256 entries")]
    const fn set_key(&mut self, ply: u16, key: Key) {
        self.keys[ply as u8 as usize] = key;
    }

    /// Records a legal move that leads from one position to the next. `ply` is the number of plies before it.
    pub(crate) fn record(&mut self, ply: usize, before: &Position, mv: Move, after: &Position) {
        let ply = ply as u16;
        self.set_key(ply, before.key());
        self.oldest_key = self.oldest_key.max(ply.saturating_sub(OLDER_KEYS));
        if after.halfmoves() != 0 && after.castling() == before.castling() {
            return;
        }
        let victim = before.victim(mv).unwrap_or(mv.to());
        let undo = Undo {
            ply,
            captured: before.piece_at(victim),
            victim,
            castling: before.castling(),
            halfmoves: before.halfmoves(),
        };
        if let Some(slot) = self.undos.get_mut(usize::from(self.undo_count)) {
            *slot = undo;
            self.undo_count = self.undo_count.saturating_add(1);
        }
    }

    /// A cursor at the current position.
    pub(crate) const fn cursor(&self, position: &Position, plies: usize) -> Cursor {
        Cursor { position: *position, plies: plies as u16, undo_count: self.undo_count }
    }

    /// Forgets the plies after the cursor, whose game has these moves. Afterwards the keys of all positions that the one of the
    /// cursor could repeat are in the ring.
    ///
    /// A key is computed again only if it was overwritten, and then once: until the next move is recorded the ring keeps it. So
    /// taking back n plies computes at most n keys, if n is 106 or more, and none otherwise.
    pub(crate) fn rewind(&mut self, cursor: &Cursor, start: &Position, moves: &[Move]) {
        self.undo_count = cursor.undo_count;
        self.oldest_key = self.oldest_key.min(cursor.plies);
        let first = first_reversible(&cursor.position, usize::from(cursor.plies));
        if first >= usize::from(self.oldest_key) {
            return;
        }
        let mut earlier = *cursor;
        while usize::from(earlier.plies) > first && self.step_back(&mut earlier, start, moves) {
            if earlier.plies < self.oldest_key {
                self.set_key(earlier.plies, earlier.position.key());
            }
        }
        self.oldest_key = earlier.plies;
    }

    /// Moves the cursor back by one ply of the game with this start and these moves. Returns whether there was one.
    pub(crate) fn step_back(&self, cursor: &mut Cursor, start: &Position, moves: &[Move]) -> bool {
        let Some(ply) = cursor.plies.checked_sub(1) else { return false };
        let index = usize::from(ply);
        let Some(&mv) = moves.get(index) else { return false };
        let undos = self.undos.get(..usize::from(cursor.undo_count)).unwrap_or_default();
        let undo = undos.last().filter(|undo| undo.ply == ply);
        let mut before = cursor.position.undo(mv, undo);
        // From the start, because the number of a move saturates.
        let black_moves = ply.saturating_add(start.turn() as u16) / 2;
        before.fullmoves = start.fullmoves().saturating_add(black_moves);
        before.en_passant = match index.checked_sub(1).and_then(|last| moves.get(last)) {
            Some(&last) => before.en_passant_after(last),
            None => start.en_passant(),
        };
        cursor.undo_count = cursor.undo_count.saturating_sub(u8::from(undo.is_some()));
        cursor.position = before;
        cursor.plies = ply;
        true
    }
}

/// The ply from which on every move was reversible.
fn first_reversible(position: &Position, plies: usize) -> usize {
    plies.saturating_sub(usize::from(position.halfmoves()))
}

impl Position {
    /// The position before a move that has led to this one, except for its en passant square and its move number.
    fn undo(&self, mv: Move, undo: Option<&Undo>) -> Self {
        let (from, to) = (mv.from(), mv.to());
        let us = !self.turn;
        let mut before = *self;
        before.turn = us;
        before.halfmoves = undo.map_or(self.halfmoves.saturating_sub(1), |undo| undo.halfmoves);
        if let Some(moved) = self.board[to] {
            let piece = if mv.promotion().is_some() { Piece::new(us, Role::Pawn) } else { moved };
            before.sets.toggle(moved, Bitboard::of(to));
            before.sets.toggle(piece, Bitboard::of(from));
            before.board[to] = None;
            before.board[from] = Some(piece);
            if piece.role() == Role::King && from.index().abs_diff(to.index()) == 2 {
                let way = Castling::of(us, if to > from { CastlingSide::King } else { CastlingSide::Queen });
                let rook = Piece::new(us, Role::Rook);
                before.sets.toggle(rook, Bitboard::of(way.rook_from) | Bitboard::of(way.rook_to));
                before.board[way.rook_to] = None;
                before.board[way.rook_from] = Some(rook);
            }
        }
        if let Some(undo) = undo {
            before.castling = undo.castling;
            if let Some(captured) = undo.captured {
                before.sets.toggle(captured, Bitboard::of(undo.victim));
                before.board[undo.victim] = Some(captured);
            }
        }
        before
    }

    /// The en passant square of this position, if this was the last move.
    fn en_passant_after(&self, last: Move) -> Option<Square> {
        let is_pawn = self.board[last.to()].is_some_and(|piece| piece.role() == Role::Pawn);
        let is_double_step = is_pawn && last.from().index() ^ last.to().index() == 16;
        let passed = passed_pawn(!self.turn, last.to());
        (is_double_step && self.en_passant_captures(passed).any()).then_some(passed)
    }
}
