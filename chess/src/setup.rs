use core::error::Error;
use core::fmt;

use crate::bitboard::Bitboard;
use crate::castling::{Castling, CastlingRights, CastlingSide, WAYS};
use crate::color::Color;
use crate::piece::{Piece, Role};
use crate::position::{Position, Sets, passed_pawn};
use crate::square::{Rank, Square};
use crate::table::Table;

/// The parts of a position before validation by [`Setup::position`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setup {
    /// The piece on each square, a1 first, h8 last.
    pub board: [Option<Piece>; 64],
    /// The side to move.
    pub turn: Color,
    /// The castling rights.
    pub castling: CastlingRights,
    /// The square that a pawn has just passed with a double step.
    pub en_passant: Option<Square>,
    /// Plies since the last capture or pawn move.
    pub halfmoves: u8,
    /// The move number; 0 is read as 1, because some programs start at 0.
    pub fullmoves: u16,
}

/// Why a set-up is not a valid position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SetupError {
    /// This side has no king.
    NoKing(Color),
    /// This side has more than one king.
    SeveralKings(Color),
    /// A pawn stands on the first or the eighth rank.
    PawnOnBackRank(Square),
    /// This side has more than sixteen pieces, or more than eight pawns and promoted pieces.
    TooManyPieces(Color),
    /// The side that is not to move is in check.
    KingCanBeTaken(Color),
    /// More than two pieces give check.
    TooManyCheckers,
    /// King or rook of this castling right is not on its start square.
    Castling(Color, CastlingSide),
    /// No double step of a pawn can have passed this square.
    EnPassant(Square),
    /// The seventy-five-move rule would have ended the game before.
    Halfmoves(u8),
}

impl fmt::Display for SetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::NoKing(color) => write!(f, "{color} has no king"),
            Self::SeveralKings(color) => write!(f, "{color} has more than one king"),
            Self::PawnOnBackRank(square) => write!(f, "a pawn cannot stand on {square}"),
            Self::TooManyPieces(color) => write!(f, "{color} has more pieces than a game can give"),
            Self::KingCanBeTaken(color) => write!(f, "{color} is in check but not to move"),
            Self::TooManyCheckers => f.write_str("more than two pieces give check"),
            Self::Castling(color, side) => {
                let side = match side {
                    CastlingSide::King => "king",
                    CastlingSide::Queen => "queen",
                };
                write!(f, "{color} cannot castle on the {side}'s side: king or rook is not at home")
            }
            Self::EnPassant(square) => write!(f, "no pawn can just have passed {square}"),
            Self::Halfmoves(count) => write!(f, "{count} plies without capture or pawn move are more than 150"),
        }
    }
}

impl Error for SetupError {}

/// Plies without a capture or pawn move after which the game is drawn.
pub(crate) const SEVENTY_FIVE_MOVES: u8 = 150;

impl Setup {
    /// An empty board with White to move.
    pub const EMPTY: Self = Self {
        board: [None; 64],
        turn: Color::White,
        castling: CastlingRights::NONE,
        en_passant: None,
        halfmoves: 0,
        fullmoves: 1,
    };

    /// Validates the set-up.
    pub fn position(&self) -> Result<Position, SetupError> {
        let mut sets = Sets::EMPTY;
        for (square, piece) in Square::all().zip(self.board) {
            if let Some(piece) = piece {
                sets.toggle(piece, Bitboard::of(square));
            }
        }
        let mut position = Position {
            board: Table(self.board),
            sets,
            turn: self.turn,
            castling: self.castling,
            en_passant: None,
            halfmoves: self.halfmoves,
            fullmoves: self.fullmoves.max(1),
        };
        check_pieces(&position)?;
        check_kings(&position)?;
        check_castling(&position)?;
        if self.halfmoves > SEVENTY_FIVE_MOVES {
            return Err(SetupError::Halfmoves(self.halfmoves));
        }
        if let Some(square) = self.en_passant {
            check_en_passant(&position, square)?;
            position.en_passant = position.en_passant_captures(square).any().then_some(square);
        }
        Ok(position)
    }
}

fn check_pieces(position: &Position) -> Result<(), SetupError> {
    for color in Color::ALL {
        match position.of(Piece::new(color, Role::King)).count() {
            0 => return Err(SetupError::NoKing(color)),
            1 => {}
            _ => return Err(SetupError::SeveralKings(color)),
        }
        let count = |role| position.of(Piece::new(color, role)).count();
        let bishops = position.of(Piece::new(color, Role::Bishop));
        let light_bishops = bishops.squares().filter(|square| square.is_light()).count() as u32;
        // Pieces beyond those of the start position are promoted pawns. A bishop stays on its colour of squares.
        let pawns_and_promoted = [
            count(Role::Pawn),
            count(Role::Knight).saturating_sub(2),
            light_bishops.saturating_sub(1),
            bishops.count().saturating_sub(light_bishops).saturating_sub(1),
            count(Role::Rook).saturating_sub(2),
            count(Role::Queen).saturating_sub(1),
        ];
        if pawns_and_promoted.into_iter().fold(0, u32::saturating_add) > 8 {
            return Err(SetupError::TooManyPieces(color));
        }
    }
    let back_ranks = Bitboard::rank(Rank::First) | Bitboard::rank(Rank::Eighth);
    match (position.of_role(Role::Pawn) & back_ranks).first() {
        Some(square) => Err(SetupError::PawnOnBackRank(square)),
        None => Ok(()),
    }
}

fn check_kings(position: &Position) -> Result<(), SetupError> {
    let us = position.turn;
    if (position.attackers(position.king(!us), position.occupied()) & position.of_color(us)).any() {
        return Err(SetupError::KingCanBeTaken(!us));
    }
    if position.checkers().count() > 2 { Err(SetupError::TooManyCheckers) } else { Ok(()) }
}

fn check_castling(position: &Position) -> Result<(), SetupError> {
    for (color, side) in WAYS {
        let way = Castling::of(color, side);
        let stands = |square, role| position.board[square] == Some(Piece::new(color, role));
        let at_home = stands(way.king_from, Role::King) && stands(way.rook_from, Role::Rook);
        if position.castling.has(color, side) && !at_home {
            return Err(SetupError::Castling(color, side));
        }
    }
    Ok(())
}

fn check_en_passant(position: &Position, square: Square) -> Result<(), SetupError> {
    let us = position.turn;
    let (rank, home) = match us {
        Color::White => (Rank::Sixth, 8),
        Color::Black => (Rank::Third, -8),
    };
    let passed = passed_pawn(us, square);
    let possible = square.rank() == rank
        && position.board[square].is_none()
        && position.board[square.offset(home)].is_none()
        && position.board[passed] == Some(Piece::new(!us, Role::Pawn));
    if possible { Ok(()) } else { Err(SetupError::EnPassant(square)) }
}

impl From<&Position> for Setup {
    fn from(position: &Position) -> Self {
        Self {
            board: *position.board(),
            turn: position.turn,
            castling: position.castling,
            en_passant: position.en_passant,
            halfmoves: position.halfmoves,
            fullmoves: position.fullmoves,
        }
    }
}
