//! The state machine that keeps the banks up to date: appends changes, and compacts into the other bank.

use wire::journal::{BankHeader, Checksum, HEADER_LEN, MAX_FRAME, SessionMemory};

use super::bank::{Action, Bank};
use super::changes::Changes;
use super::fingerprint::Fingerprint;
use super::persistent_state::PersistentState;
use super::scan::Cursor;

/// Minimal length of a bank in bytes: enough for the longest game with all other state.
pub const MIN_BANK: usize = 64 * 1024;

/// Writes the persistent state to two banks.
///
/// The active bank has everything that was ever stored, or neither bank has anything. The spare bank is erased in advance
/// and takes over when the active bank is full; it becomes valid only when a snapshot of the whole state is complete.
#[derive(Clone, Debug)]
pub struct Journal {
    bank_len: usize,
    pub(super) active: Option<ActiveBank>,
    spare: SpareBank,
    /// Greater than the sequence in any bank header.
    next_sequence: u32,
    batch: Option<Batch>,
    pending: Option<PendingAction>,
    buffer: [u8; MAX_FRAME],
    /// The state that does not fit into an empty bank, so that it is not tried again until it changes.
    too_big: Option<Fingerprint>,
}

#[cfg(target_pointer_width = "32")]
const _: () = assert!(size_of::<Journal>() == 1_112, "docs/protocol.md states the size of a journal");

/// The bank that holds the valid state.
#[derive(Clone, Copy, Debug)]
pub(super) struct ActiveBank {
    pub(super) bank: Bank,
    /// After the last batch.
    pub(super) end: Cursor,
    /// Whether more can be appended. If not, the next change compacts into the spare bank.
    pub(super) open: bool,
    /// The stored state.
    pub(super) fingerprint: Fingerprint,
}

/// The state of the other bank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SpareBank {
    /// It must be erased before use.
    Dirty,
    /// It is erased and has no header.
    Erased,
    /// It is erased and has a header; the first frame goes here.
    Ready(Cursor),
}

/// A batch of frames in progress. All of it becomes valid with its last frame.
#[derive(Clone, Copy, Debug)]
struct Batch {
    bank: Bank,
    /// The records that are left to be written.
    changes: Changes,
    /// The stored state after the batch. The batch is abandoned if the state changes before its end.
    fingerprint: Fingerprint,
    /// Where the next frame goes.
    cursor: Cursor,
}

/// An action that was returned by [`Journal::poll`] and is not yet done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PendingAction {
    Erase(Bank),
    Header { bank: Bank, checksum: Checksum },
    Frame { bank: Bank, offset: usize, len: usize },
}

/// The next step when no batch is in progress.
enum NextStep {
    Nothing,
    PrepareSpare,
    BeginBatch { bank: Bank, changes: Changes, cursor: Cursor },
}

impl Journal {
    pub(super) const fn new(bank_len: usize, spare: SpareBank, next_sequence: u32) -> Self {
        Self {
            bank_len,
            active: None,
            spare,
            next_sequence,
            batch: None,
            pending: None,
            buffer: [0xff; MAX_FRAME],
            too_big: None,
        }
    }

