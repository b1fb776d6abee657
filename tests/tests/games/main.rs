//! Whole games on the firmware in QEMU through a relay, against a JSON player. The lights are checked against the oracle of
//! `scenes.rs` at every step.

mod captures;
mod castling;
mod endings;
mod fake_relay;
mod faults;
mod fixture;
mod noisy_switches;
mod promotions;
mod sixteen_boards;
mod takebacks;
