use super::budget::QUIESCENT_MILLIAMPS;

/// Brightness and current limit of the lights.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LightSettings {
    /// Perceived brightness: 0 is off, and 1 is the dimmest level at which all meanings can be distinguished.
    pub brightness: u8,
    /// Current limit of all lights together. A dark light draws 1 mA, so below 80 mA a scene that lights all squares stays
    /// dark.
    pub budget_milliamps: u16,
    /// Relative brightness of the light squares, to compensate for the wood: thin veneer absorbs more light where it is
    /// dark, and thick wood transmits more where it is light. Values below 128 count as 128.
    pub light_squares: u8,
    /// Relative brightness of the dark squares.
    pub dark_squares: u8,
}

impl Default for LightSettings {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// Brightness above 0 starts here: below it the steps of an LED are too coarse for colours and rhythms.
const DIMMEST: u8 = 48;
/// The same limit for the relative brightness of light or dark squares, which is applied on top of it.
const DIMMEST_SQUARES: u8 = 128;

impl LightSettings {
    /// Half brightness, and the current of one USB port.
    pub const DEFAULT: Self = Self { brightness: 128, budget_milliamps: 500, light_squares: 255, dark_squares: 255 };

    /// Brightness of a fully lit light or dark square, out of 255.
    pub(super) fn power(self, light_square: bool) -> u8 {
        if self.brightness == 0 {
            return 0;
        }
        let brightness = share(255 - DIMMEST, self.brightness).saturating_add(DIMMEST);
        let squares = if light_square { self.light_squares } else { self.dark_squares };
        share(brightness, squares.max(DIMMEST_SQUARES))
    }

    /// The budget without the quiescent current.
    pub(super) fn spare_milliamps(self) -> u16 {
        self.budget_milliamps.saturating_sub(QUIESCENT_MILLIAMPS)
    }
}

/// `whole * of_255 / 255`, rounded up, so that it is never 0 unless a factor is.
pub(super) const fn share(whole: u8, of_255: u8) -> u8 {
    ((whole as u16).wrapping_mul(of_255 as u16).wrapping_add(254) / 255) as u8
}
