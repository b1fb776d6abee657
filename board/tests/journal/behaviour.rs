//! Behaviour of the journal without power cuts.

use board::Instant;
use board::journal::{Action, Bank, Banks, Condition, Journal, PersistentState, ValueError, Values};
use board::session::{BoardSession, End, Session};
use chess::{Color, DrawClaim};
use rules::{Play, Ply, Verdict, Why};
use wire::journal::{MAX_VALUE, SessionMemory};
use wire::link::{Ephemeral, Event, GameInfo, MAX_FRAME, PairingKey, Responder};

use crate::flash::Flash;
use crate::script::Step;
use crate::test_board::TestBoard;

fn new(bank_len: usize) -> (Flash, TestBoard, Journal) {
    let mut flash = Flash::new(bank_len, 0xff);
    let (board, mut journal, _) = TestBoard::power_on(&mut flash);
    board.persist(&mut journal, &mut flash, true).expect("no power cut");
    (flash, board, journal)
}

fn play(board: &mut TestBoard, moves: &str) {
    for text in moves.split_whitespace() {
        board.play(text);
    }
}

/// Asserts that a board recovers this state from the flash.
fn assert_stored(board: &TestBoard, flash: &mut Flash) {
    let (again, _, condition) = TestBoard::power_on(flash);
    assert!(board.is_stored_in(&again), "{:#?} is not {:#?}", again.state(), board.state());
    assert_eq!(condition, Condition::Whole);
}

#[test]
fn writes_nothing_without_a_change() {
    let (mut flash, mut board, mut journal) = new(1024);
    assert_eq!(journal.poll(&board.state(), true), None);
    board.session.queue_event(Event::Hints { on: true }).expect("room");
    board.persist(&mut journal, &mut flash, true).expect("no power cut");
    // An acknowledgement alone is not written.
    board.change_memory(|memory| memory.acknowledged = 1);
    assert_eq!(journal.poll(&board.state(), true), None);
    let (board, mut journal, _) = TestBoard::power_on(&mut flash);
    assert_eq!(journal.poll(&board.state(), true), None);
}

#[test]
fn acknowledgements_are_stored_with_a_limited_lag() {
    let (mut flash, mut board, mut journal) = new(4096);
    for number in 1..=100 {
        board.session.queue_event(Event::Hints { on: number % 2 == 0 }).expect("room");
        board.persist(&mut journal, &mut flash, true).expect("no power cut");
        board.change_memory(|memory| memory.acknowledged = number);
        let (again, _, _) = TestBoard::power_on(&mut flash);
        assert!(again.memory().acknowledged + 33 > number, "{number}");
    }
    assert_stored(&board, &mut flash);
}

#[test]
fn erases_in_a_quiet_moment_if_possible() {
    let mut flash = Flash::new(1024, 0xff);
    let (mut board, mut journal, _) = TestBoard::power_on(&mut flash);
    board.persist(&mut journal, &mut flash, false).expect("no power cut");
    assert_eq!(flash.erases, [1, 0], "the first bank must be erased at once");
    assert_eq!(journal.poll(&board.state(), true), Some(Action::Erase(Bank::B)));
    board.persist(&mut journal, &mut flash, true).expect("no power cut");
    assert_eq!(flash.erases, [1, 1], "the spare bank is prepared in a quiet moment");
    // No further erase until the first bank is full and compacted into the second.
    while journal.poll(&board.state(), false).is_none() {
        assert_eq!(flash.erases, [1, 1]);
        board.settings.lights.brightness ^= 1;
        if let Some(Action::Write { bank: Bank::B, .. }) = journal.poll(&board.state(), false) {
            break;
        }
        board.persist(&mut journal, &mut flash, false).expect("no power cut");
    }
    board.persist(&mut journal, &mut flash, false).expect("no power cut");
    assert_eq!(flash.erases, [1, 1]);
    assert_stored(&board, &mut flash);
    // In a quiet moment a nearly full bank is compacted early.
    board.persist(&mut journal, &mut flash, true).expect("no power cut");
    assert_eq!(flash.erases, [2, 1]);
    let nearly_full = |flash: &Flash| flash.banks[1][1024 * 3 / 4..].iter().any(|&byte| byte != 0xff);
    while !nearly_full(&flash) {
        board.settings.lights.brightness ^= 1;
        board.persist(&mut journal, &mut flash, false).expect("no power cut");
    }
    assert_eq!(flash.erases, [2, 1]);
    board.persist(&mut journal, &mut flash, true).expect("no power cut");
    assert_eq!(flash.erases, [2, 2]);
    assert_stored(&board, &mut flash);
}

