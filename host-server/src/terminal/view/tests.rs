use board::{LightSettings, Meaning, Scene};
use chess::{Bitboard, Color, Position, Square};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::Buffer;

use super::*;
use crate::terminal::desk::Desk;
use crate::terminal::keys::Intent;
use crate::terminal::picture::{Clocks, Page};
use crate::terminal::start::Start;

fn picture() -> Picture {
    Desk::new(Start { position: Position::start(), clock: None, empty: false, turned: false }).picture()
}

fn painted(picture: &Picture, width: u16, height: u16) -> Buffer {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
    terminal.draw(|frame| paint(frame, picture, Palette::True)).unwrap();
    terminal.backend().buffer().clone()
}

/// What a reader sees, line by line.
fn text(buffer: &Buffer) -> String {
    let lines = buffer.content().chunks(usize::from(buffer.area.width));
    let line = |cells: &[ratatui::buffer::Cell]| cells.iter().map(ratatui::buffer::Cell::symbol).collect::<String>();
    lines.map(line).collect::<Vec<_>>().join("\n")
}

/// The colour in the last corner of a square, where nothing stands.
fn colour(buffer: &Buffer, picture: &Picture, square: Square) -> ratatui::style::Color {
    let place = Plan::of(buffer.area, picture.turned).unwrap().place(square);
    buffer[(place.right() - 1, place.bottom() - 1)].bg
}

#[test]
fn the_pieces_stand_where_they_stand_and_the_cursor_is_around_one() {
    let mut picture = picture();
    let shown = text(&painted(&picture, 80, 24));
    assert!(shown.contains("8   ♜    ♞    ♝    ♛    ♚    ♝    ♞    ♜ "), "{shown}");
    assert!(shown.contains("2   ♙    ♙    ♙    ♙  ┌ ♙ ┐  ♙    ♙    ♙ "), "{shown}");
    assert!(shown.contains("    a    b    c    d    e    f    g    h  "), "{shown}");
    picture.letters = true;
    picture.turned = true;
    picture.pushing = true;
    let shown = text(&painted(&picture, 80, 24));
    assert!(shown.starts_with("1   R    N    B    K    Q    B    N    R "), "{shown}");
    assert!(shown.contains("2   P    P    P  ╔ P ╗  P    P    P    P "), "{shown}");
    assert!(shown.contains("    h    g    f    e    d    c    b    a  "), "{shown}");
}

#[test]
fn a_light_is_seen_on_its_square_and_on_no_other() {
    let mut picture = picture();
    let bright = LightSettings { brightness: 255, budget_milliamps: u16::MAX, ..LightSettings::default() };
    picture.light = Scene::EMPTY.with(Meaning::Illegal, Square::E5).with(Meaning::Target, Square::D4).frame(0, bright);
    for (width, height) in [(80, 24), (110, 36)] {
        for turned in [false, true] {
            picture.turned = turned;
            let buffer = painted(&picture, width, height);
            assert_eq!(colour(&buffer, &picture, Square::E5), ratatui::style::Color::Rgb(255, 0, 0));
            assert_ne!(colour(&buffer, &picture, Square::D4), colour(&buffer, &picture, Square::F4));
            assert_eq!(colour(&buffer, &picture, Square::E4), colour(&buffer, &picture, Square::G4));
        }
    }
}

#[test]
fn the_panel_says_what_there_is_to_say() {
    let mut picture = picture();
    picture.sentence = "Touch a lit square to say what the pawn becomes: a8 queen, a7 knight.".to_owned();
    picture.headline = "White to move".to_owned();
    let clock = |text: &str| text.to_owned();
    picture.clocks = Some(Clocks { white: clock("4:59"), black: clock("0:19.3"), running: Some(Color::White) });
    picture.score = (1..=40).map(|number| format!("{number}. Nf3     Nc6")).collect();
    picture.hand = vec![chess::Piece::WhitePawn];
    picture.aside = vec![chess::Piece::BlackQueen];
    picture.weak = Bitboard::of(Square::C3);
    picture.reeds = Some(Bitboard::of(Square::A8));
    let shown = text(&painted(&picture, 80, 24));
    for words in [
        "White to move",
        "White 4:59   Black 0:19.3",
        "Touch a lit square to say what the",
        "40. Nf3     Nc6",
        "Weak magnets: c3",
        "1 0 0 0 0 0 0 0",
        "Hand: ♙",
        "Box: ♛",
        "? keys",
    ] {
        assert!(shown.contains(words), "{words} is not on\n{shown}");
    }
    assert!(!shown.contains("20. Nf3"), "of more moves than there is room for, the last are seen\n{shown}");
    picture.page = Page::Asking;
    assert!(text(&painted(&picture, 80, 24)).contains("Which? QRBNPK"));
    picture.page = Page::Help;
    let shown = text(&painted(&picture, Plan::LEAST.0, Plan::LEAST.1));
    assert!(shown.contains("move the cursor") && shown.contains("right click into the box"), "{shown}");
}

#[test]
fn a_screen_that_is_too_small_is_told_so_and_none_makes_it_panic() {
    let mut picture = picture();
    let shown = text(&painted(&picture, 50, 10));
    assert!(shown.starts_with("The board needs 74 columns and 20 lines, and the"), "{shown}");
    picture.reeds = Some(Bitboard::ALL);
    picture.weak = Bitboard::ALL;
    picture.note = Some("word ".repeat(100));
    picture.sentence = "word ".repeat(200);
    for (width, height) in [(1, 1), (74, 20), (74, 200), (300, 20), (300, 100), (1, 300), (300, 1)] {
        painted(&picture, width, height);
    }
}

#[test]
fn what_is_in_the_hand_is_seen_at_the_cursor() {
    let mut desk = Desk::new(Start { position: Position::start(), clock: None, empty: false, turned: false });
    desk.want(Intent::Touch);
    desk.live(board::Instant::at(400));
    let picture = desk.picture();
    let shown = text(&painted(&picture, 80, 24));
    assert!(shown.contains("2   ♙    ♙    ♙    ♙  ┌   ┐  ♙    ♙    ♙ "), "{shown}");
    assert!(shown.contains("└ ♙ ┘"), "{shown}");
    assert!(shown.contains("Lifted White's pawn on e2: it may go"), "{shown}");
    let buffer = painted(&picture, 80, 24);
    assert_ne!(colour(&buffer, &picture, Square::E4), colour(&buffer, &picture, Square::G4), "e4 is lit");
}
