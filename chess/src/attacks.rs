//! Where the pieces reach.
//!
//! The two jumpers have a table of 512 bytes each. The sliders have no table of attacks, which would be the biggest
//! thing in flash by far: a line through a square (2 KB for all four lines of all squares) and one subtraction give the
//! squares up to and including the first piece each way.

use crate::bitboard::Bitboard;
use crate::color::Color;
use crate::square::{File, Square};
use crate::table::Table;

/// The four lines through a square, without the square itself.
#[derive(Clone, Copy)]
pub(crate) struct Lines {
    pub(crate) rank: Bitboard,
    pub(crate) file: Bitboard,
    /// The way from a1 to h8.
    pub(crate) diagonal: Bitboard,
    /// The way from h1 to a8.
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

/// The squares within so many steps of a square on an empty board. Only used while compiling.
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

#[inline]
pub(crate) fn knight(from: Square) -> Bitboard {
    KNIGHT[from]
}

#[inline]
pub(crate) fn king(from: Square) -> Bitboard {
    KING[from]
}

/// What pawns of this side attack, all of them at once.
#[inline]
pub(crate) const fn pawns(color: Color, pawns: Bitboard) -> Bitboard {
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

/// Both ways along one line from a slider, up to and including the first piece.
///
/// Subtracting the slider from the pieces above it borrows up to the first of them: the bits that change are those the
/// slider reaches. Turned round, the same subtraction goes the other way. For a file or a diagonal, swapping the bytes
/// is enough of a turn, since there is one square in each of them.
#[inline]
pub(crate) fn along(line: Bitboard, slider: Bitboard, occupied: Bitboard) -> Bitboard {
    subtract(line, slider, occupied, if TURNS_BITS { u64::reverse_bits } else { u64::swap_bytes })
}

/// Both ways along the rank of a slider, up to and including the first piece.
#[inline]
pub(crate) fn along_rank(line: Bitboard, slider: Bitboard, occupied: Bitboard) -> Bitboard {
    if TURNS_BITS {
        subtract(line, slider, occupied, u64::reverse_bits)
    } else {
        look_up_rank(slider.lowest(), occupied)
    }
}

/// Where one instruction turns the bits of a register round, as on every ARM core, a rank is as cheap as a file.
const TURNS_BITS: bool = cfg!(any(target_arch = "arm", target_arch = "aarch64"));

#[inline]
fn subtract(line: Bitboard, slider: Bitboard, occupied: Bitboard, turn: impl Fn(u64) -> u64) -> Bitboard {
    let blockers = (occupied & line).0;
    let above = blockers.wrapping_sub(slider.0);
    let below = turn(turn(blockers).wrapping_sub(turn(slider.0)));
    Bitboard((above ^ below) & line.0)
}

/// What a rook sees along the first rank, by its file and by the pieces on the six squares between the corners.
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

#[inline]
pub(crate) fn bishop(from: Square, occupied: Bitboard) -> Bitboard {
    let (lines, slider) = (&LINES[from], Bitboard::of(from));
    along(lines.diagonal, slider, occupied) | along(lines.antidiagonal, slider, occupied)
}

#[inline]
pub(crate) fn rook(from: Square, occupied: Bitboard) -> Bitboard {
    let (lines, slider) = (&LINES[from], Bitboard::of(from));
    along_rank(lines.rank, slider, occupied) | along(lines.file, slider, occupied)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The plain way: step by step until something is in the way.
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

    /// A cheap source of boards with more and fewer pieces.
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
    fn sliders_see_what_walking_finds() {
        for occupied in boards() {
            for from in Square::all() {
                assert_eq!(rook(from, occupied), walk(from, &[(1, 0), (-1, 0), (0, 1), (0, -1)], occupied));
                assert_eq!(bishop(from, occupied), walk(from, &[(1, 1), (-1, -1), (1, -1), (-1, 1)], occupied));
            }
        }
    }

    /// Each machine uses one of two ways along a rank; both must be right on all machines.
    #[test]
    fn both_ways_along_a_rank_agree() {
        for occupied in boards() {
            for from in Square::all() {
                let turned = subtract(LINES[from].rank, Bitboard::of(from), occupied, u64::reverse_bits);
                assert_eq!(turned, look_up_rank(from, occupied));
                for line in [LINES[from].file, LINES[from].diagonal, LINES[from].antidiagonal] {
                    let turned = subtract(line, Bitboard::of(from), occupied, u64::reverse_bits);
                    assert_eq!(turned, subtract(line, Bitboard::of(from), occupied, u64::swap_bytes));
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
