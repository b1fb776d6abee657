//! Games so long that they take many frames.

use board::journal::{Condition, MIN_BANK};
use chess::{Game, MAX_PLIES, Move, Role};
use wire::journal::{HEAD_LEN, MAX_FRAME, MAX_PAYLOAD, Moves, Record};
use wire::link::Said;

use crate::flash::{Chance, Dark, Flash};
use crate::world::World;

/// A move that keeps a game going: a pawn moves only when one has to, and nothing repeats so often that it is a draw.
fn patient_move(game: &Game, chance: &mut Chance) -> Option<Move> {
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
    (!fitting.is_empty()).then(|| fitting[chance.below(fitting.len())])
}

#[test]
fn a_long_game_moves_into_the_other_bank_and_is_never_half_there() {
    let mut flash = Flash::new(MIN_BANK, 0xff);
    let (mut world, mut journal, _) = World::wake(&mut flash);
    let mut chance = Chance(3);
    let mut moved = 0;
    while moved < 3
        && let Some(mv) = patient_move(&world.game, &mut chance)
        && world.game.outcome().is_none()
    {
        let before = world.clone();
        world.game.play(mv).expect("a legal move");
        let erasures = flash.erasures;
        let mut next = (flash.clone(), journal.clone());
        world.keep(&mut next.1, &mut next.0, true).expect("power");
        if next.0.erasures != erasures {
            moved += 1;
            // It is cut off now and then while it moves.
            let bytes = next.0.used - flash.used;
            for life in (0..bytes).step_by(211) {
                let mut flash = flash.clone();
                flash.life = Some(life);
                assert_eq!(world.keep(&mut journal.clone(), &mut flash, true), Err(Dark));
                flash.life = None;
                let (again, _, _) = World::wake(&mut flash);
                assert!(before.is_in(&again) || world.is_in(&again), "{life} of {bytes}");
            }
        }
        (flash, journal) = next;
    }
    assert!(world.game.moves().len() > 1_000, "{}", world.game.moves().len());
    let (again, _, condition) = World::wake(&mut flash);
    assert!(world.is_in(&again) && condition == Condition::Whole);
}

#[test]
fn the_longest_game_has_room_with_everything_beside_it() {
    let per_frame = (MAX_PAYLOAD - Record::MOVES_OVERHEAD) / Moves::MOVE_LEN;
    let moves = MAX_PLIES.div_ceil(per_frame);
    // Twelve values, the events that wait, and one each of the rest; behind each but the last of these frames the next
    // record had no room.
    let others = (12 + 6) * Record::MAX_LEN + 256 * (Said::MAX_LEN + 2);
    let frames = moves + others.div_ceil(MAX_PAYLOAD - Record::MAX_LEN) + 2;
    assert!(HEAD_LEN + frames * MAX_FRAME < MIN_BANK * 4 / 5, "{frames}");
}
