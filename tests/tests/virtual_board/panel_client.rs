use std::io::ErrorKind;
use std::net::{SocketAddr, TcpStream};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use chess::{Bitboard, Square};
use serde_json::{Value, json};
use tungstenite::client::IntoClientRequest;
use tungstenite::{Error, Message, WebSocket};
use wire::panel::PanelMessage;

/// Timeout of every wait. It ends a test that hangs.
const TIMEOUT: Duration = Duration::from_mins(1);

/// Read timeout of the socket.
const POLL: Duration = Duration::from_millis(50);

/// Time to read pending messages.
const LOOK: Duration = Duration::from_millis(150);

/// Pause after each touch, as hands make it, so that the board sees every touch.
const TOUCH: Duration = Duration::from_millis(180);

/// A client of `/ws/panel`, as a browser window is.
pub(crate) struct PanelClient {
    socket: WebSocket<TcpStream>,
    /// The last messages about the board and its pieces, the lights, and all errors.
    pub(crate) state: Value,
    pub(crate) pieces: Value,
    pub(crate) lights: [[u8; 3]; 64],
    pub(crate) settled: Bitboard,
    pub(crate) errors: Vec<String>,
}

impl PanelClient {
    /// Connects, and waits until the whole state has come.
    pub(crate) fn open(relay: SocketAddr) -> Result<Self> {
        Self::open_with(relay, &[])
    }

