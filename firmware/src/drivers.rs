//! Drivers for external hardware, over the traits of embedded-hal. They depend on no chip, so they are tested on the host.

pub mod flash_banks;
pub mod lan9118;
pub mod mac;
pub mod matrix;
pub mod phy;
pub mod wiring;
pub mod ws2812;

#[cfg(test)]
mod poll_once;
