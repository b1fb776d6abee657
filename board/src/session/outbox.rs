use core::error::Error;
use core::fmt;

use wire::journal::SessionMemory;
use wire::link::{Event, NumberedEvent};

/// Queue of this side's numbered events, until the peer has acknowledged them.
///
/// Events up to `compacted` are no longer sent one by one: a peer that lacks one of them gets a snapshot. They stay in the queue while there is
/// room, because a snapshot of the peer may arrive first that does not include them.
#[derive(Clone, Debug)]
pub(super) struct Outbox<const N: usize> {
    stream: u64,
    /// The peer has stored all events up to this number.
    acknowledged: u32,
    compacted: u32,
    last: u32,
    /// The journal has stored all events up to this number; they may be sent.
    stored: u32,
    /// The peer may have received all events up to this number.
    sent: u32,
    /// The number at which this side last started a game; 0 if the game is the peer's.
    renewed: u32,
    /// Ring buffer: the event of a number is in the slot of that number modulo `N`. The slot of a number that was taken for a snapshot is empty.
    slots: [Option<Slot>; N],
}

#[derive(Clone, Copy, Debug)]
struct Slot {
    received_up_to: u32,
    event: Event,
}

/// The queue is full: the peer has not acknowledged events for too long. The event was not queued.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Full;

impl fmt::Display for Full {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the queue of unacknowledged events is full")
    }
}

impl Error for Full {}

impl<const N: usize> Outbox<N> {
    /// Resumes from a journal. If events are missing in it, a snapshot replaces all of them.
    pub(super) fn resume(memory: &SessionMemory, events: impl IntoIterator<Item = NumberedEvent>) -> Self {
        let SessionMemory { stream, acknowledged, compacted, last, renewed, .. } = *memory;
        let mut outbox =
            Self { stream, acknowledged, compacted, last, stored: last, sent: last, renewed, slots: [None; N] };
        for NumberedEvent { number, received_up_to, event } in events {
            // Only numbers in range: an event of an older stream must not take the slot of one of this stream.
            if outbox.has(number)
                && let Some(slot) = outbox.slot_mut(number)
            {
                *slot = Some(Slot { received_up_to, event });
            }
        }
        let first = outbox.unavailable_up_to().saturating_add(1);
        if (first..=last).any(|number| outbox.get(number).is_none()) {
            outbox.compacted = last;
        }
        outbox
    }

    pub(super) const fn stream(&self) -> u64 {
        self.stream
    }

    pub(super) const fn acknowledged(&self) -> u32 {
        self.acknowledged
    }

    pub(super) const fn compacted(&self) -> u32 {
        self.compacted
    }

    pub(super) const fn last(&self) -> u32 {
        self.last
    }

    pub(super) const fn stored(&self) -> u32 {
        self.stored
    }

    pub(super) const fn renewed(&self) -> u32 {
        self.renewed
    }

    /// Events up to this number cannot be sent one by one any more. A peer that lacks one of them gets a snapshot.
    pub(super) fn unavailable_up_to(&self) -> u32 {
        self.acknowledged.max(self.compacted)
    }

    /// Whether there is a slot for this number.
    const fn has(&self, number: u32) -> bool {
        number > self.acknowledged && number <= self.last && (self.last.saturating_sub(number) as usize) < N
    }

    fn slot_mut(&mut self, number: u32) -> Option<&mut Option<Slot>> {
        let index = (number as usize).checked_rem(N)?;
        self.slots.get_mut(index)
    }

    /// Queues an event and returns its number. `received_up_to` is the last event of the peer that was received before it.
    pub(super) fn push(&mut self, event: Event, received_up_to: u32) -> Result<u32, Full> {
        let number = self.last.checked_add(1).ok_or(Full)?;
        if self.last.saturating_sub(self.unavailable_up_to()) as usize >= N {
            return Err(Full);
        }
        *self.slot_mut(number).ok_or(Full)? = Some(Slot { received_up_to, event });
        self.last = number;
        Ok(number)
    }

    /// Replaces all queued events by a snapshot.
    pub(super) fn compact(&mut self) {
        // If no event and no snapshot was sent since the last snapshot number, that number serves for the later state of the game as well.
        if self.compacted < self.last || self.compacted <= self.sent {
            self.take_snapshot_number();
        }
    }

    /// A new game has started. It always takes a new number: the journal may have stored the last number with the game before.
    pub(super) fn force_snapshot(&mut self) {
        self.take_snapshot_number();
        self.renewed = self.last;
    }

