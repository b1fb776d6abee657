use proptest::prelude::*;
use proptest::sample::Index;
use wire::journal::{
    ALIGN, BankHeader, Checksum, FrameRead, FrameWriter, HEADER_LEN, MAX_FRAME, Record, RecordFrame, RecordWriteError,
};

use crate::{config, record};

/// A bank of frames that are filled with records. `ends` has the end of the header and of each frame, with the checksum.
struct EncodedBank {
    bytes: Vec<u8>,
    ends: Vec<(usize, Checksum)>,
    frames: Vec<Vec<Record<'static>>>,
}

impl EncodedBank {
    fn new(sequence: u32, records: &[Record<'static>]) -> Self {
        let (head, check) = BankHeader { sequence }.write();
        let mut bank = Self { bytes: head.to_vec(), ends: vec![(HEADER_LEN, check)], frames: Vec::new() };
        let mut rest = records;
        while !rest.is_empty() {
            let mut buffer = [0xaa; MAX_FRAME];
            let mut writer = FrameWriter::new(&mut buffer);
            let count =
                rest.iter().position(|record| writer.push(record) == Err(RecordWriteError::Room)).unwrap_or(rest.len());
            let (part, after) = rest.split_at(count);
            let (len, check) = writer.finish(after.is_empty(), bank.ends.last().expect("a header").1);
            bank.bytes.extend(&buffer[..len]);
            bank.ends.push((bank.bytes.len(), check));
            bank.frames.push(part.to_vec());
            rest = after;
        }
        bank
    }

    /// Reads the valid frames, and returns them with the first result that is not a frame.
    fn read(bytes: &[u8]) -> Option<(Vec<Vec<Record<'_>>>, FrameRead<'_>)> {
        let (_, mut check) = BankHeader::read(bytes.first_chunk()?)?;
        let mut frames = Vec::new();
        let mut rest = &bytes[HEADER_LEN..];
        loop {
            match RecordFrame::read(&rest[..rest.len().min(MAX_FRAME)], check) {
                FrameRead::Frame(frame) => {
                    frames.push(frame.records().map(|record| record.expect("a record")).collect());
                    check = frame.checksum;
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
    fn frames_round_trip(records in records(), sequence: u32, room in 0..40_usize) {
        let mut bank = EncodedBank::new(sequence, &records);
        prop_assert!(bank.bytes.len().is_multiple_of(ALIGN));
        bank.bytes.resize(bank.bytes.len() + room, 0xff);
        let (frames, end) = EncodedBank::read(&bank.bytes).expect("a header");
        prop_assert_eq!(&frames, &bank.frames);
        prop_assert_eq!(end, FrameRead::Blank);
    }

    #[test]
    fn a_truncated_frame_is_torn_and_frames_before_it_are_valid(records in records(), part: Index, bits: u8) {
        let bank = EncodedBank::new(1, &records);
        let cut = HEADER_LEN + part.index(bank.bytes.len() - HEADER_LEN);
        let mut bytes = bank.bytes.clone();
        bytes[cut] |= bits;
        bytes[cut + 1..].fill(0xff);
        let (frames, end) = EncodedBank::read(&bytes).expect("a header");
        let complete = bank.ends[1..].iter().filter(|(end, _)| *end <= cut).count();
        prop_assert!(frames.len() >= complete);
        // The lost part of a frame may have been what it is replaced by.
        let (end_of_valid, _) = bank.ends[frames.len()];
        prop_assert_eq!(&bytes[..end_of_valid], &bank.bytes[..end_of_valid]);
        prop_assert_eq!(&frames[..], &bank.frames[..frames.len()]);
        prop_assert!(!matches!(end, FrameRead::Frame(_)));
    }

    #[test]
    fn detects_up_to_five_flipped_bits(records in records(), flips in proptest::collection::vec(any::<usize>(), 1..=5)) {
        let bank = EncodedBank::new(1, &records);
        // All flips are in the first frame.
        let len = bank.ends[1].0 - HEADER_LEN;
        let mut bytes = bank.bytes.clone();
        for flip in flips {
            bytes[HEADER_LEN + flip / 8 % len] ^= 1 << (flip % 8);
        }
        let (frames, _) = EncodedBank::read(&bytes).expect("a header");
        prop_assert_eq!(frames.len(), if bytes == bank.bytes { bank.frames.len() } else { 0 });
    }

    #[test]
    fn a_frame_is_valid_only_at_its_place_in_the_chain(first in records(), second in records(), sequence: u32) {
        let first = EncodedBank::new(sequence, &first);
        // After another bank header.
        let mut other = EncodedBank::new(sequence.wrapping_add(1), &[]).bytes;
        other.extend(&first.bytes[HEADER_LEN..]);
        prop_assert_eq!(EncodedBank::read(&other).expect("a header").0.len(), 0);
        // After another frame.
        let second = EncodedBank::new(sequence, &second);
        let mut other = first.bytes.clone();
        other.extend(&second.bytes[HEADER_LEN..]);
        prop_assert_eq!(EncodedBank::read(&other).expect("a header").0.len(), first.frames.len());
        // After a missing frame.
        if first.frames.len() > 1 {
            let gap = first.ends[0].0..first.ends[1].0;
            let mut other = first.bytes.clone();
            other.drain(gap);
            prop_assert_eq!(EncodedBank::read(&other).expect("a header").0.len(), 0);
        }
    }

    #[test]
    fn rejects_garbage_as_frame_and_header(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        let (_, check) = BankHeader { sequence: 1 }.write();
        prop_assert!(!matches!(RecordFrame::read(&bytes[..bytes.len().min(MAX_FRAME)], check), FrameRead::Frame(_)));
        if let Some(head) = bytes.first_chunk() {
            prop_assert_eq!(BankHeader::read(head), None);
        }
    }
}

#[test]
fn a_bank_header_has_one_encoding() {
    for sequence in [0, 1, 0xdead_beef, u32::MAX] {
        let head = BankHeader { sequence };
        let (bytes, check) = head.write();
        assert_eq!(BankHeader::read(&bytes), Some((head, check)));
        for bit in 0..HEADER_LEN * 8 {
            let mut flipped = bytes;
            flipped[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(BankHeader::read(&flipped), None);
        }
    }
    assert_eq!(BankHeader::read(&[0; HEADER_LEN]), None);
    assert_eq!(BankHeader::read(&[0xff; HEADER_LEN]), None);
}

#[test]
fn a_frame_without_records_is_not_written_and_not_read() {
    let (_, check) = BankHeader { sequence: 1 }.write();
    let mut buffer = [0; MAX_FRAME];
    assert_eq!(FrameWriter::new(&mut buffer).finish(true, check), (0, check));
    assert_eq!(RecordFrame::read(&[0; MAX_FRAME], check), FrameRead::Torn);
    assert_eq!(RecordFrame::read(&[0xff; MAX_FRAME], check), FrameRead::Blank);
    // At the end of a bank.
    assert_eq!(RecordFrame::read(&[], check), FrameRead::Blank);
}

#[test]
fn a_record_that_does_not_fit_leaves_the_frame_unchanged() {
    let (_, check) = BankHeader { sequence: 1 }.write();
    let frames = [1, 2].map(|tries| {
        let mut buffer = [0; MAX_FRAME];
        let mut writer = FrameWriter::new(&mut buffer);
        for id in 0..3 {
            writer.push(&Record::Value { id, bytes: &[0xff; 64] }).expect("room");
        }
        for _ in 1..tries {
            assert_eq!(writer.push(&Record::Value { id: 3, bytes: &[0xff; 64] }), Err(RecordWriteError::Room));
        }
        let finished = writer.finish(true, check);
        (finished, buffer)
    });
    assert_eq!(frames[0], frames[1]);
}
