//! The task that follows all boards of a [feed](BoardFeed): it owns their trackers, and publishes what clients may see.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use tokio::sync::{mpsc, oneshot, watch};

use super::message::{Board, FeedEvent, placement};
use super::tracker::{SetupError, Stored, Tracker};
use crate::boards::{BoardFeed, BoardView, BoardViews, Serial};
use crate::store::{Collection, Store};

/// Orders that wait for the task.
const QUEUE: usize = 16;

/// What clients may see of all boards, by serial number.
pub(super) type Shown = Arc<BTreeMap<Serial, ShownBoard>>;

#[derive(Clone, Debug, PartialEq)]
pub(super) struct ShownBoard {
    pub(super) board: Board,
    pub(super) event: FeedEvent,
    pub(super) is_online: bool,
}

/// A handle to the task. It ends when all handles are dropped.
#[derive(Clone, Debug)]
pub(super) struct Follower {
    pub(super) shown: watch::Receiver<Shown>,
    orders: mpsc::Sender<Order>,
}

#[derive(Debug)]
enum Order {
    SetUp {
        serial: Serial,
        fen: String,
        reply: oneshot::Sender<Result<(), SetupError>>,
    },
    /// Flips the board, or sets its orientation.
    Flip {
        serial: Serial,
        is_flipped: Option<bool>,
        reply: oneshot::Sender<()>,
    },
}

/// The task's state of one board.
struct Followed {
    tracker: Tracker,
    is_flipped: bool,
    /// The last placement that was certain.
    exact: Option<String>,
}

/// What is stored of a board.
#[derive(Debug, Default, Serialize, Deserialize)]
struct StoredBoard {
    #[serde(flatten)]
    set_up: Option<Stored>,
    #[serde(default)]
    flipped: bool,
}

impl Follower {
    /// Starts the task. With a store, set-ups survive a restart.
    pub(super) fn start(feed: &BoardFeed, store: Option<Arc<dyn Store>>) -> Self {
        let (orders, mailbox) = mpsc::channel(QUEUE);
        let (sender, shown) = watch::channel(Shown::default());
        let task = Task { views: feed.subscribe(), mailbox, followed: BTreeMap::new(), shown: sender, store };
        tokio::spawn(task.run());
        Self { shown, orders }
    }

    pub(super) async fn set_up(&self, serial: &Serial, fen: String) -> Result<(), SetupError> {
        let (reply, answer) = oneshot::channel();
        let order = Order::SetUp { serial: serial.clone(), fen, reply };
        // The task runs as long as a handle exists.
        let _ = self.orders.send(order).await;
        answer.await.unwrap_or(Err(SetupError::OtherPosition))
    }

    pub(super) async fn flip(&self, serial: &Serial, is_flipped: Option<bool>) {
        let (reply, answer) = oneshot::channel();
        let _ = self.orders.send(Order::Flip { serial: serial.clone(), is_flipped, reply }).await;
        let _ = answer.await;
    }
}

struct Task {
    views: watch::Receiver<BoardViews>,
    mailbox: mpsc::Receiver<Order>,
    followed: BTreeMap<Serial, Followed>,
    shown: watch::Sender<Shown>,
    store: Option<Arc<dyn Store>>,
}

impl Task {
    async fn run(mut self) {
        loop {
            self.follow().await;
            tokio::select! {
                changed = self.views.changed() => if changed.is_err() { return },
                order = self.mailbox.recv() => match order {
                    Some(order) => self.obey(order).await,
                    None => return,
                },
            }
        }
    }

    async fn follow(&mut self) {
        let views = self.views.borrow_and_update().clone();
        for view in views.values() {
            if !self.followed.contains_key(&view.serial) {
                let mut tracker = Tracker::new(view);
                let stored = self.load(&view.serial).await.unwrap_or_default();
                if let Some(set_up) = &stored.set_up {
                    tracker.restore(set_up, view);
                }
                let followed = Followed { tracker, is_flipped: stored.flipped, exact: None };
                self.followed.insert(view.serial.clone(), followed);
            }
            if let Some(followed) = self.followed.get_mut(&view.serial) {
                followed.take(view);
            }
        }
        let shown: BTreeMap<_, _> = views
            .values()
            .filter_map(|view| Some((view.serial.clone(), self.followed.get(&view.serial)?.shown(view))))
            .collect();
        self.shown.send_if_modified(|known| {
            let is_new = **known != shown;
            if is_new {
                *known = Arc::new(shown);
            }
            is_new
        });
    }

    /// Executes an order, and answers when its effect is shown.
    async fn obey(&mut self, order: Order) {
        match order {
            Order::SetUp { serial, fen, reply } => {
                let view = self.views.borrow().get(&serial).cloned();
                let result = match (self.followed.get_mut(&serial), view) {
                    (Some(followed), Some(view)) => followed.tracker.set_up(&fen, &view),
                    _ => Err(SetupError::OtherPosition),
                };
                if result.is_ok() {
                    self.save(&serial).await;
                }
                self.follow().await;
                let _ = reply.send(result);
            }
            Order::Flip { serial, is_flipped, reply } => {
                if let Some(followed) = self.followed.get_mut(&serial) {
                    followed.is_flipped = is_flipped.unwrap_or(!followed.is_flipped);
                    self.save(&serial).await;
                }
                self.follow().await;
                let _ = reply.send(());
            }
        }
    }

    async fn load(&self, serial: &Serial) -> Option<StoredBoard> {
        let store = self.store.as_ref()?;
        let record = store.read(Collection::LiveChess, serial.as_str()).await.ok().flatten()?;
        serde_json::from_slice(&record.bytes).ok()
    }

    /// Stores set-up and orientation. If that fails, a page sends the set-up again after a restart.
    async fn save(&self, serial: &Serial) {
        let (Some(store), Some(followed)) = (&self.store, self.followed.get(serial)) else { return };
        let stored = StoredBoard { set_up: followed.tracker.stored(), flipped: followed.is_flipped };
        let Ok(bytes) = serde_json::to_vec(&stored) else { return };
        let version = match store.read(Collection::LiveChess, serial.as_str()).await {
            Ok(record) => record.map_or(0, |record| record.version),
            Err(_) => return,
        };
        if let Err(error) = store.write(Collection::LiveChess, serial.as_str(), version, &bytes).await {
            tracing::warn!(%error, serial = serial.as_str(), "storing the LiveChess state of a board failed");
        }
    }
}

impl Followed {
    fn take(&mut self, view: &BoardView) {
        self.tracker.follow(view);
        if view.is_exact() {
            self.exact = Some(placement(&view.position));
        }
    }

    fn shown(&self, view: &BoardView) -> ShownBoard {
        let exact = self.exact.as_deref();
        ShownBoard {
            board: Board::new(view, self.is_flipped, exact),
            event: FeedEvent::new(view, &self.tracker, self.is_flipped, exact),
            is_online: view.is_online,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_with_and_without_set_up_or_orientation_are_read() {
        let read = |text: &str| {
            let StoredBoard { set_up, flipped } = serde_json::from_str(text).unwrap();
            (set_up.is_some(), flipped)
        };
        assert_eq!(read(r#"{"start":"8/8/8/8/8/8/8/8 w - - 0 1","before":""}"#), (true, false));
        assert_eq!(read(r#"{"flipped":true}"#), (false, true));
        let both = StoredBoard { set_up: serde_json::from_str(r#"{"start":"x","before":""}"#).unwrap(), flipped: true };
        assert_eq!(read(&serde_json::to_string(&both).unwrap()), (true, true));
    }
}
