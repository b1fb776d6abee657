//! Acts of board and opponent that cross, and false events of a board.

use board::Meaning;
use chess::{Color, DrawClaim, Move, Outcome, Square};
use rules::{Ply, Verdict, Why};
use wire::link::{Event, Seat};

use super::fixture::Fixture;
use crate::room::{Act, Offer, Phase, TakebackRequest, Terms, read_start};
use crate::words;

fn mv(text: &str) -> Move {
    text.parse().unwrap()
}

/// A game has started, and the board has received it.
fn begun(us: Color) -> Fixture {
    let mut fixture = Fixture::new(us, 5);
    fixture.settle();
    fixture.assert_agreement();
    fixture
}

#[test]
fn a_board_receives_the_game_with_its_names_and_plays_it() {
    let mut fixture = begun(Color::White);
    assert_eq!(fixture.board.seat(), Some(Seat::White));
    let info = fixture.board.info().unwrap();
    assert_eq!([info.white.as_str(), &info.black], ["Board", "Other"]);
    fixture.board.play(mv("e2e4"));
    fixture.settle();
    assert_eq!(fixture.moves(), [mv("e2e4")]);
    fixture.other_plays("e7e5");
    fixture.settle();
    fixture.board.follow();
    fixture.board.play(mv("g1f3"));
    fixture.settle();
    fixture.assert_agreement();
    assert_eq!((fixture.moves().len(), fixture.refused), (3, 0));
}

#[test]
fn a_board_that_lost_its_flash_receives_its_game() {
    let mut fixture = begun(Color::White);
    fixture.board.play(mv("e2e4"));
    fixture.settle();
    fixture.other_plays("e7e5");
    fixture.settle();
    fixture.cut();
    fixture.board.forget();
    assert_eq!(fixture.board.moves(), Some(&[][..]));
    fixture.settle();
    fixture.assert_agreement();
    assert_eq!(fixture.moves().len(), 2);
    assert_eq!(fixture.board.seat(), Some(Seat::White));
    fixture.board.follow();
    fixture.board.play(mv("g1f3"));
    fixture.settle();
    assert_eq!(fixture.moves().len(), 3);
}

#[test]
fn false_events_are_refused_and_the_board_receives_the_game_again() {
    let mut fixture = begun(Color::White);
    for event in [
        Event::Moved { number: 0, ply: Ply::of_move(mv("e2e5")), thought_ms: 0 },
        Event::Moved { number: 7, ply: Ply::of_move(mv("e2e4")), thought_ms: 0 },
        Event::TakenBack { plies: 1 },
        Event::Resigned { color: Color::Black },
        Event::DrawAnswered { accepted: true },
        Event::TakebackAnswered { accepted: true },
        Event::DrawClaimed { claim: DrawClaim::FiftyMoves, with: None },
    ] {
        fixture.board.queue_false_event(event);
        fixture.settle();
        assert_eq!(fixture.room.phase(), Phase::Playing, "{event:?}");
        fixture.assert_agreement();
        assert!(fixture.moves().is_empty());
    }
    // The relay decides how a game ends.
    fixture.board.queue_false_event(Event::Ended { verdict: Verdict::Drawn(Why::Stalemate) });
    fixture.settle();
    fixture.assert_agreement();
    fixture.board.play(mv("e2e4"));
    fixture.settle();
    assert_eq!(fixture.moves(), [mv("e2e4")]);
}

#[test]
fn kings_in_the_centre_resign() {
    let mut fixture = begun(Color::White);
    fixture.board.show_kings(true);
    fixture.settle();
    let verdict = fixture.room.verdict().unwrap();
    assert_eq!(verdict, Verdict::Won { winner: Color::Black, why: Why::Resignation });
    fixture.assert_agreement();
}

#[test]
fn a_resignation_that_crosses_a_move_still_receives_the_move() {
    let mut fixture = begun(Color::Black);
    fixture.other_plays("c2c4");
    // The move is in flight.
    fixture.store();
    while fixture.send_relay() {}
    fixture.board.show_kings(true);
    assert_eq!(fixture.board.moves(), Some(&[][..]));
    assert!(fixture.board.outcome().is_some());
    fixture.settle();
    assert_eq!(fixture.moves(), [mv("c2c4")]);
    assert_eq!(fixture.room.phase(), Phase::Over);
    fixture.assert_agreement();
}

