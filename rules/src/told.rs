//! A told game: its rules are not here. The relay, which asks the script, tells before every turn which plies there are, what each of them does to the
//! reeds, and whether the game is over.
//!
//! What follows from a ply is not known until it is told. In between the position is *awaited*: the pieces stand as the footprint says, and
//! no ply is possible.
//!
//! - `position.rs`: a turn as it was told.
//! - `changes.rs`: footprints that do more than move one piece and capture what it lands on.
//! - `difference.rs`: the footprint of a ply, from the pieces before and after it.
//! - `text.rs`: a turn as text, for stored records.

mod changes;
mod difference;
mod position;
mod text;

pub(crate) use changes::Entries;
pub use changes::Full;
pub use difference::footprint_between;
pub use position::{Last, MAX_CHANGES, MAX_MOVES, Pieces, Position};
pub use text::PositionReadError;

/// The number of told games among the rule sets.
pub const RULES_ID: u8 = 2;
