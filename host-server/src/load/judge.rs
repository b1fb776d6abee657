//! Rules that are not ours, to hold the relay to.

#[cfg(test)]
mod tests;

use cozy_chess::{Board, Color, GameStatus, Move, Piece, Square};

use super::said::{Kings, Rooks, Said};

/// A game, as somebody else's rules see it.
pub(super) struct Judge {
    board: Board,
    plies: usize,
    /// Plies without a capture or a pawn move; the other rules stop counting at a hundred.
    quiet: u32,
    /// All positions since then, this one included.
    seen: Vec<Board>,
    /// The file on which a pawn has just made its double step.
    double_step: Option<(Color, usize)>,
    kings: Kings,
    rooks: Rooks,
}

/// How a game is over, in the words of the relay's document.
pub(super) type Verdict = &'static str;

impl Judge {
    pub(super) fn new() -> Self {
        let board = Board::default();
        let seen = vec![board.clone()];
        let (kings, rooks) = (Kings::default(), Rooks::default());
        Self { board, plies: 0, quiet: 0, seen, double_step: None, kings, rooks }
    }

    pub(super) fn plies(&self) -> usize {
        self.plies
    }

    pub(super) fn is_white_to_move(&self) -> bool {
        self.board.side_to_move() == Color::White
    }

    /// One of the legal moves, as the relay's document writes moves: start, end and promotion.
    pub(super) fn pick(&self, random: u64) -> Option<(Move, String)> {
        let mut moves = Vec::with_capacity(64);
        self.board.generate_moves(|set| {
            moves.extend(set);
            false
        });
        let index = usize::try_from(random % u64::try_from(moves.len().max(1)).ok()?).ok()?;
        let mv = *moves.get(index)?;
        let promotion = mv.promotion.map(|piece| match piece {
            Piece::Rook => "rook",
            Piece::Bishop => "bishop",
            Piece::Knight => "knight",
            _ => "queen",
        });
        let (start, end) = (mv.from, self.landing(mv));
        let ply = self.plies;
        let words = match promotion {
            Some(promotion) => {
                format!(r#"{{"type":"move","start":"{start}","end":"{end}","promotion":"{promotion}","ply":{ply}}}"#)
            }
            None => format!(r#"{{"type":"move","start":"{start}","end":"{end}","ply":{ply}}}"#),
        };
        Some((mv, words))
    }

    /// Where the piece ends. To castle, the king takes its own rook in these rules.
    fn landing(&self, mv: Move) -> Square {
        let own = self.board.colors(self.board.side_to_move());
        if !(own.has(mv.to) && self.board.pieces(Piece::King).has(mv.from)) {
            return mv.to;
        }
        let file = if mv.to.file() > mv.from.file() { cozy_chess::File::G } else { cozy_chess::File::C };
        Square::new(file, mv.from.rank())
    }

    pub(super) fn play(&mut self, mv: Move) {
        let piece = self.board.piece_on(mv.from);
        let color = self.board.side_to_move();
        let takes = self.board.colors(!color).has(mv.to);
        let steps = (mv.from.rank() as i8 - mv.to.rank() as i8).abs();
        self.double_step = (piece == Some(Piece::Pawn) && steps == 2).then_some((color, mv.to.file() as usize));
        if piece == Some(Piece::King) {
            match color {
                Color::White => self.kings.white = true,
                Color::Black => self.kings.black = true,
            }
        }
        // A rook that was taken has left its corner as well.
        let corners = [
            (Square::A1, &mut self.rooks.a1),
            (Square::H1, &mut self.rooks.h1),
            (Square::A8, &mut self.rooks.a8),
            (Square::H8, &mut self.rooks.h8),
        ];
        for (corner, moved) in corners {
            *moved |= mv.from == corner || mv.to == corner;
        }
        if piece == Some(Piece::Pawn) || takes {
            self.quiet = 0;
            self.seen.clear();
        } else {
            self.quiet += 1;
        }
        self.board.play_unchecked(mv);
        self.plies += 1;
        self.seen.push(self.board.clone());
    }

    /// How the game is over, if it is.
    pub(super) fn result(&self) -> Option<Verdict> {
        let drawn = self.quiet >= 150 || self.repetitions() >= 5 || self.nobody_can_mate();
        match self.board.status() {
            GameStatus::Won => Some(if self.is_white_to_move() { "black_win" } else { "white_win" }),
            // These rules also call a draw what only may be claimed.
            GameStatus::Drawn if !self.has_moves() => Some("stalemate"),
            _ if drawn => Some("stalemate"),
            _ => None,
        }
    }

    fn repetitions(&self) -> usize {
        let hash = self.board.hash_without_ep();
        self.seen.iter().filter(|seen| seen.hash_without_ep() == hash && seen.same_position(&self.board)).count()
    }

    fn has_moves(&self) -> bool {
        self.board.generate_moves(|_| true)
    }

    /// Bare kings, one minor piece, or bishops that all stand on one colour.
    fn nobody_can_mate(&self) -> bool {
        let count = |piece| self.board.pieces(piece).len();
        if count(Piece::Pawn) + count(Piece::Rook) + count(Piece::Queen) > 0 {
            return false;
        }
        let bishops = self.board.pieces(Piece::Bishop);
        let knights = count(Piece::Knight);
        let light = bishops.into_iter().filter(|square| (square.file() as u8 + square.rank() as u8) % 2 == 1).count();
        let on_one_colour = light == 0 || light == bishops.len() as usize;
        (knights == 0 && on_one_colour) || (knights == 1 && bishops.is_empty())
    }

    /// What is wrong with a state that the relay shows, if something is.
    pub(super) fn objection(&self, state: &Said<'_>, white: &str, black: &str) -> Option<String> {
        let turn = if self.is_white_to_move() { white } else { black };
        if state.player_turn_id.as_deref() != Some(turn) {
            return Some(format!("it is the turn of {turn}, not of {:?}", state.player_turn_id));
        }
        let shown = state.board.as_deref().unwrap_or_default();
        if shown != self.squares() {
            return Some(format!("the board is {:?}, not {shown:?}", self.squares()));
        }
        let shown = state.allow_en_passant.as_deref().unwrap_or_default();
        let mut expected = [false; 16];
        if let Some((color, file)) = self.double_step {
            expected[file + if color == Color::White { 8 } else { 0 }] = true;
        }
        if shown != expected {
            return Some(format!("en passant is {expected:?}, not {shown:?}"));
        }
        if state.has_king_moved != Some(self.kings) || state.has_rook_moved != Some(self.rooks) {
            let (kings, rooks) = (&state.has_king_moved, &state.has_rook_moved);
            return Some(format!("moved: {:?} {:?}, not {kings:?} {rooks:?}", self.kings, self.rooks));
        }
        None
    }

    /// As the relay's document writes boards: from a8 to h1, White's pieces positive.
    fn squares(&self) -> [i8; 64] {
        let mut squares = [0; 64];
        for (square, shown) in Square::ALL.into_iter().zip(0_usize..) {
            let (file, rank) = (shown % 8, shown / 8);
            let value = self.board.piece_on(square).map_or(0, |piece| match piece {
                Piece::Pawn => 1,
                Piece::Rook => 2,
                Piece::Knight => 3,
                Piece::Bishop => 4,
                Piece::Queen => 5,
                Piece::King => 6,
            });
            let is_black = self.board.color_on(square) == Some(Color::Black);
            squares[(7 - rank) * 8 + file] = if is_black { -value } else { value };
        }
        squares
    }
}
