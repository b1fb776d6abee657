//! Banks in which something is not as it was written.

use board::journal::{Bank, Condition, Journal};
use chess::Game;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use crate::flash::{Chance, Flash};
use crate::script::script;
use crate::world::World;

fn config() -> ProptestConfig {
    let mut config = ProptestConfig { failure_persistence: None, ..ProptestConfig::default() };
    if config.rng_seed == RngSeed::Random {
        config.rng_seed = RngSeed::Fixed(64);
    }
    config
}

/// A flash in which much has been kept.
struct Played {
    flash: Flash,
    /// Everything that was ever kept, the last first.
    past: Vec<World>,
    /// Which of them was the last in the bank that does not count any more.
    bank_before: usize,
}

fn played() -> Played {
    let mut flash = Flash::new(1024, 0xff);
    let (mut world, mut journal, _) = World::wake(&mut flash);
    let mut past = vec![world.clone()];
    let mut bank_before = 0;
    for step in script().iter().chain(&script()[..30]) {
        step(&mut world);
        let erasures = flash.erasures;
        world.keep(&mut journal, &mut flash, false).expect("power");
        past.insert(0, world.clone());
        // The first time it is not from one bank to the other.
        bank_before = if flash.erasures == erasures || past.len() == 2 { bank_before + 1 } else { 1 };
    }
    assert!(flash.erasures.iter().sum::<u32>() >= 3 && bank_before > 12, "{bank_before}");
    Played { flash, past, bank_before }
}

impl Played {
    /// Which of those that it was a board is after it has been switched on with this flash: it must be one of them. It
    /// goes on from there.
    fn wake(&self, flash: &mut Flash, what: &str) -> usize {
        let (world, mut journal, condition) = World::wake(flash);
        let index = self.past.iter().position(|past| past.is_in(&world)).expect(what);
        if index > 0 && condition == Condition::Whole {
            // The newer bank is lost altogether. The older one ends where that began.
            assert_eq!(index, self.bank_before, "{what}");
        }
        if index % 16 == 3 {
            world.keep(&mut journal, flash, true).expect("power");
            let (again, _, condition) = World::wake(flash);
            assert!(self.past[index].is_in(&again) && condition == Condition::Whole, "{what}");
        }
        index
    }
}

#[test]
fn a_bit_that_flips_takes_back_what_came_after_it_and_changes_nothing_before() {
    let played = played();
    let mut found = vec![0; played.past.len()];
    for bank in 0..2 {
        for bit in 0..played.flash.banks[bank].len() * 8 {
            let mut flash = played.flash.clone();
            flash.banks[bank][bit / 8] ^= 1 << (bit % 8);
            found[played.wake(&mut flash, &format!("bit {bit} of bank {bank}"))] += 1;
        }
    }
    // Most often it is in the bank that does not count, or in the last moves.
    assert!(found[0] > 5_000, "{found:?}");
    assert!(found[1..10].iter().all(|&found| found > 0), "{found:?}");
}

#[test]
fn bytes_that_are_not_those_that_were_written_are_never_believed() {
    let played = played();
    let mut chance = Chance(7);
    for round in 0..3_000 {
        let mut flash = played.flash.clone();
        for _ in 0..=round % 5 {
            let bank = chance.below(2);
            let len = flash.banks[bank].len();
            let from = chance.below(len);
            let to = (from + 1 + chance.below(40)).min(len);
            let source = chance.below(len);
            let kind = chance.below(4);
            let copy = flash.banks[chance.below(2)].clone();
            for (place, byte) in flash.banks[bank][from..to].iter_mut().enumerate() {
                *byte = match kind {
                    0 => 0xff,
                    1 => 0,
                    2 => copy[(source + place) % len],
                    _ => chance.byte(),
                };
            }
        }
        played.wake(&mut flash, &format!("round {round}"));
    }
}

#[test]
fn banks_that_change_places_or_times_are_still_read_right() {
    let played = played();
    let mut swapped = played.flash.clone();
    swapped.banks.swap(0, 1);
    assert_eq!(played.wake(&mut swapped, "swapped"), 0);
    // Twice the same bank, as after a copy.
    let mut found = [0, 1].map(|bank| {
        let mut flash = played.flash.clone();
        flash.banks[1 - bank] = flash.banks[bank].clone();
        played.wake(&mut flash, "copied")
    });
    found.sort_unstable();
    assert_eq!(found, [0, played.bank_before]);
}

#[test]
fn a_bank_that_cannot_be_read_is_damaged() {
    struct Deaf(Flash, Option<Bank>);
    impl board::journal::Banks for Deaf {
        fn bank_len(&self) -> usize {
            self.0.bank_len()
        }
        fn read(&mut self, bank: Bank, offset: usize, buffer: &mut [u8]) -> Result<(), board::journal::Unreadable> {
            if self.1.is_none_or(|deaf| deaf == bank) {
                return Err(board::journal::Unreadable);
            }
            self.0.read(bank, offset, buffer)
        }
    }
    let Played { flash, past, bank_before } = played();
    let mut game = Box::new(Game::new());
    let (_, recovered) = Journal::recover(&mut Deaf(flash.clone(), None), &mut game);
    assert_eq!(recovered.condition, Condition::Blank);
    // One of them does not count; without the other one there is still the bank before it.
    for bank in [Bank::A, Bank::B] {
        Journal::recover(&mut Deaf(flash.clone(), Some(bank)), &mut game);
        assert!([0, bank_before].iter().any(|&index| past[index].game == game));
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn garbage_is_nothing(seed: u64, ones in 0..3_u8, head in 0..4_usize) {
        let mut chance = Chance(seed);
        let mut flash = Flash::new(512, 0xff);
        for bank in &mut flash.banks {
            for byte in bank.iter_mut() {
                *byte = (0..ones).fold(chance.byte(), |byte, _| byte | chance.byte());
            }
        }
        // Often with heads that are as they should be.
        for (bank, sequence) in flash.banks.iter_mut().zip([5, 6]).take(head) {
            let (bytes, _) = wire::journal::Head { sequence }.write();
            bank[..bytes.len()].copy_from_slice(&bytes);
        }
        let (world, mut journal, condition) = World::wake(&mut flash);
        prop_assert_eq!(condition, Condition::Blank);
        prop_assert!(World::new().is_in(&world));
        world.keep(&mut journal, &mut flash, false).expect("power");
        let (_, _, condition) = World::wake(&mut flash);
        prop_assert_eq!(condition, Condition::Whole);
    }
}
