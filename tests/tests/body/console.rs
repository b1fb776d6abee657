use anyhow::Result;
use board::{Meaning, Scene};
use chess::{Bitboard, Position};
use tests::panel::Panel;
use tests::parts;
use tests::qemu::{Qemu, SerialLine};
use tests::terminal::Terminal;

use crate::relay::{KEY, Relay, digits};
use crate::world::Folder;

#[test]
fn a_board_is_set_up_over_its_cable() -> Result<()> {
    let Some(image) = parts::mps2_image() else {
        return Ok(());
    };
    let (folder, mut relay) = (Folder::new()?, Relay::new()?);
    let mut terminal = Terminal::new()?;
    let qemu = Qemu::new(&image).network().order(&folder.journal());
    let mut board = qemu.line(SerialLine::Console, terminal.port()?).boot()?;
    terminal.attach()?;
    board.wait_for_start("the network is up")?;

    terminal.type_in("hepl")?;
    terminal.wait_for("there is no such command; `help` lists them")?;
    terminal.type_in("help")?;
    terminal.wait_for("reboot")?;
    terminal.type_in(&relay.order()?.replace("relay=", "set relay "))?;
    terminal.wait_for("done")?;
    let digits = digits(KEY);
    terminal.type_in(&format!("set key {digits}"))?;
    let shown = terminal.wait_for("done")?;
    assert!(shown.contains("set key ****"), "{shown}");
    relay.wait("the board", Relay::is_online)?;
    terminal.type_in("set name kitchen")?;
    terminal.wait_for("done")?;
    terminal.type_in("show")?;
    let shown = terminal.wait_for("plies")?;
    assert!(shown.contains("name kitchen\r\n") && shown.contains("link up\r\n"), "{shown}");
    assert!(!shown.contains(&digits[..8]), "{shown}");
    terminal.type_in("selftest")?;
    terminal.wait_for("journal good")?;
    terminal.type_in("stats")?;
    let shown = terminal.wait_for("last end: none that was told")?;
    assert!(shown.contains(" of 65536 bytes\r\n") && shown.contains("scans lost 0\r\n"), "{shown}");

    // What was set is still there when the board starts again.
    terminal.type_in("reboot")?;
    board.wait_for_start("the journal is whole")?;
    terminal.type_in("show")?;
    let shown = terminal.wait_for("plies")?;
    assert!(shown.contains("name kitchen\r\n"), "{shown}");
    Ok(())
}

/// Whoever has soldered a board sees all its lights, and then what its switches see.
#[test]
fn the_self_test_is_also_one_for_the_eyes() -> Result<()> {
    let Some(image) = parts::mps2_image() else {
        return Ok(());
    };
    let (panel, mut terminal) = (Panel::new()?, Terminal::new()?);
    let _board = panel.plug(Qemu::new(&image)).line(SerialLine::Console, terminal.port()?).boot()?;
    terminal.attach()?;
    panel.settle()?;
    panel.shows("nothing", Scene::EMPTY)?;

    terminal.type_in("selftest")?;
    panel.shows("all lights", Scene::EMPTY.with(Meaning::Lifted, Bitboard::ALL))?;
    let pieces = Position::start().occupied();
    panel.shows("what the switches see", Scene::EMPTY.with(Meaning::Sensed, pieces))?;
    let lifted = pieces.without(Bitboard::of("g1".parse()?));
    panel.set(lifted)?;
    panel.shows("what they see now", Scene::EMPTY.with(Meaning::Sensed, lifted))?;
    Ok(())
}
