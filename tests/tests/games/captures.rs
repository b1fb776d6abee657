use std::time::Duration;

use anyhow::Result;
use board::Meaning;
use chess::{Bitboard, Color, Square};

use crate::fixture::{GameFixture, MoveStyle};
use tests::scenes;

/// Moves a piece to an illegal square, follows the lights back, and checks that they return to the still board.
fn make_illegal_move(fixture: &GameFixture, from: Square, to: Square) -> Result<()> {
    let panel = fixture.panel();
    let takes = panel.occupied().has(to);
    if takes {
        panel.lift(to)?;
        panel.pause()?;
    }
    fixture.pick_up(&[from])?;
    panel.place(to)?;
    let both = Bitboard::of(from) | Bitboard::of(to);
    let still = scenes::still(&fixture.game);
    panel.wait_for_scene("that it is not legal", still.with(Meaning::Illegal, both))?;
    let back = still.with(Meaning::WayBackFrom, Bitboard::of(to)).with(Meaning::WayBackTo, Bitboard::of(from));
    panel.holds_scene_for("the way back", back, Duration::from_millis(900))?;
    panel.move_piece(to, from)?;
    if takes {
        panel.place(to)?;
    }
    fixture.wait_until_still()
}

/// Captures in every order, en passant by both players, and a correction of an illegal move.
#[test]
fn captures_in_every_order_of_touches() -> Result<()> {
    let Some(mut fixture) = GameFixture::start(Color::White)? else { return Ok(()) };
    make_illegal_move(&fixture, Square::E2, Square::E5)?;
    fixture.play_at_board("e2e4", MoveStyle::Usual)?;
    fixture.play_remotely("a7a5")?;
    make_illegal_move(&fixture, Square::D1, Square::D7)?;
    fixture.play_at_board("e4e5", MoveStyle::Usual)?;
    fixture.play_remotely("d7d5")?;
    fixture.play_at_board("e5d6", MoveStyle::VictimLast)?;

    // The hand first makes another move than the one of the opponent.
    let (position, mv) = fixture.announce_remotely("c7d6")?;
    fixture.panel().move_piece(Square::B7, Square::B6)?;
    let wrong = scenes::opponents(&position, mv, &fixture.game)
        .with(Meaning::Illegal, Bitboard::of(Square::B7) | Bitboard::of(Square::B6));
    fixture.panel().wait_for_scene("that it is another move", wrong)?;
    fixture.panel().move_piece(Square::B6, Square::B7)?;
    fixture.panel().wait_for_scene("the move again", scenes::opponents(&position, mv, &fixture.game))?;
    fixture.follow(&position, mv)?;

    fixture.play_at_board("f1b5", MoveStyle::Slide)?;
    fixture.play_remotely("c8d7")?;
    fixture.play_at_board("b5d7", MoveStyle::Slide)?;
    fixture.play_remotely("d8d7")?;
    fixture.play_at_board("c2c4", MoveStyle::Usual)?;
    fixture.play_remotely("a5a4")?;
    fixture.play_at_board("b2b4", MoveStyle::Usual)?;
    fixture.play_remotely("a4b3")?;
    fixture.play_at_board("d1b3", MoveStyle::OwnPieceFirst)?;
    fixture.play_remotely("d7f5")?;
    fixture.play_at_board("b3b7", MoveStyle::Usual)?;
    fixture.play_remotely("f5b1")?;
    fixture.play_at_board("a1b1", MoveStyle::TwoHands)?;
    fixture.play_remotely("a8a2")?;
    fixture.play_at_board("b7b8", MoveStyle::Usual)?;
    fixture.check_stored_game()
}

/// The remaining orders of en passant.
#[test]
fn captures_en_passant_in_either_order() -> Result<()> {
    let Some(mut fixture) = GameFixture::start(Color::Black)? else { return Ok(()) };
    fixture.play_remotely("a2a3")?;
    fixture.play_at_board("d7d5", MoveStyle::Usual)?;
    fixture.play_remotely("a3a4")?;
    fixture.play_at_board("d5d4", MoveStyle::Usual)?;
    fixture.play_remotely("e2e4")?;
    fixture.play_at_board("d4e3", MoveStyle::OwnPieceFirst)?;
    fixture.play_remotely("f2e3")?;
    fixture.play_at_board("g7g5", MoveStyle::Usual)?;
    fixture.play_remotely("a4a5")?;
    fixture.play_at_board("g5g4", MoveStyle::Usual)?;
    fixture.play_remotely("h2h4")?;
    fixture.play_at_board("g4h3", MoveStyle::Usual)?;
    fixture.check_stored_game()
}
