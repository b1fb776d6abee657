use super::table::{Black, Table, White, rematch};
use crate::room::{Command, Ending, Fact, Phase, Reason, Refusal, Terms};

#[test]
fn a_draw_is_agreed_if_both_offer_it() {
    let mut table = Table::set(Terms::default());
    table.plays("e2e4");
    table.does(Command::OfferDraw(White)).unwrap();
    assert_eq!(table.room.draw_offer(), Some(White));
    table.does(Command::OfferDraw(Black)).unwrap();
    assert_eq!(table.room.ending(), Some(Ending { reason: Reason::Agreement, winner: None }));
    assert_eq!(table.room.draw_offer(), None);
}

#[test]
fn an_offer_stands_while_its_maker_moves_and_ends_when_the_other_does() {
    let mut table = Table::set(Terms::default());
    table.does(Command::OfferDraw(White)).unwrap();
    table.plays("e2e4");
    assert_eq!(table.room.draw_offer(), Some(White));
    table.plays("e7e5");
    assert_eq!(table.room.draw_offer(), None);
    assert!(table.facts().any(|fact| *fact == Fact::DrawDeclined));
    assert_eq!(table.does(Command::DeclineDraw(Black)), Err(Refusal::NoOffer));
}

#[test]
fn nobody_declines_or_accepts_their_own_offer() {
    let mut table = Table::set(Terms::default());
    table.does(Command::OfferDraw(White)).unwrap();
    assert_eq!(table.does(Command::DeclineDraw(White)), Err(Refusal::NoOffer));
    assert_eq!(table.does(Command::OfferDraw(White)), Err(Refusal::OfferedAlready));
    table.does(Command::AskTakeback { color: White, plies: 1 }).unwrap_err();
    table.plays("e2e4");
    table.does(Command::AskTakeback { color: White, plies: 1 }).unwrap();
    assert_eq!(table.does(Command::AllowTakeback { color: White, plies: 1 }), Err(Refusal::NoOffer));
    assert_eq!(table.does(Command::DeclineTakeback(White)), Err(Refusal::NoOffer));
}

#[test]
fn who_was_declined_asks_again_only_after_another_move() {
    let mut table = Table::set(Terms::default());
    table.plays("e2e4 e7e5");
    table.does(Command::OfferDraw(White)).unwrap();
    table.does(Command::DeclineDraw(Black)).unwrap();
    assert_eq!(table.does(Command::OfferDraw(White)), Err(Refusal::OfferedAlready));
    // The other one may ask all the same.
    table.does(Command::OfferDraw(Black)).unwrap();
    table.does(Command::DeclineDraw(White)).unwrap();
    table.plays("g1f3 b8c6");
    table.does(Command::OfferDraw(White)).unwrap();
}

#[test]
fn what_was_asked_is_forgotten_with_the_moves_that_are_taken_back() {
    let mut table = Table::set(Terms::default());
    table.plays("e2e4 e7e5 g1f3 b8c6");
    table.does(Command::OfferDraw(White)).unwrap();
    table.does(Command::AskTakeback { color: White, plies: 4 }).unwrap();
    table.does(Command::AllowTakeback { color: Black, plies: 4 }).unwrap();
    assert_eq!(table.room.draw_offer(), None);
    assert_eq!(table.does(Command::OfferDraw(White)), Err(Refusal::OfferedAlready));
    table.plays("e2e4 e7e5");
    table.does(Command::OfferDraw(White)).unwrap();
}

