//! Interrupt dispatch. There are few interrupts, so the default handler dispatches by number, without a vector table.
#![expect(unsafe_code, reason = "cortex-m-rt defines the handler as an unsafe function")]

use cortex_m::Peripherals;
use cortex_m::interrupt::InterruptNumber;

use super::{network, time_driver, uart};
use crate::executors::{SCAN, TASKS};
use crate::fault;

/// An interrupt line of the machine.
#[derive(Clone, Copy)]
#[repr(u16)]
pub(super) enum Interrupt {
    Uart0Receive = 0,
    Uart0Transmit = 1,
    Uart1Receive = 2,
    Uart1Transmit = 3,
    Uart2Receive = 4,
    Uart2Transmit = 5,
    Timer0 = 8,
    Ethernet = 13,
    /// No device: the executor of the scan.
    Scan = 30,
    /// No device: the executor of the other tasks.
    Tasks = 31,
}

// SAFETY: these are the numbers of the machine's interrupt lines, and they never change.
unsafe impl InterruptNumber for Interrupt {
    fn number(self) -> u16 {
        self as u16
    }
}

/// The executors are below all devices, and the scan above the other tasks.
pub(super) fn set_priorities() {
    // SAFETY: nothing else uses the NVIC yet, and no critical section relies on priorities.
    unsafe {
        let mut nvic = Peripherals::steal().NVIC;
        nvic.set_priority(Interrupt::Scan, 0xc0);
        nvic.set_priority(Interrupt::Tasks, 0xe0);
    }
}

#[cortex_m_rt::exception]
unsafe fn DefaultHandler(irqn: i16) {
    match irqn {
        0 | 1 => uart::CONSOLE.on_interrupt(),
        2 | 3 => uart::SENSORS.on_interrupt(),
        4 | 5 => uart::LIGHTS.on_interrupt(),
        8 => time_driver::on_alarm(),
        13 => network::on_interrupt(),
        // SAFETY: these are the handlers of the executors' interrupts, which `InterruptExecutor::start` has unmasked.
        30 => unsafe { SCAN.on_interrupt() },
        // SAFETY: as above.
        31 => unsafe { TASKS.on_interrupt() },
        // Returning would enter the handler again at once.
        _ => panic!("no handler for interrupt {irqn}"),
    }
}

/// The first timeout of the watchdog; the second one would reset the machine.
#[cortex_m_rt::exception]
unsafe fn NonMaskableInt() -> ! {
    fault::fail(format_args!("watchdog timeout"))
}
