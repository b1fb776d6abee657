use super::table::{Black, Table, White, rematch};
use crate::room::{Act, Fact, Offer, Phase, Refusal, TakebackRequest, Terms};
use rules::{Verdict, Why};

#[test]
fn two_draw_offers_are_an_agreement() {
    let mut table = Table::set(Terms::default());
    table.plays("e2e4");
    table.does((White, Act::OfferDraw)).unwrap();
    assert_eq!(table.room.draw_offer(), Some(White));
    table.does((Black, Act::OfferDraw)).unwrap();
    assert_eq!(table.room.verdict(), Some(Verdict::Drawn(Why::Agreement)));
    assert_eq!(table.room.draw_offer(), None);
}

#[test]
fn a_draw_offer_is_declined_by_a_move_of_the_opponent() {
    let mut table = Table::set(Terms::default());
    table.does((White, Act::OfferDraw)).unwrap();
    table.plays("e2e4");
    assert_eq!(table.room.draw_offer(), Some(White));
    table.plays("e7e5");
    assert_eq!(table.room.draw_offer(), None);
    assert!(table.facts().any(|fact| *fact == Fact::DrawDeclined));
    assert_eq!(table.does((Black, Act::DeclineDraw)), Err(Refusal::NoOffer));
}

#[test]
fn a_player_cannot_answer_their_own_offer() {
    let mut table = Table::set(Terms::default());
    table.does((White, Act::OfferDraw)).unwrap();
    assert_eq!(table.does((White, Act::DeclineDraw)), Err(Refusal::NoOffer));
    assert_eq!(table.does((White, Act::OfferDraw)), Err(Refusal::OfferedAlready));
    table.does((White, Act::AskTakeback { plies: 1 })).unwrap_err();
    table.plays("e2e4");
    table.does((White, Act::AskTakeback { plies: 1 })).unwrap();
    assert_eq!(table.does((White, Act::AcceptTakeback { plies: 1 })), Err(Refusal::NoOffer));
    assert_eq!(table.does((White, Act::DeclineTakeback)), Err(Refusal::NoOffer));
}

#[test]
fn a_declined_draw_can_be_offered_again_after_a_move() {
    let mut table = Table::set(Terms::default());
    table.plays("e2e4 e7e5");
    table.does((White, Act::OfferDraw)).unwrap();
    table.does((Black, Act::DeclineDraw)).unwrap();
    assert_eq!(table.does((White, Act::OfferDraw)), Err(Refusal::OfferedAlready));
    // The opponent may still offer a draw.
    table.does((Black, Act::OfferDraw)).unwrap();
    table.does((White, Act::DeclineDraw)).unwrap();
    table.plays("g1f3 b8c6");
    table.does((White, Act::OfferDraw)).unwrap();
}

#[test]
fn a_takeback_clears_the_draw_offer_but_not_its_limit() {
    let mut table = Table::set(Terms::default());
    table.plays("e2e4 e7e5 g1f3 b8c6");
    table.does((White, Act::OfferDraw)).unwrap();
    table.does((White, Act::AskTakeback { plies: 4 })).unwrap();
    table.does((Black, Act::AcceptTakeback { plies: 4 })).unwrap();
    assert_eq!(table.room.draw_offer(), None);
    assert_eq!(table.does((White, Act::OfferDraw)), Err(Refusal::OfferedAlready));
    table.plays("e2e4 e7e5");
    table.does((White, Act::OfferDraw)).unwrap();
}

#[test]
fn accepting_a_draw_needs_a_current_offer_and_never_makes_one() {
    let mut table = Table::set(Terms::default());
    table.plays("e2e4");
    let accept = |number| (Black, Act::AcceptDraw { number });
    assert_eq!(table.does(accept(1)), Err(Refusal::NoOffer));
    assert_eq!(table.room.draw_offer(), None);
    // The acceptance crosses a move: it was about an earlier position.
    table.plays("e7e5");
    table.does((White, Act::OfferDraw)).unwrap();
    table.plays("g1f3");
    assert_eq!(table.room.draw_offer(), Some(White));
    assert_eq!(table.does(accept(2)), Err(Refusal::Stale));
    assert_eq!(table.does((White, Act::AcceptDraw { number: 3 })), Err(Refusal::NoOffer));
    // The acceptance comes after the same player declined.
    table.does((Black, Act::DeclineDraw)).unwrap();
    assert_eq!(table.does(accept(3)), Err(Refusal::NoOffer));
    assert_eq!((table.room.phase(), table.room.draw_offer()), (Phase::Playing, None));
    table.plays("b8c6 f1b5 a7a6");
    table.does((White, Act::OfferDraw)).unwrap();
    table.does(accept(6)).unwrap();
    assert_eq!(table.room.verdict(), Some(Verdict::Drawn(Why::Agreement)));
    assert_eq!(table.does(accept(6)), Err(Refusal::Over(table.room.verdict().unwrap())));
}

