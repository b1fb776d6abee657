use chess::{Bitboard, Square};

use super::Symmetry;

/// How the wires of the switches map to squares: files and ranks may be exchanged, and then each wire of a file or a rank may be any
/// other one. So single wires in wrong holes are corrected, as well as mirrored and rotated ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MatrixWiring {
    exchanged: bool,
    files: WireOrder,
    ranks: WireOrder,
}

/// The file or rank of each of eight wires.
type WireOrder = [u8; 8];

const IN_ORDER: WireOrder = [0, 1, 2, 3, 4, 5, 6, 7];
const REVERSED: WireOrder = [7, 6, 5, 4, 3, 2, 1, 0];

/// Bytes of an order of files and one of ranks, with three bits for each wire.
pub(super) const ORDER_BYTES: usize = 6;

impl MatrixWiring {
    /// Every wire is in the hole of its name.
    pub const DEFAULT: Self = Self::symmetric(Symmetry::IDENTITY);

    /// Wires in order, but possibly mirrored or exchanged.
    #[must_use]
    pub const fn symmetric(symmetry: Symmetry) -> Self {
        Self {
            exchanged: symmetry.exchanged,
            files: if symmetry.files_mirrored { REVERSED } else { IN_ORDER },
            ranks: if symmetry.ranks_mirrored { REVERSED } else { IN_ORDER },
        }
    }

    /// The wiring in which the squares a1, b2 .. h8 and the square h1 have these wired positions. None if two squares of the diagonal
    /// share a wire, or if h1 is not on the wires of h8 and a1.
    #[must_use]
    pub fn find(diagonal: [u8; 8], h1: u8) -> Option<Self> {
        let [first, .., last] = diagonal;
        let exchanged = match h1 {
            _ if h1 == at(last, first) => false,
            _ if h1 == at(first, last) => true,
            _ => return None,
        };
        let (files, ranks) = (invert(diagonal.map(file))?, invert(diagonal.map(rank))?);
        let (files, ranks) = if exchanged { (ranks, files) } else { (files, ranks) };
        Some(Self { exchanged, files, ranks })
    }

    /// The square of a wired position, both from 0 (a1) to 63 (h8).
    #[must_use]
    pub fn square(self, wired: u8) -> u8 {
        let (file, rank) = if self.exchanged { (rank(wired), file(wired)) } else { (file(wired), rank(wired)) };
        let place = |order: WireOrder, wire: u8| order.get(usize::from(wire)).copied().unwrap_or_default();
        place(self.ranks, rank) << 3 | place(self.files, file)
    }

    /// The squares of wired positions.
    #[must_use]
    pub fn squares(self, wired: Bitboard) -> Bitboard {
        if self == Self::DEFAULT {
            return wired;
        }
        wired.squares().map(|position| Square::from_index(self.square(position.index()))).collect()
    }

    /// The wired positions of squares: the inverse of [`squares`](Self::squares).
    #[must_use]
    pub fn wired(self, squares: Bitboard) -> Bitboard {
        Square::all().filter(|position| squares.has(Square::from_index(self.square(position.index())))).collect()
    }

    /// The wiring as a symmetry, and an order of files and one of ranks that follow it: all are 0 for the default.
    #[must_use]
    pub(super) fn encode(self) -> (Symmetry, [u8; ORDER_BYTES]) {
        let [files_mirrored, ranks_mirrored] = [self.files, self.ranks].map(|order| order == REVERSED);
        let symmetry = Symmetry { exchanged: self.exchanged, files_mirrored, ranks_mirrored };
        let mut bytes = [0; ORDER_BYTES];
        let orders = [self.files, self.ranks].map(|order| pack(order).to_le_bytes());
        let packed = orders.iter().flat_map(|order| order.iter().take(ORDER_BYTES / 2));
        bytes.iter_mut().zip(packed).for_each(|(byte, packed)| *byte = *packed);
        (symmetry, bytes)
    }

    /// Decodes a wiring. An order that names a place twice counts as that of the symmetry.
    #[must_use]
    pub(super) fn decode(symmetry: Symmetry, orders: [u8; ORDER_BYTES]) -> Self {
        let wiring = Self::symmetric(symmetry);
        let all = orders.iter().rev().fold(0, |bits, byte| bits << 8 | u64::from(*byte));
        let files = unpack(all as u32).unwrap_or(wiring.files);
        let ranks = unpack((all >> 24) as u32).unwrap_or(wiring.ranks);
        Self { files, ranks, ..wiring }
    }
}

/// An order as the difference of each wire from its own place, in three bits each, the first wire in the lowest; 0 for the order of a symmetry.
fn pack(order: WireOrder) -> u32 {
    if order == REVERSED {
        return 0;
    }
    let differences = IN_ORDER.into_iter().zip(order).map(|(wire, place)| u32::from(wire ^ place));
    // Each difference enters at the top of the 24 bits, and moves down with the next ones.
    differences.fold(0, |bits, difference| bits >> 3 | difference << 21)
}

