//! Random DNA and random games. The fuzz target `genome` does the same for longer.

use chess::{Bitboard, Color, Square};
use proptest::prelude::*;
use rules::genome::moves::{MAX_WALK, Surroundings, moves};
use rules::genome::{Debuff, Dna, Laboratory, MoveDescriptor, Piece, Step};

const CONTENTS: [&str; 10] = ["HHH", "AHA", "AHS", "AHC", "SHA", "SHS", "SHC", "CHA", "CHS", "CHC"];
const SAC: [char; 3] = ['S', 'A', 'C'];

/// Valid DNA of up to three blocks.
fn any_dna() -> impl Strategy<Value = String> {
    let steps = prop::collection::vec(prop::collection::vec(prop::sample::select(&SAC[..]), 3), 0..=4);
    let effects = prop::collection::vec(prop::sample::select(&CONTENTS[..]), 3);
    let blocks = prop::collection::vec((effects, steps), 0..=3);
    (blocks, Just(Debuff::ALL.to_vec()).prop_shuffle(), any::<u8>()).prop_map(|(blocks, debuffs, used)| {
        let mut debuffs = debuffs.into_iter();
        let mut owner = |bit: usize| match used >> bit & 1 {
            0 => "HSH".to_owned(),
            _ => debuffs.next().map_or_else(|| "HSH".to_owned(), |debuff| debuff.codon().to_string()),
        };
        let block = |(index, (effects, steps)): (usize, (Vec<&str>, Vec<Vec<char>>))| {
            let steps: String = steps.into_iter().flatten().collect();
            format!("AHH{}{}{}HHA{steps}", owner(2 * index), owner(2 * index + 1), effects.concat())
        };
        blocks.into_iter().enumerate().map(block).collect()
    })
}

/// The moves, found by a direct reading of the specification: with coordinates, and a set of all states that were seen.
fn reference(dna: &Dna, from: Square, around: Surroundings) -> Vec<MoveDescriptor> {
    let has = |debuff| dna.debuffs().has(debuff);
    let mut found: Vec<MoveDescriptor> = Vec::new();
    for block in dna.blocks().filter(|block| !block.steps.is_empty()) {
        for rotation in [1_i32, -1] {
            for start in 0..4_i32 {
                let (mut x, mut y) = (i32::from(from.file().index()), i32::from(from.rank().index()));
                let (mut direction, mut part) = (start, 0);
                let mut seen = std::collections::HashSet::new();
                loop {
                    let Step { distance, is_coloring } = block.steps[part];
                    let (right, up) = [(0, 1), (1, 0), (0, -1), (-1, 0)][usize::try_from(direction).expect("0 to 3")];
                    x += right * i32::from(distance);
                    y += up * i32::from(distance);
                    if !has(Debuff::NoWrap) {
                        x = x.rem_euclid(8);
                    }
                    if !(0..8).contains(&x) || !(0..8).contains(&y) || !seen.insert((x, y, direction, part)) {
                        break;
                    }
                    let square = Square::from_index(u8::try_from(y * 8 + x).expect("0 to 63"));
                    let (own, enemy) = (around.own.has(square), around.enemy.has(square));
                    if is_coloring {
                        let effect = if own {
                            block.own
                        } else if enemy {
                            block.enemy
                        } else {
                            block.empty
                        };
                        if let Some((start, target)) = effect
                            && found.iter().all(|earlier| earlier.to != square)
                        {
                            found.push(MoveDescriptor { to: square, start, target });
                        }
                        if own || enemy {
                            break;
                        }
                    }
                    part = (part + 1) % block.steps.len();
                    direction = (direction + rotation).rem_euclid(4);
                    if part == 0 && has(Debuff::Once) {
                        break;
                    }
                }
                assert!(seen.len() <= MAX_WALK, "a walk of {} steps", seen.len());
            }
        }
    }
    let rank = |square: Square| i32::from(square.rank().index());
    let file = |square: Square| i32::from(square.file().index());
    found.retain(|&MoveDescriptor { to, .. }| {
        let ahead = if around.color == Color::White { rank(to) > rank(from) } else { rank(to) < rank(from) };
        let same = (rank(to) + file(to)) % 2 == (rank(from) + file(from)) % 2;
        let near = (rank(to) - rank(from)).abs() <= 1 && (file(to) - file(from)).abs() <= 1;
        (ahead || !has(Debuff::ForwardOnly))
            && (same || !has(Debuff::SameColor))
            && (!same || !has(Debuff::OtherColor))
            && (near || !has(Debuff::Neighbours))
    });
    found
}

proptest! {
    #[test]
    fn moves_are_those_of_a_direct_reading_of_the_specification(
        text in any_dna(),
        from in 0..64_u8,
        white in any::<u64>(),
        black in any::<u64>(),
        mover in any::<bool>(),
    ) {
        let dna: Dna = text.parse().expect("valid");
        prop_assert_eq!(dna.to_string(), text);
        let from = Square::from_index(from);
        // Half as many of each, so that lines are open.
        let (own, enemy) = (Bitboard(white & white.rotate_left(7)) | from.into(), Bitboard(black & black.rotate_left(9)));
        let enemy = enemy.without(own);
        let color = if mover { Color::White } else { Color::Black };
        let around = Surroundings { color, own, enemy };
        prop_assert_eq!(moves(dna.codons(), from, around).to_vec(), reference(&dna, from, around));
    }

    /// In the laboratory anything can be put anywhere. All genomes stay valid, and a piece can go exactly where its moves say.
    #[test]
    fn a_laboratory_stays_valid_whatever_is_done_on_it(
        texts in prop::collection::vec(any_dna(), 1..4),
        seed in any::<u64>(),
        actions in prop::collection::vec((0..6_u8, 0..64_u8, 0..64_u8), 0..80),
    ) {
        let mut laboratory = Laboratory::new(seed);
        for (action, from, to) in actions {
            let (from, to) = (Square::from_index(from), Square::from_index(to));
            let color = if to.is_light() { Color::White } else { Color::Black };
            let text = &texts[usize::from(to.index()) % texts.len()];
            match action {
                0 | 1 => {
                    // After many mutations there may be no room for another genome.
                    let _ = laboratory.insert(from, color, &text.parse().expect("valid"));
                }
                2 => laboratory.erase(from),
                3 | 4 => {
                    if let Some(piece) = laboratory.piece(from) {
                        let (is_king, is_pawn) = (piece.is_king != (action == 3), piece.is_pawn != (action == 4));
                        laboratory.put(from, Piece { is_king, is_pawn, ..piece });
                    }
                }
                _ => {
                    let moves = laboratory.moves_of(from);
                    let to = moves.get(usize::from(to.index()) % moves.len().max(1)).map_or(to, |found| found.to);
                    let before = laboratory.clone();
                    let is_legal = moves.iter().any(|found| found.to == to);
                    prop_assert_eq!(laboratory.play(from, to), is_legal);
                    prop_assert!(is_legal || laboratory == before);
                }
            }
            for piece in Square::all().filter_map(|square| laboratory.piece(square)) {
                prop_assert!(piece.genome < laboratory.position().genes().count());
                prop_assert!(Dna::from_codons(laboratory.position().genes().get(piece.genome)).is_ok());
            }
        }
    }

    #[test]
    fn an_error_lies_inside_the_text(text in "[SACH xé\n]{0,60}") {
        if let Err(error) = text.parse::<Dna>() {
            prop_assert!(error.at + error.len <= text.chars().count(), "{}", error);
        }
    }
}
