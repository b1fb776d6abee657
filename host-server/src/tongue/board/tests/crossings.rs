//! What happens when both sides do something at the same time, or say what the other cannot know.

use chess::{Color, Move};
use wire::link::{Event, Seat};

use super::table::World;
use crate::room::{Phase, Reason};
use crate::tongue::board::want::Want;

fn mv(text: &str) -> Move {
    text.parse().unwrap()
}

/// A game has begun, and the board knows it.
fn world(us: Color) -> World {
    let mut world = World::new(us, 5);
    world.settle();
    world.assert_agreement();
    world
}

#[test]
fn a_board_is_given_the_game_with_its_names_and_plays_it() {
    let mut world = world(Color::White);
    assert_eq!(world.desk.card.seat, Seat::White);
    assert_eq!(world.desk.card.names, ["Board", "Other"]);
    world.desk.play(mv("e2e4"));
    world.settle();
    assert_eq!(world.moves(), [mv("e2e4")]);
    world.other_plays("e7e5");
    world.settle();
    world.desk.follow();
    world.desk.play(mv("g1f3"));
    world.settle();
    world.assert_agreement();
    assert_eq!((world.moves().len(), world.refused), (3, 0));
}

#[test]
fn a_board_that_has_lost_its_memory_gets_its_game_back() {
    let mut world = world(Color::White);
    world.desk.play(mv("e2e4"));
    world.settle();
    world.other_plays("e7e5");
    world.settle();
    world.cut();
    world.desk.forget();
    assert!(world.desk.brain.game().moves().is_empty());
    world.settle();
    world.assert_agreement();
    assert_eq!(world.moves().len(), 2);
    assert_eq!(world.desk.card.seat, Seat::White);
    world.desk.follow();
    world.desk.play(mv("g1f3"));
    world.settle();
    assert_eq!(world.moves().len(), 3);
}

#[test]
fn an_illegal_move_is_not_played_and_the_board_is_brought_back() {
    let mut world = world(Color::White);
    for event in [
        Event::Moved { ply: 0, mv: mv("e2e5"), thought_ms: 0 },
        Event::Moved { ply: 7, mv: mv("e2e4"), thought_ms: 0 },
        Event::TakenBack { plies: 1 },
        Event::Resigned { color: Color::Black },
        Event::DrawAnswered { accepted: true },
        Event::TakebackAnswered { accepted: true },
        Event::DrawClaimed { claim: chess::DrawClaim::FiftyMoves, with: None },
    ] {
        world.desk.lie(event);
        world.settle();
        assert_eq!(world.room.phase(), Phase::Playing, "{event:?}");
        world.assert_agreement();
        assert!(world.moves().is_empty());
    }
    // What the board thinks of time does not count.
    world.desk.lie(Event::Ended { outcome: chess::Outcome::Draw(chess::DrawReason::Stalemate) });
    world.settle();
    world.assert_agreement();
    world.desk.play(mv("e2e4"));
    world.settle();
    assert_eq!(world.moves(), [mv("e2e4")]);
}

#[test]
fn a_board_resigns_with_its_kings() {
    let mut world = world(Color::White);
    world.desk.show_kings(true);
    world.settle();
    let ending = world.room.ending().unwrap();
    assert_eq!((ending.reason, ending.winner), (Reason::Resignation, Some(Color::Black)));
    world.assert_agreement();
}

#[test]
fn a_board_that_resigns_hears_all_the_same_of_the_move_that_it_had_not_seen() {
    let mut world = world(Color::Black);
    world.other_plays("c2c4");
    // It is on its way.
    world.keep();
    while world.send_relay() {}
    world.desk.show_kings(true);
    assert!(world.desk.brain.game().moves().is_empty() && world.desk.brain.game().outcome().is_some());
    world.settle();
    assert_eq!(world.moves(), [mv("c2c4")]);
    assert_eq!(world.room.phase(), Phase::Over);
    world.assert_agreement();
}

#[test]
fn the_other_resigns() {
    let mut world = world(Color::Black);
    world.other(Want::Resign).unwrap();
    world.settle();
    assert_eq!(world.desk.brain.game().outcome().unwrap().winner(), Some(Color::Black));
    world.assert_agreement();
}

#[test]
fn draws_are_offered_and_answered_both_ways() {
    // The board offers, the other declines, and then agrees.
    let mut world = world(Color::White);
    world.desk.show_kings(false);
    world.settle();
    assert_eq!(world.room.draw_offer(), Some(Color::White));
    world.other(Want::NoDraw).unwrap();
    world.settle();
    world.desk.play(mv("e2e4"));
    world.settle();
    world.other_plays("a7a6");
    world.settle();
    world.desk.follow();
    world.desk.play(mv("e4e5"));
    world.settle();
    world.other(Want::Draw).unwrap();
    world.settle();
    // The pawn stands in the way of the kings' sign.
    world.other_plays("d7d6");
    world.settle();
    world.desk.follow();
    world.desk.play(mv("e5d6"));
    world.settle();
    assert_eq!(world.room.draw_offer(), None);
    world.other(Want::Draw).unwrap();
    world.settle();
    world.desk.show_kings(false);
    world.settle();
    assert_eq!(world.room.ending().unwrap().reason, Reason::Agreement);
    world.assert_agreement();
}

