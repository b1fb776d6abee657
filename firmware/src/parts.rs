//! The parts that a body is made of, as its tasks see them. A board is a choice of one of each.
//!
//! Two more are traits of others already: the network is an `embassy_net_driver::Driver`, and the console reads and writes
//! as `embedded_io_async` says.

use core::future::{self, Future};

use board::Frame;
use board::journal::{Bank, Banks};
use chess::Bitboard;

use crate::drivers::wiring::Wiring;

/// The switches under the squares.
pub trait Reeds {
    /// Reads all of them once. A square is in the set if a magnet stands on it, a1 first, h8 last.
    fn scan(&mut self) -> impl Future<Output = Bitboard>;

    /// Whether they can tell by themselves when something changes. Switches that have to be scanned to know it cannot.
    fn can_tell(&self) -> bool {
        false
    }

    /// Ends when a scan may read something else than the last one did, if they can tell.
    fn change(&mut self) -> impl Future<Output = ()> {
        future::pending()
    }

    /// Looks for faults in the wires of the switches, where there are wires.
    fn wires(&mut self) -> impl Future<Output = Option<Wiring>> {
        future::ready(None)
    }
}

/// The lights under the squares.
pub trait Lamps {
    /// Makes the lights look like this, and ends when they do.
    fn show(&mut self, frame: &Frame) -> impl Future<Output = ()>;
}

/// Where the journal is: two banks that can be read, and also erased and written.
///
/// None of it is asynchronous: a processor that runs from the same flash stands still meanwhile anyway.
pub trait Vault: Banks {
    /// Makes a whole bank `ff`, and makes sure that it reads so.
    fn erase(&mut self, bank: Bank) -> Result<(), Unwritable>;

    /// Writes bytes where nothing has been written since the bank was erased, and makes sure that they can be read. Offset
    /// and length are multiples of [`ALIGN`](wire::journal::ALIGN).
    fn write(&mut self, bank: Bank, offset: usize, bytes: &[u8]) -> Result<(), Unwritable>;
}

/// A bank could not be erased or written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unwritable;

/// A source of numbers that nobody can guess.
pub trait Dice {
    /// Fills all of these bytes.
    fn fill(&mut self, bytes: &mut [u8]);

    /// A number, any of them as likely as any other.
    fn word(&mut self) -> u32 {
        let mut bytes = [0; 4];
        self.fill(&mut bytes);
        u32::from_le_bytes(bytes)
    }
}

/// The watchdog. It resets the board when it has not been fed for some seconds.
pub trait Dog {
    /// All is well.
    fn feed(&mut self);
}

/// The light on the board itself, which shows that it is alive.
pub trait Pilot {
    /// Switches it on or off.
    fn light(&mut self, lit: bool);
}
