mod far;

use std::boxed::Box;
use std::vec;
use std::vec::Vec;

use super::*;
use crate::journal::{Bank, Unreadable};
use crate::profile::Entry;
use far::{Far, KEY};

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

/// A board that wakes up with these pieces on it.
fn wake(flash: &mut Flash, key: Option<[u8; 32]>, raw: Bitboard) -> (Mind<Box<Brain>>, Condition) {
    let brain = Box::new(Brain::new(Settings::default(), raw, Instant::at(0)));
    let amend = |values: &mut Values| {
        Entry::Key(key).keep(values).expect("a key fits");
        Entry::Relay("ws://relay").keep(values).expect("an address fits");
    };
    Mind::wake(brain, flash, amend, "test", 99, Instant::at(0))
}

fn keep(mind: &mut Mind<Box<Brain>>, flash: &mut Flash) {
    while let Some(action) = mind.keep(Instant::at(0)) {
        flash.carry_out(action);
        mind.kept(true);
    }
}

/// Moves a piece by hand, with time enough between lifting and placing.
fn play(mind: &mut Mind<Box<Brain>>, from: u8, to: u8, now: &mut u64) {
    let standing = mind.brain().referee().occupied();
    for raw in [Bitboard(standing.0 & !(1 << from)), Bitboard(standing.0 & !(1 << from) | 1 << to)] {
        for _ in 0..600 {
            *now += 1;
            mind.scan(raw, Instant::at(*now));
        }
    }
}

const START: Bitboard = Bitboard(0xffff_0000_0000_ffff);

#[test]
fn a_game_survives_a_power_cut() {
    let mut flash = Flash::new();
    let (mut mind, condition) = wake(&mut flash, None, START);
    assert_eq!(condition, Condition::Blank);
    let mut now = 0;
    play(&mut mind, 12, 28, &mut now);
    assert_eq!(mind.game().expect("a game").moves().len(), 1);
    let raw = mind.brain().referee().occupied();
    keep(&mut mind, &mut flash);
    let (mind, condition) = wake(&mut flash, None, raw);
    assert_eq!(condition, Condition::Whole);
    assert_eq!(mind.game().expect("a game").moves().len(), 1);
}

#[test]
fn nothing_is_said_without_a_key_and_everything_with_one() {
    let mut flash = Flash::new();
    let (mut mind, _) = wake(&mut flash, None, START);
    play(&mut mind, 12, 28, &mut 0);
    assert_eq!(mind.connect_at(), None);
    mind.change(|values| Entry::Key(Some([1; 32])).keep(values).expect("it fits"), 7);
    assert_eq!(mind.connect_at(), Some(Instant::at(0)));
    let memory = mind.session.conversation().memory();
    // The one who is new gets the game.
    assert_eq!((memory.stream, memory.said, memory.renewed), (7, 1, 1));
}

#[test]
fn another_key_is_another_conversation() {
    let mut flash = Flash::new();
    let (mut mind, _) = wake(&mut flash, Some([1; 32]), START);
    play(&mut mind, 12, 28, &mut 0);
    keep(&mut mind, &mut flash);
    let said = |mind: &Mind<Box<Brain>>| mind.session.conversation().memory().said;
    assert_eq!(said(&mind), 2);
    let (same, _) = wake(&mut flash, Some([1; 32]), START);
    assert_eq!(said(&same), 2);
    let (other, _) = wake(&mut flash, Some([2; 32]), START);
    assert_eq!(said(&other), 1);
}

#[test]
fn light_is_asked_for_only_when_something_has_changed() {
    let mut flash = Flash::new();
    let (mut mind, _) = wake(&mut flash, None, START);
    let first = mind.frame(Instant::at(0)).expect("a frame");
    play(&mut mind, 12, 28, &mut 10_000);
    assert_eq!(mind.next_frame(Instant::at(20_000)), Some(Instant::at(20_000)));
    let second = mind.frame(Instant::at(20_000)).expect("a frame");
    assert_ne!(first, second);
}

