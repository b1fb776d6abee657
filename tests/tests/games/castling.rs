use anyhow::Result;
use board::Meaning;
use chess::{Bitboard, Color, Position};
use serde_json::json;
use tests::panel::Panel;

use crate::together::{Manner, Together};

/// The board is empty when it is switched on, and says where pieces belong.
#[test]
fn white_castles_short_at_the_board_and_black_long_elsewhere() -> Result<()> {
    let Some(mut together) = Together::sit_down_at(Color::White, Panel::with(Bitboard::EMPTY)?, |wooden| wooden)?
    else {
        return Ok(());
    };
    let all = Position::start().occupied();
    let fill = board::Scene::EMPTY.with(Meaning::Fill, all);
    together.panel().shows("where pieces belong", fill)?;
    together.panel().set(all)?;

    together.ours("e2e4", Manner::Usual)?;
    together.theirs("d7d5")?;
    together.ours("e4d5", Manner::Usual)?;
    together.theirs("d8d5")?;
    together.ours("g1f3", Manner::Usual)?;
    together.theirs("c8g4")?;
    together.ours("f1e2", Manner::Usual)?;
    together.theirs("b8c6")?;
    together.ours("e1g1", Manner::Usual)?;
    together.theirs("e8c8")?;

    together.guest.say(&json!({"type": "resign"}))?;
    together.hears_end("surrender", "resignation")?;
    together.game.resign(Color::Black)?;
    together.is_kept()
}

/// The same game from the other side, with the rook first.
#[test]
fn black_castles_long_at_the_board_and_white_short_elsewhere() -> Result<()> {
    let Some(mut together) = Together::sit_down(Color::Black)? else { return Ok(()) };
    together.theirs("e2e4")?;
    together.ours("d7d5", Manner::Usual)?;
    together.theirs("e4d5")?;
    together.ours("d8d5", Manner::OwnPieceFirst)?;
    together.theirs("g1f3")?;
    together.ours("c8g4", Manner::Usual)?;
    together.theirs("f1e2")?;
    together.ours("b8c6", Manner::Usual)?;
    together.theirs("e1g1")?;
    together.ours("e8c8", Manner::RookFirst)?;
    together.is_kept()
}
