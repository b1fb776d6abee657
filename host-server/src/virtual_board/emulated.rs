//! The panel of a board in an emulator: its switches and its lights are at the other end of two lines.

use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use board::Instant;
use chess::Bitboard;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWriteExt};
use tokio::net::tcp::OwnedWriteHalf;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{mpsc, watch};
use tokio::time::{Instant as Moment, sleep, timeout};
use tokio_util::sync::CancellationToken;
use wire::panel::{PanelFrame, PanelMessage, PanelReader};

use super::panels::{Asked, Panels};
use super::qmp;
use super::tabletop::Tabletop;
use super::touch::Touch;
use super::view::{DARK, State, View};
use crate::dice;

/// How often the switches are looked at while something may change, in milliseconds.
const SOON: u64 = 4;
/// After so long without an answer, something may have been lost, and is said again.
const SAY_AGAIN: u64 = 300;
/// A line that takes nothing for so long is of no use.
const WRITE_WITHIN: Duration = Duration::from_secs(1);
/// So many messages of the board may wait.
const WAITING: usize = 16;

/// A board whose wood is here and whose brain is in an emulator.
pub(crate) struct EmulatedBoard {
    table: Tabletop,
    switches: TcpListener,
    lights: TcpListener,
    qmp: Option<PathBuf>,
    /// The line on which the switches are told.
    line: Option<OwnedWriteHalf>,
    /// What the board was last told of its switches, and when.
    said: Option<(Bitboard, Instant)>,
    /// What it has last said that it believes.
    settled: Option<Bitboard>,
    telling: mpsc::Sender<PanelMessage>,
    told: mpsc::Receiver<PanelMessage>,
    begun: Moment,
    asked: mpsc::Receiver<Asked>,
    view: watch::Sender<View>,
}

enum Happened {
    Asked(Asked),
    Told(PanelMessage),
    Switches(TcpStream),
    Lights(TcpStream),
    Time,
    Stop,
}

impl EmulatedBoard {
    /// A panel with all pieces in their places, whose lines end at these addresses. The emulator connects to them.
    pub(crate) async fn listen(
        name: String,
        switches: SocketAddr,
        lights: SocketAddr,
        qmp: Option<PathBuf>,
    ) -> io::Result<(Self, Panels)> {
        let mut table = Tabletop::new(Instant::at(0));
        let raw = table.closed(Instant::at(0));
        let state =
            State { name, kind: "emulated", power: true, network: true, plugs: qmp.is_some(), ..State::default() };
        let view = View { wood: table.wood().clone(), raw, settled: Bitboard::EMPTY, lights: DARK, state };
        let (view, _) = watch::channel(view);
        let (panels, asked) = Panels::new(&view);
        let (telling, told) = mpsc::channel(WAITING);
        let board = Self {
            table,
            switches: TcpListener::bind(switches).await?,
            lights: TcpListener::bind(lights).await?,
            qmp,
            line: None,
            said: None,
            settled: None,
            telling,
            told,
            begun: Moment::now(),
            asked,
            view,
        };
        Ok((board, panels))
    }

    /// Where the two lines end: that of the switches, and that of the lights.
    pub(crate) fn addresses(&self) -> io::Result<(SocketAddr, SocketAddr)> {
        Ok((self.switches.local_addr()?, self.lights.local_addr()?))
    }

    /// Plays the panel until it is told to stop.
    pub(crate) async fn live(mut self, stop: CancellationToken) {
        loop {
            let wake = self.stir().await;
            match self.wait(wake, &stop).await {
                Happened::Asked(asked) => self.obey(asked).await,
                Happened::Told(message) => self.hear(&message),
                Happened::Switches(line) => {
                    let (reading, writing) = line.into_split();
                    tokio::spawn(read(reading, self.telling.clone()));
                    self.line = Some(writing);
                    self.said = None;
                }
                Happened::Lights(line) => {
                    // Whole, for an emulator hangs up on a line of which one half is closed.
                    tokio::spawn(read(line, self.telling.clone()));
                }
                Happened::Time => {}
                Happened::Stop => return,
            }
        }
    }

    fn now(&self) -> Instant {
        Instant::at(u64::try_from(self.begun.elapsed().as_millis()).unwrap_or(u64::MAX))
    }

