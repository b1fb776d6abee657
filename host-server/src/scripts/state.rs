//! Pieces, moves and status in the format of the scripts, which is also the format of the HTTP API and of the log.

use chess::{Color, File, Rank, Role, Square};
use serde::{Deserialize, Serialize};

use super::AdditionalData;

/// A piece on the board: `{"color": "white", "name": "pawn", "x": 4, "y": 1}` is a white pawn on e2.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "PieceForm", into = "PieceForm")]
#[expect(missing_docs, reason = "the names say it")]
pub struct ScriptPiece {
    pub color: Color,
    pub role: Role,
    pub square: Square,
}

/// A possible or played move: `{"from_x": 4, "from_y": 1, "to_x": 4, "to_y": 3}` is e2-e4.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "MoveForm", into = "MoveForm")]
#[expect(missing_docs, reason = "the names say it")]
pub struct ScriptMove {
    pub from: Square,
    pub to: Square,
}

/// Whether the game goes on, as the script says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Status {
    #[serde(rename = "running")]
    Running,
    #[serde(rename = "white won")]
    WhiteWon,
    #[serde(rename = "black won")]
    BlackWon,
    #[serde(rename = "draw")]
    Draw,
}

/// A checked answer of a script. As JSON it has the keys of the scripts, with `possible_moves`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScriptAnswer {
    /// At most one on a square, in the order of the script.
    pub pieces: Vec<ScriptPiece>,
    /// Each once, in the order of the script; each starts at a piece of the side to move and ends on another square. Not empty
    /// while the game is running, and empty otherwise.
    pub possible_moves: Vec<ScriptMove>,
    /// What the script wants to have at the next call.
    pub additional_data: AdditionalData,
    /// Whether the game goes on.
    pub status: Status,
}

#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PieceForm {
    color: String,
    name: String,
    x: u8,
    y: u8,
}

#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct MoveForm {
    from_x: u8,
    from_y: u8,
    to_x: u8,
    to_y: u8,
}

impl Status {
    /// The text of the scripts.
    #[must_use]
    pub const fn text(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::WhiteWon => "white won",
            Self::BlackWon => "black won",
            Self::Draw => "draw",
        }
    }

    pub(super) fn from_text(text: &str) -> Option<Self> {
        [Self::Running, Self::WhiteWon, Self::BlackWon, Self::Draw].into_iter().find(|status| status.text() == text)
    }
}

/// The square of a column and a row, both counted from 0.
pub(super) fn square(x: u64, y: u64) -> Option<Square> {
    let index = |value: u64| u8::try_from(value).ok().filter(|value| *value < 8);
    Some(Square::new(File::from_index(index(x)?), Rank::from_index(index(y)?)))
}

pub(super) const fn color_name(color: Color) -> &'static str {
    match color {
        Color::White => "white",
        Color::Black => "black",
    }
}

pub(super) fn color_from_name(name: &str) -> Option<Color> {
    [Color::White, Color::Black].into_iter().find(|color| color_name(*color) == name)
}

pub(super) const fn role_name(role: Role) -> &'static str {
    match role {
        Role::Pawn => "pawn",
        Role::Knight => "knight",
        Role::Bishop => "bishop",
        Role::Rook => "rook",
        Role::Queen => "queen",
        Role::King => "king",
    }
}

pub(super) fn role_from_name(name: &str) -> Option<Role> {
    Role::ALL.into_iter().find(|role| role_name(*role) == name)
}

impl From<ScriptPiece> for PieceForm {
    fn from(piece: ScriptPiece) -> Self {
        Self {
            color: color_name(piece.color).to_owned(),
            name: role_name(piece.role).to_owned(),
            x: piece.square.file().index(),
            y: piece.square.rank().index(),
        }
    }
}

impl TryFrom<PieceForm> for ScriptPiece {
    type Error = &'static str;

    fn try_from(form: PieceForm) -> Result<Self, Self::Error> {
        Ok(Self {
            color: color_from_name(&form.color).ok_or("color must be 'white' or 'black'")?,
            role: role_from_name(&form.name)
                .ok_or("name must be 'pawn', 'knight', 'bishop', 'rook', 'queen' or 'king'")?,
            square: square(form.x.into(), form.y.into()).ok_or("x and y must be from 0 to 7")?,
        })
    }
}

impl From<ScriptMove> for MoveForm {
    fn from(played: ScriptMove) -> Self {
        Self {
            from_x: played.from.file().index(),
            from_y: played.from.rank().index(),
            to_x: played.to.file().index(),
            to_y: played.to.rank().index(),
        }
    }
}

impl TryFrom<MoveForm> for ScriptMove {
    type Error = &'static str;

    fn try_from(form: MoveForm) -> Result<Self, Self::Error> {
        let all = |x: u8, y: u8| square(x.into(), y.into()).ok_or("from_x, from_y, to_x and to_y must be from 0 to 7");
        Ok(Self { from: all(form.from_x, form.from_y)?, to: all(form.to_x, form.to_y)? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_and_moves_have_the_documented_format() {
        let queen = ScriptPiece { color: Color::Black, role: Role::Queen, square: Square::D8 };
        let text = r#"{"color":"black","name":"queen","x":3,"y":7}"#;
        assert_eq!(serde_json::to_string(&queen).unwrap(), text);
        assert_eq!(serde_json::from_str::<ScriptPiece>(text).unwrap(), queen);
        let played = ScriptMove { from: Square::E2, to: Square::E4 };
        let text = r#"{"from_x":4,"from_y":1,"to_x":4,"to_y":3}"#;
        assert_eq!(serde_json::to_string(&played).unwrap(), text);
        assert_eq!(serde_json::from_str::<ScriptMove>(text).unwrap(), played);
    }

    #[test]
    fn answers_are_read_as_they_are_written() {
        let text = concat!(
            r#"{"pieces":[{"color":"white","name":"king","x":4,"y":0}],"possible_moves":"#,
            r#"[{"from_x":4,"from_y":0,"to_x":4,"to_y":1}],"additional_data":{"b":1.50,"a":[]},"status":"running"}"#
        );
        let answer: ScriptAnswer = serde_json::from_str(text).unwrap();
        assert_eq!(serde_json::to_string(&answer).unwrap(), text);
        for bad in [r#"{"from_x":8,"from_y":1,"to_x":4,"to_y":3}"#, r#"{"from_x":4,"from_y":1,"to_x":4}"#] {
            assert!(serde_json::from_str::<ScriptMove>(bad).is_err(), "{bad}");
        }
    }
}
