//! A board without a key asks to be paired, and shows the state of its connection.

use std::boxed::Box;
use std::vec::Vec;

use wire::link::{Ephemeral, MAX_FRAME, Name, Refusal};

use super::{Flash, KEY, START};
use crate::link_state::{LinkState, NetworkState};
use crate::pairing::{Decision, RelayPairing, RequestEvent};
use crate::profile::{Entry, Profile};
use crate::{BoardCore, Input, Instant, LightSettings, LinkCommand, Meaning, Notice, Runner, Scene, Settings, Surface};

type TestRunner = Runner<Box<Surface>>;

const NOW: Instant = Instant::at(1_000);

/// A board that has started with this key and relay.
fn board(flash: &mut Flash, key: Option<[u8; 32]>, relay: &str) -> TestRunner {
    let surface = Box::new(Surface::new(Settings::default(), START, Instant::at(0)));
    let amend = |values: &mut _| {
        if key.is_some() {
            Entry::Key(key).keep(values).expect("a key fits");
        }
        if !relay.is_empty() {
            Entry::Relay(relay).keep(values).expect("an address fits");
        }
    };
    Runner::new(BoardCore::start(surface, flash, amend, "test", 99, Instant::at(0)))
}

fn scan(runner: &mut TestRunner, raw: u64, times: u64, now: &mut u64) {
    for _ in 0..times {
        *now += 1;
        runner.poll(Input::Scan(chess::Bitboard(raw)), true, Instant::at(*now));
    }
}

/// Connects a board to a relay whose owner can then compare the squares.
fn ask(runner: &mut TestRunner, found: Option<&str>) -> (RelayPairing, chess::Bitboard) {
    let command = runner.poll(Input::Wake, true, NOW).link;
    assert_eq!(command, Some(LinkCommand::ConnectToPair));
    let input = Input::ConnectedToPair { ephemeral: Ephemeral::new([1; 32]), nonce: [2; 16], found };
    let opening: Vec<u8> = runner.poll(input, true, NOW).send.expect("an opening").into();
    let (mut answer, mut relay) = RelayPairing::answer(&opening, Ephemeral::new([3; 32]), [4; 16], NOW).unwrap();
    let mut request: Vec<u8> = runner.poll(Input::Received(&mut answer), true, NOW).send.expect("a request").into();
    let Ok(Some(RequestEvent::Requested { squares, .. })) = relay.receive(&mut request, NOW) else { panic!("squares") };
    assert_eq!(transmit(runner, &mut relay), Some(Notice::Compare(squares)));
    (relay, squares)
}

/// Gives the board the next frame of the relay.
fn transmit(runner: &mut TestRunner, relay: &mut RelayPairing) -> Option<Notice> {
    let mut buffer = [0; MAX_FRAME];
    let len = relay.transmit(&mut buffer, NOW).unwrap().expect("a frame");
    runner.poll(Input::Received(&mut buffer[..len]), true, NOW).notice
}

fn shows(runner: &TestRunner, meaning: Meaning, squares: chess::Bitboard) -> bool {
    let scene = Scene::EMPTY.with(meaning, squares);
    *runner.shown() == scene.frame(0, LightSettings::default())
}

#[test]
fn a_board_without_a_key_is_paired_by_light() {
    let mut flash = Flash::new();
    let mut runner = board(&mut flash, None, "");
    let (mut relay, squares) = ask(&mut runner, Some("ws://relay.local:8080"));
    assert!(shows(&runner, Meaning::Compare, squares), "the squares are lit, and nothing else");
    assert_eq!(runner.core().link_state(), LinkState::Quiet);

    relay.decide(Decision::Accept { key: KEY, name: Name::from("kitchen").unwrap() });
    assert_eq!(transmit(&mut runner, &mut relay), Some(Notice::Paired));
    let profile = Profile(runner.core().values());
    assert_eq!((profile.key(), profile.name()), (Some(KEY), "kitchen"));
    assert_eq!(profile.relay_text(), Some("ws://relay.local:8080"));
    let output = runner.poll(Input::Wake, true, NOW);
    assert_eq!(output.link, Some(LinkCommand::Disconnect), "after the confirmation was sent");
    let output = runner.poll(Input::Disconnected { random: 0 }, true, NOW);
    assert_eq!(output.link, Some(LinkCommand::Connect), "the link is next, without a delay");
    runner.poll(Input::Wake, true, Instant::at(6_100));
    assert!(!shows(&runner, Meaning::Paired, squares));
}

