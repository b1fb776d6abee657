use core::error::Error;
use core::fmt;

use wire::link::{Event, Said};

use super::memory::Memory;

/// What this side says: numbered events, kept until the other side has them.
///
/// Up to `floor` they are no longer told one by one: whoever lacks one of them is given the game as it is. They stay here
/// all the same, as long as there is room and nobody has acknowledged them, for the case that the other side's game
/// comes first and they are not in it.
#[derive(Clone, Debug)]
pub(super) struct Outbox<const N: usize> {
    stream: u64,
    /// Up to here all is in the other side's journal.
    acknowledged: u32,
    floor: u32,
    said: u32,
    /// Up to here all is in the journal, and may be sent.
    kept: u32,
    /// Up to here all may have been heard.
    sent: u32,
    /// The number at which this side last began a game; 0 if the game is the other side's.
    renewed: u32,
    /// The event of a number is in the slot of that number modulo the length. A slot is empty if there was a game of
    /// that number, and no event.
    slots: [Option<Slot>; N],
}

#[derive(Clone, Copy, Debug)]
struct Slot {
    heard: u32,
    event: Event,
}

/// There is no room for another event: the other side has not acknowledged any for too long. Nothing was said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Full;

impl fmt::Display for Full {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("too many events wait for the other side")
    }
}

impl Error for Full {}

impl<const N: usize> Outbox<N> {
    /// Goes on from what a journal has kept. If it has kept less than it should, the game has to stand in for it.
    pub(super) fn resume(memory: &Memory, events: impl IntoIterator<Item = Said>) -> Self {
        let Memory { stream, acknowledged, floor, said, renewed, .. } = *memory;
        let mut outbox = Self { stream, acknowledged, floor, said, kept: said, sent: said, renewed, slots: [None; N] };
        for Said { number, heard, event } in events {
            // Only those that are asked for, so that none of an older stream takes the place of one of this.
            if outbox.has(number)
                && let Some(slot) = outbox.slot_mut(number)
            {
                *slot = Some(Slot { heard, event });
            }
        }
        let first = outbox.told().saturating_add(1);
        if (first..=said).any(|number| outbox.get(number).is_none()) {
            outbox.floor = said;
        }
        outbox
    }

    pub(super) const fn stream(&self) -> u64 {
        self.stream
    }

    pub(super) const fn acknowledged(&self) -> u32 {
        self.acknowledged
    }

    pub(super) const fn floor(&self) -> u32 {
        self.floor
    }

    pub(super) const fn said(&self) -> u32 {
        self.said
    }

    pub(super) const fn kept(&self) -> u32 {
        self.kept
    }

    pub(super) const fn renewed(&self) -> u32 {
        self.renewed
    }

    /// Up to here nothing can be told one by one any more. Whoever lacks some of it is given the game.
    pub(super) fn told(&self) -> u32 {
        self.acknowledged.max(self.floor)
    }

    /// Whether there is a slot for this number.
    const fn has(&self, number: u32) -> bool {
        number > self.acknowledged && number <= self.said && (self.said.saturating_sub(number) as usize) < N
    }

    fn slot_mut(&mut self, number: u32) -> Option<&mut Option<Slot>> {
        let index = (number as usize).checked_rem(N)?;
        self.slots.get_mut(index)
    }

    /// Says something, having heard this much, and returns the number of it.
    pub(super) fn say(&mut self, event: Event, heard: u32) -> Result<u32, Full> {
        let number = self.said.checked_add(1).ok_or(Full)?;
        if self.said.saturating_sub(self.told()) as usize >= N {
            return Err(Full);
        }
        *self.slot_mut(number).ok_or(Full)? = Some(Slot { heard, event });
        self.said = number;
        Ok(number)
    }

    /// Tells no more events one by one.
    pub(super) fn condense(&mut self) {
        // A number of which nobody has heard yet does for what comes later as well: the game is the same.
        if self.floor < self.said || self.floor <= self.sent {
            self.mark();
        }
    }

    /// Another game has begun. That has a number of its own in any case: the journal may have kept the last one with the
    /// game before.
    pub(super) fn renew(&mut self) {
        self.mark();
        self.renewed = self.said;
    }

