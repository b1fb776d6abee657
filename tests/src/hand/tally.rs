//! What came of it.

use std::collections::BTreeMap;

use board::HandSettings;

use super::delays::Delays;
use super::habit::Habit;
use super::reeds::Magnet;

/// The count of many games.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Moves that hands made.
    pub moves: u64,
    /// Games they made them in.
    pub games: u64,
    /// Moves that were read although no hand meant them.
    pub misread: u64,
    /// Moves that were not read within two seconds of rest.
    pub unread: u64,
    /// Games that could not go on.
    pub wedged: u64,
    /// How often the board had to ask which piece was taken.
    pub asked: u64,
    /// How often a piece had to be touched again because no switch had noticed that it took another.
    pub unseen: u64,
    /// How often a weak magnet let go of its switch.
    pub flickers: u64,
    /// How often hands did something besides.
    pub habits: BTreeMap<Habit, u64>,
    /// Milliseconds from the last touch to the reading, by what the move had to wait for, and whether there was a weak
    /// magnet among those on the board.
    pub delays: BTreeMap<(Pace, Magnet), Delays>,
    /// What went wrong.
    pub faults: Vec<Fault>,
}

/// What a move has to wait for before it is believed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Pace {
    /// Nothing.
    AtOnce,
    /// It could slide on.
    Rest,
    /// It could be half of castling.
    RookRest,
    /// It pushed another piece off, and that must not have been a wobble.
    Pushed,
    /// The board had a question: which piece was taken. What counts is the time since anything was touched.
    Asked,
    /// It was answered before it was read, or is such an answer, and is read when that is clear. What counts is the time
    /// since anything was touched.
    Answered,
    /// It takes the last move back.
    TakenBack,
    /// It is no move: kings in the centre, or a new start.
    Sign,
}

impl Pace {
    /// Its name in a report.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::AtOnce => "at once",
            Self::Rest => "after a rest",
            Self::RookRest => "after a rook's rest",
            Self::Pushed => "pushed off",
            Self::Asked => "asked",
            Self::Answered => "answered early",
            Self::TakenBack => "taken back",
            Self::Sign => "kings and new starts",
        }
    }

    /// In so many milliseconds it must be read.
    #[must_use]
    pub fn limit(self, magnets: Magnet) -> u64 {
        let settings = HandSettings::default();
        let rest = match self {
            Self::AtOnce => 0,
            Self::Rest | Self::Pushed | Self::TakenBack => settings.rest,
            // What both hands have done, or what was asked about, may also be half of castling.
            Self::RookRest | Self::Asked | Self::Answered => settings.rook_rest,
            Self::Sign => settings.kings_rest,
        };
        let flicker = match (self, magnets) {
            (_, Magnet::Sound) => 0,
            // If it is the piece that came back which flickers, the board looks for a moment as if nothing had been taken
            // back, and the rest begins anew. And where a square has flickered, a piece that slides there to take another
            // is believed only after a rest, as one that pushes it off.
            (Self::TakenBack | Self::AtOnce, Magnet::Weak) => settings.rest + FLICKER,
            (_, Magnet::Weak) => FLICKER,
        };
        rest + MARGIN + flicker
    }
}

/// So many milliseconds pass at most between a touch and what the board makes of it, its rest aside: the reed bounces, and
/// the scans must agree.
const MARGIN: u64 = 30;

/// A weak magnet may let go of its switch just when a move is complete: then the board does not look like it until the
/// switch is back. And where it has done that before, a piece must be gone for so long before the board believes it.
const FLICKER: u64 = 80;

/// Something that went wrong in a game, and how to see it again.
#[derive(Clone, Debug)]
pub struct Fault {
    /// The number of the game.
    pub game: u64,
    /// What went wrong.
    pub what: String,
    /// The moves before it.
    pub moves: String,
    /// What the board saw last.
    pub log: String,
}

/// So many faults are kept in full: whoever has that many needs no more of them.
const KEPT: usize = 20;

impl Tally {
    /// Adds another one.
    pub fn absorb(&mut self, other: &Self) {
        self.moves += other.moves;
        self.games += other.games;
        self.misread += other.misread;
        self.unread += other.unread;
        self.wedged += other.wedged;
        self.asked += other.asked;
        self.unseen += other.unseen;
        self.flickers += other.flickers;
        for (&habit, &count) in &other.habits {
            *self.habits.entry(habit).or_default() += count;
        }
        for (&class, delays) in &other.delays {
            self.delays.entry(class).or_default().absorb(delays);
        }
        self.faults.extend(other.faults.iter().take(KEPT.saturating_sub(self.faults.len())).cloned());
    }
}
