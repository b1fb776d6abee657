use chess::{Color, SetupError, Square};
use proptest::prelude::*;
use proptest::sample::Index;
use rules::{Ply, Start, Verdict, Why};
use wire::journal::{MAX_PAYLOAD, MAX_VALUE, Moves, Record, RecordReadError, RecordWriteError};
use wire::link::{GameInfo, ReadError, clipped_name};

use crate::{FENS, config, played, position, record};

fn written(record: &Record<'_>) -> Result<Vec<u8>, RecordWriteError> {
    let mut buffer = [0xaa; MAX_PAYLOAD];
    record.write(&mut buffer).map(|len| buffer[..len].to_vec())
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn a_record_round_trips(record in record(), behind: [u8; 3]) {
        let mut bytes = written(&record).expect("a record that can be written");
        prop_assert!(bytes.len() <= Record::MAX_LEN.max(Record::MOVES_OVERHEAD + 128));
        bytes.extend(behind);
        prop_assert_eq!(Record::read(&bytes), Ok((record, &behind[..])));
    }

    #[test]
    fn rejects_a_truncated_record(record in record(), part: Index) {
        let bytes = written(&record).expect("a record that can be written");
        let len = part.index(bytes.len());
        prop_assert!(Record::read(&bytes[..len]).is_err());
    }

    #[test]
    fn random_bytes_are_rejected_or_round_trip(bytes in proptest::collection::vec(any::<u8>(), 0..80)) {
        if let Ok((record, rest)) = Record::read(&bytes) {
            // A variable-length number may have redundant bytes.
            let again = written(&record).expect("a record that can be written");
            prop_assert!(again.len() <= bytes.len() - rest.len());
            prop_assert_eq!(Record::read(&again), Ok((record, &[][..])));
        }
    }

    #[test]
    fn every_position_round_trips_as_a_start_position(choices: [u8; 40], fen in position()) {
        for position in [played(&choices), fen] {
            let record = Record::Start(Start::Chess(position));
            let bytes = written(&record).expect("a position");
            prop_assert!(bytes.len() <= 41);
            prop_assert_eq!(Record::read(&bytes), Ok((record, &[][..])));
        }
    }

    #[test]
    fn a_start_position_has_one_encoding(index in 3..41_usize, byte: u8, fen in position()) {
        let mut bytes = written(&Record::Start(Start::Chess(fen))).expect("a position");
        if let Some(slot) = bytes.get_mut(index) {
            *slot = byte;
            if let Ok((record, _)) = Record::read(&bytes) {
                prop_assert_eq!(written(&record), Ok(bytes));
            }
        }
    }
}

#[test]
fn the_start_position_of_chess_takes_two_bytes() {
    assert_eq!(written(&Record::Start(Start::CHESS)), Ok(vec![3, 0]));
}

#[test]
fn rejects_an_invalid_start_position() {
    let start = Start::Chess(FENS[2].parse().expect("a position"));
    let mut bytes = written(&Record::Start(start)).expect("a position");
    // Removes the black king from e8. Three bytes come before the board.
    bytes[3 + usize::from(Square::E8.index()) / 2] = 0;
    assert_eq!(Record::read(&bytes), Err(RecordReadError::Start(SetupError::NoKing(Color::Black))));
}

#[test]
fn a_start_under_other_rules_is_the_number_of_the_rules() {
    let record = Record::Start(Start::Breakthrough);
    assert_eq!(written(&record), Ok(vec![3, 1, 1, 255]));
    assert_eq!(Record::read(&[3, 1, 1, 255]), Ok((record, &[][..])));
    // 0 is chess, which is written as its start position; the others are not known.
    for id in 0..u8::MAX {
        assert_eq!(Record::read(&[3, 1, 1, id]), Err(RecordReadError::Field(ReadError::Rules(id))));
    }
    for len in (0..38).filter(|&len| len != 1).chain([39]) {
        let bytes = [&[3, 1, len][..], &vec![0; usize::from(len)]].concat();
        assert_eq!(Record::read(&bytes), Err(RecordReadError::Malformed), "{len} bytes");
    }
}

