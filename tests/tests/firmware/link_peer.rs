//! A minimal peer of the board's link: handshake, session and a game, without the rest of a relay.

use std::io::ErrorKind;
use std::net::{TcpListener, TcpStream};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use board::session::{End, Incoming, LinkError, Session};
use chess::Move;
use rules::{Play, Ply, Start};
use tests::qemu::Board;
use tungstenite::{Message, WebSocket};
use wire::journal::SessionMemory;
use wire::link::{Channel, Ephemeral, Event, GameInfo, MAX_FRAME, PairingKey, Refusal, Responder, Seat};

/// Timeout of every wait. It ends a test that hangs.
const TIMEOUT: Duration = Duration::from_mins(1);

pub(crate) const KEY: [u8; 32] = [0x42; 32];

/// A key in hexadecimal digits.
pub(crate) fn digits(key: [u8; 32]) -> String {
    key.map(|byte| format!("{byte:02x}")).concat()
}

/// The argument with the pairing key.
pub(crate) fn key_argument(key: [u8; 32]) -> String {
    format!("key={}", digits(key))
}

pub(crate) struct LinkPeer {
    listener: TcpListener,
    started: Instant,
    session: Session<64>,
    play: Box<Play>,
    coming: Box<Play>,
    info: GameInfo,
    /// The software version that the board sent.
    pub(crate) software: String,
    /// How long the player at the board took for the last move, by the clock of the board.
    pub(crate) thought: Duration,
    pub(crate) connections: u32,
    pub(crate) refused: u32,
    pub(crate) broken: Vec<LinkError>,
    random: u8,
    line: LinkState,
}

enum LinkState {
    Idle,
    Connected(WebSocket<TcpStream>),
    Answered(WebSocket<TcpStream>, Channel),
    Open(WebSocket<TcpStream>),
}

impl LinkPeer {
    pub(crate) fn new() -> Result<Self> {
        let listener = TcpListener::bind(("127.0.0.1", 0))?;
        listener.set_nonblocking(true)?;
        Ok(Self {
            listener,
            started: Instant::now(),
            session: Session::new(End::Relay, "a test", &SessionMemory::new(777), []),
            play: Box::new(Play::new()),
            coming: Box::new(Play::new()),
            info: GameInfo { game: 1, seat: Seat::White, ..GameInfo::LOCAL },
            software: String::new(),
            thought: Duration::ZERO,
            connections: 0,
            refused: 0,
            broken: Vec::new(),
            random: 0,
            line: LinkState::Idle,
        })
    }

    /// The TCP port of this peer on the loopback address.
    pub(crate) fn port(&self) -> Result<u16> {
        Ok(self.listener.local_addr()?.port())
    }

    /// The argument with the address of this peer.
    pub(crate) fn argument(&self) -> Result<String> {
        Ok(format!("relay=ws://10.0.2.2:{}/ws/board", self.port()?))
    }

    /// Drops all connections, as a restarted relay does. The session is kept.
    pub(crate) fn restart(&mut self) {
        self.disconnect();
        self.connections = 0;
    }

    fn disconnect(&mut self) {
        self.line = LinkState::Idle;
        self.session.close();
        self.session.discard_half_load();
    }

    pub(crate) fn is_online(&self) -> bool {
        matches!(self.line, LinkState::Open(_)) && self.session.is_online()
    }

    /// Whether the board has acknowledged all events.
    pub(crate) fn is_heard(&self) -> bool {
        self.session.pending().next().is_none()
    }

    /// Starts a game, which is sent as a snapshot.
    pub(crate) fn begin(&mut self, info: GameInfo) {
        self.info = info;
        self.play.restart(&Start::CHESS);
        self.session.force_snapshot();
    }

    /// Makes a move, and sends it to the board.
    pub(crate) fn play(&mut self, mv: &str) -> Result<()> {
        let number = u16::try_from(self.play.len())?;
        let ply = Ply::of_move(mv.parse::<Move>()?);
        self.play.play(ply)?;
        self.session.queue_event(Event::Moved { number, ply, thought_ms: 0 })?;
        Ok(())
    }

    /// The moves of the game on this side, in UCI notation.
    pub(crate) fn moves(&self) -> String {
        self.play.sheet().iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
    }

    /// Waits until the board has received the game that was begun. A move before that would belong to the game before.
    pub(crate) fn wait_for_arrival(&mut self, board: &mut Board) -> Result<()> {
        let mut has_arrived = false;
        // The peer sends while it waits.
        self.wait("that the game has arrived", |_| {
            while let Some(line) = board.try_line() {
                has_arrived |= line.message.starts_with("game snapshot received");
            }
            has_arrived
        })
    }