#[test]
fn the_opponent_resigns() {
    let mut fixture = begun(Color::Black);
    fixture.other(Act::Resign).unwrap();
    fixture.settle();
    assert_eq!(fixture.board.outcome().unwrap().winner(), Some(Color::Black));
    fixture.assert_agreement();
}

#[test]
fn draws_are_offered_and_answered_by_both_sides() {
    // The board offers, the opponent declines; later the opponent offers, and the board accepts.
    let mut fixture = begun(Color::White);
    fixture.board.show_kings(false);
    fixture.settle();
    assert_eq!(fixture.room.draw_offer(), Some(Color::White));
    fixture.other(Act::DeclineDraw).unwrap();
    fixture.settle();
    fixture.board.play(mv("e2e4"));
    fixture.settle();
    fixture.other_plays("a7a6");
    fixture.settle();
    fixture.board.follow();
    fixture.board.play(mv("e4e5"));
    fixture.settle();
    fixture.other(Act::OfferDraw).unwrap();
    fixture.settle();
    // The pawn stands in the way of the kings' sign.
    fixture.other_plays("d7d6");
    fixture.settle();
    fixture.board.follow();
    fixture.board.play(mv("e5d6"));
    fixture.settle();
    assert_eq!(fixture.room.draw_offer(), None);
    fixture.other(Act::OfferDraw).unwrap();
    fixture.settle();
    fixture.board.show_kings(false);
    fixture.settle();
    assert_eq!(fixture.room.verdict().unwrap().why(), Some(Why::Agreement));
    fixture.assert_agreement();
}

#[test]
fn a_draw_offer_that_crosses_a_move_is_declined_on_both_sides() {
    let mut fixture = begun(Color::White);
    // Neither side has received the other's act.
    fixture.board.play(mv("e2e4"));
    fixture.other(Act::OfferDraw).unwrap();
    fixture.settle();
    assert_eq!((fixture.room.draw_offer(), fixture.moves().len()), (None, 1));
    // If the offer were still open on the board, the kings would accept it instead of offering a draw.
    fixture.other_plays("a7a6");
    fixture.settle();
    fixture.board.follow();
    fixture.board.play(mv("e4e5"));
    fixture.settle();
    fixture.other_plays("d7d6");
    fixture.settle();
    fixture.board.follow();
    fixture.board.play(mv("e5d6"));
    fixture.settle();
    fixture.board.show_kings(false);
    fixture.settle();
    assert_eq!(fixture.room.draw_offer(), Some(Color::White));
    assert_eq!(fixture.room.phase(), Phase::Playing);
    fixture.assert_agreement();
}

#[test]
fn takebacks_are_requested_and_granted_by_both_sides() {
    let mut fixture = begun(Color::White);
    fixture.board.play(mv("e2e4"));
    fixture.settle();
    fixture.board.let_go();
    // The board asks by taking the move back with the pieces.
    fixture.board.undo();
    fixture.settle();
    assert_eq!(fixture.room.takeback(), Some(TakebackRequest { by: Color::White, plies: 1 }));
    fixture.other(Act::AcceptTakeback { plies: 1 }).unwrap();
    fixture.settle();
    fixture.assert_agreement();
    assert!(fixture.moves().is_empty());
    fixture.board.follow();
    fixture.board.play(mv("d2d4"));
    fixture.settle();
    fixture.other_plays("d7d5");
    fixture.settle();
    fixture.board.follow();
    // The opponent asks, and the board grants it by taking the move back with the pieces.
    fixture.other(Act::AskTakeback { plies: 1 }).unwrap();
    fixture.settle();
    fixture.board.undo();
    fixture.settle();
    assert_eq!(fixture.moves(), [mv("d2d4")]);
    fixture.assert_agreement();
    assert_eq!(fixture.refused, 0);
}

