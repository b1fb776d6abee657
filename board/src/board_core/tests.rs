mod pairing;
mod relay_end;
mod told;
#[path = "../../tests/common/told_chess.rs"]
mod told_chess;

use std::boxed::Box;
use std::vec;
use std::vec::Vec;

use chess::Color;
use rules::{Verdict, Why};
use wire::link::ClockRule;

use super::*;
use crate::journal::{Bank, Unreadable};
use crate::lights::Meaning;
use crate::profile::Entry;
use crate::runner::{Input, LinkCommand, Runner};
use relay_end::{KEY, RelayEnd};

struct Flash {
    banks: [Vec<u8>; 2],
}

impl Flash {
    fn new() -> Self {
        Self { banks: [vec![0; 65_536], vec![0; 65_536]] }
    }

    fn carry_out(&mut self, action: Action<'_>) {
        match action {
            Action::Erase(bank) => self.banks[bank as usize].fill(0xff),
            Action::Write { bank, offset, bytes } => {
                self.banks[bank as usize][offset..offset + bytes.len()].copy_from_slice(bytes);
            }
        }
    }
}

impl Banks for Flash {
    fn bank_len(&self) -> usize {
        65_536
    }

    fn read(&mut self, bank: Bank, offset: usize, buffer: &mut [u8]) -> Result<(), Unreadable> {
        buffer.copy_from_slice(&self.banks[bank as usize][offset..offset + buffer.len()]);
        Ok(())
    }
}

/// Starts a board with pieces on these squares.
fn start(flash: &mut Flash, key: Option<[u8; 32]>, raw: Bitboard) -> (BoardCore<Box<Surface>>, Condition) {
    let surface = Box::new(Surface::new(Settings::default(), raw, Instant::at(0)));
    let amend = |values: &mut Values| {
        Entry::Key(key).keep(values).expect("a key fits");
        Entry::Relay("ws://relay").keep(values).expect("an address fits");
    };
    let core = BoardCore::start(surface, flash, amend, "test", 99, Instant::at(0));
    let condition = core.condition();
    (core, condition)
}

fn store(core: &mut BoardCore<Box<Surface>>, flash: &mut Flash) {
    while let Some(action) = core.flash_operation(Instant::at(0)) {
        flash.carry_out(action);
        core.flash_done(true);
    }
}

/// Moves a piece by hand, with time enough between lifting and placing.
fn play(core: &mut BoardCore<Box<Surface>>, from: u8, to: u8, now: &mut u64) {
    let standing = core.surface().referee().occupied();
    for raw in [Bitboard(standing.0 & !(1 << from)), Bitboard(standing.0 & !(1 << from) | 1 << to)] {
        for _ in 0..600 {
            *now += 1;
            core.scan(raw, Instant::at(*now));
        }
    }
}

const START: Bitboard = Bitboard(0xffff_0000_0000_ffff);

#[test]
fn a_game_survives_a_power_cut() {
    let mut flash = Flash::new();
    let (mut core, condition) = start(&mut flash, None, START);
    assert_eq!(condition, Condition::Blank);
    let mut now = 0;
    play(&mut core, 12, 28, &mut now);
    assert_eq!(core.play().expect("a game").len(), 1);
    let raw = core.surface().referee().occupied();
    store(&mut core, &mut flash);
    let (core, condition) = start(&mut flash, None, raw);
    assert_eq!(condition, Condition::Whole);
    assert_eq!(core.play().expect("a game").len(), 1);
}

fn wait(core: &mut BoardCore<Box<Surface>>, raw: Bitboard, milliseconds: u64) {
    (1..=milliseconds).for_each(|now| {
        core.scan(raw, Instant::at(now));
    });
}

