//! What is counted, by style and by class of fault.

use std::collections::BTreeMap;

use super::oracle::Signals;
use super::session::Players;
use super::style::Style;
use crate::hand::histogram::Histogram;

/// Something that hands do, or that happens to them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the habits say what they are")]
#[repr(u8)]
pub enum Deed {
    TouchDown,
    LowHover,
    Hover,
    Slid,
    SlidePause,
    OffCentre,
    Adjusted,
    OtherHand,
    SecondThoughts,
    Sleeve,
    Fell,
    Bumped,
    Captured,
    Pinched,
    Pushed,
    TwoHanded,
    Castled,
    RookFirst,
    Promoted,
    Exchanged,
    EarlyOwn,
    Asked,
    Illegal,
}

impl Deed {
    const ALL: [Self; 23] = [
        Self::TouchDown,
        Self::LowHover,
        Self::Hover,
        Self::Slid,
        Self::SlidePause,
        Self::OffCentre,
        Self::Adjusted,
        Self::OtherHand,
        Self::SecondThoughts,
        Self::Sleeve,
        Self::Fell,
        Self::Bumped,
        Self::Captured,
        Self::Pinched,
        Self::Pushed,
        Self::TwoHanded,
        Self::Castled,
        Self::RookFirst,
        Self::Promoted,
        Self::Exchanged,
        Self::EarlyOwn,
        Self::Asked,
        Self::Illegal,
    ];
}

/// A set of deeds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Deeds(u32);

impl Deeds {
    pub(super) const NONE: Self = Self(0);

    pub(super) fn add(&mut self, deed: Deed) {
        self.0 |= 1 << deed as u8;
    }

    pub(super) fn join(&mut self, other: Self) {
        self.0 |= other.0;
    }

    /// Whether one of these is among them.
    #[must_use]
    pub fn has(self, deeds: &[Deed]) -> bool {
        deeds.iter().any(|&deed| self.0 >> deed as u8 & 1 == 1)
    }

    /// All of them.
    pub(super) fn list(self) -> Vec<Deed> {
        Deed::ALL.into_iter().filter(|&deed| self.has(&[deed])).collect()
    }
}

/// The classes of faults.
macro_rules! classes {
    ($($(#[$doc:meta])* $class:ident: $name:literal,)*) => {
        /// Why a move was misread or not read.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum FaultClass { $($(#[$doc])* $class),* }

        impl FaultClass {
            /// All classes.
            pub const ALL: &[Self] = &[$(Self::$class),*];

            /// The name in a report.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$class => $name),* }
            }
        }
    };
}

classes! {
    /// A touch-down, a low hover or a pause was taken for the move, at a shared board.
    Hesitation: "hesitation, local",
    /// The same in a remote game.
    HesitationRemote: "hesitation, remote",
    /// Three or more moves were on the board at once.
    Burst: "three or more moves at once",
    /// The own move began before the repeated one was read.
    EarlyOwn: "own move before the repeated one was read",
    /// A piece was seen to stand only after the reply.
    SeenLate: "piece seen after the reply",
    /// A quick reply that captures.
    QuickCapture: "reply is a quick capture",
    /// Another piece was touched, tilted or exchanged while one was in the air.
    OtherPiece: "another piece touched meanwhile",
    /// The wrong piece for a pawn.
    Promotion: "promotion",
    /// A wrong move out of two quick ones.
    Pair: "two quick moves",
    /// A transient stop ended the game.
    TransientEnd: "transient stop ended the game",
    /// A capture without a visible gap.
    NoGap: "capture without a gap",
    /// A piece out of reach of its switch.
    OutOfReach: "piece out of reach",
    /// A rook that castled first, or a king that followed late.
    Castling: "castling",
    /// A move taken back by hand.
    TakeBack: "takeback by hand",
    /// Kings in the centre.
    Kings: "kings in the centre",
    /// Pieces set up again.
    SetUp: "set up again",
    /// A move that the rules do not allow.
    Illegal: "illegal move made and undone",
    /// A king at rest on a square of the menu chose the computer.
    Menu: "computer chosen by accident",
    /// None of these.
    Other: "other",
}

/// How a move was misread or not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// Read as another move, and put right by the board itself.
    Corrected,
    /// Read as another move for good.
    Misread,
    /// Not read, although the signals were sufficient.
    Unread,
    /// Not read, and the signals were ambiguous or missing.
    Unreadable,
}

impl Kind {
    /// The kinds, in the order of a report.
    pub const ALL: [Self; 4] = [Self::Corrected, Self::Misread, Self::Unread, Self::Unreadable];
}

/// What a move had to wait for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum DelayClass {
    /// A single move at a shared board.
    Shared,
    /// An own move of a remote game.
    Remote,
    /// A promotion, from the last touch of its choice.
    Promotion,
    /// A move that ends the game.
    Ends,
    /// One that was asked about, disturbed, or followed at once by another.
    Disturbed,
}

impl DelayClass {
    /// All classes.
    pub const ALL: [Self; 5] = [Self::Shared, Self::Remote, Self::Promotion, Self::Ends, Self::Disturbed];

    /// The name in a report.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Shared => "single move, shared board",
            Self::Remote => "single move, remote game",
            Self::Promotion => "promotion, after its choice",
            Self::Ends => "move that ends the game",
            Self::Disturbed => "asked, disturbed or quick moves",
        }
    }
}

