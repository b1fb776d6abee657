//! Insufficient material.

use chess::{Color, DrawReason, Outcome, Position};

use crate::random_games::{bare_positions, check, new_game};
use crate::reference_engines::Shakmaty;

#[test]
fn shakmaty_agrees_on_insufficient_material() {
    check(3000, &bare_positions(), |position| Shakmaty::from_position(&position).agrees_on_material(&position));
}

#[test]
fn a_game_without_mating_material_is_over() {
    check(1000, &bare_positions(), |position| {
        let outcome = new_game(position).outcome();
        // Only what ends the game before the pieces are counted comes before them.
        let ended = position.is_checkmate() || position.is_stalemate();
        let insufficient = Some(Outcome::Draw(DrawReason::InsufficientMaterial));
        assert_eq!(outcome == insufficient, position.is_insufficient_material() && !ended, "{outcome:?}");
    });
}

/// In random games, a side without mating material never gives mate.
#[test]
fn a_side_with_insufficient_material_never_mates() {
    check(2000, &bare_positions(), |position| {
        let mated = |position: &Position| position.is_checkmate().then_some(!position.turn());
        let next: Vec<Position> = position.legal_moves().iter().filter_map(|&mv| position.play(mv).ok()).collect();
        for winner in next.iter().chain([&position]).filter_map(mated) {
            assert!(position.can_mate(winner), "{winner} has mated");
        }
    });
}

#[test]
fn bishops_on_one_colour_of_squares_cannot_mate() {
    for (fen, white, black) in [
        // Any number of bishops on squares of one colour is one bishop.
        ("4k3/8/8/8/8/2B1B3/3B4/B1B1K3 w - - 0 1", false, false),
        ("4k3/8/8/8/8/2B1BB2/3B4/B1B1K3 w - - 0 1", true, false),
        ("4k1b1/8/8/3b4/8/8/8/4KB2 w - - 0 1", false, false),
        ("4k1b1/4b3/8/8/8/8/8/4KB2 w - - 0 1", true, true),
        // A bishop and something of the other side that can stand in its king's way.
        ("4k1n1/8/8/8/8/8/8/4KB2 w - - 0 1", true, true),
        ("4k1r1/8/8/8/8/8/8/4KB2 w - - 0 1", false, true),
        ("4k1q1/8/8/8/8/8/8/4KB2 w - - 0 1", false, true),
    ] {
        let position: Position = fen.parse().expect(fen);
        assert_eq!((position.can_mate(Color::White), position.can_mate(Color::Black)), (white, black), "{fen}");
    }
}
