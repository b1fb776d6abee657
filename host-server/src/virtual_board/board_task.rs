//! The task of a virtual board: polls its runner with touches, scans and frames, and passes on lights and frames for the relay.

use std::sync::Arc;
use std::time::Duration;

use board::session::LinkError;
use board::{Input, Instant, LinkCommand, Notice, SearchResult, ThinkCommand};
use parking_lot::Mutex;
use tokio::sync::{mpsc, watch};
use tokio::task::JoinHandle;
use tokio::time::{Instant as TokioInstant, sleep};
use tokio_util::sync::CancellationToken;
use wire::link::Ephemeral;

use super::engine_search::EngineSearch;
use super::flash_file::{FlashFile, FlashOperation};
use super::machine::{Identity, Machine, lights};
use super::panels::{PanelCommand, Panels};
use super::relay_code::BoardList;
use super::relay_link::{LinkEvent, RelayConnector, RelayLink};
use super::surface::BoardSurface;
use super::touch::Touch;
use super::view::{DARK, Lights, State, View};
use crate::random;

/// Poll interval in milliseconds while pieces are touched or reeds may change.
const BUSY_MS: u64 = 4;
/// Poll interval in milliseconds while the board is idle.
const IDLE_MS: u64 = 500;
/// Upper bound of the scans to catch up on, in milliseconds: longer than any timing of the hand, so that skipped scans change nothing.
const CATCH_UP_LIMIT: u64 = 10_000;

/// A virtual board: pieces, simulated reeds, flash, and the core of the firmware while it has power.
pub(crate) struct VirtualBoard {
    identity: Identity,
    table: BoardSurface,
    flash_file: Arc<Mutex<FlashFile>>,
    /// `None` while the power is off.
    machine: Option<Machine>,
    /// None for a board that connects to the relay in its journal, and asks to be paired without one.
    connector: Option<RelayConnector>,
    plug: watch::Sender<bool>,
    link: Option<RelayLink>,
    /// The search of the computer opponent.
    search: Option<EngineSearch>,
    /// The flash operation in progress.
    flash_operation: Option<JoinHandle<bool>>,
    begun: TokioInstant,
    /// The time of the last poll.
    now: Instant,
    lights: Lights,
    asked: mpsc::Receiver<PanelCommand>,
    view: watch::Sender<View>,
}

/// An input of the task.
enum Wakeup {
    PanelCommand(PanelCommand),
    Link(LinkEvent),
    FlashOperation(bool),
    SearchResult(Option<SearchResult>),
    Time,
    Stop,
}

impl VirtualBoard {
    /// A board with the pieces in the start position, power and network. Browsers see and touch it through the panels.
    pub(crate) fn new(identity: Identity, flash_file: FlashFile, connector: Option<RelayConnector>) -> (Self, Panels) {
        let now = Instant::at(0);
        let mut table = BoardSurface::new(now);
        let raw = table.closed(now);
        let state = State {
            name: identity.name.clone(),
            relay: identity.relay.clone(),
            code: identity.code.clone(),
            kind: "virtual",
            power: true,
            network: true,
            plugs: true,
            ..State::default()
        };
        let view = View { pieces: table.pieces().clone(), raw, settled: raw, lights: DARK, state };
        let (view, _) = watch::channel(view);
        let (panels, asked) = Panels::new(&view);
        let board = Self {
            identity,
            table,
            flash_file: Arc::new(Mutex::new(flash_file)),
            machine: None,
            connector,
            plug: watch::Sender::new(true),
            link: None,
            search: None,
            flash_operation: None,
            begun: TokioInstant::now(),
            now,
            lights: DARK,
            asked,
            view,
        };
        (board, panels)
    }

    /// Asks the relay for the code of the board, and then shows it in browsers.
    pub(crate) fn find_code(&self, relay: BoardList) -> impl Future<Output = ()> + Send + use<> {
        let (view, name) = (self.view.clone(), self.identity.name.clone());
        async move {
            let code = relay.code_of(&name).await;
            view.send_modify(|view| view.state.code = Some(code));
        }
    }

    /// Runs until `stop` is cancelled.
    pub(crate) async fn run(mut self, stop: CancellationToken) {
        self.power_on().await;
        // The pieces were lost with the process, so they are placed as in the stored game.
        if let Some(position) = self.machine.as_ref().and_then(Machine::position) {
            self.table = BoardSurface::of(&position, self.now);
            self.power_on().await;
        }
        loop {
            let wake = self.step();
            match self.wait(wake, &stop).await {
                Wakeup::PanelCommand(asked) => self.handle_command(asked).await,
                Wakeup::Link(event) => self.handle_link(event),
                Wakeup::FlashOperation(ok) => {
                    self.flash_operation = None;
                    self.poll(Input::FlashDone { ok });
                }
                Wakeup::SearchResult(result) => {
                    self.search = None;
                    self.catch_up();
                    if let Some(result) = result {
                        self.poll(Input::SearchResult(result));
                    }
                }
                Wakeup::Time => {}
                Wakeup::Stop => break,
            }
        }
        self.finish_flash_operation().await;
    }

