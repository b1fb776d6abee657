use anyhow::Result;
use board::calibration::{Calibration, Chain, LightLayout, MatrixWiring, Symmetry};
use chess::{Bitboard, Position, Square};
use tests::panel::{Panel, lit};
use tests::parts;
use tests::qemu::{Qemu, SerialLine};
use tests::serial_console::SerialConsole;

use crate::fixture::{Folder, square};

/// Where the lights are: in straight rows from another corner.
const LIGHTS: LightLayout = LightLayout { chain: Chain::Straight, symmetry: Symmetry::from_bits(2) };

/// Files and ranks are exchanged and mirrored, and so are single wires in the middle: those of the files c and d, and of the ranks 3 and 4.
fn wiring() -> Calibration {
    let diagonal = [63, 54, 36, 45, 27, 18, 9, 0];
    let switches = MatrixWiring::find(diagonal, 7).expect("every wire once");
    Calibration { switches, lights: LIGHTS }
}

/// Puts one piece on the empty board.
fn touch(panel: &Panel, square: Square) -> Result<()> {
    panel.set(Bitboard::EMPTY)?;
    panel.settle()?;
    panel.set(Bitboard::of(square))
}

#[test]
fn calibration_corrects_exchanged_mirrored_and_single_wires() -> Result<()> {
    let Some(image) = parts::mps2_image() else {
        return Ok(());
    };
    let (folder, panel, mut console) = (Folder::new()?, Panel::new()?, SerialConsole::new()?);
    let wiring = wiring().encode().map(|byte| byte.to_string()).join("+");
    let qemu = panel.plug(Qemu::new(&image)).argument(&folder.journal());
    let qemu = qemu.argument(&format!("wiring={wiring}")).line(SerialLine::Console, console.port()?);
    let mut board = qemu.boot()?;
    console.attach()?;
    panel.settle()?;

    console.send_line("calibrate")?;
    for asked in ["a1", "b2", "c3", "d4", "e5", "f6", "g7", "h8", "h1"] {
        console.wait_for(&format!("on {asked}"))?;
        touch(&panel, square(asked))?;
    }
    for light in [0, 7, 8] {
        console.wait_for("the square that is lit")?;
        let lit_square = Square::from_index(LIGHTS.square(light) as u8);
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
