//! Damaged banks: flipped bits, overwritten bytes, swapped and unreadable banks.

use board::journal::{Bank, Condition, Journal};

use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use crate::flash::{Flash, TestRng};
use crate::script::script;
use crate::test_board::TestBoard;

fn config() -> ProptestConfig {
    let mut config = ProptestConfig { failure_persistence: None, ..ProptestConfig::default() };
    if config.rng_seed == RngSeed::Random {
        config.rng_seed = RngSeed::Fixed(64);
    }
    config
}

/// A flash with a history.
struct WrittenFlash {
    flash: Flash,
    /// All states that were stored, the last first.
    past: Vec<TestBoard>,
    /// Index of the last state in the inactive bank.
    bank_before: usize,
}

fn written_flash() -> WrittenFlash {
    let mut flash = Flash::new(1024, 0xff);
    let (mut board, mut journal, _) = TestBoard::power_on(&mut flash);
    let mut past = vec![board.clone()];
    let mut bank_before = 0;
    for step in script().iter().chain(&script()[..30]) {
        step(&mut board);
        let erases = flash.erases;
        board.persist(&mut journal, &mut flash, false).expect("no power cut");
        past.insert(0, board.clone());
        // The first erase is not a change of banks.
        bank_before = if flash.erases == erases || past.len() == 2 { bank_before + 1 } else { 1 };
    }
    assert!(flash.erases.iter().sum::<u32>() >= 3 && bank_before > 12, "{bank_before}");
    WrittenFlash { flash, past, bank_before }
}

impl WrittenFlash {
    /// Switches a board on with this flash, and returns the index of the recovered state, which must be one of the past.
    fn recover(&self, flash: &mut Flash, what: &str) -> usize {
        let (board, mut journal, condition) = TestBoard::power_on(flash);
        let index = self.past.iter().position(|past| past.is_stored_in(&board)).expect(what);
        if index > 0 && condition == Condition::Whole {
            // The active bank is lost as a whole, so the last state of the inactive bank is recovered.
            assert_eq!(index, self.bank_before, "{what}");
        }
        if index % 16 == 3 {
            board.persist(&mut journal, flash, true).expect("no power cut");
            let (again, _, condition) = TestBoard::power_on(flash);
            assert!(self.past[index].is_stored_in(&again) && condition == Condition::Whole, "{what}");
        }
        index
    }
}

#[test]
fn a_flipped_bit_loses_only_what_was_written_after_it() {
    let written = written_flash();
    let mut found = vec![0; written.past.len()];
    for bank in 0..2 {
        for bit in 0..written.flash.banks[bank].len() * 8 {
            let mut flash = written.flash.clone();
            flash.banks[bank][bit / 8] ^= 1 << (bit % 8);
            found[written.recover(&mut flash, &format!("bit {bit} of bank {bank}"))] += 1;
        }
    }
    // Most bits are in the inactive bank or after the last frame.
    assert!(found[0] > 5_000, "{found:?}");
    assert!(found[1..10].iter().all(|&found| found > 0), "{found:?}");
}

#[test]
fn overwritten_bytes_are_never_accepted() {
    let written = written_flash();
    let mut rng = TestRng(7);
    for round in 0..3_000 {
        let mut flash = written.flash.clone();
        for _ in 0..=round % 5 {
            let bank = rng.below(2);
            let len = flash.banks[bank].len();
            let from = rng.below(len);
            let to = (from + 1 + rng.below(40)).min(len);
            let source = rng.below(len);
            let kind = rng.below(4);
            let copy = flash.banks[rng.below(2)].clone();
            for (place, byte) in flash.banks[bank][from..to].iter_mut().enumerate() {
                *byte = match kind {
                    0 => 0xff,
                    1 => 0,
                    2 => copy[(source + place) % len],
                    _ => rng.byte(),
                };
            }
        }
        written.recover(&mut flash, &format!("round {round}"));
    }
}

#[test]
fn swapped_and_copied_banks_are_recovered() {
    let written = written_flash();
    let mut swapped = written.flash.clone();
    swapped.banks.swap(0, 1);
    assert_eq!(written.recover(&mut swapped, "swapped"), 0);
    // The same content in both banks.
    let mut found = [0, 1].map(|bank| {
        let mut flash = written.flash.clone();
        flash.banks[1 - bank] = flash.banks[bank].clone();
        written.recover(&mut flash, "copied")
    });
    found.sort_unstable();
    assert_eq!(found, [0, written.bank_before]);
}

#[test]
fn an_unreadable_bank_counts_as_damaged() {
    struct FailingBanks(Flash, Option<Bank>);
    impl board::journal::Banks for FailingBanks {
        fn bank_len(&self) -> usize {
            self.0.bank_len()
        }
        fn read(&mut self, bank: Bank, offset: usize, buffer: &mut [u8]) -> Result<(), board::journal::Unreadable> {
            if self.1.is_none_or(|failing| failing == bank) {
                return Err(board::journal::Unreadable);
            }
            self.0.read(bank, offset, buffer)
        }
    }
    let WrittenFlash { flash, past, bank_before } = written_flash();
    let mut game = Box::new(rules::Play::new());
    let (_, recovered) = Journal::recover(&mut FailingBanks(flash.clone(), None), &mut game);
    assert_eq!(recovered.condition, Condition::Blank);
    // With the active bank unreadable, the inactive bank is recovered.
    for bank in [Bank::A, Bank::B] {
        Journal::recover(&mut FailingBanks(flash.clone(), Some(bank)), &mut game);
        assert!([0, bank_before].iter().any(|&index| past[index].game == game));
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn garbage_is_recovered_as_blank(seed: u64, ones in 0..3_u8, headers in 0..4_usize) {
        let mut rng = TestRng(seed);
        let mut flash = Flash::new(512, 0xff);
        for bank in &mut flash.banks {
            for byte in bank.iter_mut() {
                *byte = (0..ones).fold(rng.byte(), |byte, _| byte | rng.byte());
            }
        }
        // Some of the banks have valid headers.
        for (bank, sequence) in flash.banks.iter_mut().zip([5, 6]).take(headers) {
            let (bytes, _) = wire::journal::BankHeader { sequence }.write();
            bank[..bytes.len()].copy_from_slice(&bytes);
        }
        let (board, mut journal, condition) = TestBoard::power_on(&mut flash);
        prop_assert_eq!(condition, Condition::Blank);
        prop_assert!(TestBoard::new().is_stored_in(&board));
        board.persist(&mut journal, &mut flash, false).expect("no power cut");
        let (_, _, condition) = TestBoard::power_on(&mut flash);
        prop_assert_eq!(condition, Condition::Whole);
    }
}
