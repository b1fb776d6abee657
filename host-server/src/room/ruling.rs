//! What a rule script has answered, as the log stores it. So a game can be shown, resumed and ended without the script.

use std::fmt::Write as _;
use std::sync::Arc;

use chess::{Color, Piece, Square};
use rules::told::{MAX_MOVES, Pieces, Position};
use rules::{Ply, Verdict, Why};
use serde::{Deserialize, Serialize};

use crate::scripts::{AdditionalData, MAX_DATA, ScriptAnswer, ScriptMove, ScriptPiece, Status};

/// After this many plies a game is drawn, unless the script has ended it before.
pub const MAX_TOLD_PLIES: u16 = 200;

/// What an answer takes in the log besides its data, of all pieces, and of all moves, in bytes, about.
const FIXED_SIZE: usize = 64;
const PIECE_SIZE: usize = 4;
const MOVE_SIZE: usize = 5;

/// The largest [`Ruling::size`].
pub(super) const LARGEST_RULING: usize = FIXED_SIZE + 64 * PIECE_SIZE + MAX_MOVES * MOVE_SIZE + MAX_DATA;

/// An answer of a script.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "RulingRepr", into = "RulingRepr")]
pub struct Ruling(Arc<ScriptAnswer>);

/// Why an answer cannot be the turn of a game, although the script may give it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a turn has at most {MAX_MOVES} moves, not {0}")]
pub struct TooManyMoves(usize);

impl Ruling {
    /// Takes a checked answer.
    pub fn new(answer: ScriptAnswer) -> Result<Self, TooManyMoves> {
        match answer.possible_moves.len() {
            ..=MAX_MOVES => Ok(Self(Arc::new(answer))),
            count => Err(TooManyMoves(count)),
        }
    }

    /// The answer itself.
    #[must_use]
    pub fn answer(&self) -> &ScriptAnswer {
        &self.0
    }

    /// What the answer takes in the log, in bytes, about.
    #[must_use]
    pub fn size(&self) -> usize {
        let ScriptAnswer { pieces, possible_moves, additional_data, .. } = self.answer();
        FIXED_SIZE + PIECE_SIZE * pieces.len() + MOVE_SIZE * possible_moves.len() + additional_data.json().len()
    }

    /// The turn after this many plies, without the ply that led to it.
    #[must_use]
    pub fn turn(&self, number: u16) -> Position {
        let answer = self.answer();
        let mut pieces: Pieces = [None; 64];
        for &ScriptPiece { color, role, square } in &answer.pieces {
            pieces[usize::from(square.index())] = Some(Piece::new(color, role));
        }
        let to_move = if number.is_multiple_of(2) { Color::White } else { Color::Black };
        let mut turn = Position::new(number, to_move, &pieces);
        if let Some(verdict) = self.verdict(number) {
            return turn.ended(verdict);
        }
        for &ScriptMove { from, to } in &answer.possible_moves {
            // There are not more moves than a turn has room for.
            let _ = turn.add(Ply::new(from, to));
        }
        turn
    }

    fn verdict(&self, number: u16) -> Option<Verdict> {
        let won = |winner| Verdict::Won { winner, why: Why::Rules };
        match self.answer().status {
            Status::Running => (number >= MAX_TOLD_PLIES).then_some(Verdict::Drawn(Why::Rules)),
            Status::WhiteWon => Some(won(Color::White)),
            Status::BlackWon => Some(won(Color::Black)),
            Status::Draw => Some(Verdict::Drawn(Why::Rules)),
        }
    }
}

/// An answer in the log: each piece as its letter and its square, each move as its two squares, in the order of the script.
#[derive(Serialize, Deserialize)]
struct RulingRepr {
    pieces: String,
    moves: String,
    data: AdditionalData,
    status: Status,
}

impl From<Ruling> for RulingRepr {
    fn from(ruling: Ruling) -> Self {
        let ScriptAnswer { pieces, possible_moves, additional_data, status } = ruling.answer();
        let mut texts = [String::new(), String::new()];
        let [piece_text, move_text] = &mut texts;
        // Writing to a string never fails.
        for &ScriptPiece { color, role, square } in pieces {
            let space = if piece_text.is_empty() { "" } else { " " };
            let _ = write!(piece_text, "{space}{}{square}", Piece::new(color, role).letter());
        }
        for &ScriptMove { from, to } in possible_moves {
            let space = if move_text.is_empty() { "" } else { " " };
            let _ = write!(move_text, "{space}{from}{to}");
        }
        let [pieces, moves] = texts;
        Self { pieces, moves, data: additional_data.clone(), status: *status }
    }
}

impl TryFrom<RulingRepr> for Ruling {
    type Error = String;

    fn try_from(RulingRepr { pieces, moves, data, status }: RulingRepr) -> Result<Self, String> {
        let piece = |text: &str| {
            let wrong = || format!("{text:?} is not a piece and its square");
            let (letter, square) = text.split_at_checked(1).ok_or_else(wrong)?;
            let piece = letter.chars().next().and_then(Piece::from_letter).ok_or_else(wrong)?;
            let square: Square = square.parse().map_err(|_| wrong())?;
            Ok::<_, String>(ScriptPiece { color: piece.color(), role: piece.role(), square })
        };
        let played = |text: &str| {
            let ply: Ply = text.parse().map_err(|error| format!("{text:?} is not a move: {error}"))?;
            Ok::<_, String>(ScriptMove { from: ply.from(), to: ply.to() })
        };
        let answer = ScriptAnswer {
            pieces: pieces.split_ascii_whitespace().map(piece).collect::<Result<_, _>>()?,
            possible_moves: moves.split_ascii_whitespace().map(played).collect::<Result<_, _>>()?,
            additional_data: data,
            status,
        };
        Self::new(answer).map_err(|error| error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ruling(text: &str) -> Ruling {
        serde_json::from_str(text).unwrap()
    }

    #[test]
    fn is_stored_in_the_order_of_the_script() {
        let text = r#"{"pieces":"Ke1 qd8 Pa2","moves":"e1e2 a2a4","data":{"b":1.50,"a":[]},"status":"running"}"#;
        let stored = ruling(text);
        assert_eq!(serde_json::to_string(&stored).unwrap(), text);
        let turn = stored.turn(4);
        assert_eq!((turn.number(), turn.to_move(), turn.told_plies().len()), (4, Color::White, 2));
        for wrong in ["Ke1 xd8", "Ke9", "K", "é1"] {
            let text = format!(r#"{{"pieces":"{wrong}","moves":"","data":null,"status":"draw"}}"#);
            assert!(serde_json::from_str::<Ruling>(&text).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_game_is_drawn_after_200_plies_unless_the_script_has_ended_it() {
        let running = ruling(r#"{"pieces":"Ke1","moves":"e1e2","data":null,"status":"running"}"#);
        assert_eq!(running.turn(198).verdict(), None);
        assert_eq!(running.turn(MAX_TOLD_PLIES).verdict(), Some(Verdict::Drawn(Why::Rules)));
        let won = ruling(r#"{"pieces":"Ke1","moves":"","data":null,"status":"white won"}"#);
        let white = Some(Verdict::Won { winner: Color::White, why: Why::Rules });
        assert_eq!(won.turn(MAX_TOLD_PLIES).verdict(), white);
    }
}
