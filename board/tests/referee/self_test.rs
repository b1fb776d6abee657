//! Whether lights and switches work, said in light.

use board::{Instant, LightSettings, Meaning, Orientation, Rgb, Scene, Settings};
use chess::{Bitboard, Position, Square};

use crate::script::Board;

fn frame(board: &mut Board) -> board::Frame {
    board.brain.frame(Instant::at(board.now))
}

#[test]
fn all_lights_are_shown_and_then_what_the_switches_see() {
    let mut board = Board::set_up();
    let begun = board.now;
    board.brain.show_lights(Instant::at(begun));
    let all = Scene::EMPTY.with(Meaning::Lifted, Bitboard::ALL);
    assert_eq!(frame(&mut board), all.frame(0, LightSettings::default()));
    assert_eq!(board.brain.next_frame(Instant::at(begun)), Some(Instant::at(begun + 2000)));
    board.wait(2000);
    let sensed = Scene::EMPTY.with(Meaning::Sensed, Position::start().occupied());
    assert_eq!(frame(&mut board), sensed.frame(0, LightSettings::default()));
    board.lift(Square::E2);
    assert_eq!(frame(&mut board).at(Square::E2), Rgb::DARK);
    board.place(Square::E2);
    board.wait(10_000);
    assert_eq!(frame(&mut board), board::Frame::DARK);
    assert_eq!(board.brain.next_frame(Instant::at(board.now)), None);
}

#[test]
fn squares_that_cannot_be_trusted_are_lit_wherever_they_are_in_the_game() {
    let mut board = Board::set_up();
    board.brain.set_faults(Square::E4.into());
    let fault = Scene::EMPTY.with(Meaning::Fault, Square::E4).frame(0, LightSettings::default());
    assert_eq!(frame(&mut board), fault);
    let turned = Settings { orientation: Orientation::BlackNear, ..Settings::default() };
    board.brain.set(turned, Instant::at(board.now));
    assert_eq!(frame(&mut board).at(Square::E4), fault.at(Square::E4), "it is the same light");
    board.brain.set_faults(Bitboard::EMPTY);
    assert_eq!(frame(&mut board), board::Frame::DARK);
}

#[test]
fn a_game_that_could_not_be_kept_is_said_so_until_it_can() {
    let mut board = Board::set_up();
    assert!(!board.brain.set_kept(true), "that is no news");
    assert!(board.brain.set_kept(false));
    let fault = Scene::EMPTY.with(Meaning::Fault, Square::A1).frame(0, LightSettings::default());
    assert_eq!(frame(&mut board), fault);
    assert!(board.brain.set_kept(true));
    assert_eq!(frame(&mut board), board::Frame::DARK);
}
