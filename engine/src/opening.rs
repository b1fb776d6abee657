//! Varied openings: the first moves of common lines, from which a seed chooses.

use chess::{Move, Square};

use crate::memory::NO_MOVE;
use crate::random::Random;

const LINES: usize = 40;
/// Plies of the longest line.
const PLIES: usize = 10;

/// Common openings in UCI notation.
const TEXTS: [&str; LINES] = [
    "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6 e1g1 f8e7",
    "e2e4 e7e5 g1f3 b8c6 f1b5 g8f6 e1g1 f6e4 d2d4 e4d6",
    "e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 c2c3 g8f6 d2d3 d7d6",
    "e2e4 e7e5 g1f3 b8c6 f1c4 g8f6 d2d3 f8e7 e1g1 e8g8",
    "e2e4 e7e5 g1f3 b8c6 d2d4 e5d4 f3d4 g8f6 d4c6 b7c6",
    "e2e4 e7e5 g1f3 b8c6 d2d4 e5d4 f3d4 f8c5 c1e3 d8f6",
    "e2e4 e7e5 g1f3 b8c6 b1c3 g8f6 f1b5 f8b4 e1g1 e8g8",
    "e2e4 e7e5 g1f3 g8f6 f3e5 d7d6 e5f3 f6e4 d2d4 d6d5",
    "e2e4 e7e5 b1c3 g8f6 f2f4 d7d5 f4e5 f6e4",
    "e2e4 e7e5 f1c4 g8f6 d2d3 b8c6 g1f3 f8e7",
    "e2e4 c7c5 g1f3 d7d6 d2d4 c5d4 f3d4 g8f6 b1c3 a7a6",
    "e2e4 c7c5 g1f3 d7d6 d2d4 c5d4 f3d4 g8f6 b1c3 g7g6",
    "e2e4 c7c5 g1f3 b8c6 d2d4 c5d4 f3d4 g8f6 b1c3 d7d6",
    "e2e4 c7c5 g1f3 e7e6 d2d4 c5d4 f3d4 a7a6 f1d3 g8f6",
    "e2e4 c7c5 g1f3 b8c6 f1b5 g7g6 e1g1 f8g7 f1e1 g8f6",
    "e2e4 c7c5 c2c3 g8f6 e4e5 f6d5 d2d4 c5d4 g1f3 b8c6",
    "e2e4 c7c5 b1c3 b8c6 g2g3 g7g6 f1g2 f8g7 d2d3 d7d6",
    "e2e4 e7e6 d2d4 d7d5 b1c3 g8f6 c1g5 f8e7 e4e5 f6d7",
    "e2e4 e7e6 d2d4 d7d5 b1d2 g8f6 e4e5 f6d7 f1d3 c7c5",
    "e2e4 e7e6 d2d4 d7d5 e4d5 e6d5 g1f3 g8f6 f1d3 f8d6",
    "e2e4 c7c6 d2d4 d7d5 b1c3 d5e4 c3e4 c8f5 e4g3 f5g6",
    "e2e4 c7c6 d2d4 d7d5 e4e5 c8f5 g1f3 e7e6 f1e2 c6c5",
    "e2e4 c7c6 d2d4 d7d5 e4d5 c6d5 c2c4 g8f6 b1c3 e7e6",
    "e2e4 d7d5 e4d5 d8d5 b1c3 d5a5 d2d4 g8f6 g1f3 c7c6",
    "e2e4 d7d6 d2d4 g8f6 b1c3 g7g6 g1f3 f8g7 f1e2 e8g8",
    "d2d4 d7d5 c2c4 e7e6 b1c3 g8f6 c1g5 f8e7 e2e3 e8g8",
    "d2d4 d7d5 c2c4 c7c6 g1f3 g8f6 b1c3 d5c4 a2a4 c8f5",
    "d2d4 d7d5 c2c4 c7c6 g1f3 g8f6 e2e3 c8f5 b1c3 e7e6",
    "d2d4 d7d5 c2c4 d5c4 g1f3 g8f6 e2e3 e7e6 f1c4 c7c5",
    "d2d4 d7d5 g1f3 g8f6 c1f4 c7c5 e2e3 b8c6 c2c3 e7e6",
    "d2d4 g8f6 c2c4 g7g6 b1c3 f8g7 e2e4 d7d6 g1f3 e8g8",
    "d2d4 g8f6 c2c4 g7g6 b1c3 d7d5 c4d5 f6d5 e2e4 d5c3",
    "d2d4 g8f6 c2c4 e7e6 b1c3 f8b4 e2e3 e8g8 f1d3 d7d5",
    "d2d4 g8f6 c2c4 e7e6 g1f3 b7b6 g2g3 c8b7 f1g2 f8e7",
    "d2d4 g8f6 g1f3 e7e6 c1f4 c7c5 e2e3 d7d5 c2c3 b8c6",
    "d2d4 f7f5 g2g3 g8f6 f1g2 e7e6 g1f3 f8e7 e1g1 e8g8",
    "c2c4 e7e5 b1c3 g8f6 g1f3 b8c6 g2g3 d7d5 c4d5 f6d5",
    "c2c4 c7c5 g1f3 g8f6 b1c3 b8c6 g2g3 g7g6 f1g2 f8g7",
    "c2c4 g8f6 b1c3 e7e6 g1f3 d7d5 d2d4 f8e7",
    "g1f3 d7d5 g2g3 g8f6 f1g2 e7e6 e1g1 f8e7 d2d3 e8g8",
];

