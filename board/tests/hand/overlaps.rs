//! Wobbles, stops and weak magnets while moves overlap: what is not certain is asked about, waits for a rest, or is left to the players.

use board::{Looking, Reading, Stance};
use chess::{Bitboard, Move, Position, Square};

use crate::quick_moves::{moves, play};
use crate::table::Touch::{Lift, Place};
use crate::table::{Table, corrected, for_this, moved};

fn position(fen: &str) -> Position {
    fen.parse().expect(fen)
}

fn mv(text: &str) -> Move {
    text.parse().expect(text)
}

fn set(squares: &[Square]) -> Bitboard {
    squares.iter().copied().collect()
}

#[test]
fn castling_is_read_although_the_king_stopped_when_the_rook_came_down() {
    let position = position("4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    for looking in [Looking::ForMoves, Looking::ForOwnMove] {
        let mut table = Table::looking(&position, looking);
        let touches = [
            (0, Lift(Square::E1)),
            (140, Lift(Square::H1)),
            (970, Place(Square::E2)),
            (1260, Place(Square::F1)),
            (1400, Lift(Square::E2)),
            (2300, Place(Square::G1)),
        ];
        play(&mut table, &touches);
        assert_eq!(moves(&mut table), ["e1g1"], "{looking:?}");
    }
}

#[test]
fn a_piece_that_wobbles_while_a_reply_is_in_the_air_is_asked_about_and_not_taken() {
    // The bishop is lifted before the knight has landed, and c5 opens for 13 ms.
    let position = position("4k3/8/8/2P5/1b6/8/8/1N5K w - - 0 1");
    let mut table = Table::at(&position);
    let touches = [
        (0, Lift(Square::B1)),
        (380, Lift(Square::B4)),
        (420, Place(Square::A3)),
        (670, Lift(Square::C5)),
        (690, Place(Square::C5)),
    ];
    play(&mut table, &touches);
    assert_eq!(table.stance(), Stance::Asking(Square::C5.into()));
    table.touch(Place(Square::E1));
    table.wait(3_000);
    assert_eq!(moves(&mut table), ["b1a3", "b4e1"]);
}

#[test]
fn a_quick_capture_among_several_moves_is_read_when_its_square_is_tapped() {
    let position = position("4k3/8/8/2P5/1b6/8/8/1N5K w - - 0 1");
    let mut table = Table::at(&position);
    let touches = [
        (0, Lift(Square::B1)),
        (380, Lift(Square::B4)),
        (420, Place(Square::A3)),
        (670, Lift(Square::C5)),
        (690, Place(Square::C5)),
    ];
    play(&mut table, &touches);
    table.touch(Lift(Square::C5));
    table.wait(400);
    table.touch(Place(Square::C5));
    table.wait(3_000);
    assert_eq!(moves(&mut table), ["b1a3", "b4c5"]);
}

#[test]
fn a_piece_that_wobbles_when_it_lands_was_not_taken_by_one_that_is_knocked_over() {
    // The queen wobbles twice on h1, while the rook beside it was knocked off its switch.
    let position = position("4k3/8/8/8/8/K7/6q1/6R1 b - - 0 1");
    let mut table = Table::at(&position);
    let touches = [
        (0, Lift(Square::G2)),
        (70, Lift(Square::G1)),
        (730, Place(Square::H1)),
        (780, Lift(Square::H1)),
        (840, Place(Square::H1)),
        (870, Lift(Square::H1)),
        (890, Place(Square::H1)),
    ];
    play(&mut table, &touches);
    assert_eq!(table.read(), []);
    table.touch(Place(Square::G1));
    table.wait(3_000);
    assert_eq!(moves(&mut table), ["g2h1"]);
}

#[test]
fn a_piece_that_wobbles_has_not_left_its_square_to_another_one() {
    // The queen has moved to d7 and wobbles there while the king castles.
    let start = position("r2qk3/8/8/3p4/8/8/8/3Q2K1 b q - 0 1");
    let mut table = Table::at(&start);
    play(&mut table, &[(0, Lift(Square::D8)), (160, Place(Square::D7))]);
    assert_eq!(moves(&mut table), ["d8d7"]);
    let touches = [
        (0, Lift(Square::D1)),
        (390, Lift(Square::E8)),
        (500, Place(Square::D2)),
        (710, Lift(Square::D7)),
        (724, Place(Square::D7)),
        (790, Place(Square::C8)),
    ];
    play(&mut table, &touches);
    let read = moves(&mut table);
    assert!(read.is_empty() || read == ["d1d2"], "{read:?}");
    play(&mut table, &[(0, Lift(Square::A8)), (300, Place(Square::D8))]);
    let read: Vec<String> = read.into_iter().chain(moves(&mut table)).collect();
    assert_eq!(read, ["d1d2", "e8c8"]);
}

