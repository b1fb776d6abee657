use core::mem::MaybeUninit;
use core::panic::PanicInfo;

use board::journal::Journal;
use board::session::BoardSession;
use board::{Hand, Instant, Orientation, Referee, Settings, Surface};
use chess::{Bitboard, Color, Piece, Position, Square};
use cortex_m_rt::ExceptionFrame;
use rules::genome::Setup;
use rules::{Footprint, Play, Ply, Start, told};
use semihosting::{eprintln, println, process};
use wire::link::{ClockRule, Event, GameInfo, Seat};

use crate::player::Player;
use crate::{cost, dearest_setup, stack};

/// The longest time control, so that no flag falls before the end of the game.
const CLOCK: ClockRule = ClockRule { base_ms: u32::MAX, increment_ms: 1000 };

/// A position with many moves of every kind.
const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

/// The position with the most moves that there can be, and one with many moves of both sides.
const MOST_MOVES: &str = "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1";
const MANY_ANSWERS: &str = "q2k2q1/2nqn2b/1n1P1n1b/2rnr2Q/1NQ1QN1Q/3Q3B/2RQR2B/Q2K2Q1 w - - 0 1";

#[cortex_m_rt::entry]
fn main() -> ! {
    static mut SURFACE: MaybeUninit<Surface> = MaybeUninit::uninit();
    println!("ram_surface {}", size_of::<Surface>());
    println!("ram_game {}", size_of::<Play>());
    println!("ram_referee {}", size_of::<Referee>());
    println!("ram_hand {}", size_of::<Hand>());
    println!("ram_session {}", size_of::<BoardSession>());
    println!("ram_journal {}", size_of::<Journal>());

    let start = Position::start().occupied();
    let (surface, stack_new) = stack::depth(|| SURFACE.write(Surface::new(Settings::default(), start, Instant::at(0))));
    println!("stack_new {stack_new}");
    let mut now = 0;
    println!("idle {}", cost::of_scans(surface, [start, start], &mut now));
    // A switch that bounces with every scan, so that the debounce never accepts it.
    let bounced = Bitboard(start.0 ^ 1 << 12);
    println!("bounce {}", cost::of_scans(surface, [start, bounced], &mut now));

    let (measured, stack_play) = stack::depth(|| measure(surface, &mut now));
    println!("stack_play {stack_play}");
    let turned = Settings { orientation: Orientation::BlackNear, ..Settings::default() };
    let ((), stack_turn) = stack::depth(|| surface.set(turned, Instant::at(now)));
    println!("stack_turn {stack_turn}");
    if measured.is_none() {
        fail("the surface did not recognise a move");
    }
    process::exit(0)
}

/// Measures games. Returns `None` if the surface did not recognise a move.
fn measure(surface: &mut Surface, now: &mut u64) -> Option<()> {
    surface.begin(&Start::CHESS, &GameInfo { clock: Some(CLOCK), ..GameInfo::LOCAL }, Instant::at(*now));
    let mut player = Player::new(surface, now);
    player.play(2)?;
    println!("idle_clock {}", player.idle());
    println!("idle_lifted {}", player.idle_lifted()?);
    player.play(400)?;
    let game = player.finish();
    println!("plies {}", game.plies);
    println!("move_mean {}", game.moves / game.plies);
    println!("move_largest {}", game.largest_move);
    println!("touch_largest {}", game.largest_touch);
    println!("frame_largest {}", game.largest_frame);

    surface.begin(&Start::Chess(KIWIPETE.parse().ok()?), &GameInfo::LOCAL, Instant::at(*now));
    let mut player = Player::new(surface, now);
    player.disturb();
    let disturbed = player.finish();
    println!("mess_touch_largest {}", disturbed.largest_touch);
    println!("mess_frame_largest {}", disturbed.largest_frame);

    let white = GameInfo { seat: Seat::White, ..GameInfo::LOCAL };
    surface.begin(&Start::Told(largest_turn()), &white, Instant::at(*now));
    let mut player = Player::new(surface, now);
    player.disturb();
    println!("told_touch_largest {}", player.finish().largest());
    surface.begin(&Start::Told(largest_turn()), &white, Instant::at(*now));
    let mut player = Player::new(surface, now);
    player.sweep(10);
    println!("told_sweep_largest {}", player.finish().largest());

    measure_genome(surface, &Setup::default_preset(1)?, now, ["genome_touch_largest", "genome_sweep_largest"]);
    measure_genome(surface, &dearest_setup::setup()?, now, ["dearest_touch_largest", "dearest_sweep_largest"]);

    measure_genome(surface, &dearest_setup::blocked()?, now, ["blocked_touch_largest", "blocked_sweep_largest"]);
    measure_genome(surface, &dearest_setup::mutating()?, now, ["mutating_touch_largest", "mutating_sweep_largest"]);
    measure_remote(surface, &[dearest_setup::setup()?, dearest_setup::blocked()?, dearest_setup::mutating()?], now)?;

    measure_takebacks(surface, now)?;

    let mut largest = 0;
    for fen in [KIWIPETE, MOST_MOVES, MANY_ANSWERS] {
        surface.begin(&Start::Chess(fen.parse().ok()?), &GameInfo::LOCAL, Instant::at(*now));
        let mut player = Player::new(surface, now);
        player.sweep(10);
        largest = player.finish().largest().max(largest);
    }
    println!("sweep_largest {largest}");

    surface.begin(&Start::CHESS, &GameInfo { clock: Some(CLOCK), ..GameInfo::LOCAL }, Instant::at(*now));
    let mut player = Player::new(surface, now);
    player.hurry(60)?;
    println!("burst_largest {}", player.finish().largest());
    Some(())
}

