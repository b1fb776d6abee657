//! A board without a key asks a relay to be paired.

use core::ops::DerefMut;

use arrayvec::ArrayString;
use chess::Bitboard;
use wire::journal::MAX_VALUE;
use wire::link::{Ephemeral, Name};
use wire::pairing::Nonce;

use super::{BoardCore, Notice};
use crate::link_state::{LinkState, NetworkState};
use crate::pairing::{BoardPairing, PairingEvent};
use crate::profile::Entry;
use crate::session::LinkError;
use crate::surface::Surface;
use crate::time::Instant;

/// A board asks for this long after its start, in milliseconds.
const ASKING: u64 = 10 * 60 * 1000;

pub(super) struct PairingState {
    pub(super) end: BoardPairing,
    /// Until when the board asks.
    until: Instant,
    /// The relay that was found; empty if its address is configured.
    relay: ArrayString<MAX_VALUE>,
    /// Identifies the event stream to the new relay.
    stream: u64,
}

impl PairingState {
    pub(super) fn new(now: Instant) -> Self {
        Self { end: BoardPairing::new(), until: now.after(ASKING), relay: ArrayString::new(), stream: 1 }
    }
}

impl<B: DerefMut<Target = Surface>, const N: usize> BoardCore<B, N> {
    /// Whether the board has a pairing key.
    #[must_use]
    pub const fn is_paired(&self) -> bool {
        self.paired
    }

    /// The squares that the owner of the relay compares now.
    #[must_use]
    pub const fn compared_squares(&self) -> Option<Bitboard> {
        if self.paired { None } else { self.pairing.end.squares() }
    }

    /// The transport to a relay is connected, over which the board asks to be paired. `found` is the relay's address, if it is not
    /// the configured one.
    pub fn connected_to_pair(&mut self, ephemeral: Ephemeral, nonce: Nonce, found: Option<&str>, now: Instant) {
        // An address that is too long to be stored is left out; the board then finds the relay again.
        self.pairing.relay = ArrayString::from(found.unwrap_or_default()).unwrap_or_default();
        self.pairing.stream = u64::from_le_bytes(nonce.first_chunk().copied().unwrap_or_default()) | 1;
        self.pairing.end.connected(ephemeral, nonce, now);
    }

    /// When to connect to be paired: in the first minutes after the start, while there is a network and no game.
    pub(super) fn ask_at(&self) -> Option<Instant> {
        let can_ask = self.network == NetworkState::Up && self.has_no_game();
        self.pairing.end.connect_at().filter(|at| can_ask && *at < self.pairing.until)
    }

    /// Whether the lights are free for the squares of a pairing.
    fn has_no_game(&self) -> bool {
        !self.is_half_loaded() && self.info.game == 0 && self.surface.play().is_empty()
    }

    /// The first move of a game ends a pairing request: the game needs the lights.
    pub(super) fn stop_asking_in_a_game(&mut self) {
        if !self.paired && !self.has_no_game() {
            self.pairing.end.stop();
            self.surface.compare(None);
            self.show_link_state();
        }
    }

    pub(super) fn receive_pairing(&mut self, frame: &mut [u8], now: Instant) -> Result<Option<Notice>, LinkError> {
        let notice = match self.pairing.end.receive(frame, now)? {
            None => return Ok(None),
            Some(PairingEvent::Compare(squares)) => {
                self.surface.compare(Some(squares));
                Notice::Compare(squares)
            }
            Some(PairingEvent::Accepted { key, name }) => {
                self.keep_pairing(key, name);
                if let Some(squares) = self.pairing.end.squares() {
                    self.surface.show_paired(squares, now);
                }
                Notice::Paired
            }
            Some(PairingEvent::Declined) => {
                self.surface.compare(None);
                Notice::Declined
            }
        };
        self.show_link_state();
        Ok(Some(notice))
    }

    fn keep_pairing(&mut self, key: [u8; 32], name: Name) {
        let relay = self.pairing.relay;
        let keep = |values: &mut _| {
            if !relay.is_empty() {
                // It is as long as a value may be, at most.
                let _ = Entry::Relay(&relay).keep(values);
            }
            // Both are shorter than the longest value.
            let _ = Entry::Name(&name).keep(values);
            let _ = Entry::Key(Some(key)).keep(values);
        };
        self.change(keep, self.pairing.stream);
    }

    /// Shows the state of the connection to the relay.
    pub(super) fn show_link_state(&mut self) {
        let state = self.link_state();
        self.surface.set_link_state(state);
        self.dirty = true;
    }

    /// The state of the connection to the relay.
    #[must_use]
    pub fn link_state(&self) -> LinkState {
        match self.network {
            _ if self.is_online() || self.pairing.end.is_open() => LinkState::Quiet,
            NetworkState::Unplugged | NetworkState::NoAddress if self.paired => LinkState::NoAddress,
            NetworkState::Up if self.paired && self.is_refused => LinkState::WrongKey,
            NetworkState::Up if self.paired => LinkState::NoRelay,
            NetworkState::NoAddress if self.has_no_game() => LinkState::NoAddress,
            NetworkState::Up if self.pairing.end.has_failed() && self.ask_at().is_some() => LinkState::NoRelay,
            // A board that plays without a network lacks nothing.
            NetworkState::Unplugged | NetworkState::NoAddress | NetworkState::Up => LinkState::Quiet,
        }
    }
}
