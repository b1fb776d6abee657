//! What else can happen.

use board::Instant;
use board::journal::{Action, Bank, Banks, Condition, Holdings, Journal, ValueError, Values};
use board::session::{BoardEnd, Conversation, End, Memory};
use chess::{Color, DrawClaim, Game, Outcome};
use wire::journal::MAX_VALUE;
use wire::link::{Ephemeral, Event, Knock, MAX_FRAME, PairingKey, Table};

use crate::flash::Flash;
use crate::script::Step;
use crate::world::World;

fn new(bank_len: usize) -> (Flash, World, Journal) {
    let mut flash = Flash::new(bank_len, 0xff);
    let (world, mut journal, _) = World::wake(&mut flash);
    world.keep(&mut journal, &mut flash, true).expect("power");
    (flash, world, journal)
}

fn play(world: &mut World, moves: &str) {
    for text in moves.split_whitespace() {
        world.game.play(text.parse().expect(text)).expect(text);
    }
}

/// Sees that a board that is switched on again has all of this.
fn assert_kept(world: &World, flash: &mut Flash) {
    let (again, _, condition) = World::wake(flash);
    assert!(world.is_in(&again), "{:#?} is not {:#?}", again.holdings(), world.holdings());
    assert_eq!(condition, Condition::Whole);
}

#[test]
fn nothing_is_written_if_nothing_has_changed() {
    let (mut flash, mut world, mut journal) = new(1024);
    assert_eq!(journal.poll(&world.holdings(), true), None);
    world.conversation.say(Event::Hints { on: true }).expect("room");
    world.keep(&mut journal, &mut flash, true).expect("power");
    // Acknowledgements and clocks can wait for something else.
    world.change_memory(|memory| memory.acknowledged = 1);
    assert_eq!(journal.poll(&world.holdings(), true), None);
    let (world, mut journal, _) = World::wake(&mut flash);
    assert_eq!(journal.poll(&world.holdings(), true), None);
}

#[test]
fn acknowledgements_are_kept_in_time() {
    let (mut flash, mut world, mut journal) = new(4096);
    for number in 1..=100 {
        world.conversation.say(Event::Hints { on: number % 2 == 0 }).expect("room");
        world.keep(&mut journal, &mut flash, true).expect("power");
        world.change_memory(|memory| memory.acknowledged = number);
        let (again, _, _) = World::wake(&mut flash);
        assert!(again.memory().acknowledged + 33 > number, "{number}");
    }
    assert_kept(&world, &mut flash);
}

#[test]
fn a_bank_is_only_erased_in_a_quiet_moment_if_that_can_be() {
    let mut flash = Flash::new(1024, 0xff);
    let (mut world, mut journal, _) = World::wake(&mut flash);
    world.keep(&mut journal, &mut flash, false).expect("power");
    assert_eq!(flash.erasures, [1, 0], "there has to be one");
    assert_eq!(journal.poll(&world.holdings(), true), Some(Action::Erase(Bank::B)));
    world.keep(&mut journal, &mut flash, true).expect("power");
    assert_eq!(flash.erasures, [1, 1], "and in a quiet moment the other one is made ready");
    // Until the first is full, and everything goes into the second, nothing more is erased.
    while journal.poll(&world.holdings(), false).is_none() {
        assert_eq!(flash.erasures, [1, 1]);
        world.settings.lights.brightness ^= 1;
        if let Some(Action::Write { bank: Bank::B, .. }) = journal.poll(&world.holdings(), false) {
            break;
        }
        world.keep(&mut journal, &mut flash, false).expect("power");
    }
    world.keep(&mut journal, &mut flash, false).expect("power");
    assert_eq!(flash.erasures, [1, 1]);
    assert_kept(&world, &mut flash);
    // In a quiet moment a bank that is nearly full is left before it is.
    world.keep(&mut journal, &mut flash, true).expect("power");
    assert_eq!(flash.erasures, [2, 1]);
    let nearly_full = |flash: &Flash| flash.banks[1][1024 * 3 / 4..].iter().any(|&byte| byte != 0xff);
    while !nearly_full(&flash) {
        world.settings.lights.brightness ^= 1;
        world.keep(&mut journal, &mut flash, false).expect("power");
    }
    assert_eq!(flash.erasures, [2, 1]);
    world.keep(&mut journal, &mut flash, true).expect("power");
    assert_eq!(flash.erasures, [2, 2]);
    assert_kept(&world, &mut flash);
}

