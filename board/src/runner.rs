//! The one driver of a board: inputs and time in, outputs out. Firmware, virtual board and tests are thin loops around it.

use core::ops::DerefMut;

use chess::Bitboard;
use wire::link::{Ephemeral, MAX_FRAME};
use wire::pairing::Nonce;

use crate::board_core::{BoardCore, FrameScheduler, Notice};
use crate::calibration::{Calibration, LightLayout, WiredScan, Wiring};
use crate::console::{RemoteLine, Tally};
use crate::journal::{Action, Banks};
use crate::lights::Frame;
use crate::link_state::NetworkState;
use crate::profile::{Entry, Profile};
use crate::session::LinkError;
use crate::surface::Surface;
use crate::thinking::{SearchResult, ThinkCommand};
use crate::time::Instant;

/// Runs a [`BoardCore`]: [`Runner::poll`] takes one input and says what to do next.
pub struct Runner<B = &'static mut Surface, const N: usize = 256> {
    core: BoardCore<B, N>,
    lights: FrameScheduler,
    transport: Transport,
    /// A flash operation is in progress.
    flash_busy: bool,
    /// Outputs may be pending.
    pending: bool,
    /// When the link needs the next poll, as of the last poll that was not idle.
    link_wake_at: Option<Instant>,
    pub(crate) wiring: Wiring,
    pub(crate) tally: Tally,
    /// What a calibration says next.
    announcement: Option<&'static str>,
    /// The transport is to be closed with the next poll.
    closes: bool,
    buffer: [u8; MAX_FRAME],
}

/// The transport to the relay, as the caller has reported it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Transport {
    Closed,
    /// [`LinkCommand::Connect`] was given out and not answered yet.
    Connecting,
    Open,
    /// [`LinkCommand::Disconnect`] was given out and not answered yet.
    Closing,
}

/// Something that happened outside.
#[derive(Debug)]
pub enum Input<'a> {
    /// [`Output::wake_at`] was reached, or the transport can take another frame.
    Wake,
    /// One scan of all reeds, by their wires: the calibration says which wire is which square.
    Scan(Bitboard),
    /// The transport is connected. The ephemeral key must come from a cryptographic generator.
    Connected(Ephemeral),
    /// A frame has arrived. It is decrypted in place.
    Received(&'a mut [u8]),
    /// The transport is closed, or could not be opened. The random number is the jitter of the backoff, and no secret.
    Disconnected {
        #[expect(missing_docs, reason = "see the variant")]
        random: u32,
    },
    /// The transport to the pairing endpoint of a relay is connected. The secrets must come from a cryptographic generator.
    ConnectedToPair {
        #[expect(missing_docs, reason = "see the variant")]
        ephemeral: Ephemeral,
        #[expect(missing_docs, reason = "see the variant")]
        nonce: Nonce,
        /// The address of a relay that was found in the network; none for the configured one.
        found: Option<&'a str>,
    },
    /// The state of the network has changed.
    Network(NetworkState),
    /// The flash operation was carried out, or failed.
    FlashDone {
        #[expect(missing_docs, reason = "see the variant")]
        ok: bool,
    },
    /// The engine has finished the search that [`Output::think`] started.
    SearchResult(SearchResult),
}

/// What to do now. Poll again with the results, and with [`Input::Wake`] at [`Output::wake_at`].
#[derive(Debug)]
pub struct Output<'a> {
    /// Show this frame.
    pub frame: Option<Frame>,
    /// How the lights are wired that show the frame.
    pub layout: LightLayout,
    /// Send this to the relay.
    pub send: Option<&'a [u8]>,
    /// Carry out this flash operation, and poll with [`Input::FlashDone`].
    pub flash: Option<Action<'a>>,
    /// Start or give up a search of the engine, outside of this loop, and poll with [`Input::SearchResult`].
    pub think: Option<ThinkCommand>,
    /// Open or close the transport.
    pub link: Option<LinkCommand>,
    /// Execute this line with [`Runner::answer`].
    pub remote_line: Option<RemoteLine>,
    /// A game was half loaded when its connection broke: call [`Runner::reload`].
    pub reload: bool,
    /// What a received frame meant, for logs.
    pub notice: Option<Notice>,
    /// Why the connection is being closed, for logs.
    pub error: Option<LinkError>,
    /// When to poll again without any input; not after now if more output is pending.
    pub wake_at: Option<Instant>,
}

/// What to do with the transport to the relay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkCommand {
    /// Open it to the pairing endpoint of the configured relay, or of one that is found in the network, and poll with
    /// [`Input::ConnectedToPair`] or [`Input::Disconnected`].
    ConnectToPair,
    /// Open it, and poll with [`Input::Connected`] or [`Input::Disconnected`].
    Connect,
    /// Close it, and poll with [`Input::Disconnected`].
    Disconnect,
}