    /// Returns the next action. It stays the same until it is [done](Journal::done) or has [failed](Journal::failed).
    ///
    /// Call it after every change, and again until it returns `None`. `quiet` allows an erase, which may stop the board
    /// for seconds: after the start, or when no game is in progress. If the journal cannot continue without an erase, it
    /// returns one at any time.
    pub fn poll<const N: usize>(&mut self, state: &PersistentState<'_, N>, quiet: bool) -> Option<Action<'_>> {
        if self.pending.is_none() {
            self.pending = self.next_action(state, quiet);
        }
        Some(match self.pending? {
            PendingAction::Erase(bank) => Action::Erase(bank),
            PendingAction::Header { bank, .. } => {
                Action::Write { bank, offset: 0, bytes: self.buffer.get(..HEADER_LEN).unwrap_or_default() }
            }
            PendingAction::Frame { bank, offset, len } => {
                Action::Write { bank, offset, bytes: self.buffer.get(..len).unwrap_or_default() }
            }
        })
    }

    /// Reports that the action of [`Journal::poll`] was carried out and verified.
    pub fn done(&mut self) {
        match self.pending.take() {
            None => {}
            Some(PendingAction::Erase(_)) => self.spare = SpareBank::Erased,
            Some(PendingAction::Header { checksum, .. }) => {
                self.spare = SpareBank::Ready(Cursor { offset: HEADER_LEN, checksum });
                self.next_sequence = self.next_sequence.saturating_add(1);
            }
            Some(PendingAction::Frame { .. }) => {
                if let Some(batch) = self.batch.take_if(|batch| batch.changes.is_empty()) {
                    let Batch { bank, fingerprint, cursor, .. } = batch;
                    if self.active.is_none_or(|active| active.bank != bank) {
                        self.spare = SpareBank::Dirty;
                    }
                    self.active = Some(ActiveBank { bank, end: cursor, open: true, fingerprint });
                }
            }
        }
    }

    /// Reports that the action failed. Earlier batches stay valid. Nothing more is written to this bank: the next actions
    /// use the other bank, and later this one again after an erase.
    pub fn failed(&mut self) {
        match self.pending.take() {
            None => {}
            Some(PendingAction::Erase(_) | PendingAction::Header { .. }) => self.spare = SpareBank::Dirty,
            Some(PendingAction::Frame { .. }) => self.abandon_batch(),
        }
    }

    /// How often a bank was erased, over all restarts: every bank that begins has the next sequence number.
    pub(crate) const fn erases(&self) -> u32 {
        self.next_sequence.saturating_sub(1)
    }

    /// The stored state of the session, for [`Session::mark_stored`](crate::session::Session::mark_stored).
    #[must_use]
    pub fn memory(&self) -> Option<&SessionMemory> {
        self.active.as_ref().map(|active| &active.fingerprint.session)
    }

    /// Whether the whole state is stored, except acknowledgements and clocks.
    #[must_use]
    pub fn has<const N: usize>(&self, state: &PersistentState<'_, N>) -> bool {
        self.active.is_some_and(|active| {
            Changes::between(&active.fingerprint, &Fingerprint::of_state(state), state).is_empty()
        })
    }

    /// Abandons an incomplete batch. Nothing can be written after it in the same bank.
    fn abandon_batch(&mut self) {
        if let Some(Batch { bank, .. }) = self.batch.take() {
            match &mut self.active {
                Some(active) if active.bank == bank => active.open = false,
                _ => self.spare = SpareBank::Dirty,
            }
        }
    }

    fn next_action<const N: usize>(&mut self, state: &PersistentState<'_, N>, quiet: bool) -> Option<PendingAction> {
        // While a snapshot is being received, the game is incomplete and must not be stored.
        if state.session.is_half_loaded() {
            return None;
        }
        let fingerprint = Fingerprint::of_state(state);
        if self.batch.is_some_and(|batch| !batch.fingerprint.is_same(&fingerprint)) {
            self.abandon_batch();
        }
        if self.batch.is_none() {
            match self.next_step(&fingerprint, state, quiet) {
                NextStep::Nothing => return None,
                NextStep::PrepareSpare => return self.prepare_spare(),
                NextStep::BeginBatch { bank, changes, cursor } => {
                    self.begin_batch(bank, changes, fingerprint, cursor);
                }
            }
        }
        let batch = self.batch.as_mut()?;
        let (bank, offset) = (batch.bank, batch.cursor.offset);
        let (len, cursor) = batch.changes.write_frame(state, batch.cursor, &mut self.buffer);
        batch.cursor = cursor;
        Some(PendingAction::Frame { bank, offset, len })
    }

    fn begin_batch(&mut self, bank: Bank, changes: Changes, mut fingerprint: Fingerprint, cursor: Cursor) {
        if let Some(active) = &self.active
            && !changes.includes_acknowledged()
        {
            fingerprint.session.acknowledged = active.fingerprint.session.acknowledged;
        }
        self.batch = Some(Batch { bank, changes, fingerprint, cursor });
    }

    fn next_step<const N: usize>(
        &mut self,
        fingerprint: &Fingerprint,
        state: &PersistentState<'_, N>,
        quiet: bool,
    ) -> NextStep {
        if let Some(active) = &self.active
            && active.open
        {
            let nearly_full = self.bank_len.saturating_sub(active.end.offset) < self.bank_len / 4;
            // Compact early in a quiet moment, unless the snapshot alone would fill half of the other bank.
            let compact = quiet
                && nearly_full
                && Changes::everything(state).end_offset(state, HEADER_LEN, &mut self.buffer) < self.bank_len / 2;
            let changes = Changes::between(&active.fingerprint, fingerprint, state);
            if !compact && changes.end_offset(state, active.end.offset, &mut self.buffer) <= self.bank_len {
                return if !changes.is_empty() {
                    NextStep::BeginBatch { bank: active.bank, changes, cursor: active.end }
                } else if quiet && !matches!(self.spare, SpareBank::Ready(_)) {
                    NextStep::PrepareSpare
                } else {
                    NextStep::Nothing
                };
            }
        }
        // Compact: write a snapshot of the whole state into the spare bank.
        if self.too_big.is_some_and(|too_big| too_big.is_same(fingerprint)) {
            return NextStep::Nothing;
        }
        self.too_big = None;
        let SpareBank::Ready(cursor) = self.spare else {
            return NextStep::PrepareSpare;
        };
        let changes = Changes::everything(state);
        if changes.end_offset(state, cursor.offset, &mut self.buffer) > self.bank_len {
            self.too_big = Some(*fingerprint);
            return NextStep::Nothing;
        }
        NextStep::BeginBatch { bank: self.spare_bank(), changes, cursor }
    }

    /// The next action that makes the spare bank ready: an erase, then the header.
    fn prepare_spare(&mut self) -> Option<PendingAction> {
        let bank = self.spare_bank();
        match self.spare {
            SpareBank::Dirty => Some(PendingAction::Erase(bank)),
            SpareBank::Erased => {
                let (bytes, checksum) = BankHeader { sequence: self.next_sequence }.write();
                *self.buffer.first_chunk_mut()? = bytes;
                Some(PendingAction::Header { bank, checksum })
            }
            SpareBank::Ready(_) => None,
        }
    }

    fn spare_bank(&self) -> Bank {
        self.active.map_or(Bank::A, |active| active.bank.other())
    }
}
