//! How long a board lasts.

use board::journal::{Action, Journal};
use wire::link::{ClockRule, Clocks, Event, Seat};

use crate::flash::{Chance, Flash};
use crate::world::World;

/// What the flash of the board is made for.
const ERASURES: u64 = 10_000;
/// The length of its banks.
const BANK: u64 = 256 * 1024;

/// How many bytes it takes to keep a game of forty moves.
fn bytes_of_a_game(afar: bool) -> u64 {
    let mut flash = Flash::new(64 * 1024, 0xff);
    let (mut world, mut journal, _) = World::wake(&mut flash);
    world.keep(&mut journal, &mut flash, true).expect("power");
    let before = flash.used;
    world.number = 0x0123_4567_89ab_cdef;
    if afar {
        world.seat = Seat::White;
        world.names = ["somebody at this board".to_owned(), "somebody far away".to_owned()];
        world.clock = Some(ClockRule { base_ms: 5_400_000, increment_ms: 30_000 });
        world.clocks = Some(Clocks { white_ms: 5_400_000, black_ms: 5_400_000, running: None });
        world.conversation.renew();
    }
    keep(&world, &mut journal, &mut flash);
    let mut chance = Chance(40);
    while world.game.moves().len() < 80 {
        let moves = world.game.position().legal_moves();
        let mv = moves[chance.below(moves.len())];
        let ply = world.game.moves().len() as u16;
        world.game.play(mv).expect("a game that is not over");
        if afar {
            let left = 5_400_000 - u32::from(ply) * 60_000;
            let turn = world.game.position().turn();
            world.clocks = Some(Clocks { white_ms: left, black_ms: left, running: Some(turn) });
            if world.seat.has(turn) {
                world.change_memory(|memory| memory.seen.last += 1);
            } else {
                world.conversation.say(Event::Moved { ply, mv, thought_ms: 60_000 }).expect("room");
            }
        }
        keep(&world, &mut journal, &mut flash);
        world.change_memory(|memory| memory.acknowledged = memory.said);
    }
    flash.used - before
}

fn keep(world: &World, journal: &mut Journal, flash: &mut Flash) {
    while let Some(action) = journal.poll(&world.holdings(), false) {
        assert!(matches!(action, Action::Write { .. }), "nothing is erased for so little");
        flash.carry_out(&action).expect("power");
        journal.done();
    }
}

#[test]
fn the_flash_lasts_for_more_than_a_million_games() {
    // These numbers are in the document.
    let (here, afar) = (bytes_of_a_game(false), bytes_of_a_game(true));
    assert!(here <= 1_350, "{here}");
    assert!(afar <= 2_700, "{afar}");
    // Each of the two banks is filled so often, up to three quarters, and begins with what there is to keep.
    let games = 2 * ERASURES * ((BANK * 3 / 4 - 4 * 1024) / afar);
    assert!(games > 1_400_000, "{games}");
}
