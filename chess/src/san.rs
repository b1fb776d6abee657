use core::error::Error;
use core::fmt::{self, Write};

use crate::bitboard::Bitboard;
use crate::moves::Move;
use crate::piece::{Promotion, Role};
use crate::position::{IllegalMove, Position};
use crate::square::{File, Rank, Square};
use crate::text::{Unexpected, chars};

/// A move in short algebraic notation, such as `Nbd7`, `exd8=Q+` or `O-O-O#`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct San {
    what: What,
    suffix: Suffix,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum What {
    CastlesKingSide,
    CastlesQueenSide,
    Moves {
        role: Role,
        file: Option<File>,
        rank: Option<Rank>,
        captures: bool,
        to: Square,
        promotion: Option<Promotion>,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Suffix {
    None,
    Check,
    Checkmate,
}

/// Why a text is not a move in this position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SanError {
    /// A character is not valid at its position.
    Unexpected(Unexpected),
    /// The notation is valid, but no legal move matches it.
    NoSuchMove,
    /// Several legal moves match; two of them.
    Ambiguous(Move, Move),
}

impl fmt::Display for SanError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unexpected(unexpected) => unexpected.fmt(f),
            Self::NoSuchMove => f.write_str("no legal move matches"),
            Self::Ambiguous(one, other) => write!(f, "ambiguous: {one} or {other}"),
        }
    }
}

impl Error for SanError {}

impl Position {
    /// A legal move in short algebraic notation.
    pub fn san(&self, mv: Move) -> Result<San, IllegalMove> {
        let legal = self.legal_moves();
        let role = match self.piece_at(mv.from()) {
            Some(piece) if legal.contains(&mv) => piece.role(),
            _ => return Err(IllegalMove(mv)),
        };
        let what = if self.castling_rook(mv).is_some() {
            if mv.to() > mv.from() { What::CastlesKingSide } else { What::CastlesQueenSide }
        } else {
            let captures = self.is_capture(mv);
            let (file, rank) = match role {
                // A capturing pawn is identified by its file.
                Role::Pawn => (captures.then_some(mv.from().file()), None),
                _ => self.disambiguation(mv, role, &legal),
            };
            What::Moves { role, file, rank, captures, to: mv.to(), promotion: mv.promotion() }
        };
        let next = self.after(mv);
        let suffix = match (next.is_check(), next.has_legal_move()) {
            (false, _) => Suffix::None,
            (true, true) => Suffix::Check,
            (true, false) => Suffix::Checkmate,
        };
        Ok(San { what, suffix })
    }

    /// The file, the rank, or both, if they are needed to distinguish this move from those of other pieces of the same role.
    fn disambiguation(&self, mv: Move, role: Role, legal: &[Move]) -> (Option<File>, Option<Rank>) {
        let from = mv.from();
        let same_role = self.of_role(role);
        let rivals: Bitboard = legal
            .iter()
            .filter(|other| other.to() == mv.to() && other.from() != from && same_role.has(other.from()))
            .map(|other| other.from())
            .collect();
        if rivals.is_empty() {
            (None, None)
        } else if (rivals & Bitboard::file(from.file())).is_empty() {
            (Some(from.file()), None)
        } else if (rivals & Bitboard::rank(from.rank())).is_empty() {
            (None, Some(from.rank()))
        } else {
            (Some(from.file()), Some(from.rank()))
        }
    }

    /// Reads a move in short algebraic notation.
    ///
    /// The parser is lenient: `0-0` is castling, too; `x`, `=`, `+` and annotations such as `!?` are optional, and the start
    /// square may be given in full (`Ng1f3`, `e2-e4`). Exactly one legal move must match.
    pub fn parse_san(&self, text: &str) -> Result<Move, SanError> {
        let what = parse(text).map_err(SanError::Unexpected)?;
        let legal = self.legal_moves();
        let mut fitting = legal.iter().copied().filter(|&mv| self.fits(mv, what));
        match (fitting.next(), fitting.next()) {
            (None, _) => Err(SanError::NoSuchMove),
            (Some(mv), None) => Ok(mv),
            (Some(one), Some(other)) => Err(SanError::Ambiguous(one, other)),
        }
    }

    fn fits(&self, mv: Move, what: What) -> bool {
        let castles = self.castling_rook(mv).is_some();
        match what {
            What::CastlesKingSide => castles && mv.to() > mv.from(),
            What::CastlesQueenSide => castles && mv.to() < mv.from(),
            What::Moves { role, file, rank, captures, to, promotion } => {
                !castles
                    && self.of_role(role).has(mv.from())
                    && mv.to() == to
                    && mv.promotion() == promotion
                    && file.is_none_or(|file| file == mv.from().file())
                    && rank.is_none_or(|rank| rank == mv.from().rank())
                    && (!captures || self.is_capture(mv))
            }
        }
    }
}

fn parse(text: &str) -> Result<What, Unexpected> {
    let mut chars = chars(text);
    let what = if let Some(letter @ ('O' | '0')) = chars.peek() {
        let wing = |c| (c == letter).then_some(());
        let dash = |c| (c == '-').then_some(());
        chars.skip();
        chars.take(dash)?;
        chars.take(wing)?;
        if chars.take_if('-') {
            chars.take(wing)?;
            What::CastlesQueenSide
        } else {
            What::CastlesKingSide
        }
    } else {
        let role = chars.take(Role::from_letter).unwrap_or(Role::Pawn);
        // The first square is the start square, or the target square if no other square follows.
        let mut file = chars.take(File::from_letter).ok();
        let mut rank = chars.take(Rank::from_letter).ok();
        let captures = chars.take_if('x') || chars.take_if(':');
        let dash = !captures && chars.take_if('-');
        let to = match (file, rank, chars.peek().and_then(File::from_letter)) {
            (_, _, Some(_)) => chars.square()?,
            (Some(to_file), Some(to_rank), None) if !captures && !dash => {
                (file, rank) = (None, None);
                Square::new(to_file, to_rank)
            }
            _ => return Err(chars.unexpected()),
        };
        let equals = chars.take_if('=');
        let promotion = match chars.take(|c| Role::from_letter(c).and_then(Promotion::to)) {
            Ok(promotion) => Some(promotion),
            Err(unexpected) if equals => return Err(unexpected),
            Err(_) => None,
        };
        What::Moves { role, file, rank, captures, to, promotion }
    };
    if !chars.take_if('#') && chars.take_if('+') {
        // Some programs write "++" for mate or double check.
        chars.take_if('+');
    }
    while chars.take_if('!') || chars.take_if('?') {}
    chars.end()?;
    Ok(what)
}

impl fmt::Display for San {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.what {
            What::CastlesKingSide => f.write_str("O-O")?,
            What::CastlesQueenSide => f.write_str("O-O-O")?,
            What::Moves { role, file, rank, captures, to, promotion } => {
                if role != Role::Pawn {
                    f.write_char(role.letter())?;
                }
                if let Some(file) = file {
                    f.write_char(file.letter())?;
                }
                if let Some(rank) = rank {
                    f.write_char(rank.letter())?;
                }
                if captures {
                    f.write_char('x')?;
                }
                write!(f, "{to}")?;
                if let Some(promotion) = promotion {
                    write!(f, "={}", promotion.role().letter())?;
                }
            }
        }
        f.write_str(match self.suffix {
            Suffix::None => "",
            Suffix::Check => "+",
            Suffix::Checkmate => "#",
        })
    }
}
