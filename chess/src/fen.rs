use core::error::Error;
use core::fmt;
use core::str::FromStr;

use crate::castling::{CastlingRights, CastlingSide};
use crate::color::Color;
use crate::piece::Piece;
use crate::position::Position;
use crate::setup::{Setup, SetupError};
use crate::square::{File, Rank, Square};
use crate::text::{Chars, Unexpected, chars};

/// One of the six fields of a FEN.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the fields are named as the FEN standard names them")]
pub enum FenField {
    Board,
    Turn,
    Castling,
    EnPassant,
    Halfmoves,
    Fullmoves,
}

impl fmt::Display for FenField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Board => "board",
            Self::Turn => "turn",
            Self::Castling => "castling",
            Self::EnPassant => "en passant",
            Self::Halfmoves => "halfmove",
            Self::Fullmoves => "fullmove",
        })
    }
}

/// Why a text is not the FEN of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FenError {
    /// A character is not valid at its position.
    Unexpected(FenField, Unexpected),
    /// The notation is valid, but the position is not.
    Setup(SetupError),
}

impl fmt::Display for FenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unexpected(field, unexpected) => write!(f, "{unexpected}, in the {field} field"),
            Self::Setup(error) => error.fmt(f),
        }
    }
}

impl Error for FenError {}

/// Reads all six fields, or only the first four, with the counters at their start values.
impl FromStr for Position {
    type Err = FenError;

    fn from_str(text: &str) -> Result<Self, FenError> {
        let setup: Setup = text.parse()?;
        setup.position().map_err(FenError::Setup)
    }
}

impl FromStr for Setup {
    type Err = FenError;

    fn from_str(text: &str) -> Result<Self, FenError> {
        let mut text = chars(text);
        let mut setup = Self::EMPTY;
        let text = &mut text;
        setup.board = field(FenField::Board, text, read_board)?;
        gap(FenField::Board, FenField::Turn, text)?;
        setup.turn = field(FenField::Turn, text, read_turn)?;
        gap(FenField::Turn, FenField::Castling, text)?;
        setup.castling = field(FenField::Castling, text, read_castling)?;
        gap(FenField::Castling, FenField::EnPassant, text)?;
        setup.en_passant = field(FenField::EnPassant, text, read_en_passant)?;
        if text.peek().is_some() {
            gap(FenField::EnPassant, FenField::Halfmoves, text)?;
            setup.halfmoves = field(FenField::Halfmoves, text, read_number)?;
            gap(FenField::Halfmoves, FenField::Fullmoves, text)?;
            setup.fullmoves = field(FenField::Fullmoves, text, read_number)?;
            field(FenField::Fullmoves, text, |text| text.end())?;
        }
        Ok(setup)
    }
}

fn field<'a, T>(
    field: FenField,
    text: &mut Chars<'a>,
    read: impl FnOnce(&mut Chars<'a>) -> Result<T, Unexpected>,
) -> Result<T, FenError> {
    read(text).map_err(|unexpected| FenError::Unexpected(field, unexpected))
}

/// Skips one or more spaces. The error names the field before for another character, and the field after at the end of the
/// text.
fn gap(before: FenField, after: FenField, text: &mut Chars<'_>) -> Result<(), FenError> {
    let error_field = if text.peek().is_none() { after } else { before };
    field(error_field, text, |text| text.take(|c| (c == ' ').then_some(())))?;
    while text.take_if(' ') {}
    Ok(())
}

fn read_board(text: &mut Chars<'_>) -> Result<[Option<Piece>; 64], Unexpected> {
    let mut board = [None; 64];
    for (index, rank) in board.chunks_exact_mut(8).rev().enumerate() {
        if index > 0 {
            text.take(|c| (c == '/').then_some(()))?;
        }
        let mut squares = rank.iter_mut();
        while squares.len() > 0 {
            let room = squares.len();
            // A digit is an error if it exceeds the remaining squares of the rank.
            let skipped = text.take(|c| match c.to_digit(10) {
                Some(count) => ((1..=8).contains(&count) && count as usize <= room).then_some(Err(count)),
                None => Piece::from_letter(c).map(Ok),
            })?;
            match skipped {
                Ok(piece) => {
                    if let Some(square) = squares.next() {
                        *square = Some(piece);
                    }
                }
                Err(count) => squares.by_ref().take(count as usize).for_each(drop),
            }
        }
    }
    Ok(board)
}

fn read_turn(text: &mut Chars<'_>) -> Result<Color, Unexpected> {
    text.take(|c| Color::ALL.into_iter().find(|color| color.letter() == c))
}

fn read_castling(text: &mut Chars<'_>) -> Result<CastlingRights, Unexpected> {
    let mut rights = CastlingRights::NONE;
    if text.take_if('-') {
        return Ok(rights);
    }
    loop {
        // A repeated letter is an error.
        let right = text.take(|c| {
            let right = match c {
                'K' => CastlingRights::of(Color::White, CastlingSide::King),
                'Q' => CastlingRights::of(Color::White, CastlingSide::Queen),
                'k' => CastlingRights::of(Color::Black, CastlingSide::King),
                'q' => CastlingRights::of(Color::Black, CastlingSide::Queen),
                _ => return None,
            };
            (rights.with(right) != rights).then_some(right)
        })?;
        rights = rights.with(right);
        if matches!(text.peek(), None | Some(' ')) {
            return Ok(rights);
        }
    }
}

fn read_en_passant(text: &mut Chars<'_>) -> Result<Option<Square>, Unexpected> {
    if text.take_if('-') { Ok(None) } else { text.square().map(Some) }
}

