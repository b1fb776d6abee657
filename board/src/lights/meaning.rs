use super::colour::Colour;
use super::rhythm::Rhythm;

/// The enumeration and how each meaning looks are one table, the most urgent first.
macro_rules! meanings {
    ($($(#[$doc:meta])* $name:ident: $colour:ident $rhythm:ident,)*) => {
        /// What the light of a square says to the player.
        ///
        /// The variants are in order of urgency: if two meanings apply to one square, the earlier one is shown. Required
        /// actions come before possible actions, and those before information.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(u8)]
        pub enum Meaning { $($(#[$doc])* $name),* }

        impl Meaning {
            /// All meanings, the most urgent first.
            pub const ALL: &[Self] = &[$(Self::$name),*];

            /// The colour of this meaning.
            #[must_use]
            pub const fn colour(self) -> Colour {
                match self { $(Self::$name => Colour::$colour),* }
            }

            /// The rhythm of this meaning.
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
    /// One of the two squares of a piece of the remote opponent that the player has moved.
    NotYours: Blue TwoGaps,
    /// A misplaced piece must leave this square.
    WayBackFrom: Orange LeaveQuickly,
    /// A misplaced piece must return to this square.
    WayBackTo: Orange ArriveQuickly,
    /// A fault of the board: a dead reed switch here; or, on a1, a failed write of the journal.
    Fault: Magenta LongShort,
    /// The king of the player whose time has run out.
    Flag: White Alarm,
    /// A king that is checkmated.
    Mated: Red Fall,
    /// A king in check.
    Check: Red Heartbeat,
    /// Touch this square to promote to a queen. The number of pulses is the distance from the pawn, starting at 1.
    PromoteQueen: Magenta OnePulse,
    /// Touch this square to promote to a knight.
    PromoteKnight: Green TwoPulses,
    /// Touch this square to promote to a rook.
    PromoteRook: Blue ThreePulses,
    /// Touch this square to promote to a bishop.
    PromoteBishop: Amber FourPulses,
    /// Touch this square to choose what the pawn becomes, if there are more than four choices: the fifth, the sixth, and so on.
    PromoteOther: White FivePulses,
    /// The board asks to be paired: the owner compares these eight squares with those on the relay's page.
    Compare: Magenta Gap,
    /// The board was just paired, on the squares that were compared.
    Paired: Green TwoNotches,
    /// Touch the piece here again to confirm it.
    Ask: Yellow DoubleBlink,
    /// The opponent offers a draw; placing both kings in the centre accepts it.
    DrawOffered: Blue Balance,
    /// The captured piece here must be removed. It is more urgent than `OpponentTo`, because the square must be free
    /// before the capturing piece arrives.
    Remove: Orange Vanish,
    /// Start square of a move by the remote opponent.
    OpponentFrom: Blue Leave,
    /// Target square of a move by the remote opponent.
    OpponentTo: Blue Arrive,
    /// The remote opponent's piece leaves the board at this edge, or comes back at the other.
    OpponentEdge: Blue Pass,
    /// The player's move is incomplete: another piece must leave this square, like the rook when castling.
    FinishFrom: White Leave,
    /// The player's move is incomplete: another piece must be placed here.
    FinishTo: White Arrive,
    /// Takeback: the piece must leave this square.
    TakebackFrom: Amber Leave,
    /// Takeback: the piece must return to this square.
    TakebackTo: Amber Arrive,
    /// This square must be empty.
    Clear: Orange Blink,
    /// A piece is missing here.
    Fill: Green Breath,
    /// A move or gesture counts after a short rest: a piece that could slide on, the chosen promotion, kings in the
    /// centre, the start position.
    Settling: White Throb,
    /// The piece of this square is in the player's hand.
    Lifted: White Steady,
    /// The piece in hand may capture here.
    CaptureTarget: Orange Throb,
    /// The piece in hand may go here.
    Target: Green Steady,
    /// The piece in hand may go here, by rules other than chess.
    VariantTarget: Blue Steady,
    /// A square of the menu: what is chosen now.
    Chosen: Amber Sway,
    /// A hint: a good move starts here.
    HintFrom: Green LeaveSlowly,
    /// A hint: a good move ends here.
    HintTo: Green ArriveSlowly,
    /// The game is frozen: the side with this king cannot move yet.
    Frozen: Blue Ebb,
    /// The piece here is no longer what it was before the last move: it has another owner, or moves in another way.
    Altered: Magenta Notch,
    /// The remote opponent offers a rematch; setting up the pieces accepts it.
    RematchOffered: Blue TripleBlink,
    /// The winner's side.
    Winner: Amber Rise,
    /// The loser's side.
    Loser: Dusk Fall,
    /// The game is drawn.
    Draw: White Balance,
    /// The side that is played at the board, at the start of a game with a remote opponent.
    OwnSide: White Dip,
    /// The player's clock runs low.
    LowTime: Amber Clockwork,
    /// The relay refuses the board's key.
    WrongKey: Red TripleGlint,
    /// The board has no network address, or no cable.
    NoAddress: Orange DoubleGlint,
    /// The relay cannot be reached; or a board without a key finds none.
    Offline: Orange Glint,
    /// The board waits for an answer.
    Busy: Moonlight SlowBreath,
    /// Self-test: the reed switch here flickers, because its magnet is weak or misplaced.
    WeakMagnet: Yellow Flutter,
    /// Self-test: the reed switch here is closed.
    Sensed: Green Wink,
    /// Start or target square of the last move.
    LastMove: Violet Steady,
}

impl Meaning {
    /// The meanings of the squares on which a promotion is chosen, in the order in which the choices are offered.
    pub const CHOICES: [Self; 4] = [Self::PromoteQueen, Self::PromoteKnight, Self::PromoteRook, Self::PromoteBishop];

    /// The meanings of all squares on which a choice is made, in the order in which the choices are offered.
    pub fn choices() -> impl Iterator<Item = Self> {
        Self::CHOICES.into_iter().chain(core::iter::repeat(Self::PromoteOther))
    }

    /// 1 is the least urgent; 0 is no meaning.
    pub(super) const fn urgency(self) -> usize {
        Self::ALL.len().saturating_sub(self as usize)
    }

    /// Inverse of [`Meaning::urgency`].
    pub(super) fn of_urgency(urgency: usize) -> Option<Self> {
        Self::ALL.get(Self::ALL.len().checked_sub(urgency)?).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urgencies_round_trip() {
        for (index, &meaning) in Meaning::ALL.iter().enumerate() {
            assert_eq!(meaning.urgency(), Meaning::ALL.len() - index);
            assert_eq!(Meaning::of_urgency(meaning.urgency()), Some(meaning));
        }
        assert_eq!(Meaning::of_urgency(0), None);
        assert_eq!(Meaning::of_urgency(Meaning::ALL.len() + 1), None);
    }

    #[test]
    fn pulses_count_the_distance_from_the_promoting_pawn() {
        let pulses = [Rhythm::OnePulse, Rhythm::TwoPulses, Rhythm::ThreePulses, Rhythm::FourPulses];
        assert_eq!(Meaning::CHOICES.map(Meaning::rhythm), pulses);
        assert!(Meaning::choices().take(15).skip(4).all(|meaning| meaning.rhythm() == Rhythm::FivePulses));
    }
}