impl<B: DerefMut<Target = Surface>, const N: usize> Runner<B, N> {
    #[expect(missing_docs, reason = "see the type")]
    #[must_use]
    pub fn new(core: BoardCore<B, N>) -> Self {
        let calibration = Calibration::decode(Profile(core.values()).wiring());
        Self {
            core,
            lights: FrameScheduler::default(),
            transport: Transport::Closed,
            flash_busy: false,
            pending: true,
            link_wake_at: None,
            wiring: Wiring::new(calibration),
            tally: Tally::default(),
            announcement: None,
            closes: false,
            buffer: [0; MAX_FRAME],
        }
    }

    #[expect(missing_docs, reason = "a plain getter")]
    pub const fn core(&self) -> &BoardCore<B, N> {
        &self.core
    }

    /// The core, for settings and other commands of the owner. The next poll carries out what follows from them.
    pub const fn core_mut(&mut self) -> &mut BoardCore<B, N> {
        self.pending = true;
        &mut self.core
    }

    /// How switches and lights are wired.
    pub const fn calibration(&self) -> Calibration {
        self.wiring.calibration()
    }

    /// The frame that is shown.
    pub const fn shown(&self) -> &Frame {
        self.lights.shown()
    }

    /// Whether the transport is open.
    pub const fn is_connected(&self) -> bool {
        matches!(self.transport, Transport::Open)
    }

    /// Whether frames of the relay should wait for a few scans, which replay a game to the position after a takeback. A frame that does not wait takes
    /// longer.
    pub fn is_rewinding(&self) -> bool {
        self.core.is_rewinding() && !self.wiring.is_calibrating()
    }

