//! The main loop: polls the [`Runner`] with what the other tasks report, and hands its outputs to them. It is the only task that
//! changes the state of the board.

use core::fmt::Write as _;
use core::future;
use core::sync::atomic::Ordering;

use board::journal::Action;
use board::session::LinkError;
use board::{Entry, Frame, Input, Instant, LinkCommand, Meaning, Notice, Output, Profile, Runner, Scene};
use chess::Bitboard;
use defmt::{Display2Format, info, warn};
use embassy_futures::select::{Either, Either3, Either4, select, select3, select4};
use embassy_sync::blocking_mutex::raw::RawMutex;
use embassy_sync::mutex::Mutex;
use embassy_time::Timer;
use heapless::{String, Vec};
use wire::link::Ephemeral;

use super::channels::{
    ADDRESS, ANSWERS, Answer, CONNECT, CONSOLE_LINES, ConnectRequest, DISCONNECT, FAULTS, FLASH_OPERATIONS,
    FLASH_RESULT, FRAME, FlashOperation, LINK_EVENTS, LOST_SCANS, LightFrame, LinkEvent, NOTICE, RELAY_FRAMES,
    RelayFrame, SCANS, SEARCH_MS, SEARCHED_NODES, Scan, THINK, THOUGHT,
};
use super::clock;
use super::liveness::check_in;
use crate::address::Address;
use crate::banner::Banner;
use crate::calibration::{Calibration, Calibrator, LightLayout, Progress};
use crate::console::Command;
use crate::hal::{Flash, Rng};
use crate::liveness::TaskId;
use crate::report::SquareList;
use crate::reset_cause::{ResetCause, ResetCounts};
use crate::{report, stack};

/// Counters since start, for the console command `stats`.
#[derive(Default)]
pub(crate) struct Tally {
    frames: u32,
    connections: u32,
    flash_operations: u32,
    failures: u32,
}

struct MainLoop<'a, D, M: RawMutex, V> {
    runner: &'a mut Runner,
    rng: D,
    flash: &'a Mutex<M, V>,
    /// Numbers the connections, so that late events of an earlier one are told apart.
    connection_id: u32,
    /// When to poll the runner without any input.
    wake_at: Option<Instant>,
    tally: Tally,
    /// How switches and lights are wired.
    calibration: Calibration,
    /// The running calibration.
    calibrator: Option<Calibrator>,
    /// The next scan replaces the state of the switches, instead of being read as a change.
    takes_next_scan: bool,
    /// The frame that the runner has shown last. A calibration replaces it while it runs.
    frame: Frame,
    banner: Banner,
    clock_source: &'static str,
    reset_cause: Option<ResetCause>,
    panic_record: Option<&'static str>,
    reboot: fn() -> !,
}

/// What the main loop borrows from start-up.
pub(crate) struct Resources<'a, D, M: RawMutex, V> {
    pub(crate) runner: &'a mut Runner,
    pub(crate) rng: D,
    pub(crate) flash: &'a Mutex<M, V>,
    pub(crate) calibration: Calibration,
    pub(crate) banner: Banner,
    pub(crate) clock_source: &'static str,
    pub(crate) reset_cause: Option<ResetCause>,
    pub(crate) panic_record: Option<&'static str>,
    pub(crate) reboot: fn() -> !,
}

