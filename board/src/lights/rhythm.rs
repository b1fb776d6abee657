/// How long a frame stands, in milliseconds: the lights change at most fifty times a second, and only when they look
/// different.
pub(super) const TICK: u64 = 20;

/// So many frames, 72 seconds, and every rhythm is where it began, because its period divides this. So all that the
/// lights can ever do is finite, and time is small numbers from here on.
pub(super) const CYCLE: u64 = 3600;

/// A stretch of a rhythm: from one level of light to another, or the same one held.
#[derive(Clone, Copy)]
struct Beat {
    from: u8,
    to: u8,
    ticks: u8,
}

/// A rhythm written out, and how long it is.
struct Measure {
    ticks: u16,
    beats: &'static [Beat],
}

/// The enumeration and its beats are one table.
macro_rules! rhythms {
    ($($(#[$doc:meta])* $name:ident: $($beat:expr),*;)*) => {
        /// How a light comes and goes. Each begins lit, since an answer in light must not wait.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Rhythm { $($(#[$doc])* $name),* }

        impl Rhythm {
            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$name),*];

            const fn measure(self) -> &'static Measure {
                match self { $(Self::$name => const { &Measure::of(const { &[$($beat),*] }) }),* }
            }
        }
    };
}

rhythms! {
    /// Always lit.
    Steady: hold(255, 20);
    /// On and off, as fast as is safe for everybody.
    Alarm: hold(255, 180), hold(0, 180);
    /// On and off, once a second.
    Blink: hold(255, 500), hold(0, 500);
    /// Two flashes and a pause.
    DoubleBlink: hold(255, 140), hold(0, 160), hold(255, 140), hold(0, 1060);
    /// Three flashes and a pause.
    TripleBlink: hold(255, 140), hold(0, 200), hold(255, 140), hold(0, 200), hold(255, 140), hold(0, 1180);
    /// A long flash and a short one.
    LongShort: hold(255, 600), hold(0, 200), hold(255, 140), hold(0, 1060);
    /// At random, as it seems.
    Flutter: hold(255, 120), hold(0, 280), hold(255, 340), hold(0, 180), hold(255, 80), hold(0, 380),
        hold(255, 240), hold(0, 280), hold(255, 120), hold(0, 380);
    /// A short flash once in a while.
    Glint: hold(255, 120), hold(0, 3880);
    /// Lit, with a short flash every second, as a clock ticks.
    Clockwork: hold(255, 120), hold(90, 880);
    /// Lit, and once in a while nearly not.
    Wink: hold(255, 1800), hold(50, 200);
    /// Up and down, as calm breath.
    Breath: glide(255, 30, 1000), glide(30, 255, 1000);
    /// Up and down, as breath in sleep.
    SlowBreath: glide(255, 40, 2000), hold(40, 400), glide(40, 255, 1600);
    /// Up and down, not far and not slowly.
    Throb: glide(255, 110, 600), glide(110, 255, 600);
    /// Two strokes and a rest, as a heart beats.
    Heartbeat: glide(255, 110, 160), hold(110, 80), glide(220, 60, 360), hold(60, 600);
    /// Lit and half lit, as a pair of scales.
    Balance: hold(255, 900), glide(255, 100, 300), hold(100, 900), glide(100, 255, 300);
    /// Out of the dark, and held.
    Rise: hold(255, 800), glide(255, 20, 200), glide(20, 255, 2600);
    /// Into the dark, and gone for a moment.
    Fall: hold(255, 600), glide(255, 0, 1800), hold(0, 600);
    /// Into the dark, quickly.
    Vanish: glide(255, 0, 900), hold(0, 300);
    /// A move begins here: lit while the other end is dim.
    Leave: hold(255, 400), glide(255, 0, 200), hold(0, 1000);
    /// A move ends here: lit for longer, and after the other end.
    Arrive: hold(50, 400), glide(50, 255, 200), hold(255, 600), glide(255, 50, 400);
    /// The same in a hurry.
    LeaveQuickly: hold(255, 200), glide(255, 0, 100), hold(0, 500);
    /// The same in a hurry.
    ArriveQuickly: hold(50, 200), glide(50, 255, 100), hold(255, 300), glide(255, 50, 200);
    /// The same with all the time in the world.
    LeaveSoftly: hold(255, 300), glide(255, 0, 900), hold(0, 1500), glide(0, 255, 300);
    /// The same with all the time in the world.
    ArriveSoftly: hold(50, 600), glide(50, 255, 900), hold(255, 900), glide(255, 50, 600);
    /// Dim, with one pulse in each round.
    OnePulse: pulse(), hold(80, 2240);
    /// Dim, with two pulses in each round.
    TwoPulses: pulse(), rest(), pulse(), hold(80, 1900);
    /// Dim, with three pulses in each round.
    ThreePulses: pulse(), rest(), pulse(), rest(), pulse(), hold(80, 1560);
    /// Dim, with four pulses in each round.
    FourPulses: pulse(), rest(), pulse(), rest(), pulse(), rest(), pulse(), hold(80, 1220);
}

