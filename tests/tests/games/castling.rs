use anyhow::Result;
use board::Meaning;
use chess::{Bitboard, Color, Position};
use serde_json::json;
use tests::panel::Panel;

use crate::fixture::{GameFixture, MoveStyle};

/// The board starts without pieces, and its lights show where they belong.
#[test]
fn castles_short_at_the_board_and_long_remotely() -> Result<()> {
    let Some(mut fixture) = GameFixture::start_with_board(Color::White, Panel::with(Bitboard::EMPTY)?, |board| board)?
    else {
        return Ok(());
    };
    let all = Position::start().occupied();
    let fill = board::Scene::EMPTY.with(Meaning::Fill, all);
    fixture.panel().wait_for_scene("where pieces belong", fill)?;
    fixture.panel().set(all)?;

    fixture.play_at_board("e2e4", MoveStyle::Usual)?;
    fixture.play_remotely("d7d5")?;
    fixture.play_at_board("e4d5", MoveStyle::Usual)?;
    fixture.play_remotely("d8d5")?;
    fixture.play_at_board("g1f3", MoveStyle::Usual)?;
    fixture.play_remotely("c8g4")?;
    fixture.play_at_board("f1e2", MoveStyle::Usual)?;
    fixture.play_remotely("b8c6")?;
    fixture.play_at_board("e1g1", MoveStyle::Usual)?;
    fixture.play_remotely("e8c8")?;

    fixture.guest.send(&json!({"type": "resign"}))?;
    fixture.expect_end("surrender", "resignation")?;
    fixture.game.resign(Color::Black)?;
    fixture.check_stored_game()
}

/// The same game from the other side, with the rook first.
#[test]
fn castles_long_at_the_board_rook_first_and_short_remotely() -> Result<()> {
    let Some(mut fixture) = GameFixture::start(Color::Black)? else { return Ok(()) };
    fixture.play_remotely("e2e4")?;
    fixture.play_at_board("d7d5", MoveStyle::Usual)?;
    fixture.play_remotely("e4d5")?;
    fixture.play_at_board("d8d5", MoveStyle::OwnPieceFirst)?;
    fixture.play_remotely("g1f3")?;
    fixture.play_at_board("c8g4", MoveStyle::Usual)?;
    fixture.play_remotely("f1e2")?;
    fixture.play_at_board("b8c6", MoveStyle::Usual)?;
    fixture.play_remotely("e1g1")?;
    fixture.play_at_board("e8c8", MoveStyle::RookFirst)?;
    fixture.check_stored_game()
}
