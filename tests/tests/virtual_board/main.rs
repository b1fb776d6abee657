//! The virtual board of a relay, played by whoever has a window to it: real processes, real sockets, and hands.

mod alone;
mod emulated;
mod game;
mod hall;
mod manners;
mod window;
