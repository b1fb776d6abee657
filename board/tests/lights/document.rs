//! Compares the tables of `docs/lights.md` with the code.

use board::{Meaning, Rhythm};

const DOCUMENT: &str = include_str!("../../../docs/lights.md");

/// The rows of the table under this heading, without its header.
fn table(heading: &str) -> Vec<Vec<&'static str>> {
    let (_, rest) = DOCUMENT.split_once(heading).expect(heading);
    let rows = rest.lines().skip_while(|line| !line.starts_with('|')).take_while(|line| line.starts_with('|')).skip(2);
    rows.map(|row| row.trim_matches('|').split('|').map(str::trim).collect()).collect()
}

/// `LongShort` is written as "long short".
fn words(name: &str) -> String {
    let spaced = name.chars().flat_map(|letter| letter.is_uppercase().then_some(' ').into_iter().chain([letter]));
    spaced.collect::<String>().trim().to_lowercase()
}

#[test]
fn the_table_of_meanings_matches_the_code_in_order_of_urgency() {
    let rows = table("## Meanings");
    for (row, meaning) in rows.iter().zip(Meaning::ALL) {
        let colour = meaning.colour();
        let [r, g, b] = colour.rgb().channels();
        let expected = [
            format!("`{meaning:?}`"),
            words(&format!("{colour:?}")),
            format!("`#{r:02x}{g:02x}{b:02x}`"),
            words(&format!("{:?}", meaning.rhythm())),
        ];
        assert_eq!(row[..4], expected);
        assert!(!row[4].is_empty(), "{meaning:?} is explained");
    }
    assert_eq!(rows.len(), Meaning::ALL.len());
}

#[test]
fn the_table_of_rhythms_matches_the_code() {
    let rows = table("## Rhythms");
    for (row, rhythm) in rows.iter().zip(Rhythm::ALL) {
        let period = rhythm.period().map_or("never".into(), |period| format!("{period} ms"));
        assert_eq!(row[..2], [words(&format!("{rhythm:?}")), period]);
        assert!(!row[2].is_empty(), "{rhythm:?} is explained");
        assert!(Meaning::ALL.iter().any(|meaning| meaning.rhythm() == *rhythm), "{rhythm:?} is used");
    }
    assert_eq!(rows.len(), Rhythm::ALL.len());
}