#[test]
fn a_piece_that_slides_away_after_a_move_has_not_come_to_its_target() {
    // The queen was lifted before the bishop landed on g5, and could have gone there; then it slides over g3.
    let position = position("4k3/8/8/8/6q1/4B3/6P1/4K3 w - - 0 1");
    let mut table = Table::at(&position);
    let touches = [
        (0, Lift(Square::E3)),
        (460, Lift(Square::G4)),
        (530, Place(Square::G5)),
        (830, Place(Square::G3)),
        (890, Lift(Square::G3)),
    ];
    play(&mut table, &touches);
    assert_eq!(moves(&mut table), ["e3g5"]);
}

#[test]
fn a_promotion_that_follows_quick_moves_is_offered() {
    // The rook on f8 is lifted before the other moves are read, and the pawn takes it.
    let position = position("5rk1/8/6P1/8/1b6/8/8/3K4 w - - 0 1");
    let mut table = Table::at(&position);
    let touches = [
        (0, Lift(Square::G6)),
        (250, Lift(Square::B4)),
        (285, Place(Square::G7)),
        (500, Place(Square::D6)),
        (520, Lift(Square::F8)),
        (930, Lift(Square::G7)),
        (1010, Place(Square::F8)),
    ];
    play(&mut table, &touches);
    assert_eq!(moves(&mut table), ["g6g7", "b4d6"]);
    assert_eq!(table.stance(), Stance::Choosing { to: Square::F8 });
}

#[test]
fn a_piece_that_stands_on_another_target_has_not_come_to_this_one() {
    // The bishop goes to e5 and back to d6 while the knight goes to e7, where the bishop could have gone.
    let position = position("k1N5/8/3b4/8/8/8/8/4K3 b - - 0 1");
    let mut table = Table::at(&position);
    let touches = [
        (0, Lift(Square::D6)),
        (127, Place(Square::E5)),
        (300, Lift(Square::C8)),
        (460, Place(Square::E7)),
        (600, Lift(Square::E5)),
        (670, Place(Square::D6)),
    ];
    play(&mut table, &touches);
    assert_eq!(moves(&mut table), ["d6e5", "c8e7", "e5d6"]);
}

#[test]
fn a_piece_that_was_replied_to_and_slides_on_has_moved_twice() {
    let position = position("4k3/2n3p1/8/8/2Q5/8/8/4K3 w - - 0 1");
    let mut table = Table::at(&position);
    let touches = [
        (0, Lift(Square::C4)),
        (308, Place(Square::C5)),
        (350, Lift(Square::G7)),
        (430, Place(Square::G5)),
        (548, Lift(Square::C5)),
        (680, Lift(Square::C7)),
        (830, Place(Square::C7)),
    ];
    play(&mut table, &touches);
    assert_eq!(moves(&mut table), ["c4c5", "g7g5", "c5c7"]);
}

#[test]
fn what_has_stood_long_on_an_empty_square_is_no_touch_of_an_early_answer() {
    // g3, hxg3, d3 and g2: the first pawn is taken, and the other one goes on to its square.
    let position = position("4k3/8/8/8/7p/8/4B1P1/4K3 w - - 0 1");
    let mut table = Table::at(&position);
    let touches = [
        (0, Lift(Square::G2)),
        (20, Place(Square::G3)),
        (280, Lift(Square::G3)),
        (770, Lift(Square::H4)),
        (1020, Place(Square::G3)),
        (1115, Lift(Square::E2)),
        (1457, Place(Square::D3)),
        (1677, Lift(Square::G3)),
        (1726, Place(Square::G2)),
    ];
    play(&mut table, &touches);
    assert_eq!(moves(&mut table), ["g2g3", "h4g3", "e2d3", "g3g2"]);
}

