//! The default preset and the most expensive DNA.

use core::hint::black_box;

use chess::{Bitboard, Color, Square};
use rules::genome::moves::{Surroundings, moves};
use rules::genome::{Dna, Position, Setup};
use rules::{Options, Play, Ply, Start};
use rules_bench::counter;
use semihosting::println;

use crate::{dearest_setup, stack};

pub(crate) fn run(play: &mut Play) -> Option<()> {
    println!("ram_position {}", size_of::<Position>());
    println!("ram_setup {}", size_of::<Setup>());
    play.restart(&Start::Genome(Setup::default_preset(1)?));
    measure(play, "start", Ply::new(Square::E2, Square::E3))?;

    let dna = dearest_setup::dna()?;
    let around = Surroundings { color: Color::White, own: Bitboard::of(Square::D4), enemy: Bitboard::EMPTY };
    let of_piece = |dna: &Dna| of(|| moves(black_box(dna.codons()), Square::D4, around));
    println!("worst_piece {}", of_piece(&dna).max(of_piece(&dearest_setup::lasting()?)));
    play.restart(&Start::Genome(dearest_setup::setup()?));
    let ply = play.situation().plies().first().copied()?;
    measure(play, "worst", ply)
}

/// Measures one position: its plies, their footprints, and one ply.
fn measure(play: &mut Play, name: &str, ply: Ply) -> Option<()> {
    let (plies, depth) = stack::depth(|| play.situation().plies());
    println!("{name}_count {}", plies.len());
    println!("{name}_plies {}", of(|| play.situation().plies()));
    let footprints = || {
        Options { here: play.situation(), plies: &plies }.footprints().filter(|footprint| footprint.after.any()).count()
    };
    println!("{name}_footprints {}", of(footprints));
    let mut is_played = false;
    let (played, deeper) = stack::depth(|| of(|| is_played = play.play(ply).is_ok()));
    println!("{name}_ply {played}");
    println!("{name}_stack {}", depth.max(deeper));
    is_played.then_some(())
}

/// What some work takes, without what counting takes.
fn of<T>(work: impl FnOnce() -> T) -> u64 {
    let ((), empty) = counter::count(|| ());
    let (_, whole) = counter::count(|| black_box(work()));
    whole.saturating_sub(empty)
}
