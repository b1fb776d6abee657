//! Attack sets of all pieces: the squares that a piece attacks, occupied or not.
//!
//! Knight and king have a table of 512 bytes each. Sliders use hyperbola quintessence instead of attack tables, which
//! would be the largest data in flash: a line mask (2 KB for the four lines of all squares) and one subtraction give the
//! squares up to and including the first piece in each direction.

use crate::bitboard::Bitboard;
use crate::color::Color;
use crate::square::{File, Square};
use crate::table::Table;

/// The four lines through a square, without the square itself.
#[derive(Clone, Copy)]
pub(crate) struct Lines {
    pub(crate) rank: Bitboard,
    pub(crate) file: Bitboard,
    /// Parallel to a1-h8.
    pub(crate) diagonal: Bitboard,
    /// Parallel to h1-a8.
    pub(crate) antidiagonal: Bitboard,
}

#[expect(clippy::indexing_slicing, reason = "evaluated by the compiler only")]
pub(crate) static LINES: Table<Lines> = {
    let mut table = [Lines { rank: NONE, file: NONE, diagonal: NONE, antidiagonal: NONE }; 64];
    let mut index = 0;
    while index < 64 {
        table[index] = Lines {
            rank: reach(index, &[(1, 0), (-1, 0)], 7),
            file: reach(index, &[(0, 1), (0, -1)], 7),
            diagonal: reach(index, &[(1, 1), (-1, -1)], 7),
            antidiagonal: reach(index, &[(-1, 1), (1, -1)], 7),
        };
        index += 1;
    }
    Table(table)
};