    async fn wait(&mut self, wake: Duration, stop: &CancellationToken) -> Happened {
        tokio::select! {
            () = stop.cancelled() => Happened::Stop,
            Some(asked) = self.asked.recv() => Happened::Asked(asked),
            Some(message) = self.told.recv() => Happened::Told(message),
            Ok((line, _)) = self.switches.accept() => Happened::Switches(line),
            Ok((line, _)) = self.lights.accept() => Happened::Lights(line),
            () = sleep(wake) => Happened::Time,
        }
    }

    /// Tells the board what it does not know, and the windows what they do not; returns how long there is nothing to do.
    async fn stir(&mut self) -> Duration {
        let now = self.now();
        let closed = self.table.closed(now);
        let has_power = self.view.borrow().state.power;
        let is_news = match self.said {
            None => true,
            Some((said, at)) => said != closed || self.settled != Some(closed) && now.since(at) >= SAY_AGAIN,
        };
        if has_power
            && is_news
            && let Some(line) = &mut self.line
        {
            let frame = PanelFrame::from(&PanelMessage::Occupied(closed));
            if !matches!(timeout(WRITE_WITHIN, line.write_all(&frame)).await, Ok(Ok(()))) {
                self.line = None;
            }
            if self.said.is_none_or(|(said, _)| said != closed) {
                self.settled = None;
            }
            self.said = Some((closed, now));
        }
        let wood = self.table.wood().clone();
        self.change(|view| {
            view.raw = closed;
            view.wood = wood;
        });
        Duration::from_millis(if self.table.is_restless(now) { SOON } else { SAY_AGAIN })
    }

    fn change(&self, change: impl FnOnce(&mut View)) {
        self.view.send_if_modified(|view| {
            let before = view.clone();
            change(view);
            before != *view
        });
    }

    fn hear(&mut self, message: &PanelMessage) {
        match *message {
            PanelMessage::Ask => self.said = None,
            PanelMessage::Settled(settled) => {
                self.settled = Some(settled);
                self.change(|view| view.settled = settled);
            }
            PanelMessage::Lights(lights) => self.change(|view| {
                if view.state.power {
                    view.lights = lights;
                }
            }),
            // That is for panels to say.
            PanelMessage::Occupied(_) => {}
        }
    }

    async fn obey(&mut self, asked: Asked) {
        let now = self.now();
        match asked {
            Asked::Touch { owner, touch, answer } => {
                let done = match touch {
                    Touch::Network { plugged } => self.plug(touch).await.map(|()| {
                        self.change(|view| view.state.network = plugged);
                    }),
                    Touch::Power { plugged } => self.plug(touch).await.map(|()| {
                        (self.said, self.settled) = (None, None);
                        self.change(|view| {
                            view.state.power = plugged;
                            (view.lights, view.settled) = (DARK, Bitboard::EMPTY);
                        });
                    }),
                    Touch::Hints { .. } => Err("the hints of this board are set on its console".to_owned()),
                    touch => self.table.touch(owner, touch, dice::roll(), now).map_err(|clumsy| clumsy.to_string()),
                };
                // Who has gone does not want to know.
                let _ = answer.send(done);
            }
            Asked::LetGo { owner } => self.table.let_go(owner, now),
        }
    }

    async fn plug(&self, touch: Touch) -> Result<(), String> {
        let Some(socket) = &self.qmp else { return Err("the plugs of this board are out of reach".to_owned()) };
        match touch {
            Touch::Network { plugged } => qmp::network(socket, plugged).await,
            Touch::Power { plugged } => qmp::power(socket, plugged).await,
            _ => Ok(()),
        }
    }
}

/// Reads messages until the line is gone, or nobody listens any more.
async fn read(mut line: impl AsyncRead + Unpin, telling: mpsc::Sender<PanelMessage>) {
    let mut reader = PanelReader::default();
    let mut bytes = [0; 1024];
    while let Ok(count @ 1..) = line.read(&mut bytes).await {
        for message in bytes[..count].iter().filter_map(|&byte| reader.feed(byte)) {
            if telling.send(message).await.is_err() {
                return;
            }
        }
    }
}
