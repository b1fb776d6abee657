use super::budget::QUIESCENT_MILLIAMPS;

/// How the lights suit the room, the wood and the power supply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LightSettings {
    /// How bright the lights are, as the eye sees it: 0 is dark, and 1 as dim as still tells every meaning from the
    /// others.
    pub brightness: u8,
    /// What all lights together may draw, in milliamperes. Each light draws one even when it is dark, so with less than
    /// 80 not everything can be lit, and what cannot stays dark.
    pub budget_milliamps: u16,
    /// How bright the light squares are, next to the dark ones. Which kind has to be dimmed depends on the wood: thin
    /// veneer swallows light where it is dark, and thick board glows more where it is light. Below 128 counts as 128.
    pub light_squares: u8,
    /// How bright the dark squares are, next to the light ones.
    pub dark_squares: u8,
}

impl Default for LightSettings {
    /// Half as bright as can be, for an evening in a living room, and no more than one USB port gives.
    fn default() -> Self {
        Self { brightness: 128, budget_milliamps: 500, light_squares: 255, dark_squares: 255 }
    }
}

/// Brightness above 0 starts here: with less power the steps of a light are too coarse to carry colours and rhythms.
const DIMMEST: u8 = 48;
/// The same for squares of one kind, since they are dimmed on top of it.
const DIMMEST_SQUARES: u8 = 128;

impl LightSettings {
    /// What power a fully lit square of this kind has, out of 255.
    pub(super) fn power(self, light_square: bool) -> u8 {
        if self.brightness == 0 {
            return 0;
        }
        let brightness = share(255 - DIMMEST, self.brightness).saturating_add(DIMMEST);
        let squares = if light_square { self.light_squares } else { self.dark_squares };
        share(brightness, squares.max(DIMMEST_SQUARES))
    }

    /// What is left of the budget when all lights are dark.
    pub(super) fn spare_milliamps(self) -> u16 {
        self.budget_milliamps.saturating_sub(QUIESCENT_MILLIAMPS)
    }
}

/// So many 255ths of it, rounded up: something is never nothing.
pub(super) const fn share(whole: u8, of_255: u8) -> u8 {
    ((whole as u16).wrapping_mul(of_255 as u16).wrapping_add(254) / 255) as u8
}
