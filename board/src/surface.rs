//! The playing surface: reed scans in, light and effects out. No link and no flash.

use chess::{Bitboard, Square};
use rules::{Play, Start};
use wire::link::{Challenge, ClockRule, Clocks, Event, GameInfo, Occupancy};

use crate::computer::Computer;
use crate::debounce::Debounce;
use crate::hand::Stance;
use crate::lights::{Frame, Meaning, Scene, Show};
use crate::link_state::LinkState;
use crate::referee::{Effects, Known, Referee};
use crate::settings::Settings;
use crate::thinking::{SearchResult, WantedSearch};
use crate::time::Instant;

/// Debounces the reeds, lets the referee read them, and renders the lights.
#[derive(Clone, Debug)]
pub struct Surface {
    settings: Settings,
    debounce: Debounce,
    referee: Referee,
    show: Show,
    /// Squares whose switches are faulty, in the game's orientation.
    faults: Bitboard,
    /// Whether the last write to the journal succeeded.
    is_stored: bool,
    /// Since when the light test runs.
    light_test: Option<Instant>,
    /// The squares that the owner compares.
    compared: Option<Bitboard>,
    /// The squares that were compared, and when the board was paired.
    paired: Option<(Bitboard, Instant)>,
}

/// The first part of the light test, in milliseconds: all lights on.
const ALL_LIT: u64 = 2_000;
/// The end of the light test, in milliseconds: after the first part it shows what the switches read.
const LIGHT_TEST: u64 = 12_000;
/// How long the lights show that the board is paired, in milliseconds.
const PAIRED: u64 = 5_000;

/// The memory of a surface, which holds the game.
pub const SURFACE_BYTES: usize = size_of::<Surface>();
const _: () = assert!(SURFACE_BYTES <= 50 * 1024, "the documentation says that it takes less");

/// A light frame, and when the next one differs if nothing happens; never, if the scene is still.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the fields are what the type says")]
pub struct Rendered {
    pub frame: Frame,
    pub next: Option<Instant>,
}

impl Surface {
    /// Starts with a local game, on a board whose reeds read this. It is `const`, so that a small machine can have it in a static and
    /// never on its stack.
    #[inline]
    #[must_use]
    pub const fn new(settings: Settings, raw: Bitboard, now: Instant) -> Self {
        let occupied = settings.orientation.turn(raw);
        Self {
            settings,
            debounce: Debounce::new(settings.debounce, occupied),
            referee: Referee::new(settings.hand, occupied, now),
            show: Show::EMPTY,
            faults: Bitboard::EMPTY,
            is_stored: true,
            light_test: None,
            compared: None,
            paired: None,
        }
    }

    /// Takes a scan as the state of all reeds, without debouncing and without reading a move from it: the wires are now mapped to
    /// squares in another way.
    pub fn reset_reeds(&mut self, raw: Bitboard, now: Instant) {
        let occupied = self.settings.orientation.turn(raw);
        self.debounce = Debounce::new(self.settings.debounce, occupied);
        self.referee.reset_hand(self.settings.hand, occupied, now);
    }

    /// Takes in one scan of all reeds.
    pub fn scan(&mut self, raw: Bitboard, now: Instant) -> Effects {
        let scan = self.debounce.scan(self.settings.orientation.turn(raw));
        self.referee.scan(&scan, now)
    }

    /// Applies an event of the remote opponent.
    pub fn apply(&mut self, event: Event, now: Instant) -> Effects {
        self.referee.apply(event, now)
    }

    /// The engine has finished a search that the referee wanted.
    pub fn receive_search_result(&mut self, wanted: WantedSearch, result: SearchResult, now: Instant) -> Effects {
        self.referee.receive_search_result(wanted, result, now)
    }

    /// Chooses the computer opponent of local games, from now on.
    pub fn set_computer(&mut self, computer: Computer, now: Instant) {
        self.referee.set_computer(computer, now);
    }

    /// Sets the time control of games that begin at this board from now on.
    pub fn set_local_clock(&mut self, rule: Option<ClockRule>) {
        self.referee.set_local_clock(rule);
    }

    /// See `Referee::use_local_clock`.
    pub(crate) fn use_local_clock(&mut self) -> bool {
        self.referee.use_local_clock()
    }

    /// See `Referee::replay`.
    pub(crate) fn replay(&mut self, event: Event) {
        self.referee.replay(event);
    }

    /// Corrects the clocks to those of the relay.
    pub fn set_clocks(&mut self, clocks: Clocks, now: Instant) {
        self.referee.set_clocks(clocks, now);
    }

    /// Whether the relay lets a ply be withdrawn that was just sent.
    pub fn set_withdraws(&mut self, withdraws: bool) {
        self.referee.set_withdraws(withdraws);
    }

    /// Shows the state of the connection to the relay.
    pub fn set_link_state(&mut self, link_state: LinkState) {
        self.referee.set_link_state(link_state);
    }

    /// Shows the squares that the owner compares on the relay's page, and nothing else; or no longer.
    pub const fn compare(&mut self, squares: Option<Bitboard>) {
        self.compared = squares;
    }

    /// Shows for a few seconds that the board is paired, on the squares that were compared.
    pub const fn show_paired(&mut self, squares: Bitboard, now: Instant) {
        self.compared = None;
        self.paired = Some((squares, now));
    }

    /// Whether the connected relay has not acknowledged all events of this board.
    pub fn set_unacknowledged(&mut self, unacknowledged: bool) {
        self.referee.set_unacknowledged(unacknowledged);
    }