/// A fault with what is needed to repeat it.
#[derive(Clone, Debug)]
pub struct Fault {
    /// The number of the game.
    pub game: u64,
    /// The style of its players.
    pub style: Style,
    /// Who they were.
    pub players: Players,
    /// How it was misread or not read.
    pub kind: Kind,
    /// What went wrong.
    pub what: String,
    /// The moves before it, and the last touches.
    pub log: String,
}

/// Counts.
#[derive(Clone, Debug, Default)]
#[expect(missing_docs, reason = "the names say what is counted")]
pub struct Tally {
    pub games: u64,
    pub moves: u64,
    /// Moves of a shared board, own moves of remote games, and repeated ones.
    pub local: u64,
    pub own: u64,
    pub repeated: u64,
    pub asked: u64,
    /// Kings in the centre that the board asked about.
    pub confirmed: u64,
    pub wedged: u64,
    pub takebacks: u64,
    pub kings: u64,
    pub set_ups: u64,
    /// Moves that the rules do not allow, and games that were given up for a new one.
    pub illegal: u64,
    pub restarts: u64,
    /// Faults by class, kind, and whether it was a remote game.
    pub faults: BTreeMap<(FaultClass, Kind, bool), u64>,
    /// Milliseconds from rest to commit.
    pub delays: BTreeMap<DelayClass, Histogram>,
    pub faults_seen: Vec<Fault>,
}

impl Tally {
    /// Adds the counts of others.
    pub fn absorb(&mut self, other: &Self) {
        self.games += other.games;
        self.moves += other.moves;
        self.local += other.local;
        self.own += other.own;
        self.repeated += other.repeated;
        self.asked += other.asked;
        self.confirmed += other.confirmed;
        self.illegal += other.illegal;
        self.restarts += other.restarts;
        self.wedged += other.wedged;
        self.takebacks += other.takebacks;
        self.kings += other.kings;
        self.set_ups += other.set_ups;
        for (&key, &count) in &other.faults {
            *self.faults.entry(key).or_default() += count;
        }
        for (&class, delays) in &other.delays {
            self.delays.entry(class).or_default().absorb(delays);
        }
        self.faults_seen.extend_from_slice(&other.faults_seen);
    }

    /// The faults of this kind, of remote games or of shared boards.
    #[must_use]
    pub fn count(&self, kind: Kind, remote: bool) -> u64 {
        self.faults.iter().filter(|((_, other, far), _)| *other == kind && *far == remote).map(|(_, count)| count).sum()
    }

    /// The faults of this kind.
    #[must_use]
    pub fn of_kind(&self, kind: Kind) -> u64 {
        self.count(kind, false) + self.count(kind, true)
    }

    /// The delays of this class.
    #[must_use]
    pub fn delays(&self, class: DelayClass) -> Histogram {
        self.delays.get(&class).cloned().unwrap_or_default()
    }

    /// The faults of this class and kind.
    #[must_use]
    pub fn of_class(&self, class: FaultClass, kind: Kind) -> u64 {
        [false, true].into_iter().filter_map(|remote| self.faults.get(&(class, kind, remote))).sum()
    }
}

/// What is known of a fault when it is classified.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "independent facts about one fault")]
pub(super) struct Circumstances {
    pub(super) deeds: Deeds,
    pub(super) remote: bool,
    pub(super) burst: usize,
    pub(super) signals: Signals,
    pub(super) is_misread: bool,
    /// Whether the wrong move differs only in what a pawn becomes.
    pub(super) wrong_choice: bool,
    pub(super) ended: bool,
    /// Whether a piece stands where its switch does not feel it.
    pub(super) out_of_reach: bool,
}

impl Circumstances {
    pub(super) fn class(&self) -> FaultClass {
        const HESITATION: [Deed; 3] = [Deed::TouchDown, Deed::LowHover, Deed::SlidePause];
        const OTHERS: [Deed; 6] =
            [Deed::Sleeve, Deed::OtherHand, Deed::Adjusted, Deed::Exchanged, Deed::Bumped, Deed::SecondThoughts];
        let deeds = self.deeds;
        if deeds.has(&[Deed::Illegal]) && !self.out_of_reach {
            return FaultClass::Illegal;
        }
        if self.out_of_reach && !self.is_misread {
            return FaultClass::OutOfReach;
        }
        if self.wrong_choice {
            return FaultClass::Promotion;
        }
        if self.is_misread && deeds.has(&HESITATION) {
            return match (self.ended, self.remote) {
                (true, _) => FaultClass::TransientEnd,
                (_, true) => FaultClass::HesitationRemote,
                (_, false) => FaultClass::Hesitation,
            };
        }
        if !self.is_misread && self.signals == Signals::Invisible {
            return if deeds.has(&[Deed::Captured]) { FaultClass::NoGap } else { FaultClass::OutOfReach };
        }
        if deeds.has(&[Deed::EarlyOwn]) {
            return FaultClass::EarlyOwn;
        }
        if self.burst > 2 {
            return FaultClass::Burst;
        }
        if deeds.has(&[Deed::Promoted]) {
            return FaultClass::Promotion;
        }
        if deeds.has(&[Deed::OffCentre]) && self.burst > 1 {
            return FaultClass::SeenLate;
        }
        if deeds.has(&OTHERS) {
            return FaultClass::OtherPiece;
        }
        if deeds.has(&[Deed::RookFirst, Deed::Castled]) {
            return FaultClass::Castling;
        }
        match self.burst {
            2 if deeds.has(&[Deed::Captured]) => FaultClass::QuickCapture,
            2 => FaultClass::Pair,
            _ if deeds.has(&HESITATION) => FaultClass::Hesitation,
            _ => FaultClass::Other,
        }
    }
}
