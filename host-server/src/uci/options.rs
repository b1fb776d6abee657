//! The options of the engine, as UCI lists and sets them.

use std::fmt::Write;

use engine::Level;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Settings {
    hash_megabytes: usize,
    pub(super) level: Level,
    pub(super) plays_openings: bool,
    pub(super) seed: u64,
}

/// What has to be done after an option was set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Changed {
    Settings,
    /// The table has another size.
    Size,
    /// The table is to be cleared.
    Clear,
}

const MAX_HASH: usize = 1024;

impl Default for Settings {
    fn default() -> Self {
        Self { hash_megabytes: 16, level: Level::FULL, plays_openings: false, seed: 0 }
    }
}

impl Settings {
    pub(super) fn slots(&self) -> usize {
        self.hash_megabytes * (1024 * 1024 / size_of::<engine::Slot>())
    }

    /// The lines that list the options.
    pub(super) fn list() -> String {
        let Self { hash_megabytes, level, .. } = Self::default();
        let level = level.number();
        let mut text = String::new();
        for line in [
            format!("Hash type spin default {hash_megabytes} min 1 max {MAX_HASH}"),
            "Clear Hash type button".to_owned(),
            format!("Level type spin default {level} min 1 max {level}"),
            "OwnBook type check default false".to_owned(),
            "Seed type string default 0".to_owned(),
        ] {
            _ = writeln!(text, "option name {line}");
        }
        text
    }

    /// Sets an option. Names are the same in upper and lower case.
    pub(super) fn set(&mut self, name: &str, value: &str) -> Result<Changed, String> {
        let wrong = |needs: &str| format!("setoption: {name} needs {needs}, not {value}");
        match name.to_ascii_lowercase().as_str() {
            "hash" => {
                let megabytes = value.parse().ok().filter(|megabytes| (1..=MAX_HASH).contains(megabytes));
                self.hash_megabytes = megabytes.ok_or_else(|| wrong(&format!("a number from 1 to {MAX_HASH}")))?;
                return Ok(Changed::Size);
            }
            "clear hash" => return Ok(Changed::Clear),
            "level" => {
                let level = value.parse().ok().and_then(Level::new);
                self.level = level.ok_or_else(|| wrong("a number from 1 to 10"))?;
            }
            "ownbook" => self.plays_openings = value.parse().map_err(|_| wrong("true or false"))?,
            "seed" => self.seed = value.parse().map_err(|_| wrong("a number"))?,
            _ => return Err(format!("setoption: no option {name}")),
        }
        Ok(Changed::Settings)
    }
}
