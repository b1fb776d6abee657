use anyhow::Result;
use chess::Bitboard;
use tests::panel::{Panel, lit};
use tests::parts;
use tests::qemu::Qemu;

use crate::fixture::square;

#[test]
fn shows_the_targets_of_a_lifted_piece() -> Result<()> {
    let Some(image) = parts::mps2_image() else {
        return Ok(());
    };
    let panel = Panel::new()?;
    let _board = panel.plug(Qemu::new(&image)).boot()?;
    panel.settle()?;

    panel.lift(square("g1"))?;

    let targets: Bitboard = ["f3", "h3"].map(square).into_iter().collect();
    panel.wait_for_lights("where a knight can go", |lights| lit(lights) & targets == targets)?;
    panel.place(square("f3"))?;
    panel.wait_for_lights("that the knight has landed", |lights| !lit(lights).has(square("h3")))?;
    Ok(())
}

#[test]
fn ignores_garbage_on_the_sensor_line() -> Result<()> {
    let Some(image) = parts::mps2_image() else {
        return Ok(());
    };
    let panel = Panel::new()?;
    let mut board = panel.plug(Qemu::new(&image)).boot()?;
    panel.settle()?;

    // Random bytes, and incomplete frames.
    let noise: Vec<u8> = (0..20_000_u32).map(|at| (at.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    panel.send_garbage(&noise)?;
    panel.send_garbage(&[0xc5, 0x01, 0x08, 0xc5, 0x01, 0xc0])?;

    // Valid frames after the garbage are read.
    panel.lift(square("e2"))?;
    panel.wait_for_lights("where a pawn can go", |lights| {
        let lit = lit(lights);
        lit.has(square("e3")) && lit.has(square("e4"))
    })?;
    assert!(board.is_running()?);
    Ok(())
}