    /// Whether the remote opponent offers a rematch.
    pub fn set_rematch(&mut self, rematch: bool) {
        self.referee.set_rematch(rematch);
    }

    /// A game is offered to the player, or no longer.
    pub fn set_challenge(&mut self, challenge: Option<Challenge>) {
        self.referee.set_challenge(challenge);
    }

    /// A game with a remote opponent has just started: the lights show which side is played at this board.
    pub fn announce_game(&mut self, now: Instant) {
        self.referee.announce_game(now);
    }

    #[expect(missing_docs, reason = "a plain setter")]
    pub fn set(&mut self, settings: Settings, now: Instant) {
        let turned = settings.orientation != self.settings.orientation;
        if turned || settings.debounce != self.settings.debounce {
            let turn = |squares: Bitboard| if turned { Bitboard(squares.0.reverse_bits()) } else { squares };
            let occupied = turn(self.debounce.occupied());
            self.faults = turn(self.faults);
            self.debounce = Debounce::new(settings.debounce, occupied);
            self.referee.reset_hand(settings.hand, occupied, now);
        }
        self.referee.set(settings.hand);
        self.settings = settings;
    }

    /// Starts a game in place of the one before. The lights guide the pieces to its start position.
    pub fn begin(&mut self, start: &Start, info: &GameInfo, now: Instant) {
        self.referee.begin(start, info, now);
    }

    /// The memory of the game, for a decoder that loads one. [`Surface::resume`] must follow.
    pub(crate) const fn loading(&mut self) -> &mut Play {
        self.referee.loading()
    }

    /// A game was loaded, or its circumstances have changed. The lights guide the pieces to its position.
    pub fn resume(&mut self, info: &GameInfo, now: Instant) {
        self.referee.resume(info, now);
    }

    /// See `Referee::resume_told`.
    pub(crate) fn resume_told(&mut self, known: Known, info: &GameInfo, now: Instant) {
        self.referee.resume_told(known, info, now);
    }

    /// The switches under these squares are faulty.
    pub fn set_faults(&mut self, raw: Bitboard) {
        self.faults = self.settings.orientation.turn(raw);
    }

    /// The squares whose switches are faulty, in the game's orientation.
    pub(crate) const fn faults(&self) -> Bitboard {
        self.faults
    }

    /// Whether the last write to the journal succeeded. Returns whether that has changed.
    pub fn set_stored(&mut self, is_stored: bool) -> bool {
        core::mem::replace(&mut self.is_stored, is_stored) != is_stored
    }

    /// Starts the light test: all lights on, and then what the switches read.
    pub fn start_light_test(&mut self, now: Instant) {
        self.light_test = Some(now);
    }

    fn scene(&mut self, now: Instant) -> Scene {
        let faults = Scene::EMPTY.with(Meaning::Fault, self.faults);
        match self.light_test.map(|since| now.since(since)) {
            Some(..ALL_LIT) => Scene::EMPTY.with(Meaning::Lifted, Bitboard::ALL),
            Some(ALL_LIT..LIGHT_TEST) => {
                let sensed = faults.with(Meaning::Sensed, self.referee.occupied());
                sensed.with(Meaning::WeakMagnet, self.referee.weak())
            }
            _ => {
                self.light_test = None;
                self.paired = self.paired.filter(|(_, since)| now.since(*since) < PAIRED);
                let mut scene = match (self.compared, self.paired) {
                    (Some(squares), _) => Scene::EMPTY.with(Meaning::Compare, squares),
                    (None, Some((squares, _))) => Scene::EMPTY.with(Meaning::Paired, squares),
                    (None, None) => self.referee.scene(now),
                };
                scene.mark(Meaning::Fault, self.faults);
                if !self.is_stored {
                    scene.mark(Meaning::Fault, Square::A1);
                }
                scene
            }
        }
    }

    /// Renders the lights of this moment.
    pub fn render(&mut self, now: Instant) -> Rendered {
        let scene = self.scene(now);
        self.show.change(scene, now);
        let frame = self.show.frame(now, self.settings.lights);
        let frame = if self.settings.orientation.is_turned() { frame.rotated() } else { frame };
        let rhythm = self.show.next_change(now, self.settings.lights);
        let light_test = self.light_test.map(|since| {
            let all_lit = since.after(ALL_LIT);
            if all_lit > now { all_lit } else { since.after(LIGHT_TEST) }
        });
        let paired = self.paired.map(|(_, since)| since.after(PAIRED));
        let next = [rhythm, self.referee.next_scene(now), light_test, paired].into_iter().flatten().min();
        Rendered { frame, next }
    }

    /// The reed report for spectators.
    #[must_use]
    pub fn occupancy(&self) -> Occupancy {
        let occupied = self.referee.occupied();
        let right = self.play().situation().occupied();
        let (in_hand, misplaced) = match self.referee.stance() {
            Stance::Disorder { .. } => (Bitboard::EMPTY, occupied ^ right),
            _ => (right.without(occupied), Bitboard::EMPTY),
        };
        Occupancy { occupied, in_hand, misplaced }
    }

    #[expect(missing_docs, reason = "a plain getter")]
    #[must_use]
    pub const fn play(&self) -> &Play {
        self.referee.play()
    }

    #[expect(missing_docs, reason = "a plain getter")]
    #[must_use]
    pub const fn referee(&self) -> &Referee {
        &self.referee
    }

    #[expect(missing_docs, reason = "a plain getter")]
    #[must_use]
    pub const fn settings(&self) -> &Settings {
        &self.settings
    }
}
