use anyhow::{Result, ensure};
use chess::{Color, DrawClaim, Square};

use crate::fixture::{GameFixture, MoveStyle};

/// Several games with different endings; setting up the pieces starts the next.
#[test]
fn plays_games_with_different_endings_and_rematches() -> Result<()> {
    let Some(mut fixture) = GameFixture::start(Color::Black)? else { return Ok(()) };

    // The player at the board gives checkmate.
    fixture.play_remotely("f2f3")?;
    fixture.play_at_board("e7e5", MoveStyle::Usual)?;
    fixture.play_remotely("g2g4")?;
    fixture.play_at_board("d8h4", MoveStyle::Usual)?;
    fixture.expect_end("black_win", "checkmate")?;
    ensure!(fixture.game.outcome().is_some());
    fixture.check_stored_game()?;

    // The player at the board is checkmated.
    fixture.rematch()?;
    fixture.play_at_board("f2f3", MoveStyle::Usual)?;
    fixture.play_remotely("e7e5")?;
    fixture.play_at_board("g2g4", MoveStyle::Usual)?;
    fixture.play_remotely("d8h4")?;
    fixture.expect_end("black_win", "checkmate")?;
    fixture.check_stored_game()?;

    // The player at the board resigns with the kings.
    fixture.rematch()?;
    fixture.play_remotely("g1f3")?;
    fixture.play_at_board("g8f6", MoveStyle::Usual)?;
    fixture.show_kings(Square::E4, Square::D5)?;
    fixture.expect_end("surrender", "resignation")?;
    fixture.game.resign(Color::Black)?;
    fixture.check_stored_game()?;

    // Threefold repetition, claimed with the kings.
    fixture.rematch()?;
    for _ in 0..2 {
        fixture.play_at_board("g1f3", MoveStyle::Usual)?;
        fixture.play_remotely("g8f6")?;
        fixture.play_at_board("f3g1", MoveStyle::Usual)?;
        fixture.play_remotely("f6g8")?;
    }
    fixture.show_kings(Square::D4, Square::D5)?;
    fixture.expect_end("stalemate", "threefold_repetition")?;
    fixture.game.claim_draw(DrawClaim::ThreefoldRepetition)?;
    fixture.check_stored_game()
}