#[test]
fn a_configured_relay_stays_configured() {
    let mut flash = Flash::new();
    let mut runner = board(&mut flash, None, "ws://relay");
    let (mut relay, _) = ask(&mut runner, None);
    relay.decide(Decision::Accept { key: KEY, name: Name::from("kitchen").unwrap() });
    transmit(&mut runner, &mut relay);
    assert_eq!(Profile(runner.core().values()).relay_text(), Some("ws://relay"));
}

#[test]
fn the_first_move_ends_a_request() {
    let mut flash = Flash::new();
    let mut runner = board(&mut flash, None, "");
    let (_, squares) = ask(&mut runner, None);
    let mut now = 1_000;
    scan(&mut runner, START.0, 100, &mut now);
    scan(&mut runner, START.0 & !(1 << 12), 600, &mut now);
    scan(&mut runner, START.0 & !(1 << 12) | 1 << 28, 600, &mut now);
    assert_eq!(runner.core().play().expect("a game").len(), 1);
    assert!(!shows(&runner, Meaning::Compare, squares));
    let output = runner.poll(Input::Disconnected { random: 0 }, true, Instant::at(now));
    assert_eq!((output.link, output.wake_at), (None, None), "it does not ask again");
    assert_eq!(runner.core().link_state(), LinkState::Quiet);
}

#[test]
fn a_board_asks_only_in_the_first_minutes() {
    let mut flash = Flash::new();
    let mut runner = board(&mut flash, None, "");
    let mut attempts = 0;
    let mut now = 1_000;
    while runner.poll(Input::Wake, true, Instant::at(now)).link == Some(LinkCommand::ConnectToPair) {
        attempts += 1;
        assert!(attempts < 100, "it never stops");
        let output = runner.poll(Input::Disconnected { random: 0 }, true, Instant::at(now));
        let Some(wake_at) = output.wake_at else { break };
        let state = runner.core().link_state();
        assert!(matches!(state, LinkState::NoRelay | LinkState::Quiet), "no relay answers");
        now = wake_at.milliseconds().max(now + 1);
        // The lights wake the runner, too.
        while runner.core().connect_at().is_some_and(|at| at > Instant::at(now)) {
            now += 100;
        }
    }
    assert!(attempts > 5, "{attempts} attempts");
    assert_eq!(runner.core().link_state(), LinkState::Quiet, "after the last attempt the light is off");
}

#[test]
fn the_states_of_the_connection_are_distinguished() {
    let mut flash = Flash::new();
    let mut runner = board(&mut flash, Some(KEY), "ws://relay");
    let state = |runner: &TestRunner| runner.core().link_state();
    assert_eq!(state(&runner), LinkState::NoRelay);
    for (network, expected) in [
        (NetworkState::Unplugged, LinkState::NoAddress),
        (NetworkState::NoAddress, LinkState::NoAddress),
        (NetworkState::Up, LinkState::NoRelay),
    ] {
        runner.poll(Input::Network(network), true, NOW);
        assert_eq!(state(&runner), expected);
    }
    // The relay refuses the key.
    runner.poll(Input::Connected(Ephemeral::new([1; 32])), true, NOW);
    let output = runner.poll(Input::Received(&mut Refusal::UnknownBoard.frame()), true, NOW);
    assert_eq!(output.link, Some(LinkCommand::Disconnect));
    runner.poll(Input::Disconnected { random: 0 }, true, NOW);
    assert_eq!(state(&runner), LinkState::WrongKey);
    // Then it cannot be reached.
    assert_eq!(runner.poll(Input::Wake, true, Instant::at(70_000)).link, Some(LinkCommand::Connect));
    runner.poll(Input::Disconnected { random: 0 }, true, Instant::at(70_000));
    assert_eq!(state(&runner), LinkState::NoRelay);
}

#[test]
fn a_board_without_a_key_and_a_cable_shows_nothing() {
    let mut flash = Flash::new();
    let mut runner = board(&mut flash, None, "");
    runner.poll(Input::Network(NetworkState::Unplugged), true, NOW);
    assert_eq!(runner.core().link_state(), LinkState::Quiet);
    assert_eq!(runner.poll(Input::Wake, true, NOW).link, None, "it does not search without a network");
    runner.poll(Input::Network(NetworkState::NoAddress), true, NOW);
    assert_eq!(runner.core().link_state(), LinkState::NoAddress);
}
