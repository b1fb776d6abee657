//! A room follows a game that two people play on a board.

use std::time::{Duration, Instant};

use rules::genome::Setup;
use rules::{Play, Ply, Start, Verdict, Why};

use super::table::{Black, White};
use crate::room::{
    Ability, BoardGame, Command, Entry, Fact, Participant, Phase, Player, Refusal, Room, RoomId, Sheet, SideChoice,
    Stamp, Terms, Time, TokenHash,
};

const RESIGNED: Verdict = Verdict::Won { winner: White, why: Why::Resignation };

struct Followed {
    room: Room,
    log: Vec<Entry>,
    now: u64,
}

impl Followed {
    fn open() -> Self {
        Self::open_with(None)
    }

    fn open_with(start: Option<Box<Start>>) -> Self {
        let terms = Terms { board: Some("kitchen".parse().unwrap()), start, ..Terms::default() };
        let fact = Fact::Opened { room: RoomId(1), code: "ABC".parse().unwrap(), terms, on: 0 };
        let log = vec![Entry { at: Time(0), write_id: 1, from: None, fact }];
        Self { room: Room::from_log(&log).unwrap(), log, now: 0 }
    }

    fn attempt(&mut self, command: &Command) -> Result<usize, Refusal> {
        self.now += 1_000;
        let now = Time(self.now);
        let draft = self.room.attempt(command, Stamp { received: now, now, write_id: self.now });
        let count = draft.entries.len();
        self.log.extend(draft.entries);
        self.room = std::sync::Arc::unwrap_or_clone(draft.after);
        assert_eq!(Room::from_log(&self.log).unwrap(), self.room);
        draft.refused.map_or(Ok(count), Err)
    }

    fn follows(&mut self, moves: &str, verdict: Option<Verdict>) -> Result<usize, Refusal> {
        let plies: Vec<Ply> = moves.split_whitespace().map(|ply| ply.parse().unwrap()).collect();
        self.attempt(&Command::FollowBoard(BoardGame { plies, verdict, names: [None, None] }))
    }

    fn moves(&self) -> String {
        let plies: Vec<String> = self.room.game().plies_from(0).map(|ply| ply.to_string()).collect();
        plies.join(" ")
    }

    fn waits(&mut self, ms: u64) {
        self.now += ms;
        self.attempt(&Command::Tick).unwrap();
    }
}

#[test]
fn the_computer_of_the_board_has_its_own_name() {
    let mut followed = Followed::open();
    let plies = vec!["e2e4".parse().unwrap()];
    let names = [None, Some("Tabiya level 2".parse().unwrap())];
    followed.attempt(&Command::FollowBoard(BoardGame { plies, verdict: None, names })).unwrap();
    let name = |color| followed.room.seat(color).map(|seated| seated.player.name.to_string());
    assert_eq!([name(White), name(Black)], [Some("kitchen".to_owned()), Some("Tabiya level 2".to_owned())]);
}

#[test]
fn a_game_is_followed_with_corrections_and_its_result() {
    let mut followed = Followed::open();
    followed.follows("e2e4 e7e5", None).unwrap();
    assert_eq!((followed.moves().as_str(), followed.room.phase()), ("e2e4 e7e5", Phase::Playing));
    let name = |color| followed.room.seat(color).map(|seated| seated.player.name.to_string());
    assert_eq!([name(White), name(Black)], [Some("kitchen".to_owned()), Some("kitchen".to_owned())]);
    assert_eq!(followed.follows("e2e4 e7e5", None), Ok(0), "repeated, it adds nothing");
    followed.follows("e2e4 c7c5 g1f3", None).unwrap();
    assert_eq!(followed.moves(), "e2e4 c7c5 g1f3");
    followed.follows("e2e4 c7c5 g1f3", Some(RESIGNED)).unwrap();
    assert_eq!((followed.room.phase(), followed.room.verdict()), (Phase::Over, Some(RESIGNED)));
    assert_eq!(followed.follows("e2e4 c7c5 g1f3", Some(RESIGNED)), Ok(0));
    followed.attempt(&Command::LeaveBoard).unwrap();
    assert_eq!((followed.room.phase(), followed.room.verdict()), (Phase::Closed, Some(RESIGNED)));
    assert_eq!(followed.follows("e2e4", None), Err(Refusal::Closed));
}

#[test]
fn a_whole_game_arrives_at_once() {
    let mut followed = Followed::open();
    followed.follows("f2f3 e7e5 g2g4 d8h4", None).unwrap();
    let mate = Verdict::Won { winner: Black, why: Why::Checkmate };
    assert_eq!((followed.room.phase(), followed.room.verdict()), (Phase::Over, Some(mate)));
    assert_eq!(followed.log.iter().filter(|entry| matches!(entry.fact, Fact::Ended(_))).count(), 1);
    // An unintended mate is taken back on the board.
    followed.follows("f2f3 e7e5 g2g4", None).unwrap();
    assert_eq!((followed.room.phase(), followed.room.verdict()), (Phase::Playing, None));
    followed.follows("f2f3 e7e5 g2g4 d7d5", None).unwrap();
    assert_eq!(followed.moves(), "f2f3 e7e5 g2g4 d7d5");
}

