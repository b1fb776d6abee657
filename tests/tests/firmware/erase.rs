use anyhow::Result;
use tests::panel::{Panel, lit};
use tests::parts;
use tests::qemu::{Qemu, SerialLine};
use tests::serial_console::SerialConsole;

use crate::fixture::square;
use crate::link_peer::{KEY, LinkPeer, key_argument};

/// Longer than any erase of a real board, and shorter than the watchdog's timeout.
const STALL_MS: u64 = 4000;

/// Bytes of the longest name of a board.
const LONGEST_NAME: usize = 64;

/// Settings that fill a bank of the emulated journal, which has 64 KiB. Each takes at least the bytes of a name.
const SETTINGS_PER_BANK: usize = 64 * 1024 / LONGEST_NAME;

/// The uptime in seconds, from `stats`.
fn uptime_s(console: &mut SerialConsole) -> Result<u64> {
    console.send_line("stats")?;
    let shown = console.wait_for("last failure")?;
    let uptime = shown.lines().find_map(|line| line.strip_prefix("up ")?.strip_suffix(" s")?.parse().ok());
    uptime.ok_or_else(|| anyhow::anyhow!("no uptime in {shown:?}"))
}

/// An erase masks interrupts for four seconds, as on a chip that executes from the flash that it erases: at the first start, and
/// again when a bank is full, while the board is connected to its relay.
#[test]
fn game_link_watchdog_and_clock_survive_erases_of_four_seconds() -> Result<()> {
    let Some(image) = parts::mps2_image() else {
        return Ok(());
    };
    let (panel, mut relay, mut console) = (Panel::new()?, LinkPeer::new()?, SerialConsole::new()?);
    let qemu = panel.plug(Qemu::new(&image)).network().line(SerialLine::Console, console.port()?);
    let qemu = qemu.argument(&format!("erase-stall={STALL_MS}")).argument("live-on");
    let mut board = qemu.argument(&relay.argument()?).argument(&key_argument(KEY)).boot()?;
    console.attach()?;
    for _ in 0..2 {
        console.wait_for("journal: erasing a flash sector")?;
        console.wait_for("journal: sector erased")?;
    }
    assert!(uptime_s(&mut console)? >= 2 * STALL_MS / 1000, "the clock lost the time of the erases");

    relay.wait("the board", LinkPeer::is_online)?;
    panel.settle()?;
    let connections = relay.connections;
    // Fill the bank, until the journal erases the other one.
    let mut erases = 0;
    for number in 0..2 * SETTINGS_PER_BANK {
        console.send_line(&format!("set name {number:0>LONGEST_NAME$}"))?;
        let shown = console.wait_for("done")?;
        if shown.contains("journal: erasing") {
            erases += 1;
            break;
        }
        relay.wait("that the link is served", LinkPeer::is_online)?;
    }
    if erases == 0 {
        console.wait_for("journal: erasing")?;
    }
    // What is done during the stall is read after it.
    panel.move_piece(square("e2"), square("e4"))?;
    relay.wait("the move", |relay| relay.moves() == "e2e4")?;
    console.send_line("show")?;
    console.wait_for("after 1 plies")?;
    assert_eq!(relay.connections, connections, "the connection to the relay was lost");
    panel.lift(square("d7"))?;
    panel.wait_for_lights("the targets of the pawn", |lights| lit(lights).has(square("d5")))?;
    let log = board.transcript();
    assert!(!log.contains("previous run ended"), "the board was reset:\n{log}");
    Ok(())
}
