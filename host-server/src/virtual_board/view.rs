//! The state of a board as browsers show it, as JSON.

use board::Rgb;
use chess::{Bitboard, Piece, Square};
use serde::Serialize;
use serde_json::{Value, json};

use super::pieces::{Owner, Pieces};

/// Everything that browsers show. Each browser receives the parts that changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct View {
    pub(super) pieces: Pieces,
    /// Closed reeds.
    pub(super) raw: Bitboard,
    /// Occupied squares after debouncing; empty without power.
    pub(super) settled: Bitboard,
    /// Colors of the lights, a1 first.
    pub(super) lights: Lights,
    pub(super) state: State,
}

pub(super) type Lights = [[u8; 3]; 64];

pub(super) const DARK: Lights = [[0; 3]; 64];

pub(super) fn channels(colours: &[Rgb; 64]) -> Lights {
    colours.map(Rgb::channels)
}

/// The board apart from its pieces and lights.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub(super) struct State {
    pub(super) name: String,
    /// URL of the relay's page, if the relay is another server.
    pub(super) relay: Option<String>,
    /// Code with which opponents challenge the board.
    pub(super) code: Option<String>,
    /// `virtual` for the core in this process, `emulated` for firmware in an emulator.
    pub(super) kind: &'static str,
    /// Whether the power plug is in.
    pub(super) power: bool,
    /// Whether the network plug is in.
    pub(super) network: bool,
    /// Whether the browser may pull the plugs.
    pub(super) plugs: bool,
    #[serde(flatten)]
    pub(super) report: BoardReport,
}

/// What the board's core reports.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub(super) struct BoardReport {
    /// Whether the board is connected to its relay, if known.
    #[serde(rename = "online")]
    pub(super) is_online: Option<bool>,
    /// Side to move, or the result.
    pub(super) headline: Option<String>,
    /// The meaning of the lights in words.
    pub(super) sentence: Option<String>,
    /// A piece that differs from the game's, which the reeds cannot detect.
    pub(super) mistaken: Option<String>,
    pub(super) plies: Option<usize>,
    /// The moves so far, in algebraic notation.
    pub(super) moves: Vec<String>,
    #[serde(rename = "over")]
    pub(super) is_over: bool,
    /// Color played at this board, or both.
    pub(super) seat: Option<&'static str>,
    pub(super) white: Option<String>,
    pub(super) black: Option<String>,
    /// The player's consent to hints, if known.
    pub(super) hints: Option<bool>,
    /// How long moves rest before they count, if known.
    pub(super) pace: Option<&'static str>,
    /// The computer opponent, if known.
    pub(super) computer: Option<ComputerReport>,
    /// Squares with weak magnets.
    #[serde(serialize_with = "as_list")]
    pub(super) weak: Bitboard,
}

/// The computer opponent, as it was chosen last.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub(super) struct ComputerReport {
    #[serde(rename = "on")]
    pub(super) is_on: bool,
    pub(super) level: u8,
    /// Color of the player.
    pub(super) color: String,
}

impl View {
    /// The message about the pieces, which marks the hands of this browser.
    pub(super) fn pieces_for(&self, owner: Owner) -> Value {
        let standing: String = Square::all().map(|square| self.pieces.at(square).map_or('.', Piece::letter)).collect();
        let hands: Vec<Value> = (self.pieces.held().iter())
            .map(|held| {
                json!({
                    "mine": held.owner == owner,
                    "hand": held.hand,
                    "piece": held.piece.letter(),
                    "from": held.from.map(|square| square.to_string()),
                })
            })
            .collect();
        let beside: String = self.pieces.beside().map(Piece::letter).collect();
        let spares: String = Pieces::spares().map(Piece::letter).collect();
        json!({ "type": "pieces", "standing": standing, "hands": hands, "beside": beside, "spares": spares })
    }

    /// The message about the board.
    pub(super) fn state_for(&self, may_touch: bool) -> Value {
        let mut state = serde_json::to_value(&self.state).unwrap_or_default();
        state["type"] = "board".into();
        state["touch"] = may_touch.into();
        state
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn as_list<S: serde::Serializer>(squares: &Bitboard, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(squares.squares().map(|square| square.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_the_hands_of_the_browser() {
        let mut pieces = Pieces::set_up();
        pieces.lift(1, 4, Square::E2).unwrap();
        pieces.take(2, 0, Piece::BlackQueen).unwrap();
        let (raw, settled) = (pieces.occupied(), pieces.occupied());
        let view = View { pieces, raw, settled, lights: DARK, state: State::default() };
        let message = view.pieces_for(1);
        assert_eq!(message["standing"].as_str().unwrap().len(), 64);
        assert!(message["standing"].as_str().unwrap().starts_with("RNBQKBNRPPPP.PPP...."));
        assert_eq!(message["hands"][0], json!({ "mine": true, "hand": 4, "piece": "P", "from": "e2" }));
        assert_eq!(message["hands"][1], json!({ "mine": false, "hand": 0, "piece": "q", "from": null }));
        assert_eq!(message["spares"], json!("QRBNqrbn"));
        let state = view.state_for(true);
        assert_eq!((&state["touch"], &state["online"], &state["weak"]), (&json!(true), &json!(null), &json!([])));
    }
}
