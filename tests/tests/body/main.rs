//! The body of the board: the real firmware on an emulated processor, with somebody at the pieces, at the other end of the
//! link, and at the plug.

mod address;
mod console;
mod journal;
mod last_words;
mod link;
mod local;
mod neighbour;
mod relay;
mod world;
