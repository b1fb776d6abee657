//! Whether lights and switches work, said in light.

use board::{Instant, LightSettings, Meaning, Orientation, Rgb, Scene, Settings};
use chess::{Bitboard, Position, Square};

use crate::script::Board;

fn frame(board: &mut Board) -> board::Frame {
    board.surface.render(Instant::at(board.now)).frame
}

#[test]
fn the_light_test_shows_all_lights_and_then_the_switches() {
    let mut board = Board::set_up();
    let begun = board.now;
    board.surface.start_light_test(Instant::at(begun));
    let all = Scene::EMPTY.with(Meaning::Lifted, Bitboard::ALL);
    assert_eq!(frame(&mut board), all.frame(0, LightSettings::default()));
    assert_eq!(board.surface.render(Instant::at(begun)).next, Some(Instant::at(begun + 2000)));
    board.wait(2000);
    let sensed = Scene::EMPTY.with(Meaning::Sensed, Position::start().occupied());
    assert_eq!(frame(&mut board), sensed.frame(0, LightSettings::default()));
    board.lift(Square::E2);
    assert_eq!(frame(&mut board).at(Square::E2), Rgb::DARK);
    board.place(Square::E2);
    board.wait(10_000);
    assert_eq!(frame(&mut board), board::Frame::DARK);
    assert_eq!(board.surface.render(Instant::at(board.now)).next, None);
}

#[test]
fn faulty_squares_are_lit_in_every_orientation() {
    let mut board = Board::set_up();
    board.surface.set_faults(Square::E4.into());
    let fault = Scene::EMPTY.with(Meaning::Fault, Square::E4).frame(0, LightSettings::default());
    assert_eq!(frame(&mut board), fault);
    let turned = Settings { orientation: Orientation::BlackNear, ..Settings::default() };
    board.surface.set(turned, Instant::at(board.now));
    assert_eq!(frame(&mut board).at(Square::E4), fault.at(Square::E4), "it is the same light");
    board.surface.set_faults(Bitboard::EMPTY);
    assert_eq!(frame(&mut board), board::Frame::DARK);
}

#[test]
fn a_failed_journal_write_is_shown_until_one_succeeds() {
    let mut board = Board::set_up();
    assert!(!board.surface.set_stored(true), "that is no news");
    assert!(board.surface.set_stored(false));
    let fault = Scene::EMPTY.with(Meaning::Fault, Square::A1).frame(0, LightSettings::default());
    assert_eq!(frame(&mut board), fault);
    assert!(board.surface.set_stored(true));
    assert_eq!(frame(&mut board), board::Frame::DARK);
}
