//! The firmware boots, says who it is, and sleeps.

use std::time::Duration;

use anyhow::Result;
use firmware::greeting::Greeting;
use tests::panel::Panel;
use tests::parts;
use tests::qemu::Qemu;

const GREETING: Greeting = Greeting { board: "mps2-an386" };

#[test]
fn says_hello_and_ends_when_told_to() -> Result<()> {
    let Some(image) = parts::mps2_image() else {
        return Ok(());
    };

    let mut board = Qemu::new(&image).order("exit-after-hello").boot()?;

    assert_eq!(board.wait_for_exit()?, 0);
    let log: Vec<&str> = board.log().iter().map(|line| line.message.as_str()).collect();
    assert_eq!(log, [GREETING.to_string()]);
    Ok(())
}

/// Time is skipped only while the processor sleeps. A board that idles in a loop would have to execute every nanosecond of
/// the hour, which takes hours, and its patience would run out.
#[test]
fn sleeps_between_beats_and_keeps_time_when_its_counter_wraps() -> Result<()> {
    let Some(image) = parts::mps2_image() else {
        return Ok(());
    };

    // With all pieces where they belong there is nothing to say in light, and nothing to do.
    let panel = Panel::new()?;
    let mut board = panel.plug(Qemu::new(&image)).skipping_idle_time().boot()?;

    board.wait_for(&GREETING.to_string())?;
    // The counter of this machine wraps after 71 minutes and 35 seconds.
    let line = board.wait_for("up 75 min")?;
    assert_eq!(line.seconds(), Some(75 * 60), "{line}");
    assert!(board.is_running()?);
    assert!(panel.frames() < 1000, "a still board has nothing to show, and yet it showed {} frames", panel.frames());
    Ok(())
}

#[test]
fn a_board_that_does_not_end_is_ended() -> Result<()> {
    let Some(image) = parts::mps2_image() else {
        return Ok(());
    };

    let mut board = Qemu::new(&image).patience(Some(Duration::from_millis(200))).boot()?;

    let error = board.wait_for_exit().expect_err("without the order to exit, the board stays on");
    assert!(error.to_string().contains("out of time"), "{error}");
    Ok(())
}
