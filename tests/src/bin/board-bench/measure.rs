//! What is measured, and in which order.

use std::collections::HashSet;
use std::fs;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use chess::{Color, Game, Move, Position, Role};
use tests::club::Club;
use tests::emulated::EmulatedBoard;
use tests::guest::Guest;
use tests::panel::Panel;
use tests::terminal::Terminal;
use tests::{parts, scenes, stroll};

use crate::figures::{Delays, Figures};

/// How much is measured.
pub(crate) struct Extent {
    lifts: usize,
    moves: usize,
    cuts: usize,
}

impl Extent {
    pub(crate) const FULL: Self = Self { lifts: 500, moves: 100, cuts: 20 };
    pub(crate) const QUICK: Self = Self { lifts: 60, moves: 12, cuts: 4 };
}

/// A draw comes by itself after 150 plies without a pawn. Long before that one is moved.
const PAWN_EVERY: usize = 100;

pub(crate) fn all(extent: &Extent) -> Result<Figures> {
    let before = load();
    let mut terminal = Terminal::new()?;
    let mut table = Table::sit_down(terminal.port()?)?;
    terminal.attach()?;
    let mut lift_to_light = Vec::new();
    for number in 0..extent.lifts {
        if number % 100 == 0 {
            eprintln!("lifts, {number} of {}", extent.lifts);
        }
        lift_to_light.push(table.lift()?);
    }
    let (mut touch_to_relay, mut relay_to_light) = (Vec::new(), Vec::new());
    for number in 0..extent.moves {
        if number % 20 == 0 {
            eprintln!("moves, {number} of {}", extent.moves);
        }
        touch_to_relay.push(table.ours()?);
        relay_to_light.push(table.theirs()?);
    }
    let mut reconnect = Vec::new();
    for number in 0..extent.cuts {
        if number % 5 == 0 {
            eprintln!("cuts, {number} of {}", extent.cuts);
        }
        // From a plug that only slips to one that is out for as long as nobody looks.
        reconnect.push(table.cut(Duration::from_millis(300 * (1 + number as u64 % 10)))?);
        table.theirs()?;
    }
    terminal.type_in("stats")?;
    let stats = terminal.wait_for("last end")?;
    let number = |name: &str, place: usize| -> Result<u32> {
        let line =
            stats.lines().find_map(|line| line.strip_prefix(name)).with_context(|| format!("{name}? {stats}"))?;
        let word = line.split_whitespace().nth(place).with_context(|| line.to_owned())?;
        word.parse().with_context(|| line.to_owned())
    };
    Ok(Figures {
        lift_to_light: Delays::of(&lift_to_light),
        touch_to_relay: Delays::of(&touch_to_relay),
        relay_to_light: Delays::of(&relay_to_light),
        reconnect: Delays::of(&reconnect),
        stack: (number("stack ", 0)?, number("stack ", 2)?),
        lost_scans: number("scans lost ", 0)?,
        load: [before, load()],
    })
}

/// How many processes wanted to run in the last minute.
fn load() -> Option<f64> {
    fs::read_to_string("/proc/loadavg").ok()?.split(' ').next()?.parse().ok()
}

/// A board with White, and somebody far away.
struct Table {
    wooden: EmulatedBoard,
    guest: Guest,
    game: Box<Game>,
    seen: HashSet<String>,
    seed: u64,
    _club: Club,
}

impl Table {
    fn sit_down(console: u16) -> Result<Self> {
        let image = parts::mps2_image().context("there is no firmware to measure")?;
        let club = Club::open()?.context("there is no relay to measure with")?;
        let pairing = club.pair("Kitchen")?;
        let mut guest = Guest::come(club.relay.address(), "vera", &pairing.code, "color=black")?;
        let wooden = EmulatedBoard::new(&image, Panel::new()?)?.at(club.relay.address(), &pairing.key);
        let mut wooden = wooden.order("hints=on").console(console);
        wooden.power_up()?;
        wooden.log()?.wait_for("a game has come, after 0 plies")?;
        guest.agree_to_hints()?;
        guest.hear("that hints are agreed on", |said| said["type"] == "hints" && said["agreed"] == true)?;
        Ok(Self { wooden, guest, game: Box::new(Game::new()), seen: HashSet::new(), seed: 5, _club: club })
    }

