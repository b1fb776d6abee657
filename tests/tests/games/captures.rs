use std::time::Duration;

use anyhow::Result;
use board::Meaning;
use chess::{Bitboard, Color, Square};

use crate::together::{Manner, Together};
use tests::scenes;

/// An own piece stands where it may not: that is said in light, then the way back, and following it mends everything.
fn go_wrong(together: &Together, from: Square, to: Square) -> Result<()> {
    let panel = together.panel();
    let takes = panel.occupied().has(to);
    if takes {
        panel.lift(to)?;
        panel.hesitate()?;
    }
    together.pick_up(&[from])?;
    panel.place(to)?;
    let both = Bitboard::of(from) | Bitboard::of(to);
    let still = scenes::still(&together.game);
    panel.shows("that it is not legal", still.with(Meaning::Illegal, both))?;
    let back = still.with(Meaning::WayBackFrom, Bitboard::of(to)).with(Meaning::WayBackTo, Bitboard::of(from));
    panel.goes_on_showing("the way back", back, Duration::from_millis(900))?;
    panel.carry(to, from)?;
    if takes {
        panel.place(to)?;
    }
    together.is_still()
}

/// Every way to take a piece, both players take in passing, and whoever goes wrong is led back.
#[test]
fn pieces_are_taken_in_every_order_of_touches() -> Result<()> {
    let Some(mut together) = Together::sit_down(Color::White)? else { return Ok(()) };
    go_wrong(&together, Square::E2, Square::E5)?;
    together.ours("e2e4", Manner::Usual)?;
    together.theirs("a7a5")?;
    go_wrong(&together, Square::D1, Square::D7)?;
    together.ours("e4e5", Manner::Usual)?;
    together.theirs("d7d5")?;
    together.ours("e5d6", Manner::VictimLast)?;

    // What the other one does is not what the hand does first.
    let (position, mv) = together.announced("c7d6")?;
    together.panel().carry(Square::B7, Square::B6)?;
    let wrong = scenes::opponents(&position, mv, &together.game)
        .with(Meaning::Illegal, Bitboard::of(Square::B7) | Bitboard::of(Square::B6));
    together.panel().shows("that it is another move", wrong)?;
    together.panel().carry(Square::B6, Square::B7)?;
    together.panel().shows("the move again", scenes::opponents(&position, mv, &together.game))?;
    together.follow(&position, mv)?;

    together.ours("f1b5", Manner::Slide)?;
    together.theirs("c8d7")?;
    together.ours("b5d7", Manner::Slide)?;
    together.theirs("d8d7")?;
    together.ours("c2c4", Manner::Usual)?;
    together.theirs("a5a4")?;
    together.ours("b2b4", Manner::Usual)?;
    together.theirs("a4b3")?;
    together.ours("d1b3", Manner::OwnPieceFirst)?;
    together.theirs("d7f5")?;
    together.ours("b3b7", Manner::Usual)?;
    together.theirs("f5b1")?;
    together.ours("a1b1", Manner::TwoHands)?;
    together.theirs("a8a2")?;
    together.ours("b7b8", Manner::Usual)?;
    together.is_kept()
}

/// The other ways to take in passing.
#[test]
fn a_pawn_is_taken_in_passing_whichever_piece_goes_first() -> Result<()> {
    let Some(mut together) = Together::sit_down(Color::Black)? else { return Ok(()) };
    together.theirs("a2a3")?;
    together.ours("d7d5", Manner::Usual)?;
    together.theirs("a3a4")?;
    together.ours("d5d4", Manner::Usual)?;
    together.theirs("e2e4")?;
    together.ours("d4e3", Manner::OwnPieceFirst)?;
    together.theirs("f2e3")?;
    together.ours("g7g5", Manner::Usual)?;
    together.theirs("a4a5")?;
    together.ours("g5g4", Manner::Usual)?;
    together.theirs("h2h4")?;
    together.ours("g4h3", Manner::Usual)?;
    together.is_kept()
}
