//! The task in which a virtual board lives: hands and time go in, light and frames for the relay come out.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use board::Instant;
use tokio::sync::{mpsc, watch};
use tokio::task::JoinHandle;
use tokio::time::{Instant as Moment, sleep};
use tokio_util::sync::CancellationToken;

use super::line::{Call, Report, Way};
use super::machine::{Identity, Machine};
use super::panels::{Asked, Panels};
use super::tabletop::Tabletop;
use super::touch::Touch;
use super::vault::Vault;
use super::view::{DARK, State, View, channels};
use crate::dice;

/// How often a board is looked at on which something may be about to happen, in milliseconds.
const SOON: u64 = 4;
/// How often one is looked at on which nothing is.
const IDLE: u64 = 500;
/// The longest that anything on the board waits for, with room to spare. Who slept longer has missed nothing.
const PATIENCE: u64 = 10_000;

/// A board that is not made of wood.
pub(crate) struct VirtualBoard {
    identity: Identity,
    table: Tabletop,
    vault: Arc<Mutex<Vault>>,
    /// What has power, if anything does.
    machine: Option<Machine>,
    way: Way,
    plug: watch::Sender<bool>,
    call: Option<Call>,
    /// What is being done to the vault.
    chore: Option<JoinHandle<bool>>,
    begun: Moment,
    /// The last moment that the machine has seen.
    now: Instant,
    asked: mpsc::Receiver<Asked>,
    view: watch::Sender<View>,
}

/// What a virtual board waits for.
enum Happened {
    Asked(Asked),
    Line(Report),
    Chore(bool),
    Time,
    Stop,
}

impl VirtualBoard {
    /// A board with all pieces in their places, and both plugs in. The panels are for whoever wants to see and touch it.
    pub(crate) fn new(identity: Identity, vault: Vault, way: Way) -> (Self, Panels) {
        let now = Instant::at(0);
        let mut table = Tabletop::new(now);
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
        let view = View { wood: table.wood().clone(), raw, settled: raw, lights: DARK, state };
        let (view, _) = watch::channel(view);
        let (panels, asked) = Panels::new(&view);
        let board = Self {
            identity,
            table,
            vault: Arc::new(Mutex::new(vault)),
            machine: None,
            way,
            plug: watch::Sender::new(true),
            call: None,
            chore: None,
            begun: Moment::now(),
            now,
            asked,
            view,
        };
        (board, panels)
    }

    /// Lives until it is told to stop.
    pub(crate) async fn live(mut self, stop: CancellationToken) {
        self.power_on().await;
        // Wood stays as it is while nobody looks after it. Here it was gone with the process, so the pieces are put where the
        // board has them.
        if let Some(position) = self.machine.as_ref().and_then(Machine::position) {
            self.table = Tabletop::of(&position, self.now);
            self.power_on().await;
        }
        loop {
            let wake = self.stir();
            match self.wait(wake, &stop).await {
                Happened::Asked(asked) => self.obey(asked).await,
                Happened::Line(report) => self.hear(report),
                Happened::Chore(done) => {
                    self.chore = None;
                    if let Some(machine) = &mut self.machine {
                        machine.kept(done);
                    }
                }
                Happened::Time => {}
                Happened::Stop => break,
            }
        }
        self.finish_chore().await;
    }

    fn clock(&self) -> Instant {
        Instant::at(u64::try_from(self.begun.elapsed().as_millis()).unwrap_or(u64::MAX))
    }

