use chess::{Bitboard, Square};

use super::effect::{Content, Owner, Placed};
use super::moves::MoveDescriptor;
use crate::footprint::Footprint;
use crate::ply::Ply;

/// What a move leaves on its two squares, in a byte: bits 0 and 1 the content of the start square, bit 2 whether it is the opponent's, bits 3 to 5
/// the same of the target square, bit 6 whether the target square holds another piece than before. So the DNA need not be walked again for
/// the footprint of the move, and to make it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Trace(u8);

const CHANGES_TARGET: u8 = 1 << 6;

impl Trace {
    pub(super) const fn of(found: MoveDescriptor, changes_target: bool) -> Self {
        let change = if changes_target { CHANGES_TARGET } else { 0 };
        Self(to_bits(found.start) | to_bits(found.target) << 3 | change)
    }

    /// The move to this square.
    pub(super) const fn descriptor(self, to: Square) -> MoveDescriptor {
        MoveDescriptor { to, start: from_bits(self.0), target: from_bits(self.0 >> 3) }
    }

    /// The footprint of the ply. The piece that moves is always lifted, even if another one like it stays behind.
    pub(super) fn footprint(self, ply: Ply, occupied: Bitboard) -> Footprint {
        let (from, to) = (Bitboard::of(ply.from()), Bitboard::of(ply.to()));
        let set_if = |condition: bool, set: Bitboard| if condition { set } else { Bitboard::EMPTY };
        let captures = (occupied & to).any();
        let fills = |Placed { content, .. }: Placed| match content {
            Content::Mover => true,
            Content::Captured => captures,
            Content::Nothing => false,
        };
        let changes_target = self.0 & CHANGES_TARGET != 0;
        let MoveDescriptor { start, target, .. } = self.descriptor(ply.to());
        let after = occupied.without(from | to) | set_if(fills(start), from) | set_if(fills(target), to);
        Footprint {
            ply,
            lifts: from,
            places: set_if((after & to).any() && (changes_target || from == to), to),
            captured: set_if(changes_target, to & occupied),
            after,
        }
    }
}

const fn to_bits(placed: Placed) -> u8 {
    let content = match placed.content {
        Content::Nothing => 0,
        Content::Mover => 1,
        Content::Captured => 2,
    };
    match placed.owner {
        Owner::Mover => content,
        Owner::Opponent => content | 4,
    }
}

const fn from_bits(bits: u8) -> Placed {
    let content = match bits & 3 {
        1 => Content::Mover,
        2 => Content::Captured,
        _ => Content::Nothing,
    };
    Placed { content, owner: if bits & 4 == 0 { Owner::Mover } else { Owner::Opponent } }
}
