//! The link from end to end: a board and a relay, and between them everything that can go wrong.

mod attacks;
mod crossing;
mod exactly_once;
mod forgetting;
mod nonsense;
mod patience;
mod roll;
mod world;
