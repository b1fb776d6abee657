//! Sends light frames to the LEDs, the latest one first.

use super::channels::{FRAME, LightFrame};
use super::liveness::check_in_during;
use crate::hal::Leds;
use crate::liveness::TaskId;

pub(crate) async fn lights(mut leds: impl Leds) -> ! {
    loop {
        let LightFrame { frame, layout } = check_in_during(TaskId::Lights, FRAME.wait()).await;
        leds.show(&frame, layout).await;
    }
}
