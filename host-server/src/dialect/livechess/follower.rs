//! The task that follows all boards of a [feed](BoardFeed): it owns their trackers, and publishes what clients may see.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tokio::sync::{mpsc, oneshot, watch};
use tokio::time::{Instant, sleep_until};

use super::message::{Board, FeedEvent, placement};
use super::tracker::{SetupError, Stored, Tracker};
use crate::boards::{BoardFeed, BoardView, BoardViews, Serial};
use crate::store::{Collection, Store, StoreError};

/// Requests that wait for the task.
const QUEUE: usize = 16;

/// How long to wait after an error of the store.
const RETRY: Duration = Duration::from_secs(2);

/// What clients may see of all boards, by serial number.
pub(super) type ShownBoards = Arc<BTreeMap<Serial, ShownBoard>>;

#[derive(Clone, Debug, PartialEq)]
pub(super) struct ShownBoard {
    pub(super) board: Board,
    pub(super) event: FeedEvent,
    pub(super) is_online: bool,
    /// Whether it is listed after all others.
    pub(super) is_last: bool,
}

/// A handle to the task. It ends when all handles are dropped.
#[derive(Clone, Debug)]
pub(super) struct Follower {
    pub(super) shown: watch::Receiver<ShownBoards>,
    requests: mpsc::Sender<FollowerRequest>,
}

#[derive(Debug)]
enum FollowerRequest {
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
    /// The last placement that was certain, while the board is connected.
    exact: Option<String>,
    is_online: bool,
    /// Another relay has changed what is stored.
    is_stale: bool,
    /// What the store has, and the version of that record; 0 if there is none.
    saved: StoredBoard,
    version: u64,
}

/// What is stored of a board.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct StoredBoard {
    #[serde(flatten)]
    list: Option<Stored>,
    #[serde(default)]
    flipped: bool,
}

impl Follower {
    /// Starts the task. With a store, set-ups and lists survive a restart. `last` is the board that is listed after all others.
    pub(super) fn start(feed: &BoardFeed, store: Option<Arc<dyn Store>>, last: Option<Serial>) -> Self {
        let (requests, mailbox) = mpsc::channel(QUEUE);
        let (sender, shown) = watch::channel(ShownBoards::default());
        let task = Task {
            views: feed.subscribe(),
            mailbox,
            followed: BTreeMap::new(),
            shown: sender,
            store,
            last,
            retry_at: None,
        };
        tokio::spawn(task.run());
        Self { shown, requests }
    }

    pub(super) async fn set_up(&self, serial: &Serial, fen: String) -> Result<(), SetupError> {
        let (reply, answer) = oneshot::channel();
        let request = FollowerRequest::SetUp { serial: serial.clone(), fen, reply };
        // The task runs as long as a handle exists.
        let _ = self.requests.send(request).await;
        answer.await.unwrap_or(Err(SetupError::NotFollowed))
    }

    pub(super) async fn flip(&self, serial: &Serial, is_flipped: Option<bool>) {
        let (reply, answer) = oneshot::channel();
        let _ = self.requests.send(FollowerRequest::Flip { serial: serial.clone(), is_flipped, reply }).await;
        let _ = answer.await;
    }
}

struct Task {
    views: watch::Receiver<BoardViews>,
    mailbox: mpsc::Receiver<FollowerRequest>,
    followed: BTreeMap<Serial, Followed>,
    shown: watch::Sender<ShownBoards>,
    store: Option<Arc<dyn Store>>,
    last: Option<Serial>,
    /// When to use the store again after an error of it.
    retry_at: Option<Instant>,
}

impl Task {
    async fn run(mut self) {
        loop {
            self.follow().await;
            let wake_at = self.wake_at();
            tokio::select! {
                changed = self.views.changed() => if changed.is_err() { return },
                request = self.mailbox.recv() => match request {
                    Some(request) => self.execute(request).await,
                    None => return,
                },
                () = sleep_until(wake_at.unwrap_or_else(Instant::now)), if wake_at.is_some() => {}
            }
        }
    }

    /// When to look again without a change: a ply becomes certain, or the store may answer again.
    fn wake_at(&self) -> Option<Instant> {
        self.followed.values().filter_map(|followed| followed.tracker.due()).chain(self.retry_at).min()
    }

