use wire::link::{
    ANSWER_LEN, AnswerError, Call, Ephemeral, KNOCK_LEN, Knock, KnockError, PairingKey, Refusal, VERSION, WrongKey,
};

fn key() -> PairingKey {
    PairingKey::new([7; 32])
}

fn call() -> (Call, [u8; KNOCK_LEN]) {
    Call::new(&key(), Ephemeral::new([1; 32]))
}

fn answer(knock: &[u8]) -> [u8; ANSWER_LEN] {
    let (answer, _) = Knock::read(knock).unwrap().answer(&key(), Ephemeral::new([2; 32])).unwrap();
    answer
}

#[test]
fn both_sides_have_the_same_channel_and_no_other() {
    let (call, knock) = call();
    let (answer, relay) = Knock::read(&knock).unwrap().answer(&key(), Ephemeral::new([2; 32])).unwrap();
    let board = call.answered(&answer).unwrap();
    assert_eq!(board.fingerprint(), relay.fingerprint());
    let (_, other) = Knock::read(&knock).unwrap().answer(&key(), Ephemeral::new([3; 32])).unwrap();
    assert_ne!(board.fingerprint(), other.fingerprint());
}

#[test]
fn a_board_is_known_by_the_digest_of_its_key() {
    let (_, knock) = call();
    let board = Knock::read(&knock).unwrap().board();
    assert_eq!(board, key().board_id());
    assert_ne!(board, PairingKey::new([8; 32]).board_id());
}

#[test]
fn another_key_is_found_out_by_either_side() {
    let (_, knock) = call();
    let wrong = PairingKey::new([8; 32]);
    let refused = Knock::read(&knock).unwrap().answer(&wrong, Ephemeral::new([2; 32])).map(|_| ());
    assert_eq!(refused, Err(WrongKey));

    let (call, _) = call();
    let (_, knock) = Call::new(&wrong, Ephemeral::new([1; 32]));
    let (foreign, _) = Knock::read(&knock).unwrap().answer(&wrong, Ephemeral::new([2; 32])).unwrap();
    assert_eq!(call.answered(&foreign).map(|_| ()), Err(AnswerError::Forged));
}

/// Version and name are bound into the keys, so nobody can change even them.
#[test]
fn every_bit_of_a_knock_counts() {
    let (_, knock) = call();
    for bit in 0..KNOCK_LEN * 8 {
        let mut changed = knock;
        changed[bit / 8] ^= 1 << (bit % 8);
        match Knock::read(&changed) {
            Ok(knock) => {
                let refused = knock.answer(&key(), Ephemeral::new([2; 32])).map(|_| ());
                // The top bit of a public key means nothing to X25519, but it is signed all the same.
                assert_eq!(refused, Err(WrongKey), "bit {bit}");
            }
            Err(error) => assert_eq!((error, bit / 8), (KnockError::Version(changed[0]), 0)),
        }
    }
}

#[test]
fn every_bit_of_an_answer_counts() {
    let (_, knock) = call();
    let answer = answer(&knock);
    for bit in 0..ANSWER_LEN * 8 {
        let mut changed = answer;
        changed[bit / 8] ^= 1 << (bit % 8);
        let expected = match bit / 8 {
            0 => AnswerError::Version(changed[0]),
            // A refusal that is as long as an answer is none.
            1 => AnswerError::Length(ANSWER_LEN),
            _ => AnswerError::Forged,
        };
        assert_eq!(call().0.answered(&changed).map(|_| ()), Err(expected), "bit {bit}");
    }
}

/// The answer to one call does not answer another.
#[test]
fn an_old_answer_is_not_taken() {
    let (_, knock) = call();
    let old = answer(&knock);
    let (again, _) = Call::new(&key(), Ephemeral::new([9; 32]));
    assert_eq!(again.answered(&old).map(|_| ()), Err(AnswerError::Forged));
}

/// A point of small order would make the shared secret zero, whatever this side's key is.
#[test]
fn a_public_key_of_nothing_is_refused() {
    let (_, mut knock) = call();
    knock[9..41].fill(0);
    let refused = Knock::read(&knock).unwrap().answer(&key(), Ephemeral::new([2; 32])).map(|_| ());
    assert_eq!(refused, Err(WrongKey));
    let (board, _) = call();
    assert_eq!(board.answered(&[&[VERSION, 0][..], &[0; 48]].concat()).map(|_| ()), Err(AnswerError::Forged));
}

#[test]
fn frames_of_other_lengths_are_neither_knocks_nor_answers() {
    let (_, knock) = call();
    let whole = answer(&knock);
    for len in 0..KNOCK_LEN {
        assert_eq!(Knock::read(&knock[..len]).unwrap_err(), KnockError::Length(len));
    }
    let longer = [&knock[..], &[0]].concat();
    assert_eq!(Knock::read(&longer).unwrap_err(), KnockError::Length(KNOCK_LEN + 1));
    for len in 0..ANSWER_LEN {
        assert_eq!(call().0.answered(&whole[..len]).unwrap_err(), AnswerError::Length(len));
    }
}

/// Whatever else a frame of another version has, it is refused for its version.
#[test]
fn another_version_is_named() {
    for frame in [&[2][..], &[0, 1], &[9; KNOCK_LEN], &[2; 400]] {
        assert_eq!(Knock::read(frame).unwrap_err(), KnockError::Version(frame[0]));
    }
}

#[test]
fn a_refusal_arrives_as_it_was_meant() {
    let all = [Refusal::UnknownBoard, Refusal::Version { lowest: 2, highest: 5 }, Refusal::Busy, Refusal::Other(200)];
    for refusal in all {
        assert_eq!(call().0.answered(&refusal.frame()).unwrap_err(), AnswerError::Refused(refusal));
        // A relay of a later version refuses in the same way.
        let mut later = refusal.frame();
        later[0] = 7;
        assert_eq!(call().0.answered(&later).unwrap_err(), AnswerError::Refused(refusal));
    }
    let sentence = AnswerError::Refused(all[1]).to_string();
    assert_eq!(sentence, "the relay speaks versions 2 to 5 of the link, and the board 1");
}
