//! Changing scenes: new meanings are lit at once, and unchanged rhythms continue.

use board::{Instant, LightSettings, Meaning, Scene, Show};
use chess::Square;

const SETTINGS: LightSettings =
    LightSettings { brightness: 255, budget_milliamps: 2000, light_squares: 255, dark_squares: 255 };

#[test]
fn a_new_meaning_is_lit_at_once() {
    let mut show = Show::default();
    show.change(Scene::EMPTY.with(Meaning::Clear, Square::A1), Instant::at(0));
    // The first square is in the dark half of its period; the second one is lit at once.
    let now = Instant::at(700);
    assert_eq!(show.frame(now, SETTINGS).milliamps(), 64);
    let both = Scene::EMPTY.with(Meaning::Clear, Square::A1).with(Meaning::Clear, Square::H8);
    show.change(both, now);
    assert_eq!(show.frame(now, SETTINGS), both.frame(0, SETTINGS));
    assert_eq!(show.next_change(now, SETTINGS), Some(Instant::at(1200)));
}

#[test]
fn an_unchanged_rhythm_continues() {
    let mut show = Show::default();
    let two = Scene::EMPTY.with(Meaning::Fill, Square::A1).with(Meaning::Fill, Square::H8);
    show.change(two, Instant::at(1000));
    // The same scene, one square less, and a steady meaning more.
    let one = Scene::EMPTY.with(Meaning::Fill, Square::H8);
    for (scene, moment) in [(two, 1300), (one, 1700), (one.with(Meaning::LastMove, Square::E4), 2900)] {
        show.change(scene, Instant::at(moment));
        assert_eq!(show.frame(Instant::at(moment), SETTINGS), scene.frame(moment - 1000, SETTINGS));
        assert_eq!(show.scene(), &scene);
    }
}

#[test]
fn an_empty_show_never_changes() {
    assert_eq!(Show::default().next_change(Instant::at(5), SETTINGS), None);
}