    async fn follow(&mut self) {
        let views = self.views.borrow_and_update().clone();
        for view in views.values() {
            let is_current = match self.followed.get(&view.serial) {
                None => self.load(view).await,
                // While it was away, another relay may have served it.
                Some(followed) if followed.is_stale || (view.is_online && !followed.is_online) => self.load(view).await,
                Some(_) => true,
            };
            match self.followed.get_mut(&view.serial) {
                Some(followed) if is_current => followed.take(view, Instant::now()),
                Some(followed) => followed.tracker.pause(),
                None => {}
            }
        }
        let is_last = |serial: &Serial| self.last.as_ref() == Some(serial);
        let shown: BTreeMap<_, _> = views
            .values()
            .filter_map(|view| {
                let shown = self.followed.get(&view.serial)?.shown(view, is_last(&view.serial));
                Some((view.serial.clone(), shown))
            })
            .collect();
        self.shown.send_if_modified(|known| {
            let is_new = **known != shown;
            if is_new {
                *known = Arc::new(shown);
            }
            is_new
        });
        self.save(&views).await;
    }

    /// Executes a request, and answers when its effect is shown and stored.
    async fn execute(&mut self, request: FollowerRequest) {
        match request {
            FollowerRequest::SetUp { serial, fen, reply } => {
                let view = self.views.borrow().get(&serial).cloned();
                let result = match (self.followed.get_mut(&serial), view) {
                    (Some(followed), Some(view)) => followed.tracker.set_up(&fen, &view),
                    _ => Err(SetupError::NotFollowed),
                };
                self.follow().await;
                let _ = reply.send(result);
            }
            FollowerRequest::Flip { serial, is_flipped, reply } => {
                if let Some(followed) = self.followed.get_mut(&serial) {
                    followed.is_flipped = is_flipped.unwrap_or(!followed.is_flipped);
                }
                self.follow().await;
                let _ = reply.send(());
            }
        }
    }

    /// Takes what is stored of a board, unless the task knows it already. Returns false if the store does not answer: then the board is not
    /// followed, because a list without its beginning would contradict what clients have received.
    async fn load(&mut self, view: &BoardView) -> bool {
        if self.retry_at.is_some_and(|at| Instant::now() < at) {
            return false;
        }
        let record = match self.read(&view.serial).await {
            Ok(record) => record,
            Err(error) => {
                tracing::warn!(%error, serial = view.serial.as_str(), "reading the LiveChess state of a board failed, will retry");
                self.retry_at = Some(Instant::now() + RETRY);
                return false;
            }
        };
        let (version, saved) = record.unwrap_or_default();
        let known = self.followed.get(&view.serial);
        if known.is_none_or(|followed| followed.is_stale || followed.version != version) {
            self.followed.insert(view.serial.clone(), Followed::of(saved, version, view));
        }
        true
    }

    /// The record of a board with its version.
    async fn read(&self, serial: &Serial) -> Result<Option<(u64, StoredBoard)>, StoreError> {
        let Some(store) = &self.store else { return Ok(None) };
        let Some(record) = store.read(Collection::LiveChess, serial.as_str()).await? else { return Ok(None) };
        let saved = serde_json::from_slice(&record.bytes).unwrap_or_else(|error| {
            tracing::warn!(%error, serial = serial.as_str(), "the LiveChess state of a board cannot be read, and is replaced");
            StoredBoard::default()
        });
        Ok(Some((record.version, saved)))
    }

    /// Stores what has changed. After an error it is tried again later.
    async fn save(&mut self, views: &BoardViews) {
        let Some(store) = self.store.clone() else { return };
        let now = Instant::now();
        if self.retry_at.is_some_and(|at| now < at) {
            return;
        }
        self.retry_at = self.followed.len().lt(&views.len()).then_some(now + RETRY);
        for (serial, followed) in &mut self.followed {
            let stored = followed.stored();
            if stored == followed.saved {
                continue;
            }
            let Ok(bytes) = serde_json::to_vec(&stored) else { continue };
            match store.write(Collection::LiveChess, serial.as_str(), followed.version, &bytes).await {
                Ok(Some(version)) => (followed.version, followed.saved) = (version, stored),
                // Another relay has served the board since, and its state counts.
                Ok(None) => {
                    followed.is_stale = true;
                    self.retry_at = Some(now);
                }
                Err(error) => {
                    tracing::warn!(%error, serial = serial.as_str(), "storing the LiveChess state of a board failed, will retry");
                    self.retry_at = Some(now + RETRY);
                    return;
                }
            }
        }
    }
}

impl Followed {
    /// A board of which this is stored.
    fn of(saved: StoredBoard, version: u64, view: &BoardView) -> Self {
        let restored = saved.list.as_ref().and_then(|list| Tracker::restore(list, view));
        let tracker = restored.unwrap_or_else(|| Tracker::new(view));
        let (is_flipped, is_online) = (saved.flipped, view.is_online);
        Self { tracker, is_flipped, exact: None, is_online, is_stale: false, saved, version }
    }