#[test]
fn a_change_in_the_middle_of_another_one_is_kept_with_it() {
    let (mut flash, mut world, mut journal) = new(4096);
    play(&mut world, "e2e4 e7e5");
    world.keep(&mut journal, &mut flash, true).expect("power");
    // So much that it takes more than one frame.
    for id in 0..8 {
        world.values.set(id, &[id + 1; MAX_VALUE]).expect("a value");
    }
    let before = flash.clone();
    for frames in 1..3 {
        let (mut flash, mut world, mut journal) = (before.clone(), world.clone(), journal.clone());
        for _ in 0..frames {
            let action = journal.poll(&world.holdings(), true).expect("a frame");
            flash.carry_out(&action).expect("power");
            journal.done();
        }
        let (again, _, condition) = World::wake(&mut flash.clone());
        assert_eq!((again.game.moves().len(), condition), (2, Condition::Torn));
        assert_eq!(again.values, Values::new());
        world.game.take_back();
        world.keep(&mut journal, &mut flash, false).expect("power");
        assert_kept(&world, &mut flash);
    }
}

#[test]
fn what_cannot_be_written_in_one_bank_is_written_in_the_other() {
    // One after the other, every action fails once.
    for failing in 0..40 {
        let mut flash = Flash::new(1024, 0xff);
        let (mut world, mut journal, _) = World::wake(&mut flash);
        let mut actions = 0;
        for brightness in 0..30 {
            world.settings.lights.brightness = brightness;
            while let Some(action) = journal.poll(&world.holdings(), true) {
                actions += 1;
                if actions == failing {
                    // Part of it is done all the same.
                    if let Action::Write { bank, offset, bytes } = action {
                        let half = bytes.len() / 2;
                        flash.banks[bank as usize][offset..offset + half].copy_from_slice(&bytes[..half]);
                    }
                    journal.failed();
                } else {
                    flash.carry_out(&action).expect("power");
                    journal.done();
                }
            }
            assert_kept(&world, &mut flash);
        }
    }
}

#[test]
fn a_bank_that_is_too_small_is_not_worn_out() {
    let mut flash = Flash::new(256, 0xff);
    let (mut world, mut journal, _) = World::wake(&mut flash);
    world.keep(&mut journal, &mut flash, true).expect("power");
    let before = world.clone();
    for id in 0..4 {
        world.values.set(id, &[7; MAX_VALUE]).expect("a value");
    }
    for _ in 0..100 {
        while let Some(action) = journal.poll(&world.holdings(), true) {
            flash.carry_out(&action).expect("power");
            journal.done();
        }
    }
    assert!(!journal.has(&world.holdings()));
    assert!(flash.erasures.iter().all(|&erasures| erasures <= 2), "{:?}", flash.erasures);
    assert_kept(&before, &mut flash);
    // As soon as it fits again, it is kept.
    world.values = Values::new();
    world.values.set(0, b"short").expect("a value");
    world.keep(&mut journal, &mut flash, true).expect("power");
    assert_kept(&world, &mut flash);
    // In no bank at all nothing can be kept, and nothing breaks.
    for bank_len in 0..64 {
        let mut flash = Flash::new(bank_len, 0);
        let (_, _, condition) = World::wake(&mut flash);
        assert_eq!(condition, Condition::Blank);
    }
}

#[test]
fn a_bank_that_is_nearly_full_from_the_beginning_is_not_left_again_and_again() {
    let (mut flash, mut world, mut journal) = new(1024);
    for id in 0..10 {
        world.values.set(id, &[7; MAX_VALUE]).expect("a value");
    }
    for brightness in 0..20 {
        world.settings.lights.brightness = brightness;
        world.keep(&mut journal, &mut flash, true).expect("power");
        assert_kept(&world, &mut flash);
    }
    let erasures = flash.erasures;
    assert!(erasures.iter().sum::<u32>() < 10, "{erasures:?}");
    for _ in 0..10 {
        world.keep(&mut journal, &mut flash, true).expect("power");
    }
    assert_eq!(flash.erasures, erasures);
}

