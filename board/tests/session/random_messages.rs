use board::Instant;
use board::session::{BoardSession, End, LinkError, Session};
use chess::{Bitboard, Game};
use proptest::prelude::*;
use rules::{Play, Start};
use wire::journal::SessionMemory;
use wire::link::{
    Channel, Ephemeral, Event, GameInfo, Goodbye, Hello, Initiator, MAX_FRAME, Message, NumberedEvent, Occupancy,
    PairingKey, Responder, Seen, Snapshot, SnapshotOrigin,
};

use super::world::{KEY, QUEUE};

/// Random messages of a peer that has the key.
#[derive(Clone, Debug)]
#[expect(clippy::large_enum_variant, reason = "a test has enough memory")]
enum Word {
    Hello { stream: u64, seen: Seen },
    Event { number: u32, received_up_to: u32 },
    Ack(u32),
    Snapshot { number: u32, received_up_to: u32, renewed: u32, start: Option<Start> },
    Piece(Vec<u8>),
    State,
    Complete,
    Ping,
    Pong,
    Occupancy,
    Goodbye,
}

/// Mostly small numbers, which are nearly valid, and now and then a huge one.
fn number() -> impl Strategy<Value = u32> {
    prop_oneof![20 => 0..6_u32, 1 => any::<u32>(), 1 => Just(u32::MAX)]
}

fn any_word() -> impl Strategy<Value = Word> {
    let seen = (prop_oneof![Just(0), Just(7), any::<u64>()], number()).prop_map(|(stream, last)| Seen { stream, last });
    let start = prop::sample::select(vec![
        None,
        Some(Start::CHESS),
        Some(Start::Chess("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1".parse().expect("a position"))),
        Some(Start::Breakthrough),
    ]);
    prop_oneof![
        2 => (0..3_u64, seen).prop_map(|(stream, seen)| Word::Hello { stream, seen }),
        6 => (number(), number()).prop_map(|(number, received_up_to)| Word::Event { number, received_up_to }),
        3 => number().prop_map(Word::Ack),
        3 => (number(), number(), number(), start)
            .prop_map(|(number, received_up_to, renewed, start)| Word::Snapshot { number, received_up_to, renewed, start }),
        2 => prop::collection::vec(any::<u8>(), 1..100).prop_map(Word::Piece),
        2 => Just(Word::State),
        2 => Just(Word::Complete),
        1 => Just(Word::Ping),
        1 => Just(Word::Pong),
        1 => Just(Word::Occupancy),
        1 => Just(Word::Goodbye),
    ]
}

fn send(channel: &mut Channel, word: &Word) -> Vec<u8> {
    let mut state = [0; 100];
    let len = wire::layout::encode(&Game::new(), &mut state).unwrap();
    let message = match *word {
        Word::Hello { stream, seen } => Message::Hello(Hello { stream, seen, features: 9, software: "mad" }),
        Word::Event { number, received_up_to } => {
            Message::Event(NumberedEvent { number, received_up_to, event: Event::Hints { on: true } })
        }
        Word::Ack(number) => Message::Ack(number),
        Word::Snapshot { number, received_up_to, renewed, start } => Message::Snapshot(Snapshot {
            number,
            received_up_to,
            renewed,
            info: GameInfo::LOCAL,
            origin: start.map_or(SnapshotOrigin::State, SnapshotOrigin::Plies),
        }),
        Word::Piece(ref bytes) => Message::Piece(bytes),
        Word::State => Message::Piece(&state[..len]),
        Word::Complete => Message::Complete,
        Word::Ping => Message::Ping,
        Word::Pong => Message::Pong,
        Word::Occupancy => {
            Message::Occupancy(Occupancy { occupied: Bitboard::ALL, in_hand: Bitboard::ALL, misplaced: Bitboard::ALL })
        }
        Word::Goodbye => Message::Goodbye(Goodbye::Other(77)),
    };
    let mut buffer = [0; MAX_FRAME];
    let len = channel.send(&message, &mut buffer).unwrap();
    buffer[..len].to_vec()
}

