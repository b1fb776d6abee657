//! The hardware that this firmware runs on: drivers of a board or of a family of boards, as types with fixed names.
//!
//! Boards of one family differ in their chip, and a chip is a file in `src/bin`. CONTRIBUTING.md lists the steps of adding
//! a board.

#[cfg(feature = "mps2")]
pub(crate) use self::mps2_an386 as here;
#[cfg(feature = "nucleo-144")]
pub(crate) use self::nucleo_144 as here;

#[cfg(feature = "mps2")]
pub mod mps2_an386;
#[cfg(feature = "nucleo-144")]
pub mod nucleo_144;