#[test]
fn a_finished_game_is_followed_by_the_next_after_a_power_cut() {
    for (plies, verdict) in [
        // The pieces are set up while the power is off.
        (&[(12, 28)][..], Verdict::Drawn(Why::Agreement)),
        // The pieces were never touched.
        (&[], Verdict::Aborted),
        (&[], Verdict::Won { winner: Color::White, why: Why::Resignation }),
    ] {
        let mut flash = Flash::new();
        let (mut core, _) = start(&mut flash, None, START);
        let mut now = 0;
        for &(from, to) in plies {
            play(&mut core, from, to, &mut now);
        }
        core.surface.apply(Event::Ended { verdict }, Instant::at(now));
        store(&mut core, &mut flash);
        let (mut core, _) = start(&mut flash, None, START);
        assert_eq!(core.play().expect("a game").verdict(), Some(verdict));
        wait(&mut core, START, 11_000);
        assert_eq!(core.play().expect("a game").verdict(), None, "{verdict:?}");
        store(&mut core, &mut flash);
        let (mut core, _) = start(&mut flash, None, START);
        play(&mut core, 11, 27, &mut 0);
        assert_eq!(core.play().expect("a game").len(), 1, "{verdict:?}");
    }
}

#[test]
fn a_game_with_a_remote_opponent_switches_the_computer_off_and_keeps_the_choice() {
    let now = Instant::at(0);
    let mut flash = Flash::new();
    let (mut core, _) = start(&mut flash, Some(KEY), START);
    let chosen = Computer { is_on: true, color: Color::White, ..*core.computer() };
    core.set_computer(chosen, now);
    assert_eq!(core.game_info().expect("a game").white.as_str(), "Tabiya level 3");
    assert!(matches!(core.think(now), Some(ThinkCommand::Start(_))));
    let mut relay = RelayEnd::new();
    relay.connect(&mut core, now);
    store(&mut core, &mut flash);
    relay.receive(&mut core, now);
    relay.begin();
    relay.send(&mut core, usize::MAX, now);
    assert_eq!(core.game_info().expect("a game").white.as_str(), "Vera");
    assert_eq!(core.think(now), Some(ThinkCommand::Cancel));
    assert_eq!(*core.computer(), Computer { is_on: false, ..chosen });
    assert_eq!(Profile(core.values()).computer(), Some(*core.computer()));
}

#[test]
fn the_clock_of_a_remote_game_ends_with_it_and_that_of_the_owner_is_stored_with_the_next_game() {
    let rule = |base_ms| Some(ClockRule { base_ms, increment_ms: 0 });
    for owner in [None, rule(300_000)] {
        let mut flash = Flash::new();
        let (mut core, _) = start(&mut flash, Some(KEY), START);
        core.change(|values| Entry::Clock(owner).keep(values).expect("it fits"), 7);
        core.use_clock();
        assert_eq!(core.game_info().expect("a game").clock, owner);
        let mut relay = RelayEnd::new();
        relay.connect(&mut core, Instant::at(0));
        store(&mut core, &mut flash);
        relay.receive(&mut core, Instant::at(0));
        relay.begin_timed(rule(180_000));
        relay.send(&mut core, usize::MAX, Instant::at(0));
        assert_eq!(core.game_info().expect("a game").clock, rule(180_000));
        // Without a ply the clock of the owner is not for this game.
        core.use_clock();
        assert_eq!(core.game_info().expect("a game").clock, rule(180_000));
        core.surface.apply(Event::Ended { verdict: Verdict::Aborted }, Instant::at(0));
        wait(&mut core, START, 11_000);
        let info = core.game_info().expect("a game");
        assert_eq!((info.seat, info.clock), (Seat::Both, owner));
        store(&mut core, &mut flash);
        let (core, _) = start(&mut flash, Some(KEY), START);
        assert_eq!(core.game_info().expect("a game").clock, owner);
        assert_eq!(core.surface().referee().clock().map(Clock::rule), owner);
    }
}

#[test]
fn without_a_key_no_event_is_queued_and_a_new_key_sends_the_game() {
    let mut flash = Flash::new();
    let (mut core, _) = start(&mut flash, None, START);
    play(&mut core, 12, 28, &mut 0);
    assert_eq!(core.connect_at(), None);
    core.change(|values| Entry::Key(Some([1; 32])).keep(values).expect("it fits"), 7);
    assert_eq!(core.connect_at(), Some(Instant::at(0)));
    let memory = core.link.session().memory();
    // The new relay gets a snapshot of the game.
    assert_eq!((memory.stream, memory.last, memory.renewed), (7, 1, 1));
}

