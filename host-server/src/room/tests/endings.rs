use super::table::{Black, Table, White, rematch, uci};
use crate::room::{Command, Ending, Fact, Phase, Reason, Refusal, Terms};
use chess::DrawClaim;

#[test]
fn mate_ends_the_game_with_the_move_that_gives_it() {
    let mut table = Table::set(Terms::default());
    table.plays("f2f3 e7e5 g2g4 d8h4");
    let mate = Ending { reason: Reason::Checkmate, winner: Some(Black) };
    assert_eq!((table.room.phase(), table.room.ending()), (Phase::Over, Some(mate)));
    assert_eq!(table.last_fact(), &Fact::Ended(mate));
    assert_eq!(table.moves(White, "a2a3"), Err(Refusal::Over(mate)));
    assert_eq!(table.does(Command::Resign(White)), Err(Refusal::Over(mate)));
}

#[test]
fn moves_are_judged_by_the_rules() {
    let mut table = Table::set(Terms::default());
    assert_eq!(table.moves(Black, "e7e5"), Err(Refusal::NotYourTurn));
    assert_eq!(table.moves(White, "e7e5"), Err(Refusal::NotYourPiece));
    assert_eq!(table.moves(White, "e4e5"), Err(Refusal::NotYourPiece));
    assert_eq!(table.moves(White, "e2e5"), Err(Refusal::Illegal(uci("e2e5"))));
    let late = Command::Move { color: White, mv: uci("e2e4"), ply: Some(1) };
    assert_eq!(table.does(late), Err(Refusal::Stale));
    table.does(Command::Move { color: White, mv: uci("e2e4"), ply: Some(0) }).unwrap();
}

#[test]
fn a_pawn_has_to_say_what_it_becomes() {
    let mut table = Table::from("7k/P7/8/8/8/8/8/K7 w - - 0 1");
    assert_eq!(table.moves(White, "a7a8"), Err(Refusal::NoPromotion(uci("a7a8"))));
    table.plays("a7a8n");
}

#[test]
fn who_gives_up_loses_in_or_out_of_turn() {
    for loser in [White, Black] {
        let mut table = Table::set(Terms::default());
        table.does(Command::Resign(loser)).unwrap();
        assert_eq!(table.room.ending(), Some(Ending { reason: Reason::Resignation, winner: Some(!loser) }));
    }
}

#[test]
fn a_game_can_be_called_off_until_both_have_moved() {
    for moves in ["", "e2e4"] {
        let mut table = Table::set(Terms::default());
        table.plays(moves);
        table.does(Command::Abort(Black)).unwrap();
        assert_eq!(table.room.ending(), Some(Ending::ABORTED));
        assert_eq!(Ending::ABORTED.result(), "*");
    }
    let mut table = Table::set(Terms::default());
    table.plays("e2e4 e7e5");
    assert_eq!(table.does(Command::Abort(White)), Err(Refusal::TooLateToAbort));
}

#[test]
fn a_game_that_was_called_off_can_be_played_again() {
    let mut table = Table::set(Terms::default());
    table.does(Command::Abort(White)).unwrap();
    table.does(rematch(White)).unwrap();
    table.does(rematch(Black)).unwrap();
    assert!(table.is_playing());
}

#[test]
fn a_repetition_is_a_draw_if_it_is_claimed() {
    let claim = DrawClaim::ThreefoldRepetition;
    let mut table = Table::set(Terms::default());
    table.plays("g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1");
    assert_eq!(table.does(Command::ClaimDraw { color: White, claim, with: None }), Err(Refusal::NotYourTurn));
    assert_eq!(table.does(Command::ClaimDraw { color: Black, claim, with: None }), Err(Refusal::NoClaim(claim)));
    let with = Some(uci("f6e4"));
    assert_eq!(table.does(Command::ClaimDraw { color: Black, claim, with }), Err(Refusal::NoClaim(claim)));
    assert!(table.is_playing());
    let with = Some(uci("f6g8"));
    table.does(Command::ClaimDraw { color: Black, claim, with }).unwrap();
    assert_eq!(table.room.ending(), Some(Ending { reason: Reason::ThreefoldRepetition, winner: None }));
    // The move was announced, and not played.
    assert_eq!(table.room.game().moves().len(), 7);
}

#[test]
fn a_draw_cannot_be_claimed_with_a_move_that_cannot_be_played() {
    let mut table = Table::from("7k/8/8/8/8/8/R7/K7 w - - 99 80");
    let claim = DrawClaim::FiftyMoves;
    let illegal = uci("a2b3");
    let refused = table.does(Command::ClaimDraw { color: White, claim, with: Some(illegal) });
    assert_eq!(refused, Err(Refusal::Illegal(illegal)));
    table.does(Command::ClaimDraw { color: White, claim, with: Some(uci("a2b2")) }).unwrap();
    assert_eq!(table.room.ending(), Some(Ending { reason: Reason::FiftyMoves, winner: None }));
}

#[test]
fn the_fifth_repetition_needs_no_claim() {
    let mut table = Table::set(Terms::default());
    for _ in 0..4 {
        table.plays("g1f3 g8f6 f3g1 f6g8");
    }
    assert_eq!(table.room.ending(), Some(Ending { reason: Reason::FivefoldRepetition, winner: None }));
}

#[test]
fn a_game_that_begins_where_it_ends_is_over_at_once_every_time() {
    let mut table = Table::from("7k/5KQ1/8/8/8/8/8/8 b - - 0 1");
    let mate = Ending { reason: Reason::Checkmate, winner: Some(White) };
    assert_eq!((table.room.phase(), table.room.ending()), (Phase::Over, Some(mate)));
    table.does(rematch(White)).unwrap();
    table.does(rematch(Black)).unwrap();
    assert_eq!((table.room.phase(), table.room.games()), (Phase::Over, 2));
}

#[test]
fn a_start_that_is_no_position_is_the_start_of_chess() {
    let mut table = Table::from("no such thing");
    table.plays("e2e4");
}

#[test]
fn black_may_begin() {
    let mut table = Table::from("4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 b - - 0 1");
    assert_eq!(table.moves(White, "e2e4"), Err(Refusal::NotYourTurn));
    table.plays("e7e5 e2e4");
}

#[test]
fn every_ending_can_be_told_to_people_boards_and_pgn() {
    let endings = [
        (Ending { reason: Reason::Checkmate, winner: Some(White) }, "1-0"),
        (Ending { reason: Reason::Time, winner: Some(Black) }, "0-1"),
        (Ending { reason: Reason::Stalemate, winner: None }, "1/2-1/2"),
        (Ending::disconnect(Some(Black)), "0-1"),
        (Ending::disconnect(None), "*"),
        (Ending::ABORTED, "*"),
    ];
    for (ending, result) in endings {
        assert_eq!(ending.result(), result);
        assert!(!ending.to_string().is_empty());
        assert_eq!(ending.for_board().winner(), ending.winner);
        assert!(ending.outcome().is_none_or(|outcome| Ending::from(outcome) == ending));
    }
}
