//! Whatever people want, and whenever: some things hold always.

use chess::{Color, DrawClaim, Move};
use proptest::collection::vec;
use proptest::prelude::*;
use wire::link::ClockRule;

use super::table::{Black, Table, White, player, speaker};
use crate::room::{Command, Entry, Fact, Phase, RelayId, Room, Terms, Time, Wish};

const PEOPLE: [&str; 3] = ["ann", "bob", "eve"];

/// Something that somebody wants, before it is known how things are by then.
#[derive(Clone, Copy, Debug)]
struct Deed {
    what: u8,
    who: usize,
    number: u16,
    /// How long after the one before it.
    later: u64,
    /// How long the store keeps everybody waiting.
    lag: u64,
    relay: usize,
}

fn deed() -> impl Strategy<Value = Deed> {
    // Jumps are rare, or every room would be closed before anybody has moved.
    let later = prop_oneof![40 => Just(0), 40 => 1..500_u64, 10 => 500..5_000_u64, 1 => 5_000..700_000_u64];
    let lag = prop_oneof![20 => Just(0), 1 => 0..8_000_u64];
    (0..34_u8, 0..3_usize, any::<u16>(), later, lag, 0..2_usize)
        .prop_map(|(what, who, number, later, lag, relay)| Deed { what, who, number, later, lag, relay })
}

fn terms() -> impl Strategy<Value = Terms> {
    let clock = prop_oneof![
        Just(None),
        (0..90_000_u32, 0..3_000_u32).prop_map(|(base_ms, increment_ms)| Some(ClockRule { base_ms, increment_ms }))
    ];
    let start = prop_oneof![
        3 => Just(None),
        1 => Just(Some("8/P6k/8/8/8/8/7p/K7 w - - 90 80".to_owned())),
        1 => Just(Some("7k/5KQ1/8/8/8/8/8/8 b - - 0 1".to_owned())),
    ];
    let countdown = prop_oneof![Just(0), Just(3_000)];
    let grace = prop_oneof![1 => Just(0), 1 => Just(10_000), 4 => Just(60_000)];
    (clock, countdown, grace, start).prop_map(|(clock, countdown, grace, start)| Terms {
        clock,
        countdown,
        grace,
        start,
    })
}

impl Deed {
    fn command(self, room: &Room) -> Command {
        let color = Color::ALL[usize::from(self.number % 2)];
        let dice = u64::from(self.number) + 1;
        let relay = RelayId(u64::from(self.number) / 2 % 2);
        let name = PEOPLE[self.who];
        match self.what {
            0 => {
                let wish = [Wish::White, Wish::Black, Wish::Random, Wish::First][usize::from(self.number) % 4];
                Command::Sit { player: player(name), wish, dice }
            }
            1..=5 => Command::Come { color, relay },
            6 if self.number % 8 < 4 => Command::Go { color, relay },
            7 if self.number % 8 < 2 => Command::Relays(vec![RelayId(u64::from(self.number) / 8 % 2)]),
            8 if self.number % 8 < 2 => Command::Leave(color),
            9 if self.number % 8 < 2 => Command::Resign(color),
            10 if self.number % 8 < 2 => Command::Abort(color),
            11 if self.number % 8 < 4 => Command::OfferDraw(color),
            11 => Command::AcceptDraw { color, ply: room.game().moves().len() },
            12 => Command::DeclineDraw(color),
            13 => Command::AskTakeback { color, plies: (self.number / 2 % 4) as u8 },
            14 => {
                let (asker, plies) = room.takeback().unwrap_or((!color, 1));
                Command::AllowTakeback { color: !asker, plies }
            }
            15 => Command::DeclineTakeback(color),
            16 => Command::OfferRematch { color, dice },
            17 => Command::AcceptRematch { color, dice },
            18 => Command::DeclineRematch(color),
            19 => Command::Hints { color, on: self.number & 2 == 0 },
            20 => Command::Say { speaker: speaker(name, room.seat_of(&player(name).id)), text: "Hm.".to_owned() },
            21 => {
                let claim = [DrawClaim::ThreefoldRepetition, DrawClaim::FiftyMoves][usize::from(self.number / 2 % 2)];
                let with = Some(self.mv(room)).filter(|_| self.number & 4 == 0);
                Command::ClaimDraw { color, claim, with }
            }
            22 => Command::Tick { dice },
            _ => Command::Move { color: room.game().position().turn(), mv: self.mv(room), ply: None },
        }
    }

    /// Mostly one that can be played.
    fn mv(self, room: &Room) -> Move {
        let legal: Vec<Move> = room.game().position().legal_moves().iter().copied().collect();
        match legal.len() {
            len @ 1.. if self.number & 15 != 0 => legal[usize::from(self.number / 16) % len],
            _ => "e2e4".parse().unwrap(),
        }
    }
}