/// The moves of all lines; a shorter line ends with [`NO_MOVE`].
static MOVES: [[Move; PLIES]; LINES] = {
    let mut moves = [[NO_MOVE; PLIES]; LINES];
    let mut line = 0;
    #[expect(clippy::indexing_slicing, reason = "evaluated by the compiler only")]
    while line < LINES {
        let text = TEXTS[line].as_bytes();
        let mut ply = 0;
        // Four characters and a space for each move.
        while ply * 5 < text.len() {
            moves[line][ply] = Move::new(square(text, ply * 5), square(text, ply * 5 + 2));
            ply += 1;
        }
        line += 1;
    }
    moves
};

/// The square whose name begins at this byte. Evaluated at compile time only.
#[expect(clippy::indexing_slicing, reason = "evaluated by the compiler only")]
const fn square(text: &[u8], at: usize) -> Square {
    Square::from_index((text[at + 1] - b'1') * 8 + (text[at] - b'a'))
}

/// A move that a line continues with after these moves, each line with the same chance.
pub(crate) fn choose(moves: &[Move], random: &mut Random) -> Option<Move> {
    let count = MOVES.iter().filter(|line| next(line, moves).is_some()).count();
    let chosen = random.below(count as u32) as usize;
    MOVES.iter().filter_map(|line| next(line, moves)).nth(chosen)
}

/// The move of a line after these moves, if the line begins with them.
fn next(line: &[Move; PLIES], moves: &[Move]) -> Option<Move> {
    line.strip_prefix(moves)?.first().copied().filter(|&mv| mv != NO_MOVE)
}

#[cfg(test)]
mod tests {
    extern crate std;

    use chess::Position;

    use super::*;

    #[test]
    fn every_line_is_legal() {
        for (text, moves) in TEXTS.into_iter().zip(&MOVES) {
            let mut position = Position::start();
            for (word, &mv) in text.split(' ').zip(moves) {
                assert_eq!(word.parse(), Ok(mv), "{text}");
                position = position.play(mv).unwrap_or_else(|error| panic!("{text}: {error}"));
            }
        }
    }

    #[test]
    fn seeds_give_different_openings() {
        let first = |seed| choose(&[], &mut Random::new(seed));
        let mut firsts: std::vec::Vec<_> = (0..50).filter_map(first).collect();
        assert_eq!(firsts.len(), 50);
        firsts.sort();
        firsts.dedup();
        assert!(firsts.len() >= 3, "{firsts:?}");
    }

    #[test]
    fn a_game_that_leaves_the_lines_has_no_opening_move() {
        let moves = ["a2a3".parse().expect("a move")];
        assert_eq!(choose(&moves, &mut Random::new(1)), None);
    }
}
