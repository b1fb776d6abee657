//! The wood of an emulated board: pieces to be lifted and placed, and lights to be looked at.

use std::io::{ErrorKind, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use board::{Rgb, Scene};
use chess::{Bitboard, Square};
use wire::panel::{PanelFrame, PanelMessage, PanelReader};

use crate::light::{Look, in_words};
use crate::qemu::{Qemu, SerialLine};

pub use crate::light::{Lights, lit};

/// Ends what hangs. It says nothing about speed.
const PATIENCE: Duration = Duration::from_mins(1);

/// After so long without an answer, something may have been lost in garbage, and is said again.
const SAY_AGAIN: Duration = Duration::from_millis(300);

/// The panel, with its lines. Boards can be plugged into it one after the other.
pub struct Panel {
    sensors: u16,
    lights: u16,
    shared: Arc<Shared>,
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

struct State {
    occupied: Bitboard,
    /// What the board has last said that it believes.
    settled: Option<Bitboard>,
    /// The line on which the switches are told.
    line: Option<TcpStream>,
    lights: Lights,
    /// Everything that was shown, and when it came.
    shown: Vec<(Instant, Lights)>,
}

impl Default for State {
    fn default() -> Self {
        Self { occupied: Bitboard::EMPTY, settled: None, line: None, lights: [Rgb::DARK; 64], shown: Vec::new() }
    }
}

impl Panel {
    /// A panel on which the pieces stand as at the start of a game.
    pub fn new() -> Result<Self> {
        Self::with(chess::Position::start().occupied())
    }

    /// A panel with pieces on these squares.
    pub fn with(occupied: Bitboard) -> Result<Self> {
        let shared = Arc::new(Shared::default());
        shared.lock().occupied = occupied;
        let sensors = listen(&shared, |shared, mut line| {
            shared.lock().line = line.try_clone().ok();
            read(&mut line, |message| shared.sensor_says(&message));
        })?;
        let lights = listen(&shared, |shared, mut line| {
            read(&mut line, |message| shared.lights_say(&message));
        })?;
        Ok(Self { sensors, lights, shared })
    }

    /// Plugs a board into it.
    #[must_use]
    pub fn plug(&self, board: Qemu) -> Qemu {
        board.line(SerialLine::Sensors, self.sensors).line(SerialLine::Lights, self.lights)
    }

    /// Waits until the board has seen all there is to see.
    pub fn settle(&self) -> Result<()> {
        let occupied = self.shared.lock().occupied;
        self.set(occupied)
    }

    /// Makes exactly these squares occupied, and waits until the board believes it.
    pub fn set(&self, occupied: Bitboard) -> Result<()> {
        let deadline = Instant::now() + PATIENCE;
        let mut state = self.shared.lock();
        state.occupied = occupied;
        state.settled = None;
        loop {
            say(&mut state);
            let again = Instant::now() + SAY_AGAIN;
            while state.settled != Some(occupied) && Instant::now() < again {
                state = self.shared.wait(state, again);
            }
            if state.settled == Some(occupied) {
                return Ok(());
            }
            if Instant::now() >= deadline {
                bail!("the board does not see what stands on it");
            }
        }
    }

    /// Lifts a piece.
    pub fn lift(&self, square: Square) -> Result<()> {
        let occupied = self.shared.lock().occupied;
        self.set(occupied.without(square.into()))
    }

    /// Puts a piece down.
    pub fn place(&self, square: Square) -> Result<()> {
        let occupied = self.shared.lock().occupied;
        self.set(occupied | Bitboard::from(square))
    }

    /// Moves a piece to an empty square, as fast as a hand does.
    pub fn carry(&self, from: Square, to: Square) -> Result<()> {
        self.lift(from)?;
        self.hesitate()?;
        self.place(to)
    }

    /// Does nothing for at least 160 milliseconds of the board's own time, however long that takes.
    pub fn hesitate(&self) -> Result<()> {
        // To settle takes sixteen scans, and there are a thousand in a second.
        (0..10).try_for_each(|_| self.settle())
    }

    /// Puts bytes on the line of the switches that no panel would.
    pub fn garble(&self, garbage: &[u8]) -> Result<()> {
        let mut state = self.shared.lock();
        state.line.as_mut().context("no board is plugged in")?.write_all(garbage)?;
        Ok(())
    }

    /// Waits until the lights look like this, and returns how.
    pub fn wait_for_lights(&self, what: &str, mut is_so: impl FnMut(&Lights) -> bool) -> Result<Lights> {
        let deadline = Instant::now() + PATIENCE;
        let mut state = self.shared.lock();
        while !is_so(&state.lights) {
            if Instant::now() >= deadline {
                bail!("the lights never showed {what}; lit are {:?}", lit(&state.lights));
            }
            state = self.shared.wait(state, deadline);
        }
        Ok(state.lights)
    }

    /// Waits until the lights are this scene, and nothing else, and returns since when they look as they do.
    pub fn shows(&self, what: &str, scene: Scene) -> Result<Instant> {
        let look = Look::of(scene);
        let deadline = Instant::now() + PATIENCE;
        let mut state = self.shared.lock();
        while !look.is_plain_in(&state.lights) {
            if Instant::now() >= deadline {
                bail!("the lights never showed {what}, {:?}; they are {}", look.scene(), in_words(&state.lights));
            }
            state = self.shared.wait(state, deadline);
        }
        Ok(state.shown.last().map_or_else(Instant::now, |(at, _)| *at))
    }

    /// When the lights were first this scene after some moment.
    pub fn first_shows(&self, what: &str, scene: Scene, since: Instant) -> Result<Instant> {
        let look = Look::of(scene);
        let deadline = Instant::now() + PATIENCE;
        let mut state = self.shared.lock();
        let mut seen = state.shown.partition_point(|(at, _)| *at < since);
        loop {
            if let Some((at, _)) = state.shown[seen..].iter().find(|(_, lights)| look.is_plain_in(lights)) {
                return Ok(*at);
            }
            seen = state.shown.len();
            if Instant::now() >= deadline {
                bail!("the lights never showed {what}, {:?}; they are {}", look.scene(), in_words(&state.lights));
            }
            state = self.shared.wait(state, deadline);
        }
    }

    /// Whether the lights come to be this scene in so long.
    #[must_use]
    pub fn comes_to_show(&self, scene: Scene, time: Duration) -> bool {
        let (look, deadline) = (Look::of(scene), Instant::now() + time);
        let mut state = self.shared.lock();
        while !look.is_plain_in(&state.lights) {
            if Instant::now() >= deadline {
                return false;
            }
            state = self.shared.wait(state, deadline);
        }
        true
    }

    /// Waits until the lights are this scene, and watches them for so long: all that they show has to be it.
    pub fn goes_on_showing(&self, what: &str, scene: Scene, time: Duration) -> Result<()> {
        self.shows(what, scene)?;
        let look = Look::of(scene);
        let begun = self.frames();
        thread::sleep(time);
        let state = self.shared.lock();
        match state.shown[begun..].iter().find(|(_, lights)| !look.has(lights)) {
            None => Ok(()),
            Some((_, lights)) => bail!("{what}, {:?}, is interrupted by {}", look.scene(), in_words(lights)),
        }
    }

    /// How many frames have come.
    #[must_use]
    pub fn frames(&self) -> usize {
        self.shared.lock().shown.len()
    }

    /// What is occupied.
    #[must_use]
    pub fn occupied(&self) -> Bitboard {
        self.shared.lock().occupied
    }

    /// Changes what is occupied, and does not wait until it is seen. Returns when it was said.
    pub fn touch(&self, change: impl FnOnce(Bitboard) -> Bitboard) -> Instant {
        let mut state = self.shared.lock();
        state.occupied = change(state.occupied);
        state.settled = None;
        let now = Instant::now();
        say(&mut state);
        now
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'a>(&self, state: MutexGuard<'a, State>, until: Instant) -> MutexGuard<'a, State> {
        let time = until.saturating_duration_since(Instant::now());
        self.changed.wait_timeout(state, time).unwrap_or_else(PoisonError::into_inner).0
    }

    fn sensor_says(&self, message: &PanelMessage) {
        let mut state = self.lock();
        match *message {
            PanelMessage::Ask => say(&mut state),
            PanelMessage::Settled(occupied) => state.settled = Some(occupied),
            PanelMessage::Occupied(_) | PanelMessage::Lights(_) => {}
        }
        self.changed.notify_all();
    }

    fn lights_say(&self, message: &PanelMessage) {
        if let PanelMessage::Lights(lights) = *message {
            let mut state = self.lock();
            let lights = lights.map(|[r, g, b]| Rgb { r, g, b });
            state.lights = lights;
            state.shown.push((Instant::now(), lights));
            self.changed.notify_all();
        }
    }
}

/// Tells the board what is occupied, if one is plugged in. One that has just gone away will ask when it is back.
fn say(state: &mut State) {
    if let Some(line) = &mut state.line {
        let _ = line.write_all(&PanelFrame::from(&PanelMessage::Occupied(state.occupied)));
    }
}

/// Listens at a port of its own, and serves whoever comes, on threads that end with the program.
fn listen(shared: &Arc<Shared>, serve: fn(&Shared, TcpStream)) -> Result<u16> {
    let listener = TcpListener::bind(("127.0.0.1", 0)).context("there is no port for the panel")?;
    let port = listener.local_addr()?.port();
    let shared = Arc::clone(shared);
    thread::spawn(move || {
        for line in listener.incoming().flatten() {
            let _ = line.set_nodelay(true);
            let shared = Arc::clone(&shared);
            thread::spawn(move || serve(&shared, line));
        }
    });
    Ok(port)
}

/// Reads messages until the line is gone.
fn read(line: &mut TcpStream, mut take: impl FnMut(PanelMessage)) {
    let mut reader = PanelReader::default();
    let mut bytes = [0; 1024];
    loop {
        match line.read(&mut bytes) {
            Ok(0) => return,
            Ok(count) => bytes[..count].iter().filter_map(|&byte| reader.feed(byte)).for_each(&mut take),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(_) => return,
        }
    }
}
