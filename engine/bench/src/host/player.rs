//! Players of a match: this engine in the same process, or any UCI engine.

use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use anyhow::{Context, Result, bail};
use chess::{Move, Position};
use engine::{Engine, Level, Limits, Memory, Random, Score, Slot, Step};

/// A move with the player's opinion of the position, in centipawns for the side to move.
pub(crate) struct Decision {
    pub(crate) mv: Move,
    pub(crate) score: i32,
}

/// How a player is made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// This engine with a level, a number of nodes for each move and a table of this many slots.
    Ours { level: u8, nodes: u64, slots: usize },
    /// A UCI engine with its options, and the words of its `go`.
    Uci { program: String, options: Vec<(String, String)>, go: String },
    /// A beginner: knows the rules, captures what it can capture for nothing, and sees mate in one.
    Beginner,
}

/// 128 KB, the table of a board.
const BOARD_SLOTS: usize = 16 * 1024;

impl Kind {
    /// This engine with the table of a board.
    pub(crate) const fn board(level: u8, nodes: u64) -> Self {
        Self::Ours { level, nodes, slots: BOARD_SLOTS }
    }

    /// Parses `nodes=N`, `level=N`, `level=N,nodes=N`, `stockfish=ELO`, `uci=PROGRAM,GO` or `beginner`.
    pub(crate) fn parse(text: &str) -> Result<Self> {
        if text == "beginner" {
            return Ok(Self::Beginner);
        }
        if let Some(elo) = text.strip_prefix("stockfish=") {
            return Ok(Self::stockfish(elo.parse().context("Elo")?));
        }
        if let Some(rest) = text.strip_prefix("uci=") {
            let (program, go) = rest.split_once(',').context("uci=PROGRAM,GO")?;
            return Ok(Self::Uci { program: program.into(), options: Vec::new(), go: go.into() });
        }
        let (mut level, mut nodes) = (10, u64::MAX);
        for part in text.split(',') {
            match part.split_once('=') {
                Some(("nodes", number)) => nodes = number.parse().context("nodes")?,
                Some(("level", number)) => level = number.parse().context("level")?,
                _ => bail!("unknown player {text}"),
            }
        }
        Ok(Self::board(level, nodes))
    }

    /// Stockfish with a limited strength.
    ///
    /// It takes its move when the depth is one more than its skill level, so that it is as strong as with unlimited time if it is
    /// searched to that depth.
    fn stockfish(elo: u32) -> Self {
        let skill = (f64::from(elo) - 1346.6).max(0.0) / 143.4;
        let depth = 2.0 + skill.powf(1.0 / 0.806).min(20.0).floor();
        let options = [("Threads", "1"), ("Hash", "16"), ("UCI_LimitStrength", "true"), ("UCI_Elo", &elo.to_string())]
            .map(|(name, value)| (name.to_owned(), value.to_owned()));
        Self::Uci { program: "/usr/games/stockfish".into(), options: options.into(), go: format!("depth {depth}") }
    }

    pub(crate) fn start(&self) -> Result<Player> {
        Ok(match self {
            Self::Ours { level, nodes, slots } => Player::Ours {
                memory: Box::default(),
                table: vec![Slot::EMPTY; *slots],
                level: Level::new(*level).context("a level is from 1 to 10")?,
                nodes: *nodes,
                seed: 0,
            },
            Self::Uci { program, options, go } => Player::Uci(UciProcess::start(program, options, go)?),
            Self::Beginner => Player::Beginner(Random::new(0)),
        })
    }
}

pub(crate) enum Player {
    Ours { memory: Box<Memory>, table: Vec<Slot>, level: Level, nodes: u64, seed: u64 },
    Uci(UciProcess),
    Beginner(Random),
}

impl Player {
    pub(crate) fn new_game(&mut self, new_seed: u64) -> Result<()> {
        match self {
            Self::Ours { memory, table, seed, .. } => {
                *seed = new_seed;
                Engine::new(memory, table).new_game(new_seed);
            }
            Self::Uci(process) => process.new_game()?,
            Self::Beginner(random) => *random = Random::new(new_seed),
        }
        Ok(())
    }

