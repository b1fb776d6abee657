//! Hardware abstraction: the traits of the drivers that the tasks use. A board provides one implementation of each.
//!
//! Two drivers have traits of other crates: the network is an `embassy_net_driver::Driver`, and the console is
//! `embedded_io_async::{Read, Write}`.

use core::future::{self, Future};

use board::Frame;
use board::calibration::LightLayout;
use board::journal::{Bank, Banks};
use chess::Bitboard;

use crate::drivers::wiring::Wiring;

/// The reed switches under the squares.
pub trait Reeds {
    /// Reads all switches once. A square is in the set if a magnet stands on it; a1 is the lowest bit, h8 the highest.
    fn scan(&mut self) -> impl Future<Output = Bitboard>;

    /// Whether [`wait_for_change`](Reeds::wait_for_change) works. A matrix has to be scanned, so it has no change interrupt.
    fn reports_changes(&self) -> bool {
        false
    }

    /// Completes when the next scan may differ from the last one. Never completes without change reports.
    fn wait_for_change(&mut self) -> impl Future<Output = ()> {
        future::pending()
    }

    /// Checks the wiring of the switches; none if they are not wired as a matrix.
    fn check_wiring(&mut self) -> impl Future<Output = Option<Wiring>> {
        future::ready(None)
    }
}

/// The LEDs under the squares.
pub trait Leds {
    /// Shows a frame on lights that are wired like this. Completes when it has been sent.
    fn show(&mut self, frame: &Frame, layout: LightLayout) -> impl Future<Output = ()>;
}

/// The flash of the journal: two banks that are read, erased and written.
///
/// Erase and write block: a processor that runs from the same flash stalls meanwhile anyway.
pub trait Flash: Banks {
    /// Erases a bank to `ff`, and verifies that by reading it.
    fn erase(&mut self, bank: Bank) -> Result<(), FlashWriteError>;

    /// Writes bytes to erased flash, and verifies them by reading them. Offset and length are multiples of
    /// [`ALIGN`](wire::journal::ALIGN).
    fn write(&mut self, bank: Bank, offset: usize, bytes: &[u8]) -> Result<(), FlashWriteError>;
}

/// Erasing or writing a bank failed, or the verification did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FlashWriteError;

/// A cryptographic random number generator.
pub trait Rng {
    /// Fills the buffer with random bytes.
    fn fill(&mut self, bytes: &mut [u8]);

    /// A uniformly distributed number.
    fn next_u32(&mut self) -> u32 {
        let mut bytes = [0; 4];
        self.fill(&mut bytes);
        u32::from_le_bytes(bytes)
    }
}

/// The hardware watchdog. It resets the board unless it is fed every few seconds.
pub trait Watchdog {
    /// Restarts the timeout.
    fn feed(&mut self);
}

/// An LED on the circuit board that blinks while the firmware runs.
pub trait StatusLed {
    /// Switches the LED on or off.
    fn set(&mut self, lit: bool);
}

/// A counter that keeps counting while the processor stalls or masks interrupts, when the clock of embassy may not.
pub trait Stopwatch {
    /// Starts a measurement.
    fn start(&mut self) -> u32;

    /// Microseconds since the start of a measurement, which must be less than 20 s ago.
    fn elapsed_us(&self, start: u32) -> u32;
}
