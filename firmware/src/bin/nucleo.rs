//! The image for the NUCLEO-F767ZI. Its log leaves through the debug probe.
#![no_std]
#![no_main]

use defmt_rtt as _;
use embassy_executor::Spawner;
use firmware::board::nucleo_f767zi;

#[embassy_executor::main]
async fn main(spawner: Spawner) {
    nucleo_f767zi::start(spawner).await;
}
