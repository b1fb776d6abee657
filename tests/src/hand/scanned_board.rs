//! The board's debounce and move detection on simulated switches, scanned every simulated millisecond, with a log.

use std::collections::VecDeque;
use std::fmt;

use board::{Debounce, Hand, HandSettings, Instant, Looking, Reading, Scan, Stance, View};
use chess::{Bitboard, Move, Position, Square};
use rules::{Options, Plies, Ply, Situation};

use super::reeds::{BouncingReeds, ReedEvent};
use crate::random::Random;

/// Scans in a row that must agree, as on the real board.
const DEPTH: u8 = 5;

/// Number of events that are kept for the log.
const REMEMBERED: usize = 60;

/// The move detection with its simulated switches and time.
pub struct ScannedBoard {
    reeds: BouncingReeds,
    debounce: Debounce,
    hand: Hand,
    /// The position of the game, its legal plies, and how it came about.
    position: Position,
    plies: Plies,
    before: Option<(Position, Move)>,
    now: u64,
    last_touch: u64,
    done: VecDeque<ReedEvent>,
    seen: VecDeque<Seen>,
}

/// An event on the board.
struct Seen {
    at: u64,
    scan: Scan,
    reading: Option<Reading>,
    stance: Stance,
}

impl ScannedBoard {
    /// A board on which this position stands; one of the pieces may have a weak magnet.
    #[must_use]
    pub fn new(position: &Position, weak: Option<Square>) -> Self {
        let occupied = position.occupied();
        Self {
            reeds: BouncingReeds::new(occupied, weak),
            debounce: Debounce::new(DEPTH, occupied),
            hand: Hand::new(HandSettings::default(), occupied),
            position: *position,
            plies: Situation::Chess(position).plies(),
            before: None,
            now: 1000,
            last_touch: 1000,
            done: VecDeque::new(),
            seen: VecDeque::new(),
        }
    }

    /// The simulated time, in milliseconds.
    #[must_use]
    pub const fn now(&self) -> u64 {
        self.now
    }

    /// The time of the last scheduled touch.
    #[must_use]
    pub const fn last_touch(&self) -> u64 {
        self.last_touch
    }

    /// The time of the last touch so far.
    #[must_use]
    pub fn touched_at(&self) -> u64 {
        self.done.iter().map(|touch| touch.at).filter(|&at| at <= self.now).max().unwrap_or(0)
    }

    /// Times that a weak magnet has released its switch.
    #[must_use]
    pub const fn flickers(&self) -> u64 {
        self.reeds.flickers()
    }

    /// Whether no touch is pending and no switch bounces.
    #[must_use]
    pub fn is_quiet(&self) -> bool {
        self.reeds.is_quiet() && self.now >= self.last_touch
    }

    /// The stance of the move detection.
    #[must_use]
    pub const fn stance(&self) -> Stance {
        self.hand.stance()
    }

    /// The debounced occupied squares.
    #[must_use]
    pub const fn occupied(&self) -> Bitboard {
        self.hand.occupied()
    }

    /// Schedules touches.
    pub fn expect(&mut self, touches: &[ReedEvent]) {
        for &touch in touches {
            self.last_touch = self.last_touch.max(touch.at);
            self.reeds.expect(touch);
            remember(&mut self.done, touch);
        }
    }

    /// Sets the position of the game.
    pub fn settle(&mut self, position: &Position, before: Option<(Position, Move)>, looking: Looking) {
        self.position = *position;
        self.plies = Situation::Chess(position).plies();
        self.before = before;
        let view = view(&self.position, &self.plies, self.before.as_ref());
        self.hand.settle(&view, looking, Instant::at(self.now));
    }

    /// Advances the time by a millisecond.
    pub fn tick(&mut self, random: &mut Random) -> Option<Reading> {
        self.now += 1;
        let scan = self.debounce.scan(self.reeds.scan(self.now, random));
        let Self { hand, position, plies, before, now, .. } = self;
        let reading = hand.scan(&scan, || view(position, plies, before.as_ref()), Instant::at(*now));
        if (scan.lifted | scan.placed).any() || reading.is_some() {
            remember(&mut self.seen, Seen { at: self.now, scan, reading, stance: self.hand.stance() });
        }
        reading
    }

    /// The recent touches and events, one on each line.
    #[must_use]
    pub fn log(&self) -> String {
        let since = self.seen.front().map_or(0, |seen| seen.at);
        let done = self.done.iter().filter(|touch| touch.at >= since && touch.at <= self.now);
        let mut lines: Vec<(u64, String)> = done
            .map(|touch| (touch.at, format!("                      {} {:?}\n", touch.square, touch.change)))
            .collect();
        lines.extend(self.seen.iter().map(|seen| (seen.at, seen.to_string())));
        lines.sort_by_key(|(at, _)| *at);
        let lines: Vec<String> = lines.into_iter().map(|(at, line)| format!("{at:>9}{line}")).collect();
        lines.concat()
    }
}

fn view<'a>(position: &'a Position, plies: &'a Plies, before: Option<&'a (Position, Move)>) -> View<'a> {
    let before = before.map(|(earlier, mv)| (Situation::Chess(earlier), Ply::of_move(*mv)));
    View { here: Options { here: Situation::Chess(position), plies }, before, made: None }
}

fn remember<T>(all: &mut VecDeque<T>, one: T) {
    if all.len() == REMEMBERED {
        all.pop_front();
    }
    all.push_back(one);
}

impl fmt::Display for Seen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (word, squares) in [("lifted", self.scan.lifted), ("placed", self.scan.placed)] {
            if squares.any() {
                write!(f, " {word} {}", names(squares))?;
            }
        }
        if let Some(reading) = self.reading {
            write!(f, " => {reading:?}")?;
        }
        writeln!(f, " [{}]", in_words(self.stance))
    }
}

/// A stance in one line.
#[must_use]
pub fn in_words(stance: Stance) -> String {
    match stance {
        Stance::InHand { missing } => format!("in hand: {}", names(missing)),
        Stance::HalfDone { fill, clear } => format!("half done: fill {}, clear {}", names(fill), names(clear)),
        Stance::Asking(squares) => format!("asking: {}", names(squares)),
        Stance::Disorder { fill, clear, .. } => format!("disorder: fill {}, clear {}", names(fill), names(clear)),
        Stance::Settled | Stance::Arriving(_) | Stance::Choosing { .. } | Stance::Chosen { .. } => {
            format!("{stance:?}")
        }
    }
}

fn names(squares: Bitboard) -> String {
    let names: Vec<String> = squares.squares().map(|square| square.to_string()).collect();
    if names.is_empty() { "nothing".to_owned() } else { names.join(" ") }
}
