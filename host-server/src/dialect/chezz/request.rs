//! Decodes the texts of a client: a bare move, or one of the additional words. A refusal has the original's code.

use chess::{Color, Move, Position, Promotion, Role, Square};
use rules::Ply;

use crate::room::{Act, Phase, Room};

/// Why a text has no effect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct InvalidText {
    pub(super) code: &'static str,
    pub(super) error: String,
}

impl InvalidText {
    fn new(code: &'static str, error: &str) -> Self {
        Self { code, error: error.to_owned() }
    }
}

/// Decodes a text into an act.
pub(super) fn decode(text: &str, room: &Room, color: Option<Color>) -> Result<Act, InvalidText> {
    let number = Some(room.game().len());
    match text.trim() {
        "resign" => Ok(Act::Resign),
        "draw" => Ok(Act::OfferDraw),
        "decline" => Ok(Act::DeclineDraw),
        "abort" => Ok(Act::Abort),
        text => Ok(Act::Move { ply: Ply::of_move(movement(text, room, color)?), number }),
    }
}

fn movement(text: &str, room: &Room, color: Option<Color>) -> Result<Move, InvalidText> {
    // Later versions of the original mark an en passant capture. The mark on any other move is an error.
    let unmarked = text.strip_suffix("e.p").unwrap_or(text);
    let is_ascii = unmarked.is_ascii() && matches!(unmarked.len(), 4 | 5);
    let mv = is_ascii.then(|| unmarked.to_ascii_lowercase().parse::<Move>().ok()).flatten();
    let mv = mv
        .ok_or_else(|| InvalidText::new("UNPARSEABLE_MOVE", "A move is two squares, and a piece if a pawn promotes"))?;
    let game =
        room.game().chess().ok_or_else(|| InvalidText::new("NOT_CHESS", "The rules of this game are not chess"))?;
    let position = game.position();
    // After a game the seats may be free again, and the room may wait for players or be closed.
    match (room.phase(), room.verdict()) {
        (Phase::Playing, _) => {}
        (_, Some(_)) if position.is_checkmate() => return Err(InvalidText::new("CHECKMATE", "Game in checkmate")),
        (_, Some(_)) if position.is_stalemate() => return Err(InvalidText::new("STALEMATE", "Game in stalemate")),
        (_, Some(_)) | (Phase::Over | Phase::Closed, None) => {
            return Err(InvalidText::new("GAME_OVER", "The game is over"));
        }
        (Phase::Waiting | Phase::Counting { .. }, None) => {
            return Err(InvalidText::new("NOT_STARTED", "The game has not started yet"));
        }
    }
    let is_own = color.is_some() && position.piece_at(mv.from()).map(chess::Piece::color) == color;
    if color.is_some_and(|color| color != position.turn()) {
        return Err(InvalidText::new("NOT_YOUR_TURN", "It is not your turn"));
    }
    if !is_own {
        return Err(InvalidText::new("INVALID_PIECE_SELECTED", "No piece selected or piece not owned"));
    }
    if position.piece_at(mv.to()).map(chess::Piece::color) == color {
        return Err(InvalidText::new("INVALID_POSITION", "Move position invalid, already occupied by another piece"));
    }
    let is_misnamed = unmarked.len() < text.len() && !is_en_passant(position, mv);
    if position.play(mv).is_ok() && !is_misnamed {
        return Ok(mv);
    }
    if !is_misnamed && mv.promotion().is_none() && position.play(mv.promoting(Some(Promotion::Queen))).is_ok() {
        return Err(InvalidText::new("MOVE_MISSING_PROMOTION", "Move requires promotion"));
    }
    if !is_misnamed && is_reachable(position, mv) {
        return Err(InvalidText::new("MOVE_IN_CHECK", "Move should not result in check"));
    }
    let allowed: Vec<_> = position
        .legal_moves()
        .iter()
        .filter(|legal| legal.from() == mv.from())
        .map(|legal| legal.to().index().to_string())
        .collect();
    Err(InvalidText { code: "MOVE_NOT_ALLOWED", error: format!("Move not allowed, allowed: [{}]", allowed.join(" ")) })
}

fn is_en_passant(position: &Position, mv: Move) -> bool {
    let is_pawn = position.piece_at(mv.from()).is_some_and(|piece| piece.role() == Role::Pawn);
    is_pawn && mv.from().file() != mv.to().file() && position.en_passant() == Some(mv.to())
}

