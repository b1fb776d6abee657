//! The firmware boots, logs its banner, and sleeps when idle.

use std::time::Duration;

use anyhow::Result;
use firmware::banner::Banner;
use tests::panel::Panel;
use tests::parts;
use tests::qemu::Qemu;

const BANNER: Banner = Banner { board: "mps2-an386" };

#[test]
fn logs_its_banner_and_exits_on_request() -> Result<()> {
    let Some(image) = parts::mps2_image() else {
        return Ok(());
    };

    let mut board = Qemu::new(&image).argument("exit-after-hello").boot()?;

    assert_eq!(board.wait_for_exit()?, 0);
    let log: Vec<&str> = board.log().iter().map(|line| line.message.as_str()).collect();
    assert_eq!(log, [BANNER.to_string()]);
    Ok(())
}

/// QEMU skips time only while the processor sleeps. A board that idles in a busy loop would have to execute every nanosecond
/// of the hour, and the test would time out.
#[test]
fn sleeps_when_idle_and_keeps_time_across_counter_wrap() -> Result<()> {
    let Some(image) = parts::mps2_image() else {
        return Ok(());
    };

    // With all pieces in their places there is nothing to show and nothing to do.
    let panel = Panel::new()?;
    let mut board = panel.plug(Qemu::new(&image)).skipping_idle_time().boot()?;

    board.wait_for(&BANNER.to_string())?;
    // The counter of this machine wraps after 71 minutes and 35 seconds.
    let line = board.wait_for("up 75 min")?;
    assert_eq!(line.seconds(), Some(75 * 60), "{line}");
    assert!(board.is_running()?);
    assert!(panel.frames() < 1000, "a still board has nothing to show, and yet it showed {} frames", panel.frames());
    Ok(())
}

#[test]
fn the_harness_ends_a_board_after_its_timeout() -> Result<()> {
    let Some(image) = parts::mps2_image() else {
        return Ok(());
    };

    let mut board = Qemu::new(&image).timeout(Some(Duration::from_millis(200))).boot()?;

    let error = board.wait_for_exit().expect_err("without the order to exit, the board stays on");
    assert!(error.to_string().contains("out of time"), "{error}");
    Ok(())
}
