use super::colour::Rgb;

/// Current of 64 dark LEDs: the controller chip in each draws about one milliampere.
pub(super) const QUIESCENT_MILLIAMPS: u16 = 64;
/// Current of one colour channel at full duty cycle. Newer parts draw less; this is the worst case.
const CHANNEL_MILLIAMPS: u32 = 20;

/// The current that a sum of channels draws, quiescent current included, rounded up to whole milliamperes.
pub(super) const fn milliamps(sum: u32) -> u32 {
    sum.saturating_mul(CHANNEL_MILLIAMPS).div_ceil(255).saturating_add(QUIESCENT_MILLIAMPS as u32)
}

/// Current limiter: scales the colours of a scene so that it never draws more than its budget.
///
/// The scale is computed from the brightest frame, with every light at the top of its rhythm. So all frames of a scene
/// are scaled alike, and a steady light stays steady beside one that fades.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Budget {
    /// Number of lit channels. Each of them keeps at least one step.
    lit: u32,
    /// Steps of all channels above the first.
    wanted: u32,
    /// Steps that the budget allows for both together.
    allowed: u32,
}

impl Budget {
    /// A budget for the light alone, without the quiescent current.
    pub(super) fn new(spare_milliamps: u16) -> Self {
        // At most 836,000 steps.
        Self { allowed: u32::from(spare_milliamps).wrapping_mul(255) / CHANNEL_MILLIAMPS, ..Self::default() }
    }

    /// Adds the brightest colour of a number of lights.
    pub(super) fn spend(&mut self, colour: Rgb, lights: u32) {
        for channel in colour.channels() {
            self.lit = self.lit.saturating_add(if channel > 0 { lights } else { 0 });
            self.wanted = self.wanted.saturating_add(u32::from(channel.saturating_sub(1)).saturating_mul(lights));
        }
    }

    /// Scales a colour to the budget.
    ///
    /// A lit channel keeps one step, and the steps above it are scaled and rounded down. So no lit channel goes dark, the
    /// order of brightness is kept, and the sum is at most `lit + wanted * spare / wanted`, which is `allowed`. If the
    /// budget is below one step for each lit channel, all lights stay dark.
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
    fn full_white_draws_the_current_of_the_data_sheet() {
        assert_eq!(milliamps(0), 64);
        assert_eq!(milliamps(64 * 3 * 255), 64 * 61);
    }

    #[test]
    fn scaling_keeps_the_order_of_brightness() {
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
    fn a_budget_below_one_step_per_channel_is_dark() {
        let mut budget = Budget::new(15);
        budget.spend(Rgb { r: 1, g: 1, b: 1 }, 64);
        assert_eq!(budget.afford(Rgb { r: 1, g: 1, b: 1 }), Rgb::DARK);
    }
}
