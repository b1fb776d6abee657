use anyhow::Result;
use board::calibration::{Calibration, Chain, LightLayout, Symmetry};
use chess::{Bitboard, Position, Square};
use tests::panel::{Panel, lit};
use tests::parts;
use tests::qemu::{Qemu, SerialLine};
use tests::serial_console::SerialConsole;

use crate::fixture::{Folder, square};

/// Switches with files and ranks exchanged and ranks mirrored, and lights in straight rows from another corner.
const WIRING: Calibration = Calibration {
    switches: Symmetry::from_bits(5),
    lights: LightLayout { chain: Chain::Straight, symmetry: Symmetry::from_bits(2) },
};

/// Puts one piece on the empty board.
fn touch(panel: &Panel, square: Square) -> Result<()> {
    panel.set(Bitboard::EMPTY)?;
    panel.settle()?;
    panel.set(Bitboard::of(square))
}

#[test]
fn calibration_corrects_exchanged_and_mirrored_wires() -> Result<()> {
    let Some(image) = parts::mps2_image() else {
        return Ok(());
    };
    let (folder, panel, mut console) = (Folder::new()?, Panel::new()?, SerialConsole::new()?);
    let [switches, lights] = WIRING.encode();
    let qemu = panel.plug(Qemu::new(&image)).argument(&folder.journal());
    let qemu = qemu.argument(&format!("wiring={switches}+{lights}")).line(SerialLine::Console, console.port()?);
    let mut board = qemu.boot()?;
    console.attach()?;
    panel.settle()?;

    console.send_line("calibrate")?;
    for (prompt, corner) in [("one piece on a1", "a1"), ("put it on h1", "h1"), ("put it on a8", "a8")] {
        console.wait_for(prompt)?;
        touch(&panel, square(corner))?;
    }
    for light in [0, 7, 8] {
        console.wait_for("the square that is lit")?;
        let lit_square = Square::from_index(WIRING.lights.square(light) as u8);
        panel.wait_for_lights("one light of the chain", |lights| lit(lights) == Bitboard::of(lit_square))?;
        touch(&panel, lit_square)?;
    }
    console.wait_for("calibrate: done, and stored")?;

    // Switches and lights are right now, also after a restart.
    for restarted in [false, true] {
        if restarted {
            console.send_line("reboot")?;
            board.wait_for_start("journal intact")?;
        }
        panel.set(Position::start().occupied())?;
        panel.settle()?;
        panel.wait_for_lights("nothing", |lights| lit(lights) == Bitboard::EMPTY)?;
        panel.lift(square("g1"))?;
        let targets: Bitboard = ["g1", "f3", "h3"].map(square).into_iter().collect();
        panel.wait_for_lights("where a knight can go", |lights| lit(lights) == targets)?;
        panel.place(square("g1"))?;
        panel.settle()?;
    }
    console.send_line("calibrate reset")?;
    console.wait_for("done")?;
    Ok(())
}
