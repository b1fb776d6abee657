use chess::{Bitboard, Color, Position};
use ratatui::crossterm::event::{KeyCode, KeyEvent};
use wire::link::ClockRule;

use super::*;
use crate::terminal::keys;

fn start() -> Start {
    Start { position: Position::start(), clock: None, empty: false, turned: false }
}

fn desk() -> Desk {
    Desk::new(start())
}

impl Desk {
    /// Types all of it as fast as nobody can, and waits until it is done and the board has rested.
    fn type_in(&mut self, keys: &str) {
        for key in keys.split_whitespace() {
            let code = match key {
                "up" => KeyCode::Up,
                "down" => KeyCode::Down,
                "left" => KeyCode::Left,
                "right" => KeyCode::Right,
                "space" => KeyCode::Char(' '),
                "tab" => KeyCode::Tab,
                _ => KeyCode::Char(key.parse().unwrap()),
            };
            let intent = keys::of_key(KeyEvent::from(code), self.page()).expect(key);
            self.want(intent);
        }
        while !self.wanted.is_empty() {
            self.wait(1);
        }
        self.wait(500);
    }

    fn wait(&mut self, milliseconds: u64) {
        self.live(self.now.after(milliseconds));
    }

    /// Moves the cursor there, whatever way round the board lies.
    fn touch(&mut self, square: Square) {
        self.cursor = square;
        self.type_in("space");
    }

    fn score(&mut self) -> String {
        self.picture().score.join(" ").split_whitespace().collect::<Vec<_>>().join(" ")
    }
}

#[test]
fn a_game_is_begun_with_keys() {
    let mut desk = desk();
    desk.type_in("space");
    assert_eq!(desk.picture().sentence, "Lifted White's pawn on e2: it may go to e3 or e4.");
    desk.type_in("up up space");
    assert_eq!(desk.score(), "1. e4");
    desk.type_in("k k k space down j space");
    assert_eq!(desk.score(), "1. e4 e5");
    assert_eq!(desk.picture().headline, "White to move");
}

#[test]
fn a_piece_is_taken_by_putting_the_other_into_the_box_first() {
    let mut desk = desk();
    for (from, to) in [(Square::E2, Square::E4), (Square::D7, Square::D5)] {
        desk.touch(from);
        desk.touch(to);
    }
    desk.touch(Square::E4);
    desk.cursor = Square::D5;
    desk.type_in("x space");
    assert_eq!(desk.score(), "1. e4 d5 2. exd5");
    assert_eq!(desk.picture().aside, [Piece::BlackPawn]);
    assert_eq!(desk.picture().standing[usize::from(Square::D5.index())], Some(Piece::WhitePawn));
}

#[test]
fn a_pushed_piece_is_read_where_it_comes_to_rest() {
    let mut desk = desk();
    desk.type_in("s space up up");
    assert_eq!(desk.picture().sentence, "All is in order.", "the pawn has rested on e4");
    assert_eq!(desk.score(), "1. e4");
    assert_eq!((desk.picture().hand, desk.picture().in_the_air), (vec![Piece::WhitePawn], None));
    desk.type_in("space");
    assert_eq!(desk.picture().hand, []);
    assert_eq!(desk.score(), "1. e4");
}

#[test]
fn a_promotion_is_chosen_by_touch_and_the_wood_is_put_right_afterwards() {
    let position = "4k3/P7/8/8/8/8/8/4K3 w - - 0 1".parse().unwrap();
    let mut desk = Desk::new(Start { position, ..start() });
    desk.touch(Square::A7);
    desk.touch(Square::A8);
    assert!(desk.picture().sentence.starts_with("Touch a lit square"));
    desk.type_in("space space");
    assert_eq!(desk.score(), "1. a8=Q+");
    let mistaken = "On a8 stands a white pawn, and the game has a white queen there.";
    assert_eq!(desk.picture().note.as_deref(), Some(mistaken));
    desk.type_in("x p Q space");
    assert_eq!(desk.picture().note, None);
    assert_eq!(desk.score(), "1. a8=Q+");
}

#[test]
fn an_empty_board_is_filled_square_by_square() {
    let mut desk = Desk::new(Start { empty: true, ..start() });
    desk.wait(500);
    assert!(desk.picture().sentence.starts_with("32 pieces are missing"));
    assert_eq!(desk.picture().aside.len(), 32);
    for square in Position::start().occupied() {
        desk.cursor = square;
        desk.type_in("f f");
    }
    assert_eq!(desk.picture().sentence, "All is in order.");
    assert_eq!((desk.picture().aside, desk.picture().note), (vec![], None));
}

#[test]
fn knocks_make_a_square_weak() {
    let mut desk = desk();
    // A piece that wobbles in a hand is no weak magnet: it has to stand for a while in between.
    for _ in 0..4 {
        desk.type_in("w");
        desk.wait(1500);
    }
    assert_eq!(desk.picture().weak, Square::E2.into());
    assert_eq!((desk.score().as_str(), desk.picture().sentence.as_str()), ("", "All is in order."));
}

