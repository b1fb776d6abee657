//! What every board does from the moment it is awake.

mod body;

use defmt::{Display2Format, info};

pub(crate) use self::body::{Parts, live};
use crate::greeting::Greeting;

/// Tells the log who is there.
pub(crate) fn hello(board: &'static str) {
    info!("{}", Display2Format(&Greeting { board }));
}