    fn panel(&self) -> &Panel {
        &self.wooden.panel
    }

    /// Something between, so that nothing falls into step with the board.
    fn pause(&mut self) -> Result<()> {
        self.guest.linger(Duration::from_millis(30 + stroll::next_number(&mut self.seed) % 50))
    }

    fn is_still(&self) -> Result<()> {
        self.panel().shows("a still board", scenes::still(&self.game)).map(drop)
    }

    /// A knight is lifted, and put back.
    fn lift(&mut self) -> Result<Duration> {
        let square = "g1".parse()?;
        self.is_still()?;
        self.pause()?;
        let scene = scenes::in_hand(&self.game, &[square]);
        let lifted = self.panel().touch(|occupied| occupied.without(square.into()));
        let shown = self.panel().first_shows("where it can go", scene, lifted)?;
        self.pause()?;
        self.panel().place(square)?;
        Ok(shown - lifted)
    }

    /// A move of a knight that leads to a position which was not there before, or now and then of a pawn.
    fn next_move(&mut self) -> Result<Move> {
        let position = self.game.position();
        // The other player does that: a pawn that could go on is believed to have arrived only when it has rested.
        let is_due = position.turn() == Color::Black && usize::from(position.halfmoves()) >= PAWN_EVERY;
        let role = if is_due { Role::Pawn } else { Role::Knight };
        let is_calm = |mv: &&Move| {
            let quiet = position.of_role(role).has(mv.from()) && !position.is_capture(**mv);
            let after = position.play(**mv).ok();
            quiet && after.is_some_and(|after| !after.is_check() && !self.seen.contains(&placement(&after)))
        };
        let moves = position.legal_moves();
        let choice: Vec<Move> = moves.iter().filter(is_calm).copied().collect();
        let index = stroll::next_number(&mut self.seed) as usize % choice.len().max(1);
        let mv = *choice.get(index).context("no calm move is left")?;
        self.seen.insert(placement(&position.play(mv)?));
        Ok(mv)
    }

    /// The hand makes a move; how long until everybody knows it.
    fn ours(&mut self) -> Result<Duration> {
        let mv = self.next_move()?;
        self.is_still()?;
        self.pause()?;
        self.panel().lift(mv.from())?;
        self.panel().hesitate()?;
        self.pause()?;
        let placed = self.panel().touch(|occupied| occupied | mv.to().into());
        self.arrives(mv)?;
        Ok(self.guest.heard_at() - placed)
    }

    fn arrives(&mut self, mv: Move) -> Result<()> {
        self.guest.hear_ply(self.game.moves().len() + 1)?;
        Ok(self.game.play(mv)?)
    }

    /// The other one makes a move; how long until it is shown.
    fn theirs(&mut self) -> Result<Duration> {
        let (mv, before) = (self.next_move()?, *self.game.position());
        self.is_still()?;
        self.pause()?;
        let ply = self.game.moves().len();
        self.game.play(mv)?;
        let scene = scenes::opponents(&before, mv, &self.game);
        let said = Instant::now();
        self.guest.play(&mv.to_string(), ply)?;
        let shown = self.panel().first_shows("the other player's move", scene, said)?;
        self.guest.hear_ply(ply + 1)?;
        self.panel().carry(mv.from(), mv.to())?;
        Ok(shown - said)
    }

    /// The cable is out for so long, and a move is made meanwhile; how long after it is in again everybody knows the move.
    fn cut(&mut self, time: Duration) -> Result<Duration> {
        let mv = self.next_move()?;
        self.is_still()?;
        self.wooden.plug(false)?;
        self.panel().carry(mv.from(), mv.to())?;
        thread::sleep(time);
        let plugged = Instant::now();
        self.wooden.plug(true)?;
        self.arrives(mv)?;
        Ok(self.guest.heard_at() - plugged)
    }
}

/// Where the pieces stand.
fn placement(position: &Position) -> String {
    position.fen().to_string().split(' ').next().unwrap_or_default().to_owned()
}
