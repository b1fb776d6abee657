use core::fmt::{self, Display, Write};
use core::hint::{black_box, spin_loop};
use core::panic::PanicInfo;

use rules::Play;

use crate::{board_core, genome, journal, session, surface, told};

#[expect(unsafe_code, reason = "the symbol is never defined, which is the point")]
#[panic_handler]
fn panic(_: &PanicInfo<'_>) -> ! {
    unsafe extern "C" {
        fn a_panic_can_be_reached() -> !;
    }
    // SAFETY: an image with this call in it cannot be linked.
    unsafe { a_panic_can_be_reached() }
}

#[cortex_m_rt::entry]
fn main() -> ! {
    static mut PLAY: Play = Play::new();
    genome::run(black_box(PLAY));
    told::run(black_box(PLAY));
    surface::run();
    board_core::run();
    journal::run();
    session::run();
    loop {
        spin_loop();
    }
}

/// Discards all text.
struct Nowhere;

impl Write for Nowhere {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        black_box(text);
        Ok(())
    }
}

pub(crate) fn show(value: impl Display) {
    black_box(write!(Nowhere, "{value}").is_ok());
}
