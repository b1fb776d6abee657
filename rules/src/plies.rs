use core::ops::Deref;

use arrayvec::ArrayVec;
use chess::Bitboard;

use crate::genome::Trace;
use crate::ply::Ply;

/// The most plies of a position that are listed. Chess has at most 218. A position of GMO chess with more open lines than any likely one may
/// have more legal plies; those can be played all the same, but are not in the list.
pub const MAX_PLIES_PER_TURN: usize = 512;

/// The legal plies of a position, or some of them.
///
/// Plies of GMO chess are generated piece by piece, because one piece can take more than half of a device's millisecond, and each is listed with its
/// trace (what the walk along the DNA found), so that the DNA is walked once.
#[derive(Clone, Debug)]
pub struct Plies {
    list: ArrayVec<Ply, MAX_PLIES_PER_TURN>,
    /// Empty where plies are not generated piece by piece.
    traces: ArrayVec<Trace, MAX_PLIES_PER_TURN>,
    /// The pieces whose plies are not listed yet.
    left: Bitboard,
    /// What generating them took beside listing them, in instructions of a Cortex-M, estimated.
    work: u32,
}

impl Plies {
    /// No plies.
    #[must_use]
    pub const fn new() -> Self {
        Self { list: ArrayVec::new_const(), traces: ArrayVec::new_const(), left: Bitboard::EMPTY, work: 0 }
    }

    /// No plies so far, and these pieces are to be looked at.
    pub(crate) fn of_pieces(left: Bitboard) -> Self {
        Self { left, ..Self::new() }
    }

    /// Whether the plies of all pieces that were asked for are listed.
    #[must_use]
    pub const fn is_complete(&self) -> bool {
        self.left.is_empty()
    }

    /// The pieces whose plies are not listed yet.
    pub(crate) const fn left(&self) -> Bitboard {
        self.left
    }

    pub(crate) const fn set_left(&mut self, left: Bitboard) {
        self.left = left;
    }

    /// What generating the plies took beside listing them, in instructions of a Cortex-M, estimated. 0 if each took as much as one of chess.
    #[must_use]
    pub const fn work(&self) -> u32 {
        self.work
    }

    pub(crate) const fn add_work(&mut self, instructions: u32) {
        self.work = self.work.saturating_add(instructions);
    }

    /// Lists a ply with its trace. Returns whether there was room.
    pub(crate) fn add(&mut self, ply: Ply, trace: Trace) -> bool {
        self.list.try_push(ply).is_ok() && self.traces.try_push(trace).is_ok()
    }

    /// Forgets all plies, because the position is another one.
    pub fn clear(&mut self) {
        self.list.clear();
        self.traces.clear();
        (self.left, self.work) = (Bitboard::EMPTY, 0);
    }

    /// Forgets all plies, because the position is not known yet: none is listed, and the list is not complete.
    pub fn forget(&mut self) {
        self.clear();
        self.left = Bitboard::ALL;
    }

    /// The trace of a listed ply, if the plies were generated piece by piece.
    pub(crate) fn trace_of(&self, ply: Ply) -> Option<Trace> {
        self.list.iter().position(|&listed| listed == ply).and_then(|index| self.trace(index))
    }

    /// The trace of the ply with this number, if the plies were generated piece by piece.
    pub(crate) fn trace(&self, index: usize) -> Option<Trace> {
        self.traces.get(index).copied()
    }
}

impl Default for Plies {
    fn default() -> Self {
        Self::new()
    }
}

impl Deref for Plies {
    type Target = [Ply];

    fn deref(&self) -> &[Ply] {
        &self.list
    }
}

impl<'a> IntoIterator for &'a Plies {
    type Item = &'a Ply;
    type IntoIter = core::slice::Iter<'a, Ply>;

    fn into_iter(self) -> Self::IntoIter {
        self.list.iter()
    }
}

/// Plies that there is no room for are left out.
impl FromIterator<Ply> for Plies {
    fn from_iter<T: IntoIterator<Item = Ply>>(plies: T) -> Self {
        Self { list: plies.into_iter().take(MAX_PLIES_PER_TURN).collect(), ..Self::new() }
    }
}
