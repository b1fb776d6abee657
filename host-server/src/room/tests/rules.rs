//! A room under other rules than chess. Breakthrough is built for tests only.

use chess::DrawClaim;
use rules::{Start, Verdict, Why};
use wire::link::ClockRule;

use super::table::{Black, Table, White, rematch, uci};
use crate::room::{Act, Entry, Phase, Refusal, Room, Terms};

const WHITE_WINS: &str = "a2a3 h7h6 a3a4 h6h5 a4a5 h5h4 a5a6 h4h3 a6b7 h3g2 b7a8";

fn breakthrough() -> Terms {
    Terms { start: Some(Box::new(Start::Breakthrough)), ..Terms::default() }
}

#[test]
fn a_whole_game_ends_by_its_own_rules() {
    let mut table = Table::set(breakthrough());
    assert_eq!(table.moves(White, "e2e4"), Err(Refusal::Illegal(uci("e2e4"))));
    assert_eq!(table.moves(White, "h7h6"), Err(Refusal::NotYourPiece));
    assert_eq!(table.moves(Black, "h7h6"), Err(Refusal::NotYourTurn));
    table.plays(WHITE_WINS);
    let won = Verdict::Won { winner: White, why: Why::Rules };
    assert_eq!((table.room.phase(), table.room.verdict()), (Phase::Over, Some(won)));
    assert_eq!(table.moves(Black, "g2h1"), Err(Refusal::Over(won)));
    table.does(rematch(White)).unwrap();
    table.does(rematch(Black)).unwrap();
    assert_eq!((table.room.phase(), table.room.game().start()), (Phase::Playing, Start::Breakthrough));
}

#[test]
fn the_stored_log_gives_the_same_room() {
    let mut table = Table::set(breakthrough());
    table.plays("e2e3 d7d6 e3e4 d6d5 e4d5");
    table.does((Black, Act::AskTakeback { plies: 2 })).unwrap();
    table.does((White, Act::AcceptTakeback { plies: 2 })).unwrap();
    assert_eq!((table.room.game().len(), table.room.game().to_move()), (3, Black));
    table.plays("d6d5 e4e5");
    table.does((Black, Act::Resign)).unwrap();
    let lines: Vec<String> = table.log.iter().map(|entry| serde_json::to_string(entry).unwrap()).collect();
    let log: Vec<Entry> = lines.iter().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(Room::from_log(&log), Some(table.room));
}

#[test]
fn claims_of_chess_are_refused() {
    let mut table = Table::set(breakthrough());
    let claim = DrawClaim::FiftyMoves;
    let refused = Err(Refusal::NoClaim(claim));
    assert_eq!(table.does((White, Act::ClaimDraw { claim, with: None })), refused);
    assert_eq!(table.does((White, Act::ClaimDraw { claim, with: Some(uci("e2e3")) })), refused);
}

#[test]
fn a_flag_fall_always_loses() {
    let clock = Some(ClockRule { base_ms: 1_000, increment_ms: 0 });
    let mut table = Table::set(Terms { clock, ..breakthrough() });
    table.plays("e2e3 d7d6");
    table.passes(1_000).ticks();
    assert_eq!(table.room.verdict(), Some(Verdict::Won { winner: Black, why: Why::Time }));
}
