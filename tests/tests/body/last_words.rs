use anyhow::Result;
use tests::parts;
use tests::qemu::Qemu;

use crate::relay::{KEY, Relay, key_order};

#[test]
fn a_board_that_panics_starts_again_and_says_why() -> Result<()> {
    let Some(image) = parts::mps2_image() else {
        return Ok(());
    };
    let mut relay = Relay::new()?;
    let qemu = Qemu::new(&image).network().order("live-on").order("panic=on-purpose");
    let mut board = qemu.order(&relay.order()?).order(&key_order(KEY)).boot()?;

    let line = board.wait_for_start("the last run ended: panicked at ")?;
    assert!(line.message.ends_with("on-purpose"), "{line}");
    relay.wait("the board", Relay::is_online)?;
    let reason = relay.software.split_once(" after: panicked at ").map(|(_, reason)| reason);
    assert!(reason.is_some_and(|reason| reason.ends_with("on-purpose")), "{}", relay.software);
    Ok(())
}

#[test]
fn a_board_that_panics_ends_the_emulator_if_nobody_says_otherwise() -> Result<()> {
    let Some(image) = parts::mps2_image() else {
        return Ok(());
    };
    let mut board = Qemu::new(&image).order("panic=on-purpose").boot()?;
    assert_eq!(board.wait_for_exit()?, 1);
    Ok(())
}

#[test]
fn a_board_that_hangs_is_started_again_by_its_watchdog() -> Result<()> {
    let Some(image) = parts::mps2_image() else {
        return Ok(());
    };
    let mut board = Qemu::new(&image).order("live-on").order("hang").boot()?;
    board.wait_for("the last run ended: the watchdog was not fed")?;
    board.wait_for_start("the network is up")?;
    Ok(())
}
