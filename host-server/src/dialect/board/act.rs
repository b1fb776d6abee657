//! Maps the events of a board to acts in its room.

use chess::Color;
use wire::link::Event;

use crate::room::{Act, Room};

/// The act that an event of a board leads to in this room. `None` for events that a board with one player cannot send.
/// `asked` is the number of plies of the takeback request that the board shows, or 0.
pub(super) fn act_of(event: Event, room: &Room, us: Color, asked: u8) -> Option<Act> {
    Some(match event {
        Event::Moved { number, ply, .. } => Act::Move { ply, number: Some(usize::from(number)) },
        Event::Corrected { number } => Act::Correct { number: usize::from(number) },
        Event::Resigned { color } if color == us => Act::Resign,
        Event::DrawOffered { color } if color == us => Act::OfferDraw,
        Event::DrawAnswered { accepted: true } => Act::AcceptDraw { number: room.game().len() },
        Event::DrawAnswered { accepted: false } => Act::DeclineDraw,
        Event::DrawClaimed { claim, with } => Act::ClaimDraw { claim, with },
        Event::TakebackAsked { plies } => Act::AskTakeback { plies },
        Event::TakebackAnswered { accepted: true } => {
            // The player has agreed to what the board shows, which need not be what the opponent asks for by now. The room refuses
            // another number of plies, unless it has executed the act before.
            Act::AcceptTakeback { plies: asked }
        }
        Event::TakebackAnswered { accepted: false } => Act::DeclineTakeback,
        Event::Hints { on } => Act::Hints { on },
        Event::Ended { .. } => Act::CheckTime,
        Event::ChallengeAnswered { .. }
        | Event::TakenBack { .. }
        | Event::Resigned { .. }
        | Event::DrawOffered { .. } => return None,
    })
}

/// Whether a refusal leaves the game on the board unchanged. Otherwise the board needs a snapshot of the room's game.
pub(super) const fn is_harmless_if_refused(act: &Act) -> bool {
    match act {
        Act::OfferDraw
        | Act::DeclineDraw
        | Act::AskTakeback { .. }
        | Act::DeclineTakeback
        | Act::OfferRematch
        | Act::AcceptRematch
        | Act::DeclineRematch
        | Act::Withdraw { .. }
        | Act::Hints { .. }
        | Act::RequestFootprints { .. }
        | Act::Chat { .. }
        | Act::Leave
        | Act::CheckTime => true,
        Act::Move { .. }
        | Act::Correct { .. }
        | Act::Resign
        | Act::Abort
        | Act::AcceptDraw { .. }
        | Act::ClaimDraw { .. }
        | Act::ClaimWin
        | Act::AcceptTakeback { .. } => false,
    }
}
