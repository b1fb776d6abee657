//! An image that calls everything in `chess` with values that the optimiser cannot know, and in which a panic is an
//! undefined symbol: it only links if no panic is left anywhere.
#![cfg_attr(target_os = "none", no_std)]
#![cfg_attr(target_os = "none", no_main)]

#[cfg(target_os = "none")]
mod image {
    use core::fmt::{self, Display, Write};
    use core::hint::{black_box, spin_loop};
    use core::panic::PanicInfo;

    use chess::{Bitboard, Color, DrawClaim, Game, Move, Position, Setup, Square};

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

    fn show_result<T: Display, E: Display>(result: Result<T, E>) {
        match result {
            Ok(value) => show(value),
            Err(error) => show(error),
        }
    }

    fn show_error<E: Display>(result: Result<(), E>) {
        show_result(result.map(|()| ""));
    }

    #[cortex_m_rt::entry]
    fn main() -> ! {
        static mut GAME: Game = Game::new();
        let game: &mut Game = black_box(GAME);
        let text: &str = black_box("anything");

        show_result(text.parse::<Square>());
        let mv = match text.parse::<Move>() {
            Ok(mv) => mv,
            Err(error) => {
                show(error);
                black_box(Move::new(Square::A1, Square::A1))
            }
        };
        let setup: Setup = black_box(Setup::EMPTY);
        show_result(setup.position().map(|_| ""));
        match text.parse::<Position>() {
            Ok(position) => game.restart(position),
            Err(error) => show(error),
        }

        show_error(game.play(mv));
        show_error(game.claim_draw(black_box(DrawClaim::FiftyMoves)));
        show_error(game.claim_draw_with(mv, black_box(DrawClaim::FiftyMoves)));
        show_error(game.check_claim(black_box(DrawClaim::ThreefoldRepetition), Some(mv)).map(drop));
        black_box(game.can_claim(black_box(DrawClaim::FiftyMoves)));
        show_error(game.resign(black_box(Color::White)));
        show_error(game.flag(black_box(Color::White)));
        show_error(game.agree_draw());
        if let Some(outcome) = game.outcome() {
            show(outcome);
            show(outcome.result());
        }
        black_box(game.reversible());
        black_box((game.repetitions(), game.take_back(), game.moves().len()));

        let position = game.position();
        show(position.fen());
        show_result(position.san(mv));
        show_result(position.parse_san(text));
        show_result(position.play(mv).map(|next| next.key() == position.key()).map(u8::from));
        black_box(position.perft(black_box(3)));
        black_box((position.is_checkmate(), position.is_stalemate(), position.is_insufficient_material()));
        black_box((position.victim(mv), position.castling_rook(mv), position.legal().from(mv.from())));
        let mut next = position.pass();
        position.after_into(mv, &mut next);
        next.legal_captures().for_each(|mv| {
            black_box(mv);
        });
        black_box((next.checkers(), next.attackers(mv.to(), next.occupied())));
        for square in black_box(Bitboard::ALL) {
            show(square);
        }
        loop {
            spin_loop();
        }
    }
}

#[cfg(not(target_os = "none"))]
fn main() {}