    fn take(&mut self, view: &BoardView, now: Instant) {
        self.is_online = view.is_online;
        if !view.is_online {
            // Its pieces may be anywhere, and the relay that it connects to next follows it.
            self.exact = None;
            self.tracker.pause();
            return;
        }
        self.tracker.follow(view, now);
        if view.is_exact() && !self.tracker.is_holding() {
            self.exact = Some(placement(&view.position));
        }
    }

    fn stored(&self) -> StoredBoard {
        StoredBoard { list: self.tracker.stored(), flipped: self.is_flipped }
    }

    fn shown(&self, view: &BoardView, is_last: bool) -> ShownBoard {
        let exact = self.exact.as_deref();
        ShownBoard {
            board: Board::new(view, self.is_flipped, exact),
            event: FeedEvent::new(view, &self.tracker, self.is_flipped, exact),
            is_online: view.is_online,
            is_last,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use tokio::time::{sleep, timeout};

    use super::super::tracker::REST;
    use crate::store::memory::Memory;

    /// A board after these moves, with all pieces on their squares.
    fn view(moves: &str) -> BoardView {
        let view = serde_json::json!({
            "name": "kitchen", "serial": "0000000001", "online": true, "moves": moves, "occupied": "0", "settled": true,
            "start": "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        });
        let view: BoardView = serde_json::from_value(view).unwrap();
        BoardView { occupied: view.position.occupied(), ..view }
    }

    /// Waits until clients see the board with this list.
    async fn until(follower: &mut Follower, list: &str) -> ShownBoard {
        let is_it = |shown: &ShownBoards| shown.values().any(|board| board.event.list() == list);
        let shown = timeout(10 * REST, follower.shown.wait_for(is_it)).await;
        shown.unwrap_or_else(|_| panic!("the list never is {list:?}")).unwrap().values().next().unwrap().clone()
    }

    async fn set_up(follower: &Follower, view: &BoardView) {
        follower.set_up(&view.serial, view.position.fen().to_string()).await.unwrap();
    }

    #[tokio::test(start_paused = true)]
    async fn a_placement_is_sent_with_its_move_when_that_is_certain() {
        let feed = BoardFeed::default();
        let mut follower = Follower::start(&feed, None, None);
        feed.publish(view(""));
        until(&mut follower, "").await;
        feed.publish(view("e2e3"));
        sleep(REST / 2).await;
        feed.publish(view("e2e4"));
        let placed = Instant::now();
        let shown = until(&mut follower, "e4").await;
        // The clock of the test advances only while everything waits.
        assert!(placed.elapsed() >= REST);
        assert_eq!(shown.event.board(), Some("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR"));
    }

    #[tokio::test(start_paused = true)]
    async fn a_board_is_not_followed_until_the_store_has_been_read() {
        let (feed, store) = (BoardFeed::default(), Arc::<Memory>::default());
        let mut follower = Follower::start(&feed, Some(store.clone()), None);
        feed.publish(view("e2e4"));
        until(&mut follower, "e4").await;
        set_up(&follower, &view("e2e4")).await;
        feed.publish(view("e2e4 e7e5"));
        until(&mut follower, "e5").await;

        store.set_unavailable(true);
        let mut again = Follower::start(&feed, Some(store.clone()), None);
        sleep(5 * RETRY).await;
        assert!(again.shown.borrow().is_empty());
        store.set_unavailable(false);
        until(&mut again, "e5").await;
    }

    #[tokio::test(start_paused = true)]
    async fn what_could_not_be_stored_is_stored_later() {
        let (feed, store) = (BoardFeed::default(), Arc::<Memory>::default());
        let mut follower = Follower::start(&feed, Some(store.clone()), None);
        feed.publish(view(""));
        until(&mut follower, "").await;
        store.set_unavailable(true);
        set_up(&follower, &view("")).await;
        feed.publish(view("e2e4"));
        until(&mut follower, "e4").await;
        // A board that comes back keeps the list, although the store does not have it.
        feed.disconnected(&view("").serial);
        feed.publish(view("e2e4"));
        sleep(5 * RETRY).await;
        store.set_unavailable(false);
        sleep(5 * RETRY).await;
        until(&mut follower, "e4").await;
        let mut again = Follower::start(&feed, Some(store), None);
        until(&mut again, "e4").await;
    }

    #[tokio::test(start_paused = true)]
    async fn a_board_that_was_at_another_relay_continues_the_list_of_that_relay() {
        let store = Arc::<Memory>::default();
        let (here, there) = (BoardFeed::default(), BoardFeed::default());
        let mut follower = Follower::start(&here, Some(store.clone()), None);
        here.publish(view("e2e4"));
        until(&mut follower, "e4").await;
        set_up(&follower, &view("e2e4")).await;
        feed_rest(&here, &mut follower, "e2e4 e7e5", "e5").await;
        here.disconnected(&view("").serial);

        let mut other = Follower::start(&there, Some(store), None);
        feed_rest(&there, &mut other, "e2e4 e7e5 g1f3", "e5 Nf3").await;
        set_up(&other, &view("e2e4 e7e5 g1f3")).await;
        feed_rest(&there, &mut other, "e2e4 e7e5 g1f3 b8c6", "Nc6").await;
        there.disconnected(&view("").serial);

        feed_rest(&here, &mut follower, "e2e4 e7e5 g1f3 b8c6 f1b5", "Nc6 Bb5").await;
    }

    async fn feed_rest(feed: &BoardFeed, follower: &mut Follower, moves: &str, list: &str) {
        feed.publish(view(moves));
        until(follower, list).await;
    }

    /// A page of this relay turns a board that another relay serves meanwhile.
    #[tokio::test(start_paused = true)]
    async fn a_version_conflict_keeps_the_list_of_the_other_relay() {
        let store = Arc::<Memory>::default();
        let (here, there) = (BoardFeed::default(), BoardFeed::default());
        let mut follower = Follower::start(&here, Some(store.clone()), None);
        feed_rest(&here, &mut follower, "e2e4", "e4").await;
        here.disconnected(&view("").serial);
        let mut other = Follower::start(&there, Some(store.clone()), None);
        feed_rest(&there, &mut other, "e2e4 e7e5", "e4 e5").await;
        follower.flip(&view("").serial, Some(true)).await;
        sleep(5 * RETRY).await;
        let mut again = Follower::start(&there, Some(store), None);
        until(&mut again, "e4 e5").await;
    }

    /// Otherwise the task would wake up again and again for a ply that it does not follow.
    #[test]
    fn nothing_is_due_for_a_board_that_is_disconnected_with_a_ply_held_back() {
        let now = Instant::now();
        let mut followed = Followed::of(StoredBoard::default(), 0, &view(""));
        followed.take(&view("e2e4"), now);
        assert!(followed.tracker.due().is_some());
        followed.take(&BoardView { is_online: false, ..view("e2e4") }, now);
        assert_eq!((followed.tracker.due(), followed.tracker.is_holding()), (None, true));
    }

    #[tokio::test(start_paused = true)]
    async fn a_disconnected_board_has_no_certain_placement() {
        let feed = BoardFeed::default();
        let mut follower = Follower::start(&feed, None, None);
        feed.publish(view(""));
        until(&mut follower, "").await;
        feed.disconnected(&view("").serial);
        follower.shown.wait_for(|shown| shown.values().all(|board| !board.is_online)).await.unwrap();
        let shown = follower.shown.borrow().values().next().unwrap().clone();
        assert_eq!(shown.event.board(), None);
        // Clients of the list expect the field.
        let listed = serde_json::to_value(&shown.board).unwrap();
        assert_eq!(listed.get("board"), Some(&serde_json::Value::Null));
    }

    /// The opponent has moved at lichess, and the relay restarts before a hand has made that move on the board.
    #[tokio::test(start_paused = true)]
    async fn a_set_up_that_waits_for_its_position_is_stored() {
        let (feed, store) = (BoardFeed::default(), Arc::<Memory>::default());
        let mut follower = Follower::start(&feed, Some(store.clone()), None);
        feed_rest(&feed, &mut follower, "e2e4", "e4").await;
        set_up(&follower, &view("e2e4 e7e5")).await;
        until(&mut follower, "").await;
        drop(follower);
        let mut again = Follower::start(&feed, Some(store), None);
        until(&mut again, "").await;
        feed_rest(&feed, &mut again, "e2e4 e7e5 g1f3", "Nf3").await;
    }

    #[test]
    fn records_with_and_without_set_up_or_orientation_are_read() {
        let read = |text: &str| {
            let StoredBoard { list, flipped } = serde_json::from_str(text).unwrap();
            (list.is_some(), flipped)
        };
        assert_eq!(read(r#"{"start":"8/8/8/8/8/8/8/8 w - - 0 1","before":""}"#), (true, false));
        assert_eq!(read(r#"{"flipped":true}"#), (false, true));
        let both = StoredBoard { list: serde_json::from_str(r#"{"start":"x","before":""}"#).unwrap(), flipped: true };
        assert_eq!(read(&serde_json::to_string(&both).unwrap()), (true, true));
    }
}