/// Reads decimal digits. The digit that exceeds the range of the type is an error.
fn read_number<T: TryFrom<u32>>(text: &mut Chars<'_>) -> Result<T, Unexpected> {
    let mut number = 0_u32;
    loop {
        let unexpected = text.unexpected();
        let digit = text.take(|c| c.to_digit(10))?;
        number = number.saturating_mul(10).saturating_add(digit);
        let value = T::try_from(number).map_err(|_| unexpected)?;
        if !text.peek().is_some_and(|c| c.is_ascii_digit()) {
            return Ok(value);
        }
    }
}

/// Displays a position as FEN. The en passant square is written only if a legal move captures on it.
#[derive(Clone, Copy, Debug)]
pub struct Fen<'a>(&'a Position);

impl Position {
    /// The position as FEN, for display.
    #[must_use]
    pub const fn fen(&self) -> Fen<'_> {
        Fen(self)
    }
}

impl fmt::Display for Fen<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let position = self.0;
        for rank in Rank::ALL.into_iter().rev() {
            let mut empty = 0_u8;
            for file in File::ALL {
                match position.piece_at(Square::new(file, rank)) {
                    None => empty = empty.wrapping_add(1),
                    Some(piece) => {
                        if empty > 0 {
                            write!(f, "{empty}")?;
                            empty = 0;
                        }
                        write!(f, "{piece}")?;
                    }
                }
            }
            if empty > 0 {
                write!(f, "{empty}")?;
            }
            if rank != Rank::First {
                f.write_str("/")?;
            }
        }
        write!(f, " {} {} ", position.turn().letter(), position.castling())?;
        match position.en_passant() {
            Some(square) => write!(f, "{square}")?,
            None => f.write_str("-")?,
        }
        write!(f, " {} {}", position.halfmoves(), position.fullmoves())
    }
}

#[cfg(test)]
mod tests {
    use std::string::ToString;

    use super::*;

    fn error(fen: &str) -> FenError {
        fen.parse::<Position>().expect_err(fen)
    }

    fn unexpected(field: FenField, at: usize, found: Option<char>) -> FenError {
        FenError::Unexpected(field, Unexpected { at, found })
    }

    #[test]
    fn the_start_position_round_trips() {
        let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        assert_eq!(Position::start().fen().to_string(), fen);
        assert_eq!(fen.parse(), Ok(Position::start()));
        assert_eq!("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -".parse(), Ok(Position::start()));
    }

    #[test]
    fn an_error_names_the_character() {
        use FenField::*;
        assert_eq!(error(""), unexpected(Board, 0, None));
        assert_eq!(error("rnbqkbnr/ppppxppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"), unexpected(Board, 13, Some('x')));
        assert_eq!(error("9/8/8/8/8/8/8/8 w - - 0 1"), unexpected(Board, 0, Some('9')));
        assert_eq!(error("k71/8/8/8/8/8/8/K7 w - - 0 1"), unexpected(Board, 2, Some('1')));
        assert_eq!(error("k6/8/8/8/8/8/8/K7 w - - 0 1"), unexpected(Board, 2, Some('/')));
        assert_eq!(error("k7/8/8/8/8/8/8/K7"), unexpected(Turn, 17, None));
        assert_eq!(error("k7/8/8/8/8/8/8/K7 x - - 0 1"), unexpected(Turn, 18, Some('x')));
        assert_eq!(error("k7/8/8/8/8/8/8/K7 w KK - 0 1"), unexpected(Castling, 21, Some('K')));
        assert_eq!(error("k7/8/8/8/8/8/8/K7 w - e9 0 1"), unexpected(EnPassant, 23, Some('9')));
        assert_eq!(error("k7/8/8/8/8/8/8/K7 w - - 300 1"), unexpected(Halfmoves, 26, Some('0')));
        assert_eq!(error("k7/8/8/8/8/8/8/K7 w - - 0x 1"), unexpected(Halfmoves, 25, Some('x')));
        assert_eq!(error("k7/8/8/8/8/8/8/K7 w - - 0 x"), unexpected(Fullmoves, 26, Some('x')));
        assert_eq!(error("k7/8/8/8/8/8/8/K7 w - - 0 1é"), unexpected(Fullmoves, 27, Some('é')));
        assert_eq!(
            error("k7/8/8/8/8/8/8/K7 w - - 0 1é").to_string(),
            "unexpected U+00E9 at character 28, in the fullmove field"
        );
    }

    #[test]
    fn rejects_impossible_positions() {
        use SetupError::*;
        for (fen, reason) in [
            ("8/8/8/8/8/8/8/K7 w - - 0 1", NoKing(Color::Black)),
            ("kk6/8/8/8/8/8/8/K7 w - - 0 1", SeveralKings(Color::Black)),
            ("k7/8/8/8/8/8/8/KP6 w - - 0 1", PawnOnBackRank(Square::B1)),
            ("k7/8/8/8/8/8/PPPPPPPP/K1PPPPPP w - - 0 1", TooManyPieces(Color::White)),
            ("k7/8/8/8/8/B1B5/PPPPPPPP/K7 w - - 0 1", TooManyPieces(Color::White)),
            ("k7/8/8/8/8/8/8/K6r b - - 0 1", KingCanBeTaken(Color::White)),
            ("k6R/8/8/8/8/8/8/K7 w - - 0 1", KingCanBeTaken(Color::Black)),
            ("8/8/8/2n1n3/8/3K4/8/k1n5 w - - 0 1", TooManyCheckers),
            ("k7/8/8/8/8/8/8/4K3 w K - 0 1", Castling(Color::White, CastlingSide::King)),
            ("k7/8/8/8/8/8/8/K7 w - e6 0 1", EnPassant(Square::E6)),
            ("k7/8/8/8/8/8/8/K7 w - - 151 1", Halfmoves(151)),
        ] {
            assert_eq!(error(fen), FenError::Setup(reason), "{fen}");
        }
    }
}
