//! Compares the states that a relay sends with an independent rules engine, cozy-chess.

mod extensions;
#[cfg(test)]
mod tests;

use cozy_chess::{Board, Color, GameStatus, Move, Piece, Square};

use crate::relay_message::{KingsMoved, RelayMessage, RooksMoved};

/// A game in cozy-chess, with what the relay's states have beyond a position.
pub(crate) struct RulesChecker {
    board: Board,
    plies: usize,
    /// Plies without a capture or a pawn move. cozy-chess stops counting at 100, but the game ends at 150.
    halfmove_clock: u32,
    /// All positions since the last capture or pawn move, the current one included.
    positions: Vec<Board>,
    /// The file on which a pawn has just made a double step.
    double_step: Option<(Color, usize)>,
    kings: KingsMoved,
    rooks: RooksMoved,
}

impl RulesChecker {
    pub(crate) fn new() -> Self {
        let board = Board::default();
        let positions = vec![board.clone()];
        let (kings, rooks) = (KingsMoved::default(), RooksMoved::default());
        Self { board, plies: 0, halfmove_clock: 0, positions, double_step: None, kings, rooks }
    }

    pub(crate) fn plies(&self) -> usize {
        self.plies
    }

    pub(crate) fn is_white_to_move(&self) -> bool {
        self.board.side_to_move() == Color::White
    }

    /// One of the legal moves, and the message that sends it to the relay.
    pub(crate) fn pick_move(&self, random: u64) -> Option<(Move, String)> {
        self.pick_among(&self.legal_moves(), random)
    }

    fn legal_moves(&self) -> Vec<Move> {
        let mut moves = Vec::with_capacity(64);
        self.board.generate_moves(|set| {
            moves.extend(set);
            false
        });
        moves
    }

    fn pick_among(&self, moves: &[Move], random: u64) -> Option<(Move, String)> {
        let index = usize::try_from(random % u64::try_from(moves.len().max(1)).ok()?).ok()?;
        let mv = *moves.get(index)?;
        let promotion = mv.promotion.map(|piece| match piece {
            Piece::Rook => "rook",
            Piece::Bishop => "bishop",
            Piece::Knight => "knight",
            _ => "queen",
        });
        let (start, end) = (mv.from, self.destination(mv));
        let ply = self.plies;
        let text = match promotion {
            Some(promotion) => {
                format!(r#"{{"type":"move","start":"{start}","end":"{end}","promotion":"{promotion}","ply":{ply}}}"#)
            }
            None => format!(r#"{{"type":"move","start":"{start}","end":"{end}","ply":{ply}}}"#),
        };
        Some((mv, text))
    }

    /// The square where the moving piece ends. cozy-chess encodes castling as the king capturing its own rook.
    pub(crate) fn destination(&self, mv: Move) -> Square {
        let own = self.board.colors(self.board.side_to_move());
        if !(own.has(mv.to) && self.board.pieces(Piece::King).has(mv.from)) {
            return mv.to;
        }
        let file = if mv.to.file() > mv.from.file() { cozy_chess::File::G } else { cozy_chess::File::C };
        Square::new(file, mv.from.rank())
    }

    pub(crate) fn play(&mut self, mv: Move) {
        let piece = self.board.piece_on(mv.from);
        let color = self.board.side_to_move();
        let is_capture = self.board.colors(!color).has(mv.to);
        let steps = (mv.from.rank() as i8 - mv.to.rank() as i8).abs();
        self.double_step = (piece == Some(Piece::Pawn) && steps == 2).then_some((color, mv.to.file() as usize));
        if piece == Some(Piece::King) {
            match color {
                Color::White => self.kings.white = true,
                Color::Black => self.kings.black = true,
            }
        }
        // A captured rook counts as moved, too.
        let corners = [
            (Square::A1, &mut self.rooks.a1),
            (Square::H1, &mut self.rooks.h1),
            (Square::A8, &mut self.rooks.a8),
            (Square::H8, &mut self.rooks.h8),
        ];
        for (corner, moved) in corners {
            *moved |= mv.from == corner || mv.to == corner;
        }
        if piece == Some(Piece::Pawn) || is_capture {
            self.halfmove_clock = 0;
            self.positions.clear();
        } else {
            self.halfmove_clock += 1;
        }
        self.board.play_unchecked(mv);
        self.plies += 1;
        self.positions.push(self.board.clone());
    }

    /// The `result` of the message `end_of_game`, if the game is over.
    pub(crate) fn result(&self) -> Option<&'static str> {
        let drawn = self.halfmove_clock >= 150 || self.repetitions() >= 5 || self.has_insufficient_material();
        match self.board.status() {
            GameStatus::Won => Some(if self.is_white_to_move() { "black_win" } else { "white_win" }),
            // cozy-chess also reports draws that a player would have to claim.
            GameStatus::Drawn if !self.has_moves() => Some("stalemate"),
            _ if drawn => Some("stalemate"),
            _ => None,
        }
    }

    fn repetitions(&self) -> usize {
        let hash = self.board.hash_without_ep();
        let same = |position: &&Board| position.hash_without_ep() == hash && position.same_position(&self.board);
        self.positions.iter().filter(same).count()
    }

    fn has_moves(&self) -> bool {
        self.board.generate_moves(|_| true)
    }

    /// Bare kings, one minor piece, or bishops on squares of one colour only.
    fn has_insufficient_material(&self) -> bool {
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

    /// The first difference between a state of the relay and this game.
    pub(crate) fn contradiction(&self, state: &RelayMessage<'_>, white: &str, black: &str) -> Option<String> {
        let turn = if self.is_white_to_move() { white } else { black };
        if state.player_turn_id.as_deref() != Some(turn) {
            return Some(format!("it is the turn of {turn}, not {:?}", state.player_turn_id));
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

    /// The `board` of the message `game_state`: from a8 to h1, White's pieces positive.
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
