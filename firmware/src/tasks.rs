//! The tasks of the firmware. They communicate by the channels in [`channels`], and only the main loop changes the state of
//! the board.
//!
//! An embassy task cannot be generic, so these are generic functions, and `startup.rs` wraps them in tasks.

pub(crate) mod channels;
pub(crate) mod clock;
pub(crate) mod console;
pub(crate) mod engine;
pub(crate) mod journal;
pub(crate) mod lights;
pub(crate) mod link;
pub(crate) mod liveness;
pub(crate) mod main_loop;
pub(crate) mod net;
pub(crate) mod scan;
pub(crate) mod watchdog;
