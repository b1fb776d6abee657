//! The menu in which the computer opponent is chosen by hand, before the first move.
//!
//! A king has no legal move in the start position, so a king that is lifted alone and held up is never the beginning of a move. After two
//! seconds the choices are lit: levels, sides, and off. The king is put on some of them, and then back on its square. Any other touch
//! closes the menu, and is read as usual.

use chess::{Bitboard, Color, Position, Role, Square};
use engine::Level;
use rules::Start;
use wire::link::Seat;

use super::{Effect, Effects, Referee};
use crate::computer::Computer;
use crate::lights::{Meaning, Scene};
use crate::time::Instant;

/// How long a king must be held up, in milliseconds.
const HOLD: u64 = 2_000;
/// How long the king must rest on a lit square, in milliseconds. It may slide over others.
const REST: u64 = 500;

const START: Bitboard = Position::start().occupied();
const KINGS: Bitboard = Position::start().of_role(Role::King);

/// Levels 1 to 10, from the left: the lower half near White, the upper half near Black.
const LEVELS: [Square; 10] = [
    Square::A3,
    Square::B3,
    Square::C3,
    Square::D3,
    Square::E3,
    Square::A6,
    Square::B6,
    Square::C6,
    Square::D6,
    Square::E6,
];
/// The player has the side that is nearer.
const SIDES: [(Square, Color); 2] = [(Square::G3, Color::White), (Square::G6, Color::Black)];
const OFF: Square = Square::H3;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Menu {
    Closed,
    /// A king is held up.
    Lifted {
        king: Square,
        since: Instant,
    },
    Open(Open),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Open {
    king: Square,
    /// Where the king stands, and since when.
    resting: Option<(Square, Instant)>,
    /// The computer as it will be.
    chosen: Computer,
    is_changed: bool,
}

/// What a square of the menu stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Item {
    Level(Level),
    /// The side of the player.
    Side(Color),
    Off,
}

fn items() -> impl Iterator<Item = (Square, Item)> {
    let levels = LEVELS.into_iter().zip(Level::all().map(Item::Level));
    let sides = SIDES.into_iter().map(|(square, color)| (square, Item::Side(color)));
    levels.chain(sides).chain([(OFF, Item::Off)])
}

impl Item {
    /// The computer after this was chosen.
    fn apply(self, computer: Computer) -> Computer {
        match self {
            Self::Level(level) => Computer { is_on: true, level, ..computer },
            Self::Side(color) => Computer { is_on: true, color: !color, ..computer },
            Self::Off => Computer { is_on: false, ..computer },
        }
    }

    fn is_chosen(self, computer: &Computer) -> bool {
        match self {
            Self::Level(level) => computer.level == level,
            Self::Side(color) => computer.color != color,
            Self::Off => !computer.is_on,
        }
    }
}

impl Referee {
    /// Follows a king that is held up. Returns whether the touches belong to the menu.
    pub(super) fn watch_menu(&mut self, now: Instant, effects: &mut Effects) -> bool {
        let occupied = self.hand.occupied();
        if self.menu == Menu::Closed && (START.without(occupied) & KINGS).is_empty() {
            return false;
        }
        if !self.may_choose() {
            self.menu = Menu::Closed;
            return false;
        }
        match self.menu {
            Menu::Closed => {
                let king = START.without(occupied).first().filter(|&king| occupied == START.without(king.into()));
                if let Some(king) = king {
                    self.menu = Menu::Lifted { king, since: now };
                }
                false
            }
            Menu::Lifted { king, .. } if occupied != START.without(king.into()) => {
                self.menu = Menu::Closed;
                false
            }
            Menu::Lifted { king, since } => {
                let is_due = now.since(since) >= HOLD;
                if is_due {
                    let chosen = self.opponent.settings;
                    self.menu = Menu::Open(Open { king, resting: None, chosen, is_changed: false });
                }
                is_due
            }
            Menu::Open(open) => self.watch_choices(open, occupied, now, effects),
        }
    }

    fn watch_choices(&mut self, mut open: Open, occupied: Bitboard, now: Instant, effects: &mut Effects) -> bool {
        let others = START.without(open.king.into());
        let placed = occupied.without(others);
        if others.without(occupied).any() || placed.several() {
            self.menu = Menu::Closed;
            return false;
        }
        if placed.has(open.king) {
            self.menu = Menu::Closed;
            if open.is_changed {
                self.choose(open.chosen, now, effects);
            }
            return true;
        }
        open.resting = placed.first().map(|square| match open.resting {
            Some((before, since)) if before == square => (square, since),
            _ => (square, now),
        });
        if let Some((square, since)) = open.resting
            && now.since(since) >= REST
            && let Some((_, item)) = items().find(|(lit, _)| *lit == square)
        {
            open.chosen = item.apply(open.chosen);
            open.is_changed = true;
        }
        self.menu = Menu::Open(open);
        true
    }

    /// Whether no ply was made on the board yet. The computer may have answered already.
    fn may_choose(&self) -> bool {
        let is_unmade = self.play.is_empty() || (self.play.len() == 1 && self.to_make.is_some());
        let is_running = is_unmade && self.arranged && self.play.verdict().is_none();
        // A king that is held up while a game is offered answers that.
        is_running && self.seat == Seat::Both && self.play.start() == Start::CHESS && self.challenge.is_none()
    }

    fn choose(&mut self, chosen: Computer, now: Instant, effects: &mut Effects) {
        self.opponent.settings = chosen;
        effects.push(Effect::Computer(chosen));
        self.restart(now, effects);
    }

    /// What is lit in the menu: nothing if it is closed.
    pub(crate) fn menu(&self) -> Option<Computer> {
        match self.menu {
            Menu::Open(open) => Some(open.chosen),
            Menu::Closed | Menu::Lifted { .. } => None,
        }
    }

    pub(super) fn show_menu(&self) -> Option<Scene> {
        let Menu::Open(open) = self.menu else { return None };
        let mut scene = Scene::EMPTY.with(Meaning::Lifted, open.king);
        for (square, item) in items() {
            let is_chosen = item.is_chosen(&open.chosen);
            scene.mark(if is_chosen { Meaning::Chosen } else { Meaning::Target }, square);
        }
        Some(scene)
    }
}
