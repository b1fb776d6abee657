//! A board in the terminal: the same brain as on the wood, with keys for hands and colours for lights.

mod desk;
mod dial;
mod keys;
mod picture;
mod run;
mod score;
mod screen;
mod start;
mod view;
mod wood;

pub(crate) use run::run;
pub(crate) use start::Start;
