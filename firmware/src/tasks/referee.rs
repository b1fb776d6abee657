//! The one who decides: owns the mind, and is told everything.

use core::fmt::Write as _;
use core::sync::atomic::Ordering;

use board::journal::Action;
use board::session::Broken;
use board::{Entry, Heard, Instant, Mind, Profile, Shine};
use defmt::{Display2Format, info, warn};
use embassy_futures::select::{Either3, Either4, select3, select4};
use embassy_sync::blocking_mutex::raw::RawMutex;
use embassy_sync::mutex::Mutex;
use embassy_time::Timer;
use heapless::{String, Vec};
use wire::link::{Ephemeral, MAX_FRAME};

use super::clock;
use super::meeting::{
    ADDRESS, ANSWERS, Answer, CHORES, Chore, DIAL, DONE, Dial, FAULTS, FROM_RELAY, HANG_UP, LIGHT, LINES, LOST_SCANS,
    Letter, Report, SCANS, TO_RELAY,
};
use super::roll::check_in;
use crate::address::Address;
use crate::console::Command;
use crate::greeting::Greeting;
use crate::parts::{Dice, Vault};
use crate::roll_call::Who;
use crate::{report, stack};

/// The connection to the relay, as the referee sees it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Line {
    /// There is none.
    Idle,
    /// The link is making one.
    Dialling,
    /// There is one.
    Open,
    /// There was one, and the link has yet to say that it is gone.
    Closing,
}

/// What happened since the board was started.
#[derive(Default)]
pub(crate) struct Tally {
    frames: u32,
    connections: u32,
    chores: u32,
    failures: u32,
}

struct Referee<'a, D, M: RawMutex, V> {
    mind: &'a mut Mind,
    dice: D,
    vault: &'a Mutex<M, V>,
    line: Line,
    call: u32,
    /// The journal is at work.
    keeping: bool,
    /// Something has changed since everybody was last asked what there is to do.
    stirred: bool,
    shine: Shine,
    tally: Tally,
    greeting: Greeting,
    last_words: Option<&'static str>,
    reboot: fn() -> !,
}

/// Everything that the referee is given.
pub(crate) struct Bench<'a, D, M: RawMutex, V> {
    pub(crate) mind: &'a mut Mind,
    pub(crate) dice: D,
    pub(crate) vault: &'a Mutex<M, V>,
    pub(crate) greeting: Greeting,
    pub(crate) last_words: Option<&'static str>,
    pub(crate) reboot: fn() -> !,
}

pub(crate) async fn referee<M: RawMutex>(bench: Bench<'_, impl Dice, M, impl Vault>) -> ! {
    let Bench { mind, dice, vault, greeting, last_words, reboot } = bench;
    let mut referee = Referee {
        mind,
        dice,
        vault,
        line: Line::Idle,
        call: 0,
        keeping: false,
        stirred: true,
        shine: Shine::default(),
        tally: Tally::default(),
        greeting,
        last_words,
        reboot,
    };
    referee.run().await
}

