//! Options of the emulated board: words of QEMU's command line, for tests and development.
//!
//! | option | |
//! |---|---|
//! | `exit-after-hello` | log the banner, and end QEMU with exit code 0 |
//! | `live-on` | reset after a panic or a fault, as a real board does, instead of ending QEMU |
//! | `journal=PATH` | keep the journal in this file, which is created if necessary; otherwise it lasts as long as QEMU runs |
//! | `seed=TEXT` | additional entropy, for a host that offers none by semihosting |
//! | `panic=TEXT` | panic once, unless the previous run ended by a panic |
//! | `hang` | loop for ever once, so that the watchdog resets the board |
//! | `power-cut=NUMBER` | simulate a power cut in the middle of the flash operation with this number, counted from 1 |
//! | `erase-stall=MS` | mask interrupts for this time in every erase of the journal |
//! | `wiring=BYTE+BYTE+..` | wire switches and lights like this: the bytes of `Calibration::encode` in decimal digits |
//! | `relay=`, `key=`, `name=`, `hints=`, `ip=` | as after `set` on the console, with `+` for a space; they are stored in the profile |

use board::Entry;
use board::calibration::{CALIBRATION_BYTES, Calibration};
use board::console::Command;
use board::journal::Values;
use cortex_m::asm;
use defmt::{Display2Format, warn};
use heapless::{String, Vec};
use semihosting::experimental::env;

use super::flash;

/// Longer than any command line of the tests.
const COMMAND_LINE_BYTES: usize = 768;

/// Maximum length of an option.
pub(super) const OPTION_BYTES: usize = 256;

/// Whether `option` is a word of the command line. An unreadable command line counts as empty.
pub(super) fn is_given(option: &str) -> bool {
    env::args::<COMMAND_LINE_BYTES>().is_ok_and(|args| (&args).any(|arg| arg == Ok(option)))
}

/// The value of the option `name=VALUE`.
pub(super) fn value(name: &str) -> Option<String<OPTION_BYTES>> {
    let args = env::args::<COMMAND_LINE_BYTES>().ok()?;
    (&args).flatten().find_map(|arg| String::try_from(arg.strip_prefix(name)?.strip_prefix('=')?).ok())
}

/// Injects the faults that the command line names: panic, hang, stalling erase, power cut.
pub(super) fn inject_faults() {
    if let Some(reason) = value("panic") {
        panic!("{reason}");
    }
    if is_given("hang") {
        loop {
            asm::nop();
        }
    }
    if let Some(milliseconds) = value("erase-stall").and_then(|text| text.parse().ok()) {
        flash::stall_erases(milliseconds);
    }
    if let Some(number) = value("power-cut").and_then(|number| number.parse().ok()) {
        flash::cut_power_at(number);
    }
}

/// The wiring of switches and lights that the command line names.
pub(super) fn wiring() -> Calibration {
    let bytes = value("wiring");
    let bytes = bytes.as_deref().unwrap_or_default().split('+').map_while(|byte| byte.parse().ok());
    Calibration::decode(&bytes.take(CALIBRATION_BYTES).collect::<Vec<u8, CALIBRATION_BYTES>>())
}

/// Changes the profile as the command line says. An invalid option is logged and ignored.
pub(super) fn override_profile(values: &mut Values) {
    for name in ["relay", "key", "name", "hints", "pace", "ip"] {
        let Some(text) = value(name) else { continue };
        let text: String<OPTION_BYTES> = text.chars().map(|c| if c == '+' { ' ' } else { c }).collect();
        let entry = match Command::parse_setting(name, &text) {
            Ok(Command::SetRelay(relay)) => Entry::Relay(relay),
            Ok(Command::SetKey(key)) => Entry::Key(key),
            Ok(Command::SetName(name)) => Entry::Name(name),
            Ok(Command::SetHints(on)) => Entry::Hints(on),
            Ok(Command::SetPace(pace)) => Entry::Pace(pace),
            Ok(Command::SetAddress(address)) => Entry::Address(address),
            Ok(_) => continue,
            Err(error) => {
                warn!("option {=str} of the command line ignored: {}", name, Display2Format(&error));
                continue;
            }
        };
        if entry.keep(values).is_err() {
            warn!("option {=str} of the command line ignored: the value is too long", name);
        }
    }
}
