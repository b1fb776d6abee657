//! The main loop: polls the [`Runner`] with what the other tasks report, and hands its outputs to them. It is the only task that
//! changes the state of the board.

use core::sync::atomic::Ordering;
use core::{fmt, future};

use board::console::{Command, Consequence, ConsoleMachine, RemoteLine, SquareList};
use board::journal::Action;
use board::session::LinkError;
use board::{Address, Input, Instant, LinkCommand, Notice, Output, Profile, Runner};
use defmt::{Display2Format, info, warn};
use embassy_futures::select::{Either, Either3, Either4, select, select3, select4};
use embassy_sync::blocking_mutex::raw::RawMutex;
use embassy_sync::mutex::Mutex;
use embassy_time::Timer;
use heapless::{String, Vec};
use wire::link::Ephemeral;

use super::channels::{
    ADDRESS, ANSWERS, CHECK_WIRES, CONNECT, CONSOLE_LINES, CommandOutput, ConnectRequest, DISCONNECT, FAULTS,
    FLASH_OPERATIONS, FLASH_RESULT, FRAME, FlashOperation, LINK_EVENTS, LOST_SCANS, LightFrame, LinkEvent, NOTICES,
    RELAY_FRAMES, RelayFrame, SCANS, SEARCH_MS, SEARCH_RESULT, SEARCHED_NODES, THINK, WIRES,
};
use super::clock;
use super::liveness::check_in;
use crate::banner::Banner;
use crate::console::Lines;
use crate::drivers::wiring::Wiring;
use crate::hal::{Flash, Rng};
use crate::liveness::TaskId;
use crate::reset_cause::{ResetCause, ResetCounts};
use crate::stack;

struct MainLoop<'a, D, M: RawMutex, V> {
    runner: &'a mut Runner,
    machine: Machine<D>,
    flash: &'a Mutex<M, V>,
    /// Numbers the connections, so that late events of an earlier one are recognised.
    connection_id: u32,
    /// When to poll the runner without any input.
    wake_at: Option<Instant>,
    reboot: fn() -> !,
}

/// What the main loop borrows from start-up.
pub(crate) struct Resources<'a, D, M: RawMutex, V> {
    pub(crate) runner: &'a mut Runner,
    pub(crate) rng: D,
    pub(crate) flash: &'a Mutex<M, V>,
    pub(crate) banner: Banner,
    pub(crate) clock_source: &'static str,
    pub(crate) reset_cause: Option<ResetCause>,
    pub(crate) panic_record: Option<&'static str>,
    pub(crate) reboot: fn() -> !,
}

pub(crate) async fn run<M: RawMutex>(resources: Resources<'_, impl Rng, M, impl Flash>) -> ! {
    let Resources { runner, rng, flash, banner, clock_source, reset_cause, panic_record, reboot } = resources;
    let reset_counts = ResetCounts::decode(Profile(runner.core().values()).resets());
    let machine = Machine { rng, banner, clock_source, reset_cause, reset_counts, panic_record, wiring: None };
    let wake_at = Some(clock::now());
    let mut main_loop = MainLoop { runner, machine, flash, connection_id: 0, wake_at, reboot };
    main_loop.run().await
}

