//! Flash wear: bytes per game, and games until the flash is worn out.

use board::journal::{Action, Journal};
use rules::{Ply, Start};
use wire::link::{ClockRule, Clocks, Event, Seat};

use crate::flash::{Flash, TestRng};
use crate::test_board::TestBoard;
use crate::told_chess::turn_after;

/// Rated number of erases.
const ERASES: u64 = 10_000;
/// Length of a bank in bytes.
const BANK: u64 = 256 * 1024;

/// Number of bytes that are written for a game of forty moves.
fn bytes_of_a_game(remote: bool) -> u64 {
    let mut flash = Flash::new(64 * 1024, 0xff);
    let (mut board, mut journal, _) = TestBoard::power_on(&mut flash);
    board.persist(&mut journal, &mut flash, true).expect("no power cut");
    let before = flash.used;
    board.number = 0x0123_4567_89ab_cdef;
    if remote {
        board.seat = Seat::White;
        board.names = ["a player at this board".to_owned(), "a remote player".to_owned()];
        board.clock = Some(ClockRule { base_ms: 5_400_000, increment_ms: 30_000 });
        board.clocks = Some(Clocks { white_ms: 5_400_000, black_ms: 5_400_000, running: None });
        board.session.force_snapshot();
    }
    persist(&board, &mut journal, &mut flash);
    let mut rng = TestRng(40);
    while board.game.sheet().len() < 80 {
        let moves = board.chess().position().legal_moves();
        let mv = moves[rng.below(moves.len())];
        let ply = board.game.sheet().len() as u16;
        board.game.play(Ply::of_move(mv)).expect("a game that is not over");
        if remote {
            let left = 5_400_000 - u32::from(ply) * 60_000;
            let turn = board.chess().position().turn();
            board.clocks = Some(Clocks { white_ms: left, black_ms: left, running: Some(turn) });
            if board.seat.has(turn) {
                board.change_memory(|memory| memory.seen.last += 1);
            } else {
                board
                    .session
                    .queue_event(Event::Moved { number: ply, ply: Ply::of_move(mv), thought_ms: 60_000 })
                    .expect("room");
            }
        }
        persist(&board, &mut journal, &mut flash);
        board.change_memory(|memory| memory.acknowledged = memory.last);
    }
    flash.used - before
}

/// Number of bytes that are written for a told game of forty moves, of which every turn is stored.
fn bytes_of_a_told_game() -> u64 {
    let mut flash = Flash::new(64 * 1024, 0xff);
    let (mut board, mut journal, _) = TestBoard::power_on(&mut flash);
    board.persist(&mut journal, &mut flash, true).expect("no power cut");
    let before = flash.used;
    board.seat = Seat::White;
    let mut rng = TestRng(40);
    let mut plies: Vec<Ply> = Vec::new();
    board.game.restart(&Start::Told(turn_after([])));
    persist(&board, &mut journal, &mut flash);
    while plies.len() < 80 {
        let legal = board.game.situation().plies();
        let ply = legal[rng.below(legal.len())];
        let number = plies.len() as u16;
        plies.push(ply);
        if board.seat.has(board.game.to_move()) {
            board.game.play(ply).expect("legal");
            board.session.queue_event(Event::Moved { number, ply, thought_ms: 60_000 }).expect("room");
            persist(&board, &mut journal, &mut flash);
        }
        board.game.restart(&Start::Told(turn_after(plies.iter().copied())));
        for &ply in &plies {
            board.game.play(ply).expect("a record");
        }
        board.change_memory(|memory| {
            memory.seen.last += 1;
            memory.acknowledged = memory.last;
        });
        persist(&board, &mut journal, &mut flash);
    }
    flash.used - before
}

/// A turn takes about as much as its plies, however many plies were played before it.
#[test]
fn the_flash_lasts_for_more_than_two_hundred_thousand_told_games() {
    // docs/protocol.md states these numbers.
    let told = bytes_of_a_told_game();
    assert!(told <= 18_000, "{told}");
    let games = 2 * ERASES * ((BANK * 3 / 4 - 4 * 1024) / told);
    assert!(games > 200_000, "{games}");
}

fn persist(board: &TestBoard, journal: &mut Journal, flash: &mut Flash) {
    while let Some(action) = journal.poll(&board.state(), false) {
        assert!(matches!(action, Action::Write { .. }), "one game needs no erase");
        flash.carry_out(&action).expect("no power cut");
        journal.done();
    }
}

#[test]
fn the_flash_lasts_for_more_than_a_million_games() {
    // docs/protocol.md states these numbers.
    let (here, remote) = (bytes_of_a_game(false), bytes_of_a_game(true));
    assert!(here <= 1_350, "{here}");
    assert!(remote <= 2_700, "{remote}");
    // Each bank is filled to three quarters per erase, and begins with a snapshot.
    let games = 2 * ERASES * ((BANK * 3 / 4 - 4 * 1024) / remote);
    assert!(games > 1_400_000, "{games}");
}
