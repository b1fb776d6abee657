use std::sync::LazyLock;

use chess::{Bitboard, Color, DrawClaim, FenError, Move, Promotion, SetupError, Square};
use proptest::prelude::*;
use rules::{Ply, Start, Verdict, Why};
use wire::link::{
    Challenge, ClockRule, Clocks, ConsoleLine, ConsoleOutput, Event, GameInfo, Goodbye, Hello, Live, MAX_CONSOLE_LINE,
    MAX_CONSOLE_OUTPUT, MAX_FEN, MAX_FRAME, MAX_MESSAGE, MAX_NAME, MAX_PIECE, MAX_SOFTWARE, Message, NumberedEvent,
    Occupancy, ReadError, ReceiveError, Seat, Seen, SendError, Snapshot, SnapshotOrigin, WriteError, clipped_name,
};

use super::channels;

/// A position with as long a FEN as its 32 pieces and four castling rights allow, 88 bytes.
const LONG_FEN: &str = "r1n1kb1r/p1p1p1p1/1p1p1p1p/1n1q1b2/1N1Q1B2/P1P1P1P1/1P1P1P1P/R1N1KB1R w KQkq - 149 65535";

/// Every value is a ply; those above 20479 are not moves of chess.
fn any_ply() -> impl Strategy<Value = Ply> {
    any::<u16>().prop_map(Ply::from_bits)
}

fn any_color() -> impl Strategy<Value = Color> {
    prop::sample::select(Color::ALL.to_vec())
}

/// Every verdict, in the order of its number on the wire.
fn verdicts() -> Vec<Verdict> {
    let won = |why| Color::ALL.map(|winner| Verdict::Won { winner, why });
    let draws = [
        Why::Stalemate,
        Why::InsufficientMaterial,
        Why::FivefoldRepetition,
        Why::SeventyFiveMoves,
        Why::ThreefoldRepetition,
        Why::FiftyMoves,
        Why::Agreement,
        Why::TimeAgainstBareKing,
    ];
    let first = [Why::Checkmate, Why::Resignation, Why::Time].into_iter().flat_map(won);
    let last = won(Why::Abandonment).into_iter().chain([Verdict::Aborted]).chain(won(Why::Rules));
    first.chain(draws.map(Verdict::Drawn)).chain(last).chain([Verdict::Drawn(Why::Rules)]).collect()
}

fn any_verdict() -> impl Strategy<Value = Verdict> {
    prop::sample::select(verdicts())
}

fn chess_from(fen: &str) -> Start {
    Start::Chess(fen.parse().expect(fen))
}

fn any_origin() -> impl Strategy<Value = SnapshotOrigin> {
    let starts = [Start::CHESS, chess_from("4k3/8/8/8/8/8/8/4K3 w - - 0 1"), chess_from(LONG_FEN), Start::Breakthrough];
    prop::sample::select(
        [SnapshotOrigin::State, SnapshotOrigin::Setup, SnapshotOrigin::Turn]
            .into_iter()
            .chain(starts.map(SnapshotOrigin::Plies))
            .collect::<Vec<_>>(),
    )
}

fn any_event() -> impl Strategy<Value = Event> {
    prop_oneof![
        (any::<u16>(), any_ply(), any::<u32>()).prop_map(|(number, ply, thought_ms)| Event::Moved {
            number,
            ply,
            thought_ms
        }),
        any_color().prop_map(|color| Event::Resigned { color }),
        any_color().prop_map(|color| Event::DrawOffered { color }),
        any::<bool>().prop_map(|accepted| Event::DrawAnswered { accepted }),
        (prop::sample::select(DrawClaim::ALL.to_vec()), prop::option::of(any_ply()))
            .prop_map(|(claim, with)| Event::DrawClaimed { claim, with }),
        any::<u8>().prop_map(|plies| Event::TakebackAsked { plies }),
        any::<bool>().prop_map(|accepted| Event::TakebackAnswered { accepted }),
        any::<u8>().prop_map(|plies| Event::TakenBack { plies }),
        any_verdict().prop_map(|verdict| Event::Ended { verdict }),
        any::<bool>().prop_map(|on| Event::Hints { on }),
        any::<u16>().prop_map(|number| Event::Corrected { number }),
        any::<(u32, bool)>().prop_map(|(number, accepted)| Event::ChallengeAnswered { number, accepted }),
    ]
}

fn any_numbered_event() -> impl Strategy<Value = NumberedEvent> {
    (any::<u32>(), any::<u32>(), any_event()).prop_map(|(number, received_up_to, event)| NumberedEvent {
        number,
        received_up_to,
        event,
    })
}