#[test]
fn another_key_starts_another_session() {
    let mut flash = Flash::new();
    let (mut core, _) = start(&mut flash, Some([1; 32]), START);
    play(&mut core, 12, 28, &mut 0);
    store(&mut core, &mut flash);
    // The number of the last event, and of the last new game.
    let numbers = |core: &BoardCore<Box<Surface>>| {
        let memory = core.link.session().memory();
        (memory.last, memory.renewed)
    };
    assert_eq!(numbers(&core), (1, 0));
    let (same, _) = start(&mut flash, Some([1; 32]), START);
    assert_eq!(numbers(&same), (1, 0));
    let (other, _) = start(&mut flash, Some([2; 32]), START);
    assert_eq!(numbers(&other), (1, 1));
}

#[test]
fn a_move_changes_the_frame() {
    let mut flash = Flash::new();
    let (mut core, _) = start(&mut flash, None, START);
    let first = core.render(Instant::at(0)).expect("a frame").frame;
    play(&mut core, 12, 28, &mut 10_000);
    assert!(core.is_dirty());
    let second = core.render(Instant::at(20_000)).expect("a frame").frame;
    assert_ne!(first, second);
}

#[test]
fn frames_change_at_most_sixty_times_a_second() {
    let mut flash = Flash::new();
    // Half of the pieces are missing, so the lights change often.
    let (mut core, _) = start(&mut flash, None, Bitboard(0xffff));
    let mut scheduler = FrameScheduler::default();
    let mut times: Vec<u64> = Vec::new();
    for now in 0..3_000 {
        core.scan(Bitboard(0xffff), Instant::at(now));
        if let Some(frame) = scheduler.poll(&mut core, Instant::at(now)) {
            assert_eq!(frame, *scheduler.shown());
            times.push(now);
        }
    }
    assert!(times.len() > 3 && times.windows(2).all(|pair| pair[1] - pair[0] >= 16), "{times:?}");
}

#[test]
fn consent_to_hints_is_sent_in_remote_games_only() {
    let mut flash = Flash::new();
    let (mut core, _) = start(&mut flash, Some([1; 32]), START);
    core.change(|values| Entry::Hints(true).keep(values).expect("it fits"), 7);
    core.send_hints();
    assert_eq!(core.link.session().pending().count(), 0, "a local game has no opponent to send to");
    core.info = GameInfo { game: 5, seat: Seat::White, ..GameInfo::LOCAL };
    core.send_hints();
    let events: Vec<Event> = core.link.session().pending().map(|numbered| numbered.event).collect();
    assert_eq!(events, [Event::Hints { on: true }]);
}

fn moves(core: &BoardCore<Box<Surface>>) -> Vec<std::string::String> {
    let game = core.play().expect("a game");
    game.sheet().iter().map(std::string::ToString::to_string).collect()
}

/// A board in a remote game that its relay has sent as a snapshot.
fn at_a_game() -> (Flash, BoardCore<Box<Surface>>, RelayEnd, u64) {
    let mut flash = Flash::new();
    let (mut core, _) = start(&mut flash, Some(KEY), START);
    let mut relay = RelayEnd::new();
    relay.connect(&mut core, Instant::at(0));
    store(&mut core, &mut flash);
    relay.receive(&mut core, Instant::at(0));
    relay.begin();
    relay.send(&mut core, 9, Instant::at(0));
    store(&mut core, &mut flash);
    relay.receive(&mut core, Instant::at(0));
    (flash, core, relay, 1000)
}

fn own_side(core: &BoardCore<Box<Surface>>, now: u64) -> Bitboard {
    core.surface().referee().scene(Instant::at(now)).squares(Meaning::OwnSide)
}

