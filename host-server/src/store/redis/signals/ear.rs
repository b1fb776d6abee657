//! Those who listen.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::mpsc;

use super::Order;
use crate::room::RoomId;
use crate::store::{Signal, Unlisten};

/// So many signals may wait to be taken in. Whoever is further behind is told that something was missed.
const WAITING: usize = 64;

/// Everybody who listens, by room.
#[derive(Debug, Default)]
pub(super) struct Ears {
    by_room: Mutex<HashMap<RoomId, Vec<Ear>>>,
}

#[derive(Debug)]
struct Ear {
    number: u64,
    signals: mpsc::Sender<Signal>,
    /// A place that is kept for [`Signal::Lost`]. While there is none, that signal is still waiting to be taken in.
    last_place: Option<mpsc::OwnedPermit<Signal>>,
}

impl Ears {
    /// Somebody new, by number.
    pub(super) fn add(&self, room: RoomId) -> (u64, mpsc::Receiver<Signal>) {
        let (signals, receiver) = mpsc::channel(WAITING);
        let number = crate::dice::roll();
        let last_place = signals.clone().try_reserve_owned().ok();
        self.lock().entry(room).or_default().push(Ear { number, signals, last_place });
        (number, receiver)
    }

    fn remove(&self, room: RoomId, number: u64) {
        let mut by_room = self.lock();
        if let Some(ears) = by_room.get_mut(&room) {
            ears.retain(|ear| ear.number != number);
            if ears.is_empty() {
                by_room.remove(&room);
            }
        }
    }

    pub(super) fn has(&self, room: RoomId) -> bool {
        self.lock().contains_key(&room)
    }

    pub(super) fn rooms(&self) -> Vec<RoomId> {
        self.lock().keys().copied().collect()
    }

    pub(super) fn tell(&self, room: RoomId, signal: &Signal) {
        for ear in self.lock().get_mut(&room).into_iter().flatten() {
            ear.tell(signal);
        }
    }

    pub(super) fn tell_all(&self, signal: &Signal) {
        for ear in self.lock().values_mut().flatten() {
            ear.tell(signal);
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<RoomId, Vec<Ear>>> {
        self.by_room.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Ear {
    fn tell(&mut self, signal: &Signal) {
        if self.last_place.is_none() {
            self.last_place = self.signals.clone().try_reserve_owned().ok();
        }
        if self.signals.try_send(signal.clone()).is_err()
            && let Some(place) = self.last_place.take()
        {
            place.send(Signal::Lost);
        }
    }
}

/// Ends the listening when it is dropped.
#[derive(Debug)]
pub(super) struct Guard {
    pub(super) ears: Arc<Ears>,
    pub(super) orders: mpsc::UnboundedSender<Order>,
    pub(super) room: RoomId,
    pub(super) number: u64,
}

impl Unlisten for Guard {}

impl Drop for Guard {
    fn drop(&mut self) {
        self.ears.remove(self.room, self.number);
        // If the task is gone, so is what it would have to undo.
        let _ = self.orders.send(Order::Unsubscribe(self.room));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROOM: RoomId = RoomId(7);

    #[test]
    fn whoever_is_behind_learns_that_something_was_missed() {
        let ears = Ears::default();
        let (_, mut signals) = ears.add(ROOM);
        for number in 0..1000 {
            ears.tell(ROOM, &Signal::Grown(number));
        }
        let mut heard = Vec::new();
        while let Ok(signal) = signals.try_recv() {
            heard.push(signal);
        }
        assert_eq!(heard.len(), WAITING);
        assert_eq!(heard.last(), Some(&Signal::Lost));

        // And it does so again.
        for number in 0..1000 {
            ears.tell(ROOM, &Signal::Grown(number));
        }
        let mut heard = Vec::new();
        while let Ok(signal) = signals.try_recv() {
            heard.push(signal);
        }
        assert_eq!(heard.first(), Some(&Signal::Grown(0)));
        assert_eq!(heard.last(), Some(&Signal::Lost));
    }

    #[test]
    fn nobody_is_left_when_the_last_one_goes() {
        let ears = Ears::default();
        let (first, _signals) = ears.add(ROOM);
        let (second, _more) = ears.add(ROOM);
        ears.remove(ROOM, first);
        assert!(ears.has(ROOM));
        ears.remove(ROOM, second);
        assert!(!ears.has(ROOM));
    }
}