    /// Connects with these headers.
    pub(crate) fn open_with(relay: SocketAddr, headers: &[(&'static str, &str)]) -> Result<Self> {
        let stream = TcpStream::connect(relay)?;
        stream.set_nodelay(true)?;
        let mut request = format!("ws://{relay}/ws/panel").into_client_request()?;
        for (name, value) in headers {
            request.headers_mut().insert(*name, value.parse()?);
        }
        let (socket, _) = tungstenite::client(request, stream).map_err(|error| anyhow::anyhow!("{error}"))?;
        socket.get_ref().set_read_timeout(Some(POLL))?;
        let (state, pieces) = (Value::Null, Value::Null);
        let mut window =
            Self { socket, state, pieces, lights: [[0; 3]; 64], settled: Bitboard::EMPTY, errors: Vec::new() };
        window.until("everything", |window| !window.state.is_null() && !window.pieces.is_null())?;
        Ok(window)
    }

    /// Receives until a condition holds.
    pub(crate) fn until(&mut self, what: &str, mut is_so: impl FnMut(&Self) -> bool) -> Result<()> {
        let deadline = Instant::now() + TIMEOUT;
        while !is_so(self) {
            ensure!(
                Instant::now() < deadline,
                "{what} is never seen; {} {} {:?}",
                self.state,
                self.pieces,
                self.errors
            );
            self.receive().with_context(|| format!("waiting for {what}"))?;
        }
        Ok(())
    }

    fn receive(&mut self) -> Result<()> {
        match self.socket.read() {
            Ok(Message::Text(text)) => {
                let message: Value = serde_json::from_str(&text)?;
                match message["type"].as_str() {
                    Some("board") => self.state = message,
                    Some("pieces") => self.pieces = message,
                    Some("error") => self.errors.push(message["message"].as_str().unwrap_or_default().to_owned()),
                    _ => bail!("{message} makes no sense"),
                }
            }
            Ok(Message::Binary(bytes)) => match PanelMessage::read(&bytes)? {
                PanelMessage::Lights(lights) => self.lights = lights,
                PanelMessage::Settled(settled) => self.settled = settled,
                PanelMessage::Occupied(_) => {}
                PanelMessage::Ask => bail!("a window has nothing to be asked"),
            },
            Ok(Message::Close(frame)) => bail!("the window is closed: {frame:?}"),
            Ok(_) => {}
            Err(Error::Io(error)) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {}
            Err(error) => return Err(error.into()),
        }
        Ok(())
    }

    /// Sends a frame.
    pub(crate) fn say(&mut self, text: impl Into<Message>) -> Result<()> {
        Ok(self.socket.send(text.into())?)
    }

    /// Sends a touch, and pauses as a hand does.
    pub(crate) fn touch(&mut self, touch: &Value) -> Result<()> {
        self.say(touch.to_string())?;
        thread::sleep(TOUCH);
        Ok(())
    }

    pub(crate) fn lift(&mut self, square: &str) -> Result<()> {
        self.touch(&json!({ "type": "lift", "square": square }))
    }

    pub(crate) fn put(&mut self, square: &str) -> Result<()> {
        self.touch(&json!({ "type": "put", "square": square }))
    }

    /// Removes the piece on a square.
    pub(crate) fn take_off(&mut self, square: &str) -> Result<()> {
        self.touch(&json!({ "type": "lift", "hand": 1, "square": square }))?;
        self.touch(&json!({ "type": "put_aside", "hand": 1 }))
    }

    /// Makes a move by hand, such as `e2e4`; a captured piece is removed first. It waits until the board has read each touch, since a
    /// busy machine may not scan for longer than a hand pauses.
    pub(crate) fn carry(&mut self, mv: &str) -> Result<()> {
        let (from, to) = (&mv[..2], &mv[2..4]);
        self.look()?;
        if self.at(to) != '.' {
            self.take_off(to)?;
            self.until_read(to, false)?;
        }
        self.lift(from)?;
        self.until_read(from, false)?;
        self.put(to)?;
        self.until_read(to, true)
    }

    /// Waits until the board reads a square as occupied or empty.
    fn until_read(&mut self, name: &str, is_occupied: bool) -> Result<()> {
        let square: Square = name.parse().ok().with_context(|| format!("{name} is not a square"))?;
        self.until(&format!("the reading of {name}"), |window| window.settled.has(square) == is_occupied)
    }

    /// Receives pending messages.
    pub(crate) fn look(&mut self) -> Result<()> {
        let deadline = Instant::now() + LOOK;
        while Instant::now() < deadline {
            self.receive()?;
        }
        Ok(())
    }

    /// Waits until the board plays White against this opponent.
    pub(crate) fn until_seated(&mut self, guest: &str) -> Result<()> {
        self.until("the seat", |window| window.state["seat"] == "white" && window.state["black"] == guest)?;
        self.until_settled()
    }

    /// The letter of the piece on a square, or `.`.
    pub(crate) fn at(&self, square: &str) -> char {
        let index = square.parse::<Square>().map_or(64, |square| usize::from(square.index()));
        self.pieces["standing"].as_str().and_then(|standing| standing.chars().nth(index)).unwrap_or('?')
    }

    /// Waits until the board's game has this many plies.
    pub(crate) fn until_ply(&mut self, plies: usize) -> Result<()> {
        self.until(&format!("ply {plies}"), |window| window.state["plies"] == plies)
    }

    /// Waits until all of these squares are lit.
    pub(crate) fn until_lit(&mut self, squares: &[&str]) -> Result<()> {
        let lit = |window: &Self, square: &&str| {
            let index = square.parse::<Square>().map_or(0, |square| usize::from(square.index()));
            window.lights[index] != [0; 3]
        };
        self.until(&format!("light on {squares:?}"), |window| squares.iter().all(|square| lit(window, square)))
    }

    /// Waits until these squares are lit, and no others.
    pub(crate) fn until_lit_alone(&mut self, squares: &[&str]) -> Result<()> {
        let expected: Bitboard = squares.iter().filter_map(|square| square.parse::<Square>().ok()).collect();
        self.until(&format!("light on {squares:?} alone"), |window| {
            let lights = Square::all().zip(window.lights);
            lights.filter(|(_, light)| *light != [0; 3]).map(|(square, _)| square).collect::<Bitboard>() == expected
        })
    }

    /// Waits until the board is connected to its relay.
    pub(crate) fn until_online(&mut self) -> Result<()> {
        self.until("the relay", |window| window.state["online"] == true)
    }

    /// Waits until the board reports that its pieces match the game.
    pub(crate) fn until_settled(&mut self) -> Result<()> {
        self.until("order", |window| {
            let standing = window.pieces["standing"].as_str().unwrap_or_default();
            let occupied = Square::all().zip(standing.chars()).filter(|&(_, piece)| piece != '.');
            let in_order = window.state["sentence"]
                .as_str()
                .is_some_and(|words| words == "The pieces match the game." || words.ends_with("is in check."));
            window.settled == occupied.map(|(square, _)| square).collect() && in_order
        })
    }
}