#[test]
fn the_lights_are_told_what_is_new_and_no_more_than_sixty_times_a_second() {
    let mut flash = Flash::new();
    // Half of the pieces are missing, so there is much to be said.
    let (mut mind, _) = wake(&mut flash, None, Bitboard(0xffff));
    let mut shine = Shine::default();
    let mut told: Vec<u64> = Vec::new();
    for now in 0..3_000 {
        mind.scan(Bitboard(0xffff), Instant::at(now));
        if let Some(frame) = shine.poll(&mut mind, Instant::at(now)) {
            assert_eq!(frame, *shine.shown());
            told.push(now);
        }
    }
    assert!(told.len() > 3 && told.windows(2).all(|pair| pair[1] - pair[0] >= 16), "{told:?}");
}

#[test]
fn hints_are_agreed_to_when_a_game_with_others_comes_and_only_then() {
    let mut flash = Flash::new();
    let (mut mind, _) = wake(&mut flash, Some([1; 32]), START);
    mind.change(|values| Entry::Hints(true).keep(values).expect("it fits"), 7);
    mind.tell_hints();
    assert_eq!(mind.session.conversation().pending().count(), 0, "nobody else plays here");
    mind.seating = Seating::of(&Table { game: 5, seat: wire::link::Seat::White, ..Table::LOCAL });
    mind.tell_hints();
    let said: Vec<Event> = mind.session.conversation().pending().map(|said| said.event).collect();
    assert_eq!(said, [Event::Hints { on: true }]);
}

fn moves(mind: &Mind<Box<Brain>>) -> Vec<std::string::String> {
    let game = mind.game().expect("a game");
    game.moves().iter().map(std::string::ToString::to_string).collect()
}

/// A board that plays with somebody far away, who has given it the game.
fn at_a_game() -> (Flash, Mind<Box<Brain>>, Far, u64) {
    let mut flash = Flash::new();
    let (mut mind, _) = wake(&mut flash, Some(KEY), START);
    let mut far = Far::new();
    far.meet(&mut mind, Instant::at(0));
    keep(&mut mind, &mut flash);
    // The board's own game comes first, since it was there before.
    far.hear(&mut mind, Instant::at(0));
    far.begin();
    far.tell(&mut mind, 9, Instant::at(0));
    keep(&mut mind, &mut flash);
    far.hear(&mut mind, Instant::at(0));
    (flash, mind, far, 1000)
}

#[test]
fn what_was_said_and_not_heard_is_done_to_the_game_that_comes() {
    let (mut flash, mut mind, mut far, mut now) = at_a_game();
    play(&mut mind, 12, 28, &mut now);
    keep(&mut mind, &mut flash);
    Far::lose(&mut mind, Instant::at(now));
    assert_eq!(moves(&mind), ["e2e4"]);
    // A game that knows nothing of the move: the move stands, since nobody has said anything against it.
    far.conversation_forgets();
    assert!(far.tell(&mut mind, 9, Instant::at(now)) > 1, "a game comes");
    assert_eq!(moves(&mind), ["e2e4"]);
    play(&mut mind, 28, 12, &mut now);
    assert_eq!(moves(&mind), ["e2e4"], "it is the other one's turn, as it was");
}

#[test]
fn half_of_a_game_is_forgotten_and_the_one_in_the_journal_is_there() {
    let (mut flash, mut mind, mut far, mut now) = at_a_game();
    play(&mut mind, 12, 28, &mut now);
    keep(&mut mind, &mut flash);
    far.hear(&mut mind, Instant::at(now));
    far.play_and_forget("e7e5");
    while mind.game().is_some() {
        assert_eq!(far.tell(&mut mind, 1, Instant::at(now)), 1, "the beginning of a game comes");
    }
    mind.disconnected(0, Instant::at(now));
    assert!(mind.is_torn_apart());
    mind.recall(&mut flash, Instant::at(now));
    assert!(!mind.is_torn_apart());
    assert_eq!(moves(&mind), ["e2e4"]);
    // The rest comes with the next connection.
    far.meet(&mut mind, Instant::at(now));
    far.tell(&mut mind, 9, Instant::at(now));
    assert_eq!(moves(&mind), ["e2e4", "e7e5"]);
}
