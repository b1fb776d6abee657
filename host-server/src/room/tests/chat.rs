use super::table::{Table, White, speaker};
use crate::room::{BadCode, BadName, Code, Command, Name, Refusal, Terms};

fn heard(table: &Table) -> Vec<&str> {
    table.room.chat().map(|line| line.text.as_str()).collect()
}

#[test]
fn what_is_said_is_there_for_whoever_comes_late() {
    let mut table = Table::open(Terms::default());
    for number in 0..40 {
        table.says(&format!("line {number}")).unwrap();
    }
    assert_eq!((heard(&table).len(), heard(&table)[0]), (30, "line 10"));
    assert_eq!(table.room.chat().next().unwrap().speaker, speaker("ann", Some(White)));
}

#[test]
fn a_message_has_one_to_five_hundred_characters() {
    let mut table = Table::open(Terms::default());
    assert_eq!(table.says(""), Err(Refusal::BadText));
    assert_eq!(table.says(" \n\t "), Err(Refusal::BadText));
    table.says(&"♞".repeat(500)).unwrap();
    assert_eq!(table.says(&"♞".repeat(501)), Err(Refusal::BadText));
}

#[test]
fn what_nobody_sees_or_what_turns_the_text_is_not_said() {
    let mut table = Table::open(Terms::default());
    for hostile in ["\u{0}\u{7}", "\u{200b}\u{feff}", "\u{202e}", "\u{e0041}\u{e0042}", "\u{3164}", "\u{1b}\u{9d}"] {
        assert_eq!(table.says(hostile), Err(Refusal::BadText), "{hostile:?}");
    }
    table.says(" \u{202e}gnp.\u{1b}[31mexe\u{2066} \r\n second ").unwrap();
    table.says("نمی‌دانم 👩‍🚀 <b>&amp;").unwrap();
    assert_eq!(heard(&table), ["gnp.[31mexe \n second", "نمی‌دانم 👩‍🚀 <b>&amp;"]);
}

#[test]
fn nobody_who_watches_can_silence_the_players_and_nobody_talks_for_ever() {
    let mut table = Table::open(Terms::default());
    let say = |name, color| Command::Say { speaker: speaker(name, color), text: "spam".to_owned() };
    while table.does(say("eve", None)).is_ok() {}
    assert_eq!(table.does(say("eve", None)), Err(Refusal::TooMuchSaid));
    let spam = table.log.len();
    while table.does(say("ann", Some(White))).is_ok() {}
    assert!(table.log.len() >= spam + 500);
    assert!(table.log.len() < 2_100);
}

#[test]
fn a_name_is_something_that_can_be_read() {
    let long = "n".repeat(32);
    for good in ["Ann", "Jürgen", "大山", "a b", "🐎", &long] {
        assert_eq!(good.parse::<Name>().map(|name| name.to_string()).as_deref(), Ok(good));
    }
    let long = "n".repeat(33);
    let bad =
        ["", "  ", "\u{a0}", "An\u{200d}n", "\u{202e}nnA", "A\nB", "\u{ad}", "\u{3164}", "\u{2800}", "\u{61c}", &long];
    for bad in bad {
        assert_eq!(bad.parse::<Name>(), Err(BadName), "{bad:?}");
    }
}

#[test]
fn a_code_is_what_a_path_can_hold() {
    assert!("abc_123".parse::<Code>().is_ok() && "K".repeat(32).parse::<Code>().is_ok());
    for bad in ["", "a-b", "a b", "../x", "ä", "a/b", "a\0", &"K".repeat(33)] {
        assert_eq!(bad.parse::<Code>(), Err(BadCode), "{bad:?}");
    }
}
