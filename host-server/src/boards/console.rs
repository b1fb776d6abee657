use std::collections::HashMap;
use std::time::Duration;

use parking_lot::Mutex;
use tokio::sync::{mpsc, oneshot, watch};
use tokio::time::{Instant, timeout};
use wire::link::{BoardId, Occupancy};

/// How long a board may take to answer a line. A journal erase stops it for up to 4 s.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(8);

/// Lines that may wait for one board.
const QUEUE: usize = 4;

/// Why a line got no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum ConsoleError {
    #[error("the board is not connected to this relay")]
    Offline,
    #[error("the software of the board is too old: update it, or use its console")]
    TooOld,
    #[error("too many commands wait for the board")]
    Busy,
    #[error("the board did not answer in time; look at its settings before you repeat the command")]
    Timeout,
    #[error("the board disconnected before it answered; look at its settings before you repeat the command")]
    Disconnected,
}

/// A line for a board, and where its answer goes.
#[derive(Debug)]
pub(crate) struct ConsoleRequest {
    pub(crate) line: String,
    pub(crate) answer: oneshot::Sender<Result<String, ConsoleError>>,
}

/// What a connected board says about itself at this moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LiveBoard {
    pub(crate) software: String,
    /// When it connected.
    pub(crate) since: Instant,
    pub(crate) occupancy: Option<Occupancy>,
}

/// The consoles of the boards that are connected to this relay.
#[derive(Debug, Default)]
pub(crate) struct Consoles {
    open: Mutex<HashMap<BoardId, BoardConsole>>,
}

/// The console of a connected board, for the owner.
#[derive(Clone, Debug)]
pub(crate) struct BoardConsole {
    lines: mpsc::Sender<ConsoleRequest>,
    live: watch::Receiver<LiveBoard>,
}

/// The same, for the task of the board's connection. The console is closed when it is dropped.
#[derive(Debug)]
pub(crate) struct ConsoleEndpoint {
    pub(crate) lines: mpsc::Receiver<ConsoleRequest>,
    pub(crate) live: watch::Sender<LiveBoard>,
}

impl ConsoleEndpoint {
    /// A console that no owner can reach, for a board that is not verified yet.
    pub(crate) fn closed() -> Self {
        Self::new(String::new()).0
    }

    fn new(software: String) -> (Self, BoardConsole) {
        let (sender, lines) = mpsc::channel(QUEUE);
        let live = watch::Sender::new(LiveBoard { software, since: Instant::now(), occupancy: None });
        let console = BoardConsole { lines: sender, live: live.subscribe() };
        (Self { lines, live }, console)
    }
}

impl Consoles {
    /// Opens the console of a board, in place of that of its last connection.
    pub(crate) fn open(&self, id: BoardId, software: String) -> ConsoleEndpoint {
        let (endpoint, console) = ConsoleEndpoint::new(software);
        let mut open = self.open.lock();
        open.retain(|_, console| !console.lines.is_closed());
        open.insert(id, console);
        endpoint
    }

    /// The console of a board that is connected.
    pub(crate) fn get(&self, id: BoardId) -> Option<BoardConsole> {
        self.open.lock().get(&id).filter(|console| !console.lines.is_closed()).cloned()
    }
}

impl BoardConsole {
    /// Has a line executed, and returns the output.
    pub(crate) async fn run(&self, line: String) -> Result<String, ConsoleError> {
        let (answer, answered) = oneshot::channel();
        self.lines.try_send(ConsoleRequest { line, answer }).map_err(|error| match error {
            mpsc::error::TrySendError::Full(_) => ConsoleError::Busy,
            mpsc::error::TrySendError::Closed(_) => ConsoleError::Offline,
        })?;
        match timeout(ANSWER_TIMEOUT, answered).await {
            Ok(answered) => answered.unwrap_or(Err(ConsoleError::Disconnected)),
            Err(_) => Err(ConsoleError::Timeout),
        }
    }

    pub(crate) fn live(&self) -> LiveBoard {
        self.live.borrow().clone()
    }
}
