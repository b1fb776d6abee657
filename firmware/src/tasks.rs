//! What the board does all the time, each in a task of its own. They meet in the channels of [`meeting`]; only the referee
//! decides.
//!
//! A task cannot be generic, so here are the generic functions, and `life.rs` makes tasks of them.

pub(crate) mod clock;
pub(crate) mod console;
pub(crate) mod journal;
pub(crate) mod lights;
pub(crate) mod link;
pub(crate) mod meeting;
pub(crate) mod net;
pub(crate) mod referee;
pub(crate) mod roll;
pub(crate) mod scan;
pub(crate) mod watch;
