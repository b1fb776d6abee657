use core::fmt::{self, Write};
use core::ops::DerefMut;

use arrayvec::ArrayString;

use super::{ClockChoice, Command, Consequence, ConsoleMachine, MAX_ANSWER, RemoteLine, report};
use crate::calibration::Calibration;
use crate::profile::Entry;
use crate::runner::Runner;
use crate::settings::Settings;
use crate::surface::Surface;
use crate::time::Instant;

impl<B: DerefMut<Target = Surface>, const N: usize> Runner<B, N> {
    /// Executes a line of the board's own console, and writes the answer. An answer that is too long ends early.
    pub fn run_line(
        &mut self,
        line: &str,
        machine: &mut impl ConsoleMachine,
        now: Instant,
        answer: &mut impl Write,
    ) -> Consequence {
        match Command::parse(line) {
            Ok(Some(command)) => self.run_command(command, machine, now, answer),
            Ok(None) => Consequence::None,
            Err(error) => {
                let _ = write!(answer, "{error}\r\n");
                Consequence::None
            }
        }
    }

    /// Executes a line that has come over the link, and queues the answer for the relay.
    pub fn answer(&mut self, remote: &RemoteLine, machine: &mut impl ConsoleMachine, now: Instant) {
        let mut answer = ArrayString::<MAX_ANSWER>::new();
        match Command::parse(&remote.line) {
            Ok(Some(command)) if command.is_local() => {
                // The text is shorter than the longest answer.
                let _ = answer
                    .write_str("refused: this command is for the console of the board, and not for the relay\r\n");
            }
            _ => {
                // What has consequences for the machine is local.
                let _ = self.run_line(&remote.line, machine, now, &mut answer);
            }
        }
        self.core_mut().answer_remote(remote.number, &answer);
    }

    fn run_command(
        &mut self,
        command: Command<'_>,
        machine: &mut impl ConsoleMachine,
        now: Instant,
        answer: &mut impl Write,
    ) -> Consequence {
        let mut consequence = Consequence::None;
        // An answer that is too long ends early.
        let _ = match command {
            Command::Help => answer.write_str(super::HELP),
            Command::Show => report::show(self.core(), answer),
            Command::Selftest => {
                self.core_mut().start_light_test(now);
                report::selftest(self.core(), machine, self.tally.failures, answer)
            }
            Command::Stats => report::stats(self.core(), machine, &self.tally, now, answer),
            Command::Reboot => {
                consequence = Consequence::Reboot;
                Ok(())
            }
            Command::SetBrightness(brightness) => {
                self.change_settings(|settings| settings.lights.brightness = brightness, now, answer)
            }
            Command::SetRest(rest) => self.change_settings(|settings| settings.hand.rest = rest, now, answer),
            Command::SetPace(pace) => self.change_settings(|settings| settings.hand.pace = pace, now, answer),
            Command::SetOrientation(orientation) => {
                self.change_settings(|settings| settings.orientation = orientation, now, answer)
            }
            Command::SetRelay(relay) => self.enter(&Entry::Relay(relay), machine, answer),
            Command::SetKey(key) => self.enter(&Entry::Key(key), machine, answer),
            Command::SetName(name) => self.enter(&Entry::Name(name), machine, answer),
            Command::SetHints(on) => {
                let entered = self.enter(&Entry::Hints(on), machine, answer);
                self.core_mut().send_hints();
                entered
            }
            Command::SetComputer(choice) => {
                let computer = choice.apply(*self.core().computer());
                self.core_mut().set_computer(computer, now);
                answer.write_str("done\r\n")
            }
            Command::SetClock(ClockChoice(rule)) => {
                let entered = self.enter(&Entry::Clock(rule), machine, answer);
                self.core_mut().use_clock();
                entered
            }
            Command::SetAddress(address) => {
                consequence = Consequence::NewAddress;
                self.enter(&Entry::Address(address), machine, answer)
            }
            Command::Calibrate(scope) => {
                let prompt = self.wiring.start(scope, now);
                self.announce(prompt);
                answer.write_str("started; `calibrate stop` ends it\r\n")
            }
            Command::CalibrateReset => {
                self.wiring.end(Calibration::DEFAULT, "calibrate: reset to the wiring of the documents");
                self.store_calibration();
                answer.write_str("done\r\n")
            }
            Command::CalibrateStop => {
                self.wiring.end(self.wiring.calibration(), "calibrate: stopped; nothing has changed");
                answer.write_str("done\r\n")
            }
            Command::CalibrateStatus => write!(answer, "{}\r\n", self.wiring.status()),
        };
        consequence
    }

    fn change_settings(
        &mut self,
        change: impl FnOnce(&mut Settings),
        now: Instant,
        answer: &mut impl Write,
    ) -> fmt::Result {
        let mut settings = *self.core().settings();
        change(&mut settings);
        self.core_mut().set(settings, now);
        answer.write_str("done\r\n")
    }

    /// Changes the profile. A new relay or key makes the current connection obsolete, so it is closed.
    fn enter(&mut self, entry: &Entry<'_>, machine: &mut impl ConsoleMachine, answer: &mut impl Write) -> fmt::Result {
        let random = u64::from(machine.random()) << 32 | u64::from(machine.random());
        let mut kept = Ok(());
        self.core_mut().change(|values| kept = entry.keep(values), random);
        if matches!(entry, Entry::Relay(_) | Entry::Key(_)) {
            self.close();
        }
        match kept {
            Ok(()) => answer.write_str("done\r\n"),
            Err(error) => write!(answer, "{error}\r\n"),
        }
    }
}