#[test]
fn accepting_a_takeback_needs_the_requested_number_of_plies() {
    let mut table = Table::set(Terms::default());
    table.plays("e2e4 e7e5 g1f3");
    table.does((White, Act::AskTakeback { plies: 1 })).unwrap();
    table.does((White, Act::AskTakeback { plies: 3 })).unwrap();
    let refused = table.does((Black, Act::AcceptTakeback { plies: 1 }));
    assert_eq!((refused, table.room.game().len()), (Err(Refusal::NoOffer), 3));
    table.does((Black, Act::AcceptTakeback { plies: 3 })).unwrap();
    assert!(table.room.game().is_empty());
}

#[test]
fn accepting_a_rematch_needs_an_offer_and_never_makes_one() {
    let mut table = Table::set(Terms::default());
    let accept = (Black, Act::AcceptRematch);
    assert_eq!(table.does(accept.clone()), Err(Refusal::NoOffer));
    table.plays("e2e4");
    table.does((White, Act::Resign)).unwrap();
    assert_eq!(table.does(accept.clone()), Err(Refusal::NoOffer));
    assert_eq!(table.room.rematch(), None);
    table.does(rematch(White)).unwrap();
    table.does(accept).unwrap();
    assert_eq!((table.room.phase(), table.room.games()), (Phase::Playing, 2));
    // The sides are swapped, and a second acceptance finds no offer.
    assert_eq!(table.does((White, Act::AcceptRematch)), Err(Refusal::NoOffer));
}

#[test]
fn a_takeback_needs_the_consent_of_the_opponent() {
    let mut table = Table::set(Terms::default());
    table.plays("e2e4 e7e5 g1f3");
    table.does((White, Act::AskTakeback { plies: 1 })).unwrap();
    assert_eq!(table.room.takeback(), Some(TakebackRequest { by: White, plies: 1 }));
    assert_eq!(table.lines_of((White, Act::AskTakeback { plies: 1 })), 0);
    table.does((Black, Act::AcceptTakeback { plies: 1 })).unwrap();
    assert_eq!((table.room.takeback(), table.room.game().len()), (None, 2));
    table.plays("b1c3");
}

#[test]
fn an_equal_takeback_request_accepts_and_another_one_replaces() {
    let mut table = Table::set(Terms::default());
    table.plays("e2e4 e7e5 g1f3");
    table.does((White, Act::AskTakeback { plies: 1 })).unwrap();
    table.does((Black, Act::AskTakeback { plies: 2 })).unwrap();
    assert_eq!(table.room.takeback(), Some(TakebackRequest { by: Black, plies: 2 }));
    table.does((White, Act::AskTakeback { plies: 2 })).unwrap();
    assert_eq!(table.room.game().len(), 1);
}

#[test]
fn a_takeback_is_declined_explicitly_or_by_a_move() {
    let mut table = Table::set(Terms::default());
    table.plays("e2e4");
    table.does((White, Act::AskTakeback { plies: 1 })).unwrap();
    table.does((Black, Act::DeclineTakeback)).unwrap();
    assert_eq!(table.does((Black, Act::AcceptTakeback { plies: 1 })), Err(Refusal::NoOffer));
    table.does((White, Act::AskTakeback { plies: 1 })).unwrap();
    table.plays("e7e5");
    assert_eq!(table.does((Black, Act::AcceptTakeback { plies: 1 })), Err(Refusal::NoOffer));
}

#[test]
fn rejects_a_takeback_of_more_plies_than_were_played() {
    let mut table = Table::set(Terms::default());
    table.plays("e2e4");
    for plies in [0, 2, 255] {
        let refused = table.does((White, Act::AskTakeback { plies }));
        assert_eq!(refused, Err(Refusal::NothingToTakeBack));
    }
}

#[test]
fn takebacks_are_limited_in_a_game() {
    let mut table = Table::set(Terms::default());
    for _ in 0..50 {
        table.plays("e2e4");
        table.does((White, Act::AskTakeback { plies: 1 })).unwrap();
        table.does((Black, Act::AcceptTakeback { plies: 1 })).unwrap();
    }
    table.plays("e2e4");
    assert_eq!(table.does((White, Act::AskTakeback { plies: 1 })), Err(Refusal::TooManyTakebacks));
    table.does((Black, Act::Resign)).unwrap();
    table.does(rematch(White)).unwrap();
    table.does(rematch(Black)).unwrap();
    table.plays("e2e4");
    table.does((Black, Act::AskTakeback { plies: 1 })).unwrap();
}

