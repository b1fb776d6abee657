//! Console lines of the owner: each is executed at most once, and its answer arrives whole or not at all.

use chess::Color;
use proptest::prelude::*;

use super::fixture::Fixture;
use super::properties::{Step, any_step, take};

/// A step of players and connections, or none if the owner sends a line.
fn any_console_step() -> impl Strategy<Value = Option<Step>> {
    prop_oneof![3 => Just(None), 50 => any_step().prop_map(Some)]
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
        steps in prop::collection::vec(any_console_step(), 1..400),
        seed in any::<u64>(),
    ) {
        let mut fixture = Fixture::new(Color::White, seed);
        fixture.settle();
        let (mut sent, mut answered) = (0, 0);
        for step in steps {
            if let Some(step) = step {
                take(&mut fixture, step);
            } else {
                fixture.relay_session.send_line("stats".to_owned());
                sent += 1;
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

/// The board refuses console lines of the relay that change its key, relay or address, so a hostile relay cannot take it over.
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