#[test]
fn a_change_during_a_batch_is_stored_with_it() {
    let (mut flash, mut board, mut journal) = new(4096);
    play(&mut board, "e2e4 e7e5");
    board.persist(&mut journal, &mut flash, true).expect("no power cut");
    // A batch of more than one frame.
    for id in 0..8 {
        board.values.set(id, &[id + 1; MAX_VALUE]).expect("a value");
    }
    let before = flash.clone();
    for frames in 1..3 {
        let (mut flash, mut board, mut journal) = (before.clone(), board.clone(), journal.clone());
        for _ in 0..frames {
            let action = journal.poll(&board.state(), true).expect("a frame");
            flash.carry_out(&action).expect("no power cut");
            journal.done();
        }
        let (again, _, condition) = TestBoard::power_on(&mut flash.clone());
        assert_eq!((again.game.sheet().len(), condition), (2, Condition::Torn));
        assert_eq!(again.values, Values::new());
        board.game.take_back();
        board.persist(&mut journal, &mut flash, false).expect("no power cut");
        assert_stored(&board, &mut flash);
    }
}

#[test]
fn a_failed_write_is_repeated_in_the_other_bank() {
    // In each round another action fails.
    for failing in 0..40 {
        let mut flash = Flash::new(1024, 0xff);
        let (mut board, mut journal, _) = TestBoard::power_on(&mut flash);
        let mut actions = 0;
        for brightness in 0..30 {
            board.settings.lights.brightness = brightness;
            while let Some(action) = journal.poll(&board.state(), true) {
                actions += 1;
                if actions == failing {
                    // The failed write is partly done.
                    if let Action::Write { bank, offset, bytes } = action {
                        let half = bytes.len() / 2;
                        flash.banks[bank as usize][offset..offset + half].copy_from_slice(&bytes[..half]);
                    }
                    journal.failed();
                } else {
                    flash.carry_out(&action).expect("no power cut");
                    journal.done();
                }
            }
            assert_stored(&board, &mut flash);
        }
    }
}

#[test]
fn a_state_that_does_not_fit_is_not_tried_again() {
    let mut flash = Flash::new(256, 0xff);
    let (mut board, mut journal, _) = TestBoard::power_on(&mut flash);
    board.persist(&mut journal, &mut flash, true).expect("no power cut");
    let before = board.clone();
    for id in 0..4 {
        board.values.set(id, &[7; MAX_VALUE]).expect("a value");
    }
    for _ in 0..100 {
        while let Some(action) = journal.poll(&board.state(), true) {
            flash.carry_out(&action).expect("no power cut");
            journal.done();
        }
    }
    assert!(!journal.has(&board.state()));
    assert!(flash.erases.iter().all(|&erases| erases <= 2), "{:?}", flash.erases);
    assert_stored(&before, &mut flash);
    // A smaller state is stored again.
    board.values = Values::new();
    board.values.set(0, b"short").expect("a value");
    board.persist(&mut journal, &mut flash, true).expect("no power cut");
    assert_stored(&board, &mut flash);
    // Banks that are too small for anything are recovered as blank.
    for bank_len in 0..64 {
        let mut flash = Flash::new(bank_len, 0);
        let (_, _, condition) = TestBoard::power_on(&mut flash);
        assert_eq!(condition, Condition::Blank);
    }
}

#[test]
fn a_large_snapshot_is_not_compacted_again_and_again() {
    let (mut flash, mut board, mut journal) = new(1024);
    for id in 0..10 {
        board.values.set(id, &[7; MAX_VALUE]).expect("a value");
    }
    for brightness in 0..20 {
        board.settings.lights.brightness = brightness;
        board.persist(&mut journal, &mut flash, true).expect("no power cut");
        assert_stored(&board, &mut flash);
    }
    let erases = flash.erases;
    assert!(erases.iter().sum::<u32>() < 10, "{erases:?}");
    for _ in 0..10 {
        board.persist(&mut journal, &mut flash, true).expect("no power cut");
    }
    assert_eq!(flash.erases, erases);
}