    /// Takes in one input. `can_send` says whether the transport can take a frame now.
    pub fn poll(&mut self, input: Input<'_>, can_send: bool, now: Instant) -> Output<'_> {
        let mut error = None;
        let announced = self.announcement.take().map(Notice::Calibration);
        let notice = match self.take(input, now) {
            Ok(notice) => notice.or(announced),
            Err(failed) => {
                error = Some(failed);
                None
            }
        };
        // An idle scan ends here.
        if !self.pending && error.is_none() {
            let frame = self.next_frame(now);
            let wake_at = earlier(self.link_wake_at, self.lights.next());
            return Output {
                frame,
                layout: self.wiring.layout(),
                send: None,
                flash: None,
                think: None,
                link: None,
                remote_line: None,
                reload: false,
                notice,
                error,
                wake_at,
            };
        }
        self.pending = false;
        let mut len = 0;
        if self.transport == Transport::Open && can_send && error.is_none() {
            match self.core.transmit(&mut self.buffer, now) {
                Ok(next) => len = next.unwrap_or(0),
                Err(failed) => error = Some(failed),
            }
        }
        self.tally.link_frames = self.tally.link_frames.saturating_add(u32::from(len > 0));
        self.tally.resent = self.tally.resent.saturating_add(self.core.take_resent());
        // There may be more to send.
        self.pending |= len > 0;
        let closes = core::mem::take(&mut self.closes);
        let link = if closes || error.is_some() || matches!(notice, Some(Notice::Goodbye(_))) {
            self.disconnect()
        } else {
            self.connect(now)
        };
        let remote_line = self.core.take_remote_line();
        let frame = self.next_frame(now);
        let reload = self.core.needs_reload() && !self.flash_busy;
        self.link_wake_at = if len > 0 { Some(now) } else { self.next_link_wake() };
        let wake_at = earlier(self.link_wake_at, self.lights.next());
        let think = self.core.think(now);
        let flash = if self.flash_busy || reload { None } else { self.core.flash_operation(now) };
        self.flash_busy |= flash.is_some();
        let send = self.buffer.get(..len).filter(|frame| !frame.is_empty());
        let layout = self.wiring.layout();
        Output { frame, layout, send, flash, think, link, remote_line, reload, notice, error, wake_at }
    }

    fn take(&mut self, input: Input<'_>, now: Instant) -> Result<Option<Notice>, LinkError> {
        match input {
            Input::Scan(wired) => return Ok(self.scan(wired, now)),
            Input::Wake => {}
            Input::Connected(ephemeral) => {
                if self.transport == Transport::Connecting {
                    self.transport = Transport::Open;
                    self.tally.connections = self.tally.connections.saturating_add(1);
                    self.core.connected(ephemeral, now);
                }
            }
            Input::Received(frame) => {
                self.pending = true;
                // A frame that was on its way while the transport is being closed is dropped.
                return if self.is_connected() { self.core.receive(frame, now) } else { Ok(None) };
            }
            Input::Disconnected { random } => {
                self.transport = Transport::Closed;
                self.core.disconnected(random, now);
            }
            Input::ConnectedToPair { ephemeral, nonce, found } => {
                if self.transport == Transport::Connecting {
                    self.transport = Transport::Open;
                    self.tally.connections = self.tally.connections.saturating_add(1);
                    self.core.connected_to_pair(ephemeral, nonce, found, now);
                }
            }
            Input::Network(network) => self.core.set_network(network, now),
            Input::FlashDone { ok } => {
                self.flash_busy = false;
                self.tally.flash_operations = self.tally.flash_operations.saturating_add(1);
                self.tally.failures = self.tally.failures.saturating_add(u32::from(!ok));
                self.core.flash_done(ok);
            }
            Input::SearchResult(result) => self.core.receive_search_result(result, now),
        }
        self.pending = true;
        Ok(None)
    }

    /// Takes a scan of the wires. While a calibration runs, it is no move.
    fn scan(&mut self, wired: Bitboard, now: Instant) -> Option<Notice> {
        match self.wiring.scan(wired, now) {
            WiredScan::Squares(raw) => {
                self.pending |= self.core.scan(raw, now);
                return None;
            }
            WiredScan::Reset(raw) => {
                self.core.set_faults(self.wiring.faulty_squares());
                self.core.reset_reeds(raw, now);
            }
            WiredScan::Calibrating => return None,
            WiredScan::NextStep(text) => {
                self.pending = true;
                return Some(Notice::Calibration(text));
            }
            WiredScan::Done(text) => {
                self.store_calibration();
                return Some(Notice::Calibration(text));
            }
        }
        self.pending = true;
        None
    }

    /// Marks the squares at these wired positions as faulty, also after a calibration that moves them.
    pub fn set_faulty_positions(&mut self, wired: Bitboard) {
        self.wiring.set_faulty_positions(wired);
        let squares = self.wiring.faulty_squares();
        self.core_mut().set_faults(squares);
    }

    /// Stores the wiring in the journal; nothing for that of the documents.
    pub(crate) fn store_calibration(&mut self) {
        let calibration = self.wiring.calibration();
        let bytes = calibration.encode();
        let wiring = if calibration == Calibration::DEFAULT { &[][..] } else { &bytes[..] };
        // The bytes are fewer than a value may have, and the random number is used with a new key only.
        self.core_mut().change(
            |values| {
                let _ = Entry::Wiring(wiring).keep(values);
            },
            0,
        );
    }

    /// Reports a text with the next poll.
    pub(crate) const fn announce(&mut self, text: &'static str) {
        self.announcement = Some(text);
        self.pending = true;
    }

    fn next_frame(&mut self, now: Instant) -> Option<Frame> {
        let is_new = self.lights.poll(&mut self.core, now).is_some();
        let frame = self.wiring.frame(self.lights.shown(), is_new, self.core.settings().lights);
        self.tally.frames = self.tally.frames.saturating_add(u32::from(frame.is_some()));
        frame
    }

    fn connect(&mut self, now: Instant) -> Option<LinkCommand> {
        self.connect_at().is_some_and(|at| at <= now).then(|| {
            self.transport = Transport::Connecting;
            if self.core.is_paired() { LinkCommand::Connect } else { LinkCommand::ConnectToPair }
        })
    }

    /// When to open the transport. A half-loaded game is replaced by the stored one first: the session over a new connection would go
    /// on with it, and the events in the journal would be lost.
    fn connect_at(&self) -> Option<Instant> {
        let can_connect = self.transport == Transport::Closed && !self.core.needs_reload();
        self.core.connect_at().filter(|_| can_connect)
    }

    /// Closes the transport: the relay or the pairing key has changed, or the connection is of no use.
    pub fn disconnect(&mut self) -> Option<LinkCommand> {
        matches!(self.transport, Transport::Open | Transport::Connecting).then(|| {
            self.transport = Transport::Closing;
            LinkCommand::Disconnect
        })
    }

    /// Closes the transport with the next poll.
    pub(crate) const fn close(&mut self) {
        self.closes = true;
        self.pending = true;
    }

    /// Goes back to what the journal has stored, as [`Output::reload`] asked for.
    pub fn reload(&mut self, banks: &mut impl Banks, now: Instant) {
        self.core.reload(banks, now);
        self.pending = true;
    }

    fn next_link_wake(&self) -> Option<Instant> {
        earlier(self.core.wake_at(), self.connect_at())
    }
}

fn earlier(one: Option<Instant>, other: Option<Instant>) -> Option<Instant> {
    [one, other].into_iter().flatten().min()
}
