//! The reeds, the hands, the game and the lights.

use core::hint::black_box;

use board::{
    Brain, Clock, Debounce, Deed, Deeds, Frame, Hand, Instant, LightSettings, Looking, Meaning, Referee, Scan, Scene,
    Settings, Show, promotion_choices,
};
use chess::{Bitboard, Color, Game, Move, Position, Square};
use wire::link::{ClockRule, Clocks, Event, Seat, Table};

/// Something that happened, nobody knows what.
pub(crate) fn event() -> Event {
    black_box(Event::Hints { on: true })
}

/// A table with anybody at it.
pub(crate) fn table() -> Table<'static> {
    let rule = ClockRule { base_ms: black_box(1), increment_ms: black_box(1) };
    let clock = black_box(true).then_some(rule);
    Table { game: black_box(1), seat: black_box(Seat::Both), hints: black_box(true), clock, ..Table::LOCAL }
}

pub(crate) fn now() -> Instant {
    Instant::at(black_box(1))
}

pub(crate) fn clocks() -> Clocks {
    black_box(Clocks { white_ms: 1, black_ms: 1, running: None })
}

fn squares() -> Bitboard {
    black_box(Bitboard::ALL)
}

pub(crate) fn run() {
    let mut brain = Brain::new(black_box(Settings::default()), squares(), now());
    let brain = black_box(&mut brain);
    carry_out(brain.scan(squares(), now()));
    carry_out(brain.hear(event(), now()));
    brain.set_clocks(clocks(), now());
    brain.set_online(black_box(true));
    brain.set(black_box(Settings::default()), now());
    brain.begin(black_box(Position::start()), &table(), now());
    black_box(brain.game_mut());
    brain.sit_down(&table(), now());
    look_at(&brain.frame(now()));
    black_box((brain.next_frame(now()), brain.wood(), brain.game(), brain.settings()));
    let referee = brain.referee();
    black_box((referee.clock(), referee.seat(), referee.stance(), referee.occupied(), referee.weak()));

    run_parts(&mut black_box(Game::new()));
    run_lights();
}

/// What the brain is made of can be had by itself.
fn run_parts(game: &mut Game) {
    let mut debounce = Debounce::new(black_box(5), squares());
    let scan: Scan = black_box(debounce.scan(squares()));
    black_box(debounce.occupied());

    let settings = black_box(Settings::default()).hand;
    let mut hand = Hand::new(settings, black_box(Position::start()), squares());
    let before = black_box(Some((Position::start(), Move::new(Square::A1, Square::A1))));
    hand.settle(&black_box(Position::start()), before, black_box(Looking::ForMoves), now());
    black_box(hand.scan(&scan, now()));
    hand.set(settings);
    black_box((hand.occupied(), hand.stance(), hand.weak()));
    black_box(promotion_choices(black_box(Square::A1)));

    let mut referee = Referee::new(settings, game.position(), squares(), now());
    referee.sit_down(&table(), game, now());
    referee.set(settings);
    referee.set_online(black_box(true));
    referee.set_clocks(clocks(), now());
    carry_out(referee.scan(&scan, game, now()));
    carry_out(referee.hear(event(), game, now()));
    black_box((referee.scene(game, now()), referee.next_scene(game, now())));

    let mut clock = Clock::new(black_box(ClockRule { base_ms: 1, increment_ms: 1 }));
    let color = black_box(Color::White);
    clock.press(color, now());
    clock.hand_over(color, now());
    clock.set(clocks(), now());
    black_box((clock.left(color, now()), clock.running(), clock.flag(now()), clock.afresh()));
    clock.stop(now());
}

fn run_lights() {
    let settings = black_box(LightSettings::default());
    let meaning = black_box(Meaning::Check);
    let mut scene = black_box(Scene::EMPTY).with(meaning, squares());
    scene.mark(meaning, squares());
    black_box((scene.at(black_box(Square::A1)), scene.squares(meaning), scene.is_empty()));
    black_box((meaning.colour().rgb(), meaning.rhythm().period()));
    look_at(&scene.frame(black_box(1), settings));
    black_box(scene.next_change(black_box(1), settings));
    let mut show = Show::default();
    show.change(scene, now());
    look_at(&show.frame(now(), settings));
    black_box((show.next_change(now(), settings), show.scene()));
}

fn look_at(frame: &Frame) {
    black_box((frame.at(black_box(Square::A1)), frame.milliamps(), frame.colours(), frame.rotated()));
}

fn carry_out(deeds: Deeds) {
    black_box(deeds.is_empty());
    for deed in deeds {
        let _: Deed = black_box(deed);
    }
}