#[test]
fn every_verdict_is_stored() {
    let shuffle = "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8";
    let resigned = |loser| move |board: &mut TestBoard| board.game.resign(loser).expect("a game that is not over");
    let flagged = |loser| move |board: &mut TestBoard| board.game.flag(loser).expect("a game that is not over");
    let set_up = |fen: &'static str, moves: &'static str| {
        move |board: &mut TestBoard| {
            board.restart(fen.parse().expect(fen));
            play(board, moves);
        }
    };
    let ends: Vec<Step> = vec![
        Box::new(|board| play(board, "e2e4 e7e5 f1c4 b8c6 d1h5 g8f6 h5f7")),
        Box::new(|board| play(board, "f2f3 e7e5 g2g4 d8h4")),
        Box::new(resigned(Color::White)),
        Box::new(resigned(Color::Black)),
        Box::new(flagged(Color::White)),
        Box::new(flagged(Color::Black)),
        Box::new(set_up("7k/8/6K1/8/8/8/8/5Q2 w - - 0 1", "f1f7")),
        Box::new(set_up("7k/8/8/8/8/8/1p6/K7 w - - 0 1", "a1b2")),
        Box::new(move |board| {
            play(board, shuffle);
            play(board, shuffle);
        }),
        Box::new(set_up("6k1/8/8/8/8/8/8/K6R w - - 149 90", "a1b1")),
        Box::new(move |board| {
            play(board, shuffle);
            board.game.claim_draw(DrawClaim::ThreefoldRepetition, None).expect("a draw");
        }),
        Box::new(move |board| {
            set_up("6k1/8/8/8/8/8/8/K6R w - - 100 90", "")(board);
            board.game.claim_draw(DrawClaim::FiftyMoves, None).expect("a draw");
        }),
        Box::new(move |board| {
            set_up("6k1/8/8/8/8/8/8/K6R w - - 99 90", "")(board);
            let mv = "h1g1".parse().expect("a move");
            board.game.claim_draw(DrawClaim::FiftyMoves, Some(Ply::of_move(mv))).expect("a draw");
        }),
        Box::new(|board| board.game.agree_draw().expect("a game that is not over")),
        Box::new(|board| board.game.end(Verdict::Aborted).expect("a game that is not over")),
        Box::new(|board| {
            let left = Verdict::Won { winner: Color::White, why: Why::Abandonment };
            board.game.end(left).expect("a game that is not over");
        }),
        Box::new(move |board| {
            set_up("6k1/8/8/8/8/8/8/K6R w - - 0 90", "")(board);
            board.game.flag(Color::White).expect("a game that is not over");
        }),
        Box::new(move |board| {
            set_up("7k/8/8/8/8/8/8/K6r w - - 0 90", "a1b2")(board);
            board.game.flag(Color::Black).expect("a game that is not over");
        }),
    ];
    let mut verdicts: Vec<Verdict> = Vec::new();
    for end in &ends {
        let (mut flash, mut board, mut journal) = new(4096);
        end(&mut board);
        verdicts.push(board.game.verdict().expect("a game that is over"));
        board.persist(&mut journal, &mut flash, false).expect("no power cut");
        assert_stored(&board, &mut flash);
        // Another game after it, which may be the same.
        for next in &ends {
            let (mut flash, mut board, mut journal) = (flash.clone(), board.clone(), journal.clone());
            board.restart(chess::Position::start());
            next(&mut board);
            board.persist(&mut journal, &mut flash, false).expect("no power cut");
            assert_stored(&board, &mut flash);
        }
    }
    verdicts.dedup();
    assert!(verdicts.len() >= 14, "{verdicts:?}");
}

#[test]
fn recovers_from_the_newer_bank() {
    let (mut flash, mut board, mut journal) = new(1024);
    for brightness in 0..200 {
        board.settings.lights.brightness = brightness;
        board.persist(&mut journal, &mut flash, false).expect("no power cut");
        // Both banks are valid for some of the time.
        assert_stored(&board, &mut flash);
    }
    assert!(flash.erases.iter().all(|&erases| erases >= 3), "{:?}", flash.erases);
    assert_eq!(flash.bank_len(), 1024);
}

