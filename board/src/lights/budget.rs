use super::colour::Rgb;

/// What 64 dark lights draw: the chip in each needs about one milliampere to listen.
pub(super) const QUIESCENT_MILLIAMPS: u16 = 64;
/// What one colour of one light draws when it is on all the time. Newer parts draw less; the budget is for the worst.
const CHANNEL_MILLIAMPS: u32 = 20;

/// The current that a sum of channels draws, quiescent current included, rounded up to whole milliamperes.
pub(super) const fn milliamps(sum: u32) -> u32 {
    sum.saturating_mul(CHANNEL_MILLIAMPS).div_ceil(255).saturating_add(QUIESCENT_MILLIAMPS as u32)
}

/// What has to be done to the colours of a scene so that they never draw more than they may.
///
/// It looks at the scene at its brightest, every light at the top of its rhythm. So all frames of a scene are dimmed by
/// the same measure, and a steady light stays steady beside one that breathes.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Budget {
    /// How many channels are lit, each of which takes one step whatever happens.
    lit: u32,
    /// How many steps they want on top of that.
    wanted: u32,
    /// How many steps there are for both.
    allowed: u32,
}

impl Budget {
    /// With so much for the light alone.
    pub(super) fn new(spare_milliamps: u16) -> Self {
        // At most 836,000 steps.
        Self { allowed: u32::from(spare_milliamps).wrapping_mul(255) / CHANNEL_MILLIAMPS, ..Self::default() }
    }

    /// Takes in the brightest that so many lights will be.
    pub(super) fn spend(&mut self, colour: Rgb, lights: u32) {
        for channel in colour.channels() {
            self.lit = self.lit.saturating_add(if channel > 0 { lights } else { 0 });
            self.wanted = self.wanted.saturating_add(u32::from(channel.saturating_sub(1)).saturating_mul(lights));
        }
    }

    /// The colour that can be afforded.
    ///
    /// A lit channel keeps one step, and what it has above that is scaled with all others, rounded down: so nothing
    /// vanishes, what was brighter stays at least as bright, and the sum is at most `lit + wanted * spare / wanted`,
    /// which is `allowed`. If not even the first steps can be paid, all is dark.
    pub(super) fn afford(&self, colour: Rgb) -> Rgb {
        let Some(spare) = self.allowed.checked_sub(self.lit) else { return Rgb::DARK };
        if self.wanted <= spare {
            return colour;
        }
        // The spare steps are fewer than the wanted ones here, so the product is at most 254 * 64 * 3 * 254.
        colour.map(|channel| match channel.checked_sub(1) {
            None => 0,
            Some(above) => {
                let above = u32::from(above).wrapping_mul(spare).checked_div(self.wanted).unwrap_or(0);
                (above as u8).saturating_add(1)
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_lights_at_their_whitest_draw_what_the_data_sheet_says() {
        assert_eq!(milliamps(0), 64);
        assert_eq!(milliamps(64 * 3 * 255), 64 * 61);
    }

    #[test]
    fn what_is_dimmed_keeps_its_order_and_its_hue() {
        let white = Rgb { r: 255, g: 255, b: 255 };
        for spare in [16, 17, 20, 30, 64, 100, 435, 1000, 3839] {
            let mut budget = Budget::new(spare);
            budget.spend(white, 64);
            let dimmed = (0..=255_u8).map(|channel| budget.afford(Rgb { r: channel, g: 0, b: 0 }).r);
            let mut before = 0;
            for (channel, dimmed) in (0_u32..).zip(dimmed) {
                assert!(before <= dimmed);
                assert_eq!(dimmed > 0, channel > 0);
                let exact = channel * u32::from(spare) / (64 * 3 * 20);
                assert!(exact.abs_diff(u32::from(dimmed)) <= 1, "{channel} became {dimmed} with {spare} mA");
                before = dimmed;
            }
        }
    }

    #[test]
    fn what_cannot_be_paid_stays_dark() {
        let mut budget = Budget::new(15);
        budget.spend(Rgb { r: 1, g: 1, b: 1 }, 64);
        assert_eq!(budget.afford(Rgb { r: 1, g: 1, b: 1 }), Rgb::DARK);
    }
}
