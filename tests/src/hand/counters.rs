//! Counters of the hand simulation.

use std::collections::BTreeMap;

use board::HandSettings;

use super::behaviour::Behaviour;
use super::histogram::Histogram;
use super::reeds::Magnet;

/// What was counted in many games.
#[derive(Clone, Debug, Default)]
pub struct HandCounters {
    /// Moves made by hands.
    pub moves: u64,
    /// Games played.
    pub games: u64,
    /// Moves that the board read and no hand intended.
    pub misread: u64,
    /// Moves that the board did not read within two seconds of rest.
    pub unread: u64,
    /// Games that were given up after a misread or unread move.
    pub stuck: u64,
    /// Times that the board asked which piece was captured.
    pub questions: u64,
    /// Times that a piece had to be touched again because no switch noticed its capture.
    pub touched_again: u64,
    /// Times that a weak magnet released its switch.
    pub flickers: u64,
    /// Misread and unread moves by behaviour. A move in which a hand did several things counts for each.
    pub fault_classes: BTreeMap<Behaviour, u64>,
    /// Counts of each behaviour.
    pub behaviours: BTreeMap<Behaviour, u64>,
    /// Milliseconds from the last touch to the reading, by what the move had to wait for, and whether there was a weak
    /// magnet among those on the board.
    pub delays: BTreeMap<(DelayClass, Magnet), Histogram>,
    /// What went wrong.
    pub faults: Vec<HandFault>,
}

/// The reason why the board waits before it reads a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum DelayClass {
    /// No reason: it reads the move at once.
    AtOnce,
    /// It captures, and the captured piece may only have been tilted.
    Captures,
    /// The piece could slide on.
    Rest,
    /// The move could be half of castling.
    RookRest,
    /// The piece pushed another one off, which could be a wobble.
    Pushed,
    /// The board had a question: which piece was taken. What counts is the time since anything was touched.
    Asked,
    /// It was answered before it was read, or is such an answer, and is read when that is clear. What counts is the time
    /// since anything was touched.
    Answered,
    /// It is a promotion, whose choice can be changed.
    Chosen,
    /// It is sent to a remote opponent.
    Sent,
    /// It is sent, and the piece could slide on.
    SentSlide,
    /// It is sent, and could be half of castling.
    SentRook,
    /// It ends the game.
    Ends,
    /// It takes the last move back.
    TakenBack,
    /// It is no move: kings in the centre, or a new start.
    Sign,
}

impl DelayClass {
    /// The name in a report.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::AtOnce => "at once",
            Self::Captures => "captures",
            Self::Rest => "after a rest",
            Self::RookRest => "after a rook's rest",
            Self::Pushed => "pushed off",
            Self::Asked => "asked",
            Self::Answered => "answered early",
            Self::Chosen => "promotion, after its choice",
            Self::Sent => "sent",
            Self::SentSlide => "sent, after a rest",
            Self::SentRook => "sent, after a rook's rest",
            Self::Ends => "ends the game",
            Self::TakenBack => "taken back",
            Self::Sign => "kings and new starts",
        }
    }

    /// The limit in milliseconds within which a move must be read.
    #[must_use]
    pub fn limit_ms(self, magnets: Magnet) -> u64 {
        let settings = HandSettings::default();
        let rest = match self {
            Self::AtOnce => 0,
            Self::Captures => 200,
            Self::Rest | Self::Pushed | Self::TakenBack => settings.rest,
            // What both hands have done, or what was asked about, may also be half of castling.
            Self::RookRest | Self::Asked | Self::Answered => settings.rook_rest,
            Self::Chosen => CHOICE_REST,
            Self::Sent => 400,
            Self::SentSlide => 1000,
            Self::SentRook => 3000,
            Self::Ends => 1800,
            Self::Sign => settings.kings_rest,
        };
        let flicker = match (self, magnets) {
            (_, Magnet::Strong) => 0,
            // If it is the piece that came back which flickers, the board looks for a moment as if nothing had been taken
            // back, and the rest begins anew. And where a square has flickered, a piece that slides there to take another
            // is believed only after a rest, as one that pushes it off.
            (Self::TakenBack | Self::AtOnce | Self::Captures, Magnet::Weak) => settings.rest + FLICKER,
            (_, Magnet::Weak) => FLICKER,
        };
        rest + MARGIN + flicker
    }
}

/// Time in which the choice of a promotion can be changed, in milliseconds.
pub const CHOICE_REST: u64 = 2000;

/// Longest time between a touch and its reading without any rest, in milliseconds: bounce of the reed and
/// debouncing.
const MARGIN: u64 = 30;

/// A weak magnet may let go of its switch just when a move is complete: then the board does not look like it until the
/// switch is back. And where it has done that before, a piece must be gone for this long before the board reads a lift.
const FLICKER: u64 = 80;

/// A fault in a game, with what is needed to reproduce it.
#[derive(Clone, Debug)]
pub struct HandFault {
    /// The number of the game.
    pub game: u64,
    /// What went wrong.
    pub what: String,
    /// The moves before it.
    pub moves: String,
    /// The last events on the board.
    pub log: String,
}

/// Number of faults that are kept.
const KEPT: usize = 20;

impl HandCounters {
    /// Adds the counts of others.
    pub fn absorb(&mut self, other: &Self) {
        self.moves += other.moves;
        self.games += other.games;
        self.misread += other.misread;
        self.unread += other.unread;
        self.stuck += other.stuck;
        self.questions += other.questions;
        self.touched_again += other.touched_again;
        self.flickers += other.flickers;
        for (&behaviour, &count) in &other.behaviours {
            *self.behaviours.entry(behaviour).or_default() += count;
        }
        for (&behaviour, &count) in &other.fault_classes {
            *self.fault_classes.entry(behaviour).or_default() += count;
        }
        for (&class, delays) in &other.delays {
            self.delays.entry(class).or_default().absorb(delays);
        }
        self.faults.extend(other.faults.iter().take(KEPT.saturating_sub(self.faults.len())).cloned());
    }
}
