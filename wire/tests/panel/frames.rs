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
    fn messages_come_out_as_they_went_in(messages in vec(any_message(), 0..8)) {
        let bytes: Vec<u8> = messages.iter().flat_map(frame).collect();
        prop_assert_eq!(read(&bytes), messages);
    }

    #[test]
    fn whatever_came_before_who_says_it_again_is_heard(
        garbage in vec(prop_oneof![3 => any::<u8>(), 1 => Just(SYNC)], 0..300),
        message in any_message(),
    ) {
        let mut bytes = garbage;
        // The garbage may have promised as many bytes as the longest frame has, and by chance even their check is right.
        bytes.extend([0; MAX_PANEL_FRAME]);
        bytes.extend(frame(&message));
        let heard = read(&bytes);
        prop_assert_eq!(heard.last(), Some(&message));
    }
}

#[test]
fn garbage_costs_no_more_than_what_it_touches() {
    let message = PanelMessage::Occupied(Bitboard(SYNC.into()));
    // Every kind of garbage that ends before the frame does: also one that looks like the beginning of another.
    for garbage in [&b"\0"[..], &[SYNC], &[SYNC, SYNC], &[SYNC, 1], &[SYNC, 1, 8, 1, 2], &[0xff; 300]] {
        let mut bytes = garbage.to_vec();
        bytes.extend(frame(&message));
        // A beginning of a frame swallows what follows until its check is seen to be wrong.
        bytes.extend([0; MAX_PANEL_FRAME]);
        assert_eq!(read(&bytes), std::slice::from_ref(&message), "{garbage:x?}");
    }
}

#[test]
fn a_frame_that_was_changed_does_not_count_and_the_next_one_does() {
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
fn a_kind_that_is_not_known_is_passed_over() {
    let check = crc_of(&[99, 1, 7]);
    let mut bytes = vec![SYNC, 99, 1, 7];
    bytes.extend(check.to_le_bytes());
    bytes.extend(frame(&PanelMessage::Ask));
    assert_eq!(read(&bytes), [PanelMessage::Ask]);
}

/// The check as the document describes it, bit by bit.
fn crc_of(bytes: &[u8]) -> u16 {
    bytes.iter().fold(0xffff, |crc, &byte| {
        (0..8).fold(crc ^ u16::from(byte) << 8, |crc, _| crc << 1 ^ if crc & 0x8000 == 0 { 0 } else { 0x1021 })
    })
}

#[test]
fn the_check_is_that_of_the_document() {
    assert_eq!(crc_of(b"123456789"), 0x29b1);
    let bytes = frame(&PanelMessage::Ask);
    let (body, check) = bytes.split_last_chunk().expect("a check");
    assert_eq!(u16::from_le_bytes(*check), crc_of(&body[1..]));
}