/// A session with acknowledged, pending and compacted events.
fn session(end: End) -> Session<QUEUE> {
    let mut session = Session::new(end, "test", &SessionMemory::new(7), []);
    for on in [true, false, true] {
        session.queue_event(Event::Hints { on }).unwrap();
    }
    session.compact();
    session.queue_event(Event::Hints { on: true }).unwrap();
    let memory = session.memory();
    session.mark_stored(&memory);
    session
}

/// Both ends of a channel; the board's is the first.
fn channels() -> (Channel, Channel) {
    let key = PairingKey::new(KEY);
    let (call, first_frame) = Initiator::new(&key, Ephemeral::new([1; 32]));
    let (answer, relay) = Responder::read(&first_frame).unwrap().answer(&key, Ephemeral::new([2; 32])).unwrap();
    (call.answered(&answer).unwrap(), relay)
}

fn check(session: &Session<QUEUE>) {
    let SessionMemory { acknowledged, compacted, last, renewed, .. } = session.memory();
    assert!(acknowledged <= last && compacted <= last && renewed <= last);
    assert!(session.pending().all(|event| event.number > acknowledged && event.number <= last));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// A relay with the right key can prevent play, but it can neither make a board panic nor make it lose unacknowledged events.
    #[test]
    fn a_board_survives_random_messages_of_a_relay(words in prop::collection::vec(any_word(), 0..40), sane in any::<bool>()) {
        let mut board = BoardSession::new(PairingKey::new(KEY), session(End::Board));
        let mut game = Box::new(Play::new());
        let mut buffer = [0; MAX_FRAME];
        let now = Instant::at(5);
        board.connected(Ephemeral::new([1; 32]), now);
        let first_frame = board.transmit(&GameInfo::LOCAL, &game, &mut buffer, now).unwrap().unwrap();
        let first_frame = Responder::read(&buffer[..first_frame]).unwrap();
        let (mut answer, mut relay) = first_frame.answer(&PairingKey::new(KEY), Ephemeral::new([2; 32])).unwrap();
        board.receive(&mut answer, &mut game, now).unwrap();
        let hello = Word::Hello { stream: 3, seen: Seen { stream: 7, last: 1 } };
        for word in sane.then_some(&hello).into_iter().chain(&words) {
            let mut frame = send(&mut relay, word);
            let is_broken = board.receive(&mut frame, &mut game, now).is_err();
            check(board.session());
            if is_broken {
                break;
            }
            while board.transmit(&GameInfo::LOCAL, &game, &mut buffer, now).unwrap().is_some() {}
            let memory = board.session().memory();
            board.session_mut().mark_stored(&memory);
        }
    }

    #[test]
    fn a_relay_survives_random_messages_of_a_board(words in prop::collection::vec(any_word(), 0..40), sane in any::<bool>()) {
        let (mut board, relay) = channels();
        let mut session = session(End::Relay);
        let mut game = Box::new(Play::new());
        let mut buffer = [0; MAX_FRAME];
        let now = Instant::at(5);
        let hello = Word::Hello { stream: 3, seen: Seen { stream: 7, last: 1 } };
        let mut words = sane.then_some(&hello).into_iter().chain(&words);
        let Some(first) = words.next() else { return Ok(()) };
        let mut frame = send(&mut board, first);
        match (first, session.accept(relay, &mut frame, now)) {
            (_, Ok(_)) => {}
            (Word::Hello { .. }, Err(_)) => return Ok(()),
            (_, refused) => {
                prop_assert_eq!(refused, Err(LinkError::UnexpectedMessage));
                return Ok(());
            }
        }
        for word in words {
            let mut frame = send(&mut board, word);
            let is_broken = session.receive(&mut frame, &mut game, now).is_err();
            check(&session);
            if is_broken {
                break;
            }
            while session.transmit(&GameInfo::LOCAL, &game, &mut buffer, now).unwrap().is_some() {}
            let memory = session.memory();
            session.mark_stored(&memory);
        }
    }
}
