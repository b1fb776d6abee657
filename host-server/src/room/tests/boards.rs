//! Events of boards are idempotent: a board repeats an event until it is acknowledged.

use super::table::{Black, Step, Table, White, rematch, uci};
use crate::room::{Act, Command, EventId, Participant, Refusal, Room, Terms};
use chess::Color;

fn event(number: u32) -> EventId {
    EventId { stream: 5, number }
}

impl Table {
    fn delivers(&mut self, (color, act): (Color, Act), event: EventId) -> Result<(), Refusal> {
        self.does(Step::By(color, act, Some(event)))
    }
}

fn move_of(color: Color, mv: &str) -> (Color, Act) {
    (color, Act::Move { ply: uci(mv), number: None })
}

#[test]
fn a_repeated_event_has_an_effect_once() {
    let mut table = Table::set(Terms::default());
    for _ in 0..3 {
        table.delivers(move_of(White, "e2e4"), event(1)).unwrap();
    }
    assert_eq!(table.room.game().len(), 1);
    assert!(table.room.has_applied(White, event(1)) && !table.room.has_applied(White, event(2)));
    assert!(!table.room.has_applied(Black, event(1)));
}

#[test]
fn a_number_of_another_stream_is_new() {
    let mut table = Table::set(Terms::default());
    table.delivers(move_of(White, "e2e4"), event(7)).unwrap();
    table.delivers(move_of(Black, "e7e5"), event(7)).unwrap();
    table.delivers(move_of(White, "g1f3"), EventId { stream: 6, number: 1 }).unwrap();
    assert_eq!(table.room.game().len(), 3);
}

#[test]
fn a_refused_event_can_be_repeated() {
    let mut table = Table::set(Terms::default());
    assert_eq!(table.delivers(move_of(Black, "e7e5"), event(1)), Err(Refusal::NotYourTurn));
    table.plays("e2e4");
    table.delivers(move_of(Black, "e7e5"), event(1)).unwrap();
    assert_eq!(table.room.game().len(), 2);
}

#[test]
fn applied_events_stay_with_the_player_after_a_swap_of_colours() {
    let mut table = Table::set(Terms::default());
    table.delivers(move_of(White, "e2e4"), event(1)).unwrap();
    table.delivers((White, Act::Resign), event(2)).unwrap();
    table.does(rematch(Black)).unwrap();
    table.delivers(rematch(White), event(3)).unwrap();
    // Ann's board plays Black by now, and repeats its last events.
    assert!(table.room.has_applied(Black, event(3)) && !table.room.has_applied(White, event(1)));
    table.delivers((Black, Act::Resign), event(2)).unwrap();
    assert!(table.is_playing());
    assert_eq!(Room::from_log(&table.log), Some(table.room));
}

#[test]
fn a_new_player_has_no_applied_events() {
    let mut table = Table::set(Terms::default());
    table.delivers(move_of(White, "e2e4"), event(1)).unwrap();
    table.does((White, Act::Leave)).unwrap();
    table.sits("eve", crate::room::SideChoice::White).unwrap();
    assert!(!table.room.has_applied(White, event(1)));
}

/// A player of two boards may act on one of them before it knows of the rematch that began on the other.
#[test]
fn an_act_about_an_earlier_game_is_stale() {
    let mut table = Table::set(Terms::default());
    let earlier = table.room.current_game();
    table.does((Black, Act::Resign)).unwrap();
    table.does(rematch(White)).unwrap();
    table.does(rematch(Black)).unwrap();
    let ann = table.room.seat(Black).unwrap().player.clone();
    let mut late = |act| {
        let by = Participant { id: ann.id.clone(), name: ann.name.clone() };
        table.does(Command::Act { by, act, game: earlier, event: None })
    };
    for act in [Act::Resign, Act::Move { ply: uci("e2e4"), number: None }, Act::OfferDraw, Act::OfferRematch] {
        assert_eq!(late(act), Err(Refusal::Stale));
    }
    late(Act::Leave).unwrap();
    assert_eq!((table.name_at(White), table.name_at(Black)), (Some("bob"), None));
}