    /// Takes a number for a snapshot, so that the peer lacks it and is sent the snapshot.
    fn take_snapshot_number(&mut self) {
        let number = self.last.saturating_add(1);
        if let Some(slot) = self.slot_mut(number) {
            *slot = None;
        }
        self.last = number;
        self.compacted = number;
    }

    /// The game of the peer has replaced this side's.
    pub(super) const fn adopt_peer_game(&mut self) {
        self.renewed = 0;
    }

    /// The journal has stored the events up to this number.
    pub(super) fn mark_stored(&mut self, last: u32) {
        self.stored = self.stored.max(last.min(self.last));
    }

    /// Events up to this number are sent. Returns whether they were sent before.
    pub(super) const fn send(&mut self, number: u32) -> bool {
        let again = number <= self.sent;
        if !again {
            self.sent = number;
        }
        again
    }

    /// The peer has stored the events up to this number.
    pub(super) fn acknowledge(&mut self, number: u32) {
        self.acknowledged = self.acknowledged.max(number.min(self.last));
    }

    /// The event of this number, if it is still queued.
    pub(super) fn get(&self, number: u32) -> Option<NumberedEvent> {
        let index = (number as usize).checked_rem(N)?;
        let Slot { received_up_to, event } = self.slots.get(index).copied().flatten()?;
        self.has(number).then_some(NumberedEvent { number, received_up_to, event })
    }

    /// The unacknowledged events that are still queued, the oldest first.
    pub(super) fn pending(&self) -> impl Iterator<Item = NumberedEvent> + '_ {
        let first = self.last.saturating_sub(N as u32).max(self.acknowledged).saturating_add(1);
        (first..=self.last).filter_map(|number| self.get(number))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HINTS: Event = Event::Hints { on: true };

    fn numbers(outbox: &Outbox<4>) -> [u32; 4] {
        let mut numbers = [0; 4];
        for (slot, event) in numbers.iter_mut().zip(outbox.pending()) {
            *slot = event.number;
        }
        numbers
    }

    fn outbox() -> Outbox<4> {
        Outbox::resume(&SessionMemory::new(7), [])
    }

    #[test]
    fn a_full_queue_rejects_events_and_loses_none() {
        let mut outbox = outbox();
        for number in 1..=4 {
            assert_eq!(outbox.push(HINTS, 0), Ok(number));
        }
        assert_eq!(outbox.push(HINTS, 0), Err(Full));
        assert_eq!(numbers(&outbox), [1, 2, 3, 4]);
        outbox.acknowledge(2);
        assert_eq!((outbox.push(HINTS, 0), outbox.push(HINTS, 0)), (Ok(5), Ok(6)));
        assert_eq!(outbox.push(HINTS, 0), Err(Full));
        assert_eq!(numbers(&outbox), [3, 4, 5, 6]);
    }

    #[test]
    fn compacted_events_stay_while_there_is_room() {
        let mut outbox = outbox();
        for _ in 0..4 {
            outbox.push(HINTS, 0).unwrap();
        }
        outbox.compact();
        assert_eq!((outbox.unavailable_up_to(), outbox.last()), (5, 5));
        assert_eq!(numbers(&outbox), [2, 3, 4, 0]);
        for number in 6..=9 {
            assert_eq!(outbox.push(HINTS, 0), Ok(number));
        }
        assert_eq!(outbox.push(HINTS, 0), Err(Full));
        assert_eq!(numbers(&outbox), [6, 7, 8, 9]);
    }

    #[test]
    fn a_snapshot_replaces_events_missing_in_the_journal() {
        let memory = SessionMemory { acknowledged: 1, last: 4, ..SessionMemory::new(7) };
        let event = |number| NumberedEvent { number, received_up_to: 0, event: HINTS };
        let whole = Outbox::<4>::resume(&memory, [1, 2, 3, 4, 9].map(event));
        assert_eq!((whole.unavailable_up_to(), numbers(&whole)), (1, [2, 3, 4, 0]));
        let gap = Outbox::<4>::resume(&memory, [2, 4].map(event));
        assert_eq!((gap.unavailable_up_to(), numbers(&gap)), (4, [2, 4, 0, 0]));
        let small = Outbox::<2>::resume(&memory, [2, 3, 4].map(event));
        assert_eq!(small.unavailable_up_to(), 4);
    }

    #[test]
    fn numbers_never_wrap() {
        let mut outbox =
            Outbox::<4>::resume(&SessionMemory { last: u32::MAX, acknowledged: u32::MAX, ..SessionMemory::new(7) }, []);
        assert_eq!(outbox.push(HINTS, 0), Err(Full));
        outbox.compact();
        assert_eq!(outbox.last(), u32::MAX);
    }
}
