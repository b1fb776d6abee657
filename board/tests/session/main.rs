//! End-to-end tests of the link session: a board and a relay with lost frames, restarts, lost state and attacks.

mod attacks;
mod crossing;
mod exactly_once;
mod forgetting;
mod nonsense;
mod patience;
mod roll;
mod told;
#[path = "../common/told_chess.rs"]
mod told_chess;
mod world;
