//! The adapter for chess: moves as plies, positions as turns and footprints.
//!
//! **Invariant:** outside the crate `chess` and `wire::layout`, this is the only file that knows which rook castles with a king and on
//! which square a captured pawn stands.

use chess::{Bitboard, Color, Move, Piece, Position, Promotion, Rank, Role, SanError, Square};

use crate::footprint::Footprint;
use crate::look::{Choice, Look};
use crate::notation::{Notation, NotationError};
use crate::plies::Plies;
use crate::ply::Ply;
use crate::turn::Turn;

const QUEEN: u8 = 1;
const KNIGHT: u8 = 2;
const BISHOP: u8 = 3;
const ROOK: u8 = 4;

/// What a pawn can become, in the order in which it is offered.
pub const CHOICES: [u8; 4] = [QUEEN, KNIGHT, ROOK, BISHOP];

/// The promotion that a choice stands for.
#[must_use]
pub const fn promotion(choice: u8) -> Option<Promotion> {
    match choice {
        QUEEN => Some(Promotion::Queen),
        KNIGHT => Some(Promotion::Knight),
        BISHOP => Some(Promotion::Bishop),
        ROOK => Some(Promotion::Rook),
        _ => None,
    }
}

/// The choice that stands for a promotion.
#[must_use]
pub const fn choice(promotion: Promotion) -> u8 {
    match promotion {
        Promotion::Queen => QUEEN,
        Promotion::Knight => KNIGHT,
        Promotion::Bishop => BISHOP,
        Promotion::Rook => ROOK,
    }
}

impl Ply {
    /// A move on a scoresheet as a ply. For a move of chess the choice is its promotion.
    #[must_use]
    pub const fn of_move(mv: Move) -> Self {
        match mv.promotion() {
            Some(promotion) => Self::new(mv.from(), mv.to()).choosing(choice(promotion)),
            None => Self::from_bits(mv.bits()),
        }
    }

    /// The same as it is written on a scoresheet.
    pub(crate) const fn on_sheet(self) -> Move {
        match self.to_move() {
            Some(mv) => mv,
            None => Move::from_bits(self.bits()),
        }
    }

    /// The same as a move of chess; nothing if its choice is no promotion.
    #[must_use]
    pub const fn to_move(self) -> Option<Move> {
        let mv = Move::new(self.from(), self.to());
        match (self.choice(), promotion(self.choice())) {
            (0, _) => Some(mv),
            (_, None) => None,
            (_, promotion) => Some(mv.promoting(promotion)),
        }
    }
}

pub(crate) fn turn(position: &Position) -> Turn {
    let to_move = position.turn();
    let king = Piece::new(to_move, Role::King);
    Turn {
        to_move,
        white: position.of_color(Color::White),
        black: position.of_color(Color::Black),
        royal: position.of_role(Role::King),
        checked: if position.is_check() { position.of(king) } else { Bitboard::EMPTY },
    }
}

/// The footprint of a move that is legal in this position.
pub(crate) fn footprint(position: &Position, mv: Move) -> Footprint {
    let captured = position.victim(mv).map_or(Bitboard::EMPTY, Bitboard::of);
    let (lifts, places) = match position.castling_rook(mv) {
        Some((from, to)) => (Bitboard::of(from), Bitboard::of(to)),
        None => (Bitboard::EMPTY, Bitboard::EMPTY),
    };
    Footprint::of_several(Ply::of_move(mv), position.occupied(), lifts, places, captured)
}

/// What stands on a square.
pub(crate) fn look(position: &Position, square: Square) -> Option<Look<'static>> {
    position.piece_at(square).map(look_of)
}

/// A piece as people see it.
pub(crate) const fn look_of(piece: Piece) -> Look<'static> {
    let role = piece.role();
    Look { color: piece.color(), letter: piece.letter(), name: name(role), drawing: Some(role) }
}

const fn name(role: Role) -> &'static str {
    match role {
        Role::Pawn => "pawn",
        Role::Knight => "knight",
        Role::Bishop => "bishop",
        Role::Rook => "rook",
        Role::Queen => "queen",
        Role::King => "king",
    }
}

/// What a choice stands for.
pub(crate) fn choice_of(choice: u8) -> Option<Choice<'static>> {
    let role = promotion(choice)?.role();
    Some(Choice { letter: role.letter().to_ascii_lowercase(), name: name(role), drawing: Some(role) })
}

/// The promotion with this name or letter.
pub(crate) fn choice_named(text: &str) -> Option<u8> {
    CHOICES.into_iter().find(|&choice| {
        choice_of(choice).is_some_and(|Choice { letter, name, .. }| {
            let mut chars = text.chars();
            let only = chars.next().filter(|_| chars.next().is_none());
            text == name || only.is_some_and(|only| only.to_ascii_lowercase() == letter)
        })
    })
}

/// A pawn that would reach its last rank gets a promotion, legal or not; the default is a queen.
pub(crate) fn with_choice(position: &Position, way: Ply, wanted: Option<u8>) -> Ply {
    let last = |color| if color == Color::White { Rank::Eighth } else { Rank::First };
    let promotes = position
        .piece_at(way.from())
        .is_some_and(|piece| piece.role() == Role::Pawn && way.to().rank() == last(piece.color()));
    way.choosing(if promotes { wanted.unwrap_or(QUEEN) } else { 0 })
}

/// A move in SAN.
pub(crate) fn notation(position: &Position, ply: Ply) -> Notation {
    ply.to_move().and_then(|mv| position.san(mv).ok()).map_or(Notation::Ply(ply), Notation::San)
}

/// Reads a move in SAN.
pub(crate) fn read(position: &Position, text: &str) -> Result<Ply, NotationError> {
    position.parse_san(text).map(Ply::of_move).map_err(|error| match error {
        SanError::NoSuchMove => NotationError::Illegal,
        SanError::Unexpected(_) | SanError::Ambiguous(..) => NotationError::San(error),
    })
}

pub(crate) fn plies(position: &Position) -> Plies {
    position.legal_moves().iter().map(|&mv| Ply::of_move(mv)).collect()
}

#[cfg(test)]
mod tests {
    extern crate std;

    use super::*;

    #[test]
    fn moves_and_plies_convert_without_loss() {
        for bits in 0..=u16::MAX {
            let ply = Ply::from_bits(bits);
            match ply.to_move() {
                Some(mv) => assert_eq!(Ply::of_move(mv), ply),
                None => assert!(ply.choice() > 4, "{ply}"),
            }
        }
    }

    #[test]
    fn footprints_are_what_the_rules_make_of_the_board() {
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1",
            "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
            "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N w - - 0 1",
        ] {
            let position: Position = fen.parse().expect(fen);
            for &mv in &position.legal_moves() {
                let next = position.play(mv).expect("legal");
                let footprint = footprint(&position, mv);
                assert_eq!(footprint.after, next.occupied(), "{mv}");
                assert_eq!(footprint.is_capture(), position.is_capture(mv), "{mv}");
                assert_eq!(footprint.companion(), position.castling_rook(mv), "{mv}");
            }
        }
    }
}
