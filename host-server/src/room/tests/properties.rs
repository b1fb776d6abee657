//! Property tests of the room under random commands, times and store delays.

use chess::{Color, DrawClaim};
use proptest::collection::vec;
use proptest::prelude::*;
use rules::{Ply, Start};
use wire::link::ClockRule;

use super::table::{Black, Step, Table, White, chat, connect, disconnect, player};
use crate::room::{
    Ability, Act, Command, Entry, Fact, Offer, Phase, Player, RelayId, Room, SideChoice, Stamp, Terms, Time,
};

const ABILITIES: [Ability; 3] = [Ability::Documented, Ability::Returns, Ability::Claims];
const PEOPLE: [&str; 3] = ["ann", "bob", "eve"];

/// A random command. It is resolved against the room when it is executed.
#[derive(Clone, Copy, Debug)]
struct Action {
    what: u8,
    who: usize,
    number: u16,
    /// Milliseconds since the previous action.
    later: u64,
    /// Delay of the store in milliseconds.
    lag: u64,
    relay: usize,
}

fn action() -> impl Strategy<Value = Action> {
    // Long pauses are rare, or every room would be closed before the first move.
    let later = prop_oneof![40 => Just(0), 40 => 1..500_u64, 10 => 500..5_000_u64, 1 => 5_000..700_000_u64];
    let lag = prop_oneof![20 => Just(0), 1 => 0..8_000_u64];
    (0..34_u8, 0..3_usize, any::<u16>(), later, lag, 0..2_usize)
        .prop_map(|(what, who, number, later, lag, relay)| Action { what, who, number, later, lag, relay })
}

fn terms() -> impl Strategy<Value = Terms> {
    let clock = prop_oneof![
        Just(None),
        (0..90_000_u32, 0..3_000_u32).prop_map(|(base_ms, increment_ms)| Some(ClockRule { base_ms, increment_ms }))
    ];
    let start = prop_oneof![
        3 => Just(None),
        1 => Just(Some("8/P6k/8/8/8/8/7p/K7 w - - 90 80")),
        1 => Just(Some("7k/5KQ1/8/8/8/8/8/8 b - - 0 1")),
        1 => Just(Some("breakthrough")),
    ];
    let countdown = prop_oneof![Just(0), Just(3_000)];
    let grace = prop_oneof![1 => Just(0), 1 => Just(10_000), 4 => Just(60_000)];
    (clock, countdown, grace, start, any::<bool>()).prop_map(|(clock, countdown, grace, start, by_invitation)| Terms {
        clock,
        countdown,
        grace,
        start: start.map(|fen: &str| Box::new(fen.parse().map_or(Start::Breakthrough, Start::Chess))),
        script: None,
        computer: None,
        board: None,
        by_invitation,
        longest_absence: 100_000,
    })
}

impl Action {
    fn step(self, room: &Room) -> Step {
        let color = Color::ALL[usize::from(self.number % 2)];
        let relay = RelayId(u64::from(self.number) / 2 % 2);
        let name = PEOPLE[self.who];
        match self.what {
            0 => {
                let side = [SideChoice::White, SideChoice::Black, SideChoice::Random, SideChoice::First]
                    [usize::from(self.number) % 4];
                Command::Sit {
                    player: Player { ability: ABILITIES[usize::from(self.number) / 4 % 3], ..player(name) },
                    side,
                }
                .into()
            }
            1..=5 => connect(color, relay),
            6 if self.number % 8 < 4 => disconnect(color, relay),
            7 if self.number % 8 < 2 => Command::LiveRelays(vec![RelayId(u64::from(self.number) / 8 % 2)]).into(),
            8 if self.number % 8 < 2 => (color, Act::Leave).into(),
            9 if self.number % 8 < 2 => (color, Act::Resign).into(),
            10 if self.number % 8 < 2 => (color, Act::Abort).into(),
            11 if self.number % 8 < 4 => (color, Act::OfferDraw).into(),
            11 => (color, Act::AcceptDraw { number: room.game().len() }).into(),
            12 if self.number % 8 < 4 => {
                let offer = [Offer::Draw, Offer::Takeback, Offer::Rematch][usize::from(self.number / 8 % 3)];
                (color, Act::Withdraw { offer }).into()
            }
            12 => (color, Act::DeclineDraw).into(),
            13 => (color, Act::AskTakeback { plies: (self.number / 2 % 4) as u8 }).into(),
            14 => {
                let (asker, plies) = room.takeback().map_or((!color, 1), |request| (request.by, request.plies));
                (!asker, Act::AcceptTakeback { plies }).into()
            }
            15 => (color, Act::DeclineTakeback).into(),
            16 => (color, Act::OfferRematch).into(),
            17 => (color, Act::AcceptRematch).into(),
            18 => (color, Act::DeclineRematch).into(),
            19 => (color, Act::Hints { on: self.number & 2 == 0 }).into(),
            20 => chat(name, "Hm."),
            21 => {
                let claim = [DrawClaim::ThreefoldRepetition, DrawClaim::FiftyMoves][usize::from(self.number / 2 % 2)];
                let with = Some(self.mv(room)).filter(|_| self.number & 4 == 0);
                (color, Act::ClaimDraw { claim, with }).into()
            }
            22 if self.number & 1 == 0 => (color, Act::ClaimWin).into(),
            22 => Command::Tick.into(),
            _ => (room.game().to_move(), Act::Move { ply: self.mv(room), number: None }).into(),
        }
    }

