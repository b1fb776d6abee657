//! Power cuts at every byte of every write and at every stage of every erase.

use board::journal::{Condition, Journal};

use crate::flash::{Flash, PowerCut};
use crate::script::{Step, genome_script, script, step, told_script};
use crate::test_board::TestBoard;

const BANK: usize = 1024;

fn another_change() -> Step {
    step(|test_board| test_board.values.set(11, b"after the cut").expect("a value"))
}

/// A board after a part of the script, with its state stored.
struct StoredBoard {
    test_board: TestBoard,
    journal: Journal,
    flash: Flash,
}

impl StoredBoard {
    fn new(fill: u8) -> Self {
        let mut flash = Flash::new(BANK, fill);
        let (test_board, journal, condition) = TestBoard::power_on(&mut flash);
        assert_eq!(condition, Condition::Blank);
        assert!(test_board.is_stored_in(&TestBoard::new()) && TestBoard::new().is_stored_in(&test_board));
        Self { test_board, journal, flash }
    }

    /// The flash after a power cut while `test_board` is being stored.
    fn cut(&self, test_board: &TestBoard, bytes_left: u64, quiet: bool) -> Flash {
        let mut flash = self.flash.clone();
        flash.bytes_left = Some(bytes_left);
        flash.rng.0 ^= bytes_left << 32;
        let mut journal = self.journal.clone();
        assert_eq!(test_board.persist(&mut journal, &mut flash, quiet), Err(PowerCut));
        flash.bytes_left = None;
        flash
    }
}

/// Switches a board on, and checks that it has recovered one of the possible states. Returns the index of that state.
fn recover(flash: &mut Flash, possible: [&TestBoard; 2], what: &str) -> (TestBoard, Journal, usize) {
    let (test_board, journal, _) = TestBoard::power_on(flash);
    let index = possible.iter().position(|possible| possible.is_stored_in(&test_board));
    let Some(index) = index else {
        panic!("{what}: {:#?} is neither {:#?} nor {:#?}", test_board.state(), possible[0].state(), possible[1].state())
    };
    (test_board, journal, index)
}

/// Checks that a board recovers the state before or after the step, and then continues normally.
fn check(mut flash: Flash, before: &TestBoard, after: &TestBoard, step: &Step, what: &str) {
    let (mut test_board, mut journal, index) = recover(&mut flash, [before, after], what);
    let known = [before, after][index];

    // A second power cut while the board prepares its banks.
    let mut again = flash.clone();
    again.bytes_left = Some(flash.rng.next() % 400);
    if test_board.persist(&mut journal.clone(), &mut again, true) == Err(PowerCut) {
        again.bytes_left = None;
        recover(&mut again, [known; 2], what);
    }

    // No further power cut.
    test_board.persist(&mut journal, &mut flash, false).expect("no power cut");
    let (_, _, condition) = TestBoard::power_on(&mut flash);
    assert_eq!(condition, Condition::Whole, "{what}");
    recover(&mut flash, [known; 2], what);
    if index == 0 {
        step(&mut test_board);
        test_board.persist(&mut journal, &mut flash, false).expect("no power cut");
        recover(&mut flash, [after; 2], what);
    }
    another_change()(&mut test_board);
    test_board.persist(&mut journal, &mut flash, true).expect("no power cut");
    recover(&mut flash, [&test_board; 2], what);
}

fn play_and_cut(fill: u8, is_quiet: impl Fn(usize) -> bool) -> StoredBoard {
    let mut board = StoredBoard::new(fill);
    let mut cuts = 0;
    for (number, step) in script().iter().chain(&genome_script()).chain(&told_script()).chain(&script()).enumerate() {
        let quiet = is_quiet(number);
        let before = board.test_board.clone();
        let mut after = before.clone();
        step(&mut after);

        let mut flash = board.flash.clone();
        let mut journal = board.journal.clone();
        flash.used = 0;
        after.persist(&mut journal, &mut flash, quiet).expect("no power cut");
        for bytes_left in 0..flash.used {
            let what = format!("step {number} cut off after {bytes_left} of {} bytes", flash.used);
            check(board.cut(&after, bytes_left, quiet), &before, &after, step, &what);
            cuts += 1;
        }
        board = StoredBoard { test_board: after, journal, flash };
        recover(&mut board.flash, [&board.test_board; 2], &format!("step {number}"));
    }
    assert!(cuts > 4_000, "{cuts}");
    board
}

#[test]
fn recovers_the_stored_state_after_a_power_cut_at_any_byte() {
    let board = play_and_cut(0xff, |_| false);
    // The active bank has changed more than once.
    assert!(board.flash.erases.iter().all(|&erases| erases >= 2), "{:?}", board.flash.erases);
}

#[test]
fn recovers_with_used_flash_and_banks_prepared_in_quiet_moments() {
    let board = play_and_cut(0x5a, |number| number % 4 == 0);
    assert!(board.flash.erases.iter().all(|&erases| erases >= 2), "{:?}", board.flash.erases);
}

#[test]
fn a_batch_becomes_valid_with_its_last_byte() {
    let mut board = StoredBoard::new(0xff);
    for step in script().iter().take(11) {
        step(&mut board.test_board);
        board.test_board.persist(&mut board.journal, &mut board.flash, true).expect("no power cut");
    }
    let before = board.test_board.clone();
    let mut after = before.clone();
    after.play("a2a3");
    let mut flash = board.flash.clone();
    flash.used = 0;
    after.persist(&mut board.journal.clone(), &mut flash, false).expect("no power cut");
    assert_eq!(flash.used, 16, "one word");
    for bytes_left in 0..flash.used {
        let mut flash = board.cut(&after, bytes_left, false);
        // The padding is 0, and an interrupted byte may already read as its final value.
        let complete = flash.banks == {
            let mut finished = board.flash.clone();
            after.persist(&mut board.journal.clone(), &mut finished, false).expect("no power cut");
            finished.banks
        };
        let (test_board, _, condition) = TestBoard::power_on(&mut flash);
        assert!(if complete { &after } else { &before }.is_stored_in(&test_board), "{bytes_left}");
        let untouched = flash.banks == board.flash.banks;
        assert_eq!(condition, if complete || untouched { Condition::Whole } else { Condition::Torn }, "{bytes_left}");
    }
}