#[test]
fn a_name_that_is_too_long_is_truncated() {
    let (mut flash, mut board, mut journal) = new(1024);
    board.names = ["Wolfeschlegelsteinhausenbergerdorff".to_owned(), "é".repeat(20)];
    board.persist(&mut journal, &mut flash, true).expect("no power cut");
    board.names = ["Wolfeschlegelsteinhausenbergerdo".to_owned(), "é".repeat(16)];
    assert_stored(&board, &mut flash);
    assert_eq!(journal.poll(&board.state(), true), None);
}

#[test]
fn an_incomplete_snapshot_from_the_relay_is_not_stored() {
    let (mut flash, mut board, mut journal) = new(1024);
    play(&mut board, "e2e4 e7e5");
    board.persist(&mut journal, &mut flash, true).expect("no power cut");
    let before = board.clone();

    // The board connects, and the relay sends another game.
    let key = || PairingKey::new([7; 32]);
    let now = Instant::at(0);
    let mut buffer = [0; MAX_FRAME];
    let mut theirs = Box::new(Play::new());
    theirs.play(Ply::of_move("d2d4".parse().expect("a move"))).expect("a legal move");
    let mut relay = Session::<16>::new(End::Relay, "relay", &SessionMemory::new(5), []);
    relay.force_snapshot();
    relay.mark_stored(&relay.memory());
    let session = Session::new(End::Board, "board", &board.memory(), board.pending());
    let mut board_session = BoardSession::<16>::new(key(), session);
    board_session.connected(Ephemeral::new([1; 32]), now);
    let len = board_session
        .transmit(&GameInfo::LOCAL, &board.game, &mut buffer, now)
        .expect("a connection")
        .expect("a first frame");
    let (mut answer, channel) = Responder::read(&buffer[..len])
        .expect("a first frame")
        .answer(&key(), Ephemeral::new([2; 32]))
        .expect("the right key");
    board_session.receive(&mut answer, &mut board.game, now).expect("the right answer");
    let len = board_session
        .transmit(&GameInfo::LOCAL, &board.game, &mut buffer, now)
        .expect("a connection")
        .expect("a hello");
    relay.accept(channel, &mut buffer[..len], now).expect("a hello");
    while !board_session.session().is_half_loaded() {
        let len = relay.transmit(&GameInfo::LOCAL, &theirs, &mut buffer, now).expect("a connection").expect("a game");
        board_session.receive(&mut buffer[..len], &mut board.game, now).expect("what a relay says");
    }

    // While it is incomplete nothing is written, and the previous game stays stored.
    board.session = Session::new(End::Board, "board", &board.memory(), board.pending());
    let state = PersistentState { session: board_session.session(), ..board.state() };
    assert_eq!(journal.poll(&state, true), None);
    assert_stored(&before, &mut flash);
    // The complete snapshot is stored.
    while board_session.session().is_half_loaded() {
        let len = relay.transmit(&GameInfo::LOCAL, &theirs, &mut buffer, now).expect("a connection").expect("a game");
        board_session.receive(&mut buffer[..len], &mut board.game, now).expect("what a relay says");
    }
    assert_eq!(*board.game, *theirs);
    loop {
        let state = PersistentState { session: board_session.session(), ..board.state() };
        let Some(action) = journal.poll(&state, true) else { break };
        flash.carry_out(&action).expect("no power cut");
        journal.done();
    }
    board_session.session_mut().mark_stored(journal.memory().expect("a memory"));
    assert!(!board_session.session().needs_storing());
    let (again, _, _) = TestBoard::power_on(&mut flash);
    assert_eq!((&*again.game, again.memory().seen.stream), (&*theirs, 5));
}

#[test]
fn values_are_checked_and_hidden_in_debug_output() {
    let mut values = Values::new();
    assert_eq!(values.set(12, b""), Err(ValueError::Id(12)));
    assert_eq!(values.set(0, &[0; MAX_VALUE + 1]), Err(ValueError::TooLong(65)));
    assert_eq!(values.set(0, &[0; 300]), Err(ValueError::TooLong(300)));
    for id in 0..12 {
        assert_eq!(values.set(id, &vec![id; usize::from(id) * 5]), Ok(()));
    }
    assert_eq!((values.get(0), values.get(1), values.get(12)), (None, Some(&[1; 5][..]), None));
    let text = format!("{values:?}");
    assert!(text.contains("2: 10") && !text.contains("2, 2"), "a value is never in a log: {text}");
}
