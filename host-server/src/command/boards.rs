//! `tabiya boards`: pairs, lists and removes boards, and seats them in games.

use std::io::Write;
use std::path::Path;
use std::time::Duration;

use clap::{Subcommand, ValueEnum};
use tokio::runtime::Runtime;
use wire::link::ClockRule;

use super::clock;
use super::open_store;
use crate::boards::{BoardsAnswer, BoardsRequest, ChallengePolicy, Listed, Registry};
use crate::config::{DEFAULT_DATA, StoreArguments, StoreConfig, Variables};
use crate::failure::Failure;
use crate::room::{Code, SideChoice};

/// The port of `--listen` without a setting.
const DEFAULT_PORT: u16 = 8080;

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Pair a board: create its key, which is shown once, and the code under which opponents challenge it
    Add {
        /// Name of the board, also shown to opponents
        name: String,
        /// Print JSON
        #[arg(long)]
        json: bool,
        #[command(flatten)]
        store: StoreArguments,
    },
    /// List all boards and their state
    List {
        /// Print JSON
        #[arg(long)]
        json: bool,
        #[command(flatten)]
        store: StoreArguments,
    },
    /// Give a board another key. The old one stays valid until the board has connected with the new one
    Rekey {
        /// Name of the board
        name: String,
        /// Print JSON
        #[arg(long)]
        json: bool,
        #[command(flatten)]
        store: StoreArguments,
    },
    /// Set who may challenge a board: everyone, players who know its link, or no player
    Challenges {
        /// Name of the board
        name: String,
        /// Who may challenge it
        challenges: ChallengePolicy,
        #[command(flatten)]
        store: StoreArguments,
    },
    /// Remove a board. Its key becomes invalid
    Remove {
        /// Name of the board
        name: String,
        #[command(flatten)]
        store: StoreArguments,
    },
    /// Seat a board in a game against another board, or in an existing game
    Play {
        /// Name of the board
        name: String,
        /// Name of another board, or code of a game
        with: String,
        /// Time control of a new game: minutes + seconds per move, such as 5+3. An existing game keeps its own
        #[arg(long, value_name = "MINUTES+SECONDS", value_parser = clock::parse)]
        clock: Option<ClockRule>,
        /// Color of the first board
        #[arg(long, default_value = "any")]
        color: Side,
        #[command(flatten)]
        store: StoreArguments,
    },
}

/// Color that a board plays.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum Side {
    White,
    Black,
    Random,
    Any,
}

impl Command {
    pub(super) fn run(self, variables: &Variables, output: &mut impl Write) -> Result<(), Failure> {
        let (request, store, json) = match self {
            Self::Add { name, json, store } => (BoardsRequest::Add { name }, store, json),
            Self::List { json, store } => (BoardsRequest::List, store, json),
            Self::Rekey { name, json, store } => (BoardsRequest::Rekey { name }, store, json),
            Self::Challenges { name, challenges, store } => {
                (BoardsRequest::Challenges { name, challenges }, store, false)
            }
            Self::Remove { name, store } => (BoardsRequest::Remove { name }, store, false),
            Self::Play { name, with, clock, color, store } => {
                let side = match color {
                    Side::White => SideChoice::White,
                    Side::Black => SideChoice::Black,
                    Side::Random => SideChoice::Random,
                    Side::Any => SideChoice::First,
                };
                (BoardsRequest::Play { name, with, clock, side }, store, false)
            }
        };
        let config = store.config(variables)?;
        match execute(&config, request)? {
            BoardsAnswer::Failed(problem) => Err(Failure::Boards(problem)),
            answer if json => Ok(writeln!(output, "{}", answer_as_json(&answer))?),
            answer => write_answer(&answer, output),
        }
    }
}

