//! A scene has the most urgent of the meanings that were marked on each square.

use board::{Frame, Meaning, Scene};
use chess::{Bitboard, Square};
use proptest::prelude::*;

use crate::chance;
use crate::watch::FULL;

/// Reference implementation.
fn reference(marks: &[(Meaning, Bitboard)], square: Square) -> Option<Meaning> {
    Meaning::ALL.iter().copied().find(|meaning| marks.iter().any(|mark| mark.0 == *meaning && mark.1.has(square)))
}

fn marked(marks: &[(Meaning, Bitboard)]) -> Scene {
    marks.iter().fold(Scene::EMPTY, |scene, &(meaning, squares)| scene.with(meaning, squares))
}

proptest! {
    #![proptest_config(chance::config())]

    #[test]
    fn the_most_urgent_meaning_wins_in_any_order_of_marking(mut marks in chance::marks()) {
        let scene = marked(&marks);
        for square in Square::all() {
            prop_assert_eq!(scene.at(square), reference(&marks, square));
        }
        for &meaning in Meaning::ALL {
            let squares: Bitboard = Square::all().filter(|&square| scene.at(square) == Some(meaning)).collect();
            prop_assert_eq!(scene.squares(meaning), squares);
        }
        prop_assert_eq!(scene.is_empty(), marks.iter().all(|mark| mark.1.is_empty()));
        marks.reverse();
        prop_assert_eq!(marked(&marks), scene);
    }

    #[test]
    fn within_the_budget_a_square_does_not_depend_on_the_others(
        scene in chance::scene(), elapsed in 0..80_000_u64,
    ) {
        let frame = scene.frame(elapsed, FULL);
        for square in Square::all() {
            let alone = scene.at(square).map(|meaning| Scene::EMPTY.with(meaning, square).frame(elapsed, FULL));
            prop_assert_eq!(frame.at(square), alone.unwrap_or(Frame::DARK).at(square));
        }
    }
}

#[test]
fn a_captured_piece_is_removed_before_the_capturing_piece_arrives() {
    let scene = Scene::EMPTY
        .with(Meaning::OpponentFrom, Square::E4)
        .with(Meaning::OpponentTo, Square::D5)
        .with(Meaning::Remove, Square::D5)
        .with(Meaning::LastMove, Bitboard::ALL);
    assert_eq!(scene.at(Square::E4), Some(Meaning::OpponentFrom));
    assert_eq!(scene.at(Square::D5), Some(Meaning::Remove));
    assert_eq!(scene.squares(Meaning::LastMove).count(), 62);
}

#[test]
fn rotating_a_frame_reverses_its_squares() {
    let frame = Scene::EMPTY.with(Meaning::Target, Square::A1).with(Meaning::Lifted, Square::C2).frame(0, FULL);
    let rotated = frame.rotated();
    assert_eq!(rotated.at(Square::H8), frame.at(Square::A1));
    assert_eq!(rotated.at(Square::F7), frame.at(Square::C2));
    assert_eq!(rotated.rotated(), frame);
    assert_eq!(Frame::DARK.rotated(), Frame::DARK);
}

#[test]
fn debug_output_lists_the_meanings() {
    let text = format!("{:?}", Scene::EMPTY.with(Meaning::Check, Square::E1));
    assert!(text.starts_with("{Check: "), "{text}");
    assert_eq!(format!("{:?}", Scene::EMPTY), "{}");
}
