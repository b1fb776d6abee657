//! Kings in the centre end the game, and are never read as moves.

use board::{KingsResult, Looking, Reading, Stance};
use chess::{Color, Move, Position, Role, Square};

use crate::orders;
use crate::positions;
use crate::table::Touch::{self, Lift, Place};
use crate::table::{SETTINGS, Table, moved};

const PAIRS: [(Square, Square, KingsResult); 4] = [
    (Square::E4, Square::D5, KingsResult::WhiteWon),
    (Square::D4, Square::E5, KingsResult::BlackWon),
    (Square::E4, Square::E5, KingsResult::Draw),
    (Square::D4, Square::D5, KingsResult::Draw),
];

/// Positions with kings far from the centre, near it and in it, and with other pieces in their way.
const MORE: [&str; 6] = [
    "8/8/8/4k3/8/8/2K5/8 w - - 0 1",
    "8/8/8/2k5/4K3/8/8/8 b - - 0 1",
    "rnbqkbnr/ppp2ppp/8/3pp3/3PP3/8/PPP2PPP/RNBQKBNR w KQkq - 0 1",
    "8/8/2k5/3pp3/3PP3/5K2/8/8 w - - 0 1",
    "8/8/2k5/3pp3/3PP3/5K2/8/8 b - - 0 1",
    "3q2k1/8/8/3r4/4R3/8/8/3QK3 w - - 0 1",
];

/// Every way to put the kings on two squares: either on either, in any order, and first away with what stands there.
fn ways(position: &Position, (one, other): (Square, Square)) -> Vec<Vec<Touch>> {
    let kings = [Color::White, Color::Black].map(|color| position.king(color));
    let mut all = Vec::new();
    for targets in [[one, other], [other, one]] {
        // Kings change places only where people want to be difficult.
        if targets.iter().zip(kings).any(|(&target, king)| kings.contains(&target) && target != king) {
            continue;
        }
        let mut strands = Vec::new();
        for (king, target) in kings.into_iter().zip(targets) {
            if king == target {
                continue;
            }
            strands.push(vec![Lift(king), Place(target)]);
            if position.occupied().has(target) {
                strands.push(vec![Lift(target)]);
            }
        }
        all.extend(orders::interleaved(&strands, position));
    }
    all
}

/// Whether one of the touches is a move in itself: a king that steps, takes, or castles with no other piece in the air.
fn a_step_is_a_move(position: &Position, touches: &[Touch]) -> Option<Move> {
    let mut occupied = position.occupied();
    for (index, &touch) in touches.iter().enumerate() {
        match touch {
            Lift(square) => occupied = occupied.without(square.into()),
            Place(square) => occupied |= square.into(),
        }
        let Place(to) = touch else { continue };
        let found = position.legal_moves().iter().copied().find(|mv| {
            mv.to() == to
                && position.play(*mv).is_ok_and(|next| next.occupied() == occupied)
                && touches[..index].contains(&Lift(mv.from()))
        });
        if found.is_some() {
            return found;
        }
    }
    None
}

#[test]
fn kings_in_the_centre_are_a_result_and_no_move() {
    let more = MORE.into_iter().map(|fen| fen.parse::<Position>().expect(fen));
    let mut shown = 0;
    for position in positions::all().chain(more) {
        for (one, other, result) in PAIRS {
            for touches in ways(&position, (one, other)) {
                for gap in [120, 250, 800] {
                    for looking in [Looking::ForMoves, Looking::ForOwnMove, Looking::ForNothing] {
                        let mut table = Table::looking(&position, looking);
                        table.touch_all(&touches, gap);
                        table.wait(SETTINGS.kings_rest - 1);
                        let mut read = table.read();
                        let context = format!("{touches:?} every {gap} ms in {}, {looking:?}", position.fen());
                        // One king that goes where it may go has moved; the referee takes that back when the other
                        // king follows.
                        let step = a_step_is_a_move(&position, &touches).map(moved);
                        if step.is_some() && read.first() == step.as_ref() {
                            read.remove(0);
                        }
                        assert_eq!(read, [], "{context}");
                        // A king that stood in the centre already is asked about: the other one may have made an illegal move.
                        let kings = position.of_role(Role::King);
                        let stood =
                            kings.squares().find(|king| [one, other].contains(king) && !touches.contains(&Lift(*king)));
                        if let Some(king) = stood {
                            assert_eq!(table.stance(), Stance::Asking(king.into()), "{context}");
                            table.touch_all(&[Lift(king), Place(king)], gap);
                            table.wait(SETTINGS.kings_rest - 1);
                            assert_eq!(table.read(), [], "{context}");
                        }
                        table.wait(1);
                        assert_eq!(table.read(), [Reading::Kings(result)], "{context}");
                        shown += 1;
                    }
                }
            }
        }
    }
    assert!(shown > 1000, "only {shown} results were shown");
}

#[test]
fn a_king_that_moved_to_the_centre_long_ago_is_asked_about() {
    // The black king takes the pawn on e5, beside the white one on e4, which it may not.
    let before: Position = "8/8/5k2/4p3/8/3K4/8/8 w - - 0 1".parse().expect("a position");
    for (waits, is_result) in [(5_000, true), (11_000, false)] {
        let mut table = Table::at(&before);
        table.touch_all(&[Lift(Square::D3), Place(Square::E4)], 200);
        table.wait(waits);
        assert_eq!(table.read(), [moved("d3e4".parse().expect("a move"))]);
        table.touch_all(&[Lift(Square::E5), Lift(Square::F6), Place(Square::E5)], 300);
        table.wait(SETTINGS.kings_rest);
        let ended = table.read() == [Reading::Kings(KingsResult::Draw)];
        assert_eq!(ended, is_result, "{waits} ms after the move");
        assert_eq!(table.stance() == Stance::Asking(Square::E4.into()), !is_result, "{waits} ms after the move");
    }
}
