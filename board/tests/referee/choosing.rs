//! What a pawn becomes is asked in light, and the question stands until it is answered.

use board::Meaning;
use chess::Square;

use crate::script::Board;

const CHOICES: [(Meaning, Square); 4] = [
    (Meaning::PromoteQueen, Square::E8),
    (Meaning::PromoteKnight, Square::E7),
    (Meaning::PromoteRook, Square::E6),
    (Meaning::PromoteBishop, Square::E5),
];

/// A board on which a pawn has just arrived on e8.
fn arrived() -> Board {
    let mut board = Board::local("8/4P3/8/8/8/8/k6K/8 w - - 0 1");
    board.go(Square::E7, Square::E8);
    assert_is_asked(&board);
    board
}

fn assert_is_asked(board: &Board) {
    for (meaning, square) in CHOICES {
        assert_eq!(board.shows(meaning), [square]);
    }
}

fn assert_is_not_asked(board: &Board) {
    for (meaning, _) in CHOICES {
        assert_eq!(board.shows(meaning), []);
    }
}

#[test]
fn the_promotion_squares_stay_lit_during_the_touch() {
    for ((_, square), becomes) in CHOICES.into_iter().zip(["q", "n", "r", "b"]) {
        let mut board = arrived();
        board.raw ^= square.into();
        for _ in 0..20 {
            board.wait(50);
            assert_is_asked(&board);
        }
        board.raw ^= square.into();
        board.wait(2020);
        assert_eq!(board.moves(), format!("e7e8{becomes}"));
        assert_is_not_asked(&board);
    }
}

#[test]
fn the_pawn_can_choose_on_its_origin_square() {
    let mut board = arrived();
    for square in [Square::E8, Square::E7] {
        board.raw ^= square.into();
        board.wait(700);
        assert_is_asked(&board);
    }
    board.go(Square::E7, Square::E8);
    board.wait(2000);
    assert_eq!(board.moves(), "e7e8n");
    assert_is_not_asked(&board);
}

#[test]
fn a_pawn_put_back_on_its_origin_square_has_not_moved() {
    let mut board = arrived();
    board.go(Square::E8, Square::E7);
    board.wait(1500);
    assert_is_not_asked(&board);
    assert!(board.scene().is_empty());
    assert_eq!(board.moves(), "");
    board.play("e7e8r");
    assert_eq!(board.moves(), "e7e8r");
}
