use chess::{Bitboard, Game, Position, Square};
use wire::link::{Clocks, Event, Table, Wood};

use crate::debounce::Debounce;
use crate::hand::Stance;
use crate::lights::{Frame, Meaning, Scene, Show};
use crate::referee::{Deeds, Referee};
use crate::settings::Settings;
use crate::time::Instant;

/// The whole board but for its body: reeds and time in, light and deeds out.
#[derive(Clone, Debug)]
pub struct Brain {
    settings: Settings,
    debounce: Debounce,
    referee: Referee,
    game: Game,
    show: Show,
    /// Squares whose switches cannot be trusted, as the game has them.
    faults: Bitboard,
    /// Whether the game could be kept.
    is_kept: bool,
    /// Since when all lights are shown.
    parade: Option<Instant>,
}

/// For so long all lights are lit when they are shown, in milliseconds.
const ALL_LIT: u64 = 2_000;
/// Until then what the switches see is shown.
const PARADE: u64 = 12_000;

/// What the whole brain costs in memory.
pub const BRAIN_BYTES: usize = size_of::<Brain>();
const _: () = assert!(BRAIN_BYTES <= 42 * 1024, "the documentation says that the brain takes less");

impl Brain {
    /// Wakes up with a new game, on a board whose reeds read this.
    #[must_use]
    pub fn new(settings: Settings, raw: Bitboard, now: Instant) -> Self {
        let occupied = settings.orientation.turn(raw);
        Self {
            settings,
            debounce: Debounce::new(settings.debounce, occupied),
            referee: Referee::new(settings.hand, &Position::start(), occupied, now),
            game: Game::new(),
            show: Show::default(),
            faults: Bitboard::EMPTY,
            is_kept: true,
            parade: None,
        }
    }

    /// Takes in one scan of all reeds.
    pub fn scan(&mut self, raw: Bitboard, now: Instant) -> Deeds {
        let scan = self.debounce.scan(self.settings.orientation.turn(raw));
        self.referee.scan(&scan, &mut self.game, now)
    }

    /// Something has happened at the other end of the link.
    pub fn hear(&mut self, event: Event, now: Instant) -> Deeds {
        self.referee.hear(event, &mut self.game, now)
    }

    /// The relay's clocks are the true ones.
    pub fn set_clocks(&mut self, clocks: Clocks, now: Instant) {
        self.referee.set_clocks(clocks, now);
    }

    /// Whether the relay can be reached.
    pub fn set_online(&mut self, online: bool) {
        self.referee.set_online(online);
    }

    /// Takes over other settings.
    pub fn set(&mut self, settings: Settings, now: Instant) {
        if settings.orientation != self.settings.orientation || settings.debounce != self.settings.debounce {
            let turned = settings.orientation != self.settings.orientation;
            let occupied = self.debounce.occupied();
            let occupied = if turned { Bitboard(occupied.0.reverse_bits()) } else { occupied };
            self.faults = if turned { Bitboard(self.faults.0.reverse_bits()) } else { self.faults };
            self.debounce = Debounce::new(settings.debounce, occupied);
            self.referee = self.referee.moved_to(settings.hand, &self.game, occupied, now);
        }
        self.referee.set(settings.hand);
        self.settings = settings;
    }

    /// A game begins at this table, from this position; the wood is led there first.
    pub fn begin(&mut self, start: Position, table: &Table<'_>, now: Instant) {
        self.game.restart(start);
        self.sit_down(table, now);
    }

    /// A game has come in, into [`Brain::game_mut`]; the wood is led to where it stands.
    pub fn sit_down(&mut self, table: &Table<'_>, now: Instant) {
        self.referee.sit_down(table, &self.game, now);
    }

    /// The switches under these squares cannot be trusted.
    pub fn set_faults(&mut self, raw: Bitboard) {
        self.faults = self.settings.orientation.turn(raw);
    }

    /// Whether the game could be kept when it last had to be. Returns whether that is news.
    pub fn set_kept(&mut self, is_kept: bool) -> bool {
        core::mem::replace(&mut self.is_kept, is_kept) != is_kept
    }

    /// Shows all lights for a moment, and then what the switches see, for whoever wants to know whether they work.
    pub fn show_lights(&mut self, now: Instant) {
        self.parade = Some(now);
    }

    /// What is to be said at this moment.
    fn scene(&mut self, now: Instant) -> Scene {
        let faults = Scene::EMPTY.with(Meaning::Fault, self.faults);
        match self.parade.map(|since| now.since(since)) {
            Some(..ALL_LIT) => Scene::EMPTY.with(Meaning::Lifted, Bitboard::ALL),
            Some(ALL_LIT..PARADE) => {
                let sensed = faults.with(Meaning::Sensed, self.referee.occupied());
                sensed.with(Meaning::WeakMagnet, self.referee.weak())
            }
            _ => {
                self.parade = None;
                let mut scene = self.referee.scene(&self.game, now);
                scene.mark(Meaning::Fault, self.faults);
                if !self.is_kept {
                    scene.mark(Meaning::Fault, Square::A1);
                }
                scene
            }
        }
    }

    /// The light of this moment.
    pub fn frame(&mut self, now: Instant) -> Frame {
        let scene = self.scene(now);
        self.show.change(scene, now);
        let frame = self.show.frame(now, self.settings.lights);
        if self.settings.orientation.is_turned() { frame.rotated() } else { frame }
    }

    /// When the light changes next if nothing happens; never, if it is still.
    pub fn next_frame(&mut self, now: Instant) -> Option<Instant> {
        let scene = self.scene(now);
        self.show.change(scene, now);
        let light = self.show.next_change(now, self.settings.lights);
        let scene = self.referee.next_scene(&self.game, now);
        let parade = self.parade.map(|since| {
            let all_lit = since.after(ALL_LIT);
            if all_lit > now { all_lit } else { since.after(PARADE) }
        });
        [light, scene, parade].into_iter().flatten().min()
    }

    /// What the wood looks like, for those who watch from afar.
    #[must_use]
    pub fn wood(&self) -> Wood {
        let occupied = self.referee.occupied();
        let right = self.game.position().occupied();
        let (in_hand, astray) = match self.referee.stance() {
            Stance::Disorder { .. } => (Bitboard::EMPTY, occupied ^ right),
            _ => (right.without(occupied), Bitboard::EMPTY),
        };
        Wood { occupied, in_hand, astray }
    }

    /// The game.
    #[must_use]
    pub const fn game(&self) -> &Game {
        &self.game
    }

    /// The game, for whoever brings another one in. [`Brain::sit_down`] must follow.
    pub const fn game_mut(&mut self) -> &mut Game {
        &mut self.game
    }

    /// The referee.
    #[must_use]
    pub const fn referee(&self) -> &Referee {
        &self.referee
    }

    /// The settings.
    #[must_use]
    pub const fn settings(&self) -> &Settings {
        &self.settings
    }
}