/// Whether a line may lead from one phase to another.
fn is_step(from: Phase, to: Phase) -> bool {
    use Phase::{Closed, Counting, Over, Playing, Waiting};
    let is_left = match from {
        Waiting => matches!(to, Counting { .. } | Playing | Closed),
        Counting { .. } | Over => matches!(to, Waiting | Playing),
        Playing => to == Over,
        Closed => false,
    };
    is_left || from == to
}

/// What a line may do to a room.
fn check(before: &Room, entry: &Entry, after: &Room) {
    assert!(entry.at >= before.last_at() && after.last_at() == entry.at);
    assert_eq!(after.version(), before.version() + 1);
    assert!(is_step(before.phase(), after.phase()), "{:?} to {:?}", before.phase(), after.phase());
    match entry.fact {
        Fact::Moved { .. } => {
            assert_eq!((before.phase(), after.game().moves().len()), (Phase::Playing, before.game().moves().len() + 1));
        }
        Fact::TakenBack { .. } | Fact::DrawOffered { .. } | Fact::TakebackAsked { .. } | Fact::Ended(_) => {
            assert_eq!(before.phase(), Phase::Playing);
        }
        Fact::Opened { .. } => panic!("a room is opened once"),
        _ => {}
    }
    assert!(after.ending().is_none() || after.phase() != Phase::Playing);
    assert!(after.phase() != Phase::Playing || Color::ALL.into_iter().all(|color| after.seat(color).is_some()));
    if let (Some(before), Some(after)) = (before.clock(), after.clock())
        && !matches!(entry.fact, Fact::Began { .. })
    {
        for color in Color::ALL {
            // Nobody pays for more than for the time in which their own clock ran.
            assert!(after.left(color, entry.at) >= before.left(color, entry.at));
        }
    }
    for (color, other) in [(White, Black), (Black, White)] {
        if let Some(seated) = after.seat(color) {
            let token = format!("secret of {}", seated.player.name);
            assert!(seated.player.token.opens_with(&token));
            assert!(after.seat(other).is_none_or(|seated| !seated.player.token.opens_with(&token)));
        }
    }
}

/// The room as whoever reads the log gets it.
fn read_again(log: &[Entry]) -> Room {
    let lines: Vec<String> = log.iter().map(|entry| serde_json::to_string(entry).unwrap()).collect();
    let log: Vec<Entry> = lines.iter().map(|line| serde_json::from_str(line).unwrap()).collect();
    Room::from_log(&log).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_room_keeps_its_word_whatever_people_do(terms in terms(), is_set: bool, deeds in vec(deed(), 1..250)) {
        let mut table = if is_set { Table::set(terms) } else { Table::open(terms) };
        for deed in deeds {
            let received = table.passes(deed.later).now;
            table.passes(deed.lag);
            let command = deed.command(&table.room);
            let draft = table.draft(&command, None, received);
            let mut room = table.room.clone();
            for entry in &draft.entries {
                let before = room.clone();
                room.apply(entry);
                check(&before, entry, &room);
            }
            let _ = table.take(draft);
            prop_assert_eq!(table.room.version(), table.log.len() as u64);
        }
        prop_assert_eq!(read_again(&table.log), table.room);
    }

    #[test]
    fn something_happens_when_it_is_due(terms in terms(), deeds in vec(deed(), 1..120)) {
        let mut table = Table::set(terms);
        for deed in deeds {
            table.passes(deed.later);
            let command = deed.command(&table.room);
            let _ = table.does(command);
            prop_assert!(table.room.due().is_none_or(|due| due > table.now), "{:?} at {:?}", table.room, table.now);
        }
        // Left alone, it comes to rest: with people in it who are there, or closed.
        for _ in 0..20 {
            let Some(due) = table.room.due() else { break };
            table.now = due;
            let lines = table.lines_of(Command::Tick { dice: 7 });
            prop_assert!(lines > 0);
        }
        prop_assert_eq!(table.room.due(), None);
    }

    #[test]
    fn two_relays_that_race_come_to_the_same_log(terms in terms(), deeds in vec(deed(), 1..120)) {
        let mut log = Table::set(terms).log;
        let mut copies = [Room::from_log(&log).unwrap(), Room::from_log(&log).unwrap()];
        let mut now = Time(1_000_000);
        for (pen, deed) in deeds.into_iter().enumerate() {
            let received = now.after(deed.later);
            now = received.after(deed.lag);
            let copy = &mut copies[deed.relay];
            let command = deed.command(copy);
            loop {
                let draft = copy.attempt(&command, None, received, now, pen as u64);
                if draft.entries.is_empty() {
                    break;
                }
                let known = usize::try_from(copy.version()).unwrap();
                if known == log.len() {
                    log.extend(draft.entries);
                    *copy = std::sync::Arc::unwrap_or_clone(draft.after);
                    break;
                }
                log[known..].iter().for_each(|entry| copy.apply(entry));
            }
        }
        for copy in &mut copies {
            let known = usize::try_from(copy.version()).unwrap();
            log[known..].iter().for_each(|entry| copy.apply(entry));
        }
        prop_assert_eq!(&copies[0], &copies[1]);
        prop_assert_eq!(&read_again(&log), &copies[0]);
    }
}
