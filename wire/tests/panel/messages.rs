use chess::Bitboard;
use proptest::collection::vec;
use proptest::prelude::*;
use wire::panel::{MAX_PANEL_MESSAGE, PanelError, PanelMessage};

#[test]
fn a_message_is_its_kind_and_its_payload() {
    let mut buffer = [0; MAX_PANEL_MESSAGE];
    let message = PanelMessage::Settled(Bitboard(0x0102_0304_0506_0708));
    assert_eq!(message.write(&mut buffer), [2, 8, 7, 6, 5, 4, 3, 2, 1]);
    assert_eq!(PanelMessage::Ask.write(&mut buffer), [3]);
    let lights = PanelMessage::Lights(std::array::from_fn(|at| [at as u8, 0, 255]));
    let bytes = lights.write(&mut buffer);
    assert_eq!((bytes.len(), &bytes[..7]), (193, &[4, 0, 0, 255, 1, 0, 255][..]));
}

#[test]
fn errors_name_the_kind_and_the_length() {
    let error = |bytes: &[u8]| PanelMessage::read(bytes).unwrap_err();
    assert_eq!(error(&[]), PanelError::Empty);
    assert_eq!(error(&[9, 1]).to_string(), "byte 0: unknown message kind 9");
    assert_eq!(error(&[1, 1]).to_string(), "a message of kind 1 has a payload of 8 bytes, not 1");
    assert_eq!(error(&[3, 0]), PanelError::Length { kind: 3, wanted: 0, found: 1 });
    for len in [0, 191, 193, 195] {
        let bytes: Vec<u8> = [4].into_iter().chain(vec![0; len]).collect();
        assert_eq!(error(&bytes), PanelError::Length { kind: 4, wanted: 192, found: len });
    }
}

proptest! {
    #[test]
    fn readable_bytes_are_written_back_unchanged(bytes in vec(0..6_u8, 0..12)) {
        if let Ok(message) = PanelMessage::read(&bytes) {
            let mut buffer = [0; MAX_PANEL_MESSAGE];
            prop_assert_eq!(message.write(&mut buffer), &bytes[..]);
        }
    }
}