impl<D: Rng, M: RawMutex, V: Flash> MainLoop<'_, D, M, V> {
    async fn run(&mut self) -> ! {
        loop {
            check_in(TaskId::MainLoop);
            let room = async {
                // Wait for room only if the runner may have frames that did not fit.
                if self.runner.is_connected() && RELAY_FRAMES.is_full() {
                    future::poll_fn(|cx| RELAY_FRAMES.poll_ready_to_send(cx)).await;
                } else {
                    future::pending::<()>().await;
                }
            };
            let timer = clock::wait_until(self.wake_at);
            let waits = self.runner.is_rewinding();
            let link_event = async { if waits { future::pending().await } else { LINK_EVENTS.receive().await } };
            let tasks = select4(SCANS.receive(), link_event, CONSOLE_LINES.receive(), FLASH_RESULT.wait());
            let outside = select(tasks, SEARCH_RESULT.wait());
            let now = clock::now;
            match select3(outside, timer, wait_at_most_a_second(room)).await {
                Either3::First(Either::First(Either4::First(scan))) => {
                    if let Some(faults) = FAULTS.try_take() {
                        self.runner.set_faulty_positions(faults);
                    }
                    self.poll(Input::Scan(scan.wired), scan.at).await;
                }
                Either3::First(Either::First(Either4::Second(event))) => self.on_link_event(event).await,
                Either3::First(Either::First(Either4::Third(line))) => {
                    self.run_command(&line).await;
                    self.poll(Input::Wake, now()).await;
                }
                Either3::First(Either::First(Either4::Fourth(ok))) => {
                    self.poll(Input::FlashDone { ok }, now()).await;
                }
                Either3::First(Either::Second(result)) => self.poll(Input::SearchResult(result), now()).await,
                Either3::Second(()) | Either3::Third(true) => self.poll(Input::Wake, now()).await,
                Either3::Third(false) => {}
            }
        }
    }

    /// Polls the runner with an input, and hands its output to the other tasks.
    async fn poll(&mut self, input: Input<'_>, now: Instant) {
        let Output { frame, layout, send, flash, think, link, remote_line, reload, notice, error, wake_at } =
            self.runner.poll(input, !RELAY_FRAMES.is_full(), now);
        self.wake_at = wake_at;
        if let Some(frame) = frame {
            FRAME.signal(LightFrame { frame, layout });
        }
        if let Some(bytes) = send {
            // A frame of the link always fits.
            let frame = Vec::from_slice(bytes).unwrap_or_default();
            let _ = RELAY_FRAMES.try_send(RelayFrame { connection_id: self.connection_id, frame });
        }
        if let Some(action) = flash {
            let operation = match action {
                Action::Erase(bank) => FlashOperation::Erase(bank),
                // A frame of the journal always fits.
                Action::Write { bank, offset, bytes } => {
                    FlashOperation::Write { bank, offset, bytes: Vec::from_slice(bytes).unwrap_or_default() }
                }
            };
            // One operation is in flight at a time, so the channel has room.
            let _ = FLASH_OPERATIONS.try_send(operation);
        }
        if let Some(command) = think {
            THINK.signal(command);
        }
        match notice {
            Some(Notice::Online) => info!("relay online"),
            Some(Notice::Loaded { plies }) => info!("game snapshot received, {=usize} plies", plies),
            Some(Notice::Goodbye(reason)) => warn!("relay closes the connection: {}", Display2Format(&reason)),
            Some(Notice::Compare(squares)) => {
                info!("pairing: compare the squares {}", Display2Format(&SquareList(squares)));
            }
            Some(Notice::Paired) => info!("pairing: accepted by the relay"),
            Some(Notice::Declined) => warn!("pairing: declined by the relay, no further request until the next start"),
            Some(Notice::Calibration(text)) => {
                let _ = NOTICES.try_send(text);
            }
            Some(Notice::Live(_)) | None => {}
        }
        if let Some(error) = error.filter(|error| *error != LinkError::PairingOver) {
            warn!("relay link failed: {}", Display2Format(&error));
        }
        match link {
            Some(LinkCommand::Connect) => self.connect(false),
            Some(LinkCommand::ConnectToPair) => self.connect(true),
            Some(LinkCommand::Disconnect) => DISCONNECT.signal(self.connection_id),
            None => {}
        }
        if let Some(remote) = remote_line {
            info!("console line of the relay, {=usize} bytes", remote.as_str().len());
            self.run_remote_line(&remote).await;
            self.wake_at = Some(now);
        }
        if reload {
            let mut flash = self.flash.lock().await;
            self.runner.reload(&mut *flash, now);
            self.wake_at = Some(now);
        }
    }

    fn connect(&mut self, to_pair: bool) {
        let profile = Profile(self.runner.core().values());
        let relay = profile.relay_text().and_then(|text| String::try_from(text).ok());
        self.connection_id = self.connection_id.wrapping_add(1);
        CONNECT.signal(ConnectRequest { connection_id: self.connection_id, relay, to_pair });
    }

    async fn on_link_event(&mut self, event: LinkEvent) {
        let now = clock::now();
        match event {
            LinkEvent::Connected { connection_id, found } if connection_id == self.connection_id => {
                let (mut random, mut nonce) = ([0; 32], [0; 16]);
                self.machine.rng.fill(&mut random);
                self.machine.rng.fill(&mut nonce);
                let ephemeral = Ephemeral::new(random);
                let input = if self.runner.core().is_paired() {
                    Input::Connected(ephemeral)
                } else {
                    Input::ConnectedToPair { ephemeral, nonce, found: found.as_deref() }
                };
                self.poll(input, now).await;
            }
            LinkEvent::Received(mut relay_frame) if relay_frame.connection_id == self.connection_id => {
                self.poll(Input::Received(&mut relay_frame.frame), now).await;
            }
            LinkEvent::Disconnected { connection_id } if connection_id == self.connection_id => {
                let random = self.machine.rng.next_u32();
                self.poll(Input::Disconnected { random }, now).await;
            }
            LinkEvent::Network(state) => self.poll(Input::Network(state), now).await,
            // An event of an earlier connection.
            LinkEvent::Connected { .. } | LinkEvent::Received(_) | LinkEvent::Disconnected { .. } => {}
        }
    }

    /// Runs a console command, and answers it.
    async fn run_command(&mut self, line: &str) {
        self.check_wires_for(line).await;
        let mut answer = CommandOutput::new();
        // The console prints help and errors itself.
        let consequence = match Command::parse(line) {
            Ok(Some(Command::Help) | None) | Err(_) => Consequence::None,
            Ok(Some(_)) => self.runner.run_line(line, &mut self.machine, clock::now(), &mut answer),
        };
        match consequence {
            Consequence::None => {}
            Consequence::Reboot => (self.reboot)(),
            Consequence::NewAddress => ADDRESS.signal(Address::of(Profile(self.runner.core().values()))),
        }
        ANSWERS.signal(answer);
    }

    /// Runs a command of the owner's page, and sends the answer to the relay.
    async fn run_remote_line(&mut self, remote: &RemoteLine) {
        self.check_wires_for(remote.as_str()).await;
        self.runner.answer(remote, &mut self.machine, clock::now());
    }
}

