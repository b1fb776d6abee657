use chess::DrawClaim;
use rules::Ply;

use super::fact::Offer;

/// What a participant of a room can do.
///
/// An act has no colour: [`Room::attempt`](super::Room::attempt) looks up the seat of the participant when it decides about
/// the act, so an act that had to wait never runs for the wrong side.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are the words of chess")]
pub enum Act {
    /// Plays a ply. With `number`, it is refused as stale unless exactly that many plies have been played.
    Move {
        ply: Ply,
        number: Option<usize>,
    },
    /// Undoes the own last ply, which has this number: a board had sent it before the player had let go of the piece. Refused after a reply,
    /// and a few seconds after the ply.
    Correct {
        number: usize,
    },
    Resign,
    /// Ends the game without a result, before both players have moved.
    Abort,
    /// Offers a draw, or accepts one that the opponent has offered.
    OfferDraw,
    /// Accepts a draw offer, unless another number of plies has been played than the player has seen.
    AcceptDraw {
        number: usize,
    },
    DeclineDraw,
    /// Claims a draw in the current position, or with a ply that is announced and not played.
    ClaimDraw {
        claim: DrawClaim,
        with: Option<Ply>,
    },
    /// Claims the win because the opponent was disconnected for longer than the grace period. Before each side has moved it aborts the game.
    ClaimWin,
    /// Asks for a takeback, or accepts the opponent's request if it is for as many plies.
    AskTakeback {
        plies: u8,
    },
    /// Accepts a takeback request, unless it is for another number of plies than the player has seen.
    AcceptTakeback {
        plies: u8,
    },
    DeclineTakeback,
    /// Offers a rematch with colours swapped, or accepts one that the opponent has offered.
    OfferRematch,
    AcceptRematch,
    DeclineRematch,
    /// Takes back an own offer or request that is not answered yet.
    Withdraw {
        offer: Offer,
    },
    /// Allows or forbids suggested moves. There are some only if both players allow it.
    Hints {
        on: bool,
    },
    Chat {
        text: String,
    },
    /// Gives up the seat. A game in progress is lost.
    Leave,
    /// Asks what the moves of this turn do to the reeds of a board, where the rules are a script. The turn is named by its number of plies.
    RequestFootprints {
        number: usize,
    },
    /// Evaluates clocks and timeouts now. Boards send it when their own copy of the clock has run out.
    CheckTime,
}

impl Act {
    /// Whether the act refers to one game. Such an act is stale once another game has begun.
    pub(super) const fn is_about_game(&self) -> bool {
        match self {
            Self::Move { .. }
            | Self::Correct { .. }
            | Self::Resign
            | Self::Abort
            | Self::OfferDraw
            | Self::AcceptDraw { .. }
            | Self::DeclineDraw
            | Self::ClaimDraw { .. }
            | Self::ClaimWin
            | Self::AskTakeback { .. }
            | Self::AcceptTakeback { .. }
            | Self::DeclineTakeback
            | Self::OfferRematch
            | Self::AcceptRematch
            | Self::DeclineRematch
            | Self::RequestFootprints { .. }
            | Self::Withdraw { .. } => true,
            Self::Hints { .. } | Self::Chat { .. } | Self::Leave | Self::CheckTime => false,
        }
    }

    /// Whether a game can be played to its end without this act. A log that is too long accepts only the other acts.
    pub(super) const fn is_dispensable(&self) -> bool {
        matches!(
            self,
            Self::Correct { .. }
                | Self::AskTakeback { .. }
                | Self::OfferRematch
                | Self::AcceptRematch
                | Self::Hints { .. }
                | Self::RequestFootprints { .. }
                | Self::Chat { .. }
        )
    }
}
