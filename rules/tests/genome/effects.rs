//! What moves leave on the board, piece by piece.

use chess::{Bitboard, Color, Square};
use rules::genome::{Codon, Dna, Sandbox};

use super::{built_in, dna, square, squares};

/// A sandbox with white pieces of this DNA, and black rooks.
fn sandbox(text: &str, white: &str, black: &str) -> Sandbox {
    let mut sandbox = Sandbox::new(5);
    for at in white.split_whitespace() {
        sandbox.insert(square(at), Color::White, &dna(text)).expect("room");
    }
    for at in black.split_whitespace() {
        sandbox.insert(square(at), Color::Black, &built_in("rook")).expect("room");
    }
    sandbox
}

fn of(sandbox: &Sandbox, color: Color) -> Bitboard {
    Square::all().filter(|&at| sandbox.piece(at).is_some_and(|piece| piece.color == color)).collect()
}

fn codons(sandbox: &Sandbox, at: &str) -> Vec<Codon> {
    let piece = sandbox.piece(square(at)).expect("a piece");
    sandbox.position().genes().get(piece.genome).to_vec()
}

/// Steps one square in all directions, with these owners and effects.
fn stepper(owners: &str, own: &str, enemy: &str, empty: &str) -> String {
    format!("AHH {owners} {own} {enemy} {empty} HHA SAS CAS")
}

#[test]
fn copies_swaps_and_converts() {
    let mut copy = sandbox(&stepper("HAA HAC", "HHH", "HHH", "AHA"), "d4", "");
    assert!(copy.play(Square::D4, Square::D5));
    assert_eq!(of(&copy, Color::White), squares("d4 d5"));

    let mut swap = sandbox(&stepper("HSH HAA", "HHH", "SHA", "CHA"), "d4", "d5");
    assert!(swap.play(Square::D4, Square::D5));
    assert_eq!((of(&swap, Color::White), of(&swap, Color::Black)), (squares("d5"), squares("d4")));

    let mut convert = sandbox(&stepper("HAC HAA", "HHH", "AHS", "CHA"), "d4", "d5");
    assert!(convert.play(Square::D4, Square::D5));
    assert_eq!((of(&convert, Color::White), of(&convert, Color::Black)), (squares("d4 d5"), squares("")));
    assert_eq!(codons(&convert, "d5"), built_in("rook").codons());
}

#[test]
fn the_opponent_gets_a_piece_whose_owner_codon_says_so() {
    let mut gift = sandbox(&stepper("HAA HSH", "HHH", "HHH", "CHA"), "d4", "");
    assert!(gift.play(Square::D4, Square::E4));
    assert_eq!((of(&gift, Color::White), of(&gift, Color::Black)), (squares(""), squares("e4")));
}

#[test]
fn takes_own_pieces_where_the_dna_allows_it() {
    let mut cannibal = sandbox(&stepper("HSH HAA", "CHA", "HHH", "CHA"), "d4 d5", "");
    assert!(cannibal.play(Square::D4, Square::D5));
    assert_eq!(of(&cannibal, Color::White), squares("d5"));
    let mut peaceful = sandbox(&stepper("HSH HAA", "HHH", "CHA", "CHA"), "d4 d5", "");
    assert!(!peaceful.play(Square::D4, Square::D5));
}

#[test]
fn the_piece_of_an_empty_target_is_nothing() {
    let mut vanishing = sandbox(&stepper("HSH HAA", "HHH", "HHH", "CHS"), "d4", "");
    assert!(vanishing.play(Square::D4, Square::D5));
    assert_eq!(of(&vanishing, Color::White), Bitboard::EMPTY);
    let mut staying = sandbox(&stepper("HAC HAA", "HHH", "HHH", "AHS"), "d4", "");
    assert!(staying.play(Square::D4, Square::D5));
    assert_eq!(of(&staying, Color::White), squares("d4"));
}

#[test]
fn a_move_to_the_own_square_keeps_the_piece_that_is_placed_last() {
    let mut pass = sandbox("AHHHSHHAACHACHACHAHHASAA", "d4", "");
    assert!(pass.play(Square::D4, Square::D4));
    assert_eq!(of(&pass, Color::White), squares("d4"));
    let mut traitor = sandbox("AHHHSHHAAAHCCHACHAHHASAA", "d4", "");
    assert!(traitor.play(Square::D4, Square::D4));
    assert_eq!(of(&traitor, Color::Black), squares("d4"));
}

#[test]
fn a_block_without_movement_has_no_moves() {
    let still = sandbox("AHHHSHHAACHACHACHAHHA", "d4", "");
    assert!(still.moves_of(Square::D4).is_empty());
}

#[test]
fn mutation_changes_one_letter_of_this_piece_and_leaves_valid_dna() {
    let text = stepper("HCC HAA", "HHH", "HHH", "CHA");
    let mut mutant = sandbox(&text, "d4 h1", "");
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
        let mut sandbox = Sandbox::new(seed);
        sandbox.insert(Square::D4, Color::White, &dna(text)).expect("room");
        assert!(sandbox.play(Square::D4, Square::D5));
        seen |= of(&sandbox, Color::White);
    }
    assert_eq!(seen, squares("c4 d4 e4 c5 d5 e5 c6 d6 e6"));
    for seed in 0..50 {
        let mut sandbox = Sandbox::new(seed);
        sandbox.insert(Square::A2, Color::White, &dna(text)).expect("room");
        assert!(sandbox.play(Square::A2, Square::A1));
        let at = of(&sandbox, Color::White);
        assert!(at.count() == 1 && at.without(squares("a1 a2 b1 b2")).is_empty());
    }
}

#[test]
fn a_sandbox_inserts_erases_and_toggles() {
    let mut sandbox = sandbox(&stepper("HSH HAA", "HHH", "CHA", "CHA"), "d4", "d5");
    sandbox.toggle_king(Square::D5);
    sandbox.toggle_pawn(Square::D4);
    let piece = |sandbox: &Sandbox, at| sandbox.piece(at).map(|piece| (piece.is_king, piece.is_pawn));
    assert_eq!([piece(&sandbox, Square::D5), piece(&sandbox, Square::D4)], [Some((true, false)), Some((false, true))]);
    sandbox.toggle_pawn(Square::D4);
    // No turns, and no end when a king is taken.
    assert!(sandbox.play(Square::D4, Square::D5) && sandbox.play(Square::D5, Square::D6));
    sandbox.erase(Square::D6);
    assert_eq!(of(&sandbox, Color::White), Bitboard::EMPTY);
    assert!(!sandbox.play(Square::D6, Square::D7));
}
