//! The playing surface and its parts: reeds, hand, referee, clock and lights.

use core::hint::black_box;

use board::{
    Clock, Computer, Debounce, Effect, Effects, Frame, Hand, Instant, LightSettings, LinkState, Looking, Meaning,
    Referee, Scan, Scene, SearchResult, Settings, Show, Surface, View, promotion_squares,
};
use chess::{Bitboard, Color, Move, Square};
use rules::{Options, Play, Ply, Start};
use wire::link::{ClockRule, Clocks, Event, GameInfo, Seat};

/// An event that the optimiser does not know.
pub(crate) fn event() -> Event {
    black_box(Event::Hints { on: true })
}

/// Players, seat and clock that the optimiser does not know.
pub(crate) fn info() -> GameInfo {
    let rule = ClockRule { base_ms: black_box(1), increment_ms: black_box(1) };
    let clock = black_box(true).then_some(rule);
    GameInfo { game: black_box(1), seat: black_box(Seat::Both), hints: black_box(true), clock, ..GameInfo::LOCAL }
}

pub(crate) fn now() -> Instant {
    Instant::at(black_box(1))
}

pub(crate) fn clocks() -> Clocks {
    black_box(Clocks { white_ms: 1, black_ms: 1, running: None })
}

/// An answer of the engine that the optimiser does not know.
pub(crate) fn result() -> SearchResult {
    SearchResult { id: black_box(1), mv: Move::from_bits(black_box(1)), score: black_box(None) }
}

pub(crate) fn squares() -> Bitboard {
    black_box(Bitboard::ALL)
}

pub(crate) fn run() {
    let mut surface = Surface::new(black_box(Settings::default()), squares(), now());
    let surface = black_box(&mut surface);
    carry_out(surface.scan(squares(), now()));
    carry_out(surface.apply(event(), now()));
    surface.set_computer(black_box(Computer { is_on: true, ..Computer::DEFAULT }), now());
    if let Some(wanted) = surface.referee().wanted_search() {
        carry_out(surface.receive_search_result(wanted, result(), now()));
    }
    surface.set_clocks(clocks(), now());
    surface.set_link_state(black_box(LinkState::NoRelay));
    surface.compare(black_box(Some(squares())));
    surface.show_paired(squares(), now());
    surface.set(black_box(Settings::default()), now());
    surface.begin(&black_box(Start::CHESS), &info(), now());
    surface.resume(&info(), now());
    surface.set_faults(squares());
    black_box(surface.set_stored(black_box(true)));
    surface.start_light_test(now());
    let rendered = surface.render(now());
    look_at(&rendered.frame);
    black_box((rendered.next, surface.occupancy(), surface.play(), surface.settings()));
    let referee = surface.referee();
    black_box((referee.computer(), referee.computer_side()));
    black_box((referee.clock(), referee.seat(), referee.stance(), referee.occupied(), referee.weak()));

    run_parts(black_box(&Play::new()));
    run_lights();
}

/// The parts of the surface, each by itself.
fn run_parts(play: &Play) {
    let mut debounce = Debounce::new(black_box(5), squares());
    let scan: Scan = black_box(debounce.scan(squares()));
    black_box(debounce.occupied());

    let settings = black_box(Settings::default()).hand;
    let mut hand = Hand::new(settings, squares());
    let expected = Ply::from_bits(black_box(1));
    let plies = play.situation().plies();
    let view = View {
        here: Options { here: play.situation(), plies: &plies },
        before: black_box(true).then_some((play.situation(), expected)),
        made: play.situation().made(expected),
    };
    hand.settle(&view, black_box(Looking::ForThis(expected)), now());
    black_box(hand.scan(&scan, || view, now()));
    hand.set(settings);
    black_box((hand.occupied(), hand.stance(), hand.weak()));
    for square in promotion_squares(black_box(Square::A1)) {
        black_box(square);
    }

    let mut referee = Referee::new(settings, squares(), now());
    referee.begin(&black_box(Start::CHESS), &info(), now());
    carry_out(referee.scan(&scan, now()));
    carry_out(referee.apply(event(), now()));
    black_box((referee.scene(now()), referee.next_scene(now()), referee.play()));

    let mut clock = Clock::new(black_box(ClockRule { base_ms: 1, increment_ms: 1 }));
    let color = black_box(Color::White);
    clock.press(color, now());
    clock.hand_over(color, now());
    clock.set(clocks(), now());
    black_box((clock.left(color, now()), clock.running(), clock.flag(now()), clock.rule()));
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

fn carry_out(effects: Effects) {
    black_box(effects.is_empty());
    for effect in effects {
        let _: Effect = black_box(effect);
    }
}
