//! A board with its switches, scanned every millisecond, and what it saw lately.

use std::collections::VecDeque;
use std::fmt;

use board::{Debounce, Hand, HandSettings, Instant, Looking, Reading, Scan, Stance};
use chess::{Bitboard, Move, Position, Square};

use super::chance::Chance;
use super::reeds::{Reeds, Touch};

/// So many scans in a row must agree, as on the real board.
const DEPTH: u8 = 5;

/// So many lines of what the board saw are kept for a report.
const REMEMBERED: usize = 60;

/// A board, and the time there.
pub struct Table {
    reeds: Reeds,
    debounce: Debounce,
    hand: Hand,
    now: u64,
    last_touch: u64,
    done: VecDeque<Touch>,
    seen: VecDeque<Seen>,
}

/// Something that the board noticed.
struct Seen {
    at: u64,
    scan: Scan,
    reading: Option<Reading>,
    stance: Stance,
}

impl Table {
    /// A board on which this position stands; one of the pieces may have a weak magnet.
    #[must_use]
    pub fn new(position: &Position, weak: Option<Square>) -> Self {
        let occupied = position.occupied();
        Self {
            reeds: Reeds::new(occupied, weak),
            debounce: Debounce::new(DEPTH, occupied),
            hand: Hand::new(HandSettings::default(), *position, occupied),
            now: 1000,
            last_touch: 1000,
            done: VecDeque::new(),
            seen: VecDeque::new(),
        }
    }

    /// The time.
    #[must_use]
    pub const fn now(&self) -> u64 {
        self.now
    }

    /// When the last touch that is known so far happens, or happened.
    #[must_use]
    pub const fn last_touch(&self) -> u64 {
        self.last_touch
    }

    /// When anything was touched last.
    #[must_use]
    pub fn touched_at(&self) -> u64 {
        self.done.iter().map(|touch| touch.at).filter(|&at| at <= self.now).max().unwrap_or(0)
    }

    /// How often a weak magnet has let go of its switch.
    #[must_use]
    pub const fn flickers(&self) -> u64 {
        self.reeds.flickers()
    }

    /// Whether nothing moves any more and nothing is about to.
    #[must_use]
    pub fn is_quiet(&self) -> bool {
        self.reeds.is_quiet() && self.now >= self.last_touch
    }

    /// How things stand, as the lights would show it.
    #[must_use]
    pub const fn stance(&self) -> Stance {
        self.hand.stance()
    }

    /// What the board believes to be occupied.
    #[must_use]
    pub const fn occupied(&self) -> Bitboard {
        self.hand.occupied()
    }

    /// These touches will happen.
    pub fn expect(&mut self, touches: &[Touch]) {
        for &touch in touches {
            self.last_touch = self.last_touch.max(touch.at);
            self.reeds.expect(touch);
            remember(&mut self.done, touch);
        }
    }

    /// The game has come to this position.
    pub fn settle(&mut self, position: &Position, before: Option<(Position, Move)>, looking: Looking) {
        self.hand.settle(position, before, looking, Instant::at(self.now));
    }

    /// A millisecond passes.
    pub fn tick(&mut self, chance: &mut Chance) -> Option<Reading> {
        self.now += 1;
        let scan = self.debounce.scan(self.reeds.scan(self.now, chance));
        let reading = self.hand.scan(&scan, Instant::at(self.now));
        if (scan.lifted | scan.placed).any() || reading.is_some() {
            remember(&mut self.seen, Seen { at: self.now, scan, reading, stance: self.hand.stance() });
        }
        reading
    }

    /// What hands did and the board saw lately, a line for each thing.
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
        Stance::Settled | Stance::Arriving(_) | Stance::Choosing { .. } => format!("{stance:?}"),
    }
}

fn names(squares: Bitboard) -> String {
    let names: Vec<String> = squares.squares().map(|square| square.to_string()).collect();
    if names.is_empty() { "nothing".to_owned() } else { names.join(" ") }
}
