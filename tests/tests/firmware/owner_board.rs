use anyhow::{Result, ensure};
use board::calibration::{Calibration, LightLayout, MatrixWiring, Symmetry};
use chess::{Bitboard, Square};
use tests::panel::{Panel, lit};
use tests::parts;
use tests::qemu::Qemu;
use tests::temp_dir::TempDir;

use crate::fixture::square;
use crate::owned_relay::OwnedRelay;

/// The wires of the files are in reverse order, for switches and lights.
const MIRRORED: Calibration = Calibration {
    switches: MatrixWiring::symmetric(Symmetry::from_bits(2)),
    lights: LightLayout { symmetry: Symmetry::from_bits(2), ..LightLayout::DEFAULT },
};

/// The owner of the relay sets up the firmware over the link: settings, self-test, statistics, and the calibration of mirrored wires.
#[test]
fn the_owner_sets_up_and_calibrates_a_board_over_the_link() -> Result<()> {
    let Some(image) = parts::mps2_image() else { return Ok(()) };
    let Some(mut relay) = OwnedRelay::start()? else { return Ok(()) };
    let (folder, panel) = (TempDir::new()?, Panel::new()?);
    let journal = format!("journal={}", folder.path().join("journal").display());
    let wiring = MIRRORED.encode().map(|byte| byte.to_string()).join("+");
    let boot = || panel.plug(Qemu::new(&image)).network().argument(&journal);
    let board = boot().argument(&format!("wiring={wiring}"));
    let mut board = board.argument(&format!("relay=ws://10.0.2.2:{}", relay.port())).boot()?;
    relay.pair(&mut board)?;

    ensure!(relay.run_line("set brightness 90")? == "done\r\n");
    ensure!(relay.run_line("set pace fast")? == "done\r\n");
    let shown = relay.run_line("show")?;
    ensure!(shown.contains("brightness 90\r\n") && shown.contains("pace fast\r\n"), "{shown}");
    ensure!(relay.run_line("set key none")?.starts_with("refused: "));
    ensure!(relay.run_line("set relay none")?.starts_with("refused: "));
    ensure!(relay.run_line("selftest")?.contains("rng good\r\njournal good\r\n"));
    let stats = relay.run_line("stats")?;
    ensure!(stats.contains(" on ") && stats.contains("weak magnets none\r\n"), "{stats}");
    ensure!(stats.contains("journal erased ") && stats.contains("last failure: none recorded"), "{stats}");

    ensure!(relay.run_line("calibrate")?.starts_with("started"));
    for asked in ["a1", "b2", "c3", "d4", "e5", "f6", "g7", "h8", "h1"] {
        relay.wait_for_line("calibrate status", &format!("on {asked}"))?;
        panel.set(Bitboard::EMPTY)?;
        panel.settle()?;
        panel.set(Bitboard::of(square(asked)))?;
    }
    for light in [0, 7, 8] {
        let lit_square = Square::from_index(MIRRORED.lights.square(light) as u8);
        panel.wait_for_lights("one light of the chain", |lights| lit(lights) == Bitboard::of(lit_square))?;
        panel.set(Bitboard::EMPTY)?;
        panel.settle()?;
        panel.set(Bitboard::of(lit_square))?;
    }
    relay.wait_for_line("calibrate status", "done, and stored")?;
    panel.set(Bitboard::of(square("b3")))?;
    relay.wait_for_switches(&["b3"])?;
    relay.process.check()
}