#[test]
fn a_start_that_is_too_large_is_written_in_parts() {
    let turn = rules::told::Position::new(0, Color::White, &[None; 64]);
    let setup = rules::genome::Setup::default_preset(1).expect("valid");
    for start in [Start::Told(turn), Start::Genome(setup)] {
        assert_eq!(written(&Record::Start(start)), Err(RecordWriteError::Parts));
    }
    assert_eq!(written(&Record::Turn(&[7, 8, 9])), Ok(vec![12, 3, 7, 8, 9]));
    assert_eq!(Record::read(&[12, 3, 7, 8, 9]), Ok((Record::Turn(&[7, 8, 9]), &[][..])));
    let part = [0; MAX_PAYLOAD - Record::PART_OVERHEAD];
    assert_eq!(written(&Record::Turn(&part)).map(|bytes| bytes.len()), Ok(MAX_PAYLOAD));
}

#[test]
fn verdicts_have_the_numbers_of_the_link() {
    let won = |winner, why| Verdict::Won { winner, why };
    for (code, verdict) in [
        (0, won(Color::White, Why::Checkmate)),
        (13, Verdict::Drawn(Why::TimeAgainstBareKing)),
        (14, won(Color::White, Why::Abandonment)),
        (15, won(Color::Black, Why::Abandonment)),
        (16, Verdict::Aborted),
        (17, won(Color::White, Why::Rules)),
        (18, won(Color::Black, Why::Rules)),
        (19, Verdict::Drawn(Why::Rules)),
    ] {
        assert_eq!(written(&Record::Ended(verdict)), Ok(vec![5, code]));
        assert_eq!(Record::read(&[5, code]), Ok((Record::Ended(verdict), &[][..])));
    }
    for code in 20..=u8::MAX {
        assert_eq!(Record::read(&[5, code]), Err(RecordReadError::Field(ReadError::Verdict(code))));
    }
}

#[test]
fn every_two_bytes_of_a_moves_record_are_a_ply() {
    for bits in 0..=u16::MAX {
        let [low, high] = bits.to_le_bytes();
        let bytes = [4, 7, 2, low, high];
        let Ok((record @ Record::Moves { ply: 7, moves }, [])) = Record::read(&bytes) else { panic!("{bits}") };
        assert!(moves.iter().eq([Ply::from_bits(bits)]));
        assert_eq!(written(&record), Ok(bytes.to_vec()));
    }
}

#[test]
fn no_record_is_longer_than_its_limit() {
    let long = clipped_name(&"w".repeat(32));
    let clock = Some(wire::link::ClockRule { base_ms: u32::MAX, increment_ms: u32::MAX });
    let info = GameInfo { game: u64::MAX, clock, white: long, black: long, ..GameInfo::LOCAL };
    assert_eq!(written(&Record::GameInfo(info)).map(|bytes| bytes.len()), Ok(Record::MAX_LEN));
    let value = Record::Value { id: 255, bytes: &[0xff; MAX_VALUE] };
    assert!(written(&value).expect("a value").len() <= Record::MAX_LEN);
    // As many moves as fit into a frame.
    let moves = vec!["h7h8r".parse().expect("a move"); (MAX_PAYLOAD - Record::MOVES_OVERHEAD) / Moves::MOVE_LEN];
    let record = Record::Moves { ply: u16::MAX, moves: Moves::of(&moves) };
    assert_eq!(written(&record).map(|bytes| bytes.len()), Ok(MAX_PAYLOAD));
}

#[test]
fn rejects_names_values_and_moves_that_are_too_long() {
    assert_eq!(written(&Record::Value { id: 0, bytes: &[0; 65] }), Err(RecordWriteError::Value(65)));
    let moves = vec!["h7h8r".parse().expect("a move"); 126];
    assert_eq!(written(&Record::Moves { ply: 0, moves: Moves::of(&moves) }), Err(RecordWriteError::Room));
    assert_eq!(Record::Received(u32::MAX).write(&mut [0; 5]), Err(RecordWriteError::Room));
    assert_eq!(Record::Received(u32::MAX).write(&mut [0; 6]), Ok(6));
    // Reading rejects them, too.
    let value = [&[1, 0, 65][..], &[7; 65]].concat();
    assert_eq!(Record::read(&value), Err(RecordReadError::Value(65)));
    let name = [b'w'; 33];
    let white = [&[2, 0, 2, 1, 0, 33][..], &name, &[0]].concat();
    let black = [&[2, 0, 2, 1, 0, 0, 33][..], &name].concat();
    for info in [white, black] {
        assert_eq!(Record::read(&info), Err(RecordReadError::Field(ReadError::Name(33))));
    }
    // Half a ply.
    assert_eq!(Record::read(&[4, 0, 1, 9]), Err(RecordReadError::Malformed));
    assert_eq!(Record::read(&[4, 0, 3, 9, 0, 9]), Err(RecordReadError::Malformed));
}