    /// Takes a number for the game itself, so that the other side lacks something, and is given the game.
    fn mark(&mut self) {
        let number = self.said.saturating_add(1);
        if let Some(slot) = self.slot_mut(number) {
            *slot = None;
        }
        self.said = number;
        self.floor = number;
    }

    /// The other side's game has replaced this side's.
    pub(super) const fn replaced(&mut self) {
        self.renewed = 0;
    }

    /// This much is in the journal.
    pub(super) fn keep(&mut self, said: u32) {
        self.kept = self.kept.max(said.min(self.said));
    }

    /// This much is on its way.
    pub(super) fn send(&mut self, number: u32) {
        self.sent = self.sent.max(number);
    }

    /// This much is in the other side's journal.
    pub(super) fn acknowledge(&mut self, number: u32) {
        self.acknowledged = self.acknowledged.max(number.min(self.said));
    }

    /// The event of this number, if it is still here.
    pub(super) fn get(&self, number: u32) -> Option<Said> {
        let index = (number as usize).checked_rem(N)?;
        let Slot { heard, event } = self.slots.get(index).copied().flatten()?;
        self.has(number).then_some(Said { number, heard, event })
    }

    /// Everything that is still here and not acknowledged, the oldest first.
    pub(super) fn pending(&self) -> impl Iterator<Item = Said> + '_ {
        let first = self.said.saturating_sub(N as u32).max(self.acknowledged).saturating_add(1);
        (first..=self.said).filter_map(|number| self.get(number))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HINTS: Event = Event::Hints { on: true };

    fn numbers(outbox: &Outbox<4>) -> [u32; 4] {
        let mut numbers = [0; 4];
        for (slot, said) in numbers.iter_mut().zip(outbox.pending()) {
            *slot = said.number;
        }
        numbers
    }

    fn outbox() -> Outbox<4> {
        Outbox::resume(&Memory::blank(7), [])
    }

    #[test]
    fn what_is_not_acknowledged_is_never_given_up_for_something_new() {
        let mut outbox = outbox();
        for number in 1..=4 {
            assert_eq!(outbox.say(HINTS, 0), Ok(number));
        }
        assert_eq!(outbox.say(HINTS, 0), Err(Full));
        assert_eq!(numbers(&outbox), [1, 2, 3, 4]);
        outbox.acknowledge(2);
        assert_eq!((outbox.say(HINTS, 0), outbox.say(HINTS, 0)), (Ok(5), Ok(6)));
        assert_eq!(outbox.say(HINTS, 0), Err(Full));
        assert_eq!(numbers(&outbox), [3, 4, 5, 6]);
    }

    #[test]
    fn condensed_events_stay_as_long_as_there_is_room() {
        let mut outbox = outbox();
        for _ in 0..4 {
            outbox.say(HINTS, 0).unwrap();
        }
        outbox.condense();
        assert_eq!((outbox.told(), outbox.said()), (5, 5));
        assert_eq!(numbers(&outbox), [2, 3, 4, 0]);
        for number in 6..=9 {
            assert_eq!(outbox.say(HINTS, 0), Ok(number));
        }
        assert_eq!(outbox.say(HINTS, 0), Err(Full));
        assert_eq!(numbers(&outbox), [6, 7, 8, 9]);
    }

    #[test]
    fn a_journal_that_lacks_an_event_is_made_up_for_by_the_game() {
        let memory = Memory { acknowledged: 1, said: 4, ..Memory::blank(7) };
        let said = |number| Said { number, heard: 0, event: HINTS };
        let whole = Outbox::<4>::resume(&memory, [1, 2, 3, 4, 9].map(said));
        assert_eq!((whole.told(), numbers(&whole)), (1, [2, 3, 4, 0]));
        let torn = Outbox::<4>::resume(&memory, [2, 4].map(said));
        assert_eq!((torn.told(), numbers(&torn)), (4, [2, 4, 0, 0]));
        let small = Outbox::<2>::resume(&memory, [2, 3, 4].map(said));
        assert_eq!(small.told(), 4);
    }

    #[test]
    fn numbers_end_before_they_begin_again() {
        let mut outbox =
            Outbox::<4>::resume(&Memory { said: u32::MAX, acknowledged: u32::MAX, ..Memory::blank(7) }, []);
        assert_eq!(outbox.say(HINTS, 0), Err(Full));
        outbox.condense();
        assert_eq!(outbox.said(), u32::MAX);
    }
}
