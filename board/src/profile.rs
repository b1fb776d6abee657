//! The profile of a board in its journal: name, relay, key, address and settings of its owner.

use wire::link::ClockRule;

use crate::computer::Computer;
use crate::journal::{ValueError, Values};
use crate::relay_address::RelayAddress;
use crate::settings::Pace;

// Identifiers of the values in a journal. One that is no longer used is never reused, because old journals have it.
const NAME: u8 = 0;
const RELAY: u8 = 1;
const KEY: u8 = 2;
const ADDRESS: u8 = 3;
const HINTS: u8 = 4;
const RESETS: u8 = 5;
const WIRING: u8 = 6;
const COMPUTER: u8 = 7;
const PACE: u8 = 8;
const CLOCK: u8 = 9;

/// The values of a journal, by name.
#[derive(Clone, Copy, Debug)]
pub struct Profile<'a>(pub &'a Values);

impl<'a> Profile<'a> {
    /// What the owner calls the board; empty if nothing.
    #[must_use]
    pub fn name(self) -> &'a str {
        self.text(NAME).unwrap_or_default()
    }

    /// The address of the relay, as it was given.
    #[must_use]
    pub fn relay_text(self) -> Option<&'a str> {
        self.text(RELAY)
    }

    /// The address of the relay.
    #[must_use]
    pub fn relay(self) -> Option<RelayAddress<'a>> {
        RelayAddress::parse(self.relay_text()?).ok()
    }

    /// The pairing key.
    #[must_use]
    pub fn key(self) -> Option<[u8; 32]> {
        self.0.get(KEY)?.try_into().ok()
    }

    /// The board's own address, as it was given; none if it is to ask for one. What it looks like is the firmware's business.
    #[must_use]
    pub fn address_text(self) -> Option<&'a str> {
        self.text(ADDRESS)
    }

    /// Whether the owner agrees to suggested moves in games with others. The opponent has to agree as well. Where a lifted piece can go
    /// is always shown.
    #[must_use]
    pub fn hints(self) -> bool {
        self.0.get(HINTS).is_some()
    }

    /// How often the hardware was reset, by cause, as the firmware encodes it; empty if it never counted.
    #[must_use]
    pub fn resets(self) -> &'a [u8] {
        self.0.get(RESETS).unwrap_or_default()
    }

    /// How switches and lights are wired, as the firmware encodes it; empty for the wiring of the documents.
    #[must_use]
    pub fn wiring(self) -> &'a [u8] {
        self.0.get(WIRING).unwrap_or_default()
    }

    /// The computer opponent, if one was ever chosen.
    #[must_use]
    pub fn computer(self) -> Option<Computer> {
        Computer::decode(self.0.get(COMPUTER)?)
    }

    /// How long moves rest before they count.
    #[must_use]
    pub fn pace(self) -> Pace {
        match self.0.get(PACE) {
            Some([1]) => Pace::Fast,
            Some([2]) => Pace::Careful,
            _ => Pace::Normal,
        }
    }

    /// The time control of games that are played at this board alone, if the owner has set one.
    #[must_use]
    pub fn clock(self) -> Option<ClockRule> {
        let (base, increment) = self.0.get(CLOCK)?.split_first_chunk()?;
        let rule = ClockRule {
            base_ms: u32::from_le_bytes(*base),
            increment_ms: u32::from_le_bytes(increment.try_into().ok()?),
        };
        // A clock that starts at zero would end every game with its first move.
        (rule.base_ms > 0).then_some(rule)
    }

    fn text(self, id: u8) -> Option<&'a str> {
        str::from_utf8(self.0.get(id)?).ok()
    }
}

