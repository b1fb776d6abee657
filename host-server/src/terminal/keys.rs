//! What the player's fingers ask for.

use chess::{Piece, Square};
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEventKind};

use super::picture::Page;

/// Something that the player wants done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Intent {
    /// Move the cursor by a square.
    Go(Way),
    /// Lift what is under the cursor, or put down what is in the hand.
    Touch,
    /// Put what is under the cursor into the box, or what is in the hand if there is nothing.
    LayAside,
    /// Put what is in the hand into the box.
    LayDown,
    /// Ask which piece is to come out of the box.
    Ask,
    /// Take this one.
    Take(Piece),
    /// Take the piece that belongs under the cursor out of the box, and put it there.
    Fill,
    /// Forget the question, or the help.
    Cancel,
    /// Put what was lifted last back to where it is from.
    PutBack,
    /// Let another piece in the hand be the next to go down.
    Shuffle,
    /// Knock against the piece under the cursor.
    Knock,
    /// Push pieces from now on, or carry them.
    Push,
    /// Put all pieces where a game begins.
    SetUp,
    /// Begin as the program began.
    Reset,
    /// Show letters for the pieces, or symbols.
    Letters,
    /// Show what the reeds read, or not.
    Reeds,
    /// Show the keys, or the game.
    Help,
    /// End the program.
    Quit,
    /// The mouse takes hold of something here, or puts something down.
    Press(Square),
    /// The mouse has been moved here with its button held.
    Drag(Square),
    /// The mouse lets go here.
    Release(Square),
    /// The mouse puts what is here into the box.
    Discard(Square),
}

/// A way on the screen, whichever side sits near.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    Up,
    Down,
    Left,
    Right,
}

/// The keys and what they do, for whoever asks. The narrowest panel has twelve columns for the one and eighteen for the
/// other.
pub(super) const HELP: [(&str, &str); 20] = [
    ("arrows hjkl", "move the cursor"),
    ("space enter", "lift, put down"),
    ("x", "into the box"),
    ("d", "hand into the box"),
    ("p QRBNPK", "White's, from it"),
    ("p qrbnpk", "Black's, from it"),
    ("f", "what belongs here"),
    ("u", "back to its square"),
    ("tab", "next in the hand"),
    ("s", "push, or carry"),
    ("w", "wobble a piece"),
    ("n", "all to the start"),
    ("r", "begin again"),
    ("g", "letters, symbols"),
    ("b", "bits of the reeds"),
    ("?", "these keys"),
    ("q", "quit"),
    ("click", "lift, put down"),
    ("drag", "push"),
    ("right click", "into the box"),
];

/// What a key asks for on this page.
pub(super) fn of_key(key: KeyEvent, page: Page) -> Option<Intent> {
    if key.kind == KeyEventKind::Release {
        return None;
    }
    if key.modifiers.contains(KeyModifiers::CONTROL) {
        return (key.code == KeyCode::Char('c')).then_some(Intent::Quit);
    }
    let asking = page == Page::Asking;
    Some(match key.code {
        KeyCode::Esc => Intent::Cancel,
        // A letter is an answer now, and whatever is none withdraws the question.
        KeyCode::Char(letter) if asking => Piece::from_letter(letter).map_or(Intent::Cancel, Intent::Take),
        KeyCode::Up | KeyCode::Char('k') => Intent::Go(Way::Up),
        KeyCode::Down | KeyCode::Char('j') => Intent::Go(Way::Down),
        KeyCode::Left | KeyCode::Char('h') => Intent::Go(Way::Left),
        KeyCode::Right | KeyCode::Char('l') => Intent::Go(Way::Right),
        KeyCode::Enter | KeyCode::Char(' ') => Intent::Touch,
        KeyCode::Tab => Intent::Shuffle,
        KeyCode::Char('x') => Intent::LayAside,
        KeyCode::Char('d') => Intent::LayDown,
        KeyCode::Char('p') => Intent::Ask,
        KeyCode::Char('f') => Intent::Fill,
        KeyCode::Char('u') => Intent::PutBack,
        KeyCode::Char('w') => Intent::Knock,
        KeyCode::Char('s') => Intent::Push,
        KeyCode::Char('n') => Intent::SetUp,
        KeyCode::Char('r') => Intent::Reset,
        KeyCode::Char('g') => Intent::Letters,
        KeyCode::Char('b') => Intent::Reeds,
        KeyCode::Char('?') => Intent::Help,
        KeyCode::Char('q') => Intent::Quit,
        _ => return None,
    })
}

/// What the mouse asks for on this square.
pub(super) const fn of_mouse(kind: MouseEventKind, square: Square) -> Option<Intent> {
    Some(match kind {
        MouseEventKind::Down(MouseButton::Left) => Intent::Press(square),
        MouseEventKind::Drag(MouseButton::Left) => Intent::Drag(square),
        MouseEventKind::Up(MouseButton::Left) => Intent::Release(square),
        MouseEventKind::Down(MouseButton::Right) => Intent::Discard(square),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(c: char, page: Page) -> Option<Intent> {
        of_key(KeyEvent::from(KeyCode::Char(c)), page)
    }

    #[test]
    fn arrows_and_letters_move_the_cursor() {
        let ways = [Way::Left, Way::Down, Way::Up, Way::Right].map(|way| Some(Intent::Go(way)));
        assert_eq!(['h', 'j', 'k', 'l'].map(|c| typed(c, Page::Game)), ways);
        let arrows = [KeyCode::Left, KeyCode::Down, KeyCode::Up, KeyCode::Right];
        assert_eq!(arrows.map(|code| of_key(code.into(), Page::Game)), ways);
        assert_eq!(arrows.map(|code| of_key(code.into(), Page::Help)), ways);
    }

    #[test]
    fn a_letter_is_a_piece_while_one_is_asked_for() {
        assert_eq!(typed('q', Page::Game), Some(Intent::Quit));
        assert_eq!(typed('q', Page::Asking), Some(Intent::Take(Piece::BlackQueen)));
        assert_eq!(typed('N', Page::Asking), Some(Intent::Take(Piece::WhiteKnight)));
        assert_eq!(typed('x', Page::Asking), Some(Intent::Cancel));
        assert_eq!(typed('N', Page::Game), None);
    }

    #[test]
    fn the_help_fits_into_the_narrowest_panel() {
        assert!(HELP.iter().all(|(keys, does)| keys.len() < 12 && does.len() <= 18));
    }

    #[test]
    fn control_and_c_ends_the_program_whatever_is_asked() {
        let key = KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL);
        for page in [Page::Game, Page::Help, Page::Asking] {
            assert_eq!(of_key(key, page), Some(Intent::Quit));
        }
    }

    #[test]
    fn a_key_that_is_let_go_asks_for_nothing() {
        let mut key = KeyEvent::from(KeyCode::Char(' '));
        assert_eq!(of_key(key, Page::Game), Some(Intent::Touch));
        key.kind = KeyEventKind::Release;
        assert_eq!(of_key(key, Page::Game), None);
    }
}