static KNIGHT: Table<Bitboard> = jumper(&[(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]);

static KING: Table<Bitboard> = jumper(&[(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)]);

const NONE: Bitboard = Bitboard::EMPTY;

#[expect(clippy::arithmetic_side_effects, clippy::indexing_slicing, reason = "evaluated by the compiler only")]
const fn jumper(steps: &[(i8, i8)]) -> Table<Bitboard> {
    let mut table = [NONE; 64];
    let mut index = 0;
    while index < 64 {
        table[index] = reach(index, steps, 1);
        index += 1;
    }
    Table(table)
}

/// The squares within `times` steps on an empty board. Evaluated at compile time only.
#[expect(clippy::arithmetic_side_effects, clippy::indexing_slicing, reason = "evaluated by the compiler only")]
const fn reach(from: usize, steps: &[(i8, i8)], times: u8) -> Bitboard {
    let mut set = 0;
    let mut index = 0;
    while index < steps.len() {
        let (mut file, mut rank) = ((from % 8) as i8, (from / 8) as i8);
        let mut time = 0;
        while time < times {
            file += steps[index].0;
            rank += steps[index].1;
            if file < 0 || file > 7 || rank < 0 || rank > 7 {
                break;
            }
            set |= 1 << (rank * 8 + file);
            time += 1;
        }
        index += 1;
    }
    Bitboard(set)
}

/// The squares that a knight on this square attacks.
#[must_use]
#[inline]
pub fn knight(from: Square) -> Bitboard {
    KNIGHT[from]
}

/// The squares that a king on this square attacks.
#[must_use]
#[inline]
pub fn king(from: Square) -> Bitboard {
    KING[from]
}

/// The squares that all these pawns of one side attack.
#[must_use]
#[inline]
pub const fn pawns(color: Color, pawns: Bitboard) -> Bitboard {
    let (towards_a, towards_h) = pawn_captures(color);
    Bitboard(pawns.without(A_FILE).shift(towards_a).0 | pawns.without(H_FILE).shift(towards_h).0)
}

pub(crate) const A_FILE: Bitboard = Bitboard::file(File::A);
pub(crate) const H_FILE: Bitboard = Bitboard::file(File::H);

/// The two steps of a capturing pawn in index order: towards the a-file, towards the h-file.
#[inline]
pub(crate) const fn pawn_captures(color: Color) -> (i8, i8) {
    match color {
        Color::White => (7, 9),
        Color::Black => (-9, -7),
    }
}

/// Attacks of a slider in both directions of one line, up to and including the first piece.
///
/// Subtracting the slider from the blockers above it borrows up to the first blocker: the changed bits are the attacked
/// squares. Reversing the bits gives the other direction. For files and diagonals swapping the bytes is sufficient,
/// because they have one square in each byte.
#[inline]
pub(crate) fn along(line: Bitboard, slider: Bitboard, occupied: Bitboard) -> Bitboard {
    subtract(line, slider, occupied, if REVERSES_BITS { u64::reverse_bits } else { u64::swap_bytes })
}

/// Attacks of a slider in both directions of its rank, up to and including the first piece.
#[inline]
pub(crate) fn along_rank(line: Bitboard, slider: Bitboard, occupied: Bitboard) -> Bitboard {
    if REVERSES_BITS {
        subtract(line, slider, occupied, u64::reverse_bits)
    } else {
        look_up_rank(slider.lowest(), occupied)
    }
}

/// ARM cores reverse the bits of a register in one instruction, so a rank costs the same as a file.
const REVERSES_BITS: bool = cfg!(any(target_arch = "arm", target_arch = "aarch64"));

#[inline]
fn subtract(line: Bitboard, slider: Bitboard, occupied: Bitboard, reverse: impl Fn(u64) -> u64) -> Bitboard {
    let blockers = (occupied & line).0;
    let above = blockers.wrapping_sub(slider.0);
    let below = reverse(reverse(blockers).wrapping_sub(reverse(slider.0)));
    Bitboard((above ^ below) & line.0)
}

/// Attacks of a rook on the first rank, by its file and by the occupancy of the six inner squares.
#[expect(clippy::indexing_slicing, reason = "evaluated by the compiler only")]
static FIRST_RANK: [[u8; 64]; 8] = {
    let mut table = [[0; 64]; 8];
    let mut file = 0;
    while file < 8 {
        let mut inner = 0;
        while inner < 64 {
            let occupied = inner << 1;
            let mut seen = 0;
            let mut right = file + 1;
            while right < 8 {
                seen |= 1 << right;
                if occupied & 1 << right != 0 {
                    break;
                }
                right += 1;
            }
            let mut left = file;
            while left > 0 {
                left -= 1;
                seen |= 1 << left;
                if occupied & 1 << left != 0 {
                    break;
                }
            }
            table[file][inner] = seen;
            inner += 1;
        }
        file += 1;
    }
    table
};

#[inline]
#[expect(clippy::indexing_slicing, reason = "three bits cannot miss in 8 entries, nor six in 64")]
fn look_up_rank(slider: Square, occupied: Bitboard) -> Bitboard {
    let index = slider.index();
    let rank = u32::from(index & 0b11_1000);
    let inner = occupied.0.wrapping_shr(rank).wrapping_shr(1) & 63;
    let seen = FIRST_RANK[usize::from(index & 7)][inner as usize];
    Bitboard(u64::from(seen).wrapping_shl(rank))
}

/// The squares that a bishop on this square attacks, up to and including the first piece in each direction.
#[must_use]
#[inline]
pub fn bishop(from: Square, occupied: Bitboard) -> Bitboard {
    let (lines, slider) = (&LINES[from], Bitboard::of(from));
    along(lines.diagonal, slider, occupied) | along(lines.antidiagonal, slider, occupied)
}

/// The squares that a rook on this square attacks, up to and including the first piece in each direction.
#[must_use]
#[inline]
pub fn rook(from: Square, occupied: Bitboard) -> Bitboard {
    let (lines, slider) = (&LINES[from], Bitboard::of(from));
    along_rank(lines.rank, slider, occupied) | along(lines.file, slider, occupied)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reference implementation: steps until a piece is hit.
    fn walk(from: Square, steps: &[(i32, i32)], occupied: Bitboard) -> Bitboard {
        let mut set = Bitboard::EMPTY;
        for &(across, up) in steps {
            let (mut file, mut rank) = (i32::from(from.file().index()), i32::from(from.rank().index()));
            loop {
                file += across;
                rank += up;
                if !(0..8).contains(&file) || !(0..8).contains(&rank) {
                    break;
                }
                let square = Square::try_from_index(u8::try_from(rank * 8 + file).unwrap()).unwrap();
                set |= Bitboard::of(square);
                if occupied.has(square) {
                    break;
                }
            }
        }
        set
    }

    /// Pseudo-random dense and sparse boards (xorshift).
    fn boards() -> impl Iterator<Item = Bitboard> {
        let mut state = 0x9e37_79b9_7f4a_7c15_u64;
        (0..2000).map(move |round| {
            let mut next = || {
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                state
            };
            Bitboard(if round % 2 == 0 { next() } else { next() & next() & next() })
        })
    }

    #[test]
    fn slider_attacks_match_the_reference() {
        for occupied in boards() {
            for from in Square::all() {
                assert_eq!(rook(from, occupied), walk(from, &[(1, 0), (-1, 0), (0, 1), (0, -1)], occupied));
                assert_eq!(bishop(from, occupied), walk(from, &[(1, 1), (-1, -1), (1, -1), (-1, 1)], occupied));
            }
        }
    }

    /// A target uses one of two implementations for ranks; both are tested on all targets.
    #[test]
    fn both_rank_implementations_agree() {
        for occupied in boards() {
            for from in Square::all() {
                let reversed = subtract(LINES[from].rank, Bitboard::of(from), occupied, u64::reverse_bits);
                assert_eq!(reversed, look_up_rank(from, occupied));
                for line in [LINES[from].file, LINES[from].diagonal, LINES[from].antidiagonal] {
                    let reversed = subtract(line, Bitboard::of(from), occupied, u64::reverse_bits);
                    assert_eq!(reversed, subtract(line, Bitboard::of(from), occupied, u64::swap_bytes));
                }
            }
        }
    }

    #[test]
    fn jumpers_stay_on_the_board() {
        assert_eq!(knight(Square::A1), Bitboard::of(Square::B3) | Bitboard::of(Square::C2));
        assert_eq!(king(Square::H8).count(), 3);
        assert_eq!(Square::all().map(|from| knight(from).count()).sum::<u32>(), 336);
        assert_eq!(Square::all().map(|from| king(from).count()).sum::<u32>(), 420);
    }
}
