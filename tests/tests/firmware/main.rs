//! The body of the board: the real firmware on an emulated processor, with somebody at the pieces, at the other end of the
//! link, and at the plug.

mod address;
mod calibration;
mod computer;
mod console;
mod erase;
mod fixture;
mod journal;
mod lan;
mod link;
mod link_peer;
mod local;
mod panic_record;
