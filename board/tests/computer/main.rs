//! A board with the engine beside it, through `Runner::poll` as in the firmware.

mod table;

use board::{Computer, Meaning, Question, ThinkCommand};
use chess::{Color, Move, Position, Square};
use engine::{Level, Time};
use rules::Verdict;
use wire::link::ClockRule;

use table::{Table, random_move};

fn level(number: u8) -> Level {
    Level::new(number).expect("a level")
}

fn computer(color: Color, number: u8) -> Computer {
    Computer { is_on: true, color, level: level(number), seed: 2026 }
}

/// The time that a question gives to its side, in milliseconds.
fn time_on_clock(question: &Question) -> Option<u32> {
    match question.limits.time {
        Some(Time::Clock { remaining_ms, .. }) => Some(remaining_ms),
        _ => None,
    }
}

/// What both sides have left, White first.
fn times(table: &Table) -> Option<[u64; 2]> {
    table.clock().map(|clock| [Color::White, Color::Black].map(|color| clock.left(color, table.now())))
}

/// Plays against the computer with random legal moves until the end, or for this many plies. The board loses its power before every
/// third reply, with the computer's clock running if there is one.
fn play_random_game(color: Color, number: u8, plies: usize, cuts: bool, clock: Option<ClockRule>) -> String {
    let mut table = Table::with_clock(Position::start().occupied(), clock);
    table.set_computer(computer(color, number));
    let mut random = 1;
    let mut questions = 0;
    while table.play().verdict().is_none() && table.play().len() < plies {
        if table.play().to_move() != color {
            let mv = random_move(&table.position(), &mut random);
            table.make(mv);
            continue;
        }
        questions += 1;
        table.wait(5);
        assert!(table.is_asked(), "after {}", table.moves());
        if cuts && questions % 3 == 0 {
            let asked = table.question().expect("it was asked").clone();
            let before = times(&table);
            table.cut_power();
            let after = times(&table);
            table.wait(5);
            let again = table.question().expect("it is asked again").clone();
            assert_eq!((&again.moves, again.seed, again.level), (&asked.moves, asked.seed, asked.level));
            if let (Some(before), Some(after)) = (before, after) {
                // Times are stored with each ply: the player keeps all of it, and the search has what the computer had at the player's ply.
                assert_eq!(after[!color as usize], before[!color as usize], "{}", table.moves());
                let left = after[color as usize];
                assert!(left > before[color as usize], "{left}: {}", table.moves());
                // The question is asked with the first scan after the start, a millisecond later.
                for question in [&asked, &again] {
                    let time = time_on_clock(question).map_or(0, u64::from);
                    assert!((left - 1..=left).contains(&time), "{time} of {left}: {}", table.moves());
                }
            }
            assert_eq!(time_on_clock(&again).is_some(), clock.is_some());
        }
        let before = table.play().len();
        table.think();
        table.wait(1_100);
        if table.play().len() > before {
            table.make_reply();
        }
    }
    table.moves()
}

#[test]
fn a_power_cut_while_thinking_changes_neither_the_game_nor_the_clocks() {
    for (color, number) in [(Color::Black, 1), (Color::White, 4)] {
        for clock in [None, Some(ClockRule { base_ms: 300_000, increment_ms: 3_000 })] {
            let plain = play_random_game(color, number, 60, false, clock);
            assert_eq!(plain, play_random_game(color, number, 60, true, clock));
            assert!(plain.split(' ').count() > 4, "{plain}");
        }
    }
}

#[test]
fn the_computer_mates_a_player_of_random_moves() {
    let mut table = Table::new(Position::start().occupied());
    table.set_computer(computer(Color::Black, 6));
    let mut random = 3;
    while table.play().verdict().is_none() {
        let mv = random_move(&table.position(), &mut random);
        table.make(mv);
        if table.play().verdict().is_none() {
            table.wait(5);
            table.think();
            table.wait(1_100);
            table.make_reply();
        }
        assert!(table.play().len() < 300, "{}", table.moves());
    }
    assert!(matches!(table.play().verdict(), Some(Verdict::Won { winner: Color::Black, .. })), "{}", table.moves());
}

#[test]
fn a_takeback_cancels_the_search_and_its_answer_is_dropped() {
    let mut table = Table::new(Position::start().occupied());
    table.set_computer(computer(Color::Black, 5));
    table.make("e2e4".parse().expect("a move"));
    let question = table.question().expect("it is asked").clone();
    table.shift(Square::E4, Square::E2);
    table.wait(1_000);
    assert_eq!(table.play().len(), 0);
    assert_eq!(table.last_command(), Some(&ThinkCommand::Cancel));
    table.answer(&question);
    table.wait(2_000);
    assert_eq!(table.play().len(), 0);
    // The same position again is another question.
    table.make("e2e4".parse().expect("a move"));
    let again = table.question().expect("it is asked").clone();
    assert!(again.id != question.id && again.moves == question.moves);
    table.answer(&question);
    table.wait(2_000);
    assert_eq!(table.play().len(), 1, "the first question is outdated");
    table.answer(&again);
    table.wait(2_000);
    assert_eq!(table.play().len(), 2);
    table.answer(&again);
    table.wait(2_000);
    assert_eq!(table.play().len(), 2, "an answer counts once");
}

#[test]
fn the_choice_of_the_menu_survives_a_power_cut() {
    let mut table = Table::new(Position::start().occupied());
    table.lift(Square::E1);
    table.wait(2_200);
    table.place(Square::C6);
    table.wait(700);
    table.lift(Square::C6);
    table.place(Square::E1);
    table.wait(50);
    let chosen = *table.core().computer();
    assert!(chosen.is_on && chosen.level == level(8));
    let info = table.core().game_info().expect("a game");
    assert_eq!((info.white.as_str(), info.black.as_str()), ("", "Tabiya level 8"));
    table.cut_power();
    assert_eq!(*table.core().computer(), chosen);
    table.make("d2d4".parse().expect("a move"));
    assert!(table.is_asked());
}

#[test]
fn a_hint_is_searched_at_full_strength_and_shown() {
    let mut table = Table::new(Position::start().occupied());
    table.set_computer(computer(Color::Black, 1));
    for _ in 0..2 {
        table.lift(Square::E1);
        table.wait(150);
        table.place(Square::E1);
        table.wait(150);
    }
    assert_eq!(table.question().expect("it is asked").level, Level::FULL);
    table.think();
    table.wait(50);
    let scene = table.core().surface().referee().scene(table.now());
    let shown = |meaning| scene.squares(meaning).first().expect("a hint");
    let hint = Move::new(shown(Meaning::HintFrom), shown(Meaning::HintTo));
    assert!(Position::start().is_legal(hint), "{hint}");
    assert_eq!(table.play().len(), 0);
}
