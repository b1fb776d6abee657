//! Boards with the brain of real ones, and hands that move real bits, against the agent: first without a socket, then with.

mod crossings;
mod desk;
mod everything;
mod sockets;
mod table;
