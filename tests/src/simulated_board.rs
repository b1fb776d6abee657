//! A simulated board: a thin loop around [`board::Runner`] with a journal in memory, simulated hands and a real connection to a relay.
//!
//! The hands take no real time: the time that they would take is added to the clock of the board.

mod flash;
mod hands;

use std::net::SocketAddr;
use std::time::{Duration, Instant as SystemInstant};

use anyhow::{Context, Result, bail, ensure};
use board::journal::Values;
use board::session::LinkError;
use board::{BoardCore, Entry, Input, Instant, LinkCommand, Notice, Runner, Scene, Settings, Surface};
use chess::{Bitboard, Game, Position};
use futures_util::{SinkExt, StreamExt};
use rules::Play;
use tokio::net::TcpStream;
use tokio::time::{sleep, timeout};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{WebSocketStream, client_async};
use wire::link::{Ephemeral, Goodbye, InitiatorError, Refusal, Seat};

use crate::random::next_number;
use flash::Flash;

/// Ends what hangs, even on a slow and busy machine.
const PATIENCE: Duration = Duration::from_mins(1);

/// After this much silence the board stops waiting for another frame.
const LULL: Duration = Duration::from_millis(20);

/// A board, and the hands over it.
pub struct SimulatedBoard {
    runner: Runner<Box<Surface>>,
    flash: Flash,
    key: [u8; 32],
    /// The squares on which pieces stand.
    standing: Bitboard,
    begun: SystemInstant,
    /// The simulated time of hands and backoff, in milliseconds.
    skipped: u64,
    seed: u64,
    /// The addresses to connect to, in turn, as a load balancer in front of several relays would choose.
    relays: Vec<SocketAddr>,
    next_relay: usize,
    socket: Option<WebSocketStream<TcpStream>>,
    /// The runner's last command for the transport, not carried out yet.
    link: Option<LinkCommand>,
    goodbyes: Vec<Goodbye>,
}

/// What a poll leaves to the asynchronous part.
struct Polled {
    send: Option<Vec<u8>>,
    error: Option<LinkError>,
}

impl SimulatedBoard {
    /// A new board that is set up for a game, and has this key.
    #[must_use]
    pub fn new(key: [u8; 32], relays: &[SocketAddr], seed: u64) -> Self {
        let mut seed = seed;
        let mut flash = Flash::new();
        let standing = Position::start().occupied();
        let runner = start(&mut flash, key, standing, &mut seed, Instant::at(0));
        Self {
            runner,
            flash,
            key,
            standing,
            begun: SystemInstant::now(),
            skipped: 0,
            seed,
            relays: relays.to_vec(),
            next_relay: 0,
            socket: None,
            link: None,
            goodbyes: Vec::new(),
        }
    }

    /// The game of chess; nothing while one is being loaded.
    #[must_use]
    pub fn game(&self) -> Option<&Game> {
        self.runner.core().play().and_then(Play::chess)
    }

    /// The game under any rules; nothing while one is being loaded.
    #[must_use]
    pub fn any_game(&self) -> Option<&Play> {
        self.runner.core().play()
    }

    /// What the lights show.
    #[must_use]
    pub fn scene(&self) -> Scene {
        self.runner.core().surface().referee().scene(self.now())
    }

    /// Whether the board shows where a lifted piece can go.
    #[must_use]
    pub fn has_hints(&self) -> bool {
        self.runner.core().game_info().is_some_and(|info| info.hints)
    }

    /// The owner agrees to suggested moves.
    pub fn agree_to_hints(&mut self) {
        let random = next_number(&mut self.seed);
        let core = self.runner.core_mut();
        let agree = |values: &mut Values| {
            Entry::Hints(true).keep(values).unwrap_or_else(|error| unreachable!("{error:?}: it is short"));
        };
        core.change(agree, random);
        core.send_hints();
    }

    /// How many plies the game has that the board shows.
    #[must_use]
    pub fn plies(&self) -> Option<usize> {
        self.runner.core().play().map(Play::len)
    }

    /// Which side is played at the board.
    #[must_use]
    pub fn seat(&self) -> Seat {
        self.runner.core().surface().referee().seat()
    }

    /// Whether a relay has said hello over the current connection.
    #[must_use]
    pub fn is_online(&self) -> bool {
        self.runner.core().is_online()
    }

    /// The reasons with which relays have closed connections so far.
    #[must_use]
    pub fn goodbyes(&self) -> &[Goodbye] {
        &self.goodbyes
    }

    /// From now on it connects to these.
    pub fn move_to(&mut self, relays: &[SocketAddr]) {
        self.relays = relays.to_vec();
        self.next_relay = 0;
    }

    /// The cable is pulled. The relay may or may not notice.
    pub fn pull_cable(&mut self) {
        self.socket = None;
        self.link = None;
        let random = next_number(&mut self.seed) as u32;
        self.poll(Input::Disconnected { random }, false);
    }

    /// The plug is pulled, and put in again.
    pub fn restart(&mut self) {
        self.socket = None;
        self.link = None;
        let now = self.now();
        self.runner = start(&mut self.flash, self.key, self.standing, &mut self.seed, now);
    }