#[test]
fn a_correction_is_not_confirmed_by_a_piece_that_was_lifted_before() {
    // The rook on h6 is seen to leave only after it has passed h5, where the queen could have gone.
    let position = position("3k4/8/7r/8/8/4p3/4Q3/K7 w - - 0 1");
    let mut table = Table::at(&position);
    // h6 flickers, so that its lift is believed late.
    for _ in 0..3 {
        table.wait(2_000);
        table.touch(Lift(Square::H6));
        table.wait(30);
        table.touch(Place(Square::H6));
    }
    table.wait(1_500);
    play(&mut table, &[(0, Lift(Square::E2)), (160, Lift(Square::E3)), (680, Place(Square::E3))]);
    assert_eq!(moves(&mut table), ["e2e3"]);
    let touches = [(0, Lift(Square::H6)), (62, Place(Square::H5)), (140, Lift(Square::H5)), (200, Place(Square::H4))];
    play(&mut table, &touches);
    assert_eq!(moves(&mut table), ["h6h4"]);
}

#[test]
fn a_flicker_does_not_confirm_a_correction() {
    let position = position("8/8/2k5/8/8/4B3/8/K7 w - - 0 1");
    let mut table = Table::at(&position);
    table.wait(2_000);
    table.touch(Lift(Square::C6));
    table.wait(30);
    table.touch(Place(Square::C6));
    play(&mut table, &[(0, Lift(Square::E3)), (60, Place(Square::D4))]);
    assert_eq!(moves(&mut table), ["e3d4"]);
    let touches = [
        (0, Lift(Square::D4)),
        (90, Place(Square::C5)),
        (300, Lift(Square::C5)),
        (390, Place(Square::B6)),
        (530, Lift(Square::C6)),
        (560, Place(Square::C6)),
        (600, Lift(Square::B6)),
        (690, Place(Square::A7)),
    ];
    play(&mut table, &touches);
    assert_eq!(table.read(), [corrected(mv("e3a7"))]);
}

#[test]
fn a_weak_piece_that_may_just_be_lifted_delays_the_reading() {
    // The bishop on f1 has a weak magnet and slides over e2, while the knight on g1 wobbles.
    let position = position("4k3/8/8/8/8/8/8/4KBN1 w - - 0 1");
    let mut table = Table::at(&position);
    for _ in 0..3 {
        table.wait(2_000);
        table.touch(Lift(Square::F1));
        table.wait(30);
        table.touch(Place(Square::F1));
    }
    table.wait(1_500);
    let touches = [
        (0, Lift(Square::F1)),
        (40, Place(Square::E2)),
        (53, Lift(Square::E2)),
        (66, Lift(Square::G1)),
        (73, Place(Square::E2)),
        (85, Place(Square::G1)),
        (130, Lift(Square::E2)),
        (180, Place(Square::D3)),
    ];
    play(&mut table, &touches);
    assert_eq!(moves(&mut table), ["f1d3"]);
}

#[test]
fn a_promoted_piece_that_was_lifted_before_the_opponent_moves_is_no_correction() {
    let position = position("4k3/8/8/8/8/8/7p/R3K3 b - - 0 1");
    let mut table = Table::at(&position);
    play(
        &mut table,
        &[(0, Lift(Square::H2)), (300, Place(Square::H1)), (900, Lift(Square::H1)), (1200, Place(Square::H1))],
    );
    assert_eq!(moves(&mut table), ["h2h1q"]);
    let touches = [(0, Lift(Square::H1)), (200, Lift(Square::E1)), (950, Place(Square::D2)), (1680, Place(Square::G2))];
    play(&mut table, &touches);
    assert_eq!(moves(&mut table), ["e1d2", "h1g2"]);
}

#[test]
fn a_reply_with_the_piece_that_moved_last_may_begin_before_the_move() {
    // The rook that came to b7 is lifted just before the queen is.
    let start = position("1Q6/r7/8/8/8/8/k7/7K b - - 0 1");
    let mut table = Table::at(&start);
    play(&mut table, &[(0, Lift(Square::A7)), (300, Place(Square::B7))]);
    assert_eq!(moves(&mut table), ["a7b7"]);
    let touches = [
        (0, Lift(Square::B7)),
        (2, Lift(Square::B8)),
        (26, Place(Square::C7)),
        (96, Lift(Square::C7)),
        (119, Place(Square::D6)),
        (774, Place(Square::A7)),
    ];
    play(&mut table, &touches);
    assert_eq!(moves(&mut table), ["b8d6", "b7a7"]);
}

