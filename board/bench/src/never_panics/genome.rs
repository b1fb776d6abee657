//! GMO chess: DNA, setups, the laboratory, and a game.

use core::hint::black_box;

use chess::{Bitboard, Color, File, Square};
use rules::genome::moves::{Surroundings, moves};
use rules::genome::{Codon, Dna, Laboratory, PIECES, Piece, Setup};
use rules::{Play, Ply, Start};

use wire::setup::{SetupReader, write_setup};

use crate::image::show;

pub(crate) fn run(play: &mut Play) {
    let text: &str = black_box("anything");
    let dna = match text.parse::<Dna>() {
        Ok(dna) => dna,
        Err(error) => {
            show(error);
            let Some(Some(dna)) = PIECES.get(black_box(0)).map(rules::genome::BuiltIn::parse) else { return };
            dna
        }
    };
    show(&dna);
    let codons: &[Codon] = black_box(&[Codon::START]);
    if let Err((_, reason)) = Dna::from_codons(codons) {
        show(reason);
    }
    for debuff in dna.debuffs().iter() {
        show(debuff);
    }
    let (from, to, color) = (black_box(Square::A1), black_box(Square::A2), black_box(Color::White));
    let around = Surroundings { color, own: black_box(Bitboard::ALL), enemy: black_box(Bitboard::ALL) };
    black_box(moves(dna.codons(), from, around));

    let mut laboratory = Laboratory::new(black_box(1));
    if let Err(error) = laboratory.insert(from, color, &dna) {
        show(error);
    }
    if let Some(piece) = laboratory.piece(from) {
        laboratory.put(from, Piece { is_king: black_box(true), is_pawn: black_box(true), ..piece });
    }
    black_box(laboratory.seed());
    black_box((laboratory.play(from, to), laboratory.piece(to)));
    laboratory.erase(to);

    match text.parse::<Setup>() {
        Ok(setup) => run_game(play, setup),
        Err(error) => show(error),
    }
    let Some(mut setup) = Setup::new(&dna, black_box(1)) else { return };
    if let Err(error) = setup.add(&dna) {
        show(error);
    }
    setup.place(black_box(File::A), black_box(1), black_box(true));
    show(setup);
    run_game(play, setup);
    let mut reader = SetupReader::default();
    for &byte in black_box(write_setup(&setup).as_slice()) {
        match reader.push(byte) {
            Ok(Some(setup)) => run_game(play, setup),
            Ok(None) => {}
            Err(error) => show(error),
        }
    }
}

fn run_game(play: &mut Play, setup: Setup) {
    play.restart(&Start::Genome(setup));
    let ply = Ply::from_bits(black_box(1));
    if let Err(error) = play.play(ply) {
        show(error);
    }
    if let Err(error) = play.play_in_parts(ply) {
        show(error);
    }
    black_box((play.search_on(black_box(1)), play.is_searching()));
    let here = play.situation();
    black_box((
        here.turn(),
        here.freeze(),
        here.footprint(ply),
        here.made(ply),
        here.choices(ply),
        here.look(ply.to()),
        here.choice(ply.choice()),
    ));
    black_box((
        here.plies(),
        here.choice_named(black_box("queen")),
        here.with_choice(ply, black_box(None)),
        here.read(black_box("e2e4")).is_ok(),
    ));
    black_box((play.before_last(), play.take_back()));
}