#[test]
fn a_new_game_lights_the_own_side_and_a_reconnect_does_not() {
    let (mut flash, mut core, mut relay, now) = at_a_game();
    assert_eq!(own_side(&core, now), Bitboard(0xffff), "the board plays White");
    assert_eq!(own_side(&core, 4_500), Bitboard::EMPTY);
    // The same game comes again in a snapshot.
    relay.compact();
    assert!(relay.send(&mut core, 9, Instant::at(5_000)) > 1, "a snapshot is sent");
    assert_eq!(own_side(&core, 5_000), Bitboard::EMPTY);
    store(&mut core, &mut flash);
    relay.receive(&mut core, Instant::at(5_000));
    // The rematch, with the other side.
    relay.begin_rematch();
    assert!(relay.send(&mut core, 9, Instant::at(6_000)) > 1, "a snapshot is sent");
    assert_eq!(own_side(&core, 6_000), Bitboard(0xffff << 48));
    let mut now = 6_000;
    play(&mut core, 12, 28, &mut now);
    assert_eq!(core.surface().referee().not_yours().map(|(from, to)| (from.index(), to.index())), Some((12, 28)));
}

#[test]
fn unreceived_events_are_replayed_on_a_snapshot() {
    let (mut flash, mut core, mut relay, mut now) = at_a_game();
    play(&mut core, 12, 28, &mut now);
    store(&mut core, &mut flash);
    RelayEnd::lose(&mut core, Instant::at(now));
    assert_eq!(moves(&core), ["e2e4"]);
    // The snapshot does not include the move, so the move is replayed on top of it.
    relay.compact();
    assert!(relay.send(&mut core, 9, Instant::at(now)) > 1, "a snapshot is sent");
    assert_eq!(moves(&core), ["e2e4"]);
    play(&mut core, 28, 12, &mut now);
    assert_eq!(moves(&core), ["e2e4"], "it is still the opponent's turn");
}

#[test]
fn a_half_loaded_game_is_replaced_by_the_stored_one() {
    let (mut flash, mut core, mut relay, mut now) = at_a_game();
    play(&mut core, 12, 28, &mut now);
    store(&mut core, &mut flash);
    relay.receive(&mut core, Instant::at(now));
    relay.play_and_compact("e7e5");
    while core.play().is_some() {
        assert_eq!(relay.send(&mut core, 1, Instant::at(now)), 1, "a part of a snapshot is sent");
    }
    core.disconnected(0, Instant::at(now));
    assert!(core.needs_reload());
    core.reload(&mut flash, Instant::at(now));
    assert!(!core.needs_reload());
    assert_eq!(moves(&core), ["e2e4"]);
    // The next connection sends the whole snapshot.
    relay.connect(&mut core, Instant::at(now));
    relay.send(&mut core, 9, Instant::at(now));
    assert_eq!(moves(&core), ["e2e4", "e7e5"]);
}

/// Over a new connection the half-loaded game would stay, and the stored events would be lost.
#[test]
fn a_runner_does_not_connect_before_a_half_loaded_game_is_replaced() {
    let (mut flash, mut core, mut relay, mut now) = at_a_game();
    play(&mut core, 12, 28, &mut now);
    store(&mut core, &mut flash);
    relay.receive(&mut core, Instant::at(now));
    // A change that is not stored yet keeps the flash busy: a request for a takeback, when the move can no longer be withdrawn.
    now += 3_000;
    play(&mut core, 28, 12, &mut now);
    let mut runner = Runner::new(core);
    let at = Instant::at(now);
    let Some(action) = runner.poll(Input::Wake, false, at).flash else { panic!("a flash operation") };
    flash.carry_out(action);
    relay.play_and_compact("e7e5");
    while runner.core().play().is_some() {
        assert_eq!(relay.send(runner.core_mut(), 1, at), 1, "a part of a snapshot is sent");
    }
    let output = runner.poll(Input::Disconnected { random: 0 }, false, at);
    assert_eq!((output.link, output.reload), (None, false));
    let output = runner.poll(Input::Network(NetworkState::Up), false, at);
    assert_eq!((output.link, output.reload, output.wake_at.is_none_or(|wake| wake > at)), (None, false, true));
    let output = runner.poll(Input::FlashDone { ok: true }, false, at);
    assert_eq!((output.link, output.reload), (None, true));
    runner.reload(&mut flash, at);
    assert_eq!(runner.poll(Input::Wake, false, at).link, Some(LinkCommand::Connect));
    assert_eq!(moves(runner.core()), ["e2e4"]);
}