#[test]
fn castling_that_is_not_read_is_put_back_by_the_lights() {
    // Something comes down on a5 while the king has stopped on e2, as a reply would.
    let position = position("4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    let mut table = Table::at(&position);
    let touches = [
        (0, Lift(Square::E1)),
        (300, Lift(Square::H1)),
        (600, Place(Square::E2)),
        (900, Place(Square::A5)),
        (1200, Lift(Square::E2)),
        (1500, Lift(Square::A5)),
        (1800, Place(Square::F1)),
        (2100, Place(Square::G1)),
    ];
    play(&mut table, &touches);
    let Stance::Disorder { fill, clear, .. } = table.stance() else { panic!("{:?}", table.stance()) };
    assert_eq!((fill, clear), (set(&[Square::E1, Square::H1]), set(&[Square::F1, Square::G1])));
    for touch in [Lift(Square::F1), Lift(Square::G1), Place(Square::E1), Place(Square::H1)] {
        table.touch(touch);
        table.wait(300);
    }
    assert_eq!(table.stance(), Stance::Settled);
}

#[test]
fn an_expected_move_that_was_seen_in_an_impossible_order_is_read_after_a_while() {
    let position = position("4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    let mut table = Table::looking(&position, for_this(mv("h1h5")));
    play(&mut table, &[(0, Place(Square::H5)), (300, Lift(Square::H1))]);
    assert_eq!(table.read(), [moved(mv("h1h5"))]);
}

#[test]
fn a_question_that_cannot_be_answered_any_more_is_not_asked() {
    // The rook takes on f6 quickly, and has gone on to h6 when the board rests.
    let position = position("5R2/6r1/5n2/k7/8/8/8/K7 w - - 0 1");
    let mut table = Table::at(&position);
    let touches = [
        (0, Lift(Square::F8)),
        (290, Lift(Square::F6)),
        (370, Place(Square::F6)),
        (750, Lift(Square::G7)),
        (900, Place(Square::G1)),
        (970, Lift(Square::F6)),
        (1190, Place(Square::H6)),
    ];
    play(&mut table, &touches);
    assert!(!matches!(table.stance(), Stance::Asking(_)), "{:?}", table.stance());
    let read = table.read();
    assert!(matches!(read[..], [] | [Reading::MovedSeveral(_)]), "{read:?}");
}

#[test]
fn castling_that_corrects_a_rook_move_is_read_although_the_rook_flickers() {
    let position = position("r3k3/8/8/8/8/8/8/4K3 b q - 0 1");
    let mut table = Table::at(&position);
    play(&mut table, &[(0, Lift(Square::A8)), (300, Place(Square::D8))]);
    assert_eq!(moves(&mut table), ["a8d8"]);
    let touches = [(0, Lift(Square::E8)), (500, Place(Square::C8)), (640, Lift(Square::D8)), (656, Place(Square::D8))];
    play(&mut table, &touches);
    assert_eq!(table.read(), [corrected(mv("e8c8"))]);
}

#[test]
fn a_correction_that_captures_is_read_although_another_piece_flickers() {
    let position = position("4k3/8/8/8/8/3p4/8/K2R1n2 w - - 0 1");
    let mut table = Table::at(&position);
    play(&mut table, &[(0, Lift(Square::D1)), (40, Place(Square::D2))]);
    assert_eq!(moves(&mut table), ["d1d2"]);
    let touches = [
        (0, Lift(Square::D2)),
        (360, Lift(Square::D3)),
        (630, Place(Square::D3)),
        (990, Lift(Square::F1)),
        (1035, Place(Square::F1)),
    ];
    play(&mut table, &touches);
    assert_eq!(table.read(), [corrected(mv("d1d3"))]);
}

#[test]
fn what_was_put_back_is_no_reply_to_a_corrected_move() {
    // Black thinks about taking b7 and puts both pieces back; then the rook goes to g2 while the queen on d2 is lifted.
    let position = position("7k/1R6/8/8/4b3/8/2Q5/K7 w - - 0 1");
    let mut table = Table::at(&position);
    play(&mut table, &[(0, Lift(Square::C2)), (480, Place(Square::D2))]);
    assert_eq!(moves(&mut table), ["c2d2"]);
    let touches = [
        (0, Lift(Square::B7)),
        (260, Lift(Square::E4)),
        (470, Place(Square::E4)),
        (820, Place(Square::B7)),
        (1520, Lift(Square::E4)),
        (1860, Lift(Square::D2)),
        (1940, Place(Square::G2)),
    ];
    play(&mut table, &touches);
    let read = moves(&mut table);
    assert!(read.is_empty() || read == ["e4g2"], "{read:?}");
}

#[test]
fn a_queen_that_was_replied_to_and_goes_back_has_moved_twice() {
    let position = position("2k5/P1q2P1r/1p1p4/4p2P/P2bK2P/1P3N1R/3P4/R1BQ4 w - - 0 1");
    let mut table = Table::at(&position);
    let touches = [
        (0, Lift(Square::D1)),
        (40, Place(Square::E1)),
        (90, Lift(Square::E1)),
        (123, Place(Square::F1)),
        (174, Lift(Square::F1)),
        (221, Place(Square::G1)),
        (423, Lift(Square::C7)),
        (457, Place(Square::D7)),
        (490, Lift(Square::D7)),
        (534, Place(Square::E7)),
        (715, Lift(Square::G1)),
        (946, Place(Square::E1)),
    ];
    play(&mut table, &touches);
    assert_eq!(moves(&mut table), ["d1g1", "c7e7", "g1e1"]);
}

#[test]
fn a_piece_that_is_lifted_just_before_a_move_lands_has_not_made_it() {
    // The bishop could go to e6 as well, but not in 40 ms.
    let position = position("2b4k/5p2/8/4Rp2/8/8/8/4K3 w - - 0 1");
    let mut table = Table::at(&position);
    play(&mut table, &[(0, Lift(Square::E5)), (840, Lift(Square::C8)), (880, Place(Square::E6))]);
    assert_eq!(moves(&mut table), ["e5e6"]);
}

#[test]
fn a_piece_that_slides_to_a_square_beside_it_may_have_come_there_in_a_moment() {
    // The rook stands on c5 where its switch does not feel it, and the king slides to e6.
    let position = position("8/5k2/8/4Rp2/8/8/8/K7 w - - 0 1");
    let mut table = Table::at(&position);
    play(&mut table, &[(0, Lift(Square::E5)), (840, Lift(Square::F7)), (880, Place(Square::E6))]);
    assert_eq!(table.read(), []);
    table.touch(Place(Square::C5));
    table.wait(3_000);
    assert_eq!(moves(&mut table), ["e5c5", "f7e6"]);
}

#[test]
fn a_tapped_pawn_was_not_captured_by_a_piece_that_flickers() {
    let position = position("7k/2Pq4/8/8/8/8/8/K7 w - - 0 1");
    let mut table = Table::at(&position);
    let touches = [
        (0, Lift(Square::C7)),
        (700, Place(Square::C8)),
        (750, Lift(Square::D7)),
        (784, Place(Square::D7)),
        (1600, Lift(Square::C8)),
        (2300, Place(Square::C8)),
    ];
    let mut now = 0;
    for (at, touch) in touches {
        table.wait(at - now);
        table.touch(touch);
        now = at;
    }
    table.wait(1_000);
    table.touch_all(&[Lift(Square::D7), Place(Square::D7)], 40);
    table.wait(960);
    assert_eq!(table.read(), [moved(mv("c7c8q"))], "the flicker takes no time from the choice");
}

#[test]
fn a_piece_that_moved_last_and_is_lifted_with_the_opponents_replies() {
    let position = position("8/8/3q4/8/R7/8/8/2k3K1 b - - 0 1");
    let mut table = Table::at(&position);
    play(&mut table, &[(0, Lift(Square::D6)), (300, Place(Square::E6))]);
    assert_eq!(moves(&mut table), ["d6e6"]);
    let touches = [
        (0, Lift(Square::E6)),
        (3, Lift(Square::A4)),
        (31, Place(Square::A5)),
        (86, Lift(Square::A5)),
        (115, Place(Square::A6)),
        (933, Place(Square::E7)),
    ];
    play(&mut table, &touches);
    assert_eq!(moves(&mut table), ["a4a6", "e6e7"]);
}

#[test]
fn a_piece_that_passed_a_square_before_the_other_one_landed_may_have_come_there() {
    // The queen has pushed the knight on g4 off without a gap, and Black replies b7-b5.
    let position = position("rnb1kb1r/pppp1ppp/8/4p1q1/4P1n1/1P6/P1PPQP1P/RNB1KB1R w KQkq - 0 7");
    let mut table = Table::at(&position);
    let touches = [
        (0, Lift(Square::E2)),
        (67, Place(Square::F3)),
        (104, Lift(Square::F3)),
        (578, Lift(Square::B7)),
        (677, Place(Square::B6)),
        (807, Lift(Square::B6)),
        (969, Place(Square::B5)),
    ];
    play(&mut table, &touches);
    assert_eq!(table.read(), [], "the queen may not have gone to b5");
}

#[test]
fn a_capture_and_its_reply_are_not_forgotten_when_the_next_move_lands() {
    let position = position("3r3b/p6k/p1r2p2/PBp3p1/1P1RP1n1/5NR1/NB3P2/2K5 b - - 0 28");
    let mut table = Table::at(&position);
    let touches = [
        (0, Lift(Square::A6)),
        (238, Lift(Square::B5)),
        (544, Place(Square::B5)),
        (611, Lift(Square::A5)),
        (895, Place(Square::A6)),
        (1095, Lift(Square::H8)),
        (1327, Place(Square::G7)),
    ];
    play(&mut table, &touches);
    assert_eq!(moves(&mut table), ["a6b5", "a5a6", "h8g7"]);
}

#[test]
fn a_pawn_that_slides_over_a_square_was_not_captured_there() {
    // The pawn stands on b4 where its switch does not feel it, and is taken in passing.
    let position = position("2kr3r/pb1pq2p/n4Ppb/1p1Q4/2p3P1/N3P2N/PPP2PBP/R4RK1 w - - 0 13");
    let mut table = Table::at(&position);
    let touches = [
        (0, Lift(Square::B2)),
        (21, Place(Square::B3)),
        (44, Lift(Square::B3)),
        (357, Lift(Square::C4)),
        (551, Place(Square::B3)),
    ];
    play(&mut table, &touches);
    assert_eq!(table.read(), []);
}

#[test]
fn a_piece_that_slid_up_to_another_one_has_not_surely_taken_a_third() {
    // The queen on d8 is exchanged, while the rook slides to g2, whose pawn it pushes off without a gap.
    let position = position("3Q2rr/1k5p/3P3n/4B3/3b4/2b2N2/3N1PBK/5R2 b - - 0 35");
    let mut table = Table::looking(&position, Looking::ForOwnMove);
    let touches = [
        (0, Lift(Square::D8)),
        (100, Lift(Square::G8)),
        (147, Place(Square::G7)),
        (195, Lift(Square::G7)),
        (235, Place(Square::G6)),
        (271, Lift(Square::G6)),
        (307, Place(Square::G5)),
        (339, Lift(Square::G5)),
        (340, Place(Square::D8)),
        (384, Place(Square::G4)),
        (436, Lift(Square::G4)),
        (480, Place(Square::G3)),
        (542, Lift(Square::G3)),
    ];
    play(&mut table, &touches);
    assert_eq!(table.read(), [], "the queen on d8 may not have been taken");
    assert_eq!(table.stance(), Stance::Asking(Square::G2.into()));
    table.touch_all(&[Lift(Square::G2), Place(Square::G2)], 200);
    table.wait(3_000);
    assert_eq!(moves(&mut table), ["g8g2"]);
}

#[test]
fn moves_after_which_a_piece_is_back_are_read() {
    let position = position("6k1/2r5/p6b/P1p3p1/P1P3P1/R6p/2Q1r2N/R6K w - - 0 40");
    let mut table = Table::at(&position);
    let touches = [
        (0, Lift(Square::A3)),
        (277, Place(Square::D3)),
        (536, Lift(Square::G8)),
        (685, Lift(Square::D3)),
        (697, Place(Square::F7)),
        (878, Place(Square::F3)),
        (1241, Lift(Square::F7)),
        (1312, Place(Square::G8)),
    ];
    play(&mut table, &touches);
    assert_eq!(moves(&mut table), ["a3d3", "g8f7", "d3f3", "f7g8"]);
}

#[test]
fn a_long_stop_that_only_a_longer_sequence_explains_is_left_to_the_players() {
    // Qg4-g7, Bd4-a1, Qg7-g2, Ba1-e5 and Rd5xe5, or Qg4-g2, Bd4-e5 and Rd5xe5.
    let position = position("8/7k/p7/P2r4/3B2q1/K7/2b5/8 b - - 2 72");
    let mut table = Table::at(&position);
    let touches = [
        (0, Lift(Square::G4)),
        (316, Place(Square::G7)),
        (380, Lift(Square::D4)),
        (587, Lift(Square::G7)),
        (630, Place(Square::A1)),
        (826, Place(Square::G2)),
        (1116, Lift(Square::A1)),
        (1425, Place(Square::E5)),
        (1638, Lift(Square::E5)),
        (2055, Lift(Square::D5)),
        (2237, Place(Square::E5)),
    ];
    play(&mut table, &touches);
    assert_eq!(table.read(), []);
}
