use chess::{Color, DrawClaim, Move};
use wire::link::Event;

use crate::room::{Command, Room};

/// What a board asks of its room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Want {
    /// To move, at so many plies.
    Move {
        /// How.
        mv: Move,
        /// At how many plies.
        ply: usize,
    },
    /// To give up.
    Resign,
    /// To offer a draw.
    Draw,
    /// To agree to one, at so many plies.
    AcceptDraw {
        /// At how many plies.
        ply: usize,
    },
    /// Not to.
    NoDraw,
    /// To have a draw, because the rules say so.
    Claim {
        /// For what.
        claim: DrawClaim,
        /// With this move, which is announced and not played.
        with: Option<Move>,
    },
    /// To take back so many plies.
    Takeback {
        /// How many.
        plies: u8,
    },
    /// To let the other one.
    AllowTakeback {
        /// How many plies the other has asked for.
        plies: u8,
    },
    /// Not to.
    NoTakeback,
    /// To be shown where pieces can go, or no longer.
    Hints {
        /// Whether.
        on: bool,
    },
    /// To see whether time has ended the game. The board may think so, but it is the room's clock that counts.
    Look,
    /// Something that a board cannot ask for.
    Nonsense,
}

impl Want {
    /// What an event asks for in this room, by the player of this side.
    pub(super) fn of(event: Event, room: &Room, us: Color) -> Self {
        match event {
            Event::Moved { ply, mv, .. } => Self::Move { mv, ply: usize::from(ply) },
            Event::Resigned { color } if color == us => Self::Resign,
            Event::DrawOffered { color } if color == us => Self::Draw,
            Event::DrawAnswered { accepted: true } => Self::AcceptDraw { ply: room.game().moves().len() },
            Event::DrawAnswered { accepted: false } => Self::NoDraw,
            Event::DrawClaimed { claim, with } => Self::Claim { claim, with },
            Event::TakebackAsked { plies } => Self::Takeback { plies },
            Event::TakebackAnswered { accepted: true } => {
                // If nobody asks, the room says so; or that it has heard this before.
                Self::AllowTakeback { plies: room.takeback().map_or(0, |(_, plies)| plies) }
            }
            Event::TakebackAnswered { accepted: false } => Self::NoTakeback,
            Event::Hints { on } => Self::Hints { on },
            Event::Ended { .. } => Self::Look,
            // A board at which one player sits cannot take back by itself.
            Event::TakenBack { .. } | Event::Resigned { .. } | Event::DrawOffered { .. } => Self::Nonsense,
        }
    }

    /// As a room knows it. The dice are for what needs a random number.
    #[must_use]
    pub fn command(self, color: Color, dice: u64) -> Option<Command> {
        Some(match self {
            Self::Move { mv, ply } => Command::Move { color, mv, ply: Some(ply) },
            Self::Resign => Command::Resign(color),
            Self::Draw => Command::OfferDraw(color),
            Self::AcceptDraw { ply } => Command::AcceptDraw { color, ply },
            Self::NoDraw => Command::DeclineDraw(color),
            Self::Claim { claim, with } => Command::ClaimDraw { color, claim, with },
            Self::Takeback { plies } => Command::AskTakeback { color, plies },
            Self::AllowTakeback { plies } => Command::AllowTakeback { color, plies },
            Self::NoTakeback => Command::DeclineTakeback(color),
            Self::Hints { on } => Command::Hints { color, on },
            Self::Look => Command::Tick { dice },
            Self::Nonsense => return None,
        })
    }

    /// Whether it may be refused without the game at the board being another one: then the answer is no, and that can be
    /// told.
    pub(super) const fn is_only_asked(self) -> bool {
        match self {
            Self::Draw | Self::NoDraw | Self::Takeback { .. } | Self::NoTakeback | Self::Hints { .. } | Self::Look => {
                true
            }
            Self::Move { .. }
            | Self::Resign
            | Self::AcceptDraw { .. }
            | Self::Claim { .. }
            | Self::AllowTakeback { .. }
            | Self::Nonsense => false,
        }
    }
}
