//! Detects that the store has another history of a room than this relay has applied.

use std::collections::VecDeque;

use crate::room::Entry;
use crate::store::Head;

/// How many of the last write ids are known. Signals about older entries are late, and mean nothing.
const RECENT: usize = 16;

/// The end of the log that this relay has applied.
#[derive(Debug)]
pub(super) struct KnownLog {
    version: u64,
    /// The write ids of the last entries, oldest first.
    recent: VecDeque<u64>,
}

impl KnownLog {
    pub(super) fn new(log: &[Entry]) -> Self {
        let mut known = Self { version: 0, recent: VecDeque::new() };
        known.add(log);
        known
    }

    pub(super) fn add(&mut self, entries: &[Entry]) {
        self.version = self.version.saturating_add(entries.len() as u64);
        for entry in entries.iter().skip(entries.len().saturating_sub(RECENT)) {
            if self.recent.len() == RECENT {
                self.recent.pop_front();
            }
            self.recent.push_back(entry.write_id);
        }
    }

    pub(super) fn head(&self) -> Head {
        Head { version: self.version, write_id: self.recent.back().copied().unwrap_or(0) }
    }

    /// Whether a head that another relay announces is one that this relay has applied. If not, the log must be loaded: it has
    /// grown, or has another history.
    pub(super) fn contains(&self, head: Head) -> bool {
        let Some(behind) = self.version.checked_sub(head.version) else { return false };
        let place =
            usize::try_from(behind).ok().and_then(|behind| self.recent.len().checked_sub(behind.checked_add(1)?));
        // An entry before those that are known was applied long ago.
        place.and_then(|place| self.recent.get(place)).is_none_or(|&write_id| write_id == head.write_id)
    }

    /// Separates the last known entry from the entries after it. If it is missing or is another one, all loaded entries are the error: the
    /// log has another history, or the entry was deleted when the room was closed.
    pub(super) fn new_entries(&self, mut loaded: Vec<Entry>) -> Result<Vec<Entry>, Vec<Entry>> {
        if loaded.first().is_none_or(|entry| entry.write_id != self.head().write_id) {
            return Err(loaded);
        }
        loaded.remove(0);
        Ok(loaded)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::room::{Fact, Time};

    fn entry(write_id: u64) -> Entry {
        Entry { at: Time(0), write_id, from: None, fact: Fact::CountdownStopped }
    }

    fn head(version: u64, write_id: u64) -> Head {
        Head { version, write_id }
    }

    #[test]
    fn a_head_is_known_if_its_entry_was_applied() {
        let mut known = KnownLog::new(&[entry(10)]);
        known.add(&[entry(20), entry(30)]);
        assert_eq!(known.head(), head(3, 30));
        for applied in [head(1, 10), head(2, 20), head(3, 30)] {
            assert!(known.contains(applied), "{applied:?}");
        }
        for other in [head(1, 11), head(2, 30), head(3, 31), head(4, 40)] {
            assert!(!known.contains(other), "{other:?}");
        }
    }

    #[test]
    fn late_signals_about_old_entries_are_known() {
        let known = KnownLog::new(&(1..=100).map(entry).collect::<Vec<_>>());
        assert!(known.contains(head(3, 3)) && known.contains(head(84, 84)));
        assert!(!known.contains(head(90, 1)));
        assert_eq!(known.head(), head(100, 100));
    }

    #[test]
    fn loaded_entries_must_begin_with_the_last_known_one() {
        let known = KnownLog::new(&[entry(10), entry(20)]);
        assert_eq!(known.new_entries(vec![entry(20), entry(30)]), Ok(vec![entry(30)]));
        let other = vec![entry(21), entry(30)];
        assert_eq!(known.new_entries(other.clone()), Err(other));
        assert_eq!(known.new_entries(vec![]), Err(vec![]));
    }
}
