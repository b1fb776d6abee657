//! Image for QEMU's mps2-an386. Its log goes to the host by semihosting.
#![no_std]
#![no_main]

use defmt_semihosting as _;
use firmware::board::mps2_an386;

#[cortex_m_rt::entry]
fn main() -> ! {
    mps2_an386::start()
}
