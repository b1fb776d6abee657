use board::session::LinkError;
use proptest::prelude::*;
use wire::link::{InitiatorError, MAX_FRAME, PairingKey, ReceiveError, Refusal};

use super::world::World;

/// Runs until the frame of this number, counted over both directions, is about to be delivered, and modifies it. Returns whether there was
/// such a frame.
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

/// A session in which both sides have single events and a snapshot to send.
fn eventful() -> World {
    let mut world = World::new();
    world.play_board(3);
    world.settle();
    world.cut();
    world.play_relay(4);
    world.board.session_mut().compact();
    world.broken.clear();
    world
}

/// The number of frames of that session.
const FRAMES: usize = 10;

#[test]
fn the_recording_has_enough_frames() {
    assert!(meddle(&mut eventful(), FRAMES - 1, |_| {}));
}

/// The receiving side detects a changed bit, and only the connection is lost. Tests every bit of the handshake, and every seventh bit of
/// the encrypted frames to save time.
#[test]
fn a_flipped_bit_breaks_only_the_connection() {
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
            // A changed answer may look like a refusal to the board; the relay refuses a changed first frame.
            let [broken] = world.broken[..] else { panic!("frame {number}, bit {bit}: {:?}", world.broken) };
            let found_out = matches!(broken, LinkError::Receive(ReceiveError::Forged) | LinkError::Answer(_));
            assert!(found_out, "frame {number}, bit {bit}: {broken}");
            world.settle();
            world.assert_agreement();
            assert_eq!(world.board_player.game.sheet().len(), 2);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    /// Random bytes, or a part of a frame, in place of a frame.
    #[test]
    fn foreign_frames_break_only_the_connection(
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
        prop_assert_eq!(world.board_player.game.sheet().len(), 2);
    }
}

/// An attacker replays a recorded connection. The relay answers the first frame and then rejects the rest. The connection of the real board
/// is not dropped.
#[test]
fn rejects_a_replayed_handshake() {
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

    let first_frame = wire::link::Responder::read(&recorded[0]).unwrap();
    let (_, channel) =
        first_frame.answer(&PairingKey::new(super::world::KEY), wire::link::Ephemeral::new([9; 32])).unwrap();
    let now = world.now;
    let refused = world.relay.accept(channel, &mut recorded[1], now);
    assert_eq!(refused, Err(LinkError::Receive(ReceiveError::Forged)));

    // The real board is still connected.
    world.play_board(1);
    world.settle();
    world.assert_agreement();
    assert!(world.broken.is_empty());
}

/// Frames of one connection are not valid on the next.
#[test]
fn rejects_a_frame_of_an_earlier_connection() {
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
    assert_eq!(world.broken, [LinkError::Receive(ReceiveError::Forged)]);
    world.settle();
    world.assert_agreement();
}

#[test]
fn rejects_a_board_with_another_key() {
    let mut world = World::new();
    world.key = [0x43; 32];
    world.crash_board();
    assert!(meddle(&mut world, 1, |_| {}));
    assert_eq!(world.broken, [LinkError::Answer(InitiatorError::Refused(Refusal::UnknownBoard))]);
}

/// A relay without the key cannot answer the handshake.
#[test]
fn rejects_a_relay_with_another_key() {
    let mut world = World::new();
    assert!(meddle(&mut world, 1, |answer| {
        // It answers a first frame of its own, and sends that answer.
        let key = PairingKey::new([0x43; 32]);
        let (_, first_frame) = wire::link::Initiator::new(&key, wire::link::Ephemeral::new([1; 32]));
        let first_frame = wire::link::Responder::read(&first_frame).unwrap();
        let (frame, _) = first_frame.answer(&key, wire::link::Ephemeral::new([2; 32])).unwrap();
        *answer = frame.to_vec();
    }));
    assert_eq!(world.broken, [LinkError::Answer(InitiatorError::Forged)]);
    world.settle();
    world.assert_agreement();
}

#[test]
fn refuses_an_unknown_version_and_names_its_own() {
    let mut world = World::new();
    assert!(meddle(&mut world, 0, |first_frame| first_frame[0] = 2));
    let refusal = Refusal::Version { lowest: 1, highest: 1 };
    world.deliver_to_board();
    assert_eq!(world.broken, [LinkError::Answer(InitiatorError::Refused(refusal))]);
    world.settle();
    world.assert_agreement();
}

#[test]
fn rejects_an_answer_in_another_version() {
    let mut world = World::new();
    assert!(meddle(&mut world, 1, |answer| answer[0] = 2));
    assert_eq!(world.broken, [LinkError::Answer(InitiatorError::Version(2))]);
}
