//! The JSON of players over real sockets: whole games, bad manners, and the examples of docs/protocol.md.
//!
//! The relay runs in this process, behind its whole shell, on a port of its own; everything it is told comes through that.

mod client;
mod document;
mod downloads;
mod games;
mod house;
mod json;
mod manners;
mod order;
mod returning;
mod slow;