/// Sends the request to the relay that has the store open; without one, opens the store directly.
fn execute(config: &StoreConfig, request: BoardsRequest) -> Result<BoardsAnswer, Failure> {
    #[cfg(unix)]
    if let StoreConfig::Embedded { data } = config {
        use crate::server::control::{self, ControlError};

        let request = serde_json::to_value(&request).map_err(|error| Failure::Boards(error.to_string()))?;
        match control::call(&data.join(control::NAME), &request) {
            Ok(answer) => {
                let invalid = |_| Failure::Boards(ControlError::Response.to_string());
                return serde_json::from_value(answer).map_err(invalid);
            }
            Err(ControlError::NotRunning(_)) => {}
            Err(error) => return Err(Failure::Boards(error.to_string())),
        }
    }
    if let StoreConfig::Embedded { data } = config
        && data == Path::new(DEFAULT_DATA)
        && !data.join(open_store::FILE).exists()
    {
        // A key from a store that no relay uses would be accepted nowhere.
        let here = std::env::current_dir().unwrap_or_default();
        let problem = format!(
            "no relay runs in {}, and it has no store in {}. Start the relay first, or name its directory with --data",
            here.display(),
            data.display()
        );
        return Err(Failure::Boards(problem));
    }
    let runtime = Runtime::new().map_err(Failure::Runtime)?;
    runtime.block_on(async {
        // The retention time applies when a game ends, which no command does.
        let store = open_store::open(config, Duration::from_hours(365 * 24)).await?;
        Ok(Registry::new(store).execute(request, None).await)
    })
}

fn answer_as_json(answer: &BoardsAnswer) -> String {
    // The content without the tag of the variant: the command already says which answer it is.
    let value = match answer {
        BoardsAnswer::Boards(boards) => serde_json::to_value(boards),
        answer => serde_json::to_value(answer).map(|value| match value {
            serde_json::Value::Object(map) if map.len() == 1 => map.into_values().next().unwrap_or_default(),
            value => value,
        }),
    };
    value.unwrap_or_default().to_string()
}

fn write_answer(answer: &BoardsAnswer, output: &mut impl Write) -> Result<(), Failure> {
    match answer {
        BoardsAnswer::Added { name, id, key, code, port } => {
            writeln!(output, "Board {name} is paired.")?;
            write_key(output, id, code, key)?;
            write_console_lines(output, Some((name.as_str(), *port)), key)?;
        }
        BoardsAnswer::Rekeyed { name, id, key, code } => {
            writeln!(output, "Board {name} has a new key.")?;
            write_key(output, id, code, key)?;
            write_console_lines(output, None, key)?;
            writeln!(output, "The old key stays valid until the board has connected with the new one.")?;
        }
        BoardsAnswer::Boards(boards) if boards.is_empty() => writeln!(output, "No board is paired.")?,
        BoardsAnswer::Boards(boards) => {
            let width = boards.iter().map(|board| board.name.as_str().chars().count()).max().unwrap_or(0).max(4);
            writeln!(output, "{:width$}  {:16}  {:10}  now", "name", "id", "code")?;
            for board in boards {
                let rekeyed = if board.rekeyed { ", new key not used yet" } else { "" };
                let (name, id, code, now) = (&board.name, &board.id, &board.code, state_of(board));
                writeln!(output, "{name:width$}  {id:16}  {code:10}  {now}{rekeyed}")?;
            }
        }
        BoardsAnswer::Challenges { name, challenges } => {
            let who = match challenges {
                ChallengePolicy::Everyone => "All players may challenge it, in the lobby",
                ChallengePolicy::Link => "Players who know its link may challenge it",
                ChallengePolicy::Off => "No player may challenge it",
            };
            writeln!(output, "Board {name}: {who}.")?;
        }
        BoardsAnswer::Removed { name, id } => writeln!(output, "Board {name} ({id}) is removed.")?,
        BoardsAnswer::Playing { code, boards } => {
            let names: Vec<&str> = boards.iter().map(crate::room::Name::as_str).collect();
            writeln!(output, "{} will play in game {code}.", names.join(" and "))?;
        }
        BoardsAnswer::Failed(_) => {}
    }
    Ok(())
}

fn write_key(output: &mut impl Write, id: &str, code: &Code, key: &str) -> Result<(), Failure> {
    writeln!(output, "  id:   {id}")?;
    writeln!(output, "  code: {code}")?;
    writeln!(output, "  key:  {key}")?;
    writeln!(output, "        {}", grouped(key))?;
    writeln!(output, "Keep the key secret. It is not shown again.")?;
    Ok(())
}