/// The opponent asks for more at the moment in which the board grants what it shows.
#[test]
fn a_takeback_request_that_changes_while_it_is_granted_is_not_granted() {
    for has_relay_sent_it in [false, true] {
        let mut fixture = begun(Color::White);
        for (own, other) in [("e2e4", "e7e5"), ("g1f3", "b8c6")] {
            fixture.board.play(mv(own));
            fixture.settle();
            fixture.other_plays(other);
            fixture.settle();
            fixture.board.follow();
        }
        fixture.other(Act::AskTakeback { plies: 1 }).unwrap();
        fixture.settle();
        fixture.board.queue_false_event(Event::TakebackAnswered { accepted: true });
        fixture.other(Act::AskTakeback { plies: 4 }).unwrap();
        if has_relay_sent_it {
            fixture.store();
            while fixture.send_relay() {}
        }
        while fixture.send_board() {}
        while fixture.deliver_to_relay() {}
        fixture.settle();
        assert_eq!(fixture.moves().len(), 4, "{has_relay_sent_it}");
        assert_eq!(fixture.room.takeback(), Some(TakebackRequest { by: Color::Black, plies: 4 }));
        fixture.assert_agreement();
        // The board has received the new request by now, and can grant that.
        fixture.board.queue_false_event(Event::TakebackAnswered { accepted: true });
        fixture.settle();
        assert!(fixture.moves().is_empty(), "{has_relay_sent_it}");
    }
}

/// The board may have answered before it has received the withdrawal.
#[test]
fn an_offer_that_is_withdrawn_is_no_longer_lit_and_cannot_be_accepted() {
    let draw = (Act::OfferDraw, Offer::Draw, Square::E1, Meaning::DrawOffered);
    let takeback = (Act::AskTakeback { plies: 1 }, Offer::Takeback, Square::E7, Meaning::TakebackTo);
    for (asks, offer, square, meaning) in [draw, takeback] {
        for is_received in [false, true] {
            let mut fixture = begun(Color::White);
            fixture.board.play(mv("e2e4"));
            fixture.settle();
            fixture.other_plays("e7e5");
            fixture.settle();
            fixture.board.follow();
            fixture.other(asks.clone()).unwrap();
            fixture.settle();
            assert_eq!(fixture.board.light(square), Some(meaning));
            let accepts = match offer {
                Offer::Draw => Event::DrawAnswered { accepted: true },
                Offer::Takeback | Offer::Rematch => Event::TakebackAnswered { accepted: true },
            };
            if is_received {
                fixture.other(Act::Withdraw { offer }).unwrap();
                fixture.settle();
                assert_ne!(fixture.board.light(square), Some(meaning));
                fixture.board.queue_false_event(accepts);
            } else {
                fixture.board.queue_false_event(accepts);
                fixture.other(Act::Withdraw { offer }).unwrap();
                while fixture.send_board() {}
                while fixture.deliver_to_relay() {}
            }
            fixture.settle();
            assert_eq!(fixture.room.phase(), Phase::Playing, "{offer:?}");
            assert_eq!((fixture.room.draw_offer(), fixture.room.takeback(), fixture.moves().len()), (None, None, 2));
            assert_ne!(fixture.board.light(square), Some(meaning), "{offer:?}");
            fixture.assert_agreement();
            // The game goes on.
            fixture.board.follow();
            fixture.board.play(mv("g1f3"));
            fixture.settle();
            assert_eq!(fixture.moves().len(), 3, "{offer:?}");
        }
    }
}

#[test]
fn a_move_whose_piece_is_lifted_again_is_corrected() {
    let mut fixture = begun(Color::White);
    fixture.board.play(mv("e2e4"));
    fixture.settle();
    assert_eq!(fixture.moves(), [mv("e2e4")]);
    fixture.board.undo();
    fixture.settle();
    assert!(fixture.moves().is_empty());
    assert_eq!(fixture.room.takeback(), None);
    fixture.board.play(mv("d2d4"));
    fixture.settle();
    assert_eq!(fixture.moves(), [mv("d2d4")]);
    fixture.assert_agreement();
    assert_eq!(fixture.refused, 0);
}

#[test]
fn a_correction_that_crosses_the_reply_is_refused() {
    let mut fixture = begun(Color::White);
    fixture.board.play(mv("e2e4"));
    fixture.settle();
    // The reply is in the room, and the board has not received it yet.
    fixture.other_plays("e7e5");
    fixture.board.undo();
    fixture.settle();
    assert_eq!(fixture.moves(), [mv("e2e4"), mv("e7e5")]);
    fixture.assert_agreement();
}

