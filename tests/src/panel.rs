//! The panel of an emulated board: sets its switches and reads its lights over two serial lines.

use std::io::{ErrorKind, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use board::{Rgb, Scene};
use chess::{Bitboard, Square};
use wire::panel::{PanelFrame, PanelMessage, PanelReader};

use crate::qemu::{Qemu, SerialLine};
use crate::scene_pattern::{ScenePattern, describe};

pub use crate::scene_pattern::{Lights, lit};

/// Timeout of every wait. It ends a test that hangs.
const TIMEOUT: Duration = Duration::from_mins(1);

/// Time after which an unacknowledged report of the switches is sent again; a frame may be lost in garbage.
const SAY_AGAIN: Duration = Duration::from_millis(300);

/// A panel with its serial lines. Boards can be connected to it one after the other.
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
    /// The occupied squares that the board last reported after debouncing.
    settled: Option<Bitboard>,
    /// The serial line of the switches.
    line: Option<TcpStream>,
    lights: Lights,
    /// All frames of the lights, with their times.
    shown: Vec<(Instant, Lights)>,
}

impl Default for State {
    fn default() -> Self {
        Self { occupied: Bitboard::EMPTY, settled: None, line: None, lights: [Rgb::DARK; 64], shown: Vec::new() }
    }
}

impl Panel {
    /// A panel with the pieces of the start position.
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

    /// Connects the serial lines of a board.
    #[must_use]
    pub fn plug(&self, board: Qemu) -> Qemu {
        board.line(SerialLine::Sensors, self.sensors).line(SerialLine::Lights, self.lights)
    }

    /// Waits until the board has debounced the current state.
    pub fn settle(&self) -> Result<()> {
        let occupied = self.shared.lock().occupied;
        self.set(occupied)
    }

    /// Sets the occupied squares, and waits until the board has debounced them.
    pub fn set(&self, occupied: Bitboard) -> Result<()> {
        let deadline = Instant::now() + TIMEOUT;
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

    /// Lifts a piece, and waits until the board has seen it.
    pub fn lift(&self, square: Square) -> Result<()> {
        let occupied = self.shared.lock().occupied;
        self.set(occupied.without(square.into()))
    }

    /// Places a piece, and waits until the board has seen it.
    pub fn place(&self, square: Square) -> Result<()> {
        let occupied = self.shared.lock().occupied;
        self.set(occupied | Bitboard::from(square))
    }

    /// Moves a piece to an empty square at the speed of a hand.
    pub fn move_piece(&self, from: Square, to: Square) -> Result<()> {
        self.lift(from)?;
        self.pause()?;
        self.place(to)
    }

    /// Pauses for at least 160 ms of the board's own time.
    pub fn pause(&self) -> Result<()> {
        // Debouncing takes 16 scans of 1 ms.
        (0..10).try_for_each(|_| self.settle())
    }

    /// Sends raw bytes on the line of the switches.
    pub fn send_garbage(&self, garbage: &[u8]) -> Result<()> {
        let mut state = self.shared.lock();
        state.line.as_mut().context("no board is plugged in")?.write_all(garbage)?;
        Ok(())
    }

    /// Waits until the lights satisfy a condition, and returns them.
    pub fn wait_for_lights(&self, what: &str, mut is_so: impl FnMut(&Lights) -> bool) -> Result<Lights> {
        let deadline = Instant::now() + TIMEOUT;
        let mut state = self.shared.lock();
        while !is_so(&state.lights) {
            if Instant::now() >= deadline {
                bail!("the lights never showed {what}; lit are {:?}", lit(&state.lights));
            }
            state = self.shared.wait(state, deadline);
        }
        Ok(state.lights)
    }

    /// Waits until the lights show exactly this scene, and returns the time of the frame.
    pub fn wait_for_scene(&self, what: &str, scene: Scene) -> Result<Instant> {
        let pattern = ScenePattern::of(scene);
        let deadline = Instant::now() + TIMEOUT;
        let mut state = self.shared.lock();
        while !pattern.is_fully_lit_in(&state.lights) {
            if Instant::now() >= deadline {
                bail!("the lights never showed {what}, {:?}; they are {}", pattern.scene(), describe(&state.lights));
            }
            state = self.shared.wait(state, deadline);
        }
        Ok(state.shown.last().map_or_else(Instant::now, |(at, _)| *at))
    }

    /// The time of the first frame of this scene after `since`.
    pub fn first_scene_since(&self, what: &str, scene: Scene, since: Instant) -> Result<Instant> {
        let pattern = ScenePattern::of(scene);
        let deadline = Instant::now() + TIMEOUT;
        let mut state = self.shared.lock();
        let mut seen = state.shown.partition_point(|(at, _)| *at < since);
        loop {
            if let Some((at, _)) = state.shown[seen..].iter().find(|(_, lights)| pattern.is_fully_lit_in(lights)) {
                return Ok(*at);
            }
            seen = state.shown.len();
            if Instant::now() >= deadline {
                bail!("the lights never showed {what}, {:?}; they are {}", pattern.scene(), describe(&state.lights));
            }
            state = self.shared.wait(state, deadline);
        }
    }

    /// Whether the lights show this scene within the given time.
    #[must_use]
    pub fn reaches_scene_within(&self, scene: Scene, time: Duration) -> bool {
        let (pattern, deadline) = (ScenePattern::of(scene), Instant::now() + time);
        let mut state = self.shared.lock();
        while !pattern.is_fully_lit_in(&state.lights) {
            if Instant::now() >= deadline {
                return false;
            }
            state = self.shared.wait(state, deadline);
        }
        true
    }

    /// Waits until the lights show this scene, and checks that all frames of the given time belong to it.
    pub fn holds_scene_for(&self, what: &str, scene: Scene, time: Duration) -> Result<()> {
        self.wait_for_scene(what, scene)?;
        let pattern = ScenePattern::of(scene);
        let begun = self.frames();
        thread::sleep(time);
        let state = self.shared.lock();
        match state.shown[begun..].iter().find(|(_, lights)| !pattern.has(lights)) {
            None => Ok(()),
            Some((_, lights)) => bail!("{what}, {:?}, is interrupted by {}", pattern.scene(), describe(lights)),
        }
    }

    /// Number of frames so far.
    #[must_use]
    pub fn frames(&self) -> usize {
        self.shared.lock().shown.len()
    }

    /// The occupied squares.
    #[must_use]
    pub fn occupied(&self) -> Bitboard {
        self.shared.lock().occupied
    }

    /// Changes the occupied squares without waiting. Returns the time of the report.
    pub fn change(&self, change: impl FnOnce(Bitboard) -> Bitboard) -> Instant {
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

/// Reports the occupied squares, if a board is connected. A restarted board asks for them.
fn say(state: &mut State) {
    if let Some(line) = &mut state.line {
        let _ = line.write_all(&PanelFrame::from(&PanelMessage::Occupied(state.occupied)));
    }
}

/// Listens on a free port, and serves connections on threads.
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

/// Reads messages until the line is closed.
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