    /// Runs the session until a condition holds.
    pub(crate) fn wait(&mut self, what: &str, mut is_so: impl FnMut(&Self) -> bool) -> Result<()> {
        let deadline = Instant::now() + TIMEOUT;
        while !is_so(self) {
            if Instant::now() >= deadline {
                bail!(
                    "the relay never saw {what}; {} connections, moves {:?}, errors {:?}",
                    self.connections,
                    self.moves(),
                    self.broken
                );
            }
            if !self.turn()? {
                thread::sleep(Duration::from_millis(2));
            }
        }
        Ok(())
    }

    fn now(&self) -> board::Instant {
        board::Instant::at(u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX))
    }

    /// Does one step, and returns whether it did anything.
    fn turn(&mut self) -> Result<bool> {
        if let Ok((stream, _)) = self.listener.accept() {
            stream.set_nonblocking(false)?;
            stream.set_read_timeout(Some(TIMEOUT))?;
            let socket = tungstenite::accept(stream).ok().context("the board does not speak WebSocket")?;
            socket.get_ref().set_nonblocking(true)?;
            socket.get_ref().set_nodelay(true)?;
            self.disconnect();
            self.line = LinkState::Connected(socket);
            return Ok(true);
        }
        let mut busy = self.receive()?;
        // This peer has no store: everything counts as persisted at once.
        let memory = self.session.memory();
        if !self.session.is_half_loaded() {
            self.session.mark_stored(&memory);
        }
        let now = self.now();
        if let LinkState::Open(socket) = &mut self.line {
            let mut frame = [0; MAX_FRAME];
            match self.session.transmit(&self.info, &self.play, &mut frame, now) {
                Ok(Some(len)) => {
                    busy = true;
                    if socket.send(Message::binary(frame[..len].to_vec())).is_err() {
                        self.disconnect();
                    }
                }
                Ok(None) => {}
                Err(broken) => self.give_up(broken),
            }
        }
        Ok(busy)
    }

    fn give_up(&mut self, broken: LinkError) {
        self.broken.push(broken);
        self.disconnect();
    }

    fn receive(&mut self) -> Result<bool> {
        let (LinkState::Connected(socket) | LinkState::Answered(socket, _) | LinkState::Open(socket)) = &mut self.line
        else {
            return Ok(false);
        };
        let mut frame = match socket.read() {
            Ok(Message::Binary(bytes)) => bytes.to_vec(),
            Ok(_) => return Ok(true),
            Err(tungstenite::Error::Io(error)) if error.kind() == ErrorKind::WouldBlock => return Ok(false),
            Err(_) => {
                self.disconnect();
                return Ok(true);
            }
        };
        let now = self.now();
        match std::mem::replace(&mut self.line, LinkState::Idle) {
            LinkState::Idle => {}
            LinkState::Connected(mut socket) => {
                self.connections += 1;
                self.random += 1;
                let responder = Responder::read(&frame)?;
                let key = PairingKey::new(KEY);
                let answer = if responder.board() == key.board_id() {
                    responder.answer(&key, Ephemeral::new([self.random; 32])).ok()
                } else {
                    None
                };
                if let Some((answer, channel)) = answer {
                    socket.send(Message::binary(answer.to_vec()))?;
                    self.line = LinkState::Answered(socket, channel);
                } else {
                    self.refused += 1;
                    socket.send(Message::binary(Refusal::UnknownBoard.frame().to_vec()))?;
                }
            }
            LinkState::Answered(socket, channel) => match self.session.accept(channel, &mut frame, now) {
                Ok(news) => {
                    self.line = LinkState::Open(socket);
                    if let Incoming::Online(hello) = news {
                        self.software = hello.software.to_owned();
                    }
                }
                Err(broken) => self.give_up(broken),
            },
            LinkState::Open(socket) => {
                self.line = LinkState::Open(socket);
                match self.session.receive(&mut frame, &mut self.coming, now) {
                    Ok(Some(Incoming::Event(event))) => {
                        if let Event::Moved { thought_ms, .. } = event {
                            self.thought = Duration::from_millis(thought_ms.into());
                        }
                        act(&mut self.play, event)?;
                    }
                    Ok(Some(Incoming::SnapshotComplete(basis))) => {
                        std::mem::swap(&mut self.play, &mut self.coming);
                        for event in self.session.events_missing_in(basis).collect::<Vec<_>>() {
                            act(&mut self.play, event)?;
                        }
                    }
                    Ok(_) => {}
                    Err(broken) => self.give_up(broken),
                }
            }
        }
        Ok(true)
    }
}

fn act(play: &mut Play, event: Event) -> Result<()> {
    match event {
        Event::Moved { number, ply, .. } => {
            assert_eq!(usize::from(number), play.len(), "{ply} comes twice, or something before it is lost");
            play.play(ply)?;
        }
        Event::TakenBack { plies } => {
            for _ in 0..plies {
                play.take_back();
            }
        }
        _ => {}
    }
    Ok(())
}
