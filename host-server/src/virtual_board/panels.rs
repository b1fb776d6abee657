use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc, oneshot, watch};

use super::touch::Touch;
use super::view::View;
use super::wood::Owner;

/// So many windows may show one board and touch it, and so many more may only look: who looks keeps nobody from playing.
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
    players: Arc<Semaphore>,
    watchers: Arc<Semaphore>,
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
        let panels = Self {
            asking,
            view: view.subscribe(),
            players: Arc::new(Semaphore::new(MOST)),
            watchers: Arc::new(Semaphore::new(MOST)),
            owners: Arc::default(),
        };
        (panels, asked)
    }

    /// Somebody wants to see the board, and may touch it or not. It cannot be, if there are too many of those.
    pub(super) fn look(&self, may_touch: bool) -> Option<Onlooker> {
        let places = if may_touch { &self.players } else { &self.watchers };
        let place = places.clone().try_acquire_owned().ok()?;
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

#[cfg(test)]
mod tests {
    use super::super::view::{DARK, State};
    use super::super::wood::Wood;
    use super::*;

    #[test]
    fn those_who_only_look_keep_nobody_from_playing() {
        let wood = Wood::set_up();
        let (raw, settled) = (wood.occupied(), wood.occupied());
        let view = watch::Sender::new(View { wood, raw, settled, lights: DARK, state: State::default() });
        let (panels, _asked) = Panels::new(&view);
        let mut watching: Vec<Onlooker> = (0..MOST).filter_map(|_| panels.look(false)).collect();
        assert_eq!(watching.len(), MOST);
        assert!(panels.look(false).is_none());
        let player = panels.look(true).expect("there is room for those who play");
        assert!(watching.iter().all(|watcher| watcher.owner != player.owner));
        watching.pop();
        assert!(panels.look(false).is_some());
    }
}