#[test]
fn positions_taken_back_do_not_count_as_repetitions() {
    let mut table = Table::set(Terms::default());
    table.plays("g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8");
    assert_eq!(table.room.game().chess().unwrap().repetitions(), 3);
    table.does((White, Act::AskTakeback { plies: 4 })).unwrap();
    table.does((Black, Act::AcceptTakeback { plies: 4 })).unwrap();
    assert_eq!(table.room.game().chess().unwrap().repetitions(), 2);
}

#[test]
fn a_rematch_swaps_the_sides() {
    let mut table = Table::set(Terms::default());
    table.plays("e2e4");
    table.does((White, Act::Hints { on: true })).unwrap();
    table.does((Black, Act::Resign)).unwrap();
    let first = table.game();
    table.does(rematch(Black)).unwrap();
    assert_eq!(table.room.rematch(), Some(Black));
    assert_eq!(table.lines_of(rematch(Black)), 0);
    table.does(rematch(White)).unwrap();
    assert!(table.is_playing());
    assert_eq!((table.name_at(White), table.name_at(Black)), (Some("bob"), Some("ann")));
    assert_eq!((table.room.games(), table.room.game().len(), table.room.verdict()), (2, 0, None));
    assert_ne!(table.game(), first);
    // Ann's consent to hints moves with her to the other side.
    table.does((White, Act::Hints { on: true })).unwrap();
    assert!(table.room.hints());
}

#[test]
fn a_declined_rematch_can_be_offered_again() {
    let mut table = Table::set(Terms::default());
    table.does((Black, Act::Resign)).unwrap();
    table.does(rematch(Black)).unwrap();
    assert_eq!(table.does((Black, Act::DeclineRematch)), Err(Refusal::NoOffer));
    table.does((White, Act::DeclineRematch)).unwrap();
    assert_eq!(table.room.rematch(), None);
    table.does(rematch(White)).unwrap();
    assert_eq!(table.room.phase(), Phase::Over);
}

#[test]
fn a_rematch_needs_a_finished_game_and_both_players() {
    let mut table = Table::set(Terms::default());
    assert_eq!(table.does(rematch(White)), Err(Refusal::NotOver));
    table.does((Black, Act::Resign)).unwrap();
    table.does(rematch(White)).unwrap();
    table.does((White, Act::Leave)).unwrap();
    assert_eq!(table.room.rematch(), None);
    assert_eq!(table.does(rematch(Black)), Err(Refusal::NotOver));
    table.sits("eve", crate::room::SideChoice::First).unwrap();
    table.comes(White);
    assert!(table.is_playing());
    assert_eq!((table.name_at(White), table.name_at(Black)), (Some("eve"), Some("bob")));
}

#[test]
fn an_offer_can_be_withdrawn_by_the_player_who_made_it() {
    let mut table = Table::set(Terms::default());
    table.plays("e2e4 e7e5");
    let withdraw = |color, offer| (color, Act::Withdraw { offer });
    for offer in [Offer::Draw, Offer::Takeback, Offer::Rematch] {
        assert_eq!(table.does(withdraw(White, offer)), Err(Refusal::NoOffer));
    }
    table.does((White, Act::OfferDraw)).unwrap();
    table.does((Black, Act::AskTakeback { plies: 1 })).unwrap();
    assert_eq!(table.does(withdraw(Black, Offer::Draw)), Err(Refusal::NoOffer));
    assert_eq!(table.does(withdraw(White, Offer::Takeback)), Err(Refusal::NoOffer));
    table.does(withdraw(White, Offer::Draw)).unwrap();
    table.does(withdraw(Black, Offer::Takeback)).unwrap();
    assert_eq!((table.room.draw_offer(), table.room.takeback()), (None, None));
    assert_eq!(table.does((Black, Act::AcceptDraw { number: 2 })), Err(Refusal::NoOffer));
    assert_eq!(table.does((White, Act::OfferDraw)), Err(Refusal::OfferedAlready), "not again before the next move");
    table.does((White, Act::Resign)).unwrap();
    table.does(rematch(White)).unwrap();
    assert_eq!(table.does(withdraw(Black, Offer::Rematch)), Err(Refusal::NoOffer));
    table.does(withdraw(White, Offer::Rematch)).unwrap();
    assert_eq!(table.does((Black, Act::AcceptRematch)), Err(Refusal::NoOffer));
}

