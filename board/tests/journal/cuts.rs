//! Power cuts, at every byte of every write and at every stage of every erasure.

use board::journal::{Condition, Journal};

use crate::flash::{Dark, Flash};
use crate::script::{Step, script, step};
use crate::world::World;

const BANK: usize = 1024;

/// Something else that happens to a board.
fn another() -> Step {
    step(|world| world.values.set(11, b"after the cut").expect("a value"))
}

/// A board that has gone through a part of the script, with all of it kept.
struct Player {
    world: World,
    journal: Journal,
    flash: Flash,
}

impl Player {
    fn new(fill: u8) -> Self {
        let mut flash = Flash::new(BANK, fill);
        let (world, journal, condition) = World::wake(&mut flash);
        assert_eq!(condition, Condition::Blank);
        assert!(world.is_in(&World::new()) && World::new().is_in(&world));
        Self { world, journal, flash }
    }

    /// What becomes of it if the power goes after so many bytes.
    fn cut(&self, world: &World, life: u64, quiet: bool) -> Flash {
        let mut flash = self.flash.clone();
        flash.life = Some(life);
        flash.chance.0 ^= life << 32;
        let mut journal = self.journal.clone();
        assert_eq!(world.keep(&mut journal, &mut flash, quiet), Err(Dark));
        flash.life = None;
        flash
    }
}

/// Switches a board on again, and sees that everything of one of these is there. Returns it with the number of the one
/// that it is; the first if both are the same.
fn wake(flash: &mut Flash, possible: [&World; 2], what: &str) -> (World, Journal, usize) {
    let (world, journal, _) = World::wake(flash);
    let index = possible.iter().position(|possible| possible.is_in(&world));
    let Some(index) = index else {
        panic!(
            "{what}: {:#?} is neither {:#?} nor {:#?}",
            world.holdings(),
            possible[0].holdings(),
            possible[1].holdings()
        )
    };
    (world, journal, index)
}

/// A board that was cut off has what it had kept before, or after; and then it goes on as if nothing had been.
fn check(mut flash: Flash, before: &World, after: &World, step: &Step, what: &str) {
    let (mut world, mut journal, index) = wake(&mut flash, [before, after], what);
    let known = [before, after][index];

    // The power goes again, while the board puts its banks in order.
    let mut again = flash.clone();
    again.life = Some(flash.chance.next() % 400);
    if world.keep(&mut journal.clone(), &mut again, true) == Err(Dark) {
        again.life = None;
        wake(&mut again, [known; 2], what);
    }

    // It does not go again.
    world.keep(&mut journal, &mut flash, false).expect("power");
    let (_, _, condition) = World::wake(&mut flash);
    assert_eq!(condition, Condition::Whole, "{what}");
    wake(&mut flash, [known; 2], what);
    if index == 0 {
        step(&mut world);
        world.keep(&mut journal, &mut flash, false).expect("power");
        wake(&mut flash, [after; 2], what);
    }
    another()(&mut world);
    world.keep(&mut journal, &mut flash, true).expect("power");
    wake(&mut flash, [&world; 2], what);
}

fn play_and_cut(fill: u8, is_quiet: impl Fn(usize) -> bool) -> Player {
    let mut player = Player::new(fill);
    let mut cuts = 0;
    for (number, step) in script().iter().chain(&script()).enumerate() {
        let quiet = is_quiet(number);
        let before = player.world.clone();
        let mut after = before.clone();
        step(&mut after);

        let mut flash = player.flash.clone();
        let mut journal = player.journal.clone();
        flash.used = 0;
        after.keep(&mut journal, &mut flash, quiet).expect("power");
        for life in 0..flash.used {
            let what = format!("step {number} cut off after {life} of {} bytes", flash.used);
            check(player.cut(&after, life, quiet), &before, &after, step, &what);
            cuts += 1;
        }
        player = Player { world: after, journal, flash };
        wake(&mut player.flash, [&player.world; 2], &format!("step {number}"));
    }
    assert!(cuts > 4_000, "{cuts}");
    player
}

#[test]
fn a_board_comes_back_to_what_it_had_kept_wherever_it_is_cut_off() {
    let player = play_and_cut(0xff, |_| false);
    // And the banks have changed places more than once.
    assert!(player.flash.erasures.iter().all(|&erasures| erasures >= 2), "{:?}", player.flash.erasures);
}

#[test]
fn it_does_so_also_if_banks_are_made_ready_in_quiet_moments_and_were_used_before() {
    let player = play_and_cut(0x5a, |number| number % 4 == 0);
    assert!(player.flash.erasures.iter().all(|&erasures| erasures >= 2), "{:?}", player.flash.erasures);
}

#[test]
fn what_is_complete_is_kept_and_what_is_not_is_not() {
    // The last byte of the last frame decides, and nothing before it does.
    let mut player = Player::new(0xff);
    for step in script().iter().take(11) {
        step(&mut player.world);
        player.world.keep(&mut player.journal, &mut player.flash, true).expect("power");
    }
    let before = player.world.clone();
    let mut after = before.clone();
    after.game.play("a2a3".parse().expect("a move")).expect("a legal move");
    let mut flash = player.flash.clone();
    flash.used = 0;
    after.keep(&mut player.journal.clone(), &mut flash, false).expect("power");
    assert_eq!(flash.used, 16, "one word");
    for life in 0..flash.used {
        let mut flash = player.cut(&after, life, false);
        // What is behind the records is 0; a byte that is cut off may already read as what it was to be.
        let whole = flash.banks == {
            let mut whole = player.flash.clone();
            after.keep(&mut player.journal.clone(), &mut whole, false).expect("power");
            whole.banks
        };
        let (world, _, condition) = World::wake(&mut flash);
        assert!(if whole { &after } else { &before }.is_in(&world), "{life}");
        let untouched = flash.banks == player.flash.banks;
        assert_eq!(condition, if whole || untouched { Condition::Whole } else { Condition::Torn }, "{life}");
    }
}