#[test]
fn a_declined_takeback_ends_on_the_board() {
    let mut fixture = begun(Color::White);
    fixture.board.play(mv("e2e4"));
    fixture.settle();
    fixture.board.let_go();
    fixture.board.undo();
    fixture.settle();
    fixture.other(Act::DeclineTakeback).unwrap();
    fixture.settle();
    fixture.assert_agreement();
    fixture.board.follow();
    fixture.other_plays("e7e5");
    fixture.settle();
    fixture.assert_agreement();
    // It can be asked again.
    fixture.board.follow();
    fixture.board.undo();
    fixture.settle();
    assert!(fixture.room.takeback().is_some());
}

#[test]
fn a_draw_offer_reaches_a_board_that_reconnects() {
    let mut fixture = begun(Color::Black);
    fixture.cut();
    fixture.other_plays("e2e4");
    fixture.other(Act::OfferDraw).unwrap();
    fixture.board.restart(true);
    fixture.settle();
    fixture.board.follow();
    fixture.assert_agreement();
    fixture.cut();
    fixture.board.restart(true);
    fixture.settle();
    fixture.board.follow();
    // The pawn on e4 is in the way of the kings.
    fixture.board.queue_false_event(Event::DrawAnswered { accepted: true });
    fixture.settle();
    assert_eq!(fixture.room.verdict().unwrap().why(), Some(Why::Agreement));
}

#[test]
fn setting_up_the_pieces_after_a_game_offers_a_rematch() {
    let mut fixture = begun(Color::White);
    fixture.board.play(mv("e2e4"));
    fixture.settle();
    fixture.other(Act::Resign).unwrap();
    fixture.settle();
    assert_eq!(fixture.room.rematch(), None);
    fixture.board.set_up();
    fixture.settle();
    assert_eq!(fixture.room.rematch(), Some(Color::White));
    fixture.other(Act::OfferRematch).unwrap();
    assert_eq!(fixture.room.phase(), Phase::Playing);
    fixture.settle();
    // The sides are swapped.
    assert_eq!((fixture.us, fixture.board.seat()), (Color::Black, Some(Seat::Black)));
    fixture.other_plays("e2e4");
    fixture.settle();
    fixture.board.follow();
    fixture.board.play(mv("e7e5"));
    fixture.settle();
    fixture.assert_agreement();
    assert_eq!(fixture.moves().len(), 2);
}

#[test]
fn a_board_receives_an_offered_rematch_until_it_is_withdrawn() {
    let mut fixture = begun(Color::White);
    fixture.board.play(mv("e2e4"));
    fixture.settle();
    fixture.other(Act::Resign).unwrap();
    fixture.settle();
    assert_eq!(fixture.board.live.map(|live| live.rematch), Some(false));
    fixture.other(Act::OfferRematch).unwrap();
    fixture.settle();
    assert_eq!(fixture.board.live.map(|live| live.rematch), Some(true));
    fixture.cut();
    fixture.board.live = None;
    fixture.settle();
    assert_eq!(fixture.board.live.map(|live| live.rematch), Some(true), "after a reconnect, too");
    fixture.other(Act::Withdraw { offer: Offer::Rematch }).unwrap();
    fixture.settle();
    assert_eq!(fixture.board.live.map(|live| live.rematch), Some(false));
}

#[test]
fn a_board_does_not_offer_a_rematch_after_an_aborted_game() {
    for moves in [&[][..], &["e2e4"]] {
        let mut fixture = begun(Color::Black);
        for mv in moves {
            fixture.other_plays(mv);
            fixture.settle();
        }
        fixture.other(Act::Abort).unwrap();
        fixture.settle();
        assert_eq!(fixture.room.verdict(), Some(Verdict::Aborted));
        // The pieces still stand on the start squares, so the board starts a local game.
        fixture.board.wait(1_500);
        fixture.settle();
        assert_eq!(fixture.board.seat(), Some(Seat::Both), "after {moves:?}");
        assert_eq!((fixture.room.phase(), fixture.room.rematch()), (Phase::Over, None), "after {moves:?}");
        // A rematch that the opponent offers is accepted, since the pieces are set up.
        fixture.other(Act::OfferRematch).unwrap();
        fixture.settle();
        assert_eq!(fixture.room.phase(), Phase::Playing);
    }
}

