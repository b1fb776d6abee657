use wire::link::{
    ANSWER_LEN, Ephemeral, FIRST_FRAME_LEN, Initiator, InitiatorError, PairingKey, Refusal, Responder, ResponderError,
    VERSION, WrongKey,
};

fn key() -> PairingKey {
    PairingKey::new([7; 32])
}

fn call() -> (Initiator, [u8; FIRST_FRAME_LEN]) {
    Initiator::new(&key(), Ephemeral::new([1; 32]))
}

fn answer(first_frame: &[u8]) -> [u8; ANSWER_LEN] {
    let (answer, _) = Responder::read(first_frame).unwrap().answer(&key(), Ephemeral::new([2; 32])).unwrap();
    answer
}

#[test]
fn both_ends_derive_the_same_keys() {
    let (call, first_frame) = call();
    let (answer, relay) = Responder::read(&first_frame).unwrap().answer(&key(), Ephemeral::new([2; 32])).unwrap();
    let board = call.answered(&answer).unwrap();
    assert_eq!(board.fingerprint(), relay.fingerprint());
    let (_, other) = Responder::read(&first_frame).unwrap().answer(&key(), Ephemeral::new([3; 32])).unwrap();
    assert_ne!(board.fingerprint(), other.fingerprint());
}

#[test]
fn the_board_id_is_the_digest_of_the_pairing_key() {
    let (_, first_frame) = call();
    let board = Responder::read(&first_frame).unwrap().board();
    assert_eq!(board, key().board_id());
    assert_ne!(board, PairingKey::new([8; 32]).board_id());
}

#[test]
fn both_ends_reject_another_pairing_key() {
    let (_, first_frame) = call();
    let wrong = PairingKey::new([8; 32]);
    let refused = Responder::read(&first_frame).unwrap().answer(&wrong, Ephemeral::new([2; 32])).map(|_| ());
    assert_eq!(refused, Err(WrongKey));

    let (call, _) = call();
    let (_, first_frame) = Initiator::new(&wrong, Ephemeral::new([1; 32]));
    let (foreign, _) = Responder::read(&first_frame).unwrap().answer(&wrong, Ephemeral::new([2; 32])).unwrap();
    assert_eq!(call.answered(&foreign).map(|_| ()), Err(InitiatorError::Forged));
}

/// Version and board id are part of the prologue, so the handshake fails if they are changed.
#[test]
fn rejects_a_first_frame_with_any_flipped_bit() {
    let (_, first_frame) = call();
    for bit in 0..FIRST_FRAME_LEN * 8 {
        let mut changed = first_frame;
        changed[bit / 8] ^= 1 << (bit % 8);
        match Responder::read(&changed) {
            Ok(first_frame) => {
                let refused = first_frame.answer(&key(), Ephemeral::new([2; 32])).map(|_| ());
                // X25519 ignores the top bit of a public key, but the handshake hash covers it.
                assert_eq!(refused, Err(WrongKey), "bit {bit}");
            }
            Err(error) => assert_eq!((error, bit / 8), (ResponderError::Version(changed[0]), 0)),
        }
    }
}

#[test]
fn rejects_an_answer_with_any_flipped_bit() {
    let (_, first_frame) = call();
    let answer = answer(&first_frame);
    for bit in 0..ANSWER_LEN * 8 {
        let mut changed = answer;
        changed[bit / 8] ^= 1 << (bit % 8);
        let expected = match bit / 8 {
            0 => InitiatorError::Version(changed[0]),
            // A refusal has another length than an answer.
            1 => InitiatorError::Length(ANSWER_LEN),
            _ => InitiatorError::Forged,
        };
        assert_eq!(call().0.answered(&changed).map(|_| ()), Err(expected), "bit {bit}");
    }
}

#[test]
fn rejects_a_replayed_answer() {
    let (_, first_frame) = call();
    let old = answer(&first_frame);
    let (again, _) = Initiator::new(&key(), Ephemeral::new([9; 32]));
    assert_eq!(again.answered(&old).map(|_| ()), Err(InitiatorError::Forged));
}

/// A point of small order makes the shared secret zero for any private key.
#[test]
fn rejects_a_public_key_of_small_order() {
    let (_, mut first_frame) = call();
    first_frame[9..41].fill(0);
    let refused = Responder::read(&first_frame).unwrap().answer(&key(), Ephemeral::new([2; 32])).map(|_| ());
    assert_eq!(refused, Err(WrongKey));
    let (board, _) = call();
    assert_eq!(board.answered(&[&[VERSION, 0][..], &[0; 48]].concat()).map(|_| ()), Err(InitiatorError::Forged));
}

#[test]
fn rejects_handshake_frames_of_wrong_length() {
    let (_, first_frame) = call();
    let whole = answer(&first_frame);
    for len in 0..FIRST_FRAME_LEN {
        assert_eq!(Responder::read(&first_frame[..len]).unwrap_err(), ResponderError::Length(len));
    }
    let longer = [&first_frame[..], &[0]].concat();
    assert_eq!(Responder::read(&longer).unwrap_err(), ResponderError::Length(FIRST_FRAME_LEN + 1));
    for len in 0..ANSWER_LEN {
        assert_eq!(call().0.answered(&whole[..len]).unwrap_err(), InitiatorError::Length(len));
    }
}

/// The version is checked before anything else.
#[test]
fn rejects_another_version() {
    for frame in [&[2][..], &[0, 1], &[9; FIRST_FRAME_LEN], &[2; 400]] {
        assert_eq!(Responder::read(frame).unwrap_err(), ResponderError::Version(frame[0]));
    }
}

#[test]
fn refusals_round_trip() {
    let all = [Refusal::UnknownBoard, Refusal::Version { lowest: 2, highest: 5 }, Refusal::Busy, Refusal::Other(200)];
    for refusal in all {
        assert_eq!(call().0.answered(&refusal.frame()).unwrap_err(), InitiatorError::Refused(refusal));
        // The format of a refusal is the same in all versions.
        let mut later = refusal.frame();
        later[0] = 7;
        assert_eq!(call().0.answered(&later).unwrap_err(), InitiatorError::Refused(refusal));
    }
    let sentence = InitiatorError::Refused(all[1]).to_string();
    assert_eq!(sentence, "the relay supports versions 2 to 5 of the link, and the board uses 1");
}
