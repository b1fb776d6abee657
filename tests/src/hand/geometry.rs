//! Geometry of the board.

use chess::Square;

/// The squares between two squares of a line, in order; none for a knight move.
pub(crate) fn between(from: Square, to: Square) -> Vec<Square> {
    let (files, ranks) = distances(from, to);
    if files != 0 && ranks != 0 && files.abs() != ranks.abs() {
        return Vec::new();
    }
    let steps = files.abs().max(ranks.abs());
    (1..steps).filter_map(|step| shifted(from, files.signum() * step, ranks.signum() * step)).collect()
}

/// The neighbours of a square.
pub(crate) fn beside(square: Square) -> Vec<Square> {
    let steps = (-1..=1).flat_map(|files| (-1..=1).map(move |ranks| (files, ranks)));
    steps.filter(|&step| step != (0, 0)).filter_map(|(files, ranks)| shifted(square, files, ranks)).collect()
}

/// The squares from a square to the edge in a direction.
pub(crate) fn to_the_edge(square: Square, files: i32, ranks: i32) -> Vec<Square> {
    (1..8).map_while(|step| shifted(square, files * step, ranks * step)).collect()
}

/// The two squares that a knight passes between.
pub(crate) fn corner(from: Square, to: Square) -> Vec<Square> {
    let (files, ranks) = distances(from, to);
    let (long_file, long_rank) = if files.abs() > ranks.abs() { (files / 2, 0) } else { (0, ranks / 2) };
    let near = shifted(from, long_file, long_rank);
    let far = shifted(to, -long_file, -long_rank);
    near.into_iter().chain(far).collect()
}

fn distances(from: Square, to: Square) -> (i32, i32) {
    let distance = |a: u8, b: u8| i32::from(b) - i32::from(a);
    (distance(from.file().index(), to.file().index()), distance(from.rank().index(), to.rank().index()))
}

fn shifted(square: Square, files: i32, ranks: i32) -> Option<Square> {
    let file = u8::try_from(i32::from(square.file().index()) + files).ok().filter(|file| *file < 8)?;
    let rank = u8::try_from(i32::from(square.rank().index()) + ranks).ok().filter(|rank| *rank < 8)?;
    Some(Square::from_index(rank * 8 + file))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_squares_between_beside_and_at_knight_corners() {
        assert_eq!(between(Square::A1, Square::D4), [Square::B2, Square::C3]);
        assert_eq!(between(Square::H8, Square::H5), [Square::H7, Square::H6]);
        assert_eq!(between(Square::B1, Square::C3), []);
        assert_eq!(corner(Square::B1, Square::C3), [Square::B2, Square::C2]);
        assert_eq!(corner(Square::F6, Square::D5), [Square::E6, Square::E5]);
        assert_eq!(beside(Square::A1).len(), 3);
        assert_eq!(beside(Square::E4).len(), 8);
        assert_eq!(to_the_edge(Square::F2, 1, 0), [Square::G2, Square::H2]);
    }
}