    /// A move, legal in most cases.
    fn mv(self, room: &Room) -> Ply {
        let legal = room.game().situation().plies();
        match legal.len() {
            len @ 1.. if self.number & 15 != 0 => legal[usize::from(self.number / 16) % len],
            _ => "e2e4".parse().unwrap(),
        }
    }
}

/// Whether one entry may change the phase in this way.
fn is_step(from: Phase, to: Phase) -> bool {
    use Phase::{Closed, Counting, Over, Playing, Waiting};
    let is_left = match from {
        Waiting => matches!(to, Counting { .. } | Playing | Closed),
        Counting { .. } => matches!(to, Waiting | Playing),
        // With fixed players no other player is awaited after the game.
        Over => matches!(to, Waiting | Playing | Closed),
        Playing => to == Over,
        Closed => false,
    };
    is_left || from == to
}

/// Checks the invariants of a room before and after an entry.
fn check(before: &Room, entry: &Entry, after: &Room) {
    assert!(entry.at >= before.last_at() && after.last_at() == entry.at);
    assert_eq!(after.version(), before.version() + 1);
    assert!(is_step(before.phase(), after.phase()), "{:?} to {:?}", before.phase(), after.phase());
    match entry.fact {
        Fact::Moved { .. } => {
            assert_eq!((before.phase(), after.game().len()), (Phase::Playing, before.game().len() + 1));
        }
        Fact::TakenBack { .. } | Fact::DrawOffered { .. } | Fact::TakebackAsked { .. } | Fact::Ended(_) => {
            assert_eq!(before.phase(), Phase::Playing);
        }
        Fact::Opened { .. } => panic!("a room is opened once"),
        _ => {}
    }
    assert!(after.verdict().is_none() || after.phase() != Phase::Playing);
    assert!(after.phase() != Phase::Playing || Color::ALL.into_iter().all(|color| after.seat(color).is_some()));
    if let (Some(before), Some(after)) = (before.clock(), after.clock())
        && !matches!(entry.fact, Fact::Began { .. })
    {
        for color in Color::ALL {
            // A player is charged only for the time in which their own clock ran.
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

/// The room that a replay of the serialized log gives.
fn read_again(log: &[Entry]) -> Room {
    let lines: Vec<String> = log.iter().map(|entry| serde_json::to_string(entry).unwrap()).collect();
    let log: Vec<Entry> = lines.iter().map(|line| serde_json::from_str(line).unwrap()).collect();
    Room::from_log(&log).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn invariants_hold_after_random_commands(terms in terms(), is_set: bool, ability in 0..3_usize, actions in vec(action(), 1..250)) {
        let ability = ABILITIES[ability];
        let mut table = if is_set { Table::set_with(ability, terms) } else { Table { ability, ..Table::open(terms) } };
        for action in actions {
            let received = table.passes(action.later).now;
            table.passes(action.lag);
            let step = action.step(&table.room);
            let draft = table.draft(&step, received);
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
    fn a_due_tick_always_adds_an_entry_and_the_room_comes_to_rest(terms in terms(), ability in 0..3_usize, actions in vec(action(), 1..120)) {
        let mut table = Table::set_with(ABILITIES[ability], terms);
        for action in actions {
            table.passes(action.later);
            let step = action.step(&table.room);
            let _ = table.does(step);
            prop_assert!(table.room.due().is_none_or(|due| due > table.now), "{:?} at {:?}", table.room, table.now);
        }
        // With ticks only, it reaches a state without deadlines: all seated players are connected, or it is closed.
        for _ in 0..20 {
            let Some(due) = table.room.due() else { break };
            table.now = due;
            let lines = table.lines_of(Command::Tick);
            prop_assert!(lines > 0);
        }
        prop_assert_eq!(table.room.due(), None);
    }

    #[test]
    fn two_racing_relays_agree_on_one_log(terms in terms(), actions in vec(action(), 1..120)) {
        let mut log = Table::set(terms).log;
        let mut copies = [Room::from_log(&log).unwrap(), Room::from_log(&log).unwrap()];
        let mut now = Time(1_000_000);
        for (write_id, action) in actions.into_iter().enumerate() {
            let received = now.after(action.later);
            now = received.after(action.lag);
            let copy = &mut copies[action.relay];
            let command = action.step(copy).command(copy);
            loop {
                let draft = copy.attempt(&command, Stamp { received, now, write_id: write_id as u64 });
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
