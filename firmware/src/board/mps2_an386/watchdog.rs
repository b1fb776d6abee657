//! The CMSDK watchdog of the machine.

use super::registers::{
    SYSTEM_CLOCK_HZ, WATCHDOG_CONTROL, WATCHDOG_CONTROL_INTERRUPT, WATCHDOG_CONTROL_RESET, WATCHDOG_INTCLR,
    WATCHDOG_LOAD,
};
use crate::hal::Watchdog;

/// Timeout in seconds. The first timeout is a non-maskable interrupt, the second one resets the machine.
const TIMEOUT_S: u32 = 8;

pub(crate) struct EmulatedWatchdog;

/// Starts the watchdog.
pub(super) fn start() {
    WATCHDOG_LOAD.write(TIMEOUT_S * SYSTEM_CLOCK_HZ);
    WATCHDOG_CONTROL.write(WATCHDOG_CONTROL_INTERRUPT | WATCHDOG_CONTROL_RESET);
}

impl Watchdog for EmulatedWatchdog {
    fn feed(&mut self) {
        // Writing any value restarts the countdown.
        WATCHDOG_INTCLR.write(1);
    }
}
