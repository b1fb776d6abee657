use anyhow::Result;
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
    terminal.wait_for("last end: none that was told")?;

    // What was set is still there when the board starts again.
    terminal.type_in("reboot")?;
    board.wait_for_start("the journal is whole")?;
    terminal.type_in("show")?;
    let shown = terminal.wait_for("plies")?;
    assert!(shown.contains("name kitchen\r\n"), "{shown}");
    Ok(())
}
