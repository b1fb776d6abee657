use super::table::{Table, chat, speaker};
use crate::room::{BadCode, BadName, Code, Fact, Name, Refusal, Terms};

fn chat_texts(table: &Table) -> Vec<&str> {
    table.room.chat().map(|line| line.text.as_str()).collect()
}

#[test]
fn the_last_thirty_chat_messages_are_kept() {
    let mut table = Table::open(Terms::default());
    for number in 0..40 {
        table.says(&format!("line {number}")).unwrap();
    }
    assert_eq!((chat_texts(&table).len(), chat_texts(&table)[0]), (30, "line 10"));
    assert_eq!(table.room.chat().next().unwrap().speaker, speaker("ann", None));
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
fn invisible_and_bidi_characters_are_removed_from_chat() {
    let mut table = Table::open(Terms::default());
    for hostile in ["\u{0}\u{7}", "\u{200b}\u{feff}", "\u{202e}", "\u{e0041}\u{e0042}", "\u{3164}", "\u{1b}\u{9d}"] {
        assert_eq!(table.says(hostile), Err(Refusal::BadText), "{hostile:?}");
    }
    table.says(" \u{202e}gnp.\u{1b}[31mexe\u{2066} \r\n second ").unwrap();
    table.says("نمی‌دانم 👩‍🚀 <b>&amp;").unwrap();
    assert_eq!(chat_texts(&table), ["gnp.[31mexe \n second", "نمی‌دانم 👩‍🚀 <b>&amp;"]);
}

#[test]
fn chat_is_limited_and_spectators_cannot_use_up_the_players_share() {
    let mut table = Table::set(Terms::default());
    while table.does(chat("eve", "spam")).is_ok() {}
    assert_eq!(table.does(chat("eve", "spam")), Err(Refusal::ChatFull));
    let spam = table.log.len();
    while table.does(chat("ann", "spam")).is_ok() {}
    assert!(table.log.len() >= spam + 500);
    assert!(table.log.len() < 2_100);
}

#[test]
fn chat_is_limited_in_bytes() {
    let mut table = Table::set(Terms::default());
    let bytes = |table: &Table| -> usize {
        let said = |entry: &crate::room::Entry| match &entry.fact {
            Fact::Said { text, .. } => text.len(),
            _ => 0,
        };
        table.log.iter().map(said).sum()
    };
    // Four bytes each.
    let text = "🐎".repeat(500);
    while table.does(chat("eve", &text)).is_ok() {}
    assert!((40_000..=48 << 10).contains(&bytes(&table)), "{}", bytes(&table));
    while table.does(chat("ann", &text)).is_ok() {}
    assert!((60_000..=64 << 10).contains(&bytes(&table)), "{}", bytes(&table));
    assert_eq!(table.does(chat("ann", &text)), Err(Refusal::ChatFull));
}

#[test]
fn rejects_empty_invisible_and_long_names() {
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
fn a_code_has_only_letters_digits_and_underscores() {
    assert!("abc_123".parse::<Code>().is_ok() && "K".repeat(32).parse::<Code>().is_ok());
    for bad in ["", "a-b", "a b", "../x", "ä", "a/b", "a\0", &"K".repeat(33)] {
        assert_eq!(bad.parse::<Code>(), Err(BadCode), "{bad:?}");
    }
}
