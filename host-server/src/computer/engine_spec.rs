use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use crate::room::EngineName;

/// An external UCI engine, as the settings describe it: `NAME=PATH`, then optional `,key=value` pairs.
///
/// `movetime` (milliseconds), `nodes`, `memory` (megabytes) and `processes` limit the engine; every other key is an option of the
/// engine itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineSpec {
    /// The name by which players choose it.
    pub name: EngineName,
    /// The program that is started.
    pub path: PathBuf,
    /// Longest time for a move.
    pub move_time: Duration,
    /// Nodes for a move, if they are limited.
    pub nodes: Option<u64>,
    /// Address space of a process in megabytes.
    pub memory_mb: u64,
    /// Greatest number of processes at the same time.
    pub processes: usize,
    /// Options of the engine, set after each start.
    pub options: Vec<(String, String)>,
}

const DEFAULT_MOVE_TIME: Duration = Duration::from_secs(2);
const DEFAULT_MEMORY_MB: u64 = 1_024;

impl FromStr for EngineSpec {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut pairs = text.trim().split(',');
        let form = "must be such as stockfish=/usr/games/stockfish,movetime=1000,UCI_Elo=1500";
        let (name, path) = pairs.next().and_then(|first| first.split_once('=')).ok_or_else(|| form.to_owned())?;
        let name = name.trim().parse().map_err(|error| format!("{error}"))?;
        if path.trim().is_empty() || path.contains(['\0', '\n']) {
            return Err(form.to_owned());
        }
        let mut spec = Self {
            name,
            path: path.trim().into(),
            move_time: DEFAULT_MOVE_TIME,
            nodes: None,
            memory_mb: DEFAULT_MEMORY_MB,
            processes: 1,
            options: Vec::new(),
        };
        for pair in pairs {
            let (key, value) = pair.split_once('=').ok_or_else(|| format!("{pair:?} must be such as movetime=1000"))?;
            let (key, value) = (key.trim(), value.trim());
            match key {
                "movetime" => spec.move_time = Duration::from_millis(number(key, value, 10, 600_000)?),
                "nodes" => spec.nodes = Some(number(key, value, 1, u64::MAX)?),
                "memory" => spec.memory_mb = number(key, value, 16, 1 << 20)?,
                "processes" => spec.processes = usize::try_from(number(key, value, 1, 256)?).unwrap_or(1),
                _ if key.is_empty() || pair.contains(char::is_control) => {
                    return Err(format!("{pair:?} is not an option of an engine"));
                }
                _ => spec.options.push((key.to_owned(), value.to_owned())),
            }
        }
        Ok(spec)
    }
}

fn number(key: &str, value: &str, least: u64, most: u64) -> Result<u64, String> {
    let number = value.parse().ok().filter(|number| (least..=most).contains(number));
    number.ok_or_else(|| format!("{key} must be a number from {least} to {most}, not {value:?}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_limits_and_options() {
        let spec: EngineSpec =
            "fish-1500=/usr/games/stockfish,movetime=500,nodes=9000,memory=64,processes=2,Skill Level=3,UCI_Elo=1500"
                .parse()
                .unwrap();
        assert_eq!((spec.name.as_str(), spec.path.to_str()), ("fish-1500", Some("/usr/games/stockfish")));
        assert_eq!((spec.move_time, spec.nodes), (Duration::from_millis(500), Some(9_000)));
        assert_eq!((spec.memory_mb, spec.processes), (64, 2));
        let options: Vec<(&str, &str)> =
            spec.options.iter().map(|(key, value)| (key.as_str(), value.as_str())).collect();
        assert_eq!(options, [("Skill Level", "3"), ("UCI_Elo", "1500")]);
    }

    #[test]
    fn errors_name_the_wrong_part() {
        for (text, part) in [
            ("", "stockfish=/usr/games/stockfish"),
            ("stockfish", "stockfish=/usr/games/stockfish"),
            ("=/bin/true", "the name of an engine"),
            ("a b=/bin/true", "the name of an engine"),
            ("a=", "stockfish=/usr/games/stockfish"),
            ("a=/bin/true,movetime", "\"movetime\""),
            ("a=/bin/true,movetime=0", "movetime must be a number from 10 to 600000"),
            ("a=/bin/true,memory=1", "memory must be a number"),
            ("a=/bin/true,=1", "\"=1\""),
            ("a=/bin/true,Hash=1\nquit", "is not an option"),
        ] {
            let error = text.parse::<EngineSpec>().unwrap_err();
            assert!(error.contains(part), "{text:?}: {error}");
        }
    }
}
