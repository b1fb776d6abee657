use board::session::Broken;
use proptest::prelude::*;
use wire::link::{AnswerError, MAX_FRAME, PairingKey, ReceiveError, Refusal};

use super::world::World;

/// Runs until the frame of this number is about to arrive, counted over both directions, and lets somebody at it. Says
/// whether there was such a frame.
fn meddle(world: &mut World, number: usize, mut with: impl FnMut(&mut Vec<u8>)) -> bool {
    world.connect();
    let mut count = 0;
    for _ in 0..60 {
        world.keep_board();
        world.keep_relay();
        world.send_board();
        world.send_relay();
        for to_relay in [true, false] {
            let frames = if to_relay { &mut world.wire.to_relay } else { &mut world.wire.to_board };
            if let Some(frame) = frames.front_mut() {
                if count == number {
                    with(frame);
                }
                count += 1;
            }
            if to_relay {
                world.deliver_to_relay()
            } else {
                world.deliver_to_board()
            };
        }
        if count > number {
            return true;
        }
    }
    false
}

/// There is something to say on both sides, in every way that there is: one by one and as a game.
fn eventful() -> World {
    let mut world = World::new();
    world.play_board(3);
    world.settle();
    world.cut();
    world.play_relay(4);
    world.board.conversation_mut().condense();
    world.broken.clear();
    world
}

/// How many frames it takes to tell all that.
const FRAMES: usize = 10;

#[test]
fn there_are_enough_frames_to_meddle_with() {
    assert!(meddle(&mut eventful(), FRAMES - 1, |_| {}));
}

/// Whoever changes a bit is found out by the side that gets it, and all that is lost is the connection. Every bit of the
/// handshake, and every seventh of what is sealed, for the sake of time.
#[test]
fn a_single_bit_that_is_changed_breaks_the_connection_and_nothing_else() {
    for number in 0..FRAMES {
        for bit in (0..).step_by(if number < 2 { 1 } else { 7 }) {
            let mut world = eventful();
            let mut is_frame = false;
            meddle(&mut world, number, |frame| {
                if let Some(byte) = frame.get_mut(bit / 8) {
                    *byte ^= 1 << (bit % 8);
                    is_frame = true;
                }
            });
            if !is_frame {
                break;
            }
            // If it was an answer, the board may also take it for a refusal; if it was a knock, the relay refuses.
            let [broken] = world.broken[..] else { panic!("frame {number}, bit {bit}: {:?}", world.broken) };
            let found_out = matches!(broken, Broken::Receive(ReceiveError::Forged) | Broken::Answer(_));
            assert!(found_out, "frame {number}, bit {bit}: {broken}");
            world.settle();
            world.assert_agreement();
            assert_eq!(world.board_player.game.moves().len(), 2);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    /// Anything at all in place of a frame, also a part of it.
    #[test]
    fn foreign_frames_break_the_connection_and_nothing_else(
        number in 0..FRAMES,
        bytes in prop::collection::vec(any::<u8>(), 0..MAX_FRAME + 100),
        kept in any::<prop::sample::Index>(),
        cut in any::<bool>(),
    ) {
        let mut world = eventful();
        meddle(&mut world, number, |frame| {
            if cut {
                frame.truncate(kept.index(frame.len()));
            } else {
                frame.clone_from(&bytes);
            }
        });
        prop_assert_eq!(world.broken.len(), 1);
        world.settle();
        world.assert_agreement();
        prop_assert_eq!(world.board_player.game.moves().len(), 2);
    }
}

/// Somebody recorded a whole connection and plays it back. The relay answers the knock, as it must, and there it ends:
/// the connection that the board has is not given up for it.
#[test]
fn a_recorded_board_is_not_let_in() {
    let mut world = World::new();
    world.settle();
    let mut recorded = Vec::new();
    world.cut();
    world.connect();
    for _ in 0..20 {
        world.keep_board();
        world.keep_relay();
        world.send_board();
        world.send_relay();
        recorded.extend(world.wire.to_relay.front().cloned());
        world.deliver_to_relay();
        world.deliver_to_board();
    }
    assert!(world.relay.is_online());

    let knock = wire::link::Knock::read(&recorded[0]).unwrap();
    let (_, channel) = knock.answer(&PairingKey::new(super::world::KEY), wire::link::Ephemeral::new([9; 32])).unwrap();
    let now = world.now;
    let refused = world.relay.accept(channel, &mut recorded[1], now);
    assert_eq!(refused, Err(Broken::Receive(ReceiveError::Forged)));

    // The board is still there, and plays.
    world.play_board(1);
    world.settle();
    world.assert_agreement();
    assert!(world.broken.is_empty());
}

/// Frames of one connection do not pass for frames of the next.
#[test]
fn a_frame_of_an_old_connection_is_not_taken() {
    let mut world = eventful();
    world.connect();
    for _ in 0..4 {
        world.keep_board();
        world.send_board();
        world.send_relay();
        world.deliver_to_relay();
        world.deliver_to_board();
    }
    world.send_board();
    let old = world.wire.to_relay.front().cloned().expect("something is on its way");
    world.cut();
    assert!(meddle(&mut world, 4, |frame| frame.clone_from(&old)));
    assert_eq!(world.broken, [Broken::Receive(ReceiveError::Forged)]);
    world.settle();
    world.assert_agreement();
}

#[test]
fn a_board_with_another_key_is_not_known() {
    let mut world = World::new();
    world.key = [0x43; 32];
    world.crash_board();
    assert!(meddle(&mut world, 1, |_| {}));
    assert_eq!(world.broken, [Broken::Answer(AnswerError::Refused(Refusal::UnknownBoard))]);
}

/// A relay that pretends to know the key cannot answer in a way that the board would take.
#[test]
fn a_relay_with_another_key_is_found_out() {
    let mut world = World::new();
    assert!(meddle(&mut world, 1, |answer| {
        // It makes its own answer to a knock of its own, and sends that.
        let key = PairingKey::new([0x43; 32]);
        let (_, knock) = wire::link::Call::new(&key, wire::link::Ephemeral::new([1; 32]));
        let knock = wire::link::Knock::read(&knock).unwrap();
        let (frame, _) = knock.answer(&key, wire::link::Ephemeral::new([2; 32])).unwrap();
        *answer = frame.to_vec();
    }));
    assert_eq!(world.broken, [Broken::Answer(AnswerError::Forged)]);
    world.settle();
    world.assert_agreement();
}

#[test]
fn a_version_that_the_relay_does_not_speak_is_refused_with_those_that_it_does() {
    let mut world = World::new();
    assert!(meddle(&mut world, 0, |knock| knock[0] = 2));
    let refusal = Refusal::Version { lowest: 1, highest: 1 };
    world.deliver_to_board();
    assert_eq!(world.broken, [Broken::Answer(AnswerError::Refused(refusal))]);
    world.settle();
    world.assert_agreement();
}

#[test]
fn a_relay_that_answers_in_another_version_is_not_taken() {
    let mut world = World::new();
    assert!(meddle(&mut world, 1, |answer| answer[0] = 2));
    assert_eq!(world.broken, [Broken::Answer(AnswerError::Version(2))]);
}