#[test]
fn all_pieces_at_the_start_begin_a_new_game_and_a_reset_begins_the_same() {
    let position: Position = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1".parse().unwrap();
    let mut desk = Desk::new(Start { position, ..start() });
    desk.type_in("space up up space");
    assert_eq!(desk.score(), "1. e4");
    desk.type_in("n");
    assert_eq!(desk.picture().sentence, "A new game begins, if the pieces rest as they are.");
    desk.wait(3500);
    assert_eq!(*desk.brain.game().start(), Position::start());
    desk.type_in("r");
    assert_eq!(*desk.brain.game().start(), position);
    assert_eq!(desk.wood.occupied(), position.occupied());
    assert_eq!(desk.picture().sentence, "All is in order.");
}

#[test]
fn a_board_that_is_turned_plays_the_same_game() {
    let mut desk = Desk::new(Start { turned: true, ..start() });
    desk.type_in("b up up up up up space");
    assert_eq!(desk.picture().sentence, "Lifted White's pawn on e2: it may go to e3 or e4.");
    let picture = desk.picture();
    assert_ne!(picture.light.at(Square::E4), board::Rgb::DARK);
    assert_eq!(picture.light.at(Square::D5), board::Rgb::DARK);
    assert!(!picture.reeds.unwrap().has(Square::D7), "the reed under e2");
    desk.type_in("down down space");
    assert_eq!(desk.score(), "1. e4");
    desk.type_in("left");
    assert_eq!(desk.picture().cursor, Square::F4);
}

#[test]
fn the_mouse_lifts_puts_pushes_and_takes() {
    let mut desk = desk();
    let mut clicks = |intents: &[Intent]| {
        for &intent in intents {
            desk.want(intent);
        }
        desk.wait(1000);
        desk.score()
    };
    let click = |square| [Intent::Press(square), Intent::Release(square)];
    clicks(&click(Square::E2));
    assert_eq!(clicks(&click(Square::E4)), "1. e4");
    let pushed = [Intent::Press(Square::D7), Intent::Drag(Square::D6), Intent::Drag(Square::D5)];
    clicks(&pushed);
    assert_eq!(clicks(&[Intent::Release(Square::D5)]), "1. e4 d5");
    let taken = [Intent::Discard(Square::D5), Intent::Press(Square::E4), Intent::Drag(Square::D5)];
    clicks(&taken);
    assert_eq!(clicks(&[Intent::Release(Square::D5)]), "1. e4 d5 2. exd5");
}

#[test]
fn a_clock_runs_out_while_nobody_looks() {
    let clock = Some(ClockRule { base_ms: 60_000, increment_ms: 0 });
    let mut desk = Desk::new(Start { clock, ..start() });
    assert_eq!(desk.next_look(), Some(desk.now.after(SOON)), "it has only just begun");
    desk.type_in("space up up space");
    let clocks = desk.picture().clocks.unwrap();
    assert_eq!((clocks.white.as_str(), clocks.black.as_str(), clocks.running), ("1:00", "1:00", Some(Color::Black)));
    // The machine is put to sleep for two minutes.
    desk.wait(120_000);
    assert_eq!(desk.picture().headline, "1-0: White wins by time");
}

#[test]
fn a_board_that_nobody_touches_costs_nothing() {
    let mut desk = desk();
    desk.type_in("space up up space");
    desk.wait(3000);
    assert_eq!(desk.next_look(), None, "the last move glows, and does not move");
    let picture = desk.picture();
    desk.wait(60_000);
    assert_eq!(desk.picture(), picture);
    desk.type_in("up up up space");
    assert!(desk.next_look().is_some());
}

#[test]
fn keys_wait_for_hands_and_hands_for_nobody() {
    let mut desk = desk();
    for _ in 0..3 {
        desk.want(Intent::Touch);
    }
    desk.wait(1);
    assert_eq!(desk.wood.occupied(), Position::start().occupied().without(Bitboard::of(Square::E2)));
    desk.wait(199);
    assert!(!desk.wood.occupied().has(Square::E2));
    desk.wait(1);
    assert!(desk.wood.occupied().has(Square::E2));
    desk.wait(200);
    assert!(!desk.wood.occupied().has(Square::E2));
}

#[test]
fn a_monkey_at_the_keys_breaks_nothing() {
    let mut desk = Desk::new(Start { clock: Some(ClockRule { base_ms: 600_000, increment_ms: 0 }), ..start() });
    let keys = "hjkl    hjkl    xdufwspQq?bg\t";
    // Any numbers will do, as long as they are the same tomorrow.
    let mut seed = 1_u32;
    let mut next = move |below: usize| {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (seed >> 8) as usize % below
    };
    for _ in 0..1000 {
        let key = keys.chars().nth(next(keys.len())).unwrap();
        let code = if key == '\t' { KeyCode::Tab } else { KeyCode::Char(key) };
        if let Some(intent) = keys::of_key(KeyEvent::from(code), desk.page()).filter(|intent| *intent != Intent::Quit) {
            desk.want(intent);
        }
        desk.wait(next(300) as u64);
        let picture = desk.picture();
        assert!(!picture.sentence.is_empty() && !picture.headline.is_empty());
        let all = picture.standing.iter().flatten().count() + picture.hand.len() + picture.aside.len();
        assert!(all >= 32, "a piece has vanished");
    }
}
