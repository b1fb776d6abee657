//! The relay session against boards that run the core of the firmware: first without a socket, then over real sockets.

mod chess_script;
mod console;
mod crossings;
mod fixture;
mod other_rules;
mod properties;
mod rules;
mod simulated_board;
mod sockets;

/// A generator of pseudo-random numbers (`SplitMix64`).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        crate::random::splitmix64(self.0)
    }
}
