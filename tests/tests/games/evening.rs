use anyhow::{Result, ensure};
use chess::{Color, DrawClaim, Square};

use crate::together::{Manner, Together};

/// One game after the other, each ended in another way, and each begun by setting up the pieces.
#[test]
fn an_evening_of_short_games() -> Result<()> {
    let Some(mut together) = Together::sit_down(Color::Black)? else { return Ok(()) };

    // The board mates.
    together.theirs("f2f3")?;
    together.ours("e7e5", Manner::Usual)?;
    together.theirs("g2g4")?;
    together.ours("d8h4", Manner::Usual)?;
    together.hears_end("black_win", "checkmate")?;
    ensure!(together.game.outcome().is_some());
    together.is_kept()?;

    // The board is mated.
    together.once_more()?;
    together.ours("f2f3", Manner::Usual)?;
    together.theirs("e7e5")?;
    together.ours("g2g4", Manner::Usual)?;
    together.theirs("d8h4")?;
    together.hears_end("black_win", "checkmate")?;
    together.is_kept()?;

    // The board gives up, by its kings.
    together.once_more()?;
    together.theirs("g1f3")?;
    together.ours("g8f6", Manner::Usual)?;
    together.show_kings(Square::E4, Square::D5)?;
    together.hears_end("surrender", "resignation")?;
    together.game.resign(Color::Black)?;
    together.is_kept()?;

    // The same position comes for the third time, and the kings claim what the rules grant.
    together.once_more()?;
    for _ in 0..2 {
        together.ours("g1f3", Manner::Usual)?;
        together.theirs("g8f6")?;
        together.ours("f3g1", Manner::Usual)?;
        together.theirs("f6g8")?;
    }
    together.show_kings(Square::D4, Square::D5)?;
    together.hears_end("stalemate", "threefold_repetition")?;
    together.game.claim_draw(DrawClaim::ThreefoldRepetition)?;
    together.is_kept()
}
