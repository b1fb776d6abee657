//! The watchdog and the sign of life.

use defmt::{info, warn};
use embassy_time::{Duration, Ticker};

use super::roll;
use crate::heart::{BEAT_MS, Heart};
use crate::parts::{Dog, Pilot};
use crate::roll_call::RollCall;

/// So many beats may go by before it is said who is missing. The dog waits longer.
const PATIENCE: u32 = 6;

/// Feeds the dog whenever everybody has answered, and blinks a light all the while.
pub(crate) async fn watch(mut dog: impl Dog, mut pilot: impl Pilot) -> ! {
    let mut heart = Heart::default();
    let mut unanswered = 0;
    let mut ticker = Ticker::every(Duration::from_millis(BEAT_MS));
    loop {
        ticker.next().await;
        let beat = heart.beat();
        pilot.light(beat.lit);
        if let Some(minutes) = beat.minutes {
            info!("up {=u32} min", minutes);
        }
        if roll::with(RollCall::is_complete) {
            dog.feed();
            unanswered = 0;
            continue;
        }
        unanswered += 1;
        if unanswered == PATIENCE {
            roll::with(|roll| roll.missing().for_each(|who| warn!("the task {=str} does not answer", who.name())));
        }
    }
}
