use board::Instant;
use board::session::{BoardEnd, Broken, Conversation, End, Memory};
use chess::{Bitboard, Game};
use proptest::prelude::*;
use wire::link::{
    Call, Channel, Ephemeral, Event, Goodbye, Hello, Knock, MAX_FRAME, Message, Origin, PairingKey, Said, Seen,
    Snapshot, Table, Wood,
};

use super::world::{KEY, QUEUE};

/// What somebody might say who has the key and has lost his wits.
#[derive(Clone, Debug)]
enum Word {
    Hello { stream: u64, seen: Seen },
    Event { number: u32, heard: u32 },
    Ack(u32),
    Snapshot { number: u32, heard: u32, renewed: u32, fen: Option<&'static str> },
    Piece(Vec<u8>),
    State,
    Complete,
    Ping,
    Pong,
    Wood,
    Goodbye,
}

/// Small numbers, since those are the ones that nearly make sense, and now and then a huge one.
fn number() -> impl Strategy<Value = u32> {
    prop_oneof![20 => 0..6_u32, 1 => any::<u32>(), 1 => Just(u32::MAX)]
}

fn any_word() -> impl Strategy<Value = Word> {
    let seen = (prop_oneof![Just(0), Just(7), any::<u64>()], number()).prop_map(|(stream, last)| Seen { stream, last });
    let fen = prop::sample::select(vec![
        None,
        Some("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
        Some("8/8/8/8/8/8/8/8 w - - 0 1"),
        Some("nonsense"),
    ]);
    prop_oneof![
        2 => (0..3_u64, seen).prop_map(|(stream, seen)| Word::Hello { stream, seen }),
        6 => (number(), number()).prop_map(|(number, heard)| Word::Event { number, heard }),
        3 => number().prop_map(Word::Ack),
        3 => (number(), number(), number(), fen)
            .prop_map(|(number, heard, renewed, fen)| Word::Snapshot { number, heard, renewed, fen }),
        2 => prop::collection::vec(any::<u8>(), 1..100).prop_map(Word::Piece),
        2 => Just(Word::State),
        2 => Just(Word::Complete),
        1 => Just(Word::Ping),
        1 => Just(Word::Pong),
        1 => Just(Word::Wood),
        1 => Just(Word::Goodbye),
    ]
}

fn send(channel: &mut Channel, word: &Word) -> Vec<u8> {
    let mut state = [0; 100];
    let len = wire::layout::encode(&Game::new(), &mut state).unwrap();
    let message = match *word {
        Word::Hello { stream, seen } => Message::Hello(Hello { stream, seen, features: 9, software: "mad" }),
        Word::Event { number, heard } => Message::Event(Said { number, heard, event: Event::Hints { on: true } }),
        Word::Ack(number) => Message::Ack(number),
        Word::Snapshot { number, heard, renewed, fen } => Message::Snapshot(Snapshot {
            number,
            heard,
            renewed,
            table: Table::LOCAL,
            origin: fen.map_or(Origin::State, Origin::Fen),
        }),
        Word::Piece(ref bytes) => Message::Piece(bytes),
        Word::State => Message::Piece(&state[..len]),
        Word::Complete => Message::Complete,
        Word::Ping => Message::Ping,
        Word::Pong => Message::Pong,
        Word::Wood => Message::Wood(Wood { occupied: Bitboard::ALL, in_hand: Bitboard::ALL, astray: Bitboard::ALL }),
        Word::Goodbye => Message::Goodbye(Goodbye::Other(77)),
    };
    let mut buffer = [0; MAX_FRAME];
    let len = channel.send(&message, &mut buffer).unwrap();
    buffer[..len].to_vec()
}

/// A conversation that has said something, been heard in part, and condensed something.
fn conversation(end: End) -> Conversation<QUEUE> {
    let mut conversation = Conversation::new(end, "test", &Memory::blank(7), []);
    for on in [true, false, true] {
        conversation.say(Event::Hints { on }).unwrap();
    }
    conversation.condense();
    conversation.say(Event::Hints { on: true }).unwrap();
    let memory = conversation.memory();
    conversation.kept(&memory);
    conversation
}

/// Both ends of a channel, the board's first.
fn channels() -> (Channel, Channel) {
    let key = PairingKey::new(KEY);
    let (call, knock) = Call::new(&key, Ephemeral::new([1; 32]));
    let (answer, relay) = Knock::read(&knock).unwrap().answer(&key, Ephemeral::new([2; 32])).unwrap();
    (call.answered(&answer).unwrap(), relay)
}

fn check(conversation: &Conversation<QUEUE>) {
    let Memory { acknowledged, floor, said, renewed, .. } = conversation.memory();
    assert!(acknowledged <= said && floor <= said && renewed <= said);
    assert!(conversation.pending().all(|event| event.number > acknowledged && event.number <= said));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// A relay with the right key can keep a board from playing, but neither make it panic nor make it forget what it
    /// has not acknowledged.
    #[test]
    fn a_mad_relay_is_survived(words in prop::collection::vec(any_word(), 0..40), sane in any::<bool>()) {
        let mut board = BoardEnd::new(PairingKey::new(KEY), conversation(End::Board));
        let mut game = Box::new(Game::new());
        let mut buffer = [0; MAX_FRAME];
        let now = Instant::at(5);
        board.connected(Ephemeral::new([1; 32]), now);
        let knock = board.transmit(&Table::LOCAL, &game, &mut buffer, now).unwrap().unwrap();
        let knock = Knock::read(&buffer[..knock]).unwrap();
        let (mut answer, mut relay) = knock.answer(&PairingKey::new(KEY), Ephemeral::new([2; 32])).unwrap();
        board.receive(&mut answer, &mut game, now).unwrap();
        let hello = Word::Hello { stream: 3, seen: Seen { stream: 7, last: 1 } };
        for word in sane.then_some(&hello).into_iter().chain(&words) {
            let mut frame = send(&mut relay, word);
            let is_broken = board.receive(&mut frame, &mut game, now).is_err();
            check(board.conversation());
            if is_broken {
                break;
            }
            while board.transmit(&Table::LOCAL, &game, &mut buffer, now).unwrap().is_some() {}
            let memory = board.conversation().memory();
            board.conversation_mut().kept(&memory);
        }
    }

    #[test]
    fn a_mad_board_is_survived(words in prop::collection::vec(any_word(), 0..40), sane in any::<bool>()) {
        let (mut board, relay) = channels();
        let mut conversation = conversation(End::Relay);
        let mut game = Box::new(Game::new());
        let mut buffer = [0; MAX_FRAME];
        let now = Instant::at(5);
        let hello = Word::Hello { stream: 3, seen: Seen { stream: 7, last: 1 } };
        let mut words = sane.then_some(&hello).into_iter().chain(&words);
        let Some(first) = words.next() else { return Ok(()) };
        let mut frame = send(&mut board, first);
        match (first, conversation.accept(relay, &mut frame, now)) {
            (_, Ok(_)) => {}
            (Word::Hello { .. }, Err(_)) => return Ok(()),
            (_, refused) => {
                prop_assert_eq!(refused, Err(Broken::OutOfPlace));
                return Ok(());
            }
        }
        for word in words {
            let mut frame = send(&mut board, word);
            let is_broken = conversation.receive(&mut frame, &mut game, now).is_err();
            check(&conversation);
            if is_broken {
                break;
            }
            while conversation.transmit(&Table::LOCAL, &game, &mut buffer, now).unwrap().is_some() {}
            let memory = conversation.memory();
            conversation.kept(&memory);
        }
    }
}
