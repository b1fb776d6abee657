//! Compares the tables of `docs/lights.md` with the code.

use board::{Instant, LinkState, Meaning, Rgb, Rhythm, Settings, Surface};
use chess::{Bitboard, Square};

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

#[test]
fn the_table_of_the_connection_names_the_square_of_each_state() {
    let states = [LinkState::NoAddress, LinkState::NoRelay, LinkState::WrongKey];
    let rows = table("## The connection");
    assert_eq!(rows.len(), states.len());
    for (row, state) in rows.iter().zip(states) {
        let mut surface = Box::new(Surface::new(Settings::default(), START, Instant::at(0)));
        let quiet = lit(&mut surface);
        surface.set_link_state(state);
        let shown = lit(&mut surface);
        let expected = state.meaning().map(|meaning| (LinkState::SQUARE, meaning.rhythm())).expect("it is shown");
        assert_eq!(
            row[..3],
            [format!("`{state:?}`"), expected.0.to_string(), format!("`{:?}`", state.meaning().unwrap())]
        );
        assert_eq!(shown.without(quiet), Bitboard::of(LinkState::SQUARE), "{state:?}");
    }
}

const START: Bitboard = Bitboard(0xffff_0000_0000_ffff);

/// The squares that are lit at the start of their rhythms.
fn lit(surface: &mut Surface) -> Bitboard {
    let frame = surface.render(Instant::at(0)).frame;
    Square::all().zip(frame.colours()).filter(|(_, colour)| **colour != Rgb::DARK).map(|(square, _)| square).collect()
}
