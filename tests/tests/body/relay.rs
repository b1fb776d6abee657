//! The other end of the link, and nothing more of a relay than that.

use std::io::ErrorKind;
use std::net::{TcpListener, TcpStream};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use board::session::{Broken, Conversation, End, Memory, News};
use chess::{Game, Move};
use tungstenite::{Message, WebSocket};
use wire::link::{Channel, Ephemeral, Event, Knock, MAX_FRAME, PairingKey, Refusal, Seat, Table};

/// Ends what hangs. It says nothing about speed.
const PATIENCE: Duration = Duration::from_mins(1);

pub(crate) const KEY: [u8; 32] = [0x42; 32];

/// A key in digits.
pub(crate) fn digits(key: [u8; 32]) -> String {
    key.map(|byte| format!("{byte:02x}")).concat()
}

/// The order that gives a board its key.
pub(crate) fn key_order(key: [u8; 32]) -> String {
    format!("key={}", digits(key))
}

pub(crate) struct Relay {
    listener: TcpListener,
    started: Instant,
    conversation: Conversation<64>,
    pub(crate) game: Box<Game>,
    coming: Box<Game>,
    pub(crate) table: Table<'static>,
    /// What the board says that it is.
    pub(crate) software: String,
    pub(crate) knocks: u32,
    pub(crate) refused: u32,
    pub(crate) broken: Vec<Broken>,
    random: u8,
    line: Line,
}

enum Line {
    Idle,
    Knocking(WebSocket<TcpStream>),
    Answered(WebSocket<TcpStream>, Channel),
    Open(WebSocket<TcpStream>),
}

impl Relay {
    pub(crate) fn new() -> Result<Self> {
        let listener = TcpListener::bind(("127.0.0.1", 0))?;
        listener.set_nonblocking(true)?;
        Ok(Self {
            listener,
            started: Instant::now(),
            conversation: Conversation::new(End::Relay, "a test", &Memory::blank(777), []),
            game: Box::new(Game::new()),
            coming: Box::new(Game::new()),
            table: Table { game: 1, seat: Seat::White, ..Table::LOCAL },
            software: String::new(),
            knocks: 0,
            refused: 0,
            broken: Vec::new(),
            random: 0,
            line: Line::Idle,
        })
    }

    /// The order that tells a board where it is.
    pub(crate) fn order(&self) -> Result<String> {
        Ok(format!("relay=ws://10.0.2.2:{}/ws/board", self.listener.local_addr()?.port()))
    }

    /// The relay is stopped and started again. It knows what it knew, and all connections are gone.
    pub(crate) fn restart(&mut self) {
        self.hang_up();
        self.knocks = 0;
    }

    fn hang_up(&mut self) {
        self.line = Line::Idle;
        self.conversation.close();
        self.conversation.mended();
    }

    pub(crate) fn is_online(&self) -> bool {
        matches!(self.line, Line::Open(_)) && self.conversation.is_online()
    }

    /// Whether the board has written down all that it was told.
    pub(crate) fn is_heard(&self) -> bool {
        self.conversation.pending().next().is_none()
    }

    /// Begins a game that the board is to play.
    pub(crate) fn begin(&mut self, table: Table<'static>) {
        self.table = table;
        self.game.restart(chess::Position::start());
        self.conversation.renew();
    }

    /// Makes a move, and tells the board.
    pub(crate) fn play(&mut self, mv: &str) -> Result<()> {
        let ply = u16::try_from(self.game.moves().len())?;
        let mv: Move = mv.parse()?;
        self.game.play(mv)?;
        self.conversation.say(Event::Moved { ply, mv, thought_ms: 0 })?;
        Ok(())
    }

    /// The moves of the game, as it is here.
    pub(crate) fn moves(&self) -> String {
        self.game.moves().iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
    }

