use anyhow::Result;
use board::{Meaning, Scene};
use chess::{Bitboard, Position};
use tests::panel::Panel;
use tests::parts;
use tests::qemu::{Qemu, SerialLine};
use tests::serial_console::SerialConsole;

use crate::fixture::Folder;
use crate::link_peer::{KEY, LinkPeer, digits};

#[test]
fn is_configured_over_the_serial_console() -> Result<()> {
    let Some(image) = parts::mps2_image() else {
        return Ok(());
    };
    let (folder, mut relay) = (Folder::new()?, LinkPeer::new()?);
    let mut console = SerialConsole::new()?;
    let qemu = Qemu::new(&image).network().argument(&folder.journal());
    let mut board = qemu.line(SerialLine::Console, console.port()?).boot()?;
    console.attach()?;
    board.wait_for_start("network up")?;

    console.send_line("hepl")?;
    console.wait_for("unknown command; `help` lists the commands")?;
    console.send_line("help")?;
    console.wait_for("reboot")?;
    console.send_line(&relay.argument()?.replace("relay=", "set relay "))?;
    console.wait_for("done")?;
    let digits = digits(KEY);
    console.send_line(&format!("set key {digits}"))?;
    let shown = console.wait_for("done")?;
    assert!(shown.contains("set key ****"), "{shown}");
    relay.wait("the board", LinkPeer::is_online)?;
    console.send_line("set name kitchen")?;
    console.wait_for("done")?;
    console.send_line("show")?;
    let shown = console.wait_for("plies")?;
    assert!(shown.contains("name kitchen\r\n") && shown.contains("link up\r\n"), "{shown}");
    assert!(!shown.contains(&digits[..8]), "{shown}");
    console.send_line("selftest")?;
    console.wait_for("journal good")?;
    console.send_line("stats")?;
    let shown = console.wait_for("\r\nclock ")?;
    assert!(shown.contains(" of 65536 bytes\r\n") && shown.contains("scans lost 0\r\n"), "{shown}");
    assert!(shown.contains("last failure: none recorded\r\n"), "{shown}");

    // The settings survive a restart.
    console.send_line("reboot")?;
    board.wait_for_start("journal intact")?;
    console.send_line("show")?;
    let shown = console.wait_for("plies")?;
    assert!(shown.contains("name kitchen\r\n"), "{shown}");
    Ok(())
}

/// The self-test shows all lights, and then the state of the switches.
#[test]
fn self_test_shows_all_lights_and_switches() -> Result<()> {
    let Some(image) = parts::mps2_image() else {
        return Ok(());
    };
    let (panel, mut console) = (Panel::new()?, SerialConsole::new()?);
    let _board = panel.plug(Qemu::new(&image)).line(SerialLine::Console, console.port()?).boot()?;
    console.attach()?;
    panel.settle()?;
    panel.wait_for_scene("nothing", Scene::EMPTY)?;

    console.send_line("selftest")?;
    panel.wait_for_scene("all lights", Scene::EMPTY.with(Meaning::Lifted, Bitboard::ALL))?;
    let pieces = Position::start().occupied();
    panel.wait_for_scene("what the switches see", Scene::EMPTY.with(Meaning::Sensed, pieces))?;
    let lifted = pieces.without(Bitboard::of("g1".parse()?));
    panel.set(lifted)?;
    panel.wait_for_scene("what they see now", Scene::EMPTY.with(Meaning::Sensed, lifted))?;
    Ok(())
}
