//! Parser of UCI commands.

use std::str::SplitWhitespace;

use chess::{Color, Move, Position};
use engine::{Limits, Time};

/// A line of the graphical user interface.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Command {
    Uci,
    IsReady,
    NewGame,
    Position {
        start: Box<Position>,
        moves: Vec<Move>,
    },
    Go(Go),
    Stop,
    SetOption {
        name: String,
        value: String,
    },
    Quit,
    /// An empty line, or a command that this engine has no use for.
    Nothing,
}

/// The limits of `go`, of which the clock of the side to move counts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Go {
    depth: Option<u8>,
    nodes: Option<u64>,
    move_ms: Option<u32>,
    /// White first.
    clock_ms: [Option<u32>; 2],
    increment_ms: [u32; 2],
    /// Moves to the next time control.
    control: Option<u8>,
    /// The search ends with a mate in at most this many moves.
    pub(super) mate: Option<u8>,
    /// The moves to be searched; empty for all.
    pub(super) moves: Vec<Move>,
    /// The answer is awaited only after `stop`.
    is_endless: bool,
}

/// Plies that a search for a mate in a move looks ahead beyond those of the mate, since it searches some moves less deep.
const MATE_SLACK: u8 = 12;

impl Go {
    pub(super) fn limits(&self, turn: Color) -> Limits {
        let side = turn as usize;
        let clock = self.clock_ms[side].map(|remaining_ms| Time::Clock {
            remaining_ms,
            increment_ms: self.increment_ms[side],
            moves_to_go: self.control,
        });
        let of_mate = self.mate.map(|moves| moves.saturating_mul(2).saturating_add(MATE_SLACK));
        Limits { depth: self.depth.or(of_mate), nodes: self.nodes, time: self.move_ms.map(Time::Move).or(clock) }
    }

    /// Whether only `stop` ends the search: there is no limit, or the caller asks for that.
    pub(super) fn is_endless(&self, turn: Color) -> bool {
        self.is_endless || self.limits(turn) == Limits::default()
    }
}

/// Parses a line. The error names the command and the word.
pub(super) fn parse(line: &str) -> Result<Command, String> {
    let mut words = line.split_whitespace();
    Ok(match words.next() {
        None | Some("debug" | "register") => Command::Nothing,
        Some("uci") => Command::Uci,
        Some("isready") => Command::IsReady,
        Some("ucinewgame") => Command::NewGame,
        // The opponent has played the expected move: what has been found by then is the answer.
        Some("stop" | "ponderhit") => Command::Stop,
        Some("quit") => Command::Quit,
        Some("position") => position(words).map_err(|error| format!("position: {error}"))?,
        Some("go") => Command::Go(go(words).map_err(|error| format!("go: {error}"))?),
        Some("setoption") => set_option(words).map_err(|error| format!("setoption: {error}"))?,
        Some(other) => {
            return Err(format!("unknown command {}", other.chars().take(40).collect::<String>().escape_debug()));
        }
    })
}

fn position(mut words: SplitWhitespace<'_>) -> Result<Command, String> {
    let start = match words.next() {
        Some("startpos") => Position::start(),
        Some("fen") => {
            let fen: Vec<&str> = words.by_ref().take_while(|&word| word != "moves").collect();
            let start = fen.join(" ").parse().map_err(|error| format!("{error}"))?;
            return with_moves(start, words);
        }
        _ => return Err("needs startpos or fen".to_owned()),
    };
    match words.next() {
        None | Some("moves") => with_moves(start, words),
        Some(other) => Err(format!("{other} instead of moves")),
    }
}

fn with_moves(start: Position, words: SplitWhitespace<'_>) -> Result<Command, String> {
    let mut position = start;
    let mut moves = Vec::new();
    for word in words {
        let mv: Move = word.parse().map_err(|error| format!("{word}: {error}"))?;
        position = position.play(mv).map_err(|error| error.to_string())?;
        moves.push(mv);
    }
    Ok(Command::Position { start: Box::new(start), moves })
}

fn go(mut words: SplitWhitespace<'_>) -> Result<Go, String> {
    let mut go = Go::default();
    let mut takes_moves = false;
    while let Some(word) = words.next() {
        if takes_moves && let Ok(mv) = word.parse() {
            go.moves.push(mv);
            continue;
        }
        takes_moves = word == "searchmoves";
        match word {
            "depth" => go.depth = Some(small_number(word, words.next())?),
            "nodes" => go.nodes = Some(number(word, words.next())?.max(1).unsigned_abs()),
            "movetime" => go.move_ms = Some(milliseconds(word, words.next())?),
            "wtime" => go.clock_ms[0] = Some(milliseconds(word, words.next())?),
            "btime" => go.clock_ms[1] = Some(milliseconds(word, words.next())?),
            "winc" => go.increment_ms[0] = milliseconds(word, words.next())?,
            "binc" => go.increment_ms[1] = milliseconds(word, words.next())?,
            "movestogo" => go.control = Some(small_number(word, words.next())?),
            "mate" => go.mate = Some(small_number(word, words.next())?),
            "searchmoves" => {}
            "infinite" | "ponder" => go.is_endless = true,
            other => return Err(format!("unknown word {other}")),
        }
    }
    Ok(go)
}

fn number(name: &str, word: Option<&str>) -> Result<i64, String> {
    let word = word.ok_or_else(|| format!("{name} needs a number"))?;
    word.parse().map_err(|_| format!("{name} needs a number, not {word}"))
}

/// A number from 1 to 255; others count as the nearest of those.
fn small_number(name: &str, word: Option<&str>) -> Result<u8, String> {
    Ok(u8::try_from(number(name, word)?.max(1)).unwrap_or(u8::MAX))
}

/// Clocks that have run out may be negative.
fn milliseconds(name: &str, word: Option<&str>) -> Result<u32, String> {
    Ok(u32::try_from(number(name, word)?.max(0)).unwrap_or(u32::MAX))
}

fn set_option(mut words: SplitWhitespace<'_>) -> Result<Command, String> {
    if words.next() != Some("name") {
        return Err("needs name".to_owned());
    }
    let name: Vec<&str> = words.by_ref().take_while(|&word| word != "value").collect();
    let value: Vec<&str> = words.collect();
    Ok(Command::SetOption { name: name.join(" "), value: value.join(" ") })
}
