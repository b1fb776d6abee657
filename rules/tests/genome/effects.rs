//! What moves leave on the board, piece by piece.

use chess::{Bitboard, Color, Square};
use rules::genome::{Codon, Dna, Laboratory, Piece};

use super::{built_in, dna, square, squares};

/// A laboratory with white pieces of this DNA, and black rooks.
fn laboratory(text: &str, white: &str, black: &str) -> Laboratory {
    let mut laboratory = Laboratory::new(5);
    for at in white.split_whitespace() {
        laboratory.insert(square(at), Color::White, &dna(text)).expect("room");
    }
    for at in black.split_whitespace() {
        laboratory.insert(square(at), Color::Black, &built_in("rook")).expect("room");
    }
    laboratory
}

fn of(laboratory: &Laboratory, color: Color) -> Bitboard {
    Square::all().filter(|&at| laboratory.piece(at).is_some_and(|piece| piece.color == color)).collect()
}

fn codons(laboratory: &Laboratory, at: &str) -> Vec<Codon> {
    let piece = laboratory.piece(square(at)).expect("a piece");
    laboratory.position().genes().get(piece.genome).to_vec()
}

/// Steps one square in all directions, with these owners and effects.
fn stepper(owners: &str, own: &str, enemy: &str, empty: &str) -> String {
    format!("AHH {owners} {own} {enemy} {empty} HHA SAS CAS")
}

#[test]
fn copies_swaps_and_converts() {
    let mut copy = laboratory(&stepper("HAA HAC", "HHH", "HHH", "AHA"), "d4", "");
    assert!(copy.play(Square::D4, Square::D5));
    assert_eq!(of(&copy, Color::White), squares("d4 d5"));

    let mut swap = laboratory(&stepper("HSH HAA", "HHH", "SHA", "CHA"), "d4", "d5");
    assert!(swap.play(Square::D4, Square::D5));
    assert_eq!((of(&swap, Color::White), of(&swap, Color::Black)), (squares("d5"), squares("d4")));

    let mut convert = laboratory(&stepper("HAC HAA", "HHH", "AHS", "CHA"), "d4", "d5");
    assert!(convert.play(Square::D4, Square::D5));
    assert_eq!((of(&convert, Color::White), of(&convert, Color::Black)), (squares("d4 d5"), squares("")));
    assert_eq!(codons(&convert, "d5"), built_in("rook").codons());
}

#[test]
fn the_opponent_gets_a_piece_whose_owner_codon_says_so() {
    let mut gift = laboratory(&stepper("HAA HSH", "HHH", "HHH", "CHA"), "d4", "");
    assert!(gift.play(Square::D4, Square::E4));
    assert_eq!((of(&gift, Color::White), of(&gift, Color::Black)), (squares(""), squares("e4")));
}

#[test]
fn takes_own_pieces_where_the_dna_allows_it() {
    let mut cannibal = laboratory(&stepper("HSH HAA", "CHA", "HHH", "CHA"), "d4 d5", "");
    assert!(cannibal.play(Square::D4, Square::D5));
    assert_eq!(of(&cannibal, Color::White), squares("d5"));
    let mut peaceful = laboratory(&stepper("HSH HAA", "HHH", "CHA", "CHA"), "d4 d5", "");
    assert!(!peaceful.play(Square::D4, Square::D5));
}

#[test]
fn the_piece_of_an_empty_target_is_nothing() {
    let mut vanishing = laboratory(&stepper("HSH HAA", "HHH", "HHH", "CHS"), "d4", "");
    assert!(vanishing.play(Square::D4, Square::D5));
    assert_eq!(of(&vanishing, Color::White), Bitboard::EMPTY);
    let mut staying = laboratory(&stepper("HAC HAA", "HHH", "HHH", "AHS"), "d4", "");
    assert!(staying.play(Square::D4, Square::D5));
    assert_eq!(of(&staying, Color::White), squares("d4"));
}