/// The lines to paste into the console of a board that has this name and connects to this port of the relay, or only gets another key.
fn write_console_lines(output: &mut impl Write, name: Option<(&str, Option<u16>)>, key: &str) -> Result<(), Failure> {
    writeln!(output, "On the console of the board, with the address of the relay:\n")?;
    if let Some((name, port)) = name {
        writeln!(output, "set name {name}")?;
        writeln!(output, "set relay {}", relay_url(port))?;
    }
    writeln!(output, "set key {key}\n")?;
    Ok(())
}

/// The address of a relay on this machine. The port of a relay that does not run, or serves TLS only, is not known: then it is the default.
fn relay_url(port: Option<u16>) -> String {
    let host = crate::page::outgoing_address().map_or_else(|| "HOST".to_owned(), |address| address.to_string());
    format!("ws://{host}:{}", port.unwrap_or(DEFAULT_PORT))
}

fn state_of(board: &Listed) -> String {
    match (board.online, board.playing, board.free, &board.opponent) {
        (false, ..) => "not connected".to_owned(),
        (true, true, _, Some(opponent)) => format!("in a game against {opponent}"),
        (true, true, _, None) => "in a game over the relay".to_owned(),
        (true, false, true, _) => "free".to_owned(),
        (true, false, false, _) => "in a game on the board alone".to_owned(),
    }
}

/// Groups of four digits, for typing the key.
fn grouped(key: &str) -> String {
    let groups: Vec<&str> = (0..key.len()).step_by(4).filter_map(|at| key.get(at..at + 4)).collect();
    groups.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grouping_keeps_all_digits() {
        let key = crate::hex::Hex(&std::array::from_fn::<u8, 32, _>(|index| index as u8)).to_string();
        assert!(grouped(&key).starts_with("0001 0203 0405 "));
        assert_eq!(grouped(&key).replace(' ', ""), key);
    }

    #[test]
    fn writes_answers_as_text_and_as_json() {
        let [name, code] = ["Kitchen", "K7Q2"];
        let board = Listed {
            name: name.parse().unwrap(),
            id: "630dcd2966c43366".to_owned(),
            code: code.parse().unwrap(),
            added: 5,
            online: true,
            free: true,
            playing: false,
            opponent: None,
            rekeyed: false,
        };
        let against = Listed { playing: true, free: false, opponent: Some("Ben".parse().unwrap()), ..board.clone() };
        assert_eq!(state_of(&against), "in a game against Ben");
        assert_eq!(state_of(&Listed { opponent: None, ..against.clone() }), "in a game over the relay");
        assert_eq!(state_of(&Listed { playing: false, ..against.clone() }), "in a game on the board alone");
        assert_eq!(state_of(&Listed { online: false, ..against }), "not connected");
        let answer = BoardsAnswer::Boards(vec![board]);
        let mut text = Vec::new();
        write_answer(&answer, &mut text).unwrap();
        let text = String::from_utf8(text).unwrap();
        assert!(text.ends_with("Kitchen  630dcd2966c43366  K7Q2        free\n"), "{text}");
        let json = answer_as_json(&answer);
        assert!(json.starts_with("[{") && json.contains(r#""name":"Kitchen","online":true"#), "{json}");
        let (key, id) = ("00ff".repeat(16), "63".to_owned());
        let added = BoardsAnswer::Added {
            name: name.parse().unwrap(),
            id,
            key: key.clone(),
            code: code.parse().unwrap(),
            port: Some(9000),
        };
        let mut text = Vec::new();
        write_answer(&added, &mut text).unwrap();
        let text = String::from_utf8(text).unwrap();
        let lines: Vec<&str> = text.lines().filter(|line| line.starts_with("set ")).collect();
        let relay = format!("set relay {}", relay_url(Some(9000)));
        assert!(relay.ends_with(":9000") && relay_url(None).ends_with(":8080"), "{relay}");
        assert_eq!(lines, ["set name Kitchen", &relay, &format!("set key {key}")], "the lines for the console");
        assert!(text.contains("Keep the key secret."), "{text}");
        let removed = BoardsAnswer::Removed { name: name.parse().unwrap(), id: "63".to_owned() };
        assert_eq!(answer_as_json(&removed), r#"{"id":"63","name":"Kitchen"}"#);
    }
}
