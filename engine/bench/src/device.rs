//! Prints the nodes and the instructions of searches on an emulated Cortex-M whose clock counts instructions, and the bytes of
//! the engine's memory.
#![cfg_attr(target_os = "none", no_std)]
#![cfg_attr(target_os = "none", no_main)]

#[cfg(target_os = "none")]
mod image {
    use core::hint::black_box;
    use core::panic::PanicInfo;

    use chess::Position;
    use semihosting::{println, process};

    /// Openings, middlegames and endgames.
    const POSITIONS: [&str; 8] = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N2N2/PP2BPPP/R1BQ1RK1 w - - 0 9",
        "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
        "2rq1rk1/pb1n1ppN/4p3/1pb5/3P1Pn1/P1N5/1PQ1B1PP/R1B2RK1 b - - 0 16",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "8/5pk1/6p1/R6p/7P/5PP1/r4PK1/8 w - - 0 40",
        "2r3k1/p4ppp/1p2pn2/2n5/8/P1B1PP2/1P3KPP/3R1B2 w - - 0 25",
    ];

    /// Plies to which the start position is searched, for the comparison with another engine of this class.
    #[cfg(feature = "engine")]
    const PLIES: [u8; 2] = [8, 9];

    #[cfg(feature = "engine")]
    fn engine() -> engine::Engine<'static> {
        use engine::{Engine, Memory, Slot};

        /// 128 KB, the table of a board.
        const SLOTS: usize = 16 * 1024;

        static mut MEMORY: Memory = Memory::new();
        static mut TABLE: [Slot; SLOTS] = [Slot::EMPTY; SLOTS];

        #[expect(unsafe_code, reason = "memory of an image with one thread")]
        // SAFETY: there is one thread, and the engine of the call before is not used any more.
        let (memory, table) = unsafe { (&mut *(&raw mut MEMORY), &mut *(&raw mut TABLE)) };
        let mut engine = Engine::new(memory, table);
        engine.new_game(1);
        engine.set_openings(false);
        engine
    }

    /// Prints the instructions that the start position takes to some plies.
    #[cfg(feature = "engine")]
    fn measure_plies() {
        use engine::{Limits, Step};

        const STEP_NODES: u32 = 100;

        let mut engine = engine();
        let limits = Limits { depth: PLIES.last().copied(), ..Limits::default() };
        if engine.start(&Position::start(), &[], limits).is_err() {
            return;
        }
        let (mut instructions, mut reached) = (0, 0);
        loop {
            let (step, count) = rules_bench::counter::count(|| black_box(&mut engine).step(STEP_NODES, 0));
            instructions += count;
            let depth = engine.progress().best.depth;
            if depth > reached && PLIES.contains(&depth) {
                println!("plies {depth} {instructions}");
            }
            reached = depth;
            if step != Step::Thinking {
                return;
            }
        }
    }

    #[cfg(not(feature = "engine"))]
    fn measure_plies() {}

    #[cfg(feature = "engine")]
    fn measure(position: &Position) -> (u64, u64) {
        use engine::{Limits, Step};

        const STEP_NODES: u32 = 1000;
        const STEPS: u32 = 20;

        let mut engine = engine();
        if engine.start(position, &[], Limits::default()).is_err() {
            return (0, 0);
        }
        let mut instructions = 0;
        for _ in 0..STEPS {
            let (step, count) = rules_bench::counter::count(|| black_box(&mut engine).step(STEP_NODES, 0));
            instructions += count;
            if step != Step::Thinking {
                break;
            }
        }
        (engine.progress().nodes, instructions)
    }

    /// The image without the engine has the rules in it, as every firmware has.
    #[cfg(not(feature = "engine"))]
    fn measure(position: &Position) -> (u64, u64) {
        let mut visited = 0;
        position.legal().for_each(|mv| visited += u64::from(position.play(mv).is_ok()));
        (visited, rules_bench::counter::count(|| black_box(position.perft(black_box(1)))).1)
    }

    #[cortex_m_rt::entry]
    fn main() -> ! {
        for fen in POSITIONS {
            if let Ok(position) = black_box(fen).parse() {
                let (nodes, instructions) = measure(black_box(&position));
                println!("{nodes} {instructions}");
            }
        }
        measure_plies();
        process::exit(0)
    }

    #[panic_handler]
    fn panic(_: &PanicInfo<'_>) -> ! {
        process::exit(1)
    }
}

#[cfg(not(target_os = "none"))]
fn main() {}