/// Measures a game of GMO chess in which random pieces are removed and placed, and then all pieces are lifted and put down in any order.
fn measure_genome(surface: &mut Surface, setup: &Setup, now: &mut u64, [touch, sweep]: [&str; 2]) {
    surface.begin(&Start::Genome(*setup), &GameInfo::LOCAL, Instant::at(*now));
    let mut player = Player::new(surface, now);
    player.disturb();
    println!("{touch} {}", player.finish().largest());
    surface.begin(&Start::Genome(*setup), &GameInfo::LOCAL, Instant::at(*now));
    let mut player = Player::new(surface, now);
    player.sweep(10);
    println!("{sweep} {}", player.finish().largest());
}

/// Measures a ply of the remote opponent in games of GMO chess: when it arrives, while it is made, and the lights. The ply comes from the last block
/// that gives one.
fn measure_remote(surface: &mut Surface, setups: &[Setup], now: &mut u64) -> Option<()> {
    let [mut ply_largest, mut touch_largest, mut frame_largest] = [0; 3];
    for setup in setups {
        let info = GameInfo { seat: Seat::Black, ..GameInfo::LOCAL };
        surface.begin(&Start::Genome(*setup), &info, Instant::at(*now));
        let mut player = Player::new(surface, now);
        player.settle();
        let ply = *player.plies().last()?;
        ply_largest = player.receive(Event::Moved { number: 0, ply, thought_ms: 0 }).max(ply_largest);
        player.disturb();
        let measured = player.finish();
        touch_largest = measured.largest().max(touch_largest);
        frame_largest = measured.largest_frame.max(frame_largest);
    }
    println!("remote_ply_largest {ply_largest}");
    println!("remote_touch_largest {touch_largest}");
    println!("remote_frame_largest {frame_largest}");
    Some(())
}

/// The plies of a long game.
const LONG_GAME: u16 = 100;

/// Measures takebacks and corrections at the end of long games of GMO chess: by hand with the default preset, and by the relay also with DNA as long as it
/// can be.
fn measure_takebacks(surface: &mut Surface, now: &mut u64) -> Option<()> {
    let mut remote = 0;
    for (setup, is_default) in [(Setup::default_preset(1)?, true), (dearest_setup::lasting_game()?, false)] {
        surface.begin(&Start::Genome(setup), &GameInfo::LOCAL, Instant::at(*now));
        let mut player = Player::new(surface, now);
        player.settle();
        player.shuffle(LONG_GAME)?;
        if is_default {
            println!("correction_largest {}", player.correct()?);
            println!("takeback_largest {}", player.take_back_twice()?);
        }
        remote = player.lose_two()?.max(remote);
    }
    println!("remote_takeback_largest {remote}");
    Some(())
}

/// A turn of a told game with as many plies as there can be, of which as many as possible move or capture several pieces.
#[inline(never)]
fn largest_turn() -> told::Position {
    let mut pieces = [None; 64];
    for (index, slot) in pieces.iter_mut().enumerate() {
        *slot = match index {
            ..16 => Some(Piece::WhiteQueen),
            48.. => Some(Piece::BlackQueen),
            _ => None,
        };
    }
    let mut turn = told::Position::new(0, Color::White, &pieces);
    let occupied = Position::start().occupied();
    // Both fail when there is no more room.
    for from in Square::all().take(16) {
        for to in Square::all().skip(24).take(16) {
            let ply = Ply::new(from, to);
            let _ = turn.add(ply);
            let beside = Bitboard::of(Square::from_index(to.index().wrapping_add(24) & 63)) & occupied;
            let _ = turn.add_footprint(&Footprint::of_one(ply, occupied, beside));
        }
    }
    turn
}

#[panic_handler]
fn panic(_: &PanicInfo<'_>) -> ! {
    fail("panic")
}

/// Reports a stack overflow.
#[cortex_m_rt::exception]
#[allow(unsafe_code, reason = "the attribute asks for it, and takes the expectation elsewhere")]
unsafe fn HardFault(_: &ExceptionFrame) -> ! {
    fail("hard fault, possibly a stack overflow")
}

fn fail(why: &str) -> ! {
    eprintln!("{why}");
    process::exit(1)
}
