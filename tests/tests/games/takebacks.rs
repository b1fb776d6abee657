use std::thread;
use std::time::Duration;

use anyhow::Result;
use board::Meaning;
use chess::{Bitboard, Color, Square};
use serde_json::{Value, json};

use crate::fixture::{GameFixture, MoveStyle};
use tests::scenes;

/// Longer than a board corrects a move that it has sent.
const CORRECTION_WINDOW: Duration = Duration::from_millis(3_500);

#[test]
fn takes_moves_back_if_the_opponent_agrees() -> Result<()> {
    let Some(mut fixture) = GameFixture::start(Color::White)? else { return Ok(()) };
    let is_offer = |said: &Value| said["type"] == "offer" && said["kind"] == "takeback";
    fixture.play_at_board("e2e4", MoveStyle::Usual)?;
    fixture.play_remotely("e7e5")?;

    // The opponent asks, and the hand takes back.
    fixture.guest.send(&json!({"type": "takeback", "action": "ask", "plies": 1}))?;
    let asked = scenes::still(&fixture.game)
        .with(Meaning::TakebackFrom, Bitboard::of(Square::E5))
        .with(Meaning::TakebackTo, Bitboard::of(Square::E7));
    fixture.panel().wait_for_scene("what is to be taken back", asked)?;
    fixture.panel().move_piece(Square::E5, Square::E7)?;
    fixture.game.take_back();
    fixture.guest.wait_for_ply(1)?;
    fixture.wait_until_still()?;

    // The hand takes back, and the opponent agrees.
    fixture.panel().move_piece(Square::E4, Square::E2)?;
    fixture.guest.receive("that the board would take back", is_offer)?;
    let waiting = scenes::still(&fixture.game).with(Meaning::Busy, Bitboard::of(Square::E1));
    fixture.panel().wait_for_scene("that the board waits for an answer", waiting)?;
    fixture.guest.send(&json!({"type": "takeback", "action": "accept"}))?;
    fixture.guest.wait_for_ply(0)?;
    fixture.game.take_back();
    fixture.wait_until_still()?;

    // The opponent declines, and the lights lead back.
    fixture.play_at_board("d2d4", MoveStyle::Usual)?;
    // Until then it would be corrected, for which no opponent is asked.
    thread::sleep(CORRECTION_WINDOW);
    fixture.panel().move_piece(Square::D4, Square::D2)?;
    fixture.guest.receive("that the board would take back", is_offer)?;
    fixture.guest.send(&json!({"type": "takeback", "action": "decline"}))?;
    let guide = scenes::still(&fixture.game)
        .with(Meaning::Fill, Bitboard::of(Square::D4))
        .with(Meaning::Clear, Bitboard::of(Square::D2));
    fixture.panel().wait_for_scene("the way back to the game", guide)?;
    fixture.panel().move_piece(Square::D2, Square::D4)?;
    fixture.wait_until_still()?;
    fixture.play_remotely("d7d5")?;
    fixture.check_stored_game()
}
