//! The checks of the fuzz targets. A failed check panics.

mod chessata;
mod dialects;
mod genome;
// The reference engines of the tests of `chess`.
mod layout;
mod link;
mod notation;
mod pairing;
#[path = "../../chess/tests/rules/reference_engines.rs"]
#[allow(dead_code, unreachable_pub, reason = "the tests use all of it")]
mod reference_engines;
mod rules;
mod scripts;
mod table;
mod turn;

use chess::{Game, Move};

pub use chessata::chessata;
pub use dialects::{chezz, livechess, socketio};
pub use genome::genome;
pub use layout::{damage, layout};
pub use link::link;
pub use notation::notation;
pub use pairing::pairing;
pub use rules::rules;
pub use scripts::scripts;
pub use turn::turn;

/// The name of a target, which is also the name of its seed folder, and its check.
pub type Target = (&'static str, fn(&[u8]));

/// Every target.
pub const TARGETS: [Target; 13] = [
    ("chessata", chessata),
    ("chezz", chezz),
    ("damage", damage),
    ("genome", genome),
    ("layout", layout),
    ("link", link),
    ("livechess", livechess),
    ("notation", notation),
    ("pairing", pairing),
    ("rules", rules),
    ("scripts", scripts),
    ("socketio", socketio),
    ("turn", turn),
];

/// The legal move that a byte selects; `None` if the game is over.
fn choose(game: &Game, byte: u8) -> Option<Move> {
    let legal = game.position().legal_moves();
    if game.outcome().is_some() { None } else { legal.get(usize::from(byte) % legal.len()).copied() }
}
