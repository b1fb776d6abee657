//! The panel of an emulated board as a web page: pieces, switches, lights and plugs in a browser (`cargo xtask qemu --panel`).
//!
//! The page and its piece placement are those of the virtual board ([`ExternalBoard`]); this module connects them to the two
//! serial lines of the emulator, and its plugs to QMP.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result};
use board::Instant;
use chess::Bitboard;
use host_server::config::{Config, TouchPolicy};
use host_server::server::{Server, Shutdown, StoreCheck};
use host_server::virtual_board::{ExternalBoard, PanelRequest, Plug};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWriteExt};
use tokio::net::tcp::OwnedWriteHalf;
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::Runtime;
use tokio::sync::mpsc;
use tokio::task::spawn_blocking;
use tokio::time::{Instant as Moment, sleep, timeout};
use wire::panel::{PanelFrame, PanelMessage, PanelReader};

use crate::qmp::Qmp;

/// Scan period while the reeds may change, in milliseconds.
const SCAN_MS: u64 = 4;
/// Time after which an unacknowledged report of the switches is sent again, in milliseconds.
const RESEND_MS: u64 = 300;
/// Write timeout of the switch line. A line that blocks for longer is dropped.
const WRITE_TIMEOUT: Duration = Duration::from_secs(1);
/// Number of messages of the board that may be queued.
const QUEUE: usize = 16;

/// A running panel page. It ends when this is dropped.
pub struct PanelPage {
    /// The TCP port for the serial line of the switches.
    pub switches: u16,
    /// The TCP port for the serial line of the lights.
    pub lights: u16,
    /// The address of the page.
    pub address: SocketAddr,
    _runtime: Runtime,
}

impl PanelPage {
    /// Starts the page of a board with this name. `qmp` is the QMP socket of the emulator, which may start later.
    pub fn start(name: &str, qmp: &Path) -> Result<Self> {
        let runtime = Runtime::new()?;
        let (switches, lights, address) = runtime.block_on(async {
            let listen = || async { TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await };
            let (switches, lights) = (listen().await?, listen().await?);
            let ports = (switches.local_addr()?.port(), lights.local_addr()?.port());
            let board = ExternalBoard::new(name.to_owned(), true);

            let config = Config::from_variables([])?;
            let server = Server::bind(&Config { listen: (Ipv4Addr::LOCALHOST, 0).into(), ..config })?;
            let address = server.address()?;
            let routes = board.routes(TouchPolicy::Local);
            let no_store: StoreCheck = Arc::new(|| Box::pin(async { Ok(()) }));
            tokio::spawn(server.run(routes, no_store, Shutdown::new()));

            let (sender, messages) = mpsc::channel(QUEUE);
            let panel = Panel {
                board,
                switches,
                lights,
                qmp: qmp.to_owned(),
                line: None,
                reported: None,
                settled: None,
                sender,
                messages,
                started: Moment::now(),
            };
            tokio::spawn(panel.run());
            anyhow::Ok((ports.0, ports.1, address))
        })?;
        Ok(Self { switches, lights, address, _runtime: runtime })
    }
}

struct Panel {
    board: ExternalBoard,
    switches: TcpListener,
    lights: TcpListener,
    qmp: PathBuf,
    /// The line on which the firmware receives the state of its switches.
    line: Option<OwnedWriteHalf>,
    /// The last report of the switches, and its time.
    reported: Option<(Bitboard, Instant)>,
    /// The squares that the firmware has acknowledged after debouncing.
    settled: Option<Bitboard>,
    sender: mpsc::Sender<PanelMessage>,
    messages: mpsc::Receiver<PanelMessage>,
    started: Moment,
}

enum Input {
    Request(PanelRequest),
    Message(PanelMessage),
    SwitchLine(TcpStream),
    LightLine(TcpStream),
    Timer,
}

impl Panel {
    async fn run(mut self) {
        loop {
            let pause = self.report_switches().await;
            match self.next_input(pause).await {
                Input::Request(request) => self.apply(request).await,
                Input::Message(message) => self.receive(&message),
                Input::SwitchLine(line) => {
                    let (reading, writing) = line.into_split();
                    tokio::spawn(read(reading, self.sender.clone()));
                    self.line = Some(writing);
                    self.reported = None;
                }
                Input::LightLine(line) => {
                    // Both halves, because QEMU closes a line of which one half is closed.
                    tokio::spawn(read(line, self.sender.clone()));
                }
                Input::Timer => {}
            }
        }
    }

    fn now(&self) -> Instant {
        Instant::at(u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX))
    }

    async fn next_input(&mut self, pause: Duration) -> Input {
        tokio::select! {
            request = self.board.request() => Input::Request(request),
            Some(message) = self.messages.recv() => Input::Message(message),
            Ok((line, _)) = self.switches.accept() => Input::SwitchLine(line),
            Ok((line, _)) = self.lights.accept() => Input::LightLine(line),
            () = sleep(pause) => Input::Timer,
        }
    }

    /// Reports the switches to the firmware if they changed or the last report was not acknowledged; returns the time until
    /// the next scan.
    async fn report_switches(&mut self) -> Duration {
        let now = self.now();
        let closed = self.board.read_reeds(now);
        let is_due = match self.reported {
            None => true,
            Some((reported, at)) => reported != closed || self.settled != Some(closed) && now.since(at) >= RESEND_MS,
        };
        if self.board.has_power()
            && is_due
            && let Some(line) = &mut self.line
        {
            let frame = PanelFrame::from(&PanelMessage::Occupied(closed));
            if !matches!(timeout(WRITE_TIMEOUT, line.write_all(&frame)).await, Ok(Ok(()))) {
                self.line = None;
            }
            if self.reported.is_none_or(|(reported, _)| reported != closed) {
                self.settled = None;
            }
            self.reported = Some((closed, now));
        }
        Duration::from_millis(if self.board.is_restless(now) { SCAN_MS } else { RESEND_MS })
    }

    fn receive(&mut self, message: &PanelMessage) {
        match *message {
            PanelMessage::Ask => self.reported = None,
            PanelMessage::Settled(settled) => {
                self.settled = Some(settled);
                self.board.show_settled(settled);
            }
            PanelMessage::Lights(lights) => self.board.show_lights(lights),
            // Only panels send this.
            PanelMessage::Occupied(_) => {}
        }
    }

    async fn apply(&mut self, request: PanelRequest) {
        let now = self.now();
        let Some(request) = self.board.apply(request, now) else { return };
        let (socket, plug, is_in) = (self.qmp.clone(), request.plug, request.is_in);
        let plugging = spawn_blocking(move || {
            let mut qmp = Qmp::connect(&socket)?;
            match plug {
                Plug::Network => qmp.plug(is_in),
                Plug::Power => qmp.power(is_in),
            }
        });
        let result = plugging.await.context("the QMP client failed").flatten();
        if result.is_ok() && plug == Plug::Power {
            (self.reported, self.settled) = (None, None);
        }
        self.board.plugged(request, result.map_err(|error| format!("{error:#}")));
    }
}

/// Reads messages until the line ends or the panel disconnects.
async fn read(mut line: impl AsyncRead + Unpin, sender: mpsc::Sender<PanelMessage>) {
    let mut reader = PanelReader::default();
    let mut bytes = [0; 1024];
    while let Ok(count @ 1..) = line.read(&mut bytes).await {
        for message in bytes[..count].iter().filter_map(|&byte| reader.feed(byte)) {
            if sender.send(message).await.is_err() {
                return;
            }
        }
    }
}
