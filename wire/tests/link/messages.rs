use chess::{Bitboard, Color, DrawClaim, DrawReason, Move, Outcome, Promotion, Square, WinReason};
use proptest::prelude::*;
use wire::link::{
    ClockRule, Clocks, Event, Goodbye, Hello, Live, MAX_FEN, MAX_FRAME, MAX_MESSAGE, MAX_NAME, MAX_PIECE, MAX_SOFTWARE,
    Message, Origin, ReadError, ReceiveError, Said, Seat, Seen, SendError, Snapshot, Table, Wood, WriteError,
};

use super::channels;

fn any_move() -> impl Strategy<Value = Move> {
    let promotion = prop::sample::select([None].into_iter().chain(Promotion::ALL.map(Some)).collect::<Vec<_>>());
    (0..64_u8, 0..64_u8, promotion).prop_map(|(from, to, promotion)| {
        Move::new(Square::from_index(from), Square::from_index(to)).promoting(promotion)
    })
}

fn any_color() -> impl Strategy<Value = Color> {
    prop::sample::select(Color::ALL.to_vec())
}

fn outcomes() -> Vec<Outcome> {
    let wins = [WinReason::Checkmate, WinReason::Resignation, WinReason::Time];
    let wins = wins.into_iter().flat_map(|by| Color::ALL.map(|winner| Outcome::Win { winner, by }));
    let draws = [
        DrawReason::Stalemate,
        DrawReason::InsufficientMaterial,
        DrawReason::FivefoldRepetition,
        DrawReason::SeventyFiveMoves,
        DrawReason::ThreefoldRepetition,
        DrawReason::FiftyMoves,
        DrawReason::Agreement,
        DrawReason::TimeAgainstBareKing,
    ];
    wins.chain(draws.map(Outcome::Draw)).collect()
}

fn any_outcome() -> impl Strategy<Value = Outcome> {
    prop::sample::select(outcomes())
}

fn any_event() -> impl Strategy<Value = Event> {
    prop_oneof![
        (any::<u16>(), any_move(), any::<u32>()).prop_map(|(ply, mv, thought_ms)| Event::Moved { ply, mv, thought_ms }),
        any_color().prop_map(|color| Event::Resigned { color }),
        any_color().prop_map(|color| Event::DrawOffered { color }),
        any::<bool>().prop_map(|accepted| Event::DrawAnswered { accepted }),
        (prop::sample::select(DrawClaim::ALL.to_vec()), prop::option::of(any_move()))
            .prop_map(|(claim, with)| Event::DrawClaimed { claim, with }),
        any::<u8>().prop_map(|plies| Event::TakebackAsked { plies }),
        any::<bool>().prop_map(|accepted| Event::TakebackAnswered { accepted }),
        any::<u8>().prop_map(|plies| Event::TakenBack { plies }),
        any_outcome().prop_map(|outcome| Event::Ended { outcome }),
        any::<bool>().prop_map(|on| Event::Hints { on }),
    ]
}

fn any_said() -> impl Strategy<Value = Said> {
    (any::<u32>(), any::<u32>(), any_event()).prop_map(|(number, heard, event)| Said { number, heard, event })
}

fn any_table() -> impl Strategy<Value = Table<'static>> {
    let name = prop::sample::select(vec!["", "Emanuel", "Jos\u{e9} Ra\u{fa}l", "0123456789abcdef0123456789abcdef"]);
    let seat = prop::sample::select(vec![Seat::White, Seat::Black, Seat::Both, Seat::Nobody]);
    let clock = prop::option::of(any::<(u32, u32)>());
    (any::<u64>(), seat, any::<bool>(), clock, prop::option::of(any_outcome()), name.clone(), name).prop_map(
        |(game, seat, hints, clock, outcome, white, black)| {
            let clock = clock.map(|(base_ms, increment_ms)| ClockRule { base_ms, increment_ms });
            Table { game, seat, hints, clock, outcome, white, black }
        },
    )
}

fn any_message() -> impl Strategy<Value = Message<'static>> {
    static BYTES: [u8; MAX_PIECE] = [0xa5; MAX_PIECE];
    let origin = prop::sample::select(vec![Origin::State, Origin::Fen("4k3/8/8/8/8/8/8/4K3 w - - 0 1")]);
    let clocks = (any::<u32>(), any::<u32>(), prop::option::of(any_color()))
        .prop_map(|(white_ms, black_ms, running)| Clocks { white_ms, black_ms, running });
    prop_oneof![
        (any::<u64>(), any::<u64>(), any::<u32>(), any::<u32>()).prop_map(|(stream, seen, last, features)| {
            Message::Hello(Hello { stream, seen: Seen { stream: seen, last }, features, software: "tabiya 0.1.0" })
        }),
        any_said().prop_map(Message::Event),
        any::<u32>().prop_map(Message::Ack),
        (any::<[u32; 3]>(), any_table(), origin).prop_map(|([number, heard, renewed], table, origin)| {
            Message::Snapshot(Snapshot { number, heard, renewed, table, origin })
        }),
        (1..=MAX_PIECE).prop_map(|len| Message::Piece(&BYTES[..len])),
        Just(Message::Complete),
        Just(Message::Ping),
        Just(Message::Pong),
        any::<[u64; 3]>().prop_map(|sets| {
            let [occupied, in_hand, astray] = sets.map(Bitboard);
            Message::Wood(Wood { occupied, in_hand, astray })
        }),
        (prop::option::of(clocks), any::<bool>())
            .prop_map(|(clocks, opponent)| Message::Live(Live { clocks, opponent })),
        any::<u8>().prop_map(|code| {
            let named = [Goodbye::Replaced, Goodbye::Closing, Goodbye::Confused, Goodbye::Unpaired];
            Message::Goodbye(named.get(usize::from(code)).copied().unwrap_or(Goodbye::Other(code)))
        }),
    ]
}

