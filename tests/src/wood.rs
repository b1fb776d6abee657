//! A wooden board without the wood: the mind of the firmware, a journal in memory, careful hands, and a real connection.
//!
//! Hands take no time here: what they would take is added to the clock of the board.

mod flash;
mod hands;

use std::net::SocketAddr;
use std::time::{Duration, Instant as SystemInstant};

use anyhow::{Context, Result, bail, ensure};
use board::journal::Values;
use board::session::Broken;
use board::{Brain, Entry, Heard, Instant, Mind, Settings};
use chess::{Bitboard, Game, Position};
use futures_util::{SinkExt, StreamExt};
use tokio::net::TcpStream;
use tokio::time::{sleep, timeout};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{WebSocketStream, client_async};
use wire::link::{AnswerError, Ephemeral, Goodbye, MAX_FRAME, Refusal, Seat};

use crate::stroll::next_number;
use flash::Flash;

/// Long enough for a slow and busy machine.
const PATIENCE: Duration = Duration::from_mins(1);

/// After so much silence there is nothing to be heard for now.
const LULL: Duration = Duration::from_millis(20);

/// A board, and the hands over it.
pub struct Wood {
    mind: Mind,
    flash: Flash,
    key: [u8; 32],
    /// The squares on which pieces stand.
    standing: Bitboard,
    begun: SystemInstant,
    /// What hands and patience would have taken, in milliseconds.
    skipped: u64,
    seed: u64,
    /// Where to connect to, one after the other, as somebody before many relays would choose.
    relays: Vec<SocketAddr>,
    next_relay: usize,
    socket: Option<WebSocketStream<TcpStream>>,
    goodbyes: Vec<Goodbye>,
}

impl Wood {
    /// A new board that is set up for a game, and has this key.
    #[must_use]
    pub fn new(key: [u8; 32], relays: &[SocketAddr], seed: u64) -> Self {
        let mut seed = seed;
        let mut flash = Flash::new();
        let standing = Position::start().occupied();
        let mind = wake(&mut flash, key, standing, &mut seed, Instant::at(0));
        Self {
            mind,
            flash,
            key,
            standing,
            begun: SystemInstant::now(),
            skipped: 0,
            seed,
            relays: relays.to_vec(),
            next_relay: 0,
            socket: None,
            goodbyes: Vec::new(),
        }
    }

    /// The game, unless half of another one has come.
    #[must_use]
    pub fn game(&self) -> Option<&Game> {
        self.mind.game()
    }

    /// How many moves the game has that the board shows.
    #[must_use]
    pub fn plies(&self) -> Option<usize> {
        Some(self.game()?.moves().len())
    }

    /// Whose hands move the pieces.
    #[must_use]
    pub fn seat(&self) -> Seat {
        self.mind.brain().referee().seat()
    }

    /// Whether a relay has said hello, and nothing has broken since.
    #[must_use]
    pub fn is_online(&self) -> bool {
        self.mind.is_online()
    }

    /// With what relays have hung up so far.
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
        let random = self.random();
        self.mind.disconnected(random, self.now());
    }

    /// The plug is pulled, and put in again.
    pub fn restart(&mut self) {
        self.socket = None;
        let now = self.now();
        self.mind = wake(&mut self.flash, self.key, self.standing, &mut self.seed, now);
    }

    /// Talks with the relay until something is so.
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
        // What has been heard is acknowledged.
        self.talk().await
    }

    /// Sends all that there is, and takes what comes until it is quiet.
    pub async fn talk(&mut self) -> Result<()> {
        loop {
            self.keep();
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
                    let now = self.now();
                    match self.mind.receive(&mut Vec::from(frame), now) {
                        Ok(Heard::Goodbye(goodbye)) => self.goodbyes.push(goodbye),
                        Ok(Heard::Something | Heard::Online | Heard::Game { .. }) => {}
                        // It is about to stop, or its store is away.
                        Err(Broken::Answer(AnswerError::Refused(Refusal::Busy))) => self.pull_cable(),
                        Err(broken) => bail!("the link is broken: {broken}"),
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

    /// Calls the next relay, when it is time for that. Returns whether there is one.
    async fn connect(&mut self) -> Result<bool> {
        if self.mind.is_torn_apart() {
            let now = self.now();
            self.mind.recall(&mut self.flash, now);
        }
        let at = self.mind.connect_at().context("a board without a connection wants one")?;
        self.skipped += at.since(self.now());
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
            self.mind.connected(Ephemeral::new(ephemeral), self.now());
        } else {
            let random = self.random();
            self.mind.disconnected(random, self.now());
            sleep(LULL).await;
        }
        Ok(self.socket.is_some())
    }

    /// Returns whether it could.
    async fn send(&mut self) -> bool {
        let mut buffer = [0; MAX_FRAME];
        loop {
            let now = self.now();
            let Some(socket) = &mut self.socket else { return false };
            match self.mind.transmit(&mut buffer, now) {
                Ok(None) => return true,
                Ok(Some(len)) => {
                    let frame = Message::Binary(buffer[..len].to_vec().into());
                    if !matches!(timeout(PATIENCE, socket.send(frame)).await, Ok(Ok(()))) {
                        return false;
                    }
                }
                // Nothing has come for too long.
                Err(_) => return false,
            }
        }
    }

    fn keep(&mut self) {
        let now = self.now();
        while let Some(action) = self.mind.keep(now) {
            self.flash.carry_out(&action);
            self.mind.kept(true);
        }
    }

    fn now(&self) -> Instant {
        Instant::at(self.begun.elapsed().as_millis() as u64 + self.skipped)
    }

    fn random(&mut self) -> u32 {
        next_number(&mut self.seed) as u32
    }
}

fn wake(flash: &mut Flash, key: [u8; 32], standing: Bitboard, seed: &mut u64, now: Instant) -> Mind {
    // A board has one for as long as it lives, and a test is over soon.
    let brain = Box::leak(Box::new(Brain::new(Settings::default(), standing, now)));
    let amend = |values: &mut Values| {
        for entry in [Entry::Key(Some(key)), Entry::Relay("ws://relay")] {
            entry.keep(values).unwrap_or_else(|error| unreachable!("{error:?}: both are short"));
        }
    };
    Mind::wake(brain, flash, amend, "test", next_number(seed), now).0
}
