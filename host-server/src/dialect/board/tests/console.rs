//! Console lines of the owner: each is executed at most once, and its answer arrives whole or not at all.

use chess::Color;
use proptest::prelude::*;

use super::fixture::Fixture;

#[derive(Clone, Copy, Debug)]
enum Step {
    OwnerSends,
    BoardPlays(u16),
    OtherPlays(u16),
    Store,
    BoardSends,
    RelaySends,
    ToRelay,
    ToBoard,
    Connect,
    Cut,
    BoardCrashes,
}

fn any_step() -> impl Strategy<Value = Step> {
    prop_oneof![
        3 => Just(Step::OwnerSends),
        1 => any::<u16>().prop_map(Step::BoardPlays),
        1 => any::<u16>().prop_map(Step::OtherPlays),
        2 => Just(Step::Store),
        10 => Just(Step::BoardSends),
        10 => Just(Step::RelaySends),
        12 => Just(Step::ToRelay),
        12 => Just(Step::ToBoard),
        4 => Just(Step::Connect),
        1 => Just(Step::Cut),
        1 => Just(Step::BoardCrashes),
    ]
}

/// The number of the line that this answer belongs to. The answer must be whole, and of one line only.
fn line_of(answer: &str) -> u32 {
    let number = answer.strip_prefix("line ").and_then(|rest| rest.split_whitespace().next()).expect(answer);
    let number: u32 = number.parse().expect(answer);
    assert!(answer.ends_with(&format!("end {number}")), "{answer}");
    assert_eq!(answer.matches("line ").count(), 1, "{answer}");
    assert_eq!(answer.matches('é').count(), usize::try_from(number * 53 % 350).unwrap(), "{answer}");
    number
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn a_line_is_executed_at_most_once_and_its_answer_is_whole(
        steps in prop::collection::vec(any_step(), 1..400),
        seed in any::<u64>(),
    ) {
        let mut fixture = Fixture::new(Color::White, seed);
        fixture.settle();
        let (mut sent, mut answered) = (0, 0);
        for step in steps {
            match step {
                Step::OwnerSends => {
                    fixture.relay_session.send_line("stats".to_owned());
                    sent += 1;
                }
                Step::BoardPlays(choice) => fixture.board.play_any(choice),
                Step::OtherPlays(choice) => fixture.other_plays_any(choice),
                Step::Store => {
                    fixture.board.store();
                    fixture.store();
                }
                Step::BoardSends => drop(fixture.send_board()),
                Step::RelaySends => drop(fixture.send_relay()),
                Step::ToRelay => drop(fixture.deliver_to_relay()),
                Step::ToBoard => drop(fixture.deliver_to_board()),
                Step::Connect => fixture.connect(),
                Step::Cut => fixture.cut(),
                Step::BoardCrashes => fixture.crash_board(),
            }
            if let Some(answer) = fixture.relay_session.console_answer() {
                let line = line_of(&answer);
                prop_assert!(line > answered, "the answer to line {line} comes again");
                answered = line;
            }
            prop_assert!(fixture.board.lines <= sent);
        }
        // Over a connection that lasts, the next line is answered.
        fixture.settle();
        let _ = fixture.relay_session.console_answer();
        let before = fixture.board.lines;
        fixture.relay_session.send_line("stats".to_owned());
        fixture.settle();
        let answer = fixture.relay_session.console_answer().expect("an answer");
        prop_assert_eq!((line_of(&answer), fixture.board.lines), (before + 1, before + 1));
        prop_assert!(!fixture.relay_session.awaits_console());
        fixture.assert_agreement();
    }
}

/// What would take the board away from its owner is refused by the board itself, whoever asks over the link.
#[test]
fn the_board_refuses_a_new_key_or_relay_over_the_link() {
    let mut fixture = Fixture::new(Color::White, 5);
    fixture.settle();
    let key = format!("set key {}", "00".repeat(32));
    for line in ["set relay ws://elsewhere:1", "set relay none", &key, "set key none", "set ip dhcp", "reboot", "help"]
    {
        fixture.relay_session.send_line(line.to_owned());
        fixture.settle();
        let answer = fixture.relay_session.console_answer().expect("an answer");
        assert!(answer.starts_with("refused: "), "{line}: {answer}");
    }
    fixture.relay_session.send_line("set brightness 300".to_owned());
    fixture.settle();
    let answer = fixture.relay_session.console_answer().expect("an answer");
    assert_eq!(answer, "brightness is a number from 0 to 255\r\n");
    fixture.relay_session.send_line("set brightness 30".to_owned());
    fixture.settle();
    assert_eq!(fixture.relay_session.console_answer().as_deref(), Some("done\r\n"));
    fixture.relay_session.send_line("show".to_owned());
    fixture.settle();
    let answer = fixture.relay_session.console_answer().expect("an answer");
    assert!(answer.contains("brightness 30\r\n") && answer.contains("relay ws://relay\r\n"), "{answer}");
    assert!(fixture.errors.is_empty() && fixture.board.is_online());
}
