use chess::{Color, Position, SetupError, Square};
use proptest::prelude::*;
use proptest::sample::Index;
use wire::journal::{MAX_PAYLOAD, MAX_VALUE, Moves, Record, RecordError, WriteError};
use wire::link::{ReadError, Table};

use crate::{FENS, config, played, position, record};

fn written(record: &Record<'_>) -> Result<Vec<u8>, WriteError> {
    let mut buffer = [0xaa; MAX_PAYLOAD];
    record.write(&mut buffer).map(|len| buffer[..len].to_vec())
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn a_record_is_read_as_it_was_written(record in record(), behind: [u8; 3]) {
        let mut bytes = written(&record).expect("a record that can be written");
        prop_assert!(bytes.len() <= Record::MAX_LEN.max(Record::MOVES_OVERHEAD + 128));
        bytes.extend(behind);
        prop_assert_eq!(Record::read(&bytes), Ok((record, &behind[..])));
    }

    #[test]
    fn half_a_record_is_none(record in record(), part: Index) {
        let bytes = written(&record).expect("a record that can be written");
        let len = part.index(bytes.len());
        prop_assert!(Record::read(&bytes[..len]).is_err());
    }

    #[test]
    fn whatever_the_bytes_are_they_are_a_record_or_they_are_not(bytes in proptest::collection::vec(any::<u8>(), 0..80)) {
        if let Ok((record, rest)) = Record::read(&bytes) {
            // A number can be written in more bytes than it needs, but means the same.
            let again = written(&record).expect("a record that can be written");
            prop_assert!(again.len() <= bytes.len() - rest.len());
            prop_assert_eq!(Record::read(&again), Ok((record, &[][..])));
        }
    }

    #[test]
    fn every_position_is_a_start(choices: [u8; 40], fen in position()) {
        for position in [played(&choices), fen] {
            let bytes = written(&Record::Start(position)).expect("a position");
            prop_assert!(bytes.len() <= 41);
            prop_assert_eq!(Record::read(&bytes), Ok((Record::Start(position), &[][..])));
        }
    }

    #[test]
    fn a_start_is_read_only_from_the_bytes_that_it_is_written_with(index in 3..41_usize, byte: u8, fen in position()) {
        let mut bytes = written(&Record::Start(fen)).expect("a position");
        if let Some(slot) = bytes.get_mut(index) {
            *slot = byte;
            if let Ok((record, _)) = Record::read(&bytes) {
                prop_assert_eq!(written(&record), Ok(bytes));
            }
        }
    }
}

#[test]
fn the_start_of_chess_takes_two_bytes() {
    assert_eq!(written(&Record::Start(Position::start())).map(|bytes| bytes.len()), Ok(2));
}

#[test]
fn a_start_that_is_no_position_is_refused() {
    let mut bytes = written(&Record::Start(FENS[2].parse().expect("a position"))).expect("a position");
    // The black king leaves e8. What comes before the board are three bytes.
    bytes[3 + usize::from(Square::E8.index()) / 2] = 0;
    assert_eq!(Record::read(&bytes), Err(RecordError::Start(SetupError::NoKing(Color::Black))));
}

#[test]
fn no_record_is_longer_than_it_says() {
    let long = "w".repeat(32);
    let clock = Some(wire::link::ClockRule { base_ms: u32::MAX, increment_ms: u32::MAX });
    let table = Table { game: u64::MAX, clock, white: &long, black: &long, ..Table::LOCAL };
    assert_eq!(written(&Record::Table(table)).map(|bytes| bytes.len()), Ok(Record::MAX_LEN));
    let value = Record::Value { id: 255, bytes: &[0xff; MAX_VALUE] };
    assert!(written(&value).expect("a value").len() <= Record::MAX_LEN);
    // As many moves as a frame has room for.
    let moves = vec!["h7h8r".parse().expect("a move"); (MAX_PAYLOAD - Record::MOVES_OVERHEAD) / Moves::MOVE_LEN];
    let record = Record::Moves { ply: u16::MAX, moves: Moves::of(&moves) };
    assert_eq!(written(&record).map(|bytes| bytes.len()), Ok(MAX_PAYLOAD));
}

#[test]
fn what_is_too_long_is_not_written() {
    let long = "w".repeat(33);
    let table = Table { white: &long, ..Table::LOCAL };
    assert_eq!(written(&Record::Table(table)), Err(WriteError::Name(33)));
    assert_eq!(written(&Record::Value { id: 0, bytes: &[0; 65] }), Err(WriteError::Value(65)));
    let moves = vec!["h7h8r".parse().expect("a move"); 126];
    assert_eq!(written(&Record::Moves { ply: 0, moves: Moves::of(&moves) }), Err(WriteError::Room));
    assert_eq!(Record::Heard(u32::MAX).write(&mut [0; 5]), Err(WriteError::Room));
    assert_eq!(Record::Heard(u32::MAX).write(&mut [0; 6]), Ok(6));
    // Nor read.
    let value = [&[1, 0, 65][..], &[7; 65]].concat();
    assert_eq!(Record::read(&value), Err(RecordError::Value(65)));
    assert_eq!(Record::read(&[4, 0, 2, 0x00, 0x50]), Err(RecordError::Part(ReadError::Move(0x5000))));
    assert_eq!(Record::read(&[4, 0, 1, 9]), Err(RecordError::Part(ReadError::Move(9))));
}