fn write(message: &Message<'_>) -> Vec<u8> {
    let mut buffer = [0; MAX_MESSAGE];
    let len = message.write(&mut buffer).expect("a message that can be written");
    buffer[..len].to_vec()
}

proptest! {
    #[test]
    fn what_was_written_is_read_back(message in any_message()) {
        let bytes = write(&message);
        prop_assert_eq!(Message::read(&bytes), Ok(message));
        // Neither less nor more than all of it is a message.
        for len in 0..bytes.len() {
            prop_assert!(Message::read(&bytes[..len]).is_err());
        }
        let more = [&bytes[..], &[0]].concat();
        prop_assert_eq!(Message::read(&more), Err(ReadError::Trailing(1)));
        let mut short = vec![0; bytes.len() - 1];
        prop_assert_eq!(message.write(&mut short), Err(WriteError::Buffer));
    }

    #[test]
    fn a_journal_gets_an_event_back(said in any_said()) {
        let mut buffer = [0; Said::MAX_LEN];
        let len = said.write(&mut buffer).unwrap();
        prop_assert_eq!(Said::read(&buffer[..len]), Ok(said));
    }

    /// Whatever the bytes are, they are a message or they are not; and if they are, it can be written.
    #[test]
    fn any_bytes_at_all_are_looked_at_calmly(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        if let Ok(message) = Message::read(&bytes) {
            let written = write(&message);
            prop_assert_eq!(Message::read(&written), Ok(message));
        }
    }

    /// Bytes that are nearly right get further in than any others.
    #[test]
    fn changed_bytes_are_looked_at_calmly(
        message in any_message(),
        place in any::<prop::sample::Index>(),
        change in 1..=255_u8,
    ) {
        let mut bytes = write(&message);
        let place = place.index(bytes.len());
        bytes[place] ^= change;
        if let Ok(message) = Message::read(&bytes) {
            let written = write(&message);
            prop_assert_eq!(Message::read(&written), Ok(message));
        }
    }

    #[test]
    fn what_was_sealed_is_opened_on_the_other_side(messages in prop::collection::vec(any_message(), 1..10)) {
        let (mut board, mut relay) = channels();
        let mut buffer = [0; MAX_FRAME];
        for message in messages {
            for (from, to) in [(0, 1), (1, 0)] {
                let ends = [&mut board, &mut relay];
                let len = ends[from].send(&message, &mut buffer).unwrap();
                prop_assert_eq!(len, write(&message).len() + 16);
                prop_assert_eq!(ends[to].receive(&mut buffer[..len]), Ok(message));
            }
        }
    }
}

#[test]
fn no_message_is_longer_than_the_longest() {
    let name = "x".repeat(MAX_NAME);
    let table = Table {
        game: u64::MAX,
        seat: Seat::Nobody,
        hints: true,
        clock: Some(ClockRule { base_ms: u32::MAX, increment_ms: u32::MAX }),
        outcome: outcomes().last().copied(),
        white: &name,
        black: &name,
    };
    let fen = "x".repeat(MAX_FEN);
    let numbers = Snapshot { number: u32::MAX, heard: u32::MAX, renewed: u32::MAX, table, origin: Origin::Fen(&fen) };
    assert!(write(&Message::Snapshot(numbers)).len() < MAX_MESSAGE);
    assert_eq!(write(&Message::Piece(&[0; MAX_PIECE])).len(), MAX_MESSAGE);
}