#[test]
fn a_rematch_after_a_game_without_moves_needs_no_set_up() {
    let mut fixture = begun(Color::White);
    fixture.other(Act::Resign).unwrap();
    fixture.settle();
    assert_eq!(fixture.room.rematch(), None);
    fixture.other(Act::OfferRematch).unwrap();
    fixture.settle();
    assert_eq!((fixture.room.phase(), fixture.board.seat()), (Phase::Playing, Some(Seat::Black)));
}

#[test]
fn a_board_of_a_relay_without_its_record_receives_the_game() {
    let mut fixture = begun(Color::White);
    fixture.board.play(mv("e2e4"));
    fixture.settle();
    fixture.cut();
    // The relay loses its record, and has only the room.
    let seat = fixture.relay_session.seat().cloned().unwrap();
    fixture.relay_session = crate::dialect::board::RelaySession::new(77);
    fixture.relay_session.seek(seat, None);
    fixture.relay_session.sat_down(fixture.room.id());
    fixture.other_plays("e7e5");
    fixture.settle();
    fixture.assert_agreement();
    assert_eq!(fixture.moves().len(), 2);
}

#[test]
fn an_act_that_is_in_the_room_but_not_in_the_record_is_not_sent_back() {
    let mut fixture = begun(Color::White);
    fixture.board.play(mv("d2d4"));
    fixture.settle();
    fixture.other_plays("d7d5");
    fixture.settle();
    fixture.board.follow();
    fixture.other(Act::AskTakeback { plies: 1 }).unwrap();
    fixture.settle();
    let renewed = |fixture: &Fixture| fixture.relay_session.record().memory().renewed;
    let before = renewed(&fixture);
    // The board grants the takeback. The room has it when the relay crashes.
    fixture.board.undo();
    fixture.board.store();
    while fixture.send_board() {}
    while fixture.deliver_to_relay() {}
    assert_eq!(fixture.moves(), [mv("d2d4")]);
    fixture.crash_relay();
    fixture.settle();
    fixture.assert_agreement();
    assert_eq!(fixture.moves(), [mv("d2d4")]);
    assert_eq!((renewed(&fixture), fixture.refused), (before, 0), "no snapshot was needed");
}

/// A claimed draw is not one by agreement: on the board, at `/board`, and in the journal after a power cut.
#[test]
fn a_draw_that_the_opponent_claims_reaches_the_journal_and_the_headline_of_the_board() {
    let claims = [
        (None, "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1", Some("f6g8"), DrawClaim::ThreefoldRepetition),
        (Some("7k/8/8/8/8/8/8/R6K w - - 99 80"), "a1a2", None, DrawClaim::FiftyMoves),
    ];
    for (start, moves, announced, claim) in claims {
        let start = read_start(None, start.map(str::to_owned)).unwrap();
        let terms = Terms { start: Some(Box::new(start)), ..Terms::default() };
        let mut fixture = Fixture::under(terms, Color::White, 5);
        fixture.settle();
        fixture.board.follow();
        for (ply, text) in moves.split(' ').enumerate() {
            if ply % 2 == 0 {
                fixture.board.play(mv(text));
                fixture.settle();
            } else {
                fixture.other_plays(text);
                fixture.settle();
                fixture.board.follow();
            }
        }
        let with = announced.map(|text| Ply::of_move(mv(text)));
        fixture.other(Act::ClaimDraw { claim, with }).unwrap();
        fixture.settle();
        let expected = format!("1/2-1/2: draw by {claim}");
        assert_eq!(words::headline(fixture.board.game().unwrap()), expected);
        fixture.board.store();
        fixture.board.restart(true);
        assert_eq!(words::headline(fixture.board.game().unwrap()), expected, "in the journal");
        assert_eq!(fixture.board.outcome(), Some(Outcome::Draw(claim.reason())));
    }
}