    async fn wait(&mut self, wake: Duration, stop: &CancellationToken) -> Happened {
        let line = async {
            match &mut self.call {
                Some(call) => call.report().await,
                None => std::future::pending().await,
            }
        };
        let chore = async {
            match &mut self.chore {
                Some(chore) => chore.await.unwrap_or(false),
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            biased;
            () = stop.cancelled() => Happened::Stop,
            Some(asked) = self.asked.recv() => Happened::Asked(asked),
            report = line => Happened::Line(report),
            done = chore => Happened::Chore(done),
            () = sleep(wake) => Happened::Time,
        }
    }

    /// Lives on to this moment, a millisecond and a scan at a time, as the real board does.
    fn catch_up(&mut self) {
        let until = self.clock();
        self.now = self.now.after(until.since(self.now).saturating_sub(PATIENCE));
        while self.now < until {
            self.now = self.now.after(1);
            let closed = self.table.closed(self.now);
            if let Some(machine) = &mut self.machine {
                machine.scan(closed, self.now);
            }
        }
    }

    /// Does everything that there is to do, and returns how long there is nothing.
    fn stir(&mut self) -> Duration {
        self.catch_up();
        let now = self.now;
        let mut wake = now.after(if self.table.is_restless(now) { SOON } else { IDLE });
        let mut lights = None;
        if let Some(machine) = &mut self.machine {
            if machine.has_to_recall() && self.chore.is_none() {
                machine.recall(&mut self.vault.lock().unwrap_or_else(PoisonError::into_inner), now);
            }
            if self.chore.is_none()
                && let Some(chore) = machine.chore(now)
            {
                let (vault, name) = (self.vault.clone(), self.identity.name.clone());
                self.chore = Some(tokio::task::spawn_blocking(move || {
                    let done = vault.lock().unwrap_or_else(PoisonError::into_inner).carry_out(chore);
                    if let Err(error) = &done {
                        tracing::error!(board = name, %error, "the journal of the virtual board cannot be written");
                    }
                    done.is_ok()
                }));
            }
            if machine.dial(now) {
                self.call = Some(Call::new(self.way.clone(), self.plug.subscribe()));
            }
            if let Some(call) = &self.call {
                match speak(machine, call, now) {
                    Ok(true) => {}
                    // There was no room for all of it.
                    Ok(false) => wake = now.after(SOON),
                    Err(broken) => {
                        tracing::info!(board = self.identity.name, %broken, "the virtual board gives its connection up");
                        self.call = None;
                        machine.disconnected(dice::roll() as u32, now);
                    }
                }
            }
            lights = machine.shine(now).map(|frame| channels(frame.colours()));
            wake = machine.wake_at().map_or(wake, |at| wake.min(at));
        }
        self.show(lights);
        Duration::from_millis(wake.since(self.clock()))
    }

    /// Lets the panels know.
    fn show(&mut self, lights: Option<super::view::Lights>) {
        let now = self.now;
        let raw = self.table.closed(now);
        let wood = self.table.wood();
        let report = self.machine.as_ref().map(|machine| machine.report(wood, now)).unwrap_or_default();
        let settled = self.machine.as_ref().map_or(chess::Bitboard::EMPTY, Machine::settled);
        let (power, network) = (self.machine.is_some(), *self.plug.borrow());
        self.view.send_if_modified(|view| {
            let state = State { power, network, report, ..view.state.clone() };
            let lights = match (lights, power) {
                (_, false) => DARK,
                (lights, true) => lights.unwrap_or(view.lights),
            };
            let next = View { wood: wood.clone(), raw, settled, lights, state };
            let is_new = *view != next;
            *view = next;
            is_new
        });
    }

    async fn obey(&mut self, asked: Asked) {
        self.catch_up();
        match asked {
            Asked::Touch { owner, touch, answer } => {
                let mut refused = None;
                match touch {
                    Touch::Network { plugged } => {
                        self.plug.send_replace(plugged);
                    }
                    Touch::Power { plugged: true } if self.machine.is_none() => self.power_on().await,
                    // What is in memory is gone, and nobody is told.
                    Touch::Power { plugged: false } => {
                        self.machine = None;
                        self.call = None;
                    }
                    Touch::Hints { on } => match &mut self.machine {
                        Some(machine) => machine.agree_to_hints(on, dice::roll()),
                        None => refused = Some("a board without power agrees to nothing".to_owned()),
                    },
                    _ => {}
                }
                let done = self.table.touch(owner, touch, dice::roll(), self.now);
                let done = done.map_err(|clumsy| clumsy.to_string()).and_then(|()| refused.map_or(Ok(()), Err));
                // Who has gone does not want to know.
                let _ = answer.send(done);
            }
            Asked::LetGo { owner } => self.table.let_go(owner, self.now),
        }
    }

    async fn power_on(&mut self) {
        // What was being written when the power went is written by now, or it is not.
        self.finish_chore().await;
        let raw = self.table.closed(self.now);
        let mut vault = self.vault.lock().unwrap_or_else(PoisonError::into_inner);
        self.machine = Some(Machine::start(&self.identity, &mut vault, raw, dice::roll(), self.now));
    }

    async fn finish_chore(&mut self) {
        if let Some(chore) = self.chore.take() {
            let done = chore.await.unwrap_or(false);
            if let Some(machine) = &mut self.machine {
                machine.kept(done);
            }
        }
    }

    fn hear(&mut self, report: Report) {
        self.catch_up();
        let now = self.now;
        let Some(machine) = &mut self.machine else { return };
        match report {
            Report::Connected => machine.connected(dice::bytes(), now),
            Report::Frame(mut frame) => {
                if let Err(broken) = machine.receive(&mut frame, now) {
                    tracing::info!(board = self.identity.name, %broken, "the virtual board gives its connection up");
                    self.call = None;
                    machine.disconnected(dice::roll() as u32, now);
                }
            }
            Report::Gone => {
                self.call = None;
                machine.disconnected(dice::roll() as u32, now);
            }
        }
    }
}

/// Says all that there is to say, as far as there is room. Returns whether there was.
fn speak(machine: &mut Machine, call: &Call, now: Instant) -> Result<bool, board::session::Broken> {
    while let Some(place) = call.place() {
        match machine.transmit(now)? {
            Some(frame) => place.send(frame),
            None => return Ok(true),
        }
    }
    Ok(false)
}
