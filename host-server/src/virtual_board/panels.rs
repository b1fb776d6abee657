use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc, oneshot, watch};

use super::touch::Touch;
use super::view::View;
use super::wood::Owner;

/// So many windows may show one board.
const MOST: usize = 64;
/// So many touches may wait for the board. Each window waits for its own before it sends another.
const WAITING: usize = MOST;

/// What panels ask of a board.
#[derive(Debug)]
pub(super) enum Asked {
    /// To do something.
    Touch { owner: Owner, touch: Touch, answer: oneshot::Sender<Result<(), String>> },
    /// To let go of everything, since somebody has gone.
    LetGo { owner: Owner },
}

/// What it takes to see and touch a board.
#[derive(Clone, Debug)]
pub(crate) struct Panels {
    asking: mpsc::Sender<Asked>,
    view: watch::Receiver<View>,
    places: Arc<Semaphore>,
    owners: Arc<AtomicU64>,
}

/// One who sees a board, and may touch it.
#[derive(Debug)]
pub(super) struct Onlooker {
    pub(super) owner: Owner,
    pub(super) view: watch::Receiver<View>,
    asking: mpsc::Sender<Asked>,
    _place: OwnedSemaphorePermit,
}

impl Panels {
    pub(super) fn new(view: &watch::Sender<View>) -> (Self, mpsc::Receiver<Asked>) {
        let (asking, asked) = mpsc::channel(WAITING);
        let panels =
            Self { asking, view: view.subscribe(), places: Arc::new(Semaphore::new(MOST)), owners: Arc::default() };
        (panels, asked)
    }

    /// Somebody wants to see the board; nobody does any more, if there are too many.
    pub(super) fn look(&self) -> Option<Onlooker> {
        let place = self.places.clone().try_acquire_owned().ok()?;
        let owner = self.owners.fetch_add(1, Ordering::Relaxed);
        let mut view = self.view.clone();
        view.mark_changed();
        Some(Onlooker { owner, view, asking: self.asking.clone(), _place: place })
    }
}

impl Onlooker {
    /// Has something done. Otherwise says in a sentence why not.
    pub(super) async fn touch(&self, touch: Touch) -> Result<(), String> {
        let (answer, answered) = oneshot::channel();
        let asked = Asked::Touch { owner: self.owner, touch, answer };
        let gone = || "the board is not there any more".to_owned();
        self.asking.send(asked).await.map_err(|_| gone())?;
        answered.await.map_err(|_| gone())?
    }

    /// Goes.
    pub(super) async fn go(self) {
        // Without a board there is nothing to let go of.
        let _ = self.asking.send(Asked::LetGo { owner: self.owner }).await;
    }
}
