use chess::Bitboard;
use proptest::collection::vec;
use proptest::prelude::*;
use wire::panel::{MAX_PANEL_FRAME, PanelMessage};

use crate::{frame, read};

const SYNC: u8 = 0xc5;

fn any_message() -> impl Strategy<Value = PanelMessage> {
    let colours = vec(any::<[u8; 3]>(), 64).prop_map(|colours| colours.try_into().expect("64 of them"));
    prop_oneof![
        any::<u64>().prop_map(|squares| PanelMessage::Occupied(Bitboard(squares))),
        any::<u64>().prop_map(|squares| PanelMessage::Settled(Bitboard(squares))),
        Just(PanelMessage::Ask),
        colours.prop_map(PanelMessage::Lights),
    ]
}

proptest! {
    #[test]
    fn messages_round_trip(messages in vec(any_message(), 0..8)) {
        let bytes: Vec<u8> = messages.iter().flat_map(frame).collect();
        prop_assert_eq!(read(&bytes), messages);
    }

    #[test]
    fn a_message_after_garbage_is_received(
        garbage in vec(prop_oneof![3 => any::<u8>(), 1 => Just(SYNC)], 0..300),
        message in any_message(),
    ) {
        let mut bytes = garbage;
        // The garbage may look like the beginning of the longest frame.
        bytes.extend([0; MAX_PANEL_FRAME]);
        bytes.extend(frame(&message));
        let received = read(&bytes);
        prop_assert_eq!(received.last(), Some(&message));
    }
}

#[test]
fn a_frame_directly_after_garbage_is_received() {
    let message = PanelMessage::Occupied(Bitboard(SYNC.into()));
    // Includes garbage that looks like the beginning of a frame.
    for garbage in [&b"\0"[..], &[SYNC], &[SYNC, SYNC], &[SYNC, 1], &[SYNC, 1, 8, 1, 2], &[0xff; 300]] {
        let mut bytes = garbage.to_vec();
        bytes.extend(frame(&message));
        // An apparent frame is dropped only when its checksum has arrived.
        bytes.extend([0; MAX_PANEL_FRAME]);
        assert_eq!(read(&bytes), std::slice::from_ref(&message), "{garbage:x?}");
    }
}

#[test]
fn a_damaged_frame_is_dropped_and_the_next_one_received() {
    let (first, second) = (frame(&PanelMessage::Occupied(Bitboard(1))), frame(&PanelMessage::Ask));
    for at in 0..first.len() {
        for bit in 0..8 {
            let mut bytes = first.clone();
            bytes[at] ^= 1 << bit;
            bytes.extend(&second);
            bytes.extend([0; MAX_PANEL_FRAME]);
            assert_eq!(read(&bytes), [PanelMessage::Ask], "bit {bit} of byte {at}");
        }
    }
}

#[test]
fn a_frame_of_an_unknown_kind_is_skipped() {
    let check = crc_of(&[99, 1, 7]);
    let mut bytes = vec![SYNC, 99, 1, 7];
    bytes.extend(check.to_le_bytes());
    bytes.extend(frame(&PanelMessage::Ask));
    assert_eq!(read(&bytes), [PanelMessage::Ask]);
}

/// CRC-16 as the document describes it, bit by bit.
fn crc_of(bytes: &[u8]) -> u16 {
    bytes.iter().fold(0xffff, |crc, &byte| {
        (0..8).fold(crc ^ u16::from(byte) << 8, |crc, _| crc << 1 ^ if crc & 0x8000 == 0 { 0 } else { 0x1021 })
    })
}

#[test]
fn the_checksum_is_that_of_the_document() {
    assert_eq!(crc_of(b"123456789"), 0x29b1);
    let bytes = frame(&PanelMessage::Ask);
    let (body, check) = bytes.split_last_chunk().expect("a check");
    assert_eq!(u16::from_le_bytes(*check), crc_of(&body[1..]));
}
