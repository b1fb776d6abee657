//! The participants of a room who are connected through this relay.

use crate::room::Participant;

/// How many there are in nearly all rooms.
const PLAYERS: usize = 2;

/// The participants by their numbers, which grow. Two of them in a [`BTreeMap`](std::collections::BTreeMap) would take the memory of
/// eleven.
pub(super) struct Present(Vec<(u64, Participant)>);

impl Default for Present {
    fn default() -> Self {
        Self(Vec::with_capacity(PLAYERS))
    }
}

impl Present {
    /// Adds a participant with a larger number than all before.
    pub(super) fn insert(&mut self, number: u64, participant: Participant) {
        self.0.push((number, participant));
    }

    pub(super) fn get(&self, number: u64) -> Option<&Participant> {
        self.place(number).map(|place| &self.0[place].1)
    }

    pub(super) fn remove(&mut self, number: u64) -> Option<Participant> {
        self.place(number).map(|place| self.0.remove(place).1)
    }

    pub(super) fn all(&self) -> impl Iterator<Item = &Participant> {
        self.0.iter().map(|(_, participant)| participant)
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn place(&self, number: u64) -> Option<usize> {
        self.0.binary_search_by_key(&number, |&(number, _)| number).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn participants_are_found_by_their_numbers() {
        let mut present = Present::default();
        for (number, name) in [(1, "ann"), (2, "bob"), (5, "eve"), (6, "sam")] {
            present.insert(number, Participant::new(name.parse().unwrap()));
        }
        let name = |present: &Present, number| present.get(number).map(|participant| participant.name.to_string());
        assert_eq!((name(&present, 1), name(&present, 5)), (Some("ann".to_owned()), Some("eve".to_owned())));
        assert_eq!((name(&present, 0), name(&present, 4), name(&present, 7)), (None, None, None));
        assert_eq!(present.remove(2).unwrap().name.to_string(), "bob");
        assert!(present.remove(2).is_none() && present.remove(3).is_none());
        let names: Vec<_> = present.all().map(|participant| participant.name.to_string()).collect();
        assert_eq!((names.join(" "), present.len()), ("ann eve sam".to_owned(), 3));
    }
}
