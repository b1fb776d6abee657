//! The listeners of each room.

use std::collections::HashMap;
use std::sync::Arc;

use parking_lot::{Mutex, MutexGuard};
use tokio::sync::mpsc;

use super::SubscriptionRequest;
use crate::room::RoomId;
use crate::store::{Signal, Unlisten};

/// Capacity of a listener's queue. A slower listener gets [`Signal::Lost`].
const CAPACITY: usize = 64;

/// All listeners, by room.
#[derive(Debug, Default)]
pub(super) struct RoomListeners {
    by_room: Mutex<HashMap<RoomId, Vec<Subscriber>>>,
}

#[derive(Debug)]
struct Subscriber {
    number: u64,
    signals: mpsc::Sender<Signal>,
    /// A slot of the queue, reserved for [`Signal::Lost`]. `None` while that signal is queued.
    reserved: Option<mpsc::OwnedPermit<Signal>>,
}

impl RoomListeners {
    /// Adds a listener and returns its number.
    pub(super) fn add(&self, room: RoomId) -> (u64, mpsc::Receiver<Signal>) {
        let (signals, receiver) = mpsc::channel(CAPACITY);
        let number = crate::random::roll();
        let reserved = signals.clone().try_reserve_owned().ok();
        self.lock().entry(room).or_default().push(Subscriber { number, signals, reserved });
        (number, receiver)
    }

    fn remove(&self, room: RoomId, number: u64) {
        let mut by_room = self.lock();
        if let Some(listeners) = by_room.get_mut(&room) {
            listeners.retain(|subscriber| subscriber.number != number);
            if listeners.is_empty() {
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

    pub(super) fn signal_room(&self, room: RoomId, signal: &Signal) {
        for subscriber in self.lock().get_mut(&room).into_iter().flatten() {
            subscriber.signal_room(signal);
        }
    }

    pub(super) fn signal_all(&self, signal: &Signal) {
        for subscriber in self.lock().values_mut().flatten() {
            subscriber.signal_room(signal);
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<RoomId, Vec<Subscriber>>> {
        self.by_room.lock()
    }
}

impl Subscriber {
    fn signal_room(&mut self, signal: &Signal) {
        if self.reserved.is_none() {
            self.reserved = self.signals.clone().try_reserve_owned().ok();
        }
        if self.signals.try_send(signal.clone()).is_err()
            && let Some(place) = self.reserved.take()
        {
            place.send(Signal::Lost);
        }
    }
}

/// Unsubscribes when it is dropped.
#[derive(Debug)]
pub(super) struct Guard {
    pub(super) listeners: Arc<RoomListeners>,
    pub(super) requests: mpsc::UnboundedSender<SubscriptionRequest>,
    pub(super) room: RoomId,
    pub(super) number: u64,
}

impl Unlisten for Guard {}

impl Drop for Guard {
    fn drop(&mut self) {
        self.listeners.remove(self.room, self.number);
        // If the task has ended, so has the subscription.
        let _ = self.requests.send(SubscriptionRequest::Unsubscribe(self.room));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::Head;

    const ROOM: RoomId = RoomId(7);

    fn head(version: u64) -> Head {
        Head { version, write_id: version }
    }

    #[test]
    fn a_slow_listener_receives_lost() {
        let listeners = RoomListeners::default();
        let (_, mut signals) = listeners.add(ROOM);
        for number in 0..1000 {
            listeners.signal_room(ROOM, &Signal::Grown(head(number)));
        }
        let mut received = Vec::new();
        while let Ok(signal) = signals.try_recv() {
            received.push(signal);
        }
        assert_eq!(received.len(), CAPACITY);
        assert_eq!(received.last(), Some(&Signal::Lost));

        // After it has caught up, the same happens again.
        for number in 0..1000 {
            listeners.signal_room(ROOM, &Signal::Grown(head(number)));
        }
        let mut received = Vec::new();
        while let Ok(signal) = signals.try_recv() {
            received.push(signal);
        }
        assert_eq!(received.first(), Some(&Signal::Grown(head(0))));
        assert_eq!(received.last(), Some(&Signal::Lost));
    }

    #[test]
    fn a_room_without_listeners_is_removed() {
        let listeners = RoomListeners::default();
        let (first, _signals) = listeners.add(ROOM);
        let (second, _more) = listeners.add(ROOM);
        listeners.remove(ROOM, first);
        assert!(listeners.has(ROOM));
        listeners.remove(ROOM, second);
        assert!(!listeners.has(ROOM));
    }
}
