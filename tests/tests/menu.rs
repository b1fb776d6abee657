//! The menu in which the computer opponent is chosen by hand: hands that play never open it by accident, and hands that open it make no
//! move.

use board::{Computer, Effect, Instant, Settings, Surface};
use chess::{Color, Position, Square};
use tests::hand::reeds::{BouncingReeds, Contact, Magnet, ReedEvent};
use tests::physical_hand::session::{self, Players};
use tests::physical_hand::style::Style;
use tests::physical_hand::tally::{FaultClass, Kind, Tally};
use tests::random::Random;

#[test]
fn hands_that_play_never_choose_the_computer() {
    const MOVES: u64 = 2_000;
    let players = [Players::Shared, Players::Shared, Players::Alone(Color::White), Players::Alone(Color::Black)];
    let mut total = Tally::default();
    for number in 0.. {
        let index = usize::try_from(number).expect("few games");
        let (style, players) = (Style::HUMAN[index % 4], players[index / 4 % 4]);
        total.absorb(&session::play(number, style, players, Settings::default()));
        if total.moves >= MOVES && index >= 16 {
            break;
        }
    }
    assert_eq!(total.of_class(FaultClass::Menu, Kind::Misread), 0, "{:?}", total.faults);
}

/// The squares of the menu: levels 1 to 10, White and Black for the player, and no computer.
const ITEMS: [&str; 13] = ["a3", "b3", "c3", "d3", "e3", "a6", "b6", "c6", "d6", "e6", "g3", "g6", "h3"];

/// What the computer is after this item was chosen: whether it plays, its level and its colour.
fn after(choice: (bool, u8, Color), item: usize) -> (bool, u8, Color) {
    let (_, level, color) = choice;
    match item {
        0..10 => (true, u8::try_from(item).expect("a level") + 1, color),
        10 => (true, level, Color::Black),
        11 => (true, level, Color::White),
        _ => (false, level, color),
    }
}

fn choice_of(computer: &Computer) -> (bool, u8, Color) {
    (computer.is_on, computer.level.number(), computer.color)
}

/// A hand with the king of a board that is set up.
struct Hand {
    reeds: BouncingReeds,
    surface: Box<Surface>,
    random: Random,
    now: u64,
    effects: Vec<Effect>,
}

impl Hand {
    fn new(seed: u64) -> Self {
        let occupied = Position::start().occupied();
        let surface = Box::new(Surface::new(Settings::default(), occupied, Instant::at(0)));
        let reeds = BouncingReeds::new(occupied, None);
        Self { reeds, surface, random: Random::new(seed), now: 0, effects: Vec::new() }
    }

    fn wait(&mut self, milliseconds: u64) {
        for _ in 0..milliseconds {
            self.now += 1;
            let raw = self.reeds.scan(self.now, &mut self.random);
            self.effects.extend(self.surface.scan(raw, Instant::at(self.now)));
        }
    }

    fn touch(&mut self, square: Square, change: Contact) {
        self.reeds.expect(ReedEvent { at: self.now, square, change });
    }

    /// Lets the king stand on a square for so long, and takes it up again.
    fn stand(&mut self, square: Square, milliseconds: u64) {
        self.touch(square, Contact::Closes(Magnet::Strong));
        self.wait(milliseconds);
        self.touch(square, Contact::Opens);
        let gap = self.random.within(20..=120);
        self.wait(gap);
    }

    /// Slides the king over squares in the middle of the board, lit ones among them.
    fn slide(&mut self) {
        for _ in 0..self.random.within(0..=5) {
            let square = Square::from_index(u8::try_from(self.random.within(16..=47)).expect("a square"));
            let time = self.random.within(20..=250);
            self.stand(square, time);
        }
    }

    /// Holds a king up, rests it on some squares of the menu and slides it over others, and puts it back. Returns what was chosen.
    fn choose(&mut self) -> Vec<usize> {
        let king = self.random.one_of(&[Square::E1, Square::E8]);
        self.touch(king, Contact::Opens);
        let held = self.random.within(2_050..=4_000);
        self.wait(held);
        let mut chosen = Vec::new();
        for _ in 0..self.random.within(0..=2) {
            self.slide();
            let item = usize::try_from(self.random.within(0..=12)).expect("small");
            let rest = self.random.within(520..=900);
            self.stand(ITEMS[item].parse().expect("a square"), rest);
            chosen.push(item);
        }
        self.slide();
        self.touch(king, Contact::Closes(Magnet::Strong));
        self.wait(1_000);
        chosen
    }
}

#[test]
fn a_king_in_the_menu_makes_the_choice_that_is_meant_and_no_move() {
    let mut chosen_often = [0; ITEMS.len()];
    for seed in 0..300 {
        let mut hand = Hand::new(seed);
        hand.wait(50);
        // The menu can be opened again, and begins with the choice before.
        for round in 0..2 {
            let before = choice_of(hand.surface.referee().computer());
            hand.effects.clear();
            let chosen = hand.choose();
            let meant = chosen.iter().fold(before, |choice, &item| after(choice, item));
            let case = format!("seed {seed}, round {round}: {chosen:?}");
            assert_eq!(choice_of(hand.surface.referee().computer()), meant, "{case}");
            assert_eq!(hand.surface.play().len(), 0, "{case}");
            let is_stored = hand.effects.iter().any(|effect| matches!(effect, Effect::Computer(_)));
            let sent = hand.effects.iter().any(|effect| matches!(effect, Effect::Send(_)));
            assert_eq!((is_stored, sent), (!chosen.is_empty(), false), "{case}: {:?}", hand.effects);
            for &item in &chosen {
                chosen_often[item] += 1;
            }
        }
    }
    assert!(chosen_often.iter().all(|&times| times > 10), "{chosen_often:?}");
}
