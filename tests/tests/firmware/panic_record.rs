use anyhow::Result;
use tests::parts;
use tests::qemu::Qemu;

use crate::link_peer::{KEY, LinkPeer, key_argument};

#[test]
fn restarts_after_a_panic_and_reports_it() -> Result<()> {
    let Some(image) = parts::mps2_image() else {
        return Ok(());
    };
    let mut relay = LinkPeer::new()?;
    let qemu = Qemu::new(&image).network().argument("live-on").argument("panic=on-purpose");
    let mut board = qemu.argument(&relay.argument()?).argument(&key_argument(KEY)).boot()?;

    let line = board.wait_for_start("previous run ended: panicked at ")?;
    assert!(line.message.ends_with("on-purpose"), "{line}");
    relay.wait("the board", LinkPeer::is_online)?;
    let reason = relay.software.split_once(" after: panicked at ").map(|(_, reason)| reason);
    assert!(reason.is_some_and(|reason| reason.ends_with("on-purpose")), "{}", relay.software);
    Ok(())
}

#[test]
fn a_panic_ends_the_emulator_by_default() -> Result<()> {
    let Some(image) = parts::mps2_image() else {
        return Ok(());
    };
    let mut board = Qemu::new(&image).argument("panic=on-purpose").boot()?;
    assert_eq!(board.wait_for_exit()?, 1);
    Ok(())
}

#[test]
fn the_watchdog_restarts_a_board_that_hangs() -> Result<()> {
    let Some(image) = parts::mps2_image() else {
        return Ok(());
    };
    let mut board = Qemu::new(&image).argument("live-on").argument("hang").boot()?;
    board.wait_for("previous run ended: watchdog timeout")?;
    board.wait_for_start("network up")?;
    Ok(())
}
