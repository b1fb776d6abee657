use std::time::{Duration, Instant};

use anyhow::Result;
use tests::panel::{Panel, lit};
use tests::parts;
use tests::qemu::{Qemu, SerialLine};
use tests::serial_console::SerialConsole;
use wire::link::{ClockRule, GameInfo, Seat};

use crate::fixture::square;
use crate::link_peer::{KEY, LinkPeer, key_argument};

/// Longer than any erase of a real board, and shorter than the watchdog's timeout.
const STALL_MS: u64 = 4000;

/// How exactly the board adds the time of an erase, in which its timer stands still.
const TOLERANCE: Duration = Duration::from_millis(500);

/// Bytes of the longest name of a board.
const LONGEST_NAME: usize = 64;

/// More settings than fill both banks of the emulated journal, which have 64 KiB each. Several that come quickly are written at once.
const MAX_SETTINGS: usize = 20 * 64 * 1024 / LONGEST_NAME;

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
    // White's clock runs while the journal is erased. What the board counts begins before the host's watch, and ends after it.
    let clock = Some(ClockRule { base_ms: 600_000, increment_ms: 0 });
    relay.begin(GameInfo { game: 2, seat: Seat::Both, clock, ..GameInfo::LOCAL });
    relay.wait_for_arrival(&mut board)?;
    let (up, watch) = (uptime_s(&mut console)?, Instant::now());
    // Fill the bank, until the journal erases the other one.
    let mut shown = String::new();
    for number in 0..MAX_SETTINGS {
        console.send_line(&format!("set name {number:0>LONGEST_NAME$}"))?;
        shown = console.wait_for("done")?;
        if shown.contains("journal: erasing") {
            break;
        }
        relay.wait("that the link is served", LinkPeer::is_online)?;
    }
    for notice in ["journal: erasing", "journal: sector erased"] {
        if !shown.contains(notice) {
            console.wait_for(notice)?;
        }
    }
    let waited = watch.elapsed();
    assert!(waited > Duration::from_millis(STALL_MS), "the erase stalled for {waited:?}");
    let counted = uptime_s(&mut console)? - up;
    // The uptime is shown in whole seconds.
    assert!(counted + 1 >= waited.as_secs(), "in {waited:?} the board has counted {counted} s");
    panel.move_piece(square("e2"), square("e4"))?;
    relay.wait("the move", |relay| relay.moves() == "e2e4")?;
    assert!(relay.thought + TOLERANCE > waited, "the player took {:?} for a move after {waited:?}", relay.thought);
    console.send_line("show")?;
    console.wait_for("after 1 plies")?;
    assert_eq!(relay.connections, connections, "the connection to the relay was lost");
    panel.lift(square("d7"))?;
    panel.wait_for_lights("the targets of the pawn", |lights| lit(lights).has(square("d5")))?;
    let log = board.transcript();
    assert!(!log.contains("previous run ended"), "the board was reset:\n{log}");
    Ok(())
}
