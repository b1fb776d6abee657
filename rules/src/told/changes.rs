use core::error::Error;
use core::fmt;

use chess::{Bitboard, Square};

use crate::footprint::Footprint;
use crate::ply::Ply;

/// Why a ply or its footprint was not added to a position: there is no place for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Full;

impl fmt::Display for Full {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the turn has too many moves, or too many pieces move with them")
    }
}

impl Error for Full {}

/// What a ply does to a square. The square is in the lowest six bits.
const LIFT: u8 = 0;
const PLACE: u8 = 1 << 6;
const CAPTURE: u8 = 2 << 6;
const KIND: u8 = 3 << 6;

/// Writes what a footprint does, square by square, into a buffer: the number of the ply, the number of changes, and the changes. Returns the
/// length.
pub(super) fn write(index: u8, footprint: &Footprint, buffer: &mut [u8]) -> Result<usize, Full> {
    let changes = of(LIFT, footprint.lifts).chain(of(PLACE, footprint.places)).chain(of(CAPTURE, footprint.captured));
    let (head, body) = buffer.split_at_mut_checked(2).ok_or(Full)?;
    let mut count = 0_u8;
    let mut slots = body.iter_mut();
    for change in changes {
        *slots.next().ok_or(Full)? = change;
        count = count.checked_add(1).ok_or(Full)?;
    }
    if let [first, second] = head {
        (*first, *second) = (index, count);
    }
    Ok(usize::from(count).saturating_add(2))
}

fn of(kind: u8, squares: Bitboard) -> impl Iterator<Item = u8> {
    squares.squares().map(move |square| kind | square.index())
}

/// The footprint of the ply with this number, if one is written.
pub(super) fn find(index: u8, ply: Ply, occupied: Bitboard, mut bytes: &[u8]) -> Option<Footprint> {
    while let [number, count, rest @ ..] = bytes {
        let (body, after) = rest.split_at_checked(usize::from(*count))?;
        if *number == index {
            return Some(read(ply, occupied, body));
        }
        bytes = after;
    }
    None
}

fn read(ply: Ply, occupied: Bitboard, body: &[u8]) -> Footprint {
    let squares = |kind: u8| -> Bitboard {
        let these = body.iter().filter(|&&change| change & KIND == kind);
        these.map(|change| Square::from_index(change & !KIND)).collect()
    };
    let (lifts, places, captured) = (squares(LIFT), squares(PLACE), squares(CAPTURE));
    let after = occupied.without(lifts | captured) | places;
    Footprint { ply, lifts, places, captured, after }
}

/// Whether bytes are whole entries, each for one of this many plies.
pub(super) fn are_valid(mut bytes: &[u8], plies: usize) -> bool {
    while let [number, count, rest @ ..] = bytes {
        let Some((body, after)) = rest.split_at_checked(usize::from(*count)) else { return false };
        if usize::from(*number) >= plies || body.iter().any(|change| change & KIND == KIND) {
            return false;
        }
        bytes = after;
    }
    bytes.is_empty()
}
