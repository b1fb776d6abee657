use std::io::Write;
use std::time::Duration;

use clap::{Subcommand, ValueEnum};
use tokio::runtime::Runtime;
use wire::link::ClockRule;

use super::board::clock;
use super::depot;
use crate::boards::{Answer, Listed, Order, Registry};
use crate::config::{Sources, StoreArguments, StoreConfig};
use crate::failure::Failure;
use crate::room::Wish;

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Pair a board: make its key, which is shown once, and the code under which others find it.
    Add {
        /// What the board is called, also at the table.
        name: String,
        /// Say it as JSON.
        #[arg(long)]
        json: bool,
        #[command(flatten)]
        store: StoreArguments,
    },
    /// Show all boards, and what they are doing.
    List {
        /// Say it as JSON.
        #[arg(long)]
        json: bool,
        #[command(flatten)]
        store: StoreArguments,
    },
    /// Forget a board. Its key is of no more use.
    Remove {
        /// What the board is called.
        name: String,
        #[command(flatten)]
        store: StoreArguments,
    },
    /// Let a board play with another board, or with whoever is in a room.
    Play {
        /// What the board is called.
        name: String,
        /// The name of another board, or the code of a room.
        with: String,
        /// Give each player so many minutes, and so many seconds more for each move: 5+3. A room that is there already has
        /// a clock of its own, or none.
        #[arg(long, value_name = "MINUTES+SECONDS", value_parser = clock)]
        clock: Option<ClockRule>,
        /// Which side the first board plays.
        #[arg(long, default_value = "any")]
        color: Side,
        #[command(flatten)]
        store: StoreArguments,
    },
}

/// Which side a board is to play.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum Side {
    White,
    Black,
    Random,
    Any,
}

impl Command {
    pub(super) fn run(self, output: &mut impl Write) -> Result<(), Failure> {
        let (order, store, json) = match self {
            Self::Add { name, json, store } => (Order::Add { name }, store, json),
            Self::List { json, store } => (Order::List, store, json),
            Self::Remove { name, store } => (Order::Remove { name }, store, false),
            Self::Play { name, with, clock, color, store } => {
                let wish = match color {
                    Side::White => Wish::White,
                    Side::Black => Wish::Black,
                    Side::Random => Wish::Random,
                    Side::Any => Wish::First,
                };
                (Order::Play { name, with, clock, wish }, store, false)
            }
        };
        let config = StoreConfig::read(&Sources::of_store_command(&store)?)?;
        match ask(&config, order)? {
            Answer::Failed(problem) => Err(Failure::Boards(problem)),
            answer if json => Ok(writeln!(output, "{}", answer_as_json(&answer))?),
            answer => write_answer(&answer, output),
        }
    }
}

/// Asks the relay that has the store open, if there is one; otherwise the store itself.
fn ask(config: &StoreConfig, order: Order) -> Result<Answer, Failure> {
    #[cfg(unix)]
    if let StoreConfig::Embedded { data } = config {
        use crate::server::control::{self, ControlError};

        let question = serde_json::to_value(&order).map_err(|error| Failure::Boards(error.to_string()))?;
        match control::call(&data.join(control::NAME), &question) {
            Ok(answer) => {
                let no_sense = |_| Failure::Boards(ControlError::Answer.to_string());
                return serde_json::from_value(answer).map_err(no_sense);
            }
            Err(ControlError::Nobody(_)) => {}
            Err(error) => return Err(Failure::Boards(error.to_string())),
        }
    }
    let runtime = Runtime::new().map_err(Failure::Runtime)?;
    runtime.block_on(async {
        // No game ends while a command runs, so it does not matter for how long games are kept.
        let store = depot::open(config, Duration::from_hours(365 * 24)).await?;
        Ok(Registry::new(store).obey(order, None).await)
    })
}

fn answer_as_json(answer: &Answer) -> String {
    // What is inside is what is asked for; which answer it is follows from the question.
    let value = match answer {
        Answer::Boards(boards) => serde_json::to_value(boards),
        answer => serde_json::to_value(answer).map(|value| match value {
            serde_json::Value::Object(map) if map.len() == 1 => map.into_values().next().unwrap_or_default(),
            value => value,
        }),
    };
    value.unwrap_or_default().to_string()
}

fn write_answer(answer: &Answer, output: &mut impl Write) -> Result<(), Failure> {
    match answer {
        Answer::Added { name, id, key, code } => {
            writeln!(output, "The board {name} is paired.")?;
            writeln!(output, "  id:   {id}")?;
            writeln!(output, "  code: {code}")?;
            writeln!(output, "  key:  {key}")?;
            writeln!(output, "        {}", grouped(key))?;
            writeln!(output, "The key belongs into the board and nowhere else. It will not be shown again.")?;
        }
        Answer::Boards(boards) if boards.is_empty() => writeln!(output, "No board is paired.")?,
        Answer::Boards(boards) => {
            let width = boards.iter().map(|board| board.name.as_str().chars().count()).max().unwrap_or(0).max(4);
            writeln!(output, "{:width$}  {:16}  {:10}  now", "name", "id", "code")?;
            for board in boards {
                writeln!(output, "{:width$}  {:16}  {:10}  {}", board.name, board.id, board.code, state_of(board))?;
            }
        }
        Answer::Removed { name, id } => writeln!(output, "The board {name} ({id}) is forgotten.")?,
        Answer::Playing { code, boards } => {
            let names: Vec<&str> = boards.iter().map(crate::room::Name::as_str).collect();
            writeln!(output, "{} will play in {code}.", names.join(" and "))?;
        }
        Answer::Failed(_) => {}
    }
    Ok(())
}

const fn state_of(board: &Listed) -> &'static str {
    match (board.online, board.playing, board.free) {
        (false, _, _) => "not connected",
        (true, true, _) => "in a game with somebody elsewhere",
        (true, false, true) => "free",
        (true, false, false) => "in a game of its own",
    }
}

/// So that somebody can type it from one screen into another.
fn grouped(key: &str) -> String {
    let groups: Vec<&str> = (0..key.len()).step_by(4).filter_map(|at| key.get(at..at + 4)).collect();
    groups.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_grouped_without_losing_a_digit() {
        let key = crate::hex::Hex(&std::array::from_fn::<u8, 32, _>(|index| index as u8)).to_string();
        assert!(grouped(&key).starts_with("0001 0203 0405 "));
        assert_eq!(grouped(&key).replace(' ', ""), key);
    }

    #[test]
    fn an_answer_is_written_for_people_and_for_programs() {
        let [name, code] = ["Kitchen", "K7Q2"];
        let board = Listed {
            name: name.parse().unwrap(),
            id: "630dcd2966c43366".to_owned(),
            code: code.parse().unwrap(),
            added: 5,
            online: true,
            free: true,
            playing: false,
        };
        let answer = Answer::Boards(vec![board]);
        let mut text = Vec::new();
        write_answer(&answer, &mut text).unwrap();
        let text = String::from_utf8(text).unwrap();
        assert!(text.ends_with("Kitchen  630dcd2966c43366  K7Q2        free\n"), "{text}");
        let json = answer_as_json(&answer);
        assert!(json.starts_with("[{") && json.contains(r#""name":"Kitchen","online":true"#), "{json}");
        let removed = Answer::Removed { name: name.parse().unwrap(), id: "63".to_owned() };
        assert_eq!(answer_as_json(&removed), r#"{"id":"63","name":"Kitchen"}"#);
    }
}
