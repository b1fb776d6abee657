//! Every time span by which the hand reads touches as plies, in milliseconds. Those that an owner can change are in
//! [`HandSettings`](crate::HandSettings).
//!
//! Gestures that are no plies are recognised by the referee, which has their times beside them: `referee/taps.rs`, `menu.rs`,
//! `challenge.rs` and `readings.rs`, and how long a move may be withdrawn in `referee.rs`.

use crate::settings::Pace;

/// A piece on a square that another had left must rest for this long before its capture is called illegal. A piece that is
/// only straightened while another is in the air looks the same, but is not left alone for this long.
pub(super) const ILLEGAL_CAPTURE_REST: u64 = 2000;

/// A piece that slid up to another one and has not been seen since is asked about after this long: it may have pushed the other one off
/// so smoothly that no switch opened.
pub(super) const UNSEEN_CAPTURE_REST: u64 = 1500;

/// A square that flickers must be empty for this long before a piece counts as swapped on it, unless that capture was expected
/// or asked about.
pub(super) const WEAK_SWAP: u64 = 400;

/// The rests of a complete move that depend on the [`Pace`].
pub(super) struct Rests {
    /// A move at a shared board.
    pub(super) any: u64,
    /// The rests of a piece that could slide on and of a rook that may be castling, in percent of those in the settings.
    pub(super) percent: u64,
    /// Every own move of a remote game before it is sent: a piece that is held close above its square, or put down without letting go, closes its
    /// switch like any other.
    pub(super) send: u64,
    /// The same if the piece could slide on.
    pub(super) send_slide: u64,
    /// The same if it may be the first half of castling.
    pub(super) send_rook: u64,
    /// A move that would end the game, in any game: most stops on the way are shorter.
    pub(super) end: u64,
    /// The choice of a promotion, which can be changed meanwhile, unless the opponent lifts a piece.
    pub(super) choice: u64,
}

impl Rests {
    pub(super) const fn of(pace: Pace) -> &'static Self {
        match pace {
            Pace::Fast => &FAST,
            Pace::Normal => &NORMAL,
            Pace::Careful => &CAREFUL,
        }
    }
}

const FAST: Rests = Rests { any: 0, percent: 60, send: 200, send_slide: 500, send_rook: 1500, end: 1000, choice: 1200 };

const NORMAL: Rests =
    Rests { any: 0, percent: 100, send: 400, send_slide: 1000, send_rook: 3000, end: 1800, choice: 2000 };

const CAREFUL: Rests =
    Rests { any: 300, percent: 200, send: 1000, send_slide: 2000, send_rook: 4000, end: 3000, choice: 3000 };

/// A capture rests for this long if nothing else was seen while the captured piece was gone: a sleeve that tilts a piece looks the same.
pub(super) const TILT_REST: u64 = 200;

/// A piece whose square was empty for less than this may have been tilted, also if it was touched before the piece that seems to capture it.
pub(super) const SHORT_SWAP: u64 = 400;

/// The piece of a move that was sent must be gone for this long before the move is withdrawn: a switch that only wavers is back sooner. The
/// opponent's reply ends the withdrawal, so it is short.
pub(super) const WITHDRAW_REST: u64 = 40;

/// In a sequence of moves, a piece that is put down for less than this passes the square.
pub(super) const STANDS: u64 = 100;

/// The same if another piece is put down there afterwards.
pub(super) const STANDS_UNTIL_CAPTURED: u64 = 40;

/// A piece that is captured in a sequence leaves its square empty for this long: one that another bumps into is back sooner.
pub(super) const WOBBLE: u64 = 15;

/// Several moves at once are read when the board has rested for this much longer than a single one.
pub(super) const SEQUENCE_REST: u64 = 300;

/// A piece that is asked about is captured no sooner than this after the question: before that it wobbles.
pub(super) const RECAPTURE: u64 = 200;

/// The two halves of a takeback by hand (the captured piece back, then the piece that took it) are at most this far apart.
pub(super) const TAKEBACK_HALVES: u64 = 3000;

/// A piece must be gone from a promotion square for this long to have been tapped: a magnet that loses its switch twice in a
/// row is back sooner.
pub(super) const TAP: u64 = 140;

/// The same on a square that flickers.
pub(super) const WEAK_TAP: u64 = 200;

/// From one square to another a piece takes at least this long, by any hand.
pub(super) const SHORTEST_FLIGHT: u64 = 60;

/// A piece that leaves its square this long after another one came down has stood there until then, in the order of the debounced touches.
pub(super) const OVERLAP: u64 = 20;

/// The same if it may be one piece that slides from the first square to the second.
pub(super) const SLIDE_OVERLAP: u64 = 100;

/// A shorter absence is a flicker, not a hand.
pub(super) const FLICKER: u64 = 80;

/// A piece that has stood for less than this is still being put down, and its wobbling is not counted as flicker.
pub(super) const STANDING: u64 = 1000;

/// A piece that has stood for less than this is sliding over a square, and its lift is believed at once even if the square
/// flickers.
pub(super) const PASSING: u64 = 300;

/// A square that has not flickered for this long is trusted again.
pub(super) const TRUSTED_AGAIN: u64 = 30_000;

/// A piece that slides over a square leaves it so soon, and one that is captured there so soon is replaced so soon.
pub(super) const SLIDES_OVER: u64 = 60;
pub(super) const CAPTURED_BY: u64 = 200;

/// A piece that stands on a square for this long has probably moved there.
pub(super) const PROBABLY_MOVED: u64 = 150;
