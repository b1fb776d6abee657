use board::session::{Incoming, LinkError};
use chess::{Bitboard, Color};
use wire::link::{Clocks, Ephemeral, Goodbye, Live, MAX_FRAME, Occupancy};

use super::world::{World, table};

fn connected() -> World {
    let mut world = World::new();
    world.settle();
    world
}

#[test]
fn pings_keep_an_idle_connection_alive() {
    let mut world = connected();
    for _ in 0..20 {
        let wake = world.board.wake_at().unwrap().min(world.relay.wake_at().unwrap());
        assert!(wake > world.now);
        world.now = wake;
        world.settle();
    }
    // The relay sends pings sooner, so the board sends none.
    assert!(world.now.milliseconds() >= 90_000);
    assert!(world.broken.is_empty());
    world.assert_agreement();
}

#[test]
fn frames_that_a_broken_connection_lost_are_counted_when_they_are_sent_again() {
    let mut world = connected();
    world.play_board(0);
    world.keep_board();
    while world.send_board() {}
    assert_eq!(world.board.session_mut().take_resent(), 0, "the first time");
    world.cut();
    world.settle();
    assert_eq!(world.board.session_mut().take_resent(), 1, "the move was lost with its connection");
    assert_eq!(world.board.session_mut().take_resent(), 0, "it is counted once");
    world.play_relay(0);
    world.settle();
    world.cut();
    world.settle();
    assert_eq!(world.board.session_mut().take_resent(), 0, "the relay has acknowledged all");
    world.assert_agreement();
}

#[test]
fn a_dead_connection_times_out() {
    let mut world = connected();
    let begin = world.now;
    // Frames are lost without an error.
    while world.broken.is_empty() {
        world.now = world.board.wake_at().unwrap();
        while world.send_board() {}
    }
    assert_eq!(world.broken, [LinkError::KeepaliveTimeout]);
    assert!((39_000..=40_000).contains(&world.now.since(begin)), "{:?}", world.now);
    world.settle();
    world.assert_agreement();
}

/// A pulled cable gives no signal, and the opponent waits for the board.
#[test]
fn a_relay_times_out_sooner_than_a_board() {
    let mut world = connected();
    let last_heard = world.relay.wake_at().unwrap().milliseconds() - 5_000;
    let mut asked = Vec::new();
    while world.broken.is_empty() {
        world.now = world.relay.wake_at().unwrap();
        while world.send_relay() {
            asked.push(world.now.milliseconds() - last_heard);
        }
        world.wire.to_board.clear();
    }
    assert_eq!(asked, [5_000, 10_000]);
    assert_eq!(
        (&world.broken[..], world.now.milliseconds() - last_heard),
        (&[LinkError::KeepaliveTimeout][..], 15_000)
    );
    world.settle();
    world.assert_agreement();
}

/// A round-trip time of nine seconds is no timeout.
#[test]
fn a_slow_connection_does_not_time_out() {
    let mut world = connected();
    let mut late = std::collections::VecDeque::new();
    for _ in 0..600 {
        world.now = world.now.after(100);
        while world.send_relay() {}
        while world.send_board() {}
        late.extend(world.wire.to_relay.drain(..).map(|frame| (world.now.after(9_000), frame)));
        while world.deliver_to_board() {}
        while late.front().is_some_and(|&(at, _)| world.now >= at) {
            world.wire.to_relay.extend(late.pop_front().map(|(_, frame)| frame));
            world.deliver_to_relay();
        }
    }
    assert!(world.broken.is_empty(), "{:?}", world.broken);
}

/// A relay does not read while it waits for its store. That time does not count.
#[test]
fn a_pause_in_reading_does_not_count_as_silence() {
    let mut world = connected();
    world.now = world.now.after(60_000);
    world.relay.reset_keepalive(world.now);
    while world.send_relay() {}
    assert!(world.broken.is_empty(), "{:?}", world.broken);
    assert_eq!(world.relay.wake_at(), Some(world.now.after(5_000)));
}

/// The peer answers pings, but never acknowledges.
#[test]
fn missing_acknowledgements_time_out() {
    let mut world = connected();
    world.play_board(0);
    world.keep_board();
    let begin = world.now;
    while world.broken.is_empty() {
        world.now = world.now.after(1000);
        world.send_board();
        world.send_relay();
        world.deliver_to_relay();
        world.deliver_to_board();
    }
    assert_eq!(world.broken, [LinkError::AckTimeout]);
    assert!((30_000..=32_000).contains(&world.now.since(begin)), "{:?}", world.now);
    world.settle();
    world.assert_agreement();
    assert_eq!(world.relay_player.game.sheet().len(), 1);
}

