//! What a client's words ask of the room.

use chess::{Color, DrawClaim, Move, Position, Promotion, Rank, Role, SanError};

use super::reading::{Act, Draw, How, Reply, Request, Takeback};
use crate::room::{Command, Phase, Refusal, Room};
use crate::tongue::complaint::Complaint;

/// So many characters can be said at once, as the room sees it as well.
const LONGEST_TEXT: usize = 500;

/// Something that a client wants to happen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Asked {
    /// What only players can do.
    Play(Want),
    /// To say something.
    Say(String),
    /// To know whether somebody is there.
    Pong,
    /// To go, without a seat to leave.
    Leave,
}

/// What a player wants, whichever side that is by the time it is done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Want {
    Move { mv: Move, ply: Option<usize> },
    Resign,
    Abort,
    OfferDraw,
    AcceptDraw { ply: usize },
    DeclineDraw,
    ClaimDraw { claim: DrawClaim, with: Option<Move> },
    AskTakeback { plies: u8 },
    AllowTakeback { plies: u8 },
    DeclineTakeback,
    OfferRematch { dice: u64 },
    AcceptRematch { dice: u64 },
    DeclineRematch,
    Hints { on: bool },
    Leave,
}

impl Want {
    pub(super) fn by(self, color: Color) -> Command {
        match self {
            Self::Move { mv, ply } => Command::Move { color, mv, ply },
            Self::Resign => Command::Resign(color),
            Self::Abort => Command::Abort(color),
            Self::OfferDraw => Command::OfferDraw(color),
            Self::AcceptDraw { ply } => Command::AcceptDraw { color, ply },
            Self::DeclineDraw => Command::DeclineDraw(color),
            Self::ClaimDraw { claim, with } => Command::ClaimDraw { color, claim, with },
            Self::AskTakeback { plies } => Command::AskTakeback { color, plies },
            Self::AllowTakeback { plies } => Command::AllowTakeback { color, plies },
            Self::DeclineTakeback => Command::DeclineTakeback(color),
            Self::OfferRematch { dice } => Command::OfferRematch { color, dice },
            Self::AcceptRematch { dice } => Command::AcceptRematch { color, dice },
            Self::DeclineRematch => Command::DeclineRematch(color),
            Self::Hints { on } => Command::Hints { color, on },
            Self::Leave => Command::Leave(color),
        }
    }
}

/// Finds out what somebody who sits there, or nowhere, asks of this room.
pub(super) fn ask(text: &str, room: &Room, color: Option<Color>, dice: u64) -> Result<Asked, Complaint> {
    match Request::read(text).map_err(Complaint::bad)? {
        Request::Ping => Ok(Asked::Pong),
        Request::Chat(message) if message.chars().count() > LONGEST_TEXT => {
            Err(Complaint::too_large(Refusal::BadText.to_string()))
        }
        Request::Chat(message) => Ok(Asked::Say(message.into_owned())),
        Request::Act(Act::Leave) if color.is_none() => Ok(Asked::Leave),
        Request::Act(act) => want(act, room, color.ok_or(Refusal::NoSeat)?, dice).map(Asked::Play),
    }
}

fn want(act: Act<'_>, room: &Room, color: Color, dice: u64) -> Result<Want, Complaint> {
    let position = room.game().position();
    Ok(match act {
        Act::Move { how: How::Squares { start, end, promotion }, ply } => {
            let mv = Move::new(start, end);
            // It is only looked at where it matters, and is a queen if nobody says otherwise.
            let promotion = promotes(position, mv).then(|| promotion.unwrap_or(Promotion::Queen));
            Want::Move { mv: mv.promoting(promotion), ply }
        }
        Act::Move { how: How::San(san), ply } => {
            let mv = in_turn(room, color).and_then(|()| parse_san(position, &san))?;
            // What it means depends on the position, so it is meant for this one.
            Want::Move { mv, ply: ply.or(Some(room.game().moves().len())) }
        }
        Act::Resign => Want::Resign,
        Act::Abort => Want::Abort,
        Act::Draw(Draw::Reply(Reply::Offer)) => Want::OfferDraw,
        // Whoever accepts means what they have seen. It may be gone by the time that the room hears of it.
        Act::Draw(Draw::Reply(Reply::Accept)) => Want::AcceptDraw { ply: room.game().moves().len() },
        Act::Draw(Draw::Reply(Reply::Decline)) => Want::DeclineDraw,
        Act::Draw(Draw::Claim(claim, None)) => Want::ClaimDraw { claim, with: None },
        Act::Draw(Draw::Claim(claim, Some(text))) => {
            in_turn(room, color)?;
            let with = text.parse().or_else(|_| parse_san(position, &text))?;
            Want::ClaimDraw { claim, with: Some(with) }
        }
        // One's own last move, with the answer to it if there is one.
        Act::Takeback(Takeback::Ask(None)) => Want::AskTakeback { plies: if position.turn() == color { 2 } else { 1 } },
        Act::Takeback(Takeback::Ask(Some(plies))) => Want::AskTakeback { plies },
        Act::Takeback(Takeback::Accept) => {
            let (_, plies) = room.takeback().ok_or(Refusal::NoOffer)?;
            Want::AllowTakeback { plies }
        }
        Act::Takeback(Takeback::Decline) => Want::DeclineTakeback,
        Act::Rematch(Reply::Offer) => Want::OfferRematch { dice },
        Act::Rematch(Reply::Accept) => Want::AcceptRematch { dice },
        Act::Rematch(Reply::Decline) => Want::DeclineRematch,
        Act::Hints(on) => Want::Hints { on },
        Act::Leave => Want::Leave,
    })
}

/// What the room would say before it looks at a move. A move in SAN means nothing in any other position.
fn in_turn(room: &Room, color: Color) -> Result<(), Complaint> {
    let refusal = match (room.phase(), room.ending()) {
        (Phase::Playing, _) if room.game().position().turn() == color => return Ok(()),
        (Phase::Playing, _) => Refusal::NotYourTurn,
        (Phase::Over, Some(ending)) => Refusal::Over(ending),
        (Phase::Closed, _) => Refusal::Closed,
        _ => Refusal::NotBegun,
    };
    Err(refusal.into())
}

fn parse_san(position: &Position, text: &str) -> Result<Move, Complaint> {
    position.parse_san(text).map_err(|error| match error {
        SanError::NoSuchMove => Complaint::illegal(),
        SanError::Unexpected(_) | SanError::Ambiguous(..) => Complaint::bad(format_args!("Not a move: {error}.")),
    })
}

/// Whether this is a pawn's way to its last rank, legal or not.
fn promotes(position: &Position, mv: Move) -> bool {
    let last = |color| if color == Color::White { Rank::Eighth } else { Rank::First };
    position
        .piece_at(mv.from())
        .is_some_and(|piece| piece.role() == Role::Pawn && mv.to().rank() == last(piece.color()))
}