    fn clock(&self) -> Instant {
        Instant::at(u64::try_from(self.begun.elapsed().as_millis()).unwrap_or(u64::MAX))
    }

    async fn wait(&mut self, wake: Duration, stop: &CancellationToken) -> Wakeup {
        let line = async {
            match &mut self.link {
                Some(link) => link.event().await,
                None => std::future::pending().await,
            }
        };
        let operation = async {
            match &mut self.flash_operation {
                Some(operation) => operation.await.unwrap_or(false),
                None => std::future::pending().await,
            }
        };
        let search = async {
            match &mut self.search {
                Some(search) => search.result().await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            biased;
            () = stop.cancelled() => Wakeup::Stop,
            Some(asked) = self.asked.recv() => Wakeup::PanelCommand(asked),
            report = line => Wakeup::Link(report),
            done = operation => Wakeup::FlashOperation(done),
            result = search => Wakeup::SearchResult(result),
            () = sleep(wake) => Wakeup::Time,
        }
    }

    /// Catches up to the current time with one scan for each millisecond, as the firmware does.
    fn catch_up(&mut self) {
        let until = self.clock();
        self.now = self.now.after(until.since(self.now).saturating_sub(CATCH_UP_LIMIT));
        while self.now < until {
            self.now = self.now.after(1);
            let closed = self.table.closed(self.now);
            self.poll(Input::Scan(closed));
        }
    }

    /// Polls the board as of now, shows the result, and returns how long to sleep.
    fn step(&mut self) -> Duration {
        self.catch_up();
        let idle = self.now.after(if self.table.is_restless(self.now) { BUSY_MS } else { IDLE_MS });
        let wake = self.poll(Input::Wake).map_or(idle, |at| idle.min(at));
        self.show();
        Duration::from_millis(wake.since(self.clock()))
    }

    /// Polls the runner with an input, and again until it has nothing more to do now. Returns when to poll it without any input.
    fn poll(&mut self, mut input: Input<'_>) -> Option<Instant> {
        let now = self.now;
        loop {
            let machine = self.machine.as_mut()?;
            let permit = self.link.as_ref().and_then(RelayLink::permit);
            let is_full = self.link.is_some() && permit.is_none();
            let output = machine.poll(input, permit.is_some(), now);
            input = Input::Wake;
            if let Some(frame) = output.frame {
                self.lights = lights(&frame, output.layout);
            }
            let mut again = output.reload;
            if let Some((permit, frame)) = permit.zip(output.send) {
                permit.send(frame.to_vec());
                again = true;
            }
            if let Some(action) = output.flash {
                let (flash_file, name, operation) =
                    (self.flash_file.clone(), self.identity.name.clone(), FlashOperation::from(action));
                self.flash_operation = Some(tokio::task::spawn_blocking(move || {
                    let done = flash_file.lock().carry_out(operation);
                    if let Err(error) = &done {
                        tracing::error!(board = name, %error, "writing the journal of the virtual board failed");
                    }
                    done.is_ok()
                }));
            }
            match output.think {
                Some(ThinkCommand::Start(question)) => self.search = Some(EngineSearch::start(question)),
                Some(ThinkCommand::Cancel) => self.search = None,
                None => {}
            }
            if let Some(error) = output.error {
                let board = &self.identity.name;
                if error == LinkError::PairingOver {
                    tracing::debug!(board, "board closes its pairing request");
                } else if matches!(error, LinkError::Answer(_)) {
                    tracing::warn!(board, %error, "relay refuses the board, will retry with backoff");
                } else {
                    tracing::info!(board, %error, "board closes its connection to the relay");
                }
            }
            let board = &self.identity.name;
            match output.notice {
                Some(Notice::Goodbye(reason)) => {
                    tracing::info!(board, %reason, "relay closes the connection of the virtual board");
                }
                Some(Notice::Compare(squares)) => {
                    let squares = crate::discovery::square_names(squares);
                    tracing::info!(board, squares, "board asks to be paired: compare the squares on the relay's page");
                }
                Some(Notice::Paired) => tracing::info!(board, "board is paired"),
                Some(Notice::Declined) => {
                    tracing::warn!(board, "pairing declined, no further request until the next start");
                }
                Some(Notice::Online | Notice::Loaded { .. } | Notice::Live(_) | Notice::Calibration(_)) | None => {}
            }
            let (link, reload, wake_at, remote_line) = (output.link, output.reload, output.wake_at, output.remote_line);
            if let Some(remote) = remote_line {
                machine.answer(&remote, now);
                again = true;
            }
            match link {
                Some(LinkCommand::Connect) => {
                    let connector = self.connector.clone().or(machine.relay().map(RelayConnector::tcp));
                    self.link = connector.map(|connector| RelayLink::new(Some(connector), self.plug.subscribe()));
                }
                Some(LinkCommand::ConnectToPair) => {
                    let connector = machine.relay().map(RelayConnector::tcp_to_pair);
                    self.link = Some(RelayLink::new(connector, self.plug.subscribe()));
                }
                Some(LinkCommand::Disconnect) => {
                    self.link = None;
                    input = Input::Disconnected { random: random::roll() as u32 };
                    again = true;
                }
                None => {}
            }
            // The queue of the connection is full: whether it has room again is not reported.
            let retry = is_full.then(|| now.after(BUSY_MS));
            let wake_at = wake_at.into_iter().chain(retry).min();
            if reload {
                machine.reload(&mut self.flash_file.lock(), now);
            }
            if !again {
                return wake_at;
            }
        }
    }

    /// Publishes the state of the board to the panels.
    fn show(&mut self) {
        let (now, lights) = (self.now, self.lights);
        let raw = self.table.closed(now);
        let pieces = self.table.pieces();
        let report = self.machine.as_ref().map(|machine| machine.report(pieces, now)).unwrap_or_default();
        let settled = self.machine.as_ref().map_or(chess::Bitboard::EMPTY, Machine::settled);
        let (power, network) = (self.machine.is_some(), *self.plug.borrow());
        self.view.send_if_modified(|view| {
            let state = State { power, network, report, ..view.state.clone() };
            let next = View { pieces: pieces.clone(), raw, settled, lights, state };
            let is_new = *view != next;
            *view = next;
            is_new
        });
    }

    async fn handle_command(&mut self, asked: PanelCommand) {
        self.catch_up();
        match asked {
            PanelCommand::Touch { owner, touch, answer } => {
                let mut refused = None;
                match touch {
                    Touch::Network { plugged } => {
                        self.plug.send_replace(plugged);
                    }
                    Touch::Power { plugged: true } if self.machine.is_none() => self.power_on().await,
                    // The state in memory is lost, and the relay gets no goodbye.
                    Touch::Power { plugged: false } => {
                        self.machine = None;
                        self.link = None;
                        self.search = None;
                        self.lights = DARK;
                    }
                    Touch::Hints { on } => match &mut self.machine {
                        Some(machine) => machine.set_hints(on, random::roll()),
                        None => refused = Some("the board has no power".to_owned()),
                    },
                    Touch::Pace { pace } => match &mut self.machine {
                        Some(machine) => machine.set_pace(pace, self.now),
                        None => refused = Some("the board has no power".to_owned()),
                    },
                    Touch::Computer { level, color } => match &mut self.machine {
                        Some(machine) => machine.set_computer(level, color, self.now),
                        None => refused = Some("the board has no power".to_owned()),
                    },
                    _ => {}
                }
                let done = self.table.touch(owner, touch, random::roll(), self.now);
                let done = done.map_err(|clumsy| clumsy.to_string()).and_then(|()| refused.map_or(Ok(()), Err));
                // The browser may have disconnected.
                let _ = answer.send(done);
            }
            PanelCommand::LetGo { owner } => self.table.let_go(owner, self.now),
        }
    }

    async fn power_on(&mut self) {
        // A flash operation that was in progress when the power was cut completes first.
        self.finish_flash_operation().await;
        let raw = self.table.closed(self.now);
        let mut flash_file = self.flash_file.lock();
        self.lights = DARK;
        self.machine = Some(Machine::start(&self.identity, &mut flash_file, raw, random::roll(), self.now));
    }

    async fn finish_flash_operation(&mut self) {
        if let Some(operation) = self.flash_operation.take() {
            let _ = operation.await;
        }
    }

    fn handle_link(&mut self, event: LinkEvent) {
        self.catch_up();
        match event {
            LinkEvent::Connected { found } => {
                let ephemeral = Ephemeral::new(random::bytes());
                if self.machine.as_ref().is_some_and(Machine::is_paired) {
                    self.poll(Input::Connected(ephemeral))
                } else {
                    let found = found.as_deref();
                    self.poll(Input::ConnectedToPair { ephemeral, nonce: random::bytes(), found })
                }
            }
            LinkEvent::Frame(mut frame) => self.poll(Input::Received(&mut frame)),
            LinkEvent::Gone => {
                self.link = None;
                self.poll(Input::Disconnected { random: random::roll() as u32 })
            }
        };
    }
}
