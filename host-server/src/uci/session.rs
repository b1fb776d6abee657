//! A UCI session: commands in, searches and their reports out.

use std::collections::VecDeque;
use std::io::{self, Write};
use std::sync::mpsc::{Receiver, TryRecvError};
use std::time::Instant;

use chess::{Move, Position};
use engine::{Best, Engine, Progress, Score, Step};

use super::command::{self, Command, Go};
use super::options::{Changed, Settings};

/// Nodes between two checks of the clock and the input: about a millisecond.
const NODES_PER_STEP: u32 = 1000;

/// The state of a session beside the engine, which is made anew for each size of the table.
pub(super) struct UciSession {
    pub(super) settings: Settings,
    start: Position,
    moves: Vec<Move>,
    /// Commands that came during a search and wait for its end.
    waiting: VecDeque<Command>,
}

/// Commands that are read during a search. With more of them the input waits.
const MOST_WAITING: usize = 64;

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

impl UciSession {
    pub(super) fn new() -> Self {
        Self { settings: Settings::default(), start: Position::start(), moves: Vec::new(), waiting: VecDeque::new() }
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
            let command = match self.waiting.pop_front() {
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

    /// Searches, and prints what was found. Returns whether the session ends.
    fn search(
        &mut self,
        engine: &mut Engine<'_>,
        go: &Go,
        lines: &Receiver<String>,
        output: &mut impl Write,
    ) -> io::Result<bool> {
        let started = Instant::now();
        let position = self.moves.iter().fold(self.start, |position, &mv| position.after(mv));
        if let Some(mv) = go.moves.iter().find(|&&mv| !position.is_legal(mv)) {
            report_error(&format!("go: searchmoves: {mv} is not a legal move here"), output)?;
            return Ok(false);
        }
        // The openings know nothing of the moves that were asked for.
        engine.set_openings(self.settings.plays_openings && go.moves.is_empty());
        if let Err(error) = engine.start(&self.start, &self.moves, go.limits(position.turn())) {
            report_error(&error.to_string(), output)?;
            writeln!(output, "bestmove (none)")?;
            return Ok(false);
        }
        engine.search_only(&go.moves);
        let is_endless = go.is_endless(position.turn());
        let mut reported = 0;
        let (mut has_stopped, mut quits) = (false, false);
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
                let is_mate = |most| matches!(progress.best.score(), Score::Mate(moves) if moves > 0 && moves.unsigned_abs() <= most);
                if go.mate.is_some_and(is_mate) {
                    break engine.stop();
                }
            }
            match self.signal(lines, is_endless, output)? {
                Signal::GoOn => {}
                signal => {
                    (has_stopped, quits) = (true, matches!(signal, Signal::Quit));
                    break engine.stop();
                }
            }
        };
        if let Some(best) = &best {
            let elapsed_ms = u32::try_from(started.elapsed().as_millis()).unwrap_or(u32::MAX);
            report(&Progress { best: best.clone(), ..engine.progress() }, elapsed_ms, output)?;
        }
        // Nothing is left to be searched, but an answer before `stop` would be one to a later `go`.
        while is_endless && !has_stopped {
            let signal = match lines.recv() {
                Ok(line) => self.take(&line, is_endless, output)?,
                Err(_) => Signal::Quit,
            };
            has_stopped = !matches!(signal, Signal::GoOn);
            quits = matches!(signal, Signal::Quit);
        }
        if let Some(best) = best {
            report_best(&best, output)?;
        }
        output.flush()?;
        Ok(quits)
    }

    /// Looks for a command during a search.
    fn signal(&mut self, lines: &Receiver<String>, is_endless: bool, output: &mut impl Write) -> io::Result<Signal> {
        if self.waiting.len() >= MOST_WAITING {
            return Ok(Signal::GoOn);
        }
        match lines.try_recv() {
            Ok(line) => self.take(&line, is_endless, output),
            // A search with limits is completed after the end of the input, as for a program that pipes commands into this one.
            Err(TryRecvError::Disconnected) if is_endless => Ok(Signal::Quit),
            Err(TryRecvError::Disconnected | TryRecvError::Empty) => Ok(Signal::GoOn),
        }
    }

    /// Takes a line that came during a search.
    fn take(&mut self, line: &str, is_endless: bool, output: &mut impl Write) -> io::Result<Signal> {
        // What follows a waiting `go` is meant for that search.
        let is_for_later = self.waiting.iter().any(|command| matches!(command, Command::Go(_)));
        Ok(match command::parse(line) {
            Ok(Command::Stop) if !is_for_later => Signal::Stop,
            Ok(Command::Quit) if !is_for_later => Signal::Quit,
            Ok(Command::IsReady) => {
                writeln!(output, "readyok")?;
                output.flush()?;
                Signal::GoOn
            }
            Ok(Command::Nothing) => Signal::GoOn,
            Ok(command) => {
                self.waiting.push_back(command);
                // Otherwise the command would wait for ever.
                if is_endless { Signal::Stop } else { Signal::GoOn }
            }
            Err(error) => {
                report_error(&error, output)?;
                Signal::GoOn
            }
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
