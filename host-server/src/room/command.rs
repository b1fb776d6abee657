use std::fmt;

use chess::{Color, DrawClaim, Move, PlayError};
use serde::{Deserialize, Serialize};

use super::ending::Ending;
use super::form::{side, side_or_none};
use super::name::{Name, RelayId, UserId};
use super::seat::Player;

/// What somebody wants to happen. Whoever passes it on has made sure that they sit where they say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// To sit down.
    Sit {
        /// Who.
        player: Player,
        /// Where.
        wish: Wish,
        /// A random number, for those who do not mind where.
        dice: u64,
    },
    /// A player has come, through a relay.
    Come {
        /// Who.
        color: Color,
        /// Through which.
        relay: RelayId,
    },
    /// A player has gone from a relay.
    Go {
        /// Who.
        color: Color,
        /// From which.
        relay: RelayId,
    },
    /// Only these relays are left: whoever was there through another is not.
    Relays(Vec<RelayId>),
    /// To leave for good, which gives up a game that is going on.
    Leave(Color),
    /// To move.
    Move {
        /// Who.
        color: Color,
        /// How.
        mv: Move,
        /// At how many plies, if the sender says so: a move that was meant for another position is not made.
        ply: Option<usize>,
    },
    /// To give up.
    Resign(Color),
    /// To call it off.
    Abort(Color),
    /// To offer a draw; or to agree, if the other has offered one.
    OfferDraw(Color),
    /// To agree to a draw that the other has offered, and to nothing else.
    AcceptDraw {
        /// Who.
        color: Color,
        /// At how many plies: an offer that was seen in another position is not taken.
        ply: usize,
    },
    /// To decline the other's offer.
    DeclineDraw(Color),
    /// To have a draw, because the rules say so.
    ClaimDraw {
        /// Who.
        color: Color,
        /// For what.
        claim: DrawClaim,
        /// With this move, which is announced and not played; or in the position on the board.
        with: Option<Move>,
    },
    /// To take moves back; or to agree, if the other has asked.
    AskTakeback {
        /// Who.
        color: Color,
        /// How many plies.
        plies: u8,
    },
    /// To let the other take back.
    AllowTakeback {
        /// Who.
        color: Color,
        /// How many plies the other has asked for, as far as this player knows.
        plies: u8,
    },
    /// Not to.
    DeclineTakeback(Color),
    /// To play again, with colours changed; or to agree, if the other wants to.
    OfferRematch {
        /// Who.
        color: Color,
        /// A random number for the game.
        dice: u64,
    },
    /// To agree to another game that the other has asked for, and to nothing else.
    AcceptRematch {
        /// Who.
        color: Color,
        /// A random number for the game.
        dice: u64,
    },
    /// Not to.
    DeclineRematch(Color),
    /// To let boards show where pieces can go, or no longer.
    Hints {
        /// Who.
        color: Color,
        /// Whether.
        on: bool,
    },
    /// To say something.
    Say {
        /// Who.
        speaker: Speaker,
        /// What.
        text: String,
    },
    /// Nothing but what time brings.
    Tick {
        /// A random number, for a game that may begin.
        dice: u64,
    },
}

impl Command {
    /// The same from the other side, for a player who has changed sides since it was asked for; nothing, if it was about the
    /// game that is over by now.
    pub(crate) fn at_side(mut self, side: Color) -> Option<Self> {
        match &mut self {
            Self::Come { color, .. } | Self::Go { color, .. } | Self::Hints { color, .. } | Self::Leave(color) => {
                *color = side;
            }
            Self::Sit { .. } | Self::Relays(_) | Self::Say { .. } | Self::Tick { .. } => {}
            Self::Move { .. }
            | Self::Resign(_)
            | Self::Abort(_)
            | Self::OfferDraw(_)
            | Self::AcceptDraw { .. }
            | Self::DeclineDraw(_)
            | Self::ClaimDraw { .. }
            | Self::AskTakeback { .. }
            | Self::AllowTakeback { .. }
            | Self::DeclineTakeback(_)
            | Self::OfferRematch { .. }
            | Self::AcceptRematch { .. }
            | Self::DeclineRematch(_) => return None,
        }
        Some(self)
    }

