//! What each fuzz target checks. A function that returns has found nothing wrong; one that panics has.

mod chessata;
// The same judges as in the tests of the rules.
#[path = "../../chess/tests/rules/judges.rs"]
#[allow(dead_code, unreachable_pub, reason = "the tests use all of it")]
mod judges;
mod layout;
mod link;
mod notation;
mod rules;

use chess::{Game, Move};

pub use chessata::chessata;
pub use layout::{damage, layout};
pub use link::link;
pub use notation::notation;
pub use rules::rules;

/// The name of a target, which is also the name of the folder of its seeds, and what it checks.
pub type Target = (&'static str, fn(&[u8]));

/// Every target.
pub const TARGETS: [Target; 6] = [
    ("chessata", chessata),
    ("damage", damage),
    ("layout", layout),
    ("link", link),
    ("notation", notation),
    ("rules", rules),
];

/// The legal move that a byte stands for, if the game goes on.
fn choose(game: &Game, byte: u8) -> Option<Move> {
    let legal = game.position().legal_moves();
    if game.outcome().is_some() { None } else { legal.get(usize::from(byte) % legal.len()).copied() }
}
