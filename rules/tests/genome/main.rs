//! GMO chess through the public interface of `rules`.

mod effects;
mod games;
mod random;
mod vectors;

use chess::{Bitboard, Color, File, Square};
use rules::genome::{Dna, PIECES, Setup};
use rules::{Play, Ply, Start};

fn dna(text: &str) -> Dna {
    text.parse().expect(text)
}

fn built_in(piece: &str) -> Dna {
    PIECES.iter().find(|built_in| built_in.piece == piece).and_then(rules::genome::BuiltIn::parse).expect(piece)
}

fn square(text: &str) -> Square {
    text.parse().expect(text)
}

fn squares(texts: &str) -> Bitboard {
    texts.split_whitespace().map(square).collect()
}

/// A game with these genomes on the files from a on, kings by file letter, and ordinary pawns.
fn game(back: &[&Dna], kings: &str) -> Play {
    game_with_pawns(&built_in("pawn"), back, kings)
}

fn game_with_pawns(pawn: &Dna, back: &[&Dna], kings: &str) -> Play {
    let mut setup = Setup::new(pawn, 1).expect("room");
    for (file, dna) in File::ALL.into_iter().zip(back) {
        let genome = setup.add(dna).expect("room");
        setup.place(file, genome, kings.contains(file.letter()));
    }
    setup.check().expect("a king");
    let mut play = Play::new();
    play.restart(&Start::Genome(setup));
    play
}

fn play_all(play: &mut Play, plies: &str) {
    for text in plies.split_whitespace() {
        play.play(text.parse().expect(text)).unwrap_or_else(|error| panic!("{text}: {error}"));
    }
}

/// The targets of the piece on a square that its side may move to now.
fn targets(play: &Play, from: &str) -> Bitboard {
    let from = square(from);
    play.situation().plies().iter().filter(|ply| ply.from() == from).map(|ply| ply.to()).collect()
}

fn color_at(play: &Play, at: &str) -> Option<Color> {
    play.situation().look(square(at)).map(|look| look.color)
}

fn is_legal(table: &Play, ply: &str) -> bool {
    table.situation().footprint(ply.parse::<Ply>().expect(ply)).is_some()
}
