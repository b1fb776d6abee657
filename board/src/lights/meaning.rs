use chess::Promotion;

use super::colour::Colour;
use super::rhythm::Rhythm;

/// The enumeration and how each meaning looks are one table, the most urgent first.
macro_rules! meanings {
    ($($(#[$doc:meta])* $name:ident: $colour:ident $rhythm:ident,)*) => {
        /// Everything the board can say about a square.
        ///
        /// The order is that of urgency: where two meet on one square, the earlier one is seen. What a hand must do now
        /// comes before what it may do, and that before what is merely so.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(u8)]
        pub enum Meaning { $($(#[$doc])* $name),* }

        impl Meaning {
            /// All of them, the most urgent first.
            pub const ALL: &[Self] = &[$(Self::$name),*];

            /// The colour that says it.
            #[must_use]
            pub const fn colour(self) -> Colour {
                match self { $(Self::$name => Colour::$colour),* }
            }

            /// The rhythm that says it.
            #[must_use]
            pub const fn rhythm(self) -> Rhythm {
                match self { $(Self::$name => Rhythm::$rhythm),* }
            }
        }
    };
}

meanings! {
    /// One of the two squares of a move that is not legal.
    Illegal: Red Alarm,
    /// The piece that stands wrong must leave here.
    WayBackFrom: Orange LeaveQuickly,
    /// The piece that stands wrong must go back here.
    WayBackTo: Orange ArriveQuickly,
    /// The board itself does not work as it should here: a dead reed; or, on a1, a game that could not be kept.
    Fault: Magenta LongShort,
    /// This king's time has run out.
    Flag: White Alarm,
    /// This king is mated.
    Mated: Red Fall,
    /// This king is in check.
    Check: Red Heartbeat,
    /// Touch here, and the pawn becomes a queen. The pulses count the four squares of the choice from the pawn's own.
    PromoteQueen: Magenta OnePulse,
    /// Touch here, and the pawn becomes a knight.
    PromoteKnight: Green TwoPulses,
    /// Touch here, and the pawn becomes a rook.
    PromoteRook: Blue ThreePulses,
    /// Touch here, and the pawn becomes a bishop.
    PromoteBishop: Amber FourPulses,
    /// Touch the piece here again, if it is the one.
    Ask: Yellow DoubleBlink,
    /// The player seems to resign; the gesture once more confirms it.
    ResignAsked: Red TripleBlink,
    /// The opponent offers a draw, or the player seems to; the gesture agrees.
    DrawOffered: Blue Balance,
    /// The piece here was taken, and must leave the board. It is more urgent than `OpponentTo`, because the square must
    /// be free before the piece that took it can arrive.
    Remove: Orange Vanish,
    /// A move made elsewhere begins here.
    OpponentFrom: Blue Leave,
    /// A move made elsewhere ends here.
    OpponentTo: Blue Arrive,
    /// The player's own move is half done: another piece must leave here, as the rook does when castling.
    FinishFrom: White Leave,
    /// The player's own move is half done: another piece must come here.
    FinishTo: White Arrive,
    /// A move to be taken back: the piece must leave here.
    TakebackFrom: Amber Leave,
    /// A move to be taken back: the piece must return here.
    TakebackTo: Amber Arrive,
    /// A piece stands where none belongs.
    Clear: Orange Blink,
    /// A piece belongs here and is missing.
    Fill: Green Breath,
    /// Something was seen, and is believed when the pieces have rested a little longer: kings in the centre, a new
    /// start.
    Settling: White Throb,
    /// The piece from here is in the player's hand.
    Lifted: White Steady,
    /// The piece in hand may capture here.
    CaptureTarget: Orange Throb,
    /// The piece in hand may go here.
    Target: Green Steady,
    /// The piece in hand may go here, by rules that are not those of chess.
    VariantTarget: Blue Steady,
    /// A move that is suggested begins here. Only where all players have agreed to hints.
    HintFrom: Green LeaveSoftly,
    /// A move that is suggested ends here.
    HintTo: Green ArriveSoftly,
    /// This side has won.
    Winner: Amber Rise,
    /// This side has lost.
    Loser: Dusk Fall,
    /// The game is drawn.
    Draw: White Balance,
    /// The clock runs low.
    LowTime: Amber Clockwork,
    /// The relay cannot be reached.
    Offline: Orange Glint,
    /// The board waits for somebody's answer.
    Busy: Moonlight SlowBreath,
    /// The reed here wavers: the magnet above it is weak, or stands badly. For the self-test.
    WeakMagnet: Yellow Flutter,
    /// The reed here sees a magnet. For the self-test.
    Sensed: Green Wink,
    /// The last move went from here, or to here.
    LastMove: Ember Steady,
}

impl Meaning {
    /// The meaning of a square that chooses what a pawn becomes.
    #[must_use]
    pub const fn promote(promotion: Promotion) -> Self {
        match promotion {
            Promotion::Queen => Self::PromoteQueen,
            Promotion::Knight => Self::PromoteKnight,
            Promotion::Rook => Self::PromoteRook,
            Promotion::Bishop => Self::PromoteBishop,
        }
    }

    /// From 1 for the least urgent upwards, so that 0 is free to mean nothing.
    pub(super) const fn urgency(self) -> usize {
        Self::ALL.len().saturating_sub(self as usize)
    }

    /// The other way round.
    pub(super) fn of_urgency(urgency: usize) -> Option<Self> {
        Self::ALL.get(Self::ALL.len().checked_sub(urgency)?).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_urgency_tells_the_meaning() {
        for (index, &meaning) in Meaning::ALL.iter().enumerate() {
            assert_eq!(meaning.urgency(), Meaning::ALL.len() - index);
            assert_eq!(Meaning::of_urgency(meaning.urgency()), Some(meaning));
        }
        assert_eq!(Meaning::of_urgency(0), None);
        assert_eq!(Meaning::of_urgency(Meaning::ALL.len() + 1), None);
    }

    #[test]
    fn the_pulses_count_the_squares_of_a_promotion_from_the_pawn() {
        let pulses = [Rhythm::OnePulse, Rhythm::TwoPulses, Rhythm::ThreePulses, Rhythm::FourPulses];
        for ((_, promotion), pulses) in crate::promotion_choices(chess::Square::E8).into_iter().zip(pulses) {
            assert_eq!(Meaning::promote(promotion).rhythm(), pulses);
        }
    }
}
