//! How a log is written. Logs outlive relays, so none of these lines may ever change.

use super::table::{Black, Table, White, id, player, speaker, uci};
use crate::room::{Ending, Entry, Fact, GameId, Origin, Reason, RelayId, Room, RoomId, Terms, Time};
use wire::link::ClockRule;

fn is_written(fact: Fact, written: &str) {
    let entry = Entry { at: Time(12), pen: u64::MAX, from: None, fact };
    let line = format!(r#"{{"at":12,"pen":18446744073709551615,"fact":{written}}}"#);
    assert_eq!(serde_json::to_string(&entry).unwrap(), line);
    assert_eq!(serde_json::from_str::<Entry>(&line).unwrap(), entry);
}

#[test]
fn every_fact_has_its_form() {
    let clock = Some(ClockRule { base_ms: 180_000, increment_ms: 2_000 });
    let start = Some("8/8/8/8/8/8/8/8 w - - 0 1".to_owned());
    let code = "ABC_1".parse().unwrap();
    let room = RoomId(255);
    is_written(
        Fact::Opened { room, code, terms: Terms { clock, countdown: 3_000, grace: 60_000, start }, on: 1_790_000_000 },
        concat!(
            r#"{"opened":{"room":"00000000000000ff","code":"ABC_1","terms":{"clock":{"base_ms":180000,"increment_ms":2000},"#,
            r#""countdown":3000,"grace":60000,"start":"8/8/8/8/8/8/8/8 w - - 0 1"},"on":1790000000}}"#
        ),
    );
    is_written(
        Fact::Sat { color: White, player: player("ann") },
        concat!(
            r#"{"sat":{"color":"white","player":{"id":"ann_________","name":"ann","token":"#,
            r#""95b7e808fee716030cb21806f28f7a183bd2c63f1b267bb208e3044625914c6e"}}}"#
        ),
    );
    let relay = RelayId(u64::MAX);
    is_written(Fact::Came { color: Black, relay }, r#"{"came":{"color":"black","relay":"ffffffffffffffff"}}"#);
    is_written(Fact::Went { color: White, relay }, r#"{"went":{"color":"white","relay":"ffffffffffffffff"}}"#);
    is_written(Fact::Left { color: White }, r#"{"left":{"color":"white"}}"#);
    is_written(Fact::Counting { until: Time(3_012) }, r#"{"counting":{"until":3012}}"#);
    is_written(Fact::Halted, r#""halted""#);
    let game = GameId(0x1234);
    is_written(Fact::Began { game, swapped: true }, r#"{"began":{"game":"0000000000001234","swapped":true}}"#);
    is_written(Fact::Moved { mv: uci("e7e8q"), took: 9 }, r#"{"moved":{"mv":"e7e8q","took":9}}"#);
    is_written(Fact::DrawOffered { color: Black }, r#"{"draw_offered":{"color":"black"}}"#);
    is_written(Fact::DrawDeclined, r#""draw_declined""#);
    is_written(Fact::TakebackAsked { color: White, plies: 2 }, r#"{"takeback_asked":{"color":"white","plies":2}}"#);
    is_written(Fact::TakebackDeclined, r#""takeback_declined""#);
    is_written(Fact::TakenBack { plies: 2, took: 5 }, r#"{"taken_back":{"plies":2,"took":5}}"#);
    is_written(Fact::RematchOffered { color: White }, r#"{"rematch_offered":{"color":"white"}}"#);
    is_written(Fact::RematchDeclined, r#""rematch_declined""#);
    is_written(Fact::Hints { color: White, on: false }, r#"{"hints":{"color":"white","on":false}}"#);
    is_written(Fact::Closed, r#""closed""#);
    is_written(
        Fact::Said { speaker: speaker("eve", None), text: "\"Hi\"\n♞".to_owned() },
        r#"{"said":{"speaker":{"id":"eve_________","name":"eve"},"text":"\"Hi\"\n♞"}}"#,
    );
    is_written(
        Fact::Said { speaker: speaker("ann", Some(White)), text: "Hi".to_owned() },
        r#"{"said":{"speaker":{"id":"ann_________","name":"ann","color":"white"},"text":"Hi"}}"#,
    );
}

#[test]
fn every_ending_has_its_form() {
    let reasons = [
        (Reason::Checkmate, "checkmate"),
        (Reason::Resignation, "resignation"),
        (Reason::Time, "time"),
        (Reason::Stalemate, "stalemate"),
        (Reason::InsufficientMaterial, "insufficient_material"),
        (Reason::FivefoldRepetition, "fivefold_repetition"),
        (Reason::SeventyFiveMoves, "seventy_five_moves"),
        (Reason::ThreefoldRepetition, "threefold_repetition"),
        (Reason::FiftyMoves, "fifty_moves"),
        (Reason::Agreement, "agreement"),
        (Reason::TimeAgainstBareKing, "time_against_bare_king"),
        (Reason::Disconnect, "disconnect"),
        (Reason::Aborted, "aborted"),
    ];
    for (reason, name) in reasons {
        is_written(Fact::Ended(Ending { reason, winner: None }), &format!(r#"{{"ended":{{"reason":"{name}"}}}}"#));
        is_written(
            Fact::Ended(Ending { reason, winner: Some(Black) }),
            &format!(r#"{{"ended":{{"reason":"{name}","winner":"black"}}}}"#),
        );
    }
}

#[test]
fn what_a_board_said_is_in_the_line() {
    let from = Some(Origin { color: Black, stream: 77, number: 3 });
    let entry = Entry { at: Time(1), pen: 2, from, fact: Fact::Halted };
    let line = r#"{"at":1,"pen":2,"from":{"color":"black","stream":77,"number":3},"fact":"halted"}"#;
    assert_eq!(serde_json::to_string(&entry).unwrap(), line);
    assert_eq!(serde_json::from_str::<Entry>(line).unwrap(), entry);
}

#[test]
fn what_is_left_out_has_a_default() {
    let line = r#"{"at":1,"pen":2,"fact":{"opened":{"room":"7","code":"A","terms":{"grace":5},"on":0}}}"#;
    let Fact::Opened { terms, .. } = serde_json::from_str::<Entry>(line).unwrap().fact else { panic!() };
    assert_eq!(terms, Terms { clock: None, countdown: 0, grace: 5, start: None });
    let began: Fact = serde_json::from_str(r#"{"began":{"game":"1"}}"#).unwrap();
    assert_eq!(began, Fact::Began { game: GameId(1), swapped: false });
    let taken_back: Fact = serde_json::from_str(r#"{"taken_back":{"plies":1}}"#).unwrap();
    assert_eq!(taken_back, Fact::TakenBack { plies: 1, took: 0 });
}

#[test]
fn a_field_that_was_added_later_does_no_harm_and_a_kind_that_was_is_not_read_past() {
    let fact: Fact = serde_json::from_str(r#"{"left":{"color":"white","why":"tired"}}"#).unwrap();
    assert_eq!(fact, Fact::Left { color: White });
    for later in [r#"{"adjudicated":{"color":"white"}}"#, r#""paused""#, r#"{"ended":{"reason":"armageddon"}}"#] {
        assert!(serde_json::from_str::<Fact>(later).is_err(), "{later}");
    }
}

#[test]
fn what_comes_in_is_checked_when_it_is_read_too() {
    for bad in [
        r#"{"moved":{"mv":"e2e9","took":0}}"#,
        r#"{"left":{"color":"green"}}"#,
        r#"{"came":{"color":"white","relay":"x"}}"#,
        r#"{"said":{"speaker":{"id":"short","name":"ann"},"text":""}}"#,
        r#"{"said":{"speaker":{"id":"ann_________","name":""},"text":""}}"#,
    ] {
        assert!(serde_json::from_str::<Fact>(bad).is_err(), "{bad}");
    }
}

#[test]
fn no_secret_is_in_a_log() {
    let table = Table::set(Terms::default());
    let log = serde_json::to_string(&table.log).unwrap();
    assert!(!log.contains("secret of ann"));
    assert!(!format!("{:?}", table.room).contains("secret of ann"));
    assert_eq!(table.room.seat_of(&id("ann")), Some(White));
}

#[test]
fn there_is_no_room_without_a_line_that_opens_it() {
    let table = Table::set(Terms::default());
    assert_eq!(Room::from_log(&[]), None);
    assert_eq!(Room::from_log(&table.log[1..]), None);
}
