//! A room whose rules are a script. The tests answer its questions.

use chess::{Bitboard, Square};
use rules::{AnyPosition, Start, Verdict, Why};

use super::table::{Black, Table, White, rematch, uci};
use crate::room::{
    Ability, Act, Answered, Ask, Entry, Fact, Footprints, Phase, Refusal, Reply, Room, Ruling, ScriptId,
    ScriptQuestion, ScriptTerms, Stamp, Terms,
};

fn ruling(pieces: &str, moves: &str, status: &str) -> Ruling {
    let text = format!(r#"{{"pieces":"{pieces}","moves":"{moves}","data":[1.0],"status":"{status}"}}"#);
    serde_json::from_str(&text).unwrap()
}

fn start() -> Ruling {
    ruling("Ke1 Rh1 ke8", "e1g1 e1e2", "running")
}

fn castled() -> Ruling {
    ruling("Kg1 Rf1 ke8", "e8e7 e8d8", "running")
}

fn table() -> Table {
    let script = ScriptTerms { id: ScriptId(5), name: "Castle".to_owned(), start: start() };
    Table::set(Terms::default().by_script(script))
}

#[test]
fn a_game_by_a_script_is_not_lost_by_absence() {
    let script = ScriptTerms { id: ScriptId(5), name: "Castle".to_owned(), start: start() };
    for ability in [Ability::Returns, Ability::Claims] {
        let mut table = Table::set_with(ability, Terms::default().by_script(script.clone()));
        moves(&mut table, "e1g1", castled());
        moves(&mut table, "e8e7", ruling("Kg1 Rf1 ke7", "g1h1", "running"));
        table.goes(White);
        assert_eq!((table.room.absence_ends(White), table.room.limits_absence()), (None, false));
        table.passes(6 * 86_400_000).ticks();
        table.comes(White);
        moves(&mut table, "g1h1", ruling("Kh1 Rf1 ke7", "e7e8", "running"));
    }
}

/// Attempts an act, answers its question with this, and attempts it again.
fn asks(table: &mut Table, color: chess::Color, act: Act, reply: Reply) -> (ScriptQuestion, Result<(), Refusal>) {
    let step = (color, act).into();
    let question = *table.draft(&step, table.now).question.expect("the script has to be asked");
    let answered = Answered { question: question.clone(), reply };
    table.write_ids += 1;
    let stamp = Stamp { received: table.now, now: table.now, write_id: table.write_ids };
    let draft = table.room.attempt_with(&step.command(&table.room), stamp, Some(&answered));
    assert_eq!(draft.question, None);
    (question, table.take(draft))
}

fn moves(table: &mut Table, text: &str, answer: Ruling) -> ScriptQuestion {
    let color = table.room.game().to_move();
    let act = Act::Move { ply: uci(text), number: None };
    let (question, done) = asks(table, color, act, Reply::Ruling(answer));
    done.unwrap();
    question
}

fn replayed(table: &Table) -> Option<Room> {
    let lines: Vec<String> = table.log.iter().map(|entry| serde_json::to_string(entry).unwrap()).collect();
    let log: Vec<Entry> = lines.iter().map(|line| serde_json::from_str(line).unwrap()).collect();
    Room::from_log(&log)
}

#[test]
fn a_move_is_played_when_the_script_has_ruled_on_it() {
    let mut table = table();
    let act = || Act::Move { ply: uci("e1g1"), number: None };
    // Without a ruling nothing happens.
    let draft = table.draft(&(White, act()).into(), table.now);
    assert!(draft.entries.is_empty() && draft.question.is_some());
    let question = moves(&mut table, "e1g1", castled());
    let Ask::Move { before, next_turn, .. } = question.ask else { panic!("{question:?}") };
    assert_eq!((question.script, before, next_turn), (ScriptId(5), start(), Black));
    assert_eq!(table.room.game().turn().white, Bitboard::of(Square::G1) | Square::F1.into());
    assert_eq!((table.room.ruling(), table.room.game().len()), (Some(&castled()), 1));
    moves(&mut table, "e8e7", ruling("Kg1 Rf1 ke7", "", "white won"));
    let won = Verdict::Won { winner: White, why: Why::Rules };
    assert_eq!((table.room.phase(), table.room.verdict()), (Phase::Over, Some(won)));
    assert_eq!(replayed(&table).as_ref(), Some(&table.room));
    let after: Vec<AnyPosition> = table.room.positions().map(|(_, _, after)| after).collect();
    assert_eq!(after.iter().map(|after| after.situation().turn().black.0).sum::<u64>(), 1 << 60 | 1 << 52);
}

#[test]
fn the_room_checks_a_move_before_the_script_is_asked() {
    let mut table = table();
    for (color, text, refusal) in [
        (Black, "e8e7", Refusal::NotYourTurn),
        (White, "e8e7", Refusal::NotYourPiece),
        (White, "e1e3", Refusal::Illegal(uci("e1e3"))),
        (White, "h1h2", Refusal::Illegal(uci("h1h2"))),
    ] {
        assert_eq!(table.moves(color, text), Err(refusal), "{text}");
    }
    table.does((White, Act::Resign)).unwrap();
    let over = Refusal::Over(Verdict::Won { winner: Black, why: Why::Resignation });
    assert_eq!(table.moves(White, "e1g1"), Err(over));
}

#[test]
fn an_answer_to_another_question_is_not_used() {
    let mut table = table();
    let step = (White, Act::Move { ply: uci("e1g1"), number: None }).into();
    let question = *table.draft(&step, table.now).question.unwrap();
    let answered = Answered { question, reply: Reply::Ruling(castled()) };
    let other = (White, Act::Move { ply: uci("e1e2"), number: None }).into();
    let stamp = Stamp { received: table.now, now: table.now, write_id: 99 };
    let draft = table.room.attempt_with(&super::table::Step::command(&other, &table.room), stamp, Some(&answered));
    assert!(draft.entries.is_empty() && draft.question.is_some());
}

#[test]
fn moves_are_taken_back_without_the_script() {
    let mut table = table();
    moves(&mut table, "e1g1", castled());
    moves(&mut table, "e8d8", ruling("Kg1 Rf1 kd8", "g1g2", "running"));
    table.does((Black, Act::AskTakeback { plies: 2 })).unwrap();
    table.does((White, Act::AcceptTakeback { plies: 2 })).unwrap();
    assert_eq!((table.room.game().len(), table.room.ruling()), (0, Some(&start())));
    assert_eq!(table.room.game().start(), Start::Told(start().turn(0)));
    assert_eq!(replayed(&table).as_ref(), Some(&table.room));
    moves(&mut table, "e1e2", ruling("Ke2 Rh1 ke8", "e8e7", "running"));
}

#[test]
fn a_rematch_asks_the_script_how_it_starts() {
    let mut table = table();
    moves(&mut table, "e1g1", castled());
    table.does((White, Act::Resign)).unwrap();
    table.does(rematch(Black)).unwrap();
    let other = ruling("Kd1 Ra1 kd8", "d1d2", "running");
    let (question, done) = asks(&mut table, White, Act::OfferRematch, Reply::Ruling(other.clone()));
    assert_eq!((question.ask, done), (Ask::Start, Ok(())));
    assert_eq!((table.room.phase(), table.room.ruling()), (Phase::Playing, Some(&other)));
    assert_eq!(replayed(&table).as_ref(), Some(&table.room));
}

#[test]
fn a_board_receives_the_footprints_of_a_turn() {
    let mut table = table();
    assert!(!table.room.has_footprints());
    assert_eq!(table.does((White, Act::RequestFootprints { number: 3 })), Err(Refusal::Stale));
    // The first ply is castling: two pieces are lifted, and two are placed.
    let footprints = Footprints([0, 4, 4, 7, 0x40 | 5, 0x40 | 6].into());
    let (question, done) = asks(&mut table, White, Act::RequestFootprints { number: 0 }, Reply::Footprints(footprints));
    assert_eq!((question.ask, done), (Ask::Footprints { before: start(), number: 0 }, Ok(())));
    let castling = table.room.game().situation().footprint(uci("e1g1")).unwrap();
    assert_eq!(castling.companion(), Some((Square::H1, Square::F1)));
    assert!(table.room.has_footprints());
    // Asking again adds nothing.
    assert_eq!(table.lines_of((White, Act::RequestFootprints { number: 0 })), 0);
    assert_eq!(replayed(&table).as_ref(), Some(&table.room));
    moves(&mut table, "e1g1", castled());
    assert!(!table.room.has_footprints());
}

/// The player could not see the moves before.
#[test]
fn asking_what_the_moves_do_costs_the_player_no_time() {
    let script = ScriptTerms { id: ScriptId(5), name: "Castle".to_owned(), start: start() };
    let clock = Some(wire::link::ClockRule { base_ms: 60_000, increment_ms: 0 });
    let mut table = Table::set(Terms { clock, ..Terms::default() }.by_script(script));
    moves(&mut table, "e1g1", castled());
    for (passed, lost) in [(1_500, 0), (9_000, 6_000)] {
        let mut table = Table { room: table.room.clone(), log: table.log.clone(), ..table };
        table.passes(passed);
        let (_, done) =
            asks(&mut table, Black, Act::RequestFootprints { number: 1 }, Reply::Footprints(Footprints::default()));
        assert_eq!((done, table.left(Black)), (Ok(()), 60_000 - lost));
        table.passes(2_000);
        assert_eq!(table.left(Black), 58_000 - lost);
    }
}

#[test]
fn a_told_fact_has_its_stored_form() {
    let fact = Fact::Moved { ply: uci("e1g1"), took: 3, ruling: Some(castled()) };
    let text = concat!(
        r#"{"moved":{"mv":"e1g1","took":3,"ruling":{"pieces":"Kg1 Rf1 ke8","moves":"e8e7 e8d8","data":[1.0],"#,
        r#""status":"running"}}}"#
    );
    assert_eq!(serde_json::to_string(&fact).unwrap(), text);
    assert_eq!(serde_json::from_str::<Fact>(text).unwrap(), fact);
    let fact = Fact::FootprintsAdded { number: 2, footprints: Footprints([0, 1, 4].into()) };
    let text = r#"{"foreseen":{"number":2,"footprints":"000104"}}"#;
    assert_eq!(serde_json::to_string(&fact).unwrap(), text);
    assert_eq!(serde_json::from_str::<Fact>(text).unwrap(), fact);
}

/// As large as an answer can be: 64 pieces, 256 moves, and all data.
fn largest(color: chess::Color) -> Ruling {
    let squares = Square::all;
    let pieces: Vec<String> =
        squares().map(|square| format!("{}{square}", if square.index() < 32 { 'Q' } else { 'q' })).collect();
    let own = squares().filter(|square| (square.index() < 32) == (color == White));
    let moves: Vec<String> = own
        .flat_map(|from| squares().filter(move |&to| to != from).map(move |to| format!("{from}{to}")))
        .take(256)
        .collect();
    let data = "x".repeat((16 << 10) - 2);
    let text = format!(
        r#"{{"pieces":"{}","moves":"{}","data":"{data}","status":"running"}}"#,
        pieces.join(" "),
        moves.join(" ")
    );
    serde_json::from_str(&text).unwrap()
}

fn play_largest(table: &mut Table, plies: usize) {
    for _ in 0..plies {
        let color = table.room.game().to_move();
        let text = if color == White { "a1b1" } else { "a5b5" };
        moves(table, text, largest(!color));
    }
}

#[test]
fn a_game_with_the_largest_answers_can_be_played_to_its_end() {
    let script = ScriptTerms { id: ScriptId(5), name: "Large".to_owned(), start: largest(White) };
    let mut table = Table::set(Terms::default().by_script(script));
    let mut taken_back = 0;
    // As often as it is permitted.
    play_largest(&mut table, 100);
    while table.does((White, Act::AskTakeback { plies: 2 })).is_ok() {
        table.does((Black, Act::AcceptTakeback { plies: 2 })).unwrap();
        play_largest(&mut table, 2);
        taken_back += 1;
    }
    assert!((10..50).contains(&taken_back), "{taken_back}");
    let refused = table.does((White, Act::AskTakeback { plies: 2 }));
    assert_eq!(refused, Err(Refusal::TooManyTakebacks));
    play_largest(&mut table, 100);
    assert_eq!(table.room.verdict(), Some(Verdict::Drawn(Why::Rules)));
    assert_eq!(table.room.game().len(), 200);
}

#[test]
fn a_room_has_a_limited_number_of_games_with_large_answers() {
    let script = ScriptTerms { id: ScriptId(5), name: "Large".to_owned(), start: largest(White) };
    let mut table = Table::set(Terms::default().by_script(script));
    let mut games = 1;
    loop {
        play_largest(&mut table, 100);
        table.does((White, Act::Resign)).unwrap();
        if table.does(rematch(Black)) == Err(Refusal::TooLong) {
            break;
        }
        let (_, done) = asks(&mut table, White, Act::OfferRematch, Reply::Ruling(largest(White)));
        assert_eq!(done, Ok(()));
        games += 1;
        assert!(games < 20);
    }
    assert!(games > 5, "{games}");
}

#[test]
fn hints_need_no_consent() {
    assert!(table().room.hints());
}