#[test]
fn a_move_to_the_own_square_keeps_the_piece_that_is_placed_last() {
    let mut pass = laboratory("AHHHSHHAACHACHACHAHHASAA", "d4", "");
    assert!(pass.play(Square::D4, Square::D4));
    assert_eq!(of(&pass, Color::White), squares("d4"));
    let mut traitor = laboratory("AHHHSHHAAAHCCHACHAHHASAA", "d4", "");
    assert!(traitor.play(Square::D4, Square::D4));
    assert_eq!(of(&traitor, Color::Black), squares("d4"));
}

#[test]
fn a_block_without_movement_has_no_moves() {
    let still = laboratory("AHHHSHHAACHACHACHAHHA", "d4", "");
    assert!(still.moves_of(Square::D4).is_empty());
}

#[test]
fn mutation_changes_one_letter_of_this_piece_and_leaves_valid_dna() {
    let text = stepper("HCC HAA", "HHH", "HHH", "CHA");
    let mut mutant = laboratory(&text, "d4 h1", "");
    let before = dna(&text);
    assert!(mutant.play(Square::D4, Square::D5));
    let after = codons(&mutant, "d5");
    let letters = |codons: &[Codon]| codons.iter().flat_map(|codon| codon.letters()).collect::<Vec<_>>();
    let changed = letters(before.codons()).into_iter().zip(letters(&after)).filter(|(old, new)| old != new).count();
    assert_eq!(changed, 1);
    assert!(Dna::from_codons(&after).is_ok());
    assert_eq!(codons(&mutant, "h1"), before.codons());
}

#[test]
fn deviation_shifts_by_at_most_one_square_and_stays_on_the_board() {
    let text = "AHH HSA HAA HHH CHA CHA HHA SAS CAS";
    let mut seen = Bitboard::EMPTY;
    for seed in 0..200 {
        let mut laboratory = Laboratory::new(seed);
        laboratory.insert(Square::D4, Color::White, &dna(text)).expect("room");
        assert!(laboratory.play(Square::D4, Square::D5));
        seen |= of(&laboratory, Color::White);
    }
    assert_eq!(seen, squares("c4 d4 e4 c5 d5 e5 c6 d6 e6"));
    for seed in 0..50 {
        let mut laboratory = Laboratory::new(seed);
        laboratory.insert(Square::A2, Color::White, &dna(text)).expect("room");
        assert!(laboratory.play(Square::A2, Square::A1));
        let at = of(&laboratory, Color::White);
        assert!(at.count() == 1 && at.without(squares("a1 a2 b1 b2")).is_empty());
    }
}

fn change(laboratory: &mut Laboratory, square: Square, changed: impl Fn(Piece) -> Piece) {
    let piece = laboratory.piece(square).expect("a piece");
    laboratory.put(square, changed(piece));
}

#[test]
fn a_laboratory_inserts_changes_and_erases_pieces() {
    let mut laboratory = laboratory(&stepper("HSH HAA", "HHH", "CHA", "CHA"), "d4", "d5");
    change(&mut laboratory, Square::D5, |piece| Piece { is_king: true, ..piece });
    change(&mut laboratory, Square::D4, |piece| Piece { is_pawn: true, ..piece });
    let piece = |laboratory: &Laboratory, at| laboratory.piece(at).map(|piece| (piece.is_king, piece.is_pawn));
    assert_eq!(
        [piece(&laboratory, Square::D5), piece(&laboratory, Square::D4)],
        [Some((true, false)), Some((false, true))]
    );
    change(&mut laboratory, Square::D4, |piece| Piece { is_pawn: false, ..piece });
    // No turns, and no end when a king is taken.
    assert!(laboratory.play(Square::D4, Square::D5) && laboratory.play(Square::D5, Square::D6));
    laboratory.erase(Square::D6);
    assert_eq!(of(&laboratory, Color::White), Bitboard::EMPTY);
    assert!(!laboratory.play(Square::D6, Square::D7));
}
