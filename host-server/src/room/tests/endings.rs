use super::table::{Black, Table, White, rematch, uci};
use crate::room::{Act, Fact, Phase, Refusal, Terms};
use chess::DrawClaim;
use rules::{Verdict, Why};

#[test]
fn checkmate_ends_the_game() {
    let mut table = Table::set(Terms::default());
    table.plays("f2f3 e7e5 g2g4 d8h4");
    let mate = Verdict::Won { winner: Black, why: Why::Checkmate };
    assert_eq!((table.room.phase(), table.room.verdict()), (Phase::Over, Some(mate)));
    assert_eq!(table.last_fact(), &Fact::Ended(mate.into()));
    assert_eq!(table.moves(White, "a2a3"), Err(Refusal::Over(mate)));
    assert_eq!(table.does((White, Act::Resign)), Err(Refusal::Over(mate)));
}

#[test]
fn rejects_moves_out_of_turn_of_other_pieces_and_illegal_ones() {
    let mut table = Table::set(Terms::default());
    assert_eq!(table.moves(Black, "e7e5"), Err(Refusal::NotYourTurn));
    assert_eq!(table.moves(White, "e7e5"), Err(Refusal::NotYourPiece));
    assert_eq!(table.moves(White, "e4e5"), Err(Refusal::NoPiece));
    assert_eq!(table.moves(White, "e2e5"), Err(Refusal::Illegal(uci("e2e5"))));
    let late = (White, Act::Move { ply: uci("e2e4"), number: Some(1) });
    assert_eq!(table.does(late), Err(Refusal::Stale));
    table.does((White, Act::Move { ply: uci("e2e4"), number: Some(0) })).unwrap();
}

#[test]
fn a_promotion_needs_a_piece() {
    let mut table = Table::from("7k/P7/8/8/8/8/8/K7 w - - 0 1");
    assert_eq!(table.moves(White, "a7a8"), Err(Refusal::NoPromotion(uci("a7a8"))));
    table.plays("a7a8n");
}

#[test]
fn a_player_can_resign_in_and_out_of_turn() {
    for loser in [White, Black] {
        let mut table = Table::set(Terms::default());
        table.does((loser, Act::Resign)).unwrap();
        assert_eq!(table.room.verdict(), Some(Verdict::Won { winner: !loser, why: Why::Resignation }));
    }
}

#[test]
fn a_game_can_be_aborted_until_both_players_have_moved() {
    for moves in ["", "e2e4"] {
        let mut table = Table::set(Terms::default());
        table.plays(moves);
        table.does((Black, Act::Abort)).unwrap();
        assert_eq!(table.room.verdict(), Some(Verdict::Aborted));
        assert_eq!(Verdict::Aborted.result(), "*");
    }
    let mut table = Table::set(Terms::default());
    table.plays("e2e4 e7e5");
    assert_eq!(table.does((White, Act::Abort)), Err(Refusal::TooLateToAbort));
}

#[test]
fn a_rematch_can_follow_an_aborted_game() {
    let mut table = Table::set(Terms::default());
    table.does((White, Act::Abort)).unwrap();
    table.does(rematch(White)).unwrap();
    table.does(rematch(Black)).unwrap();
    assert!(table.is_playing());
}

#[test]
fn threefold_repetition_is_a_draw_when_claimed() {
    let claim = DrawClaim::ThreefoldRepetition;
    let mut table = Table::set(Terms::default());
    table.plays("g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1");
    assert_eq!(table.does((White, Act::ClaimDraw { claim, with: None })), Err(Refusal::NotYourTurn));
    assert_eq!(table.does((Black, Act::ClaimDraw { claim, with: None })), Err(Refusal::NoClaim(claim)));
    let with = Some(uci("f6e4"));
    assert_eq!(table.does((Black, Act::ClaimDraw { claim, with })), Err(Refusal::NoClaim(claim)));
    assert!(table.is_playing());
    let with = Some(uci("f6g8"));
    table.does((Black, Act::ClaimDraw { claim, with })).unwrap();
    assert_eq!(table.room.verdict(), Some(Verdict::Drawn(Why::ThreefoldRepetition)));
    // The move was announced, and not played.
    assert_eq!(table.room.game().len(), 7);
}

#[test]
fn rejects_a_claim_with_an_illegal_move() {
    let mut table = Table::from("7k/8/8/8/8/8/R7/K7 w - - 99 80");
    let claim = DrawClaim::FiftyMoves;
    let illegal = uci("a2b3");
    let refused = table.does((White, Act::ClaimDraw { claim, with: Some(illegal) }));
    assert_eq!(refused, Err(Refusal::Illegal(illegal)));
    table.does((White, Act::ClaimDraw { claim, with: Some(uci("a2b2")) })).unwrap();
    assert_eq!(table.room.verdict(), Some(Verdict::Drawn(Why::FiftyMoves)));
}

#[test]
fn fivefold_repetition_is_a_draw_without_a_claim() {
    let mut table = Table::set(Terms::default());
    for _ in 0..4 {
        table.plays("g1f3 g8f6 f3g1 f6g8");
    }
    assert_eq!(table.room.verdict(), Some(Verdict::Drawn(Why::FivefoldRepetition)));
}

#[test]
fn a_game_from_a_final_position_is_over_at_once() {
    let mut table = Table::from("7k/5KQ1/8/8/8/8/8/8 b - - 0 1");
    let mate = Verdict::Won { winner: White, why: Why::Checkmate };
    assert_eq!((table.room.phase(), table.room.verdict()), (Phase::Over, Some(mate)));
    table.does(rematch(White)).unwrap();
    table.does(rematch(Black)).unwrap();
    assert_eq!((table.room.phase(), table.room.games()), (Phase::Over, 2));
}

#[test]
fn black_moves_first_if_the_start_position_says_so() {
    let mut table = Table::from("4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 b - - 0 1");
    assert_eq!(table.moves(White, "e2e4"), Err(Refusal::NotYourTurn));
    table.plays("e7e5 e2e4");
}

#[test]
fn every_ending_has_a_result_a_text_and_a_verdict_for_boards() {
    let endings = [
        (Verdict::Won { winner: White, why: Why::Checkmate }, "1-0"),
        (Verdict::Won { winner: Black, why: Why::Time }, "0-1"),
        (Verdict::Drawn(Why::Stalemate), "1/2-1/2"),
        (Verdict::Won { winner: Black, why: Why::Abandonment }, "0-1"),
        (Verdict::Abandoned, "*"),
        (Verdict::Aborted, "*"),
    ];
    for (ending, result) in endings {
        assert_eq!(ending.result(), result);
        assert!(!ending.to_string().is_empty());
        assert_eq!(ending.outcome().unwrap().winner(), ending.winner());
    }
}