impl<D: Dice, M: RawMutex, V: Vault> Referee<'_, D, M, V> {
    async fn run(&mut self) -> ! {
        loop {
            check_in(Who::Referee);
            self.stir().await;
            let pending = async {
                // Only if something may have been held back because there was no room.
                if self.line == Line::Open && TO_RELAY.is_full() {
                    core::future::poll_fn(|cx| TO_RELAY.poll_ready_to_send(cx)).await;
                } else {
                    core::future::pending::<()>().await;
                }
            };
            let timer = async {
                let moments = [self.mind.wake_at(), self.dial_at(), self.shine.next()];
                clock::reach(moments.into_iter().flatten().min()).await;
            };
            let outside = select4(SCANS.receive(), FROM_RELAY.receive(), LINES.receive(), DONE.wait());
            match select3(outside, timer, select_with_beat(pending)).await {
                Either3::First(Either4::First(scan)) => {
                    if let Some(faults) = FAULTS.try_take() {
                        self.mind.set_faults(faults);
                        self.stirred = true;
                    }
                    self.stirred |= self.mind.scan(scan.raw, scan.at);
                }
                Either3::First(Either4::Second(report)) => self.hear(report),
                Either3::First(Either4::Third(line)) => self.obey(&line),
                Either3::First(Either4::Fourth(done)) => {
                    self.keeping = false;
                    self.tally.chores += 1;
                    self.tally.failures += u32::from(!done);
                    self.mind.kept(done);
                    self.stirred = true;
                }
                Either3::Second(()) => self.stirred = true,
                Either3::Third(stirred) => self.stirred |= stirred,
            }
        }
    }

    /// Asks everybody what there is to do, if anything may have changed.
    async fn stir(&mut self) {
        if !core::mem::take(&mut self.stirred) {
            return;
        }
        let now = clock::now();
        if self.mind.is_torn_apart() && !self.keeping {
            let mut vault = self.vault.lock().await;
            self.mind.recall(&mut *vault, now);
        }
        self.keep(now);
        self.speak(now);
        self.shine(now);
    }

    /// Gives the journal its next chore.
    fn keep(&mut self, now: Instant) {
        if self.keeping {
            return;
        }
        let chore = match self.mind.keep(now) {
            None => return,
            Some(Action::Erase(bank)) => Chore::Erase(bank),
            Some(Action::Write { bank, offset, bytes }) => {
                // A frame of the journal always fits.
                Chore::Write { bank, offset, bytes: Vec::from_slice(bytes).unwrap_or_default() }
            }
        };
        // There is one at a time, so there is always room.
        self.keeping = CHORES.try_send(chore).is_ok();
    }

    /// Says what there is to say to the relay, and calls it when it is time.
    fn speak(&mut self, now: Instant) {
        if self.line == Line::Idle && self.dial_at().is_some_and(|at| at <= now) {
            let relay = Profile(self.mind.values()).relay_text().and_then(|text| String::try_from(text).ok());
            if let Some(relay) = relay {
                self.call = self.call.wrapping_add(1);
                self.line = Line::Dialling;
                DIAL.signal(Dial { call: self.call, relay });
            }
        }
        while self.line == Line::Open && !TO_RELAY.is_full() {
            let mut frame: Vec<u8, MAX_FRAME> = Vec::new();
            let _ = frame.resize_default(MAX_FRAME);
            match self.mind.transmit(&mut frame, now) {
                Ok(Some(len)) => {
                    frame.truncate(len);
                    let _ = TO_RELAY.try_send(Letter { call: self.call, frame });
                }
                Ok(None) => break,
                Err(broken) => self.give_up(&broken),
            }
        }
    }

    fn dial_at(&self) -> Option<Instant> {
        self.mind.connect_at().filter(|_| self.line == Line::Idle)
    }

    /// Shows what there is to be seen, if it is time.
    fn shine(&mut self, now: Instant) {
        if let Some(frame) = self.shine.poll(self.mind, now) {
            self.tally.frames += 1;
            LIGHT.signal(frame);
        }
    }

    fn hear(&mut self, report: Report) {
        let now = clock::now();
        self.stirred = true;
        match report {
            Report::Connected { call } if call == self.call && self.line == Line::Dialling => {
                let mut random = [0; 32];
                self.dice.fill(&mut random);
                self.line = Line::Open;
                self.tally.connections += 1;
                self.mind.connected(Ephemeral::new(random), now);
            }
            Report::Letter(mut letter) if letter.call == self.call && self.line == Line::Open => {
                match self.mind.receive(&mut letter.frame, now) {
                    Ok(Heard::Something) => {}
                    Ok(Heard::Online) => info!("the relay is there"),
                    Ok(Heard::Game { plies }) => info!("a game has come, after {=usize} plies", plies),
                    Ok(Heard::Goodbye(_)) => self.give_up(&Broken::Closed),
                    Err(broken) => self.give_up(&broken),
                }
            }
            Report::Gone { call } if call == self.call => {
                self.line = Line::Idle;
                let random = self.dice.word();
                self.mind.disconnected(random, now);
            }
            Report::Network => self.mind.network_is_up(now),
            // It is about a call that is over.
            Report::Connected { .. } | Report::Letter(_) | Report::Gone { .. } => {}
        }
    }

    fn give_up(&mut self, broken: &Broken) {
        warn!("the link is broken: {}", Display2Format(broken));
        self.hang_up();
    }

    fn hang_up(&mut self) {
        if matches!(self.line, Line::Open | Line::Dialling) {
            self.line = Line::Closing;
            HANG_UP.signal(self.call);
        }
    }

    /// Does what somebody has typed, and says so.
    fn obey(&mut self, line: &str) {
        let now = clock::now();
        self.stirred = true;
        let mut answer = Answer::new();
        let mut settings = *self.mind.settings();
        // An answer that is too long ends early.
        let _ = match Command::parse(line) {
            Ok(Some(Command::Show)) => report::show(self.mind, &mut answer),
            Ok(Some(Command::Selftest)) => {
                self.mind.show_lights(now);
                report::selftest(self.mind, &mut self.dice, self.tally.failures, &mut answer)
            }
            Ok(Some(Command::Stats)) => self.stats(now, &mut answer),
            Ok(Some(Command::Reboot)) => (self.reboot)(),
            Ok(Some(Command::SetBrightness(brightness))) => {
                settings.lights.brightness = brightness;
                self.mind.set(settings, now);
                answer.write_str("done\r\n")
            }
            Ok(Some(Command::SetRest(rest))) => {
                settings.hand.rest = rest;
                self.mind.set(settings, now);
                answer.write_str("done\r\n")
            }
            Ok(Some(Command::SetOrientation(orientation))) => {
                settings.orientation = orientation;
                self.mind.set(settings, now);
                answer.write_str("done\r\n")
            }
            Ok(Some(Command::SetRelay(relay))) => self.enter(&Entry::Relay(relay), &mut answer),
            Ok(Some(Command::SetKey(key))) => self.enter(&Entry::Key(key), &mut answer),
            Ok(Some(Command::SetName(name))) => self.enter(&Entry::Name(name), &mut answer),
            Ok(Some(Command::SetHints(on))) => {
                let entered = self.enter(&Entry::Hints(on), &mut answer);
                self.mind.tell_hints();
                entered
            }
            Ok(Some(Command::SetAddress(address))) => {
                let entered = self.enter(&Entry::Address(address), &mut answer);
                ADDRESS.signal(Address::of(Profile(self.mind.values())));
                entered
            }
            // The console answers these itself.
            Ok(None | Some(Command::Help)) | Err(_) => Ok(()),
        };
        ANSWERS.signal(answer);
    }

    /// Writes something into the profile. Whoever is at the other end of the line may not be the right one any more.
    fn enter(&mut self, entry: &Entry<'_>, answer: &mut Answer) -> core::fmt::Result {
        let mut random = [0; 8];
        self.dice.fill(&mut random);
        let mut kept = Ok(());
        self.mind.change(|values| kept = entry.keep(values), u64::from_le_bytes(random));
        if matches!(entry, Entry::Relay(_) | Entry::Key(_)) {
            self.hang_up();
        }
        match kept {
            Ok(()) => answer.write_str("done\r\n"),
            Err(error) => write!(answer, "{error}\r\n"),
        }
    }

    fn stats(&self, now: Instant, text: &mut Answer) -> core::fmt::Result {
        let Tally { frames, connections, chores, failures } = self.tally;
        write!(text, "{}\r\nup {} s\r\n", self.greeting, now.milliseconds() / 1000)?;
        write!(text, "frames shown {frames}\r\nscans lost {}\r\n", LOST_SCANS.load(Ordering::Relaxed))?;
        write!(text, "connections {connections}\r\njournal writes {chores}, failed {failures}\r\n")?;
        write!(text, "stack {} of {} bytes\r\n", stack::deepest(), stack::size())?;
        write!(text, "last end: {}\r\n", self.last_words.unwrap_or("none that was told"))
    }
}

/// Waits for room on the link, but not for ever: the referee has to answer the roll as well.
async fn select_with_beat(pending: impl Future<Output = ()>) -> bool {
    use embassy_futures::select::{Either, select};
    matches!(select(pending, Timer::after_secs(1)).await, Either::First(()))
}