const fn hold(level: u8, milliseconds: u16) -> Beat {
    glide(level, level, milliseconds)
}

const fn glide(from: u8, to: u8, milliseconds: u16) -> Beat {
    let ticks = milliseconds as u64 / TICK;
    assert!((milliseconds as u64).is_multiple_of(TICK), "a beat is a whole number of frames");
    assert!(ticks < 256, "a beat is short enough for a byte");
    Beat { from, to, ticks: ticks as u8 }
}

const fn pulse() -> Beat {
    hold(255, 160)
}

const fn rest() -> Beat {
    hold(80, 180)
}

impl Rhythm {
    /// After how many milliseconds it begins again; none if it never changes.
    #[must_use]
    pub const fn period(self) -> Option<u64> {
        match self {
            Self::Steady => None,
            moving => Some((moving.measure().ticks as u64).wrapping_mul(TICK)),
        }
    }

    /// How much of the light is there, as the eye sees it, out of 255.
    pub(super) fn level(self, tick: u16) -> u8 {
        let measure = self.measure();
        let mut tick = tick.checked_rem(measure.ticks).unwrap_or(0);
        for beat in measure.beats {
            match tick.checked_sub(u16::from(beat.ticks)) {
                Some(later) => tick = later,
                None => return beat.level(tick as u8),
            }
        }
        0
    }
}

impl Measure {
    #[expect(clippy::arithmetic_side_effects, clippy::indexing_slicing, reason = "evaluated by the compiler only")]
    const fn of(beats: &'static [Beat]) -> Self {
        let (mut ticks, mut brightest, mut index) = (0, 0, 0);
        while index < beats.len() {
            ticks += beats[index].ticks as u16;
            brightest = if beats[index].from > brightest { beats[index].from } else { brightest };
            index += 1;
        }
        assert!(CYCLE.is_multiple_of(ticks as u64), "every rhythm is where it began after a cycle");
        // The budget relies on it: the brightest moment of a scene is known without looking through all of them.
        assert!(brightest == 255, "every rhythm reaches the full light");
        assert!(beats[0].from > 0, "every rhythm begins lit");
        Self { ticks, beats }
    }
}

impl Beat {
    /// A glide is slow at both ends, as nothing that lives starts or stops at once: 3x² - 2x³, in steps of 1/256.
    fn level(self, tick: u8) -> u8 {
        let way = (u32::from(tick) << 8).checked_div(u32::from(self.ticks)).unwrap_or(0);
        // At most 256 * 256 * 768 before the shift, and a share of at most 256 after it: nothing wraps.
        let share = way.wrapping_mul(way).wrapping_mul(768_u32.saturating_sub(way << 1)) >> 16;
        let height = u32::from(self.from.abs_diff(self.to)).wrapping_mul(share) >> 8;
        if self.to > self.from {
            self.from.saturating_add(height as u8)
        } else {
            self.from.saturating_sub(height as u8)
        }
    }
}
