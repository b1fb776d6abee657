//! Where the tasks meet.
//!
//! The referee never waits for anybody: it hands something over only where there is room. So nobody who waits for the
//! referee waits for ever.

use core::sync::atomic::AtomicU32;

use board::Frame;
use board::journal::Bank;
use chess::Bitboard;
use embassy_sync::blocking_mutex::raw::CriticalSectionRawMutex;
use embassy_sync::channel::Channel;
use embassy_sync::signal::Signal;
use embassy_sync::watch::Watch;
use heapless::{String, Vec};
use wire::journal::{MAX_FRAME as MAX_JOURNAL_FRAME, MAX_VALUE};
use wire::link::MAX_FRAME;

use crate::drivers::wiring::Wiring;

type Meeting<T, const N: usize> = Channel<CriticalSectionRawMutex, T, N>;
type Word<T> = Signal<CriticalSectionRawMutex, T>;

/// What the reeds read, and when.
pub(crate) struct Scan {
    pub(crate) raw: Bitboard,
    pub(crate) at: board::Instant,
}

/// From the scan to the referee: more than it can be late in anything that it does.
pub(crate) static SCANS: Meeting<Scan, 64> = Channel::new();
/// Scans for which the referee had no time.
pub(crate) static LOST_SCANS: AtomicU32 = AtomicU32::new(0);

/// From the console to the scan: look at the wires.
pub(crate) static CHECK_WIRES: Word<()> = Signal::new();
/// From the scan to the console: what was found, if there are wires at all.
pub(crate) static WIRES: Word<Option<Wiring>> = Signal::new();

/// From the scan to the referee: squares whose wires cannot be trusted.
pub(crate) static FAULTS: Word<Bitboard> = Signal::new();

/// From the referee to the lights. Only the last frame counts.
pub(crate) static LIGHT: Word<Frame> = Signal::new();

/// A frame of the link, and the call that it belongs to.
pub(crate) struct Letter {
    pub(crate) call: u32,
    pub(crate) frame: Vec<u8, MAX_FRAME>,
}

/// A relay to be called.
pub(crate) struct Dial {
    pub(crate) call: u32,
    pub(crate) relay: String<MAX_VALUE>,
}

/// What the link has to say to the referee.
#[expect(clippy::large_enum_variant, reason = "there is no heap to put a frame on")]
pub(crate) enum Report {
    /// There is a connection.
    Connected { call: u32 },
    /// A frame came.
    Letter(Letter),
    /// There is none any more, or there was none to be had.
    Gone { call: u32 },
    /// The network is there again, so what went wrong before says nothing.
    Network,
}

/// From the referee to the link: call this relay.
pub(crate) static DIAL: Word<Dial> = Signal::new();
/// From the referee to the link: this call is over.
pub(crate) static HANG_UP: Word<u32> = Signal::new();
/// From the referee to the link.
pub(crate) static TO_RELAY: Meeting<Letter, 2> = Channel::new();
/// From the link and the network to the referee.
pub(crate) static FROM_RELAY: Meeting<Report, 2> = Channel::new();

/// What the journal wants done to its banks.
#[expect(clippy::large_enum_variant, reason = "there is no heap to put a frame on")]
pub(crate) enum Chore {
    Erase(Bank),
    Write { bank: Bank, offset: usize, bytes: Vec<u8, MAX_JOURNAL_FRAME> },
}

/// From the referee to the journal, one at a time.
pub(crate) static CHORES: Meeting<Chore, 1> = Channel::new();
/// From the journal to the referee: whether it is done.
pub(crate) static DONE: Word<bool> = Signal::new();

/// A line that somebody has typed, known to be a command.
pub(crate) type Line = String<160>;
/// What there is to say to it.
pub(crate) type Answer = String<1024>;

/// From the console to the referee.
pub(crate) static LINES: Meeting<Line, 1> = Channel::new();
/// From the referee to the console.
pub(crate) static ANSWERS: Word<Answer> = Signal::new();

/// From the referee to the network: its address is to be what the profile says now.
pub(crate) static ADDRESS: Word<Option<crate::address::Address>> = Signal::new();
/// From the network to the link: whether it is there. The stack itself can be waited for by one task only: two would wake
/// each other for ever.
pub(crate) static NETWORK: Watch<CriticalSectionRawMutex, bool, 1> = Watch::new();
