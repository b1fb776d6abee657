//! How people play: speeds, heights, precision, and how often they do what. The rates are guesses, for no board was filmed; the
//! rates of faults per deed are worth more than their totals.

use std::ops::RangeInclusive;

/// A way to play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Style {
    /// Nominal parts, and hands that place every piece in the middle, one at a time and without hesitation.
    Ideal,
    #[expect(missing_docs, reason = "nothing special")]
    Normal,
    /// Short of time: quick, low, and with bursts of moves without a look at the lights.
    Blitz,
    /// Thoughtful: holds pieces long, and often puts them down without letting go.
    Slow,
    /// Careless: low carries, sleeves that touch other pieces, and places off the middle.
    Sloppy,
}

impl Style {
    /// All styles but the ideal one.
    pub const HUMAN: [Self; 4] = [Self::Normal, Self::Blitz, Self::Slow, Self::Sloppy];

    /// The name in a report.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ideal => "ideal",
            Self::Normal => "normal",
            Self::Blitz => "blitz",
            Self::Slow => "slow",
            Self::Sloppy => "sloppy",
        }
    }

    /// The style with this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        [Self::Ideal].into_iter().chain(Self::HUMAN).find(|style| style.name() == name)
    }

    #[expect(clippy::too_many_lines, reason = "it is a table")]
    pub(super) const fn habits(self) -> Habits {
        match self {
            Self::Ideal => Habits::IDEAL,
            Self::Normal => Habits {
                lift: 70..=200,
                flight: 150..=600,
                land: 60..=180,
                height: 15.0..=70.0,
                sigma: 3.5,
                touch_down: 15,
                hover: 45,
                slide: 200,
                slide_pause: 40,
                low_carry: 30,
                off_centre: 8,
                adjust: 15,
                other_hand: 10,
                sleeve: 15,
                bump: 2,
                second_thoughts: 15,
                pinched: 150,
                pushed: 40,
                two_handed: 100,
                quick_reply: 60,
                burst: 0,
                gap: -60..=500,
                react: 500..=1600,
                take_back: 4,
                early_own: 60,
                illegal: 4,
                straighten: 100,
                second_choice: 40,
                restart: 100,
            },
            Self::Blitz => Habits {
                lift: 50..=110,
                flight: 90..=250,
                land: 40..=90,
                height: 8.0..=40.0,
                sigma: 4.5,
                touch_down: 4,
                hover: 10,
                slide: 300,
                slide_pause: 10,
                low_carry: 50,
                off_centre: 12,
                adjust: 5,
                other_hand: 10,
                sleeve: 25,
                bump: 4,
                second_thoughts: 5,
                pinched: 300,
                pushed: 60,
                two_handed: 40,
                quick_reply: 300,
                burst: 150,
                gap: -80..=300,
                react: 300..=900,
                take_back: 1,
                early_own: 200,
                illegal: 2,
                straighten: 60,
                second_choice: 30,
                restart: 100,
            },
            Self::Slow => Habits {
                lift: 120..=250,
                flight: 400..=900,
                land: 100..=250,
                height: 10.0..=100.0,
                sigma: 3.0,
                touch_down: 45,
                hover: 90,
                slide: 150,
                slide_pause: 100,
                low_carry: 20,
                off_centre: 5,
                adjust: 25,
                other_hand: 5,
                sleeve: 15,
                bump: 1,
                second_thoughts: 40,
                pinched: 60,
                pushed: 20,
                two_handed: 150,
                quick_reply: 10,
                burst: 0,
                gap: 0..=700,
                react: 700..=1800,
                take_back: 8,
                early_own: 20,
                illegal: 6,
                straighten: 150,
                second_choice: 60,
                restart: 100,
            },
            Self::Sloppy => Habits {
                lift: 60..=200,
                flight: 120..=600,
                land: 50..=150,
                height: 6.0..=50.0,
                sigma: 5.5,
                touch_down: 30,
                hover: 60,
                slide: 350,
                slide_pause: 50,
                low_carry: 120,
                off_centre: 20,
                adjust: 20,
                other_hand: 15,
                sleeve: 100,
                bump: 6,
                second_thoughts: 25,
                pinched: 250,
                pushed: 60,
                two_handed: 100,
                quick_reply: 80,
                burst: 0,
                gap: -60..=500,
                react: 500..=1600,
                take_back: 6,
                early_own: 80,
                illegal: 8,
                straighten: 120,
                second_choice: 60,
                restart: 100,
            },
        }
    }
}

