//! What every board does from the moment it is awake. A task cannot be generic, so each board
//! calls these from a task of its own.

use defmt::{Display2Format, info};
use embassy_time::{Duration, Ticker};

use crate::greeting::Greeting;
use crate::heart::{BEAT_MS, Heart};

/// Tells the log who is there.
pub(crate) fn hello(board: &'static str) {
    info!("{}", Display2Format(&Greeting { board }));
}

/// Blinks a light for as long as the executor and the clock do their work, and sleeps in between.
pub(crate) async fn heartbeat(mut light: impl FnMut(bool)) -> ! {
    let mut heart = Heart::default();
    let mut ticker = Ticker::every(Duration::from_millis(BEAT_MS));
    loop {
        ticker.next().await;
        let beat = heart.beat();
        light(beat.lit);
        if let Some(minutes) = beat.minutes {
            info!("up {=u32} min", minutes);
        }
    }
}