#[test]
fn takebacks_are_not_limited() {
    let mut followed = Followed::open();
    for _ in 0..60 {
        followed.follows("e2e4", None).unwrap();
        followed.follows("", None).unwrap();
    }
    assert_eq!(followed.moves(), "");
}

#[test]
fn a_game_that_is_left_without_a_result_is_abandoned() {
    let mut followed = Followed::open();
    followed.follows("e2e4 e7e5", None).unwrap();
    followed.attempt(&Command::LeaveBoard).unwrap();
    assert_eq!((followed.room.phase(), followed.room.verdict()), (Phase::Closed, Some(Verdict::Abandoned)));
}

#[test]
fn a_paused_game_stays_open_for_days_and_a_finished_one_for_minutes() {
    let mut followed = Followed::open();
    followed.follows("e2e4 e7e5", None).unwrap();
    followed.waits(6 * 86_400_000);
    assert_eq!(followed.room.phase(), Phase::Playing);
    assert!(followed.room.due().is_some());
    followed.waits(2 * 86_400_000);
    assert_eq!((followed.room.phase(), followed.room.verdict()), (Phase::Over, Some(Verdict::Abandoned)));
    followed.waits(500_000);
    assert_eq!(followed.room.phase(), Phase::Over);
    followed.waits(200_000);
    assert_eq!(followed.room.phase(), Phase::Closed);
}

#[test]
fn no_participant_can_take_a_seat_or_act() {
    let mut followed = Followed::open();
    let player = |name: &str| Player {
        id: format!("{name:_<12}").parse().unwrap(),
        name: name.parse().unwrap(),
        token: TokenHash::of("token"),
        ability: Ability::Claims,
    };
    let sit = Command::Sit { player: player("ana"), side: SideChoice::First };
    assert_eq!(followed.attempt(&sit), Err(Refusal::Taken));
    followed.follows("e2e4 e7e5", None).unwrap();
    assert_eq!(followed.attempt(&sit), Err(Refusal::Taken));
    let by = Participant { id: player("ana").id, name: player("ana").name };
    let resign = Command::Act { by, act: crate::room::Act::Resign, game: None, event: None };
    assert_eq!(followed.attempt(&resign), Err(Refusal::NoSeat));
}

#[test]
fn a_room_of_players_follows_no_board_and_illegal_plies_are_refused() {
    let mut followed = Followed::open();
    assert_eq!(followed.follows("e2e4 e2e4", None), Err(Refusal::Illegal("e2e4".parse().unwrap())));
    let mut table = super::table::Table::set(Terms::default());
    let now = table.room.last_at();
    for command in
        [Command::LeaveBoard, Command::FollowBoard(BoardGame { plies: Vec::new(), verdict: None, names: [None, None] })]
    {
        let draft = table.room.attempt(&command, Stamp { received: now, now, write_id: 9 });
        assert_eq!((draft.refused, draft.entries.len()), (Some(Refusal::NoSeat), 0));
    }
    table.plays("e2e4");
}

/// The least time in which the room follows a takeback of the last of this many plies, under rules whose positions can only be replayed.
fn takeback_after(plies: usize) -> Duration {
    let start = Start::Genome(Setup::default_preset(1).unwrap());
    let mut game = Play::on(Sheet::default());
    game.restart(&start);
    while game.len() < plies {
        let situation = game.situation();
        let legal = situation.plies();
        let turned = legal.iter().cycle().skip(game.len() * 7 % legal.len()).take(legal.len());
        let goes_on = turned.copied().find_map(|ply| {
            let mut next = game.clone();
            (next.play(ply).is_ok() && next.verdict().is_none()).then_some(next)
        });
        game = goes_on.expect("the game goes on");
    }
    let mut followed = Followed::open_with(Some(Box::new(start)));
    let follow = |plies| {
        Command::FollowBoard(BoardGame {
            plies: game.plies_from(0).take(plies).collect(),
            verdict: None,
            names: [None, None],
        })
    };
    followed.attempt(&follow(plies)).unwrap();
    let now = Time(followed.now);
    let command = follow(plies - 1);
    let times = (0..5).map(|_| {
        let begin = Instant::now();
        let draft = followed.room.attempt(&command, Stamp { received: now, now, write_id: 9 });
        assert_eq!(draft.after.game().len(), plies - 1);
        begin.elapsed()
    });
    times.min().unwrap()
}

/// A room decides on a thread that connections need, and a game on a board has no limit of takebacks.
#[test]
fn a_takeback_on_the_board_costs_no_replay_of_the_whole_game() {
    // Both are as many plies after a checkpoint.
    let (short, long) = (takeback_after(100), takeback_after(740));
    assert!(long < short * 4, "{short:?} after 100 plies, {long:?} after 740");
}
