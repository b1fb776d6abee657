//! The measurements, in order.

use std::collections::HashSet;
use std::fs;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use chess::{Color, Game, Move, Position, Role};
use tests::emulated::EmulatedBoard;
use tests::json_player::JsonPlayer;
use tests::panel::Panel;
use tests::random::Random;
use tests::relay_fixture::RelayFixture;
use tests::serial_console::SerialConsole;
use tests::{parts, scenes};

use crate::figures::{Delays, Figures};

/// The size of a run.
pub(crate) struct Extent {
    lifts: usize,
    moves: usize,
    cuts: usize,
}

impl Extent {
    pub(crate) const FULL: Self = Self { lifts: 500, moves: 100, cuts: 20 };
    pub(crate) const QUICK: Self = Self { lifts: 60, moves: 12, cuts: 4 };
}

/// A pawn moves after this many plies, since 150 plies without a pawn move are a draw.
const PAWN_EVERY: usize = 100;

pub(crate) fn all(extent: &Extent) -> Result<Figures> {
    let before = load();
    let mut console = SerialConsole::new()?;
    let mut table = Table::sit_down(console.port()?)?;
    console.attach()?;
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
        // From a short interruption up to three seconds.
        reconnect.push(table.cut(Duration::from_millis(300 * (1 + number as u64 % 10)))?);
        table.theirs()?;
    }
    console.send_line("stats")?;
    let stats = console.wait_for("\r\nclock ")?;
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

/// The load average of the last minute.
fn load() -> Option<f64> {
    fs::read_to_string("/proc/loadavg").ok()?.split(' ').next()?.parse().ok()
}

/// The board plays White against a JSON player.
struct Table {
    wooden: EmulatedBoard,
    guest: JsonPlayer,
    game: Box<Game>,
    seen: HashSet<String>,
    random: Random,
    _relay_fixture: RelayFixture,
}

impl Table {
    fn sit_down(console: u16) -> Result<Self> {
        let image = parts::mps2_image().context("there is no firmware to measure")?;
        let relay_fixture = RelayFixture::start()?.context("there is no relay to measure with")?;
        let pairing = relay_fixture.pair("Kitchen")?;
        let mut guest = JsonPlayer::join(relay_fixture.relay.address(), "vera", &pairing.code, "color=black")?;
        let wooden = EmulatedBoard::new(&image, Panel::new()?)?.at(relay_fixture.relay.address(), &pairing.key);
        let mut wooden = wooden.argument("hints=on").console(console);
        wooden.power_up()?;
        wooden.log()?.wait_for("game snapshot received, 0 plies")?;
        guest.agree_to_hints()?;
        guest.receive("that hints are agreed on", |said| said["type"] == "hints" && said["agreed"] == true)?;
        Ok(Self {
            wooden,
            guest,
            game: Box::new(Game::new()),
            seen: HashSet::new(),
            random: Random::new(5),
            _relay_fixture: relay_fixture,
        })
    }

    fn panel(&self) -> &Panel {
        &self.wooden.panel
    }

    /// A random pause, so that samples are not in phase with the board.
    fn pause(&mut self) -> Result<()> {
        self.guest.stay_connected_for(Duration::from_millis(30 + self.random.number() % 50))
    }

    fn is_still(&self) -> Result<()> {
        self.panel().wait_for_scene("a still board", scenes::still(&self.game)).map(drop)
    }

    /// Lifts a knight and puts it back; returns the time to its light.
    fn lift(&mut self) -> Result<Duration> {
        let square = "g1".parse()?;
        self.is_still()?;
        self.pause()?;
        let scene = scenes::in_hand(&self.game, &[square]);
        let lifted = self.panel().change(|occupied| occupied.without(square.into()));
        let shown = self.panel().first_scene_since("where it can go", scene, lifted)?;
        self.pause()?;
        self.panel().place(square)?;
        Ok(shown - lifted)
    }

    /// A knight move to a position that was not there before, or sometimes a pawn move.
    fn next_move(&mut self) -> Result<Move> {
        let position = self.game.position();
        // Only the opponent moves pawns: the board waits for a pawn that could move on to rest.
        let is_due = position.turn() == Color::Black && usize::from(position.halfmoves()) >= PAWN_EVERY;
        let role = if is_due { Role::Pawn } else { Role::Knight };
        let is_calm = |mv: &&Move| {
            let quiet = position.of_role(role).has(mv.from()) && !position.is_capture(**mv);
            let after = position.play(**mv).ok();
            quiet && after.is_some_and(|after| !after.is_check() && !self.seen.contains(&placement(&after)))
        };
        let moves = position.legal_moves();
        let choice: Vec<Move> = moves.iter().filter(is_calm).copied().collect();
        let index = self.random.number() as usize % choice.len().max(1);
        let mv = *choice.get(index).context("no calm move is left")?;
        self.seen.insert(placement(&position.play(mv)?));
        Ok(mv)
    }

    /// The time from a move by hand to its arrival at the opponent.
    fn ours(&mut self) -> Result<Duration> {
        let mv = self.next_move()?;
        self.is_still()?;
        self.pause()?;
        self.panel().lift(mv.from())?;
        self.panel().pause()?;
        self.pause()?;
        let placed = self.panel().change(|occupied| occupied | mv.to().into());
        self.arrives(mv)?;
        Ok(self.guest.received_at() - placed)
    }

    fn arrives(&mut self, mv: Move) -> Result<()> {
        self.guest.wait_for_ply(self.game.moves().len() + 1)?;
        Ok(self.game.play(mv)?)
    }

    /// The time from a move of the opponent to its light.
    fn theirs(&mut self) -> Result<Duration> {
        let (mv, before) = (self.next_move()?, *self.game.position());
        self.is_still()?;
        self.pause()?;
        let ply = self.game.moves().len();
        self.game.play(mv)?;
        let scene = scenes::opponents(&before, mv, &self.game);
        let said = Instant::now();
        self.guest.play(&mv.to_string(), ply)?;
        let shown = self.panel().first_scene_since("the other player's move", scene, said)?;
        self.guest.wait_for_ply(ply + 1)?;
        self.panel().move_piece(mv.from(), mv.to())?;
        Ok(shown - said)
    }

    /// The time from plugging in the cable to the arrival of a move made without it.
    fn cut(&mut self, time: Duration) -> Result<Duration> {
        let mv = self.next_move()?;
        self.is_still()?;
        self.wooden.plug(false)?;
        self.panel().move_piece(mv.from(), mv.to())?;
        thread::sleep(time);
        let plugged = Instant::now();
        self.wooden.plug(true)?;
        self.arrives(mv)?;
        Ok(self.guest.received_at() - plugged)
    }
}

/// The piece placement field of the FEN.
fn placement(position: &Position) -> String {
    position.fen().to_string().split(' ').next().unwrap_or_default().to_owned()
}
