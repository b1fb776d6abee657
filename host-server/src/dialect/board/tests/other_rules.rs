//! Games of GMO chess and by a rule script, played on a board by hand.

use board::session::LinkError;
use chess::{Color, File};
use proptest::prelude::*;
use rules::genome::Setup;
use rules::{Ply, Start};
use wire::link::Seat;

use super::chess_script;
use super::fixture::Fixture;
use crate::dialect::board::relay_session::RelaySession;
use crate::room::{Act, Phase, Room, Terms};

/// A knight whose moves mutate and deviate.
const RANDOM_KNIGHT: &str = "AHH HCC HSA HHH CHA CHA HHA CAC SAS AAC ACA";

/// The default preset, with every other seed with random effects, of which board and relay have to draw the same.
fn genome(us: Color, seed: u64) -> Fixture {
    let mut setup = Setup::default_preset(seed).unwrap();
    if seed.is_multiple_of(2) {
        let knight = setup.add(&RANDOM_KNIGHT.parse().unwrap()).unwrap();
        for file in [File::B, File::C, File::F, File::G] {
            setup.place(file, knight, false);
        }
    }
    Fixture::under(Terms { start: Some(Box::new(Start::Genome(setup))), ..Terms::default() }, us, seed)
}

fn told(us: Color, seed: u64) -> Fixture {
    Fixture::under(chess_script::terms(), us, seed)
}

fn ply(text: &str) -> Ply {
    text.parse().unwrap()
}

#[track_caller]
fn assert_agreement(fixture: &Fixture) {
    let board = fixture.board.any_game().expect("no snapshot is being received");
    assert_eq!(board, fixture.room.game());
    assert_eq!(fixture.relay_session.game(), fixture.room.game());
    assert!(!fixture.relay_session.needs_storing() && fixture.relay_session.is_whole());
    assert_eq!(Room::from_log(&fixture.log).unwrap().game(), fixture.room.game());
}

#[test]
fn the_turns_of_a_script_reach_the_board_with_their_footprints() {
    let mut fixture = told(Color::White, 3);
    fixture.settle();
    for (own, theirs) in [("g1f3", "g8f6"), ("g2g3", "e7e5"), ("f1g2", "e5e4"), ("e1g1", "e4f3")] {
        fixture.board.follow_any();
        fixture.board.play_ply(ply(own));
        fixture.settle();
        assert_agreement(&fixture);
        fixture.other_plays(theirs);
        fixture.settle();
        assert_agreement(&fixture);
    }
    assert_eq!(fixture.refused, 0);
    // The relay starts again from its record, and the board from its journal.
    let record = serde_json::to_vec(&fixture.relay_session.record()).unwrap();
    let again = RelaySession::from_record(serde_json::from_slice(&record).unwrap()).unwrap();
    assert_eq!(again.game(), fixture.room.game());
    fixture.crash_board();
    fixture.settle();
    assert_agreement(&fixture);
}

#[test]
fn a_takeback_in_a_game_by_a_script_reaches_the_board() {
    let mut fixture = told(Color::White, 4);
    fixture.settle();
    fixture.board.play_ply(ply("e2e4"));
    fixture.settle();
    fixture.other_plays("e7e5");
    fixture.settle();
    fixture.board.follow_any();
    fixture.other(Act::AskTakeback { plies: 1 }).unwrap();
    fixture.settle();
    fixture.board.undo_any();
    fixture.settle();
    assert_eq!(fixture.room.game().len(), 1);
    assert_agreement(&fixture);
    fixture.other_plays("d7d5");
    fixture.settle();
    fixture.board.follow_any();
    fixture.board.play_ply(ply("e4d5"));
    fixture.settle();
    assert_eq!((fixture.room.game().len(), fixture.refused), (3, 0));
    assert_agreement(&fixture);
}

#[test]
fn offers_of_the_board_stay_open_in_the_same_turn() {
    let mut fixture = told(Color::White, 5);
    fixture.settle();
    fixture.other(Act::OfferDraw).unwrap();
    fixture.settle();
    assert_eq!(fixture.room.draw_offer(), Some(Color::Black));
    fixture.board.play_ply(ply("e2e4"));
    fixture.settle();
    assert_eq!(fixture.room.draw_offer(), None, "playing on declines it");
    assert_agreement(&fixture);
}

/// What people and machines do, in any order.
#[derive(Clone, Debug)]
enum Step {
    Board(u16),
    Other(u16),
    Settle,
    Few(u8),
    Cut,
    CrashBoard,
    CrashRelay,
}

fn any_step() -> impl Strategy<Value = Step> {
    prop_oneof![
        6 => any::<u16>().prop_map(Step::Board),
        6 => any::<u16>().prop_map(Step::Other),
        4 => Just(Step::Settle),
        8 => any::<u8>().prop_map(Step::Few),
        1 => Just(Step::Cut),
        1 => Just(Step::CrashBoard),
        1 => Just(Step::CrashRelay),
    ]
}

fn take(fixture: &mut Fixture, step: &Step) {
    match *step {
        Step::Board(choice) => fixture.board.play_any_ply(choice),
        Step::Other(choice) => {
            let plies = fixture.room.game().situation().plies();
            if fixture.room.game().to_move() != fixture.us && !plies.is_empty() {
                let (ply, number) = (plies[usize::from(choice) % plies.len()], Some(fixture.room.game().len()));
                // A freeze refuses it.
                let _ = fixture.other(Act::Move { ply, number });
            }
        }
        Step::Settle => fixture.settle(),
        Step::Few(steps) => {
            fixture.connect();
            for _ in 0..steps % 8 {
                fixture.board.now += 1;
                fixture.board.store();
                fixture.store();
                let _ = (fixture.send_board(), fixture.deliver_to_relay());
                let _ = (fixture.send_relay(), fixture.deliver_to_board());
            }
        }
        Step::Cut => fixture.cut(),
        Step::CrashBoard => fixture.crash_board(),
        Step::CrashRelay => fixture.crash_relay(),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    /// Connections break and both ends restart. In the end the board has the game of the room, unless that one is over and the pieces
    /// stand on their start squares again, where the next game begins at the board.
    #[test]
    fn board_and_room_agree_under_other_rules(
        is_script in any::<bool>(),
        white in any::<bool>(),
        seed in 1..u64::MAX,
        steps in prop::collection::vec(any_step(), 0..120),
    ) {
        let us = if white { Color::White } else { Color::Black };
        let mut fixture = if is_script { told(us, seed) } else { genome(us, seed) };
        for step in &steps {
            take(&mut fixture, step);
        }
        fixture.settle();
        for error in &fixture.errors {
            prop_assert!(matches!(error, LinkError::KeepaliveTimeout | LinkError::AckTimeout), "{}", error);
        }
        let is_over = fixture.room.phase() == Phase::Over;
        prop_assert_eq!(is_over, fixture.room.verdict().is_some());
        if is_over && fixture.board.seat() == Some(Seat::Both) {
            let restored = Room::from_log(&fixture.log).unwrap();
            prop_assert_eq!(restored.game(), fixture.room.game());
        } else {
            assert_agreement(&fixture);
        }
    }
}