#[test]
fn an_offer_that_crosses_a_move_is_declined_by_it_on_both_sides() {
    let mut world = world(Color::White);
    // Neither has heard of the other.
    world.desk.play(mv("e2e4"));
    world.other(Want::Draw).unwrap();
    world.settle();
    assert_eq!((world.room.draw_offer(), world.moves().len()), (None, 1));
    // If the board still thought that there is one, this would be the answer to it, and not an offer.
    world.other_plays("a7a6");
    world.settle();
    world.desk.follow();
    world.desk.play(mv("e4e5"));
    world.settle();
    world.other_plays("d7d6");
    world.settle();
    world.desk.follow();
    world.desk.play(mv("e5d6"));
    world.settle();
    world.desk.show_kings(false);
    world.settle();
    assert_eq!(world.room.draw_offer(), Some(Color::White));
    assert_eq!(world.room.phase(), Phase::Playing);
    world.assert_agreement();
}

#[test]
fn moves_are_taken_back_both_ways() {
    let mut world = world(Color::White);
    world.desk.play(mv("e2e4"));
    world.settle();
    // The board asks, by putting the move back.
    world.desk.undo();
    world.settle();
    assert_eq!(world.room.takeback(), Some((Color::White, 1)));
    world.other(Want::AllowTakeback { plies: 1 }).unwrap();
    world.settle();
    world.assert_agreement();
    assert!(world.moves().is_empty());
    world.desk.follow();
    world.desk.play(mv("d2d4"));
    world.settle();
    world.other_plays("d7d5");
    world.settle();
    world.desk.follow();
    // The other asks, and the board answers by putting the move back.
    world.other(Want::Takeback { plies: 1 }).unwrap();
    world.settle();
    world.desk.undo();
    world.settle();
    assert_eq!(world.moves(), [mv("d2d4")]);
    world.assert_agreement();
    assert_eq!(world.refused, 0);
}

#[test]
fn a_takeback_that_is_declined_is_over_on_the_board_too() {
    let mut world = world(Color::White);
    world.desk.play(mv("e2e4"));
    world.settle();
    world.desk.undo();
    world.settle();
    world.other(Want::NoTakeback).unwrap();
    world.settle();
    world.assert_agreement();
    world.desk.follow();
    world.other_plays("e7e5");
    world.settle();
    world.assert_agreement();
    // It can be asked again.
    world.desk.follow();
    world.desk.undo();
    world.settle();
    assert!(world.room.takeback().is_some());
}

#[test]
fn what_was_asked_while_the_board_was_away_is_passed_on_when_it_comes_back() {
    let mut world = world(Color::Black);
    world.cut();
    world.other_plays("e2e4");
    world.other(Want::Draw).unwrap();
    world.desk.restart(true);
    world.settle();
    world.desk.follow();
    world.assert_agreement();
    world.cut();
    world.desk.restart(true);
    world.settle();
    world.desk.follow();
    // The pawn on e4 is in the way of one sign, but not of the other.
    world.desk.lie(Event::DrawAnswered { accepted: true });
    world.settle();
    assert_eq!(world.room.ending().unwrap().reason, Reason::Agreement);
}

#[test]
fn setting_up_the_pieces_after_a_game_is_asking_for_another_one() {
    let mut world = world(Color::White);
    world.desk.play(mv("e2e4"));
    world.settle();
    world.other(Want::Resign).unwrap();
    world.settle();
    assert_eq!(world.room.rematch(), None);
    world.desk.set_up();
    world.settle();
    assert_eq!(world.room.rematch(), Some(Color::White));
    let dice = world.random();
    world.attempt(&crate::room::Command::OfferRematch { color: Color::Black, dice }, None).unwrap();
    assert_eq!(world.room.phase(), Phase::Playing);
    world.settle();
    // Colours change.
    assert_eq!((world.us, world.desk.card.seat), (Color::Black, Seat::Black));
    world.other_plays("e2e4");
    world.settle();
    world.desk.follow();
    world.desk.play(mv("e7e5"));
    world.settle();
    world.assert_agreement();
    assert_eq!(world.moves().len(), 2);
}

#[test]
fn a_board_on_which_nothing_was_moved_need_not_be_set_up_for_another_game() {
    let mut world = world(Color::White);
    world.other(Want::Resign).unwrap();
    world.settle();
    assert_eq!(world.room.rematch(), None);
    let dice = world.random();
    world.attempt(&crate::room::Command::OfferRematch { color: Color::Black, dice }, None).unwrap();
    world.settle();
    assert_eq!((world.room.phase(), world.desk.card.seat), (Phase::Playing, Seat::Black));
}

#[test]
fn a_board_that_was_away_for_long_is_led_to_the_game() {
    let mut world = world(Color::White);
    world.desk.play(mv("e2e4"));
    world.settle();
    world.cut();
    // The relay loses its memory, and has only the room.
    let place = world.agent.place().cloned().unwrap();
    world.agent = crate::tongue::board::Agent::new(77);
    world.agent.seek(place, None);
    world.agent.sat_down(world.room.id());
    world.other_plays("e7e5");
    world.settle();
    world.assert_agreement();
    assert_eq!(world.moves().len(), 2);
}

#[test]
fn what_the_room_has_heard_and_the_record_has_not_is_not_told_to_the_board_that_did_it() {
    let mut world = world(Color::White);
    world.desk.play(mv("d2d4"));
    world.settle();
    world.other_plays("d7d5");
    world.settle();
    world.desk.follow();
    world.other(Want::Takeback { plies: 1 }).unwrap();
    world.settle();
    let given = |world: &World| serde_json::to_value(world.agent.record()).unwrap()["renewed"].clone();
    let before = given(&world);
    // The board lets the other take back. The room has that, and then the relay is gone.
    world.desk.undo();
    world.desk.keep();
    while world.send_board() {}
    while world.deliver_to_relay() {}
    assert_eq!(world.moves(), [mv("d2d4")]);
    world.crash_relay();
    world.settle();
    world.assert_agreement();
    assert_eq!(world.moves(), [mv("d2d4")]);
    assert_eq!((given(&world), world.refused), (before, 0), "nobody had to be brought back");
}