/// The inverse of [`pack`]; none for the order of a symmetry, or if a place is named twice.
fn unpack(mut bits: u32) -> Option<WireOrder> {
    let order = IN_ORDER.map(|wire| {
        let difference = bits as u8 & 7;
        bits >>= 3;
        wire ^ difference
    });
    (order != IN_ORDER && invert(order).is_some()).then_some(order)
}

impl From<Symmetry> for MatrixWiring {
    fn from(symmetry: Symmetry) -> Self {
        Self::symmetric(symmetry)
    }
}

/// The wire of the file of a wired position.
pub(super) const fn file(wired: u8) -> u8 {
    wired & 7
}

/// The wire of the rank of a wired position.
pub(super) const fn rank(wired: u8) -> u8 {
    wired >> 3 & 7
}

/// The wired position on the file of one position and on the rank of another one.
const fn at(file_of: u8, rank_of: u8) -> u8 {
    rank(rank_of) << 3 | file(file_of)
}

/// The place of each wire, given the wire of each place; none if a wire has two places.
fn invert(wires: [u8; 8]) -> Option<WireOrder> {
    let mut places = [None; 8];
    for (place, wire) in IN_ORDER.into_iter().zip(wires) {
        if places.get_mut(usize::from(wire))?.replace(place).is_some() {
            return None;
        }
    }
    // Eight different wires have eight places.
    Some(places.map(Option::unwrap_or_default))
}

#[cfg(test)]
mod tests {
    use super::*;

    const POSITIONS: Bitboard = Bitboard(0x8142_2418_00ff_3c01);

    /// Every symmetry, and every exchange of two wires on top of it.
    fn wirings() -> impl Iterator<Item = MatrixWiring> {
        let swaps = (0..8).flat_map(|one| (one..8).map(move |other| (one, other)));
        Symmetry::ALL.into_iter().flat_map(move |symmetry| {
            swaps.clone().flat_map(move |(one, other)| {
                let mut wirings = [MatrixWiring::symmetric(symmetry); 3];
                wirings[0].files.swap(one, other);
                wirings[1].ranks.swap(one, other);
                wirings[2].files.swap(one, other);
                wirings[2].ranks.rotate_left(other);
                wirings
            })
        })
    }

    #[test]
    fn a_symmetry_is_a_wiring() {
        for symmetry in Symmetry::ALL {
            let wiring = MatrixWiring::from(symmetry);
            assert!((0..64).all(|wired| wiring.square(wired) == symmetry.square(wired)), "{symmetry:?}");
        }
    }

    #[test]
    fn squares_and_positions_are_inverse() {
        for wiring in wirings() {
            assert_eq!(wiring.wired(wiring.squares(POSITIONS)), POSITIONS);
        }
    }

    #[test]
    fn the_diagonal_and_a_corner_distinguish_all_wirings() {
        for wiring in wirings() {
            let touch = |square: u8| wiring.wired(Bitboard(1 << square)).0.trailing_zeros() as u8;
            assert_eq!(MatrixWiring::find(IN_ORDER.map(|place| touch(9 * place)), touch(7)), Some(wiring));
        }
    }

    #[test]
    fn squares_that_share_a_wire_have_no_wiring() {
        let diagonal = IN_ORDER.map(|place| 9 * place);
        assert_eq!(MatrixWiring::find(diagonal, 7), Some(MatrixWiring::DEFAULT));
        assert_eq!(MatrixWiring::find(diagonal, 6), None);
        let mut wrong = diagonal;
        wrong[3] = 25;
        assert_eq!(MatrixWiring::find(wrong, 7), None);
    }

    #[test]
    fn every_wiring_survives_encoding() {
        for wiring in wirings() {
            let (symmetry, orders) = wiring.encode();
            assert_eq!(MatrixWiring::decode(symmetry, orders), wiring);
        }
        assert_eq!(MatrixWiring::DEFAULT.encode(), (Symmetry::IDENTITY, [0; ORDER_BYTES]));
    }

    #[test]
    fn an_order_with_a_place_twice_is_that_of_the_documents() {
        assert_eq!(MatrixWiring::decode(Symmetry::IDENTITY, [1, 0, 0, 0, 0, 0]), MatrixWiring::DEFAULT);
        for byte in 0..=255 {
            let wiring = MatrixWiring::decode(Symmetry::from_bits(byte), [byte; ORDER_BYTES]);
            assert_eq!(wiring.squares(Bitboard(u64::MAX)), Bitboard(u64::MAX));
        }
    }
}