    pub(crate) fn decide(&mut self, start: &Position, moves: &[Move], position: &Position) -> Result<Decision> {
        match self {
            Self::Ours { memory, table, level, nodes, seed } => {
                let mut engine = Engine::new(memory, table);
                engine.set_seed(*seed);
                engine.set_level(*level);
                engine.set_openings(false);
                let limits = Limits { nodes: Some(*nodes), ..Limits::default() };
                engine.start(start, moves, limits)?;
                match engine.step(u32::MAX, 0) {
                    Step::Best(best) => Ok(Decision { mv: best.mv, score: centipawns(best.score()) }),
                    Step::Thinking | Step::Idle => bail!("the engine has no best move"),
                }
            }
            Self::Uci(process) => process.decide(start, moves),
            Self::Beginner(random) => Ok(beginner(position, random)),
        }
    }
}

fn centipawns(score: Score) -> i32 {
    match score {
        Score::Centipawns(centipawns) => centipawns.into(),
        Score::Mate(moves) => {
            if moves > 0 {
                10_000
            } else {
                -10_000
            }
        }
    }
}

/// A child who knows the rules: takes what is not protected, gives mate when it sees one, otherwise moves at random, and sees only
/// half the time that a square is guarded by a pawn.
fn beginner(position: &Position, random: &mut Random) -> Decision {
    let legal = position.legal_moves();
    let worth = |mv: Move, random: &mut Random| {
        let next = position.after(mv);
        if next.is_checkmate() {
            return 10_000;
        }
        let value = |square| position.piece_at(square).map_or(0, |piece| [1, 3, 3, 5, 9, 0][piece.role() as usize]);
        let is_guarded = (next.attackers(mv.to(), next.occupied()) & next.of_color(next.turn())).any();
        let lost = if is_guarded && random.below(2) == 0 { value(mv.from()) } else { 0 };
        10 * (value(mv.to()) - lost) + random.below(10).cast_signed()
    };
    let best = legal.iter().map(|&mv| (worth(mv, random), mv)).max_by_key(|(worth, _)| *worth);
    Decision { mv: best.map_or(legal[0], |(_, mv)| mv), score: 0 }
}

pub(crate) struct UciProcess {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    go: String,
}

impl UciProcess {
    fn start(program: &str, options: &[(String, String)], go: &str) -> Result<Self> {
        let mut child = Command::new(program)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| format!("cannot start {program}"))?;
        let input = child.stdin.take().context("no standard input")?;
        let output = BufReader::new(child.stdout.take().context("no standard output")?);
        let mut process = Self { child, input, output, go: go.to_owned() };
        process.send("uci")?;
        process.wait_for("uciok")?;
        for (name, value) in options {
            process.send(&format!("setoption name {name} value {value}"))?;
        }
        process.new_game()?;
        Ok(process)
    }

    fn send(&mut self, line: &str) -> Result<()> {
        writeln!(self.input, "{line}")?;
        Ok(self.input.flush()?)
    }

    fn wait_for(&mut self, word: &str) -> Result<(String, Option<i32>)> {
        let mut score = None;
        let mut line = String::new();
        loop {
            line.clear();
            if self.output.read_line(&mut line)? == 0 {
                bail!("the engine ended before {word}");
            }
            if line.starts_with(word) {
                return Ok((line, score));
            }
            let mut words = line.split_whitespace().skip_while(|&word| word != "score").skip(1);
            match (words.next(), words.next().map(str::parse::<i32>)) {
                (Some("cp"), Some(Ok(centipawns))) => score = Some(centipawns),
                (Some("mate"), Some(Ok(moves))) => score = Some(if moves > 0 { 10_000 } else { -10_000 }),
                _ => {}
            }
        }
    }

    fn new_game(&mut self) -> Result<()> {
        self.send("ucinewgame")?;
        self.send("isready")?;
        self.wait_for("readyok")?;
        Ok(())
    }

    fn decide(&mut self, start: &Position, moves: &[Move]) -> Result<Decision> {
        let mut line = format!("position fen {}", start.fen());
        if !moves.is_empty() {
            line += " moves";
        }
        for mv in moves {
            _ = write!(line, " {mv}");
        }
        self.send(&line)?;
        let go = format!("go {}", self.go);
        self.send(&go)?;
        let (answer, score) = self.wait_for("bestmove")?;
        let word = answer.split_whitespace().nth(1).context("a best move")?;
        Ok(Decision {
            mv: word.parse().map_err(|error| anyhow::anyhow!("{word}: {error}"))?,
            score: score.unwrap_or(0),
        })
    }
}

impl Drop for UciProcess {
    fn drop(&mut self) {
        _ = self.send("quit");
        _ = self.child.wait();
    }
}
