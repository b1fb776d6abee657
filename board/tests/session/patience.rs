use board::session::{Broken, News};
use chess::{Bitboard, Color};
use wire::link::{Clocks, Ephemeral, Goodbye, Live, MAX_FRAME, Wood};

use super::world::{World, table};

fn connected() -> World {
    let mut world = World::new();
    world.settle();
    world
}

#[test]
fn a_quiet_connection_is_kept_alive() {
    let mut world = connected();
    for _ in 0..20 {
        let wake = world.board.wake_at().unwrap().min(world.relay.wake_at().unwrap());
        assert!(wake > world.now);
        world.now = wake;
        world.settle();
    }
    // It is the relay that asks, and the board is content with that.
    assert!(world.now.milliseconds() >= 90_000);
    assert!(world.broken.is_empty());
    world.assert_agreement();
}

#[test]
fn a_dead_connection_is_given_up() {
    let mut world = connected();
    let begin = world.now;
    // Nothing arrives any more, and nobody says so.
    while world.broken.is_empty() {
        world.now = world.board.wake_at().unwrap();
        while world.send_board() {}
    }
    assert_eq!(world.broken, [Broken::Silent]);
    assert!((39_000..=40_000).contains(&world.now.since(begin)), "{:?}", world.now);
    world.settle();
    world.assert_agreement();
}

/// A cable that is pulled says nothing, and somebody waits for the board elsewhere.
#[test]
fn a_relay_finds_out_soon_that_a_board_is_gone() {
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
    assert_eq!((&world.broken[..], world.now.milliseconds() - last_heard), (&[Broken::Silent][..], 15_000));
    world.settle();
    world.assert_agreement();
}

/// A line on which an answer takes nine seconds is slow, and that is all.
#[test]
fn a_slow_line_is_not_taken_for_a_dead_one() {
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

/// A relay whose store does not answer has not listened, and blames nobody else for it.
#[test]
fn who_has_not_listened_has_not_met_silence() {
    let mut world = connected();
    world.now = world.now.after(60_000);
    world.relay.excuse(world.now);
    while world.send_relay() {}
    assert!(world.broken.is_empty(), "{:?}", world.broken);
    assert_eq!(world.relay.wake_at(), Some(world.now.after(5_000)));
}

/// The other side is there, and answers, but does not write down what it is told.
#[test]
fn a_side_that_never_acknowledges_is_given_up() {
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
    assert_eq!(world.broken, [Broken::Unheard]);
    assert!((30_000..=32_000).contains(&world.now.since(begin)), "{:?}", world.now);
    world.settle();
    world.assert_agreement();
    assert_eq!(world.relay_player.game.moves().len(), 1);
}

#[test]
fn a_relay_that_does_not_answer_is_given_up() {
    let mut world = World::new();
    world.connect();
    assert!(world.send_board());
    world.now = world.board.wake_at().unwrap();
    world.send_board();
    assert_eq!(world.broken, [Broken::Silent]);
}

#[test]
fn a_board_calls_again_less_and_less_often_and_not_all_at_once() {
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
    // When the network comes back, nobody waits for what went wrong without it.
    world.board.hurry(world.now);
    assert_eq!(world.board.connect_at(), Some(world.now));
    world.board.disconnected(u32::MAX, world.now);
    assert!(world.board.connect_at().unwrap().since(world.now) <= 1000);
    // Once the relay was there, it is called soon.
    world.settle();
    world.cut();
    assert!(world.board.connect_at().unwrap().since(world.now) <= 1000);
}

/// What has no number is shown once, and the last of it again to whoever connects anew.
#[test]
fn wood_and_clocks_are_shown_as_they_are_now() {
    let mut world = connected();
    let [old, new] = [1, 3].map(Bitboard).map(|set| Wood { occupied: set, in_hand: set, astray: set });
    let clocks = Clocks { white_ms: 1, black_ms: 2, running: Some(Color::Black) };
    world.board.conversation_mut().show_wood(old);
    world.board.conversation_mut().show_wood(new);
    let live = Live { clocks: Some(clocks), opponent: true };
    world.relay.show_live(live);
    world.settle();
    assert_eq!((&world.relay_player.wood[..], &world.board_player.live[..]), (&[new][..], &[live][..]));
    // Nothing new, nothing shown.
    world.board.conversation_mut().show_wood(new);
    world.settle();
    assert_eq!(world.relay_player.wood, [new]);

    world.cut();
    world.board.conversation_mut().show_wood(old);
    world.settle();
    assert_eq!((&world.relay_player.wood[..], &world.board_player.live[..]), (&[new, old][..], &[live, live][..]));
}

#[test]
fn whoever_hangs_up_says_why() {
    let mut world = connected();
    world.relay.hang_up(Goodbye::Closing);
    assert!(world.send_relay());
    assert!(!world.relay.is_online());
    let mut frame = world.wire.to_board.pop_front().unwrap();
    let news = world.board.receive(&mut frame, &mut world.board_player.game, world.now);
    assert_eq!(news, Ok(Some(News::Goodbye(Goodbye::Closing))));
}

/// A call that the caller gets wrong costs nothing: with a better buffer the same frame comes.
#[test]
fn a_buffer_that_is_too_short_loses_nothing() {
    let mut world = connected();
    world.play_board(0);
    world.keep_board();
    let mut short = [0; MAX_FRAME - 1];
    let game = world.board_player.game.clone();
    assert_eq!(world.board.transmit(&table(), &game, &mut short, world.now), Err(Broken::Buffer));
    world.settle();
    world.assert_agreement();
    assert_eq!(world.relay_player.game.moves().len(), 1);
}

#[test]
fn without_a_connection_nothing_is_sent_and_nothing_received() {
    let mut world = World::new();
    world.play_board(0);
    assert!(!world.send_board());
    assert!(!world.send_relay());
    let mut frame = [0; 50];
    let received = world.board.receive(&mut frame, &mut world.board_player.game, world.now);
    assert_eq!(received, Err(Broken::Closed));
    let received = world.relay.receive(&mut frame, &mut world.relay_player.game, world.now);
    assert_eq!(received, Err(Broken::Closed));
}