/// The habits of a style. Times are in milliseconds, lengths in millimetres, and rates in thousandths of moves, captures or games.
#[derive(Clone, Debug)]
pub(super) struct Habits {
    /// How long a lift takes, the way through the air, and the last part down.
    pub(super) lift: RangeInclusive<u64>,
    pub(super) flight: RangeInclusive<u64>,
    pub(super) land: RangeInclusive<u64>,
    /// How high a piece is carried.
    pub(super) height: RangeInclusive<f32>,
    /// The spread of places around the middle, for each axis.
    pub(super) sigma: f32,
    /// A piece is put on another square and not let go of.
    pub(super) touch_down: u64,
    /// A piece is held above another square, maybe so low that its switch closes.
    pub(super) hover: u64,
    /// A piece slides along the wood, if nothing is in its way.
    pub(super) slide: u64,
    /// Of the slides: it pauses on a square on its way.
    pub(super) slide_pause: u64,
    /// A piece is carried so low that switches on its way may notice.
    pub(super) low_carry: u64,
    /// A piece is put down near the border of its square, and put straight later.
    pub(super) off_centre: u64,
    /// A piece is adjusted before the move; or by the other player, during it.
    pub(super) adjust: u64,
    pub(super) other_hand: u64,
    /// A sleeve tilts, pushes or fells a piece beside the way.
    pub(super) sleeve: u64,
    /// The table is bumped.
    pub(super) bump: u64,
    /// A piece is lifted and put back before another is moved.
    pub(super) second_thoughts: u64,
    /// Of the captures: both pieces in the same fingers, pushed off by the slide, or with two hands.
    pub(super) pinched: u64,
    pub(super) pushed: u64,
    pub(super) two_handed: u64,
    /// The other player replies before the piece has come to rest for long, or several moves follow one another.
    pub(super) quick_reply: u64,
    pub(super) burst: u64,
    /// From the landing of a piece to the lift of the reply.
    pub(super) gap: RangeInclusive<i64>,
    /// How long a player needs to react to lights.
    pub(super) react: RangeInclusive<u64>,
    /// The last move is taken back by hand.
    pub(super) take_back: u64,
    /// The own move begins right after the repeated one, without a look at the lights.
    pub(super) early_own: u64,
    /// A move that the rules do not allow is made, seen, and undone.
    pub(super) illegal: u64,
    /// Of the promotions: the pawn is put straight before the choice; or another piece is chosen first.
    pub(super) straighten: u64,
    pub(super) second_choice: u64,
    /// Of the games: the pieces are set up again in the middle of one.
    pub(super) restart: u64,
}

impl Habits {
    const IDEAL: Self = Self {
        lift: 120..=140,
        flight: 250..=350,
        land: 120..=140,
        height: 35.0..=45.0,
        sigma: 0.8,
        touch_down: 0,
        hover: 0,
        slide: 0,
        slide_pause: 0,
        low_carry: 0,
        off_centre: 0,
        adjust: 0,
        other_hand: 0,
        sleeve: 0,
        bump: 0,
        second_thoughts: 0,
        pinched: 0,
        pushed: 0,
        two_handed: 0,
        quick_reply: 0,
        burst: 0,
        gap: 600..=900,
        react: 700..=900,
        take_back: 5,
        early_own: 0,
        illegal: 4,
        straighten: 0,
        second_choice: 0,
        restart: 100,
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn styles_are_found_by_name() {
        for style in Style::HUMAN {
            assert_eq!(Style::named(style.name()), Some(style));
        }
        assert_eq!(Style::named("ideal"), Some(Style::Ideal));
        assert_eq!(Style::named("perfect"), None);
    }
}
