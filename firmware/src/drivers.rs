//! Drivers for what hangs on a board's pins. They know traits and no chip, so they are tested on the host.

pub mod flash_banks;
pub mod lan9118;
pub mod mac;
pub mod matrix;
pub mod wiring;
pub mod ws2812;

#[cfg(test)]
mod finished;
