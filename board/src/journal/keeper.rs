use wire::journal::{Check, HEAD_LEN, Head, MAX_FRAME};

use super::active::{Active, Spare};
use super::bank::{Action, Bank};
use super::batch::Batch;
use super::holdings::Holdings;
use super::mark::Mark;
use super::plan::Plan;
use super::preferences;
use super::walk::Place;
use crate::session::Memory;

/// In banks of this length there is room for the longest game that can be played, with everything beside it.
pub const MIN_BANK: usize = 64 * 1024;

/// Keeps two banks in step with what there is to keep.
///
/// At every moment one of them, the active one, has everything that was ever kept, or neither has anything. The other one,
/// the spare, is made ready to take its place; until it has everything in it, nothing of it counts.
#[derive(Clone, Debug)]
pub struct Journal {
    pub(super) bank_len: usize,
    pub(super) active: Option<Active>,
    pub(super) spare: Spare,
    /// Greater than that of any head in either bank.
    pub(super) next_sequence: u32,
    batch: Option<(Bank, Batch)>,
    doing: Option<Doing>,
    buffer: [u8; MAX_FRAME],
    /// What did not even fit in an empty bank. There is no use in trying that again.
    too_big: Option<Mark>,
}

#[cfg(target_pointer_width = "32")]
const _: () = assert!(size_of::<Journal>() == 1_088, "the size of a journal is stated in the documentation");

/// An action that has been given out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Doing {
    Erase(Bank),
    Head { bank: Bank, check: Check },
    Frame { bank: Bank, offset: usize, len: usize },
}

impl Journal {
    /// Over banks of which none counts yet.
    pub(super) const fn new(bank_len: usize, spare: Spare, next_sequence: u32) -> Self {
        Self {
            bank_len,
            active: None,
            spare,
            next_sequence,
            batch: None,
            doing: None,
            buffer: [0xff; MAX_FRAME],
            too_big: None,
        }
    }

