//! Long games, whose snapshots take many frames.

use board::journal::{Condition, MIN_BANK};
use chess::{Game, MAX_PLIES, Move, Role};
use rules::Ply;
use wire::journal::{HEADER_LEN, MAX_FRAME, MAX_PAYLOAD, Moves, Record};
use wire::link::NumberedEvent;

use crate::flash::{Flash, PowerCut, TestRng};
use crate::test_board::TestBoard;

/// A move that prolongs the game: no captures, and pawn moves only when the seventy-five-move rule is near.
fn prolonging_move(game: &Game, rng: &mut TestRng) -> Option<Move> {
    let position = game.position();
    let moves = position.legal_moves();
    let hurried = position.halfmoves() > 120;
    let mut fitting: Vec<Move> = moves
        .iter()
        .copied()
        .filter(|&mv| {
            let is_pawn = position.of_role(Role::Pawn).has(mv.from());
            !position.is_capture(mv) && is_pawn == hurried && mv.promotion().is_none()
        })
        .collect();
    if fitting.is_empty() {
        fitting = moves.to_vec();
    }
    (!fitting.is_empty()).then(|| fitting[rng.below(fitting.len())])
}

#[test]
fn a_long_game_is_compacted_atomically() {
    let mut flash = Flash::new(MIN_BANK, 0xff);
    let (mut board, mut journal, _) = TestBoard::power_on(&mut flash);
    let mut rng = TestRng(3);
    let mut moved = 0;
    while moved < 3
        && let Some(mv) = prolonging_move(board.chess(), &mut rng)
        && board.game.verdict().is_none()
    {
        let before = board.clone();
        board.game.play(Ply::of_move(mv)).expect("a legal move");
        let erases = flash.erases;
        let mut next = (flash.clone(), journal.clone());
        board.persist(&mut next.1, &mut next.0, true).expect("no power cut");
        if next.0.erases != erases {
            moved += 1;
            // Power cuts while it is compacted.
            let bytes = next.0.used - flash.used;
            for bytes_left in (0..bytes).step_by(211) {
                let mut flash = flash.clone();
                flash.bytes_left = Some(bytes_left);
                assert_eq!(board.persist(&mut journal.clone(), &mut flash, true), Err(PowerCut));
                flash.bytes_left = None;
                let (again, _, _) = TestBoard::power_on(&mut flash);
                assert!(before.is_stored_in(&again) || board.is_stored_in(&again), "{bytes_left} of {bytes}");
            }
        }
        (flash, journal) = next;
    }
    assert!(board.game.sheet().len() > 1_000, "{}", board.game.sheet().len());
    let (again, _, condition) = TestBoard::power_on(&mut flash);
    assert!(board.is_stored_in(&again) && condition == Condition::Whole);
}

#[test]
fn the_longest_game_fits_into_a_bank_with_all_other_state() {
    let per_frame = (MAX_PAYLOAD - Record::MOVES_OVERHEAD) / Moves::MOVE_LEN;
    let moves = MAX_PLIES.div_ceil(per_frame);
    // Twelve values, the pending events, and one record of each other kind. The unused end of a frame is shorter than the
    // longest record.
    let others = (12 + 6) * Record::MAX_LEN + 256 * (NumberedEvent::MAX_LEN + 2);
    let frames = moves + others.div_ceil(MAX_PAYLOAD - Record::MAX_LEN) + 2;
    assert!(HEADER_LEN + frames * MAX_FRAME < MIN_BANK * 4 / 5, "{frames}");
}
