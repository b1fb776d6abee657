use core::hint::black_box;
use core::panic::PanicInfo;

use cortex_m_rt::ExceptionFrame;
use rules::Play;
use semihosting::{eprintln, println, process};

#[cortex_m_rt::entry]
fn main() -> ! {
    static mut PLAY: Play = Play::new();
    println!("ram_game {}", size_of_val(PLAY));
    println!("ram_added {}", size_of_val(PLAY).saturating_sub(size_of::<chess::Game>()));
    play_chess(black_box(PLAY));
    #[cfg(not(feature = "empty"))]
    if crate::measure::run(PLAY).is_none() {
        fail("a ply was not played");
    }
    process::exit(0)
}

/// Links the rules of chess, which a board has anyway, into both images.
fn play_chess(play: &mut Play) {
    let game = play.chess_mut();
    for mv in &game.position().legal_moves() {
        black_box(game.play(*mv).is_ok());
    }
    black_box(game.take_back());
}

#[panic_handler]
fn panic(_: &PanicInfo<'_>) -> ! {
    fail("something panicked")
}

/// Where a stack ends that is too small.
#[cortex_m_rt::exception]
#[allow(unsafe_code, reason = "the attribute asks for it, and takes the expectation elsewhere")]
unsafe fn HardFault(_: &ExceptionFrame) -> ! {
    fail("the processor faulted: is the stack too small?")
}

fn fail(why: &str) -> ! {
    eprintln!("{why}");
    process::exit(1)
}
