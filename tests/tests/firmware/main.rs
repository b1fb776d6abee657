//! The real firmware on an emulated processor, with a simulated player at its switches and lights, at the other end of the
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
mod mdns;
mod owned_relay;
mod owner_board;
mod pairing;
mod panic_record;
