use anyhow::Result;
use board::{Meaning, Scene};
use chess::{Bitboard, Color, Square};
use serde_json::json;

use crate::fixture::{GameFixture, MoveStyle};
use tests::scenes;

/// Promotions by both sides, chosen by touch at the board. Then the board offers a draw.
#[test]
fn promotes_by_touch_and_offers_a_draw_with_the_kings() -> Result<()> {
    let Some(mut fixture) = GameFixture::start(Color::White)? else { return Ok(()) };
    for (play_at_board, play_remotely) in [
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
        fixture.play_at_board(play_at_board, MoveStyle::Usual)?;
        fixture.play_remotely(play_remotely)?;
    }

    fixture.show_kings(Square::E4, Square::E5)?;
    fixture
        .guest
        .receive("the offer", |said| said["type"] == "offer" && said["kind"] == "draw" && said["color"] == "white")?;
    let waiting = scenes::still(&fixture.game).with(Meaning::Busy, Bitboard::of(Square::E1));
    fixture.panel().wait_for_scene("that the board waits for an answer", waiting)?;
    fixture.guest.send(&json!({"type": "draw", "action": "accept"}))?;
    fixture.expect_end("stalemate", "agreement")?;
    fixture.game.agree_draw()?;
    fixture.check_stored_game()
}

/// The other two promotions as Black. Then the remote player offers a draw.
#[test]
fn promotes_as_black_and_accepts_a_draw_with_the_kings() -> Result<()> {
    let Some(mut fixture) = GameFixture::start(Color::Black)? else { return Ok(()) };
    for (play_remotely, play_at_board) in [
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
        fixture.play_remotely(play_remotely)?;
        fixture.play_at_board(play_at_board, MoveStyle::OwnPieceFirst)?;
    }

    fixture.guest.send(&json!({"type": "draw", "action": "offer"}))?;
    let kings = Bitboard::of(Square::E1) | Bitboard::of(Square::E8);
    let offered: Scene = scenes::still(&fixture.game).with(Meaning::DrawOffered, kings);
    fixture.panel().wait_for_scene("the offer", offered)?;
    for (king, to) in [(Square::E1, Square::D4), (Square::E8, Square::D5)] {
        fixture.panel().move_piece(king, to)?;
    }
    fixture.expect_end("stalemate", "agreement")?;
    fixture.game.agree_draw()?;
    fixture.check_stored_game()
}