    /// Exchanges frames with the relay until a condition holds.
    pub async fn until(&mut self, what: &str, is_so: impl Fn(&Self) -> bool) -> Result<()> {
        let deadline = SystemInstant::now() + PATIENCE;
        while !is_so(self) {
            let moves = self.plies();
            let (seat, online) = (self.seat(), self.is_online());
            ensure!(
                SystemInstant::now() < deadline,
                "it takes too long until {what}: {moves:?} moves, {seat:?}, online: {online}, {:?}",
                self.goodbyes
            );
            self.talk().await?;
        }
        // The last received events are acknowledged.
        self.talk().await
    }

    /// Sends all pending frames, and receives until the relay is silent.
    pub async fn talk(&mut self) -> Result<()> {
        loop {
            if self.socket.is_none() && !self.connect().await? {
                return Ok(());
            }
            if !self.send().await {
                self.pull_cable();
                continue;
            }
            let Some(socket) = &mut self.socket else { continue };
            match timeout(LULL, socket.next()).await {
                Err(_) => return Ok(()),
                Ok(Some(Ok(Message::Binary(frame)))) => {
                    match self.poll(Input::Received(&mut Vec::from(frame)), false).error {
                        // A relay refuses with `Busy` while it stops, and while its store is away.
                        None | Some(LinkError::Answer(InitiatorError::Refused(Refusal::Busy))) => {}
                        Some(broken) => bail!("the link is broken: {broken}"),
                    }
                    if self.link.is_some() {
                        self.pull_cable();
                        return Ok(());
                    }
                }
                Ok(Some(Ok(Message::Close(_)) | Err(_)) | None) => {
                    self.pull_cable();
                    return Ok(());
                }
                Ok(Some(Ok(_))) => {}
            }
        }
    }

    /// Waits for the backoff in simulated time and connects to the next relay. Returns whether there is a connection.
    async fn connect(&mut self) -> Result<bool> {
        if self.link.is_none() {
            let at = self.runner.core().connect_at().context("a board without a connection wants one")?;
            self.skipped += at.since(self.now());
            self.poll(Input::Wake, false);
        }
        ensure!(self.link.take() == Some(LinkCommand::Connect), "the runner does not connect after the backoff");
        let relay = self.relays[self.next_relay % self.relays.len()];
        self.next_relay += 1;
        let connecting = async {
            let stream = TcpStream::connect(relay).await.ok()?;
            stream.set_nodelay(true).ok()?;
            client_async(format!("ws://{relay}/ws/board"), stream).await.ok()
        };
        let connected = timeout(Duration::from_secs(5), connecting).await.ok().flatten();
        if let Some((socket, _)) = connected {
            self.socket = Some(socket);
            let mut ephemeral = [0; 32];
            ephemeral.chunks_mut(8).for_each(|part| part.copy_from_slice(&next_number(&mut self.seed).to_le_bytes()));
            self.poll(Input::Connected(Ephemeral::new(ephemeral)), false);
        } else {
            self.pull_cable();
            sleep(LULL).await;
        }
        Ok(self.socket.is_some())
    }

    /// Sends all pending frames. Returns whether the connection is still of use.
    async fn send(&mut self) -> bool {
        loop {
            let Polled { send, error } = self.poll(Input::Wake, true);
            let Some(socket) = self.socket.as_mut().filter(|_| error.is_none()) else { return false };
            let Some(frame) = send else { return true };
            if !matches!(timeout(PATIENCE, socket.send(Message::Binary(frame.into()))).await, Ok(Ok(()))) {
                return false;
            }
        }
    }

    /// Polls the runner, and carries out everything that does not need the network.
    fn poll(&mut self, input: Input<'_>, can_send: bool) -> Polled {
        let now = self.now();
        let (mut input, mut can_send) = (input, can_send);
        let mut polled = Polled { send: None, error: None };
        loop {
            let output = self.runner.poll(input, can_send, now);
            if let Some(frame) = output.send {
                polled.send = Some(frame.to_vec());
            }
            polled.error = polled.error.or(output.error);
            self.link = output.link.or(self.link);
            if let Some(Notice::Goodbye(goodbye)) = output.notice {
                self.goodbyes.push(goodbye);
            }
            if let Some(action) = &output.flash {
                self.flash.carry_out(action);
                input = Input::FlashDone { ok: true };
            } else if output.reload {
                self.runner.reload(&mut self.flash, now);
                input = Input::Wake;
            } else {
                return polled;
            }
            // One poll gives out one frame at most.
            can_send = false;
        }
    }

    fn now(&self) -> Instant {
        Instant::at(self.begun.elapsed().as_millis() as u64 + self.skipped)
    }
}

fn start(flash: &mut Flash, key: [u8; 32], standing: Bitboard, seed: &mut u64, now: Instant) -> Runner<Box<Surface>> {
    let surface = Box::new(Surface::new(Settings::default(), standing, now));
    let amend = |values: &mut Values| {
        for entry in [Entry::Key(Some(key)), Entry::Relay("ws://relay")] {
            entry.keep(values).unwrap_or_else(|error| unreachable!("{error:?}: both are short"));
        }
    };
    Runner::new(BoardCore::start(surface, flash, amend, "test", next_number(seed), now))
}
