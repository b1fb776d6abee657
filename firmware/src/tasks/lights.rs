//! Shows frames, as they come and as fast as the lamps can.

use super::meeting::LIGHT;
use super::roll::patiently;
use crate::parts::Lamps;
use crate::roll_call::Who;

pub(crate) async fn lights(mut lamps: impl Lamps) -> ! {
    loop {
        let frame = patiently(Who::Lights, LIGHT.wait()).await;
        lamps.show(&frame).await;
    }
}