    /// Does what a relay does, until this is so.
    pub(crate) fn wait(&mut self, what: &str, mut is_so: impl FnMut(&Self) -> bool) -> Result<()> {
        let deadline = Instant::now() + PATIENCE;
        while !is_so(self) {
            if Instant::now() >= deadline {
                bail!("the relay never saw {what}; the moves are {:?}, broken {:?}", self.moves(), self.broken);
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

    /// One turn of everything, and whether anything happened.
    fn turn(&mut self) -> Result<bool> {
        if let Ok((stream, _)) = self.listener.accept() {
            stream.set_nonblocking(false)?;
            stream.set_read_timeout(Some(PATIENCE))?;
            let socket = tungstenite::accept(stream).ok().context("the board does not speak WebSocket")?;
            socket.get_ref().set_nonblocking(true)?;
            socket.get_ref().set_nodelay(true)?;
            self.hang_up();
            self.line = Line::Knocking(socket);
            return Ok(true);
        }
        let mut busy = self.receive()?;
        // It keeps everything at once.
        let memory = self.conversation.memory();
        if !self.conversation.is_torn() {
            self.conversation.kept(&memory);
        }
        let now = self.now();
        if let Line::Open(socket) = &mut self.line {
            let mut frame = [0; MAX_FRAME];
            match self.conversation.transmit(&self.table, &self.game, &mut frame, now) {
                Ok(Some(len)) => {
                    busy = true;
                    if socket.send(Message::binary(frame[..len].to_vec())).is_err() {
                        self.hang_up();
                    }
                }
                Ok(None) => {}
                Err(broken) => self.give_up(broken),
            }
        }
        Ok(busy)
    }

    fn give_up(&mut self, broken: Broken) {
        self.broken.push(broken);
        self.hang_up();
    }

    fn receive(&mut self) -> Result<bool> {
        let (Line::Knocking(socket) | Line::Answered(socket, _) | Line::Open(socket)) = &mut self.line else {
            return Ok(false);
        };
        let mut frame = match socket.read() {
            Ok(Message::Binary(bytes)) => bytes.to_vec(),
            Ok(_) => return Ok(true),
            Err(tungstenite::Error::Io(error)) if error.kind() == ErrorKind::WouldBlock => return Ok(false),
            Err(_) => {
                self.hang_up();
                return Ok(true);
            }
        };
        let now = self.now();
        match std::mem::replace(&mut self.line, Line::Idle) {
            Line::Idle => {}
            Line::Knocking(mut socket) => {
                self.knocks += 1;
                self.random += 1;
                let knock = Knock::read(&frame)?;
                let key = PairingKey::new(KEY);
                let answer = if knock.board() == key.board_id() {
                    knock.answer(&key, Ephemeral::new([self.random; 32])).ok()
                } else {
                    None
                };
                if let Some((answer, channel)) = answer {
                    socket.send(Message::binary(answer.to_vec()))?;
                    self.line = Line::Answered(socket, channel);
                } else {
                    self.refused += 1;
                    socket.send(Message::binary(Refusal::UnknownBoard.frame().to_vec()))?;
                }
            }
            Line::Answered(socket, channel) => match self.conversation.accept(channel, &mut frame, now) {
                Ok(news) => {
                    self.line = Line::Open(socket);
                    if let News::Online(hello) = news {
                        self.software = hello.software.to_owned();
                    }
                }
                Err(broken) => self.give_up(broken),
            },
            Line::Open(socket) => {
                self.line = Line::Open(socket);
                match self.conversation.receive(&mut frame, &mut self.coming, now) {
                    Ok(Some(News::Event(event))) => act(&mut self.game, event)?,
                    Ok(Some(News::Loaded(basis))) => {
                        std::mem::swap(&mut self.game, &mut self.coming);
                        for event in self.conversation.standing(basis).collect::<Vec<_>>() {
                            act(&mut self.game, event)?;
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

fn act(game: &mut Game, event: Event) -> Result<()> {
    match event {
        Event::Moved { ply, mv, .. } => {
            assert_eq!(usize::from(ply), game.moves().len(), "{mv} comes twice, or something before it is lost");
            game.play(mv)?;
        }
        Event::TakenBack { plies } => {
            for _ in 0..plies {
                game.take_back();
            }
        }
        _ => {}
    }
    Ok(())
}
