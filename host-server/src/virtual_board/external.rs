//! The browser side of a board whose firmware runs outside this process, such as in an emulator: piece placement, reeds and
//! `/ws/panel`. The caller connects it to the firmware; `tests/src/panel_page.rs` does so for QEMU, and `cargo xtask qemu --panel` shows it.
//!
//! No code that ships uses it. It is in this crate because it consists of private parts of the virtual board, so that the page of an
//! emulated board is the same page.

use axum::Router;
use board::Instant;
use chess::Bitboard;
use tokio::sync::{mpsc, oneshot, watch};

use super::panels::{PanelCommand, Panels};
use super::socket;
use super::surface::BoardSurface;
use super::touch::Touch;
use super::view::{DARK, Lights, State, View};
use crate::config::TouchPolicy;
use crate::random;

/// A board whose firmware runs elsewhere.
#[derive(Debug)]
pub struct ExternalBoard {
    table: BoardSurface,
    panels: Panels,
    requests: mpsc::Receiver<PanelCommand>,
    view: watch::Sender<View>,
}

/// A request of a browser window, for [`ExternalBoard::apply`].
#[derive(Debug)]
pub struct PanelRequest(PanelCommand);

/// A request to plug or unplug a cable. [`ExternalBoard::plugged`] answers it.
#[derive(Debug)]
pub struct PlugRequest {
    /// The cable.
    pub plug: Plug,
    /// True to plug it in.
    pub is_in: bool,
    answer: oneshot::Sender<Result<(), String>>,
}

/// A cable of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Plug {
    Power,
    Network,
}

impl ExternalBoard {
    /// A board with all pieces in their places. `has_plugs` says whether browser windows may request to pull its plugs.
    #[must_use]
    pub fn new(name: String, has_plugs: bool) -> Self {
        let mut table = BoardSurface::new(Instant::at(0));
        let raw = table.closed(Instant::at(0));
        let state = State { name, kind: "emulated", power: true, network: true, plugs: has_plugs, ..State::default() };
        let view = View { pieces: table.pieces().clone(), raw, settled: Bitboard::EMPTY, lights: DARK, state };
        let (view, _) = watch::channel(view);
        let (panels, requests) = Panels::new(&view);
        Self { table, panels, requests, view }
    }

    /// The page of the board, without a relay.
    pub fn routes(&self, touch: TouchPolicy) -> Router {
        socket::standalone_routes(self.panels.clone(), touch)
    }

    /// The squares whose reeds are closed now, which is also shown in the browser.
    pub fn read_reeds(&mut self, now: Instant) -> Bitboard {
        let closed = self.table.closed(now);
        let pieces = self.table.pieces().clone();
        self.change(|view| {
            view.raw = closed;
            view.pieces = pieces;
        });
        closed
    }

    /// Whether the reeds may read differently soon without a further request.
    #[must_use]
    pub fn is_restless(&self, now: Instant) -> bool {
        self.table.is_restless(now)
    }

    /// Whether the power plug is in.
    #[must_use]
    pub fn has_power(&self) -> bool {
        self.view.borrow().state.power
    }

    /// Shows what the firmware reports after debouncing.
    pub fn show_settled(&self, settled: Bitboard) {
        self.change(|view| view.settled = settled);
    }

    /// Shows the lights, a1 first. Without power they stay dark.
    pub fn show_lights(&self, lights: Lights) {
        self.change(|view| {
            if view.state.power {
                view.lights = lights;
            }
        });
    }

    /// The next request of a browser window. Cancel-safe.
    pub async fn request(&mut self) -> PanelRequest {
        match self.requests.recv().await {
            Some(request) => PanelRequest(request),
            // `panels` holds a sender, so the channel stays open.
            None => std::future::pending().await,
        }
    }

    /// Applies a request to the pieces. A request for a plug is for the caller.
    pub fn apply(&mut self, PanelRequest(request): PanelRequest, now: Instant) -> Option<PlugRequest> {
        match request {
            PanelCommand::Touch { touch: Touch::Power { plugged }, answer, .. } => {
                return Some(PlugRequest { plug: Plug::Power, is_in: plugged, answer });
            }
            PanelCommand::Touch { touch: Touch::Network { plugged }, answer, .. } => {
                return Some(PlugRequest { plug: Plug::Network, is_in: plugged, answer });
            }
            PanelCommand::Touch { owner, touch, answer } => {
                let done = match touch {
                    Touch::Hints { .. } => Err("the hints of this board are set on its console".to_owned()),
                    Touch::Pace { .. } => Err("the pace of this board is set on its console".to_owned()),
                    Touch::Computer { .. } => Err("the computer of this board is set on its console".to_owned()),
                    touch => self.table.touch(owner, touch, random::roll(), now).map_err(|error| error.to_string()),
                };
                // The window may be closed.
                let _ = answer.send(done);
            }
            PanelCommand::LetGo { owner } => self.table.let_go(owner, now),
        }
        None
    }

    /// Answers a request for a plug with its result.
    pub fn plugged(&self, PlugRequest { plug, is_in, answer }: PlugRequest, result: Result<(), String>) {
        if result.is_ok() {
            self.change(|view| match plug {
                Plug::Network => view.state.network = is_in,
                Plug::Power => {
                    view.state.power = is_in;
                    (view.lights, view.settled) = (DARK, Bitboard::EMPTY);
                }
            });
        }
        // The window may be closed.
        let _ = answer.send(result);
    }

    fn change(&self, change: impl FnOnce(&mut View)) {
        self.view.send_if_modified(|view| {
            let before = view.clone();
            change(view);
            before != *view
        });
    }
}
