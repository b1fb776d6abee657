//! The stored form of a log. Logs outlive relays, so none of these lines may ever change.

use super::table::{Black, Table, White, id, player, speaker, uci};
use crate::room::{Ability, Ending, Entry, EventOrigin, Fact, GameId, Player, RelayId, Room, RoomId, Terms, Time};
use rules::{Start, Verdict, Why};
use wire::link::ClockRule;

fn assert_stored_form(fact: Fact, written: &str) {
    let entry = Entry { at: Time(12), write_id: u64::MAX, from: None, fact };
    let line = format!(r#"{{"at":12,"write_id":18446744073709551615,"fact":{written}}}"#);
    assert_eq!(serde_json::to_string(&entry).unwrap(), line);
    assert_eq!(serde_json::from_str::<Entry>(&line).unwrap(), entry);
}

#[test]
fn every_fact_has_its_stored_form() {
    let clock = Some(ClockRule { base_ms: 180_000, increment_ms: 2_000 });
    let start = Some(Box::new(Start::Chess("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1".parse().unwrap())));
    let code = "ABC_1".parse().unwrap();
    let room = RoomId(255);
    assert_stored_form(
        Fact::Opened {
            room,
            code,
            terms: Terms {
                clock,
                countdown: 3_000,
                grace: 60_000,
                start,
                script: None,
                computer: None,
                board: None,
                by_invitation: false,
                longest_absence: 30 * 86_400_000,
            },
            on: 1_790_000_000,
        },
        concat!(
            r#"{"opened":{"room":"00000000000000ff","code":"ABC_1","terms":{"clock":{"base_ms":180000,"increment_ms":2000},"#,
            r#""countdown":3000,"grace":60000,"start":"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"},"on":1790000000}}"#
        ),
    );
    assert_stored_form(
        Fact::Sat { color: White, player: player("ann") },
        concat!(
            r#"{"sat":{"color":"white","player":{"id":"ann_________","name":"ann","token":"#,
            r#""95b7e808fee716030cb21806f28f7a183bd2c63f1b267bb208e3044625914c6e"}}}"#
        ),
    );
    for (ability, stored) in [
        (Ability::Documented, ""),
        (Ability::Returns, r#","can_return":true"#),
        (Ability::Claims, r#","can_claim":true"#),
    ] {
        let player = Player { ability, ..player("ann") };
        let text = serde_json::to_string(&player).unwrap();
        assert!(text.ends_with(&format!(r#"914c6e"{stored}}}"#)), "{text}");
        assert_eq!(serde_json::from_str::<Player>(&text).unwrap(), player);
    }
    let relay = RelayId(u64::MAX);
    assert_stored_form(
        Fact::Connected { color: Black, relay },
        r#"{"came":{"color":"black","relay":"ffffffffffffffff"}}"#,
    );
    assert_stored_form(
        Fact::Disconnected { color: White, relay },
        r#"{"went":{"color":"white","relay":"ffffffffffffffff"}}"#,
    );
    assert_stored_form(Fact::Left { color: White }, r#"{"left":{"color":"white"}}"#);
    assert_stored_form(Fact::CountdownStarted { until: Time(3_012) }, r#"{"counting":{"until":3012}}"#);
    assert_stored_form(Fact::CountdownStopped, r#""halted""#);
    let game = GameId(0x1234);
    assert_stored_form(
        Fact::Began { game, swapped: true, start: None },
        r#"{"began":{"game":"0000000000001234","swapped":true}}"#,
    );
    assert_stored_form(
        Fact::Moved { ply: uci("e7e8q"), took: 9, ruling: None },
        r#"{"moved":{"mv":"e7e8q","took":9}}"#,
    );
    assert_stored_form(Fact::DrawOffered { color: Black }, r#"{"draw_offered":{"color":"black"}}"#);
    assert_stored_form(Fact::DrawDeclined, r#""draw_declined""#);
    assert_stored_form(
        Fact::TakebackAsked { color: White, plies: 2 },
        r#"{"takeback_asked":{"color":"white","plies":2}}"#,
    );
    assert_stored_form(Fact::TakebackDeclined, r#""takeback_declined""#);
    assert_stored_form(Fact::TakenBack { plies: 2, took: 5 }, r#"{"taken_back":{"plies":2,"took":5}}"#);
    assert_stored_form(Fact::Corrected { took: 5 }, r#"{"corrected":{"took":5}}"#);
    assert_stored_form(Fact::RematchOffered { color: White }, r#"{"rematch_offered":{"color":"white"}}"#);
    assert_stored_form(Fact::RematchDeclined, r#""rematch_declined""#);
    assert_stored_form(Fact::Hints { color: White, on: false }, r#"{"hints":{"color":"white","on":false}}"#);
    assert_stored_form(Fact::Closed, r#""closed""#);
    assert_stored_form(
        Fact::Said { speaker: speaker("eve", None), text: "\"Hi\"\n♞".to_owned() },
        r#"{"said":{"speaker":{"id":"eve_________","name":"eve"},"text":"\"Hi\"\n♞"}}"#,
    );
    assert_stored_form(
        Fact::Said { speaker: speaker("ann", Some(White)), text: "Hi".to_owned() },
        r#"{"said":{"speaker":{"id":"ann_________","name":"ann","color":"white"},"text":"Hi"}}"#,
    );
}

#[test]
fn every_ending_has_its_stored_form() {
    let won = [
        (Why::Checkmate, "checkmate"),
        (Why::Resignation, "resignation"),
        (Why::Time, "time"),
        (Why::Abandonment, "disconnect"),
        (Why::Rules, "rules"),
    ];
    for (why, name) in won {
        assert_stored_form(
            Fact::Ended(Verdict::Won { winner: Black, why }.into()),
            &format!(r#"{{"ended":{{"reason":"{name}","winner":"black"}}}}"#),
        );
    }
    let drawn = [
        (Why::Stalemate, "stalemate"),
        (Why::InsufficientMaterial, "insufficient_material"),
        (Why::FivefoldRepetition, "fivefold_repetition"),
        (Why::SeventyFiveMoves, "seventy_five_moves"),
        (Why::ThreefoldRepetition, "threefold_repetition"),
        (Why::FiftyMoves, "fifty_moves"),
        (Why::Agreement, "agreement"),
        (Why::TimeAgainstBareKing, "time_against_bare_king"),
        (Why::Rules, "rules"),
    ];
    for (why, name) in drawn {
        assert_stored_form(Fact::Ended(Verdict::Drawn(why).into()), &format!(r#"{{"ended":{{"reason":"{name}"}}}}"#));
    }
    assert_stored_form(Fact::Ended(Verdict::Abandoned.into()), r#"{"ended":{"reason":"disconnect"}}"#);
    assert_stored_form(Fact::Ended(Verdict::Aborted.into()), r#"{"ended":{"reason":"aborted"}}"#);
    assert_stored_form(
        Fact::Ended(Ending { verdict: Verdict::Aborted, aborted_by: Some(White) }),
        r#"{"ended":{"reason":"aborted","aborted_by":"white"}}"#,
    );
}

#[test]
fn an_entry_names_the_board_event_that_led_to_it() {
    let from = Some(EventOrigin { color: Black, stream: 77, number: 3 });
    let entry = Entry { at: Time(1), write_id: 2, from, fact: Fact::CountdownStopped };
    let line = r#"{"at":1,"write_id":2,"from":{"color":"black","stream":77,"number":3},"fact":"halted"}"#;
    assert_eq!(serde_json::to_string(&entry).unwrap(), line);
    assert_eq!(serde_json::from_str::<Entry>(line).unwrap(), entry);
}

#[test]
fn missing_fields_have_defaults() {
    let line = r#"{"at":1,"write_id":2,"fact":{"opened":{"room":"7","code":"A","terms":{"grace":5},"on":0}}}"#;
    let Fact::Opened { terms, .. } = serde_json::from_str::<Entry>(line).unwrap().fact else { panic!() };
    assert_eq!(terms, Terms { grace: 5, ..Terms::default() });
    let began: Fact = serde_json::from_str(r#"{"began":{"game":"1"}}"#).unwrap();
    assert_eq!(began, Fact::Began { game: GameId(1), swapped: false, start: None });
    let taken_back: Fact = serde_json::from_str(r#"{"taken_back":{"plies":1}}"#).unwrap();
    assert_eq!(taken_back, Fact::TakenBack { plies: 1, took: 0 });
}

#[test]
fn unknown_fields_are_ignored_and_unknown_facts_are_errors() {
    let fact: Fact = serde_json::from_str(r#"{"left":{"color":"white","why":"tired"}}"#).unwrap();
    assert_eq!(fact, Fact::Left { color: White });
    for later in [r#"{"adjudicated":{"color":"white"}}"#, r#""paused""#, r#"{"ended":{"reason":"armageddon"}}"#] {
        assert!(serde_json::from_str::<Fact>(later).is_err(), "{later}");
    }
}

#[test]
fn stored_values_are_validated() {
    for bad in [
        r#"{"moved":{"mv":"e2e9","took":0}}"#,
        r#"{"ended":{"reason":"checkmate"}}"#,
        r#"{"ended":{"reason":"stalemate","winner":"white"}}"#,
        r#"{"ended":{"reason":"aborted","winner":"white"}}"#,
        r#"{"moved":{"mv":"a7a8=16","took":0}}"#,
        r#"{"left":{"color":"green"}}"#,
        r#"{"came":{"color":"white","relay":"x"}}"#,
        r#"{"said":{"speaker":{"id":"short","name":"ann"},"text":""}}"#,
        r#"{"said":{"speaker":{"id":"ann_________","name":""},"text":""}}"#,
    ] {
        assert!(serde_json::from_str::<Fact>(bad).is_err(), "{bad}");
    }
}

#[test]
fn a_log_has_no_tokens() {
    let table = Table::set(Terms::default());
    let log = serde_json::to_string(&table.log).unwrap();
    assert!(!log.contains("secret of ann"));
    assert!(!format!("{:?}", table.room).contains("secret of ann"));
    assert_eq!(table.room.seat_of(&id("ann")), Some(White));
}

#[test]
fn a_log_must_start_with_opened() {
    let table = Table::set(Terms::default());
    assert_eq!(Room::from_log(&[]), None);
    assert_eq!(Room::from_log(&table.log[1..]), None);
}

/// Before, such a room silently began from the start position of chess.
#[test]
fn an_invalid_start_position_is_an_error_that_names_the_problem() {
    for (start, problem) in [("no such thing", "no such thing"), ("8/8/8/8/8/8/8/8 w - - 0 1", "king")] {
        let terms = format!(r#"{{"grace":5,"start":"{start}"}}"#);
        let line = format!(r#"{{"opened":{{"room":"7","code":"A","terms":{terms},"on":0}}}}"#);
        let error = serde_json::from_str::<Fact>(&line).unwrap_err().to_string();
        assert!(error.contains("start position") && error.contains(problem), "{error}");
    }
}

#[test]
fn unknown_rules_are_an_error_that_names_them() {
    let line = r#"{"opened":{"room":"7","code":"A","terms":{"grace":5,"rules":"checkers"},"on":0}}"#;
    let error = serde_json::from_str::<Fact>(line).unwrap_err().to_string();
    assert!(error.contains("checkers") && error.contains("chess"), "{error}");
}
