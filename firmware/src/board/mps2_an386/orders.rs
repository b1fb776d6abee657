//! What whoever started the emulator wants: words on the command line.
//!
//! | order | |
//! |---|---|
//! | `exit-after-hello` | say hello and end the emulator |
//! | `live-on` | after a panic or a fault start again, as a real board does, instead of ending the emulator |
//! | `journal=PATH` | a file for the journal, which is made if it is not there; without one it lasts as long as the emulator |
//! | `seed=TEXT` | something for the dice, on a host that has no randomness to give |
//! | `panic=TEXT` | panic once, to see what comes of it |
//! | `hang` | do nothing for ever, once, to see what comes of it |
//! | `torn=NUMBER` | the given number of what is written into the journal is cut off in the middle, once, and the board with it |
//! | `relay=`, `key=`, `name=`, `hints=`, `ip=` | as after `set` on the console, with `+` for a space, which would end the order; they are kept |

use board::Entry;
use board::journal::Values;
use cortex_m::asm;
use defmt::{Display2Format, warn};
use heapless::String;
use semihosting::experimental::env;

use super::vault;
use crate::console::Command;

/// More than any command line that the tests give.
const COMMAND_LINE_BYTES: usize = 768;

/// The longest order.
pub(super) const ORDER_BYTES: usize = 256;

/// Whether `order` is a word of the command line. A command line that cannot be read holds no orders.
pub(super) fn is_given(order: &str) -> bool {
    env::args::<COMMAND_LINE_BYTES>().is_ok_and(|args| (&args).any(|arg| arg == Ok(order)))
}

/// What stands behind `name=`.
pub(super) fn value(name: &str) -> Option<String<ORDER_BYTES>> {
    let args = env::args::<COMMAND_LINE_BYTES>().ok()?;
    (&args).flatten().find_map(|arg| String::try_from(arg.strip_prefix(name)?.strip_prefix('=')?).ok())
}

/// Goes wrong, if that is ordered.
pub(super) fn misbehave() {
    if let Some(reason) = value("panic") {
        panic!("{reason}");
    }
    if is_given("hang") {
        loop {
            asm::nop();
        }
    }
    if let Some(number) = value("torn").and_then(|number| number.parse().ok()) {
        vault::tear(number);
    }
}

/// Changes the profile as ordered. An order that makes no sense changes nothing.
pub(super) fn amend(values: &mut Values) {
    for name in ["relay", "key", "name", "hints", "ip"] {
        let Some(text) = value(name) else { continue };
        let text: String<ORDER_BYTES> = text.chars().map(|letter| if letter == '+' { ' ' } else { letter }).collect();
        let entry = match Command::parse_setting(name, &text) {
            Ok(Command::SetRelay(relay)) => Entry::Relay(relay),
            Ok(Command::SetKey(key)) => Entry::Key(key),
            Ok(Command::SetName(name)) => Entry::Name(name),
            Ok(Command::SetHints(on)) => Entry::Hints(on),
            Ok(Command::SetAddress(address)) => Entry::Address(address),
            Ok(_) => continue,
            Err(error) => {
                warn!("the order {=str} makes no sense: {}", name, Display2Format(&error));
                continue;
            }
        };
        if entry.keep(values).is_err() {
            warn!("the order {=str} is too long", name);
        }
    }
}
