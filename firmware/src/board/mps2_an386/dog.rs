//! The watchdog of the machine.

use super::registers::{
    SYSTEM_CLOCK_HZ, WATCHDOG_CONTROL, WATCHDOG_CONTROL_INTERRUPT, WATCHDOG_CONTROL_RESET, WATCHDOG_INTCLR,
    WATCHDOG_LOAD,
};
use crate::parts::Dog;

/// How long the board may go without being well. Then the watchdog interrupts in a way that cannot be masked, and as long
/// again after that it resets the machine.
const PATIENCE_S: u32 = 8;

pub(crate) struct EmulatedDog;

/// From now on it wants to be fed.
pub(super) fn start() {
    WATCHDOG_LOAD.write(PATIENCE_S * SYSTEM_CLOCK_HZ);
    WATCHDOG_CONTROL.write(WATCHDOG_CONTROL_INTERRUPT | WATCHDOG_CONTROL_RESET);
}

impl Dog for EmulatedDog {
    fn feed(&mut self) {
        // Any value makes it count from the beginning again.
        WATCHDOG_INTCLR.write(1);
    }
}