#[test]
fn what_is_too_long_is_neither_written_nor_read() {
    let long = "x".repeat(MAX_NAME + 1);
    let mut buffer = [0; MAX_MESSAGE];
    let table = Table { black: &long, ..Table::LOCAL };
    let snapshot = Snapshot { number: 1, heard: 0, renewed: 1, table, origin: Origin::State };
    assert_eq!(Message::Snapshot(snapshot).write(&mut buffer), Err(WriteError::Name(33)));
    let software = "x".repeat(MAX_SOFTWARE + 1);
    let hello = Hello { stream: 1, seen: Seen::default(), features: 0, software: &software };
    assert_eq!(Message::Hello(hello).write(&mut buffer), Err(WriteError::Software(225)));
    let fen = "x".repeat(MAX_FEN + 1);
    let snapshot = Snapshot { table: Table::LOCAL, origin: Origin::Fen(&fen), ..snapshot };
    assert_eq!(Message::Snapshot(snapshot).write(&mut buffer), Err(WriteError::Fen(93)));
    assert_eq!(Message::Piece(&[]).write(&mut buffer), Err(WriteError::Piece(0)));
    assert_eq!(Message::Piece(&[0; MAX_PIECE + 1]).write(&mut buffer), Err(WriteError::Piece(513)));

    // The same, as somebody else might write them.
    let mut hello = vec![0, 1, 0, 0, 0, 0xe1, 0x01];
    hello.extend(software.bytes());
    assert_eq!(Message::read(&hello), Err(ReadError::Software(225)));
    let mut snapshot = vec![3, 1, 0, 1, 0, 2, 1, 0, 0, 0, 0, 1, 93];
    snapshot.extend(fen.bytes());
    assert_eq!(Message::read(&snapshot), Err(ReadError::Fen(93)));
    assert_eq!(Message::read(&[4, 0]), Err(ReadError::Piece(0)));
    let mut piece = vec![4, 0x81, 0x04];
    piece.extend([0; 513]);
    assert_eq!(Message::read(&piece), Err(ReadError::Piece(513)));
}

#[test]
fn a_refusal_is_a_sentence() {
    for (bytes, sentence) in [
        (&[][..], "the bytes are not a message"),
        (&[11], "the bytes are not a message"),
        (&[6, 0, 0], "2 bytes are left behind the message"),
        (&[1, 1, 0, 0, 0, 0x80, 0xa0, 0x01, 0], "20480 is not a move"),
        (&[1, 1, 0, 1, 2], "a side is 0 or 1, not 2"),
        (&[1, 1, 0, 4, 2, 0], "a claim is 0 or 1, not 2"),
        (&[1, 1, 0, 8, 14], "the end of a game is 0 to 13, not 14"),
        (&[9, 1, 0, 0, 3, 0], "a player is 0, 1 or 2 for nobody, not 3"),
        (&[3, 1, 0, 1, 0, 4, 1, 0, 0, 0, 0, 0], "a seat is 0 to 3, not 4"),
        (&[4, 0], "a piece has 1 to 512 bytes, not 0"),
    ] {
        assert_eq!(Message::read(bytes).unwrap_err().to_string(), sentence, "{bytes:?}");
    }
}

/// Lost, repeated, out of turn, sent back, cut, changed: a frame that is not the next one does not open.
#[test]
fn only_the_next_frame_opens() {
    let frames = |count: usize| {
        let (mut board, relay) = channels();
        let mut buffer = [0; MAX_FRAME];
        let frames = (0..count)
            .map(|_| {
                let len = board.send(&Message::Ping, &mut buffer).unwrap();
                buffer[..len].to_vec()
            })
            .collect::<Vec<_>>();
        (board, relay, frames)
    };
    let (_, mut relay, mut sent) = frames(2);
    assert_eq!(relay.receive(&mut sent[1]), Err(ReceiveError::Forged));

    let (_, mut relay, mut sent) = frames(1);
    let mut again = sent[0].clone();
    assert_eq!(relay.receive(&mut sent[0]), Ok(Message::Ping));
    assert_eq!(relay.receive(&mut again), Err(ReceiveError::Forged));

    let (mut board, _, mut sent) = frames(1);
    assert_eq!(board.receive(&mut sent[0]), Err(ReceiveError::Forged));

    for bit in 0..17 * 8 {
        let (_, mut relay, mut sent) = frames(1);
        sent[0][bit / 8] ^= 1 << (bit % 8);
        assert_eq!(relay.receive(&mut sent[0]), Err(ReceiveError::Forged));
    }

    for len in 0..17 {
        let (_, mut relay, mut sent) = frames(1);
        let expected = if len < 16 { ReceiveError::Length(len) } else { ReceiveError::Forged };
        assert_eq!(relay.receive(&mut sent[0][..len]), Err(expected));
    }
    let (_, mut relay, _) = frames(1);
    assert_eq!(relay.receive(&mut [0; MAX_FRAME + 1]), Err(ReceiveError::Length(532)));
}

/// If a message cannot be sent, the count does not go on, and the next one is still the next one.
#[test]
fn a_message_that_was_not_sent_leaves_no_gap() {
    let (mut board, mut relay) = channels();
    let mut buffer = [0; MAX_FRAME];
    assert_eq!(board.send(&Message::Ping, &mut buffer[..16]), Err(SendError::Buffer));
    assert_eq!(board.send(&Message::Ping, &mut buffer[..3]), Err(SendError::Buffer));
    assert_eq!(board.send(&Message::Piece(&[]), &mut buffer), Err(SendError::Write(WriteError::Piece(0))));
    let len = board.send(&Message::Pong, &mut buffer[..17]).unwrap();
    assert_eq!(relay.receive(&mut buffer[..len]), Ok(Message::Pong));
}
