use anyhow::Result;
use board::Meaning;
use chess::{Bitboard, Color, Square};
use serde_json::{Value, json};

use crate::together::{Manner, Together};
use tests::scenes;

#[test]
fn moves_are_taken_back_if_the_other_agrees() -> Result<()> {
    let Some(mut together) = Together::sit_down(Color::White)? else { return Ok(()) };
    let is_offer = |said: &Value| said["type"] == "offer" && said["kind"] == "takeback";
    together.ours("e2e4", Manner::Usual)?;
    together.theirs("e7e5")?;

    // The other one asks, and the hand does it.
    together.guest.say(&json!({"type": "takeback", "action": "ask", "plies": 1}))?;
    let asked = scenes::still(&together.game)
        .with(Meaning::TakebackFrom, Bitboard::of(Square::E5))
        .with(Meaning::TakebackTo, Bitboard::of(Square::E7));
    together.panel().shows("what is to be taken back", asked)?;
    together.panel().carry(Square::E5, Square::E7)?;
    together.game.take_back();
    together.guest.hear_ply(1)?;
    together.is_still()?;

    // The hand asks by doing it, and the other one agrees.
    together.panel().carry(Square::E4, Square::E2)?;
    together.guest.hear("that the board would take back", is_offer)?;
    let waiting = scenes::still(&together.game).with(Meaning::Busy, Bitboard::of(Square::E1));
    together.panel().shows("that the board waits for an answer", waiting)?;
    together.guest.say(&json!({"type": "takeback", "action": "accept"}))?;
    together.guest.hear_ply(0)?;
    together.game.take_back();
    together.is_still()?;

    // And once more, but now the other one does not, and the lights lead back.
    together.ours("d2d4", Manner::Usual)?;
    together.panel().carry(Square::D4, Square::D2)?;
    together.guest.hear("that the board would take back", is_offer)?;
    together.guest.say(&json!({"type": "takeback", "action": "decline"}))?;
    let guide = scenes::still(&together.game)
        .with(Meaning::Fill, Bitboard::of(Square::D4))
        .with(Meaning::Clear, Bitboard::of(Square::D2));
    together.panel().shows("the way back to the game", guide)?;
    together.panel().carry(Square::D2, Square::D4)?;
    together.is_still()?;
    together.theirs("d7d5")?;
    together.is_kept()
}
