//! A board says again what it does not know to have been heard.

use super::table::{Black, Table, White, rematch, uci};
use crate::room::{Command, Origin, Refusal, Room, Terms};
use chess::Color;

fn said(color: Color, number: u32) -> Origin {
    Origin { color, stream: 5, number }
}

impl Table {
    fn hears(&mut self, command: &Command, from: Origin) -> Result<(), Refusal> {
        let draft = self.draft(command, Some(from), self.now);
        self.take(draft)
    }
}

fn move_of(color: Color, mv: &str) -> Command {
    Command::Move { color, mv: uci(mv), ply: None }
}

#[test]
fn what_is_said_twice_happens_once() {
    let mut table = Table::set(Terms::default());
    for _ in 0..3 {
        table.hears(&move_of(White, "e2e4"), said(White, 1)).unwrap();
    }
    assert_eq!(table.room.game().moves().len(), 1);
    assert!(table.room.has_heard(said(White, 1)) && !table.room.has_heard(said(White, 2)));
    assert!(!table.room.has_heard(said(Black, 1)));
}

#[test]
fn a_number_of_another_stream_is_new() {
    let mut table = Table::set(Terms::default());
    table.hears(&move_of(White, "e2e4"), said(White, 7)).unwrap();
    table.hears(&move_of(Black, "e7e5"), said(Black, 7)).unwrap();
    table.hears(&move_of(White, "g1f3"), Origin { stream: 6, ..said(White, 1) }).unwrap();
    assert_eq!(table.room.game().moves().len(), 3);
}

#[test]
fn what_was_refused_was_not_heard() {
    let mut table = Table::set(Terms::default());
    assert_eq!(table.hears(&move_of(Black, "e7e5"), said(Black, 1)), Err(Refusal::NotYourTurn));
    table.plays("e2e4");
    table.hears(&move_of(Black, "e7e5"), said(Black, 1)).unwrap();
    assert_eq!(table.room.game().moves().len(), 2);
}

#[test]
fn what_was_heard_stays_with_the_player_who_changes_sides() {
    let mut table = Table::set(Terms::default());
    table.hears(&move_of(White, "e2e4"), said(White, 1)).unwrap();
    table.hears(&Command::Resign(White), said(White, 2)).unwrap();
    table.does(rematch(Black)).unwrap();
    table.hears(&rematch(White), said(White, 3)).unwrap();
    // Ann's board is at Black's side by now, and says its last words again.
    assert!(table.room.has_heard(said(Black, 3)) && !table.room.has_heard(said(White, 1)));
    table.hears(&Command::Resign(Black), said(Black, 2)).unwrap();
    assert!(table.is_playing());
    assert_eq!(Room::from_log(&table.log), Some(table.room));
}

#[test]
fn a_board_that_sits_down_has_said_nothing() {
    let mut table = Table::set(Terms::default());
    table.hears(&move_of(White, "e2e4"), said(White, 1)).unwrap();
    table.does(Command::Leave(White)).unwrap();
    table.sits("eve", crate::room::Wish::White).unwrap();
    assert!(!table.room.has_heard(said(White, 1)));
}

#[test]
fn a_player_who_has_changed_sides_does_not_speak_for_the_other() {
    let moved = Command::Leave(White).at_side(Black);
    assert_eq!(moved, Some(Command::Leave(Black)));
    for about_the_game in [Command::Resign(White), move_of(White, "e2e4"), Command::OfferDraw(White), rematch(White)] {
        assert_eq!(about_the_game.at_side(Black), None);
    }
}