#[test]
fn who_agrees_to_a_draw_agrees_to_what_was_offered_and_never_offers_one() {
    let mut table = Table::set(Terms::default());
    table.plays("e2e4");
    let accept = |ply| Command::AcceptDraw { color: Black, ply };
    assert_eq!(table.does(accept(1)), Err(Refusal::NoOffer));
    assert_eq!(table.room.draw_offer(), None);
    // It crosses a move: what was seen is not what is on the board.
    table.plays("e7e5");
    table.does(Command::OfferDraw(White)).unwrap();
    table.plays("g1f3");
    assert_eq!(table.room.draw_offer(), Some(White));
    assert_eq!(table.does(accept(2)), Err(Refusal::Stale));
    assert_eq!(table.does(Command::AcceptDraw { color: White, ply: 3 }), Err(Refusal::NoOffer));
    // It crosses one's own refusal.
    table.does(Command::DeclineDraw(Black)).unwrap();
    assert_eq!(table.does(accept(3)), Err(Refusal::NoOffer));
    assert_eq!((table.room.phase(), table.room.draw_offer()), (Phase::Playing, None));
    table.plays("b8c6 f1b5 a7a6");
    table.does(Command::OfferDraw(White)).unwrap();
    table.does(accept(6)).unwrap();
    assert_eq!(table.room.ending().map(|ending| ending.reason), Some(Reason::Agreement));
    assert_eq!(table.does(accept(6)), Err(Refusal::Over(table.room.ending().unwrap())));
}

#[test]
fn who_allows_a_takeback_allows_what_was_asked_for() {
    let mut table = Table::set(Terms::default());
    table.plays("e2e4 e7e5 g1f3");
    table.does(Command::AskTakeback { color: White, plies: 1 }).unwrap();
    table.does(Command::AskTakeback { color: White, plies: 3 }).unwrap();
    let refused = table.does(Command::AllowTakeback { color: Black, plies: 1 });
    assert_eq!((refused, table.room.game().moves().len()), (Err(Refusal::NoOffer), 3));
    table.does(Command::AllowTakeback { color: Black, plies: 3 }).unwrap();
    assert!(table.room.game().moves().is_empty());
}

#[test]
fn who_agrees_to_a_rematch_that_nobody_offers_any_more_does_not_offer_one() {
    let mut table = Table::set(Terms::default());
    let accept = Command::AcceptRematch { color: Black, dice: 4712 };
    assert_eq!(table.does(accept.clone()), Err(Refusal::NoOffer));
    table.plays("e2e4");
    table.does(Command::Resign(White)).unwrap();
    assert_eq!(table.does(accept.clone()), Err(Refusal::NoOffer));
    assert_eq!(table.room.rematch(), None);
    table.does(rematch(White)).unwrap();
    table.does(accept).unwrap();
    assert_eq!((table.room.phase(), table.room.games()), (Phase::Playing, 2));
    // Sides have changed, and the one who is late has nothing to agree to.
    assert_eq!(table.does(Command::AcceptRematch { color: White, dice: 4713 }), Err(Refusal::NoOffer));
}

#[test]
fn a_move_is_taken_back_if_the_other_allows_it() {
    let mut table = Table::set(Terms::default());
    table.plays("e2e4 e7e5 g1f3");
    table.does(Command::AskTakeback { color: White, plies: 1 }).unwrap();
    assert_eq!(table.room.takeback(), Some((White, 1)));
    assert_eq!(table.lines_of(Command::AskTakeback { color: White, plies: 1 }), 0);
    table.does(Command::AllowTakeback { color: Black, plies: 1 }).unwrap();
    assert_eq!((table.room.takeback(), table.room.game().moves().len()), (None, 2));
    table.plays("b1c3");
}

#[test]
fn who_asks_for_the_same_agrees_and_who_asks_for_something_else_asks_instead() {
    let mut table = Table::set(Terms::default());
    table.plays("e2e4 e7e5 g1f3");
    table.does(Command::AskTakeback { color: White, plies: 1 }).unwrap();
    table.does(Command::AskTakeback { color: Black, plies: 2 }).unwrap();
    assert_eq!(table.room.takeback(), Some((Black, 2)));
    table.does(Command::AskTakeback { color: White, plies: 2 }).unwrap();
    assert_eq!(table.room.game().moves().len(), 1);
}

#[test]
fn a_takeback_is_declined_by_saying_so_or_by_moving() {
    let mut table = Table::set(Terms::default());
    table.plays("e2e4");
    table.does(Command::AskTakeback { color: White, plies: 1 }).unwrap();
    table.does(Command::DeclineTakeback(Black)).unwrap();
    assert_eq!(table.does(Command::AllowTakeback { color: Black, plies: 1 }), Err(Refusal::NoOffer));
    table.does(Command::AskTakeback { color: White, plies: 1 }).unwrap();
    table.plays("e7e5");
    assert_eq!(table.does(Command::AllowTakeback { color: Black, plies: 1 }), Err(Refusal::NoOffer));
}