#[test]
fn a_move_declines_the_takeback_that_the_opponent_has_asked_for() {
    let mut table = Table::set(Terms::default());
    table.plays("e2e4");
    table.does((White, Act::AskTakeback { plies: 1 })).unwrap();
    table.plays("e7e5");
    let declined = |table: &Table| table.facts().filter(|fact| **fact == Fact::TakebackDeclined).count();
    assert_eq!((table.room.takeback(), declined(&table)), (None, 1));
    // The own request ends as well, and is not declined by the opponent.
    table.does((White, Act::AskTakeback { plies: 2 })).unwrap();
    table.plays("g1f3");
    assert_eq!((table.room.takeback(), declined(&table)), (None, 1));
}

#[test]
fn offers_end_with_the_game() {
    let mut table = Table::set(Terms::default());
    table.plays("e2e4");
    table.does((White, Act::OfferDraw)).unwrap();
    table.does((White, Act::AskTakeback { plies: 1 })).unwrap();
    table.does((Black, Act::Resign)).unwrap();
    assert_eq!((table.room.draw_offer(), table.room.takeback()), (None, None));
    table.does(rematch(White)).unwrap();
    table.does(rematch(Black)).unwrap();
    assert_eq!(table.room.rematch(), None);
    // The limit on draw offers starts again with the new game.
    table.does((Black, Act::OfferDraw)).unwrap();
}

#[test]
fn a_board_corrects_its_last_move_without_consent() {
    let mut table = Table::timed(60_000, 0);
    table.plays("e2e4 e7e5 g1f3");
    table.passes(2_000).does((White, Act::Correct { number: 2 })).unwrap();
    assert_eq!(table.last_fact(), &Fact::Corrected { took: 2_000 });
    assert_eq!(table.room.game().len(), 2);
    assert_eq!(table.room.clock().unwrap().running(), Some(White));
    table.plays("g1h3");
    assert_eq!(table.room.game().len(), 3);
}

#[test]
fn a_correction_is_refused_after_a_reply_too_late_and_for_another_ply() {
    let mut table = Table::set(Terms::default());
    table.plays("e2e4 e7e5 g1f3");
    assert_eq!(table.does((White, Act::Correct { number: 0 })), Err(Refusal::Stale));
    assert_eq!(table.does((Black, Act::Correct { number: 2 })), Err(Refusal::Stale), "not the own move");
    table.plays("b8c6");
    assert_eq!(table.does((White, Act::Correct { number: 2 })), Err(Refusal::Stale), "there is a reply");
    table.passes(7_000);
    assert_eq!(table.does((Black, Act::Correct { number: 3 })), Err(Refusal::Stale), "too late");
}

#[test]
fn corrections_do_not_count_as_takebacks() {
    let mut table = Table::set(Terms::default());
    for _ in 0..60 {
        table.plays("e2e4");
        table.does((White, Act::Correct { number: 0 })).unwrap();
    }
    table.plays("e2e4");
    table.does((White, Act::AskTakeback { plies: 1 })).unwrap();
}

/// A board whose software moves and corrects all day does not fill the store.
#[test]
fn corrections_are_limited_by_the_length_of_the_log() {
    let mut table = Table::set(Terms::default());
    let refused = (0..20_000).find_map(|_| {
        table.plays("e2e4");
        table.does((White, Act::Correct { number: 0 })).err()
    });
    assert_eq!(refused, Some(Refusal::TooLong));
    table.plays("e7e5");
    table.does((White, Act::Resign)).unwrap();
}

/// Each of them could have an offer and its refusal, which would make three entries of one ply.
#[test]
fn draw_offers_are_limited_by_the_length_of_the_log() {
    let mut table = Table::set(Terms::default());
    table.plays("e2e4");
    table.does((White, Act::OfferDraw)).unwrap();
    let mut on = true;
    while table.does((Black, Act::Hints { on })).is_ok() {
        on = !on;
    }
    let mut agreed = table.clone();
    agreed.does((Black, Act::OfferDraw)).unwrap();
    assert_eq!(agreed.room.verdict(), Some(Verdict::Drawn(Why::Agreement)), "an offer can still be accepted");
    table.does((Black, Act::DeclineDraw)).unwrap();
    table.plays("e7e5 g1f3");
    assert_eq!(table.does((White, Act::OfferDraw)), Err(Refusal::TooLong));
    assert_eq!(table.does((Black, Act::OfferDraw)), Err(Refusal::TooLong));
    table.plays("b8c6");
    table.does((White, Act::Resign)).unwrap();
}