#[test]
fn the_handshake_times_out() {
    let mut world = World::new();
    world.connect();
    assert!(world.send_board());
    world.now = world.board.wake_at().unwrap();
    world.send_board();
    assert_eq!(world.broken, [LinkError::KeepaliveTimeout]);
}

#[test]
fn reconnects_with_exponential_backoff_and_jitter() {
    let mut world = World::new();
    let mut waits = Vec::new();
    for random in [0, u32::MAX, 7, 0, u32::MAX, 0, 0, 0, u32::MAX, 12_345] {
        world.board.connected(Ephemeral::new([1; 32]), world.now);
        world.board.disconnected(random, world.now);
        waits.push(world.board.connect_at().unwrap().since(world.now));
    }
    for (number, &wait) in waits.iter().enumerate() {
        let longest = (1000 << number).min(60_000);
        assert!((longest / 2..=longest).contains(&wait), "{waits:?}");
    }
    // When the network is available again, the backoff ends.
    world.board.end_backoff(world.now);
    assert_eq!(world.board.connect_at(), Some(world.now));
    world.board.disconnected(u32::MAX, world.now);
    assert!(world.board.connect_at().unwrap().since(world.now) <= 1000);
    // After a successful connection the backoff is short again.
    world.settle();
    world.cut();
    assert!(world.board.connect_at().unwrap().since(world.now) <= 1000);
}

/// A message without a number is sent once, and the latest one again over a new connection.
#[test]
fn only_the_latest_occupancy_and_clocks_are_sent() {
    let mut world = connected();
    let [old, new] = [1, 3].map(Bitboard).map(|set| Occupancy { occupied: set, in_hand: set, misplaced: set });
    let clocks = Clocks { white_ms: 1, black_ms: 2, running: Some(Color::Black) };
    world.board.session_mut().report_occupancy(old);
    world.board.session_mut().report_occupancy(new);
    let live = Live { clocks: Some(clocks), opponent: true, rematch: false };
    world.relay.report_live(live);
    world.settle();
    assert_eq!((&world.relay_player.occupancies[..], &world.board_player.live[..]), (&[new][..], &[live][..]));
    // An unchanged value is not sent again.
    world.board.session_mut().report_occupancy(new);
    world.settle();
    assert_eq!(world.relay_player.occupancies, [new]);

    world.cut();
    world.board.session_mut().report_occupancy(old);
    world.settle();
    assert_eq!(
        (&world.relay_player.occupancies[..], &world.board_player.live[..]),
        (&[new, old][..], &[live, live][..])
    );
}

#[test]
fn a_goodbye_has_a_reason() {
    let mut world = connected();
    world.relay.send_goodbye(Goodbye::Closing);
    assert!(world.send_relay());
    assert!(!world.relay.is_online());
    let mut frame = world.wire.to_board.pop_front().unwrap();
    let news = world.board.receive(&mut frame, &mut world.board_player.game, world.now);
    assert_eq!(news, Ok(Some(Incoming::Goodbye(Goodbye::Closing))));
}

/// After an error about the buffer, the same frame is returned with a sufficient one.
#[test]
fn a_short_buffer_is_an_error_without_loss() {
    let mut world = connected();
    world.play_board(0);
    world.keep_board();
    let mut short = [0; MAX_FRAME - 1];
    let game = world.board_player.game.clone();
    assert_eq!(world.board.transmit(&table(), &game, &mut short, world.now), Err(LinkError::Buffer));
    world.settle();
    world.assert_agreement();
    assert_eq!(world.relay_player.game.sheet().len(), 1);
}

#[test]
fn without_a_connection_no_frame_is_sent_or_received() {
    let mut world = World::new();
    world.play_board(0);
    assert!(!world.send_board());
    assert!(!world.send_relay());
    let mut frame = [0; 50];
    let received = world.board.receive(&mut frame, &mut world.board_player.game, world.now);
    assert_eq!(received, Err(LinkError::Closed));
    let received = world.relay.receive(&mut frame, &mut world.relay_player.game, world.now);
    assert_eq!(received, Err(LinkError::Closed));
}