impl<D: Rng, M: RawMutex, V: Flash> MainLoop<'_, D, M, V> {
    /// Has the wires of the switches checked before a self-test, whose answer names their faults. The scan task never waits for this one,
    /// and answers between two scans; the timeout keeps the watchdog fed if it has stopped.
    async fn check_wires_for(&mut self, line: &str) {
        if Command::parse(line) != Ok(Some(Command::Selftest)) {
            return;
        }
        WIRES.reset();
        CHECK_WIRES.signal(());
        self.machine.wiring = match select(WIRES.wait(), Timer::after_secs(1)).await {
            Either::First(wiring) => wiring,
            Either::Second(()) => None,
        };
    }
}

/// What the console commands need of this machine.
struct Machine<D> {
    rng: D,
    banner: Banner,
    clock_source: &'static str,
    reset_cause: Option<ResetCause>,
    /// Resets by cause, this one included.
    reset_counts: ResetCounts,
    panic_record: Option<&'static str>,
    /// The result of the last check of the wires; none on a board without them.
    wiring: Option<Wiring>,
}

impl<D: Rng> ConsoleMachine for Machine<D> {
    fn random(&mut self) -> u32 {
        self.rng.next_u32()
    }

    fn write_version(&self, text: &mut impl fmt::Write) -> fmt::Result {
        write!(text, "{}", self.banner)
    }

    fn write_stats(&self, text: &mut impl fmt::Write) -> fmt::Result {
        write!(text, "scans lost {}\r\n", LOST_SCANS.load(Ordering::Relaxed))?;
        write!(text, "stack {} of {} bytes\r\n", stack::high_water_mark(), stack::size())?;
        let (nodes, ms) = (SEARCHED_NODES.load(Ordering::Relaxed), SEARCH_MS.load(Ordering::Relaxed));
        write!(text, "last search {nodes} nodes in {ms} ms\r\n")?;
        write!(text, "clock {}\r\n", self.clock_source)?;
        if let Some(cause) = self.reset_cause {
            write!(text, "started by {}\r\nstarts so far: {}\r\n", cause.name(), self.reset_counts)?;
        }
        Ok(())
    }

    fn write_failure(&self, text: &mut impl fmt::Write) -> fmt::Result {
        write!(text, "last failure: {}\r\n", self.panic_record.unwrap_or("none recorded"))
    }

    fn write_wiring(&self, text: &mut impl fmt::Write) -> fmt::Result {
        let Some(wiring) = &self.wiring else { return Ok(()) };
        fmt::write(&mut Lines(text), format_args!("{wiring}\n"))
    }
}

/// Waits for room on the link for at most a second, so that the main loop checks in with the watchdog.
async fn wait_at_most_a_second(pending: impl Future<Output = ()>) -> bool {
    matches!(select(pending, Timer::after_secs(1)).await, Either::First(()))
}