    /// Whether a game can be played to its end without it.
    pub(super) const fn is_dispensable(&self) -> bool {
        matches!(
            self,
            Self::Sit { .. }
                | Self::AskTakeback { .. }
                | Self::OfferRematch { .. }
                | Self::AcceptRematch { .. }
                | Self::Hints { .. }
                | Self::Say { .. }
        )
    }
}

/// Where somebody would like to sit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Wish {
    /// At White's side.
    White,
    /// At Black's side.
    Black,
    /// Wherever the dice fall.
    Random,
    /// White, or what is left.
    #[default]
    First,
}

/// Something that the board at a seat said: which of its streams, and which number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origin {
    /// Where the board is.
    #[serde(with = "side")]
    pub color: Color,
    /// The stream.
    pub stream: u64,
    /// The number in it.
    pub number: u32,
}

/// Somebody who says something.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Speaker {
    /// By which everybody may know them.
    pub id: UserId,
    /// What they are called.
    pub name: Name,
    /// Where they sit, if they do.
    #[serde(default, with = "side_or_none", skip_serializing_if = "Option::is_none")]
    pub color: Option<Color>,
}

/// Why something does not happen. The room is as it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The room is closed.
    Closed,
    /// Somebody sits there already.
    Taken,
    /// Nobody sits there.
    NoSeat,
    /// No game is going on yet.
    NotBegun,
    /// The game is over.
    Over(Ending),
    /// The game is not over yet.
    NotOver,
    /// It is the other player's turn.
    NotYourTurn,
    /// The position has changed in the meantime.
    Stale,
    /// There is no piece of this player's on that square.
    NotYourPiece,
    /// The rules do not allow this move.
    Illegal(Move),
    /// The pawn has to become something.
    NoPromotion(Move),
    /// The game is longer than any game can be, or the log is longer than a room's should be.
    TooLong,
    /// A draw cannot be claimed for that.
    NoClaim(DrawClaim),
    /// A draw was offered already, and nothing has changed since.
    OfferedAlready,
    /// There is no offer to answer.
    NoOffer,
    /// There are not that many moves to take back.
    NothingToTakeBack,
    /// It is too late to call the game off.
    TooLateToAbort,
    /// There is nothing in it, or too much.
    BadText,
    /// More has been said in this room than it can remember.
    TooMuchSaid,
}

impl From<PlayError> for Refusal {
    fn from(error: PlayError) -> Self {
        match error {
            PlayError::Over(outcome) => Self::Over(outcome.into()),
            PlayError::Illegal(illegal) => Self::Illegal(illegal.0),
            PlayError::Full => Self::TooLong,
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Closed => f.write_str("The match is closed."),
            Self::Taken => f.write_str("That seat is taken."),
            Self::NoSeat => f.write_str("Only the players can do that."),
            Self::NotBegun => f.write_str("The game has not started yet."),
            Self::Over(ending) => write!(f, "The game is over: {ending}."),
            Self::NotOver => f.write_str("The game is not over yet."),
            Self::NotYourTurn => f.write_str("It is not your turn."),
            Self::Stale => f.write_str("The position has changed since."),
            Self::NotYourPiece => f.write_str("This is not your piece."),
            Self::Illegal(mv) => write!(f, "{mv} is an illegal move."),
            Self::NoPromotion(mv) => write!(f, "{mv} must say what the pawn becomes."),
            Self::TooLong => f.write_str("No game can be that long."),
            Self::NoClaim(claim) => write!(f, "There is no draw by {claim}."),
            Self::OfferedAlready => f.write_str("A draw has been offered already."),
            Self::NoOffer => f.write_str("There is no offer to answer."),
            Self::NothingToTakeBack => f.write_str("There are not that many moves to take back."),
            Self::TooLateToAbort => f.write_str("It is too late to call the game off."),
            Self::BadText => f.write_str("A message has 1 to 500 characters."),
            Self::TooMuchSaid => f.write_str("Too much has been said in this match."),
        }
    }
}

impl std::error::Error for Refusal {}
