use proptest::prelude::*;
use proptest::sample::Index;
use wire::journal::{ALIGN, Check, Draft, Found, Frame, HEAD_LEN, Head, MAX_FRAME, Record, WriteError};

use crate::{config, record};

/// One frame after the other, with as many of these records as fit, and where each of them begins.
struct Bank {
    bytes: Vec<u8>,
    places: Vec<(usize, Check)>,
    frames: Vec<Vec<Record<'static>>>,
}

impl Bank {
    fn new(sequence: u32, records: &[Record<'static>]) -> Self {
        let (head, check) = Head { sequence }.write();
        let mut bank = Self { bytes: head.to_vec(), places: vec![(HEAD_LEN, check)], frames: Vec::new() };
        let mut rest = records;
        while !rest.is_empty() {
            let mut buffer = [0xaa; MAX_FRAME];
            let mut draft = Draft::new(&mut buffer);
            let count =
                rest.iter().position(|record| draft.push(record) == Err(WriteError::Room)).unwrap_or(rest.len());
            let (part, after) = rest.split_at(count);
            let (len, check) = draft.seal(after.is_empty(), bank.places.last().expect("a head").1);
            bank.bytes.extend(&buffer[..len]);
            bank.places.push((bank.bytes.len(), check));
            bank.frames.push(part.to_vec());
            rest = after;
        }
        bank
    }

    /// The frames that are found, and what ends them.
    fn read(bytes: &[u8]) -> Option<(Vec<Vec<Record<'_>>>, Found<'_>)> {
        let (_, mut check) = Head::read(bytes.first_chunk()?)?;
        let mut frames = Vec::new();
        let mut rest = &bytes[HEAD_LEN..];
        loop {
            match Frame::read(&rest[..rest.len().min(MAX_FRAME)], check) {
                Found::Frame(frame) => {
                    frames.push(frame.records().map(|record| record.expect("a record")).collect());
                    check = frame.check;
                    rest = &rest[frame.len..];
                }
                end => return Some((frames, end)),
            }
        }
    }
}

fn records() -> impl Strategy<Value = Vec<Record<'static>>> {
    proptest::collection::vec(record(), 1..30)
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn frames_are_read_as_they_were_written(records in records(), sequence: u32, room in 0..40_usize) {
        let mut bank = Bank::new(sequence, &records);
        prop_assert!(bank.bytes.len().is_multiple_of(ALIGN));
        bank.bytes.resize(bank.bytes.len() + room, 0xff);
        let (frames, end) = Bank::read(&bank.bytes).expect("a head");
        prop_assert_eq!(&frames, &bank.frames);
        prop_assert_eq!(end, Found::Blank);
    }

    #[test]
    fn a_frame_that_is_cut_off_is_torn_and_those_before_it_are_not(records in records(), part: Index, bits: u8) {
        let bank = Bank::new(1, &records);
        let cut = HEAD_LEN + part.index(bank.bytes.len() - HEAD_LEN);
        let mut bytes = bank.bytes.clone();
        bytes[cut] |= bits;
        bytes[cut + 1..].fill(0xff);
        let (frames, end) = Bank::read(&bytes).expect("a head");
        let whole = bank.places[1..].iter().filter(|(place, _)| *place <= cut).count();
        // It may be that nothing of it is missing.
        if bytes[..] != bank.bytes[..] {
            prop_assert!(frames.len() == whole || bytes[cut..] == bank.bytes[cut..]);
        }
        prop_assert!(frames.len() >= whole);
        prop_assert_eq!(&frames[..], &bank.frames[..frames.len()]);
        prop_assert!(!matches!(end, Found::Frame(_)));
    }

    #[test]
    fn up_to_five_bits_that_flip_are_always_found(records in records(), flips in proptest::collection::vec(any::<usize>(), 1..=5)) {
        let bank = Bank::new(1, &records);
        // All of them in the first frame.
        let len = bank.places[1].0 - HEAD_LEN;
        let mut bytes = bank.bytes.clone();
        for flip in flips {
            bytes[HEAD_LEN + flip / 8 % len] ^= 1 << (flip % 8);
        }
        let (frames, _) = Bank::read(&bytes).expect("a head");
        prop_assert_eq!(frames.len(), if bytes == bank.bytes { bank.frames.len() } else { 0 });
    }

    #[test]
    fn a_frame_counts_only_in_its_place(first in records(), second in records(), sequence: u32) {
        let first = Bank::new(sequence, &first);
        // After another head.
        let mut other = Bank::new(sequence.wrapping_add(1), &[]).bytes;
        other.extend(&first.bytes[HEAD_LEN..]);
        prop_assert_eq!(Bank::read(&other).expect("a head").0.len(), 0);
        // After another frame; but the same frames after each other are no different ones.
        let second = Bank::new(sequence, &second);
        let mut other = first.bytes.clone();
        other.extend(&second.bytes[HEAD_LEN..]);
        prop_assert_eq!(Bank::read(&other).expect("a head").0.len(), first.frames.len());
        // And not if one before it is left out.
        if first.frames.len() > 1 {
            let gap = first.places[0].0..first.places[1].0;
            let mut other = first.bytes.clone();
            other.drain(gap);
            prop_assert_eq!(Bank::read(&other).expect("a head").0.len(), 0);
        }
    }

    #[test]
    fn garbage_is_no_frame_and_no_head(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        let (_, check) = Head { sequence: 1 }.write();
        prop_assert!(!matches!(Frame::read(&bytes[..bytes.len().min(MAX_FRAME)], check), Found::Frame(_)));
        if let Some(head) = bytes.first_chunk() {
            prop_assert_eq!(Head::read(head), None);
        }
    }
}

#[test]
fn a_head_is_read_only_from_the_bytes_that_it_is_written_with() {
    for sequence in [0, 1, 0xdead_beef, u32::MAX] {
        let head = Head { sequence };
        let (bytes, check) = head.write();
        assert_eq!(Head::read(&bytes), Some((head, check)));
        for bit in 0..HEAD_LEN * 8 {
            let mut flipped = bytes;
            flipped[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(Head::read(&flipped), None);
        }
    }
    assert_eq!(Head::read(&[0; HEAD_LEN]), None);
    assert_eq!(Head::read(&[0xff; HEAD_LEN]), None);
}

#[test]
fn a_frame_without_records_is_none() {
    let (_, check) = Head { sequence: 1 }.write();
    let mut buffer = [0; MAX_FRAME];
    assert_eq!(Draft::new(&mut buffer).seal(true, check), (0, check));
    assert_eq!(Frame::read(&[0; MAX_FRAME], check), Found::Torn);
    assert_eq!(Frame::read(&[0xff; MAX_FRAME], check), Found::Blank);
    // At the end of a bank.
    assert_eq!(Frame::read(&[], check), Found::Blank);
}

#[test]
fn a_record_that_has_no_room_leaves_nothing_behind() {
    let (_, check) = Head { sequence: 1 }.write();
    let frames = [1, 2].map(|tries| {
        let mut buffer = [0; MAX_FRAME];
        let mut draft = Draft::new(&mut buffer);
        for id in 0..3 {
            draft.push(&Record::Value { id, bytes: &[0xff; 64] }).expect("room");
        }
        for _ in 1..tries {
            assert_eq!(draft.push(&Record::Value { id: 3, bytes: &[0xff; 64] }), Err(WriteError::Room));
        }
        let sealed = draft.seal(true, check);
        (sealed, buffer)
    });
    assert_eq!(frames[0], frames[1]);
}
