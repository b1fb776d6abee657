use board::Rgb;
use chess::{Bitboard, Piece, Square};
use serde::Serialize;
use serde_json::{Value, json};

use super::wood::{Owner, Wood};

/// Everything that panels show. Each of them is told what has changed since it was last told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct View {
    pub(super) wood: Wood,
    /// What the reeds read.
    pub(super) raw: Bitboard,
    /// What they have read for long enough; nothing, if nobody has power to believe it.
    pub(super) settled: Bitboard,
    /// What the lights show, a1 first.
    pub(super) lights: Lights,
    pub(super) state: State,
}

pub(super) type Lights = [[u8; 3]; 64];

/// No light at all.
pub(super) const DARK: Lights = [[0; 3]; 64];

pub(super) fn channels(colours: &[Rgb; 64]) -> Lights {
    colours.map(Rgb::channels)
}

/// What is to be said of the board beside what is to be seen on it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub(super) struct State {
    /// What the board is called.
    pub(super) name: String,
    /// Where the page of its relay is, if that is not where this page is from.
    pub(super) relay: Option<String>,
    /// What others say to play with whoever sits at it.
    pub(super) code: Option<String>,
    /// What thinks: the brain in this process, or firmware in an emulator.
    pub(super) kind: &'static str,
    /// Whether the power plug is in.
    pub(super) power: bool,
    /// Whether the network plug is in.
    pub(super) network: bool,
    /// Whether the plugs can be pulled.
    pub(super) plugs: bool,
    #[serde(flatten)]
    pub(super) report: Report,
}

/// What the board itself says.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub(super) struct Report {
    /// Whether the relay is there, if that is known.
    #[serde(rename = "online")]
    pub(super) is_online: Option<bool>,
    /// Whose turn it is, or how the game has ended.
    pub(super) headline: Option<String>,
    /// What the lights say, in words.
    pub(super) sentence: Option<String>,
    /// What only the eye sees: a piece that is not the one the game has there.
    pub(super) mistaken: Option<String>,
    pub(super) plies: Option<usize>,
    #[serde(rename = "over")]
    pub(super) is_over: bool,
    /// Which side is played here: one, or both.
    pub(super) seat: Option<&'static str>,
    pub(super) white: Option<String>,
    pub(super) black: Option<String>,
    /// Whether whoever sits here agrees to hints, if that is known.
    pub(super) hints: Option<bool>,
    /// Squares whose magnets are weak.
    #[serde(serialize_with = "as_list")]
    pub(super) weak: Bitboard,
}

impl View {
    /// The pieces as a panel is told of them: which of the hands are its own is only its own business.
    pub(super) fn wood_for(&self, owner: Owner) -> Value {
        let standing: String = Square::all().map(|square| self.wood.at(square).map_or('.', Piece::letter)).collect();
        let hands: Vec<Value> = (self.wood.held().iter())
            .map(|held| {
                json!({
                    "mine": held.owner == owner,
                    "hand": held.hand,
                    "piece": held.piece.letter(),
                    "from": held.from.map(|square| square.to_string()),
                })
            })
            .collect();
        let beside: String = self.wood.beside().map(Piece::letter).collect();
        json!({ "type": "wood", "standing": standing, "hands": hands, "beside": beside })
    }

    /// What is to be said of the board.
    pub(super) fn state_for(&self, may_touch: bool) -> Value {
        let mut state = serde_json::to_value(&self.state).unwrap_or_default();
        state["type"] = "board".into();
        state["touch"] = may_touch.into();
        state
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "that is how it is called")]
fn as_list<S: serde::Serializer>(squares: &Bitboard, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(squares.squares().map(|square| square.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panel_is_told_which_hands_are_its_own() {
        let mut wood = Wood::set_up();
        wood.lift(1, 4, Square::E2).unwrap();
        wood.take(2, 0, Piece::BlackQueen).unwrap();
        let (raw, settled) = (wood.occupied(), wood.occupied());
        let view = View { wood, raw, settled, lights: DARK, state: State::default() };
        let told = view.wood_for(1);
        assert_eq!(told["standing"].as_str().unwrap().len(), 64);
        assert!(told["standing"].as_str().unwrap().starts_with("RNBQKBNRPPPP.PPP...."));
        assert_eq!(told["hands"][0], json!({ "mine": true, "hand": 4, "piece": "P", "from": "e2" }));
        assert_eq!(told["hands"][1], json!({ "mine": false, "hand": 0, "piece": "q", "from": null }));
        let state = view.state_for(true);
        assert_eq!((&state["touch"], &state["online"], &state["weak"]), (&json!(true), &json!(null), &json!([])));
    }
}
