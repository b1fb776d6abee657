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

/// Inserts what a footprint does, square by square, at its place in a buffer of which the first `used` bytes are taken: the number of the ply, the number of
/// changes, and the changes. Returns how many bytes count then. If there is no room, nothing changes.
pub(super) fn insert(index: u8, footprint: &Footprint, buffer: &mut [u8], used: usize) -> Result<usize, Full> {
    let changes = of(LIFT, footprint.lifts).chain(of(PLACE, footprint.places)).chain(of(CAPTURE, footprint.captured));
    let count = u8::try_from(changes.clone().count()).map_err(|_| Full)?;
    let len = usize::from(count).saturating_add(2);
    let end = used.saturating_add(len);
    if end > buffer.len() {
        return Err(Full);
    }
    let before = buffer.get(..used).unwrap_or_default();
    let at = Entries(before).take_while(|&(number, _)| number < index);
    let at = at.fold(0_usize, |at, (_, body)| at.saturating_add(2).saturating_add(body.len()));
    for from in (at..used).rev() {
        let byte = buffer.get(from).copied().unwrap_or_default();
        if let Some(slot) = buffer.get_mut(from.saturating_add(len)) {
            *slot = byte;
        }
    }
    let slots = buffer.get_mut(at..).unwrap_or_default();
    for (slot, byte) in slots.iter_mut().zip([index, count].into_iter().chain(changes)) {
        *slot = byte;
    }
    Ok(end)
}

/// The written footprints: the number of each ply, and its changes.
#[derive(Clone, Debug)]
pub(crate) struct Entries<'a>(&'a [u8]);

impl<'a> Iterator for Entries<'a> {
    type Item = (u8, &'a [u8]);

    fn next(&mut self) -> Option<Self::Item> {
        let [number, count, rest @ ..] = self.0 else { return None };
        let (body, after) = rest.split_at_checked(usize::from(*count))?;
        self.0 = after;
        Some((*number, body))
    }
}

impl<'a> Entries<'a> {
    pub(super) const fn of(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    /// The footprint of the ply with this number, if one is written. Asked for plies in order, it goes through the bytes once.
    pub(super) fn footprint(&mut self, index: u8, ply: Ply, occupied: Bitboard) -> Option<Footprint> {
        while let Some(&number) = self.0.first()
            && number <= index
        {
            let (number, body) = self.next()?;
            if number == index {
                return Some(read(ply, occupied, body));
            }
        }
        None
    }
}

fn of(kind: u8, squares: Bitboard) -> impl Iterator<Item = u8> + Clone {
    squares.squares().map(move |square| kind | square.index())
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

/// Whether bytes are whole entries in the order of their plies, each for one of this many plies.
pub(super) fn are_valid(bytes: &[u8], plies: usize) -> bool {
    let mut len = 0_usize;
    let mut last = None;
    for (number, body) in Entries(bytes) {
        let is_later = last.is_none_or(|last| last < number);
        if !is_later || usize::from(number) >= plies || body.iter().any(|change| change & KIND == KIND) {
            return false;
        }
        last = Some(number);
        len = len.saturating_add(2).saturating_add(body.len());
    }
    len == bytes.len()
}
