//! Connects the browsers that show a board with the task of the board.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use parking_lot::Mutex;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc, oneshot, watch};

use super::pieces::Owner;
use super::touch::Touch;
use super::view::View;
use crate::server::ClientAddress;

/// Maximum number of browsers that may move the pieces.
const MAX_PLAYERS: usize = 64;
/// Maximum number of browsers that only watch. They take no player's place.
const MAX_SPECTATORS: usize = 512;
/// Maximum number of spectators of one address, so that one client cannot keep all others out.
const MAX_SPECTATORS_PER_ADDRESS: usize = 16;
/// Queue length. Each browser has at most one command in it.
const QUEUE: usize = MAX_PLAYERS;

/// A command of a browser to the board's task.
#[derive(Debug)]
pub(super) enum PanelCommand {
    Touch {
        owner: Owner,
        touch: Touch,
        answer: oneshot::Sender<Result<(), String>>,
    },
    /// The browser has disconnected: put its pieces back.
    LetGo {
        owner: Owner,
    },
}

/// Factory of [`PanelHandle`]s.
#[derive(Clone, Debug)]
pub(crate) struct Panels {
    commands: mpsc::Sender<PanelCommand>,
    view: watch::Receiver<View>,
    players: Arc<Semaphore>,
    spectators: Arc<Mutex<Vec<ClientAddress>>>,
    owners: Arc<AtomicU64>,
}

/// The place of a browser, until it disconnects.
#[derive(Debug)]
enum Place {
    Player(#[expect(dead_code, reason = "held until it is dropped")] OwnedSemaphorePermit),
    Spectator { address: ClientAddress, spectators: Arc<Mutex<Vec<ClientAddress>>> },
}

impl Drop for Place {
    fn drop(&mut self) {
        if let Self::Spectator { address, spectators } = self {
            let mut spectators = spectators.lock();
            if let Some(index) = spectators.iter().position(|other| other == address) {
                spectators.swap_remove(index);
            }
        }
    }
}

/// The connection of one browser to the board's task.
#[derive(Debug)]
pub(super) struct PanelHandle {
    pub(super) owner: Owner,
    pub(super) view: watch::Receiver<View>,
    commands: mpsc::Sender<PanelCommand>,
    _place: Place,
}

impl Panels {
    pub(super) fn new(view: &watch::Sender<View>) -> (Self, mpsc::Receiver<PanelCommand>) {
        let (commands, receiver) = mpsc::channel(QUEUE);
        let panels = Self {
            commands,
            view: view.subscribe(),
            players: Arc::new(Semaphore::new(MAX_PLAYERS)),
            spectators: Arc::default(),
            owners: Arc::default(),
        };
        (panels, receiver)
    }

    /// Adds a browser. `None` if there are too many of its kind.
    pub(super) fn connect(&self, may_touch: bool, address: ClientAddress) -> Option<PanelHandle> {
        let place = if may_touch {
            Place::Player(self.players.clone().try_acquire_owned().ok()?)
        } else {
            let address = address.network();
            let mut spectators = self.spectators.lock();
            let of_address = spectators.iter().filter(|&&other| other == address).count();
            if spectators.len() >= MAX_SPECTATORS || of_address >= MAX_SPECTATORS_PER_ADDRESS {
                return None;
            }
            spectators.push(address);
            Place::Spectator { address, spectators: self.spectators.clone() }
        };
        let owner = self.owners.fetch_add(1, Ordering::Relaxed);
        let mut view = self.view.clone();
        view.mark_changed();
        Some(PanelHandle { owner, view, commands: self.commands.clone(), _place: place })
    }
}

impl PanelHandle {
    /// Executes a command; the error is a sentence for the user.
    pub(super) async fn touch(&self, touch: Touch) -> Result<(), String> {
        let (answer, result) = oneshot::channel();
        let command = PanelCommand::Touch { owner: self.owner, touch, answer };
        let gone = || "the board has stopped".to_owned();
        self.commands.send(command).await.map_err(|_| gone())?;
        result.await.map_err(|_| gone())?
    }

    /// Disconnects the browser.
    pub(super) async fn disconnect(self) {
        // A stopped board holds no pieces.
        let _ = self.commands.send(PanelCommand::LetGo { owner: self.owner }).await;
    }
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

    use super::super::pieces::Pieces;
    use super::super::view::{DARK, State};
    use super::*;

    #[test]
    fn spectators_do_not_use_up_the_connections_of_players() {
        let pieces = Pieces::set_up();
        let (raw, settled) = (pieces.occupied(), pieces.occupied());
        let view = watch::Sender::new(View { pieces, raw, settled, lights: DARK, state: State::default() });
        let (panels, _receiver) = Panels::new(&view);
        let address = |number: u8| ClientAddress::from(IpAddr::from([192, 0, 2, number]));
        let connect = |number| panels.connect(false, address(number));
        let mut spectators: Vec<PanelHandle> = (0..100).filter_map(|_| connect(0)).collect();
        assert_eq!(spectators.len(), MAX_SPECTATORS_PER_ADDRESS);
        assert!(connect(1).is_some(), "another address has its own places");
        let of_network =
            |host: u16| panels.connect(false, ClientAddress::from(IpAddr::from([0x2001, 0xdb8, 0, 1, 0, 0, 0, host])));
        let hosts: Vec<PanelHandle> = (0..100).filter_map(of_network).collect();
        assert_eq!(hosts.len(), MAX_SPECTATORS_PER_ADDRESS, "a network of IPv6 addresses is one client");
        drop(hosts);
        spectators.extend((1..=255).flat_map(|number| (0..100).filter_map(move |_| connect(number))));
        assert_eq!(spectators.len(), MAX_SPECTATORS);
        assert!(connect(255).is_none());
        let player = panels.connect(true, address(0)).expect("players have their own limit");
        assert!(spectators.iter().all(|spectator| spectator.owner != player.owner));
        spectators.pop();
        assert!(connect(255).is_some());
    }
}
