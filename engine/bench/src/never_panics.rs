//! An image that calls everything in `engine` with values that the optimiser cannot know, and in which a panic is an undefined
//! symbol: it only links if no panic is left anywhere.
#![cfg_attr(target_os = "none", no_std)]
#![cfg_attr(target_os = "none", no_main)]

#[cfg(target_os = "none")]
mod image {
    use core::fmt::{self, Display, Write};
    use core::hint::{black_box, spin_loop};
    use core::panic::PanicInfo;

    use chess::{Move, Position};
    use engine::{Engine, Level, Limits, Memory, OfferPolicy, Random, Score, Slot, Step, Time};

    #[expect(unsafe_code, reason = "the symbol is never defined, which is the point")]
    #[panic_handler]
    fn panic(_: &PanicInfo<'_>) -> ! {
        unsafe extern "C" {
            fn a_panic_can_be_reached() -> !;
        }
        // SAFETY: an image with this call in it cannot be linked.
        unsafe { a_panic_can_be_reached() }
    }

    /// Takes text without looking at it.
    struct Nowhere;

    impl Write for Nowhere {
        fn write_str(&mut self, text: &str) -> fmt::Result {
            black_box(text);
            Ok(())
        }
    }

    fn show(value: impl Display) {
        black_box(write!(Nowhere, "{value}").is_ok());
    }

    #[cortex_m_rt::entry]
    fn main() -> ! {
        static mut MEMORY: Memory = Memory::new();
        static mut TABLE: [Slot; 8192] = [Slot::EMPTY; 8192];
        let slots: usize = black_box(8192);
        let table = black_box(TABLE).get_mut(..slots).unwrap_or_default();
        let mut engine = Engine::new(black_box(MEMORY), table);
        let moves: &[Move] = black_box(&[]);
        let position = black_box("anything").parse().unwrap_or(Position::start());

        engine.new_game(black_box(1));
        engine.set_seed(black_box(2));
        engine.set_openings(black_box(true));
        if let Some(level) = Level::new(black_box(3)) {
            engine.set_level(level);
        }
        for level in Level::all() {
            black_box(level.number());
        }
        let mut random = Random::new(black_box(1));
        black_box((random.next(), random.below(black_box(5))));
        let mut policy = OfferPolicy::new(black_box(Level::WEAKEST));
        let clock =
            Time::Clock { remaining_ms: black_box(1), increment_ms: black_box(2), moves_to_go: black_box(Some(3)) };
        let time = if black_box(true) { clock } else { Time::Move(black_box(1)) };
        let limits = Limits { depth: black_box(Some(3)), nodes: black_box(Some(4)), time: black_box(Some(time)) };
        loop {
            if let Err(error) = engine.start(&position, moves, black_box(limits)) {
                show(error);
            }
            engine.search_only(moves);
            match engine.step(black_box(100), black_box(7)) {
                Step::Best(best) => {
                    black_box(policy.after_search(&position, &best));
                    black_box(policy.after_score(&position, black_box(Score::Mate(1))));
                    black_box(policy.accepts_draw(&position));
                    show_best(&best);
                }
                Step::Thinking | Step::Idle => spin_loop(),
            }
            let progress = engine.progress();
            black_box((progress.nodes, progress.seldepth, progress.table_permille));
            if let Some(best) = engine.stop() {
                show_best(&best);
            }
        }
    }

    fn show_best(best: &engine::Best) {
        show(best.score());
        for mv in best.line.iter() {
            show(mv);
        }
    }
}

#[cfg(not(target_os = "none"))]
fn main() {}
