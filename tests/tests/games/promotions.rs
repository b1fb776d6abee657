use anyhow::Result;
use board::{Meaning, Scene};
use chess::{Bitboard, Color, Square};
use serde_json::json;

use crate::together::{Manner, Together};
use tests::scenes;

/// Pawns of both sides become all that they can; what ours become is chosen by touch. Then the board offers a draw.
#[test]
fn pawns_become_whatever_is_touched_and_a_draw_is_offered_by_the_kings() -> Result<()> {
    let Some(mut together) = Together::sit_down(Color::White)? else { return Ok(()) };
    for (ours, theirs) in [
        ("h2h4", "a7a5"),
        ("h4h5", "a5a4"),
        ("h5h6", "a4a3"),
        ("h6g7", "a3b2"),
        ("g7h8q", "b2a1n"),
        ("a2a4", "h7h5"),
        ("a4a5", "h5h4"),
        ("a5a6", "h4h3"),
        ("a6b7", "h3g2"),
        ("b7c8n", "g2h1r"),
    ] {
        together.ours(ours, Manner::Usual)?;
        together.theirs(theirs)?;
    }

    together.show_kings(Square::E4, Square::E5)?;
    together
        .guest
        .hear("the offer", |said| said["type"] == "offer" && said["kind"] == "draw" && said["color"] == "white")?;
    let waiting = scenes::still(&together.game).with(Meaning::Busy, Bitboard::of(Square::E1));
    together.panel().shows("that the board waits for an answer", waiting)?;
    together.guest.say(&json!({"type": "draw", "action": "accept"}))?;
    together.hears_end("stalemate", "agreement")?;
    together.game.agree_draw()?;
    together.is_kept()
}

/// The same at the other side, where pawns become the other two. Then a draw is offered elsewhere.
#[test]
fn pawns_of_black_do_so_too_and_an_offer_is_answered_by_the_kings() -> Result<()> {
    let Some(mut together) = Together::sit_down(Color::Black)? else { return Ok(()) };
    for (theirs, ours) in [
        ("h2h4", "a7a5"),
        ("h4h5", "a5a4"),
        ("h5h6", "a4a3"),
        ("h6g7", "a3b2"),
        ("g7h8b", "b2a1r"),
        ("a2a4", "h7h5"),
        ("a4a5", "h5h4"),
        ("a5a6", "h4h3"),
        ("a6b7", "h3g2"),
        ("b7c8q", "g2f1b"),
    ] {
        together.theirs(theirs)?;
        together.ours(ours, Manner::OwnPieceFirst)?;
    }

    together.guest.say(&json!({"type": "draw", "action": "offer"}))?;
    let kings = Bitboard::of(Square::E1) | Bitboard::of(Square::E8);
    let offered: Scene = scenes::still(&together.game).with(Meaning::DrawOffered, kings);
    together.panel().shows("the offer", offered)?;
    for (king, to) in [(Square::E1, Square::D4), (Square::E8, Square::D5)] {
        together.panel().carry(king, to)?;
    }
    together.hears_end("stalemate", "agreement")?;
    together.game.agree_draw()?;
    together.is_kept()
}
