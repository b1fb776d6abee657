/// The step of a rhythm in milliseconds: it changes the lights at most fifty times a second.
pub(super) const TICK: u64 = 20;

/// Number of ticks (72 seconds) after which all rhythms repeat together. The period of every rhythm divides it, so time
/// modulo this fits into 16 bits.
pub(super) const CYCLE: u64 = 3600;

/// A section of a rhythm: a constant level, or a fade between two levels.
#[derive(Clone, Copy)]
struct Section {
    from: u8,
    to: u8,
    ticks: u8,
}

/// The sections of a rhythm and their total length.
struct Pattern {
    ticks: u16,
    sections: &'static [Section],
}

/// Defines the enumeration and the patterns in one table.
macro_rules! rhythms {
    ($($(#[$doc:meta])* $name:ident: $($section:expr),*;)*) => {
        /// How the brightness of a light changes over time. Each rhythm begins lit, so that feedback is immediate.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Rhythm { $($(#[$doc])* $name),* }

        impl Rhythm {
            /// All rhythms.
            pub const ALL: &[Self] = &[$(Self::$name),*];

            const fn pattern(self) -> &'static Pattern {
                match self { $(Self::$name => const { &Pattern::of(const { &[$($section),*] }) }),* }
            }
        }
    };
}

rhythms! {
    /// Constant.
    Steady: hold(255, 20);
    /// Fast blink, at the limit of what is safe with photosensitive epilepsy.
    Alarm: hold(255, 180), hold(0, 180);
    /// On and off once a second.
    Blink: hold(255, 500), hold(0, 500);
    /// Two flashes and a pause.
    DoubleBlink: hold(255, 140), hold(0, 160), hold(255, 140), hold(0, 1060);
    /// Three flashes and a pause.
    TripleBlink: hold(255, 140), hold(0, 160), hold(255, 140), hold(0, 160), hold(255, 140), hold(0, 1660);
    /// Lit, with two short dark moments.
    TwoGaps: hold(255, 480), hold(0, 100), hold(255, 120), hold(0, 100);
    /// A long and a short flash.
    LongShort: hold(255, 600), hold(0, 200), hold(255, 140), hold(0, 1060);
    /// Irregular flashes.
    Flutter: hold(255, 120), hold(0, 280), hold(255, 340), hold(0, 180), hold(255, 80), hold(0, 380),
        hold(255, 240), hold(0, 280), hold(255, 120), hold(0, 380);
    /// A short flash every four seconds.
    Glint: hold(255, 120), hold(0, 3880);
    /// Two short flashes every four seconds.
    DoubleGlint: hold(255, 300), hold(0, 300), hold(255, 300), hold(0, 3100);
    /// Three short flashes every four seconds.
    TripleGlint: hold(255, 300), hold(0, 300), hold(255, 300), hold(0, 300), hold(255, 300), hold(0, 2500);
    /// Half lit, with a short flash every second.
    Clockwork: hold(255, 120), hold(90, 880);
    /// Lit, with a short dim moment every two seconds.
    Wink: hold(255, 1800), hold(50, 200);
    /// Lit, and fades down and up for a moment.
    Dip: hold(255, 1400), fade(255, 40, 300), fade(40, 255, 300);
    /// Lit, and dark for a moment every four seconds.
    Gap: hold(255, 3400), hold(0, 600);
    /// Lit, with two dim moments one after the other.
    TwoNotches: hold(255, 1200), hold(80, 300), hold(255, 300), hold(80, 600);
    /// Lit, and half lit for a moment.
    Notch: hold(255, 900), hold(110, 300);
    /// Fades down and up.
    Breath: fade(255, 30, 1000), fade(30, 255, 1000);
    /// Fades down and up slowly.
    SlowBreath: fade(255, 40, 2000), hold(40, 400), fade(40, 255, 1600);
    /// Fades down slowly and up quickly.
    Ebb: fade(255, 60, 2400), fade(60, 255, 600);
    /// Fades quickly between full and half.
    Throb: fade(255, 110, 600), fade(110, 255, 600);
    /// Two fading pulses and a pause.
    Heartbeat: fade(255, 110, 160), hold(110, 80), fade(220, 60, 360), hold(60, 600);
    /// Alternates between full and half.
    Balance: hold(255, 900), fade(255, 100, 300), hold(100, 900), fade(100, 255, 300);
    /// Changes between full and a quarter.
    Sway: hold(255, 760), hold(60, 740);
    /// Fades in slowly and stays lit.
    Rise: hold(255, 800), fade(255, 20, 200), fade(20, 255, 2600);
    /// Fades out slowly and stays dark.
    Fall: hold(255, 600), fade(255, 0, 1800), hold(0, 600);
    /// Fades out quickly.
    Vanish: fade(255, 0, 900), hold(0, 300);
    /// Start square of a move: lit first.
    Leave: hold(255, 400), fade(255, 0, 200), hold(0, 1000);
    /// Target square of a move: lit after the start square, and longer.
    Arrive: hold(50, 400), fade(50, 255, 200), hold(255, 600), fade(255, 50, 400);
    /// A square between the start and the target of a move: lit after the first and before the second.
    Pass: hold(60, 300), hold(255, 240), fade(255, 60, 260), hold(60, 800);
    /// Leave at twice the speed.
    LeaveQuickly: hold(255, 200), fade(255, 0, 100), hold(0, 500);
    /// Arrive at twice the speed.
    ArriveQuickly: hold(50, 200), fade(50, 255, 100), hold(255, 300), fade(255, 50, 200);
    /// Leave at about a third of the speed.
    LeaveSlowly: hold(255, 1120), fade(255, 0, 560), hold(0, 2820);
    /// Arrive at about a third of the speed.
    ArriveSlowly: hold(50, 1120), fade(50, 255, 560), hold(255, 1700), fade(255, 50, 1120);
    /// Dim, with one pulse per period.
    OnePulse: pulse(), hold(80, 2240);
    /// Dim, with two pulses per period.
    TwoPulses: pulse(), rest(), pulse(), hold(80, 1900);
    /// Dim, with three pulses per period.
    ThreePulses: pulse(), rest(), pulse(), rest(), pulse(), hold(80, 1560);
    /// Dim, with four pulses per period.
    FourPulses: pulse(), rest(), pulse(), rest(), pulse(), rest(), pulse(), hold(80, 1220);
    /// Dim, with five pulses per period.
    FivePulses: pulse(), rest(), pulse(), rest(), pulse(), rest(), pulse(), rest(), pulse(), hold(80, 880);
}

const fn hold(level: u8, milliseconds: u16) -> Section {
    fade(level, level, milliseconds)
}

const fn fade(from: u8, to: u8, milliseconds: u16) -> Section {
    let ticks = milliseconds as u64 / TICK;
    assert!((milliseconds as u64).is_multiple_of(TICK), "a section is a whole number of ticks");
    assert!(ticks < 256, "the length of a section fits into a byte");
    Section { from, to, ticks: ticks as u8 }
}

const fn pulse() -> Section {
    hold(255, 160)
}

const fn rest() -> Section {
    hold(80, 180)
}

impl Rhythm {
    /// Period in milliseconds; `None` if the level is constant.
    #[must_use]
    pub const fn period(self) -> Option<u64> {
        match self {
            Self::Steady => None,
            rhythm => Some((rhythm.pattern().ticks as u64).wrapping_mul(TICK)),
        }
    }

    /// Perceived brightness out of 255.
    pub(super) fn level(self, tick: u16) -> u8 {
        let pattern = self.pattern();
        let mut tick = tick.checked_rem(pattern.ticks).unwrap_or(0);
        for section in pattern.sections {
            match tick.checked_sub(u16::from(section.ticks)) {
                Some(later) => tick = later,
                None => return section.level(tick as u8),
            }
        }
        0
    }
}

impl Pattern {
    #[expect(clippy::arithmetic_side_effects, clippy::indexing_slicing, reason = "evaluated by the compiler only")]
    const fn of(sections: &'static [Section]) -> Self {
        let (mut ticks, mut brightest, mut index) = (0, 0, 0);
        while index < sections.len() {
            ticks += sections[index].ticks as u16;
            brightest = if sections[index].from > brightest { sections[index].from } else { brightest };
            index += 1;
        }
        assert!(CYCLE.is_multiple_of(ticks as u64), "the period of every rhythm divides the cycle");
        // The current budget relies on it: it uses the full level as the brightest frame of a scene.
        assert!(brightest == 255, "every rhythm reaches the full level");
        assert!(sections[0].from > 0, "every rhythm begins lit");
        Self { ticks, sections }
    }
}

impl Section {
    /// The level after `tick` ticks. A fade follows the smoothstep curve 3x² - 2x³, in steps of 1/256.
    fn level(self, tick: u8) -> u8 {
        let x = (u32::from(tick) << 8).checked_div(u32::from(self.ticks)).unwrap_or(0);
        // At most 256 * 256 * 768 before the shift, and at most 256 after it: nothing wraps.
        let share = x.wrapping_mul(x).wrapping_mul(768_u32.saturating_sub(x << 1)) >> 16;
        let height = u32::from(self.from.abs_diff(self.to)).wrapping_mul(share) >> 8;
        if self.to > self.from {
            self.from.saturating_add(height as u8)
        } else {
            self.from.saturating_sub(height as u8)
        }
    }
}
