//! The channels between the tasks. All of them are defined here, so that this file shows who talks to whom.
//!
//! Deadlock freedom: the main loop never blocks on a send. It uses `try_send` and `signal` only, so a task that waits for
//! the main loop always gets its answer.

use core::sync::atomic::AtomicU32;

use board::calibration::LightLayout;
use board::journal::Bank;
use board::{Frame, NetworkState, SearchResult, ThinkCommand};
use chess::Bitboard;
use embassy_sync::blocking_mutex::raw::CriticalSectionRawMutex;
use embassy_sync::channel::Channel;
use embassy_sync::signal::Signal;
use embassy_sync::watch::Watch;
use heapless::{String, Vec};
use wire::journal::{MAX_FRAME as MAX_JOURNAL_FRAME, MAX_VALUE};
use wire::link::MAX_FRAME;

use crate::drivers::wiring::Wiring;

/// A bounded queue.
type Queue<T, const N: usize> = Channel<CriticalSectionRawMutex, T, N>;
/// One slot; a new value replaces one that has not been taken.
type Slot<T> = Signal<CriticalSectionRawMutex, T>;

/// One scan of the reed switches, by wires and not by squares.
pub(crate) struct Scan {
    pub(crate) wired: Bitboard,
    pub(crate) at: board::Instant,
}

/// Scan to main loop. 64 scans are 64 ms, longer than any step of the main loop takes.
pub(crate) static SCANS: Queue<Scan, 64> = Channel::new();
/// Scans that were dropped because [`SCANS`] was full.
pub(crate) static LOST_SCANS: AtomicU32 = AtomicU32::new(0);

/// Main loop to scan: check the wiring of the reed matrix.
pub(crate) static CHECK_WIRES: Slot<()> = Signal::new();
/// Scan to main loop: the result of that check; none if this board has no reed matrix.
pub(crate) static WIRES: Slot<Option<Wiring>> = Signal::new();

/// Scan to main loop: positions whose wiring is faulty.
pub(crate) static FAULTS: Slot<Bitboard> = Signal::new();

/// A frame, and how the lights are wired that show it.
pub(crate) struct LightFrame {
    pub(crate) frame: Frame,
    pub(crate) layout: LightLayout,
}

/// Main loop to lights: the latest frame.
pub(crate) static FRAME: Slot<LightFrame> = Signal::new();

/// A frame of the link protocol, with the connection that it belongs to.
pub(crate) struct RelayFrame {
    pub(crate) connection_id: u32,
    pub(crate) frame: Vec<u8, MAX_FRAME>,
}

/// The address of a relay: `ws://host:port`.
pub(crate) type RelayUrl = String<MAX_VALUE>;

/// A request to connect to a relay. Connections are numbered, so that late events of an earlier one are recognised.
pub(crate) struct ConnectRequest {
    pub(crate) connection_id: u32,
    /// None to find a relay in the network, to be paired with it.
    pub(crate) relay: Option<RelayUrl>,
    /// Whether to connect to the pairing endpoint.
    pub(crate) to_pair: bool,
}

#[expect(clippy::large_enum_variant, reason = "there is no heap to put a frame on")]
pub(crate) enum LinkEvent {
    /// The WebSocket handshake has succeeded.
    Connected {
        connection_id: u32,
        /// The relay that was found.
        found: Option<RelayUrl>,
    },
    Received(RelayFrame),
    /// The connection has ended, or could not be made.
    Disconnected {
        connection_id: u32,
    },
    /// The state of the network has changed.
    Network(NetworkState),
}

/// Main loop to link: connect.
pub(crate) static CONNECT: Slot<ConnectRequest> = Signal::new();
/// Main loop to link: close the connection with this number.
pub(crate) static DISCONNECT: Slot<u32> = Signal::new();
/// Main loop to link: frames to send.
pub(crate) static RELAY_FRAMES: Queue<RelayFrame, 2> = Channel::new();
/// Link and network to main loop.
pub(crate) static LINK_EVENTS: Queue<LinkEvent, 2> = Channel::new();

/// Main loop to engine: what to search. A newer command makes the one before obsolete.
pub(crate) static THINK: Slot<ThinkCommand> = Signal::new();
/// Engine to main loop: the result. A newer one makes the one before obsolete.
pub(crate) static SEARCH_RESULT: Slot<SearchResult> = Signal::new();
/// Nodes of the last search.
pub(crate) static SEARCHED_NODES: AtomicU32 = AtomicU32::new(0);
/// Duration of the last search in milliseconds.
pub(crate) static SEARCH_MS: AtomicU32 = AtomicU32::new(0);

/// An operation on the journal's flash banks.
#[expect(clippy::large_enum_variant, reason = "there is no heap to put a frame on")]
pub(crate) enum FlashOperation {
    Erase(Bank),
    Write { bank: Bank, offset: usize, bytes: Vec<u8, MAX_JOURNAL_FRAME> },
}

/// Main loop to journal, one operation at a time.
pub(crate) static FLASH_OPERATIONS: Queue<FlashOperation, 1> = Channel::new();
/// Journal to main loop: whether the operation succeeded.
pub(crate) static FLASH_RESULT: Slot<bool> = Signal::new();

/// Journal to watchdog: an erase follows, which may stall the processor for seconds. The status LED stays lit meanwhile.
pub(crate) static ERASE_AHEAD: Slot<()> = Signal::new();

/// Journal and main loop to console: lines to print. A line that finds no room is lost.
pub(crate) static NOTICES: Queue<&'static str, 4> = Channel::new();

/// A console line that has been parsed as a command already.
pub(crate) type Line = String<160>;
/// The output of a console command.
pub(crate) type CommandOutput = String<1024>;

/// Console to main loop.
pub(crate) static CONSOLE_LINES: Queue<Line, 1> = Channel::new();
/// Main loop to console.
pub(crate) static ANSWERS: Slot<CommandOutput> = Signal::new();

/// Main loop to network: the configured address has changed; none means DHCP.
pub(crate) static ADDRESS: Slot<Option<board::Address>> = Signal::new();
/// Network to link: whether the network is up. The link does not ask the stack itself, because the stack registers one
/// waker only, and two waiting tasks would keep waking each other.
pub(crate) static NETWORK: Watch<CriticalSectionRawMutex, bool, 1> = Watch::new();