    /// What has to be done next, if anything: it stays the same until it is [done](Journal::done).
    ///
    /// To be asked after every change, and then again until there is nothing. `quiet` is whether nobody would mind if an
    /// erasure stopped everything for a second or two, as when the board has just been switched on or a game is over;
    /// when there is no other way, a bank is erased all the same.
    pub fn poll<const N: usize>(&mut self, now: &Holdings<'_, N>, quiet: bool) -> Option<Action<'_>> {
        if self.doing.is_none() {
            self.doing = self.decide(now, quiet);
        }
        Some(match self.doing? {
            Doing::Erase(bank) => Action::Erase(bank),
            Doing::Head { bank, .. } => {
                Action::Write { bank, offset: 0, bytes: self.buffer.get(..HEAD_LEN).unwrap_or_default() }
            }
            Doing::Frame { bank, offset, len } => {
                Action::Write { bank, offset, bytes: self.buffer.get(..len).unwrap_or_default() }
            }
        })
    }

    /// The action that [`Journal::poll`] gave has been carried out, and what was written reads as it should.
    pub fn done(&mut self) {
        match self.doing.take() {
            None => {}
            Some(Doing::Erase(_)) => self.spare = Spare::Erased,
            Some(Doing::Head { check, .. }) => {
                self.spare = Spare::Ready(Place { offset: HEAD_LEN, check });
                self.next_sequence = self.next_sequence.saturating_add(1);
            }
            Some(Doing::Frame { bank, .. }) => {
                if let Some((_, batch)) = self.batch
                    && batch.is_complete()
                {
                    self.batch = None;
                    if self.active.is_none_or(|active| active.bank != bank) {
                        self.spare = Spare::Dirty;
                    }
                    self.active = Some(Active { bank, end: batch.place, open: true, mark: batch.mark });
                }
            }
        }
    }

    /// The action could not be carried out. What was written before is still good, but nothing more is written there; the
    /// next actions try the other bank, and in the end this one again.
    pub fn failed(&mut self) {
        match self.doing.take() {
            None => {}
            Some(Doing::Erase(_) | Doing::Head { .. }) => self.spare = Spare::Dirty,
            Some(Doing::Frame { .. }) => self.give_up(),
        }
    }

    /// How far the conversation has come in what is kept: this is what
    /// [`Conversation::kept`](crate::session::Conversation::kept) wants to know.
    #[must_use]
    pub fn memory(&self) -> Option<&Memory> {
        self.active.as_ref().map(|active| &active.mark.memory)
    }

    /// Whether all of this is kept, but for acknowledgements and clocks.
    #[must_use]
    pub fn has<const N: usize>(&self, now: &Holdings<'_, N>) -> bool {
        self.active.is_some_and(|active| Plan::difference(&active.mark, &mark(now), now).is_empty())
    }

    /// A batch that is not complete is worth nothing, and nothing can be written behind it.
    fn give_up(&mut self) {
        if let Some((bank, _)) = self.batch.take() {
            match &mut self.active {
                Some(active) if active.bank == bank => active.open = false,
                _ => self.spare = Spare::Dirty,
            }
        }
    }

    fn decide<const N: usize>(&mut self, now: &Holdings<'_, N>, quiet: bool) -> Option<Doing> {
        // A game that is only half there is not to be looked at.
        if now.conversation.is_torn() {
            return None;
        }
        let mark = mark(now);
        if self.batch.is_some_and(|(_, batch)| !batch.mark.is_same(&mark)) {
            self.give_up();
        }
        if self.batch.is_none() {
            match self.look(&mark, now, quiet) {
                Wanted::Nothing => return None,
                Wanted::Spare => return self.make_ready(),
                Wanted::Change { bank, plan, place } => {
                    let kept = self.active.as_ref().map(|active| &active.mark);
                    self.batch = Some((bank, Batch::new(plan, kept, mark, place)));
                }
            }
        }
        let (bank, batch) = self.batch.as_mut()?;
        let offset = batch.place.offset;
        let len = batch.next(now, &mut self.buffer);
        Some(Doing::Frame { bank: *bank, offset, len })
    }

    /// Finds out what is to be done when nothing is under way.
    fn look<const N: usize>(&mut self, mark: &Mark, now: &Holdings<'_, N>, quiet: bool) -> Wanted {
        if let Some(active) = &self.active
            && active.open
        {
            let nearly_full = self.bank_len.saturating_sub(active.end.offset) < self.bank_len / 4;
            // Unless the other bank would soon be nearly full as well.
            let leave =
                quiet && nearly_full && Plan::everything(now).end(now, HEAD_LEN, &mut self.buffer) < self.bank_len / 2;
            let plan = Plan::difference(&active.mark, mark, now);
            if !leave && plan.end(now, active.end.offset, &mut self.buffer) <= self.bank_len {
                return if !plan.is_empty() {
                    Wanted::Change { bank: active.bank, plan, place: active.end }
                } else if quiet && !matches!(self.spare, Spare::Ready(_)) {
                    Wanted::Spare
                } else {
                    Wanted::Nothing
                };
            }
        }
        // Everything goes into the other bank.
        if self.too_big.is_some_and(|too_big| too_big.is_same(mark)) {
            return Wanted::Nothing;
        }
        self.too_big = None;
        let Spare::Ready(place) = self.spare else {
            return Wanted::Spare;
        };
        let plan = Plan::everything(now);
        if plan.end(now, place.offset, &mut self.buffer) > self.bank_len {
            self.too_big = Some(*mark);
            return Wanted::Nothing;
        }
        Wanted::Change { bank: self.spare_bank(), plan, place }
    }

    /// The next step towards a spare bank that can be written to.
    fn make_ready(&mut self) -> Option<Doing> {
        let bank = self.spare_bank();
        match self.spare {
            Spare::Dirty => Some(Doing::Erase(bank)),
            Spare::Erased => {
                let (bytes, check) = Head { sequence: self.next_sequence }.write();
                *self.buffer.first_chunk_mut()? = bytes;
                Some(Doing::Head { bank, check })
            }
            Spare::Ready(_) => None,
        }
    }

    fn spare_bank(&self) -> Bank {
        self.active.map_or(Bank::A, |active| active.bank.other())
    }
}

/// What is to be done.
enum Wanted {
    Nothing,
    /// The spare bank is to be made ready.
    Spare,
    /// This is to be written there.
    Change {
        bank: Bank,
        plan: Plan,
        place: Place,
    },
}

fn mark<const N: usize>(now: &Holdings<'_, N>) -> Mark {
    let preferences = preferences::of_settings(now.settings);
    Mark::of(now.game, &now.table(), preferences, now.values, now.conversation.memory())
}