/// Whether the piece could make the move if its own king were safe. The target is not occupied by an own piece.
fn is_reachable(position: &Position, mv: Move) -> bool {
    let (from, to) = (mv.from(), mv.to());
    let Some(piece) = position.piece_at(from) else { return false };
    let coordinates = |square: Square| (square.file().index().cast_signed(), square.rank().index().cast_signed());
    let ((x, y), (to_x, to_y)) = (coordinates(from), coordinates(to));
    let (dx, dy) = (to_x - x, to_y - y);
    let is_clear = || {
        let steps = dx.abs().max(dy.abs());
        (1..steps).all(|n| {
            let (x, y) = (x + dx.signum() * n, y + dy.signum() * n);
            let index = u8::try_from(y * 8 + x).ok().and_then(Square::try_from_index);
            index.is_some_and(|square| position.piece_at(square).is_none())
        })
    };
    let is_straight = dx == 0 || dy == 0;
    let is_diagonal = dx.abs() == dy.abs();
    match piece.role() {
        Role::Knight => matches!((dx.abs(), dy.abs()), (1, 2) | (2, 1)),
        Role::King => dx.abs() <= 1 && dy.abs() <= 1,
        Role::Rook => is_straight && is_clear(),
        Role::Bishop => is_diagonal && is_clear(),
        Role::Queen => (is_straight || is_diagonal) && is_clear(),
        Role::Pawn => {
            let (forward, home) = match piece.color() {
                Color::White => (1, 1),
                Color::Black => (-1, 6),
            };
            let is_capture = position.piece_at(to).is_some() || position.en_passant() == Some(to);
            let reaches_end = to_y == 0 || to_y == 7;
            let is_step = match (dx.abs(), dy) {
                (0, dy) if dy == forward => !is_capture,
                (0, dy) if dy == 2 * forward => y == home && !is_capture && is_clear(),
                (1, dy) if dy == forward => is_capture,
                _ => false,
            };
            is_step && reaches_end == mv.promotion().is_some()
        }
    }
}

/// Decodes a text, for the fuzzer.
#[doc(hidden)]
#[must_use]
pub fn act(text: &str, room: &Room, color: Color) -> Option<Act> {
    decode(text, room, Some(color)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::test_table::TestTable;
    use crate::room::Terms;

    fn code(table: &TestTable, text: &str) -> &'static str {
        decode(text, &table.room, Some(Color::White)).unwrap_err().code
    }

    fn from(fen: &str) -> TestTable {
        let start = rules::Start::Chess(fen.parse().unwrap());
        TestTable::new(Terms { start: Some(Box::new(start)), ..Terms::default() })
    }

    /// In a room of another client, which waits for the next player as soon as a seat is free.
    #[test]
    fn the_result_of_a_game_is_sent_also_when_a_seat_is_free_again() {
        for (fen, moves, expected) in [
            ("7k/8/4Q1K1/8/8/8/8/8 w - - 0 1", "e6f7", "STALEMATE"),
            ("7k/8/6K1/8/8/8/8/1Q6 w - - 0 1", "b1b8", "CHECKMATE"),
            ("7k/8/6K1/8/8/8/8/1Q6 w - - 0 1", "b1b7", "GAME_OVER"),
        ] {
            let mut table = from(fen);
            table.plays(moves);
            if expected == "GAME_OVER" {
                table.acts(Color::Black, Act::Resign).unwrap();
            }
            assert_eq!(code(&table, "a1a2"), expected);
            table.acts(Color::Black, Act::Leave).unwrap();
            assert_eq!((table.room.phase(), code(&table, "a1a2")), (Phase::Waiting, expected), "{fen}");
            table.acts(Color::White, Act::Leave).unwrap();
            assert_eq!((table.room.phase(), code(&table, "a1a2")), (Phase::Closed, expected), "{fen}");
        }
    }

    #[test]
    fn the_mark_of_an_en_passant_capture_belongs_to_one() {
        let table = from("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1");
        assert!(decode("e5d6e.p", &table.room, Some(Color::White)).is_ok());
        assert!(decode("e5d6", &table.room, Some(Color::White)).is_ok());
        assert_eq!(code(&table, "e5e6e.p"), "MOVE_NOT_ALLOWED");
        assert_eq!(code(&table, "e5d6Qe.p"), "MOVE_NOT_ALLOWED");
    }
}
