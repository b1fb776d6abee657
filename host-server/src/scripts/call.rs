//! Calls of the functions of a script.

use chess::Color;
use serde_json::json;

use super::state::color_name;
use super::{AdditionalData, ScriptMove, ScriptPiece};

/// A call of one function of a script.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the fields are the arguments of the function")]
pub enum Call {
    /// `get_starting_state()`
    StartingState,
    /// `make_move(pieces, move, next_turn, additional_data)`
    MakeMove { pieces: Vec<ScriptPiece>, played: ScriptMove, next_turn: Color, additional_data: AdditionalData },
}

impl Call {
    /// A call of `make_move`.
    pub(super) fn make_move(
        pieces: &[ScriptPiece],
        played: ScriptMove,
        next_turn: Color,
        additional_data: &AdditionalData,
    ) -> Self {
        Self::MakeMove { pieces: pieces.to_vec(), played, next_turn, additional_data: additional_data.clone() }
    }

    /// The name of the function.
    #[must_use]
    pub const fn function(&self) -> &'static str {
        match self {
            Self::StartingState => "get_starting_state",
            Self::MakeMove { .. } => "make_move",
        }
    }

    /// The functions that the script must have: the one that is called, and at the start also the one that the game needs later.
    #[must_use]
    pub const fn functions(&self) -> &'static [&'static str] {
        match self {
            Self::StartingState => &["get_starting_state", "make_move"],
            Self::MakeMove { .. } => &["make_move"],
        }
    }

    /// The arguments as a JSON list.
    #[must_use]
    pub fn arguments(&self) -> String {
        match self {
            Self::StartingState => "[]".to_owned(),
            Self::MakeMove { pieces, played, next_turn, additional_data } => {
                let (pieces, played, turn) = (json!(pieces), json!(played), json!(color_name(*next_turn)));
                format!("[{pieces},{played},{turn},{}]", additional_data.json())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use chess::{Role, Square};

    use super::*;

    #[test]
    fn arguments_have_the_documented_format() {
        let call = Call::MakeMove {
            pieces: vec![ScriptPiece { color: Color::White, role: Role::Pawn, square: Square::E2 }],
            played: ScriptMove { from: Square::E2, to: Square::E4 },
            next_turn: Color::Black,
            additional_data: AdditionalData::parse(r#"{"b":1.0,"a":2}"#).unwrap(),
        };
        let arguments = call.arguments();
        assert!(arguments.ends_with(r#","black",{"b":1.0,"a":2}]"#), "{arguments}");
        let arguments: serde_json::Value = serde_json::from_str(&arguments).unwrap();
        assert_eq!(arguments[0], json!([{"color": "white", "name": "pawn", "x": 4, "y": 1}]));
        assert_eq!(arguments[1], json!({"from_x": 4, "from_y": 1, "to_x": 4, "to_y": 3}));
        assert_eq!(Call::StartingState.arguments(), "[]");
    }
}
