//! A UCI session: commands in, searches and their reports out.

use std::io::{self, Write};
use std::sync::mpsc::{Receiver, TryRecvError};
use std::time::Instant;

use chess::{Color, Move, Position};
use engine::{Best, Engine, Limits, Progress, Step};

use super::command::{self, Command, Go};
use super::options::{Changed, Settings};

/// Nodes between two looks at the clock and at the input: about a millisecond.
const NODES_PER_STEP: u32 = 1000;

/// The state of a session beside the engine, which is made anew for each size of the table.
pub(super) struct Session {
    pub(super) settings: Settings,
    start: Position,
    moves: Vec<Move>,
    /// A command that came during a search and waits for its end.
    waiting: Option<Command>,
}

/// Why an engine is no longer used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    Quit,
    /// The table gets another size.
    Resize,
}

/// What the input says during a search.
enum Signal {
    GoOn,
    Stop,
    Quit,
}

impl Session {
    pub(super) fn new() -> Self {
        Self { settings: Settings::default(), start: Position::start(), moves: Vec::new(), waiting: None }
    }

    /// Answers commands with this engine.
    pub(super) fn run(
        &mut self,
        engine: &mut Engine<'_>,
        lines: &Receiver<String>,
        output: &mut impl Write,
    ) -> io::Result<End> {
        engine.new_game(self.settings.seed);
        self.apply_settings(engine);
        loop {
            let command = match self.waiting.take() {
                Some(command) => command,
                None => match lines.recv() {
                    Ok(line) => match command::parse(&line) {
                        Ok(command) => command,
                        Err(error) => {
                            report_error(&error, output)?;
                            continue;
                        }
                    },
                    Err(_) => return Ok(End::Quit),
                },
            };
            match command {
                Command::Uci => {
                    let version = env!("CARGO_PKG_VERSION");
                    write!(
                        output,
                        "id name Tabiya {version}\nid author the Tabiya contributors\n{}uciok\n",
                        Settings::list()
                    )?;
                }
                Command::IsReady => writeln!(output, "readyok")?,
                Command::NewGame => engine.new_game(self.settings.seed),
                Command::Position { start, moves } => (self.start, self.moves) = (*start, moves),
                Command::Go(go) => {
                    if self.search(engine, &go, lines, output)? {
                        return Ok(End::Quit);
                    }
                }
                Command::SetOption { name, value } => match self.settings.set(&name, &value) {
                    Ok(Changed::Settings) => self.apply_settings(engine),
                    Ok(Changed::Clear) => engine.new_game(self.settings.seed),
                    Ok(Changed::Size) => return Ok(End::Resize),
                    Err(error) => report_error(&error, output)?,
                },
                Command::Quit => return Ok(End::Quit),
                Command::Stop | Command::Nothing => {}
            }
            output.flush()?;
        }
    }

    fn apply_settings(&self, engine: &mut Engine<'_>) {
        engine.set_level(self.settings.level);
        engine.set_openings(self.settings.plays_openings);
        engine.set_seed(self.settings.seed);
    }

    fn turn(&self) -> Color {
        if self.moves.len().is_multiple_of(2) { self.start.turn() } else { !self.start.turn() }
    }

    /// Searches, and prints what was found. Returns whether the session ends.
    fn search(
        &mut self,
        engine: &mut Engine<'_>,
        go: &Go,
        lines: &Receiver<String>,
        output: &mut impl Write,
    ) -> io::Result<bool> {
        let started = Instant::now();
        let limits = go.limits(self.turn());
        if let Err(error) = engine.start(&self.start, &self.moves, limits) {
            report_error(&error.to_string(), output)?;
            writeln!(output, "bestmove (none)")?;
            return Ok(false);
        }
        let is_infinite = limits == Limits::default();
        let mut reported = 0;
        let mut quits = false;
        let best = loop {
            let elapsed_ms = u32::try_from(started.elapsed().as_millis()).unwrap_or(u32::MAX);
            match engine.step(NODES_PER_STEP, elapsed_ms) {
                Step::Thinking => {}
                Step::Best(best) => break Some(best),
                Step::Idle => break None,
            }
            let progress = engine.progress();
            if progress.best.depth > reported {
                reported = progress.best.depth;
                report(&progress, elapsed_ms, output)?;
            }
            match self.signal(lines, is_infinite, output)? {
                Signal::GoOn => {}
                Signal::Stop => break engine.stop(),
                Signal::Quit => {
                    quits = true;
                    break engine.stop();
                }
            }
        };
        if let Some(best) = best {
            let elapsed_ms = u32::try_from(started.elapsed().as_millis()).unwrap_or(u32::MAX);
            report(&Progress { best: best.clone(), ..engine.progress() }, elapsed_ms, output)?;
            report_best(&best, output)?;
        }
        output.flush()?;
        Ok(quits)
    }

    /// Looks for a command during a search.
    fn signal(&mut self, lines: &Receiver<String>, is_infinite: bool, output: &mut impl Write) -> io::Result<Signal> {
        if self.waiting.is_some() {
            return Ok(Signal::GoOn);
        }
        Ok(match lines.try_recv() {
            Ok(line) => match command::parse(&line) {
                Ok(Command::Stop) => Signal::Stop,
                Ok(Command::Quit) => Signal::Quit,
                Ok(Command::IsReady) => {
                    writeln!(output, "readyok")?;
                    output.flush()?;
                    Signal::GoOn
                }
                Ok(Command::Nothing) => Signal::GoOn,
                Ok(command) => {
                    self.waiting = Some(command);
                    // Otherwise the command would wait for ever.
                    if is_infinite { Signal::Stop } else { Signal::GoOn }
                }
                Err(error) => {
                    report_error(&error, output)?;
                    Signal::GoOn
                }
            },
            // A search with limits is completed after the end of the input, as for a program that pipes commands into this one.
            Err(TryRecvError::Disconnected) if is_infinite => Signal::Quit,
            Err(TryRecvError::Disconnected | TryRecvError::Empty) => Signal::GoOn,
        })
    }
}

fn report_error(error: &str, output: &mut impl Write) -> io::Result<()> {
    writeln!(output, "info string error: {error}")?;
    output.flush()
}

fn report(progress: &Progress, elapsed_ms: u32, output: &mut impl Write) -> io::Result<()> {
    let Progress { best, nodes, seldepth, table_permille } = progress;
    if best.depth == 0 {
        return Ok(());
    }
    let rate = nodes * 1000 / u64::from(elapsed_ms.max(1));
    write!(
        output,
        "info depth {} seldepth {} score {} nodes {nodes} nps {rate} hashfull {table_permille} time {elapsed_ms} pv",
        best.depth,
        (*seldepth).max(best.depth),
        best.score(),
    )?;
    for mv in best.line.iter() {
        write!(output, " {mv}")?;
    }
    writeln!(output)?;
    output.flush()
}

fn report_best(best: &Best, output: &mut impl Write) -> io::Result<()> {
    match best.line.get(1) {
        Some(reply) => writeln!(output, "bestmove {} ponder {reply}", best.mv),
        None => writeln!(output, "bestmove {}", best.mv),
    }
}