#[test]
fn there_is_no_more_to_take_back_than_was_played() {
    let mut table = Table::set(Terms::default());
    table.plays("e2e4");
    for plies in [0, 2, 255] {
        let refused = table.does(Command::AskTakeback { color: White, plies });
        assert_eq!(refused, Err(Refusal::NothingToTakeBack));
    }
}

#[test]
fn a_repetition_is_not_counted_with_the_moves_that_were_taken_back() {
    let mut table = Table::set(Terms::default());
    table.plays("g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8");
    assert_eq!(table.room.game().repetitions(), 3);
    table.does(Command::AskTakeback { color: White, plies: 4 }).unwrap();
    table.does(Command::AllowTakeback { color: Black, plies: 4 }).unwrap();
    assert_eq!(table.room.game().repetitions(), 2);
}

#[test]
fn a_rematch_is_played_with_sides_changed() {
    let mut table = Table::set(Terms::default());
    table.plays("e2e4");
    table.does(Command::Hints { color: White, on: true }).unwrap();
    table.does(Command::Resign(Black)).unwrap();
    let first = table.game();
    table.does(rematch(Black)).unwrap();
    assert_eq!(table.room.rematch(), Some(Black));
    assert_eq!(table.lines_of(rematch(Black)), 0);
    table.does(rematch(White)).unwrap();
    assert!(table.is_playing());
    assert_eq!((table.name_at(White), table.name_at(Black)), (Some("bob"), Some("ann")));
    assert_eq!((table.room.games(), table.room.game().moves().len(), table.room.ending()), (2, 0, None));
    assert_ne!(table.game(), first);
    // What Ann has agreed to has come with her.
    table.does(Command::Hints { color: White, on: true }).unwrap();
    assert!(table.room.hints());
}

#[test]
fn a_rematch_can_be_declined_and_asked_for_again() {
    let mut table = Table::set(Terms::default());
    table.does(Command::Resign(Black)).unwrap();
    table.does(rematch(Black)).unwrap();
    assert_eq!(table.does(Command::DeclineRematch(Black)), Err(Refusal::NoOffer));
    table.does(Command::DeclineRematch(White)).unwrap();
    assert_eq!(table.room.rematch(), None);
    table.does(rematch(White)).unwrap();
    assert_eq!(table.room.phase(), Phase::Over);
}

#[test]
fn there_is_no_rematch_before_the_end_nor_with_somebody_who_has_left() {
    let mut table = Table::set(Terms::default());
    assert_eq!(table.does(rematch(White)), Err(Refusal::NotOver));
    table.does(Command::Resign(Black)).unwrap();
    table.does(rematch(White)).unwrap();
    table.does(Command::Leave(White)).unwrap();
    assert_eq!(table.room.rematch(), None);
    assert_eq!(table.does(rematch(Black)), Err(Refusal::NotOver));
    table.sits("eve", crate::room::Wish::First).unwrap();
    table.comes(White);
    assert!(table.is_playing());
    assert_eq!((table.name_at(White), table.name_at(Black)), (Some("eve"), Some("bob")));
}

#[test]
fn no_offer_outlives_its_game() {
    let mut table = Table::set(Terms::default());
    table.plays("e2e4");
    table.does(Command::OfferDraw(White)).unwrap();
    table.does(Command::AskTakeback { color: White, plies: 1 }).unwrap();
    table.does(Command::Resign(Black)).unwrap();
    assert_eq!((table.room.draw_offer(), table.room.takeback()), (None, None));
    table.does(rematch(White)).unwrap();
    table.does(rematch(Black)).unwrap();
    assert_eq!(table.room.rematch(), None);
    // And who has asked in the last game may ask in this one.
    table.does(Command::OfferDraw(Black)).unwrap();
}
