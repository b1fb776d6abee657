//! Which driver answers which interrupt. There are few, so they are told apart here by number, not by a vector table.
#![expect(unsafe_code, reason = "cortex-m-rt defines the handler as an unsafe function")]

use cortex_m::interrupt::InterruptNumber;

use super::time_driver;

/// An interrupt line of the machine.
#[derive(Clone, Copy)]
#[repr(u16)]
pub(super) enum Interrupt {
    Timer0 = 8,
}

// SAFETY: these are the numbers of the machine's interrupt lines, and they never change.
unsafe impl InterruptNumber for Interrupt {
    fn number(self) -> u16 {
        self as u16
    }
}

#[cortex_m_rt::exception]
unsafe fn DefaultHandler(irqn: i16) {
    const TIMER0: i16 = Interrupt::Timer0 as i16;

    match irqn {
        TIMER0 => time_driver::on_alarm(),
        // Going on would mean coming back here at once and for ever.
        _ => panic!("nobody answers interrupt {irqn}"),
    }
}
