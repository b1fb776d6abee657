use core::mem::MaybeUninit;
use core::panic::PanicInfo;

use board::journal::Journal;
use board::session::BoardSession;
use board::{Brain, Hand, Instant, Orientation, Referee, Settings};
use chess::{Bitboard, Game, Position};
use cortex_m_rt::ExceptionFrame;
use semihosting::{eprintln, println, process};
use wire::link::{ClockRule, Table};

use crate::player::Player;
use crate::{cost, stack};

/// The longest clock there is, so that no flag falls before the game is over.
const CLOCK: ClockRule = ClockRule { base_ms: u32::MAX, increment_ms: 1000 };

/// A position with many moves of every kind.
const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

#[cortex_m_rt::entry]
fn main() -> ! {
    static mut BRAIN: MaybeUninit<Brain> = MaybeUninit::uninit();
    println!("ram_brain {}", size_of::<Brain>());
    println!("ram_game {}", size_of::<Game>());
    println!("ram_referee {}", size_of::<Referee>());
    println!("ram_hand {}", size_of::<Hand>());
    println!("ram_session {}", size_of::<BoardSession>());
    println!("ram_journal {}", size_of::<Journal>());

    let start = Position::start().occupied();
    let (brain, stack_new) = stack::depth(|| BRAIN.write(Brain::new(Settings::default(), start, Instant::at(0))));
    println!("stack_new {stack_new}");
    let mut now = 0;
    println!("idle {}", cost::of_scans(brain, [start, start], &mut now));
    // A switch that bounces with every scan, so that nothing of it is ever believed.
    let bounced = Bitboard(start.0 ^ 1 << 12);
    println!("bounce {}", cost::of_scans(brain, [start, bounced], &mut now));

    let (measured, stack_play) = stack::depth(|| measure(brain, &mut now));
    println!("stack_play {stack_play}");
    let turned = Settings { orientation: Orientation::BlackNear, ..Settings::default() };
    let ((), stack_turn) = stack::depth(|| brain.set(turned, Instant::at(now)));
    println!("stack_turn {stack_turn}");
    if measured.is_none() {
        fail("a move was not read as it was made");
    }
    process::exit(0)
}

/// Measures games; or nothing, if a move was not read as it was made.
fn measure(brain: &mut Brain, now: &mut u64) -> Option<()> {
    brain.begin(Position::start(), &Table { clock: Some(CLOCK), ..Table::LOCAL }, Instant::at(*now));
    let mut player = Player::new(brain, now);
    player.play(2)?;
    println!("idle_clock {}", player.idle());
    println!("idle_lifted {}", player.idle_lifted());
    player.play(400)?;
    let game = player.leave();
    println!("plies {}", game.plies);
    println!("move_mean {}", game.moves / game.plies);
    println!("move_largest {}", game.largest_move);
    println!("touch_largest {}", game.largest_touch);
    println!("frame_largest {}", game.largest_frame);

    brain.begin(KIWIPETE.parse().ok()?, &Table::LOCAL, Instant::at(*now));
    let mut player = Player::new(brain, now);
    player.rampage();
    let mess = player.leave();
    println!("mess_touch_largest {}", mess.largest_touch);
    println!("mess_frame_largest {}", mess.largest_frame);
    Some(())
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
