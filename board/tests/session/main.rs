//! End-to-end tests of the link session: a board and a relay with lost frames, restarts, lost state and attacks.

mod attacks;
mod crossing;
mod exactly_once;
mod growing_sheet;
mod lost_state;
mod random_messages;
mod timeouts;
mod told;
#[path = "../common/told_chess.rs"]
mod told_chess;
mod world;