pub(crate) async fn run<M: RawMutex>(resources: Resources<'_, impl Rng, M, impl Flash>) -> ! {
    let Resources { runner, rng, flash, calibration, banner, clock_source, reset_cause, panic_record, reboot } =
        resources;
    let mut main_loop = MainLoop {
        runner,
        rng,
        flash,
        connection_id: 0,
        wake_at: Some(clock::now()),
        tally: Tally::default(),
        calibration,
        calibrator: None,
        takes_next_scan: false,
        frame: Frame::DARK,
        banner,
        clock_source,
        reset_cause,
        panic_record,
        reboot,
    };
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
            let tasks = select4(SCANS.receive(), LINK_EVENTS.receive(), CONSOLE_LINES.receive(), FLASH_RESULT.wait());
            let outside = select(tasks, THOUGHT.wait());
            let now = clock::now;
            match select3(outside, timer, wait_at_most_a_second(room)).await {
                Either3::First(Either::First(Either4::First(scan))) => {
                    if let Some(faults) = FAULTS.try_take() {
                        self.runner.core_mut().set_faults(self.calibration.switches.squares(faults));
                    }
                    if self.calibrator.is_some() {
                        self.calibrate(&scan);
                        self.poll(Input::Wake, scan.at).await;
                    } else {
                        let occupied = self.calibration.switches.squares(scan.wired);
                        if core::mem::take(&mut self.takes_next_scan) {
                            self.runner.core_mut().reset_reeds(occupied, scan.at);
                        }
                        self.poll(Input::Scan(occupied), scan.at).await;
                    }
                }
                Either3::First(Either::First(Either4::Second(event))) => self.on_link_event(event).await,
                Either3::First(Either::First(Either4::Third(line))) => {
                    self.run_command(&line);
                    self.poll(Input::Wake, now()).await;
                }
                Either3::First(Either::First(Either4::Fourth(ok))) => {
                    self.tally.flash_operations += 1;
                    self.tally.failures += u32::from(!ok);
                    self.poll(Input::FlashDone { ok }, now()).await;
                }
                Either3::First(Either::Second(thought)) => self.poll(Input::Thought(thought), now()).await,
                Either3::Second(()) | Either3::Third(true) => self.poll(Input::Wake, now()).await,
                Either3::Third(false) => {}
            }
        }
    }

    /// Polls the runner with an input, and hands its output to the other tasks.
    async fn poll(&mut self, input: Input<'_>, now: Instant) {
        let Output { frame, send, flash, think, link, reload, notice, error, wake_at } =
            self.runner.poll(input, !RELAY_FRAMES.is_full(), now);
        self.wake_at = wake_at;
        if let Some(frame) = frame {
            self.tally.frames += 1;
            self.frame = frame;
            if self.calibrator.is_none() {
                FRAME.signal(LightFrame { frame, layout: self.calibration.lights });
            }
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
            Some(Notice::Goodbye(_)) => warn!("relay closes the connection"),
            Some(Notice::Compare(squares)) => {
                info!("pairing: compare the squares {}", Display2Format(&SquareList(squares)));
            }
            Some(Notice::Paired) => info!("pairing: accepted by the relay"),
            Some(Notice::Declined) => warn!("pairing: declined by the relay, no further request until the next start"),
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
                self.rng.fill(&mut random);
                self.rng.fill(&mut nonce);
                self.tally.connections += 1;
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
                let random = self.rng.next_u32();
                self.poll(Input::Disconnected { random }, now).await;
            }
            LinkEvent::Network(state) => self.poll(Input::Network(state), now).await,
            // An event of an earlier connection.
            LinkEvent::Connected { .. } | LinkEvent::Received(_) | LinkEvent::Disconnected { .. } => {}
        }
    }

    /// Runs a console command, and answers it.
    fn run_command(&mut self, line: &str) {
        let now = clock::now();
        let mut answer = Answer::new();
        let mut settings = *self.runner.core().settings();
        // An answer that is too long ends early.
        let _ = match Command::parse(line) {
            Ok(Some(Command::Show)) => report::show(self.runner.core(), &mut answer),
            Ok(Some(Command::Selftest)) => {
                self.runner.core_mut().start_light_test(now);
                report::selftest(self.runner.core(), &mut self.rng, self.tally.failures, &mut answer)
            }
            Ok(Some(Command::Stats)) => self.stats(now, &mut answer),
            Ok(Some(Command::Reboot)) => (self.reboot)(),
            Ok(Some(Command::SetBrightness(brightness))) => {
                settings.lights.brightness = brightness;
                self.runner.core_mut().set(settings, now);
                answer.write_str("done\r\n")
            }
            Ok(Some(Command::SetRest(rest))) => {
                settings.hand.rest = rest;
                self.runner.core_mut().set(settings, now);
                answer.write_str("done\r\n")
            }
            Ok(Some(Command::SetPace(pace))) => {
                settings.hand.pace = pace;
                self.runner.core_mut().set(settings, now);
                answer.write_str("done\r\n")
            }
            Ok(Some(Command::SetOrientation(orientation))) => {
                settings.orientation = orientation;
                self.runner.core_mut().set(settings, now);
                answer.write_str("done\r\n")
            }
            Ok(Some(Command::SetRelay(relay))) => self.enter(&Entry::Relay(relay), &mut answer),
            Ok(Some(Command::SetKey(key))) => self.enter(&Entry::Key(key), &mut answer),
            Ok(Some(Command::SetName(name))) => self.enter(&Entry::Name(name), &mut answer),
            Ok(Some(Command::SetHints(on))) => {
                let entered = self.enter(&Entry::Hints(on), &mut answer);
                self.runner.core_mut().send_hints();
                entered
            }
            Ok(Some(Command::SetComputer(choice))) => {
                let computer = choice.apply(*self.runner.core().computer());
                self.runner.core_mut().set_computer(computer, now);
                answer.write_str("done\r\n")
            }
            Ok(Some(Command::SetAddress(address))) => {
                let entered = self.enter(&Entry::Address(address), &mut answer);
                ADDRESS.signal(Address::of(Profile(self.runner.core().values())));
                entered
            }
            Ok(Some(Command::Calibrate(scope))) => {
                let calibrator = Calibrator::new(scope, self.calibration, now.milliseconds());
                NOTICE.signal(calibrator.prompt());
                self.show_calibration(&calibrator);
                self.calibrator = Some(calibrator);
                answer.write_str("started; `calibrate stop` ends it\r\n")
            }
            Ok(Some(Command::CalibrateReset)) => {
                self.end_calibration(Calibration::DEFAULT);
                answer.write_str("done\r\n")
            }
            Ok(Some(Command::CalibrateStop)) => {
                self.end_calibration(self.calibration);
                answer.write_str("done\r\n")
            }
            // The console answers these itself.
            Ok(None | Some(Command::Help)) | Err(_) => Ok(()),
        };
        ANSWERS.signal(answer);
    }

    /// Hands a scan to the running calibration.
    fn calibrate(&mut self, scan: &Scan) {
        let Some(calibrator) = &mut self.calibrator else { return };
        let progress = calibrator.scan(scan.wired, scan.at.milliseconds());
        let calibrator = *calibrator;
        match progress {
            Progress::Waiting => {}
            Progress::NextStep => {
                NOTICE.signal(calibrator.prompt());
                self.show_calibration(&calibrator);
            }
            Progress::Done(calibration) => {
                NOTICE.signal("calibrate: done, and stored");
                self.end_calibration(calibration);
            }
            Progress::Failed(reason) => {
                NOTICE.signal(reason);
                self.end_calibration(self.calibration);
            }
        }
    }

    /// Shows the light of the current step.
    fn show_calibration(&self, calibrator: &Calibrator) {
        let lit = calibrator.light().map_or(Bitboard::EMPTY, |light| Bitboard(1 << light));
        let settings = self.runner.core().settings().lights;
        let frame = Scene::EMPTY.with(Meaning::Lifted, lit).frame(0, settings);
        FRAME.signal(LightFrame { frame, layout: LightLayout::BY_POSITION });
    }

    /// Ends a calibration with this result, and stores it if it is new.
    fn end_calibration(&mut self, calibration: Calibration) {
        self.calibrator = None;
        if calibration != self.calibration {
            let bytes = calibration.encode();
            let wiring = if calibration == Calibration::DEFAULT { &[][..] } else { &bytes[..] };
            // The bytes are fewer than a value may have, and the random number is used with a new key only.
            self.runner.core_mut().change(
                |values| {
                    let _ = Entry::Wiring(wiring).keep(values);
                },
                0,
            );
            self.calibration = calibration;
        }
        // The next scan is taken as it is: what was touched was no move.
        self.takes_next_scan = true;
        FRAME.signal(LightFrame { frame: self.frame, layout: self.calibration.lights });
    }

    /// Changes the profile. A new relay or key makes the current connection obsolete, so it is closed.
    fn enter(&mut self, entry: &Entry<'_>, answer: &mut Answer) -> core::fmt::Result {
        let mut random = [0; 8];
        self.rng.fill(&mut random);
        let mut kept = Ok(());
        self.runner.core_mut().change(|values| kept = entry.keep(values), u64::from_le_bytes(random));
        if matches!(entry, Entry::Relay(_) | Entry::Key(_)) && self.runner.disconnect().is_some() {
            DISCONNECT.signal(self.connection_id);
        }
        match kept {
            Ok(()) => answer.write_str("done\r\n"),
            Err(error) => write!(answer, "{error}\r\n"),
        }
    }

    fn stats(&self, now: Instant, text: &mut Answer) -> core::fmt::Result {
        let Tally { frames, connections, flash_operations, failures } = self.tally;
        write!(text, "{}\r\nup {} s\r\n", self.banner, now.milliseconds() / 1000)?;
        write!(text, "frames shown {frames}\r\nscans lost {}\r\n", LOST_SCANS.load(Ordering::Relaxed))?;
        write!(text, "connections {connections}\r\njournal writes {flash_operations}, failed {failures}\r\n")?;
        write!(text, "stack {} of {} bytes\r\n", stack::high_water_mark(), stack::size())?;
        let (nodes, ms) = (SEARCHED_NODES.load(Ordering::Relaxed), SEARCH_MS.load(Ordering::Relaxed));
        write!(text, "last search {nodes} nodes in {ms} ms\r\n")?;
        write!(text, "clock {}\r\n", self.clock_source)?;
        if let Some(cause) = self.reset_cause {
            let counts = ResetCounts::decode(Profile(self.runner.core().values()).resets());
            write!(text, "started by {}\r\nstarts so far: {counts}\r\n", cause.name())?;
        }
        write!(text, "last failure: {}\r\n", self.panic_record.unwrap_or("none recorded"))
    }
}

/// Waits for room on the link for at most a second, so that the main loop checks in with the watchdog.
async fn wait_at_most_a_second(pending: impl Future<Output = ()>) -> bool {
    matches!(select(pending, Timer::after_secs(1)).await, Either::First(()))
}
