//! Players choose how long a complete move rests.

use board::{Looking, Pace};
use chess::{Move, Position, Square};

use crate::table::{Table, Touch, moved};

const PACES: [Pace; 3] = [Pace::Fast, Pace::Normal, Pace::Careful];

/// How long a move rests at each pace, in milliseconds.
fn rests(fen: &str, mv: &str, looking: Looking, after: &[Touch]) -> [u64; 3] {
    let position: Position = fen.parse().expect(fen);
    let mv: Move = mv.parse().expect(mv);
    PACES.map(|pace| {
        let mut table = Table::paced(&position, looking, pace);
        let touches = [&[Touch::Lift(mv.from()), Touch::Place(mv.to())], after].concat();
        table.touch_all(&touches, 200);
        for rest in 0..10_000 {
            if let Some(reading) = table.read().first() {
                assert_eq!(*reading, moved(mv), "{pace:?}");
                return rest;
            }
            table.wait(1);
        }
        panic!("{mv} was not read at the pace {pace:?}");
    })
}

const SHARED: Looking = Looking::ForMoves;
const REMOTE: Looking = Looking::ForOwnMove;

/// A rook, a knight, and a king that may castle.
const PIECES: &str = "4k3/8/8/8/8/8/4P3/RN2K2R w K - 0 1";

#[test]
fn moves_at_a_shared_board_rest_as_the_players_choose() {
    assert_eq!(rests(PIECES, "b1c3", SHARED, &[]), [0, 0, 300]);
    assert_eq!(rests(PIECES, "a1a4", SHARED, &[]), [180, 300, 600]);
    assert_eq!(rests(PIECES, "h1f1", SHARED, &[]), [900, 1500, 3000]);
}

#[test]
fn moves_rest_before_they_are_sent_as_the_player_chooses() {
    assert_eq!(rests(PIECES, "b1c3", REMOTE, &[]), [200, 400, 1000]);
    assert_eq!(rests(PIECES, "a1a4", REMOTE, &[]), [500, 1000, 2000]);
    assert_eq!(rests(PIECES, "h1f1", REMOTE, &[]), [1500, 3000, 4000]);
}

#[test]
fn a_mate_and_the_choice_of_a_promotion_rest_as_the_players_choose() {
    let mate = "7k/8/6K1/8/8/8/8/R7 w - - 0 1";
    assert_eq!(rests(mate, "a1a8", SHARED, &[]), [1000, 1800, 3000]);
    let pawn = "8/P6k/8/8/8/8/8/4K3 w - - 0 1";
    let tap = [Touch::Lift(Square::A8), Touch::Place(Square::A8)];
    assert_eq!(rests(pawn, "a7a8q", SHARED, &tap), [1200, 2000, 3000]);
}