#[test]
fn every_end_of_a_game_is_kept() {
    let shuffle = "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8";
    let resigned = |loser| move |world: &mut World| world.game.resign(loser).expect("a game that is not over");
    let flagged = |loser| move |world: &mut World| world.game.flag(loser).expect("a game that is not over");
    let set_up = |fen: &'static str, moves: &'static str| {
        move |world: &mut World| {
            world.game.restart(fen.parse().expect(fen));
            play(world, moves);
        }
    };
    let ends: Vec<Step> = vec![
        Box::new(|world| play(world, "e2e4 e7e5 f1c4 b8c6 d1h5 g8f6 h5f7")),
        Box::new(|world| play(world, "f2f3 e7e5 g2g4 d8h4")),
        Box::new(resigned(Color::White)),
        Box::new(resigned(Color::Black)),
        Box::new(flagged(Color::White)),
        Box::new(flagged(Color::Black)),
        Box::new(set_up("7k/8/6K1/8/8/8/8/5Q2 w - - 0 1", "f1f7")),
        Box::new(set_up("7k/8/8/8/8/8/1p6/K7 w - - 0 1", "a1b2")),
        Box::new(move |world| {
            play(world, shuffle);
            play(world, shuffle);
        }),
        Box::new(set_up("6k1/8/8/8/8/8/8/K6R w - - 149 90", "a1b1")),
        Box::new(move |world| {
            play(world, shuffle);
            world.game.claim_draw(DrawClaim::ThreefoldRepetition).expect("a draw");
        }),
        Box::new(move |world| {
            set_up("6k1/8/8/8/8/8/8/K6R w - - 100 90", "")(world);
            world.game.claim_draw(DrawClaim::FiftyMoves).expect("a draw");
        }),
        Box::new(move |world| {
            set_up("6k1/8/8/8/8/8/8/K6R w - - 99 90", "")(world);
            let mv = "h1g1".parse().expect("a move");
            world.game.claim_draw_with(mv, DrawClaim::FiftyMoves).expect("a draw");
        }),
        Box::new(|world| world.game.agree_draw().expect("a game that is not over")),
        Box::new(move |world| {
            set_up("6k1/8/8/8/8/8/8/K6R w - - 0 90", "")(world);
            world.game.flag(Color::White).expect("a game that is not over");
        }),
        Box::new(move |world| {
            set_up("7k/8/8/8/8/8/8/K6r w - - 0 90", "a1b2")(world);
            world.game.flag(Color::Black).expect("a game that is not over");
        }),
    ];
    let mut outcomes: Vec<Outcome> = Vec::new();
    for end in &ends {
        let (mut flash, mut world, mut journal) = new(4096);
        end(&mut world);
        outcomes.push(world.game.outcome().expect("a game that is over"));
        world.keep(&mut journal, &mut flash, false).expect("power");
        assert_kept(&world, &mut flash);
        // And another game after it, which may be the same.
        for next in &ends {
            let (mut flash, mut world, mut journal) = (flash.clone(), world.clone(), journal.clone());
            world.game.restart(chess::Position::start());
            next(&mut world);
            world.keep(&mut journal, &mut flash, false).expect("power");
            assert_kept(&world, &mut flash);
        }
    }
    outcomes.dedup();
    assert!(outcomes.len() >= 12, "{outcomes:?}");
}

#[test]
fn the_newer_bank_counts() {
    let (mut flash, mut world, mut journal) = new(1024);
    for brightness in 0..200 {
        world.settings.lights.brightness = brightness;
        world.keep(&mut journal, &mut flash, false).expect("power");
        // Both of them are whole for a while.
        assert_kept(&world, &mut flash);
    }
    assert!(flash.erasures.iter().all(|&erasures| erasures >= 3), "{:?}", flash.erasures);
    assert_eq!(flash.bank_len(), 1024);
}

