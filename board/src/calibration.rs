//! Calibration: works out how switches and lights are wired, from squares that the owner touches.
//!
//! A matrix that is soldered from below is easily mirrored, rotated, or has files and ranks exchanged, and single wires are easily put
//! into the wrong hole. The firmware then maps wires to squares, separately for switches and lights, so that nothing is soldered again.

mod calibrator;
mod matrix;
mod symmetry;
mod wiring;

use core::iter;

pub use calibrator::CalibrationScope;
pub use matrix::MatrixWiring;
use matrix::ORDER_BYTES;
pub use symmetry::Symmetry;
pub(crate) use wiring::{WiredScan, Wiring};

/// The order in which the LEDs are wired.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chain {
    /// From a1 to h1, back to a2, to h2, and so on: each row begins on the same side, as rows cut from a strip do.
    Straight,
    /// From a1 to h1, up to h2, back to a2, up to a3, and so on: the shortest wires.
    Serpentine,
}

/// Where the LEDs of the chain are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LightLayout {
    /// The order in the chain.
    pub chain: Chain,
    /// Where the chain begins, and in which direction it goes.
    pub symmetry: Symmetry,
}

impl LightLayout {
    /// The layout of docs/hardware.md: a serpentine from a1.
    pub const DEFAULT: Self = Self { chain: Chain::Serpentine, symmetry: Symmetry::IDENTITY };

    /// The first light of the chain is a1, the second b1, and so on: positions in the chain are squares.
    pub const BY_POSITION: Self = Self { chain: Chain::Straight, symmetry: Symmetry::IDENTITY };

    /// The square of a light, from 0 (a1) to 63 (h8), by its position in the chain.
    #[must_use]
    pub const fn square(self, light: usize) -> usize {
        let light = (light & 63) as u8;
        let wired = match self.chain {
            Chain::Serpentine if light & 8 != 0 => light ^ 7,
            Chain::Straight | Chain::Serpentine => light,
        };
        self.symmetry.square(wired) as usize
    }
}

/// The wiring of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Calibration {
    /// How the wires of the switches map to squares.
    pub switches: MatrixWiring,
    /// How the lights map to squares.
    pub lights: LightLayout,
}

/// Bytes of a calibration in the journal: the symmetry of the switches, the lights, and the orders of the wires of the switches.
pub const CALIBRATION_BYTES: usize = 2 + ORDER_BYTES;

/// The bit of a straight chain in the second byte.
const STRAIGHT: u8 = 1 << 3;

impl Calibration {
    /// The wiring of docs/hardware.md.
    pub const DEFAULT: Self = Self { switches: MatrixWiring::DEFAULT, lights: LightLayout::DEFAULT };

    /// Decodes a calibration of the journal. Missing bytes mean the default: earlier versions wrote the first two.
    #[must_use]
    pub fn decode(bytes: &[u8]) -> Self {
        let mut known = bytes.iter().copied().chain(iter::repeat(0));
        let mut next = || known.next().unwrap_or_default();
        let [symmetry, lights] = [next(), next()];
        let switches = MatrixWiring::decode(Symmetry::from_bits(symmetry), [(); ORDER_BYTES].map(|()| next()));
        let chain = if lights & STRAIGHT == 0 { Chain::Serpentine } else { Chain::Straight };
        Self { switches, lights: LightLayout { chain, symmetry: Symmetry::from_bits(lights) } }
    }

    /// Encodes the calibration: symmetries in three bits, with a bit for a straight chain, and the orders of the wires.
    #[must_use]
    pub fn encode(self) -> [u8; CALIBRATION_BYTES] {
        let straight = match self.lights.chain {
            Chain::Straight => STRAIGHT,
            Chain::Serpentine => 0,
        };
        let (symmetry, orders) = self.switches.encode();
        let mut all = [symmetry.bits(), self.lights.symmetry.bits() | straight].into_iter().chain(orders);
        [(); CALIBRATION_BYTES].map(|()| all.next().unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_calibration_survives_encoding() {
        assert_eq!(Calibration::decode(&[]), Calibration::DEFAULT);
        for switches in Symmetry::ALL.map(MatrixWiring::from) {
            for symmetry in Symmetry::ALL {
                for chain in [Chain::Straight, Chain::Serpentine] {
                    let calibration = Calibration { switches, lights: LightLayout { chain, symmetry } };
                    let bytes = calibration.encode();
                    assert_eq!(Calibration::decode(&bytes), calibration);
                    assert_eq!(Calibration::decode(&bytes[..2]), calibration, "as earlier versions wrote it");
                }
            }
        }
    }

    #[test]
    fn every_light_has_its_own_square() {
        for chain in [Chain::Straight, Chain::Serpentine] {
            for symmetry in Symmetry::ALL {
                let squares =
                    (0..64).fold(0_u64, |set, light| set | 1 << LightLayout { chain, symmetry }.square(light));
                assert_eq!(squares, u64::MAX);
            }
        }
    }
}