/// A value of the profile, to be stored.
#[derive(Clone, PartialEq, Eq)]
#[allow(missing_docs, reason = "each is the value of that name")]
pub enum Entry<'a> {
    Name(&'a str),
    Relay(&'a str),
    Key(Option<[u8; 32]>),
    Address(&'a str),
    Hints(bool),
    Resets(&'a [u8]),
    Wiring(&'a [u8]),
    Computer(Computer),
    Pace(Pace),
    Clock(Option<ClockRule>),
}

impl Entry<'_> {
    /// Encodes the value into `values`.
    pub fn keep(&self, values: &mut Values) -> Result<(), ValueError> {
        match self {
            Self::Name(name) => values.set(NAME, name.as_bytes()),
            Self::Relay(relay) => values.set(RELAY, relay.as_bytes()),
            Self::Key(None) => values.set(KEY, &[]),
            Self::Key(Some(key)) => values.set(KEY, key),
            Self::Address(address) => values.set(ADDRESS, address.as_bytes()),
            Self::Resets(counts) => values.set(RESETS, counts),
            Self::Wiring(wiring) => values.set(WIRING, wiring),
            Self::Computer(computer) => values.set(COMPUTER, &computer.encode()),
            Self::Pace(Pace::Normal) => values.set(PACE, &[]),
            Self::Pace(Pace::Fast) => values.set(PACE, &[1]),
            Self::Pace(Pace::Careful) => values.set(PACE, &[2]),
            Self::Clock(None) => values.set(CLOCK, &[]),
            Self::Clock(Some(rule)) => {
                let mut bytes = [0; 8];
                let times = [rule.base_ms.to_le_bytes(), rule.increment_ms.to_le_bytes()];
                for (byte, value) in bytes.iter_mut().zip(times.as_flattened()) {
                    *byte = *value;
                }
                values.set(CLOCK, &bytes)
            }
            Self::Hints(on) => values.set(HINTS, if *on { &[1] } else { &[] }),
        }
    }
}

/// Deletes the key and the address of the relay, so that the board asks a relay that it finds to be paired.
pub fn forget_pairing(values: &mut Values) {
    // Shorter values always fit.
    let _ = Entry::Key(None).keep(values).and_then(|()| Entry::Relay("").keep(values));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_board_that_forgets_its_pairing_keeps_the_rest() {
        let mut values = Values::new();
        for entry in
            [Entry::Name("kitchen"), Entry::Relay("ws://r:4000"), Entry::Key(Some([7; 32])), Entry::Hints(true)]
        {
            entry.keep(&mut values).expect("it fits");
        }
        forget_pairing(&mut values);
        let profile = Profile(&values);
        assert_eq!(
            (profile.name(), profile.key(), profile.relay_text(), profile.hints()),
            ("kitchen", None, None, true)
        );
    }

    #[test]
    fn stored_entries_are_read_back() {
        let mut values = Values::new();
        assert_eq!((Profile(&values).key(), Profile(&values).relay(), Profile(&values).name()), (None, None, ""));
        for entry in
            [Entry::Name("kitchen"), Entry::Relay("ws://r:4000"), Entry::Key(Some([7; 32])), Entry::Address("")]
        {
            entry.keep(&mut values).expect("it fits");
        }
        let profile = Profile(&values);
        assert_eq!((profile.name(), profile.key(), profile.address_text()), ("kitchen", Some([7; 32]), None));
        assert_eq!(profile.relay().map(|relay| relay.port), Some(4000));
        Entry::Key(None).keep(&mut values).expect("it fits");
        assert_eq!(Profile(&values).key(), None);
        assert_eq!(Profile(&values).pace(), Pace::Normal);
        for pace in Pace::ALL {
            Entry::Pace(pace).keep(&mut values).expect("it fits");
            assert_eq!((Profile(&values).pace(), Pace::named(pace.name())), (pace, Some(pace)));
        }
        for clock in [Some(ClockRule { base_ms: 300_000, increment_ms: 3_000 }), None] {
            Entry::Clock(clock).keep(&mut values).expect("it fits");
            assert_eq!(Profile(&values).clock(), clock);
        }
        for bytes in [&[1; 7][..], &[1; 9], &[0; 8]] {
            values.set(CLOCK, bytes).expect("it fits");
            assert_eq!(Profile(&values).clock(), None, "{bytes:?}");
        }
        for on in [true, false] {
            Entry::Hints(on).keep(&mut values).expect("it fits");
            assert_eq!(Profile(&values).hints(), on);
        }
    }
}