fn any_game_info() -> impl Strategy<Value = GameInfo> {
    let name = prop::sample::select(vec!["", "Emanuel", "Jos\u{e9} Ra\u{fa}l", "0123456789abcdef0123456789abcdef"]);
    let seat = prop::sample::select(vec![Seat::White, Seat::Black, Seat::Both, Seat::Neither]);
    let clock = prop::option::of(any::<(u32, u32)>());
    (any::<u64>(), seat, any::<bool>(), clock, prop::option::of(any_verdict()), name.clone(), name).prop_map(
        |(game, seat, hints, clock, verdict, white, black)| {
            let clock = clock.map(|(base_ms, increment_ms)| ClockRule { base_ms, increment_ms });
            let [white, black] = [white, black].map(clipped_name);
            GameInfo { game, seat, hints, clock, verdict, white, black }
        },
    )
}

fn any_message() -> impl Strategy<Value = Message<'static>> {
    static BYTES: [u8; MAX_PIECE] = [0xa5; MAX_PIECE];
    static TEXT: LazyLock<String> = LazyLock::new(|| "\u{e9}".repeat(MAX_CONSOLE_OUTPUT / 2));
    let clocks = (any::<u32>(), any::<u32>(), prop::option::of(any_color()))
        .prop_map(|(white_ms, black_ms, running)| Clocks { white_ms, black_ms, running });
    prop_oneof![
        (any::<u64>(), any::<u64>(), any::<u32>(), any::<u32>()).prop_map(|(stream, seen, last, features)| {
            Message::Hello(Hello { stream, seen: Seen { stream: seen, last }, features, software: "tabiya 0.1.0" })
        }),
        any_numbered_event().prop_map(Message::Event),
        any::<u32>().prop_map(Message::Ack),
        (any::<[u32; 3]>(), any_game_info(), any_origin()).prop_map(
            |([number, received_up_to, renewed], info, origin)| {
                Message::Snapshot(Snapshot { number, received_up_to, renewed, info, origin })
            }
        ),
        (1..=MAX_PIECE).prop_map(|len| Message::Piece(&BYTES[..len])),
        Just(Message::Complete),
        Just(Message::Ping),
        Just(Message::Pong),
        any::<[u64; 3]>().prop_map(|sets| {
            let [occupied, in_hand, misplaced] = sets.map(Bitboard);
            Message::Occupancy(Occupancy { occupied, in_hand, misplaced })
        }),
        (prop::option::of(clocks), any::<[bool; 2]>()).prop_map(|(clocks, [opponent, rematch])| Message::Live(Live {
            clocks,
            opponent,
            rematch
        })),
        prop::option::of((any::<u32>(), any_game_info(), any::<bool>())).prop_map(|challenge| {
            Message::Challenge(challenge.map(|(number, info, is_white)| Challenge {
                number,
                color: if is_white { Color::White } else { Color::Black },
                clock: info.clock,
                name: info.white,
            }))
        }),
        (any::<u32>(), 0..=MAX_CONSOLE_LINE / 2)
            .prop_map(|(number, len)| { Message::ConsoleLine(ConsoleLine { number, line: &TEXT[..2 * len] }) }),
        (any::<u32>(), any::<bool>(), 0..=MAX_CONSOLE_OUTPUT / 2).prop_map(|(number, is_last, len)| {
            Message::ConsoleOutput(ConsoleOutput { number, is_last, text: &TEXT[..2 * len] })
        }),
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
    fn messages_round_trip(message in any_message()) {
        let bytes = write(&message);
        prop_assert_eq!(Message::read(&bytes), Ok(message));
        // A truncated message and one with trailing bytes are rejected.
        for len in 0..bytes.len() {
            prop_assert!(Message::read(&bytes[..len]).is_err());
        }
        let more = [&bytes[..], &[0]].concat();
        prop_assert_eq!(Message::read(&more), Err(ReadError::Trailing(1)));
        let mut short = vec![0; bytes.len() - 1];
        prop_assert_eq!(message.write(&mut short), Err(WriteError::Buffer));
    }

    #[test]
    fn numbered_events_round_trip(event in any_numbered_event()) {
        let mut buffer = [0; NumberedEvent::MAX_LEN];
        let len = event.write(&mut buffer).unwrap();
        prop_assert_eq!(NumberedEvent::read(&buffer[..len]), Ok(event));
    }

    #[test]
    fn random_bytes_are_rejected_or_round_trip(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        if let Ok(message) = Message::read(&bytes) {
            let written = write(&message);
            prop_assert_eq!(Message::read(&written), Ok(message));
        }
    }

    /// A message with one changed byte reaches the deeper checks.
    #[test]
    fn changed_messages_are_rejected_or_round_trip(
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
    fn encrypted_messages_round_trip_in_both_directions(messages in prop::collection::vec(any_message(), 1..10)) {
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
fn no_message_is_longer_than_the_limit() {
    let name = clipped_name(&"x".repeat(MAX_NAME));
    assert_eq!(name.len(), MAX_NAME);
    let info = GameInfo {
        game: u64::MAX,
        seat: Seat::Neither,
        hints: true,
        clock: Some(ClockRule { base_ms: u32::MAX, increment_ms: u32::MAX }),
        verdict: verdicts().last().copied(),
        white: name,
        black: name,
    };
    let origin = SnapshotOrigin::Plies(chess_from(LONG_FEN));
    let snapshot = Snapshot { number: u32::MAX, received_up_to: u32::MAX, renewed: u32::MAX, info, origin };
    let bytes = write(&Message::Snapshot(snapshot));
    assert!(bytes.len() + MAX_FEN - LONG_FEN.len() < MAX_MESSAGE);
    assert!(bytes.ends_with(LONG_FEN.as_bytes()), "the FEN is not cut off");
    assert_eq!(write(&Message::Piece(&[0; MAX_PIECE])).len(), MAX_MESSAGE);
}

/// The bytes of a snapshot without names, with this text as its start.
fn snapshot_from(start: &str) -> Vec<u8> {
    let mut bytes = vec![3, 1, 0, 1, 0, 2, 1, 0, 0, 0, 0, 1, start.len() as u8];
    bytes.extend(start.bytes());
    bytes
}

#[test]
fn rejects_fields_that_are_too_long() {
    let mut buffer = [0; MAX_MESSAGE];
    let software = "x".repeat(MAX_SOFTWARE + 1);
    let hello = Hello { stream: 1, seen: Seen::default(), features: 0, software: &software };
    assert_eq!(Message::Hello(hello).write(&mut buffer), Err(WriteError::Software(225)));
    assert_eq!(Message::Piece(&[]).write(&mut buffer), Err(WriteError::Piece(0)));
    assert_eq!(Message::Piece(&[0; MAX_PIECE + 1]).write(&mut buffer), Err(WriteError::Piece(513)));
    let line = ConsoleLine { number: 1, line: &"x".repeat(MAX_CONSOLE_LINE + 1) };
    assert_eq!(Message::ConsoleLine(line).write(&mut buffer), Err(WriteError::ConsoleLine(161)));
    let output = ConsoleOutput { number: 1, is_last: true, text: &"x".repeat(MAX_CONSOLE_OUTPUT + 1) };
    assert_eq!(Message::ConsoleOutput(output).write(&mut buffer), Err(WriteError::ConsoleOutput(481)));

    // The same fields in received bytes.
    let mut hello = vec![0, 1, 0, 0, 0, 0xe1, 0x01];
    hello.extend(software.bytes());
    assert_eq!(Message::read(&hello), Err(ReadError::Software(225)));
    let long = "x".repeat(MAX_NAME + 1);
    let head = [3, 1, 0, 1, 0, 2, 1, 0, 0];
    let white = [&head[..], &[33], long.as_bytes(), &[0, 0]].concat();
    let black = [&head[..], &[0, 33], long.as_bytes(), &[0]].concat();
    for snapshot in [white, black] {
        assert_eq!(Message::read(&snapshot), Err(ReadError::Name(33)));
    }
    for fen in ["x".repeat(MAX_FEN + 1), format!("rules:{}", "1".repeat(MAX_FEN - 5))] {
        assert_eq!(Message::read(&snapshot_from(&fen)), Err(ReadError::FenLength(93)));
    }
    assert_eq!(Message::read(&[4, 0]), Err(ReadError::Piece(0)));
    let mut piece = vec![4, 0x81, 0x04];
    piece.extend([0; 513]);
    assert_eq!(Message::read(&piece), Err(ReadError::Piece(513)));
    let line = [&[13, 1, 0xa1, 0x01][..], &[b'x'; 161]].concat();
    assert_eq!(Message::read(&line), Err(ReadError::ConsoleLine(161)));
    let output = [&[14, 1, 1, 0xe1, 0x03][..], &[b'x'; 481]].concat();
    assert_eq!(Message::read(&output), Err(ReadError::ConsoleOutput(481)));
}

#[test]
fn a_name_is_clipped_between_two_characters() {
    assert_eq!(&clipped_name("Vera"), "Vera");
    assert_eq!(&clipped_name(&"x".repeat(33)), &*"x".repeat(32));
    // Byte 32 is the second half of a character.
    assert_eq!(&clipped_name(&format!("x{}", "\u{e9}".repeat(16))), &*format!("x{}", "\u{e9}".repeat(15)));
}

/// Every number of a verdict, in an event and in a snapshot, has its meaning, and the next number has none.
#[test]
fn verdicts_have_their_numbers() {
    let verdicts = verdicts();
    assert_eq!(verdicts.len(), 20);
    for (code, &verdict) in (0_u8..).zip(&verdicts) {
        let event = NumberedEvent { number: 1, received_up_to: 0, event: Event::Ended { verdict } };
        assert_eq!(write(&Message::Event(event)), [1, 1, 0, 8, code]);
        assert_eq!(Message::read(&[1, 1, 0, 8, code]), Ok(Message::Event(event)));
        let info = GameInfo { verdict: Some(verdict), ..GameInfo::LOCAL };
        let snapshot = Message::Snapshot(Snapshot {
            number: 1,
            received_up_to: 0,
            renewed: 1,
            info,
            origin: SnapshotOrigin::State,
        });
        assert_eq!(write(&snapshot), [3, 1, 0, 1, 0, 2, 1, 0, 1, code, 0, 0, 0]);
        assert_eq!(Message::read(&write(&snapshot)), Ok(snapshot));
    }
    for code in 20..=u8::MAX {
        assert_eq!(Message::read(&[1, 1, 0, 8, code]), Err(ReadError::Verdict(code)));
        assert_eq!(Message::read(&[3, 1, 0, 1, 0, 2, 1, 0, 1, code, 0, 0, 0]), Err(ReadError::Verdict(code)));
    }
}

/// The bytes of a move of chess are those of its ply, and no move has a number above 20479.
#[test]
fn a_move_of_chess_is_a_ply_with_its_promotion_as_the_choice() {
    let promotions = [Promotion::Queen, Promotion::Knight, Promotion::Bishop, Promotion::Rook];
    for (tag, promotion) in (0_u16..).zip([None].into_iter().chain(promotions.map(Some))) {
        for index in 0..64 * 64_u16 {
            let [from, to] = [index % 64, index / 64].map(|square| Square::from_index(square as u8));
            let ply = Ply::of_move(Move::new(from, to).promoting(promotion));
            assert_eq!(ply.bits(), index + 4096 * tag);
            assert!(ply.bits() <= 20_479);
        }
    }
    // The first number above them, and the last one, arrive as they were sent.
    for (bits, bytes) in [(20_480, [0x80, 0xa0, 0x01]), (u16::MAX, [0xff, 0xff, 0x03])] {
        let ply = Ply::from_bits(bits);
        let moved =
            NumberedEvent { number: 1, received_up_to: 0, event: Event::Moved { number: 0, ply, thought_ms: 0 } };
        assert_eq!(Message::read(&[&[1, 1, 0, 0, 0][..], &bytes, &[0]].concat()), Ok(Message::Event(moved)));
        let claim = Event::DrawClaimed { claim: DrawClaim::FiftyMoves, with: Some(ply) };
        let claimed = NumberedEvent { number: 1, received_up_to: 0, event: claim };
        assert_eq!(Message::read(&[&[1, 1, 0, 4, 1, 1][..], &bytes].concat()), Ok(Message::Event(claimed)));
    }
}

#[test]
fn a_snapshot_starts_from_a_fen_or_under_the_rules_of_a_number() {
    let read = |start: &str| match Message::read(&snapshot_from(start)) {
        Ok(Message::Snapshot(snapshot)) => Ok(snapshot.origin),
        Ok(other) => panic!("{other:?}"),
        Err(error) => Err(error),
    };
    let fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
    assert_eq!(read(fen), Ok(SnapshotOrigin::Plies(chess_from(fen))));
    assert_eq!(read("rules:255"), Ok(SnapshotOrigin::Plies(Start::Breakthrough)));
    let snapshot = Snapshot {
        number: 1,
        received_up_to: 0,
        renewed: 1,
        info: GameInfo::LOCAL,
        origin: SnapshotOrigin::Plies(Start::Breakthrough),
    };
    assert_eq!(write(&Message::Snapshot(snapshot)), snapshot_from("rules:255"));

    // Chess is written as a FEN and never by its number.
    assert_eq!(read("rules:0"), Err(ReadError::Rules(0)));
    // GMO chess has a setup, which comes in the pieces.
    assert_eq!(read("rules:1"), Ok(SnapshotOrigin::Setup));
    let origin = SnapshotOrigin::of(&Start::Genome(rules::genome::Setup::default_preset(1).expect("valid")));
    let snapshot = Snapshot { number: 1, received_up_to: 0, renewed: 1, info: GameInfo::LOCAL, origin };
    assert_eq!(write(&Message::Snapshot(snapshot)), snapshot_from("rules:1"));
    // A told game has a turn, which comes in the pieces, too.
    assert_eq!(read("rules:2"), Ok(SnapshotOrigin::Turn));
    let turn = rules::told::Position::new(0, Color::White, &[None; 64]);
    let snapshot = Snapshot { origin: SnapshotOrigin::of(&Start::Told(turn)), ..snapshot };
    assert_eq!(write(&Message::Snapshot(snapshot)), snapshot_from("rules:2"));
    for unknown in 3..u8::MAX {
        assert_eq!(read(&format!("rules:{unknown}")), Err(ReadError::Rules(unknown)));
    }
    for malformed in ["rules:", "rules:256", "rules:-1", "rules: 255", "rules:255 ", "rules:x"] {
        assert_eq!(read(malformed), Err(ReadError::Malformed), "{malformed}");
    }
    for invalid in ["", "rules", "Rules:255", "4k3/8/8/8/8/8/8/4K3", "4k3/8/8/8/8/8/8/4K3 w - - 0 x"] {
        assert!(matches!(read(invalid), Err(ReadError::Fen(FenError::Unexpected(..)))), "{invalid}");
    }
    let kingless = "4k3/8/8/8/8/8/8/8 w - - 0 1";
    assert_eq!(read(kingless), Err(ReadError::Fen(FenError::Setup(SetupError::NoKing(Color::White)))));
}

#[test]
fn errors_are_readable_sentences() {
    let long_fen = snapshot_from(&"x".repeat(93));
    let kingless = snapshot_from("4k3/8/8/8/8/8/8/8 w - - 0 1");
    let unknown_rules = snapshot_from("rules:7");
    let long_name = [&[3, 1, 0, 1, 0, 2, 1, 0, 0, 33][..], &[b'x'; 33], &[0, 0]].concat();
    for (bytes, sentence) in [
        (&[][..], "the bytes are not a message"),
        (&[11], "the bytes are not a message"),
        (&[6, 0, 0], "2 bytes follow the message"),
        (&[1, 1, 0, 1, 2], "a side is 0 or 1, not 2"),
        (&[1, 1, 0, 4, 2, 0], "a claim is 0 or 1, not 2"),
        (&[1, 1, 0, 8, 20], "the end of a game is 0 to 19, not 20"),
        (&[9, 1, 0, 0, 3, 0], "a player is 0, 1, or 2 for none, not 3"),
        (&[3, 1, 0, 1, 0, 4, 1, 0, 0, 0, 0, 0], "a seat is 0 to 3, not 4"),
        (&[4, 0], "a piece has 1 to 512 bytes, not 0"),
        (&long_name, "a name has at most 32 bytes, not 33"),
        (&long_fen, "a FEN has at most 92 bytes, not 93"),
        (&kingless, "the start position is invalid: white has no king"),
        (&unknown_rules, "no rule set other than chess has the number 7"),
    ] {
        assert_eq!(Message::read(bytes).unwrap_err().to_string(), sentence, "{bytes:?}");
    }
}

/// Rejects a frame that is lost, replayed, out of order, reflected, truncated or changed.
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

#[test]
fn a_failed_send_does_not_advance_the_nonce() {
    let (mut board, mut relay) = channels();
    let mut buffer = [0; MAX_FRAME];
    assert_eq!(board.send(&Message::Ping, &mut buffer[..16]), Err(SendError::Buffer));
    assert_eq!(board.send(&Message::Ping, &mut buffer[..3]), Err(SendError::Buffer));
    assert_eq!(board.send(&Message::Piece(&[]), &mut buffer), Err(SendError::Write(WriteError::Piece(0))));
    let len = board.send(&Message::Pong, &mut buffer[..17]).unwrap();
    assert_eq!(relay.receive(&mut buffer[..len]), Ok(Message::Pong));
}
