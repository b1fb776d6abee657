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

/// Ends what hangs. It says nothing about speed.
const PATIENCE: Duration = Duration::from_mins(1);

/// How long to wait for bytes before looking at the clock again.
const POLL: Duration = Duration::from_millis(50);

/// What was done a moment ago is to be seen after so long.
const LOOK: Duration = Duration::from_millis(150);

/// Hands need so long from one touch to the next. It is only for the board to see them as hands.
const TOUCH: Duration = Duration::from_millis(180);

/// A window that shows a virtual board.
pub(crate) struct Window {
    socket: WebSocket<TcpStream>,
    /// What it was last told of the board, of the pieces, of the lights, and what was wrong.
    pub(crate) state: Value,
    pub(crate) wood: Value,
    pub(crate) lights: [[u8; 3]; 64],
    pub(crate) settled: Bitboard,
    pub(crate) errors: Vec<String>,
}

impl Window {
    /// Opens one, and waits until it has been told everything.
    pub(crate) fn open(relay: SocketAddr) -> Result<Self> {
        Self::open_with(relay, &[])
    }

    /// Opens one with these headers.
    pub(crate) fn open_with(relay: SocketAddr, headers: &[(&'static str, &str)]) -> Result<Self> {
        let stream = TcpStream::connect(relay)?;
        stream.set_nodelay(true)?;
        let mut request = format!("ws://{relay}/ws/panel").into_client_request()?;
        for (name, value) in headers {
            request.headers_mut().insert(*name, value.parse()?);
        }
        let (socket, _) = tungstenite::client(request, stream).map_err(|error| anyhow::anyhow!("{error}"))?;
        socket.get_ref().set_read_timeout(Some(POLL))?;
        let (state, wood) = (Value::Null, Value::Null);
        let mut window =
            Self { socket, state, wood, lights: [[0; 3]; 64], settled: Bitboard::EMPTY, errors: Vec::new() };
        window.until("everything", |window| !window.state.is_null() && !window.wood.is_null())?;
        Ok(window)
    }

    /// Waits until it shows this.
    pub(crate) fn until(&mut self, what: &str, mut is_so: impl FnMut(&Self) -> bool) -> Result<()> {
        let deadline = Instant::now() + PATIENCE;
        while !is_so(self) {
            ensure!(Instant::now() < deadline, "{what} is never seen; {} {} {:?}", self.state, self.wood, self.errors);
            self.hear().with_context(|| format!("waiting for {what}"))?;
        }
        Ok(())
    }

    fn hear(&mut self) -> Result<()> {
        match self.socket.read() {
            Ok(Message::Text(text)) => {
                let message: Value = serde_json::from_str(&text)?;
                match message["type"].as_str() {
                    Some("board") => self.state = message,
                    Some("wood") => self.wood = message,
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

    /// Says something, whatever comes of it.
    pub(crate) fn say(&mut self, text: impl Into<Message>) -> Result<()> {
        Ok(self.socket.send(text.into())?)
    }

    /// Does something, as hands do: with time to be seen.
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

    /// Takes what stands on a square off the board.
    pub(crate) fn take_off(&mut self, square: &str) -> Result<()> {
        self.touch(&json!({ "type": "lift", "hand": 1, "square": square }))?;
        self.touch(&json!({ "type": "put_aside", "hand": 1 }))
    }

    /// Makes a move by hand: `e2e4`; what stands where it goes is taken off before.
    pub(crate) fn carry(&mut self, mv: &str) -> Result<()> {
        let (from, to) = (&mv[..2], &mv[2..4]);
        self.look()?;
        if self.at(to) != '.' {
            self.take_off(to)?;
        }
        self.lift(from)?;
        self.put(to)
    }

    /// Looks at the board for a moment.
    pub(crate) fn look(&mut self) -> Result<()> {
        let deadline = Instant::now() + LOOK;
        while Instant::now() < deadline {
            self.hear()?;
        }
        Ok(())
    }

    /// Waits until the board has a seat at a table with this guest.
    pub(crate) fn until_seated(&mut self, guest: &str) -> Result<()> {
        self.until("the seat", |window| window.state["seat"] == "white" && window.state["black"] == guest)?;
        self.until_settled()
    }

    /// What stands on a square, as far as this window knows.
    pub(crate) fn at(&self, square: &str) -> char {
        let index = square.parse::<Square>().map_or(64, |square| usize::from(square.index()));
        self.wood["standing"].as_str().and_then(|standing| standing.chars().nth(index)).unwrap_or('?')
    }

    /// Waits until the board has so many plies, and until it has seen all that there is to be seen.
    pub(crate) fn until_ply(&mut self, plies: usize) -> Result<()> {
        self.until(&format!("ply {plies}"), |window| window.state["plies"] == plies)
    }

    /// Waits until both of these squares are lit.
    pub(crate) fn until_lit(&mut self, squares: &[&str]) -> Result<()> {
        let lit = |window: &Self, square: &&str| {
            let index = square.parse::<Square>().map_or(0, |square| usize::from(square.index()));
            window.lights[index] != [0; 3]
        };
        self.until(&format!("light on {squares:?}"), |window| squares.iter().all(|square| lit(window, square)))
    }

    /// Waits until what stands on the wood is what the game has, as far as the board can tell.
    pub(crate) fn until_settled(&mut self) -> Result<()> {
        self.until("order", |window| {
            let standing = window.wood["standing"].as_str().unwrap_or_default();
            let occupied = Square::all().zip(standing.chars()).filter(|&(_, piece)| piece != '.');
            let in_order = window.state["sentence"]
                .as_str()
                .is_some_and(|words| words == "All is in order." || words.ends_with("is in check."));
            window.settled == occupied.map(|(square, _)| square).collect() && in_order
        })
    }
}