#[test]
fn a_name_that_is_too_long_is_kept_as_far_as_there_is_room() {
    let (mut flash, mut world, mut journal) = new(1024);
    world.names = ["Wolfeschlegelsteinhausenbergerdorff".to_owned(), "é".repeat(20)];
    world.keep(&mut journal, &mut flash, true).expect("power");
    world.names = ["Wolfeschlegelsteinhausenbergerdo".to_owned(), "é".repeat(16)];
    assert_kept(&world, &mut flash);
    assert_eq!(journal.poll(&world.holdings(), true), None);
}

#[test]
fn half_of_a_game_from_the_relay_is_not_kept() {
    let (mut flash, mut world, mut journal) = new(1024);
    play(&mut world, "e2e4 e7e5");
    world.keep(&mut journal, &mut flash, true).expect("power");
    let before = world.clone();

    // The board calls, and the relay has another game for it.
    let key = || PairingKey::new([7; 32]);
    let now = Instant::at(0);
    let mut buffer = [0; MAX_FRAME];
    let mut theirs = Box::new(Game::new());
    theirs.play("d2d4".parse().expect("a move")).expect("a legal move");
    let mut relay = Conversation::<16>::new(End::Relay, "relay", &Memory::blank(5), []);
    relay.renew();
    relay.kept(&relay.memory());
    let conversation = Conversation::new(End::Board, "board", &world.memory(), world.pending());
    let mut board = BoardEnd::<16>::new(key(), conversation);
    board.connected(Ephemeral::new([1; 32]), now);
    let len = board.transmit(&Table::LOCAL, &world.game, &mut buffer, now).expect("a connection").expect("a knock");
    let (mut answer, channel) =
        Knock::read(&buffer[..len]).expect("a knock").answer(&key(), Ephemeral::new([2; 32])).expect("the right key");
    board.receive(&mut answer, &mut world.game, now).expect("the right answer");
    let len = board.transmit(&Table::LOCAL, &world.game, &mut buffer, now).expect("a connection").expect("a hello");
    relay.accept(channel, &mut buffer[..len], now).expect("a hello");
    while !board.conversation().is_torn() {
        let len = relay.transmit(&Table::LOCAL, &theirs, &mut buffer, now).expect("a connection").expect("a game");
        board.receive(&mut buffer[..len], &mut world.game, now).expect("what a relay says");
    }

    // In the middle of it nothing is written, and the game before is still there.
    world.conversation = Conversation::new(End::Board, "board", &world.memory(), world.pending());
    let holdings = Holdings { conversation: board.conversation(), ..world.holdings() };
    assert_eq!(journal.poll(&holdings, true), None);
    assert_kept(&before, &mut flash);
    // Once it is complete, it is kept.
    while board.conversation().is_torn() {
        let len = relay.transmit(&Table::LOCAL, &theirs, &mut buffer, now).expect("a connection").expect("a game");
        board.receive(&mut buffer[..len], &mut world.game, now).expect("what a relay says");
    }
    assert_eq!(*world.game, *theirs);
    loop {
        let holdings = Holdings { conversation: board.conversation(), ..world.holdings() };
        let Some(action) = journal.poll(&holdings, true) else { break };
        flash.carry_out(&action).expect("power");
        journal.done();
    }
    board.conversation_mut().kept(journal.memory().expect("a memory"));
    assert!(!board.conversation().unkept());
    let (again, _, _) = World::wake(&mut flash);
    assert_eq!((&*again.game, again.memory().seen.stream), (&*theirs, 5));
}

#[test]
fn values_have_numbers_and_lengths() {
    let mut values = Values::new();
    assert_eq!(values.set(12, b""), Err(ValueError::Number(12)));
    assert_eq!(values.set(0, &[0; MAX_VALUE + 1]), Err(ValueError::TooLong(65)));
    assert_eq!(values.set(0, &[0; 300]), Err(ValueError::TooLong(300)));
    for id in 0..12 {
        assert_eq!(values.set(id, &vec![id; usize::from(id) * 5]), Ok(()));
    }
    assert_eq!((values.get(0), values.get(1), values.get(12)), (None, Some(&[1; 5][..]), None));
    let text = format!("{values:?}");
    assert!(text.contains("2: 10") && !text.contains("2, 2"), "a value is never in a log: {text}");
}
