use super::bank::Bank;
use super::mark::Mark;
use super::walk::Place;

/// The bank that counts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Active {
    pub(super) bank: Bank,
    /// Behind everything in it.
    pub(super) end: Place,
    /// Whether more can be written there. If not, everything has to go into the other bank.
    pub(super) open: bool,
    /// What it has.
    pub(super) mark: Mark,
}

/// The other bank, and how far it is made ready.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Spare {
    /// There may be anything in it.
    Dirty,
    /// It has been erased.
    Erased,
    /// It has been erased and given a head, behind which this is.
    Ready(Place),
}
