//! The numbers that stand for moves, sides and endings.

use chess::{Color, DrawClaim, DrawReason, Move, Outcome, Square, WinReason};

use super::message::ReadError;
use crate::layout;

/// Bits 0 to 5 are the square that a move leaves, 6 to 11 the one that it enters, from 12 on the tag of its promotion.
pub(crate) fn of_move(mv: Move) -> u16 {
    let tag = mv.promotion().map_or(0, layout::promotion_tag);
    u16::from(mv.from().index()) | u16::from(mv.to().index()) << 6 | u16::from(tag) << 12
}

pub(crate) fn to_move(code: u16) -> Result<Move, ReadError> {
    let mv = Move::new(Square::from_index((code & 63) as u8), Square::from_index((code >> 6 & 63) as u8));
    match (code >> 12) as u8 {
        0 => Ok(mv),
        tag => {
            let promotion = layout::promotion_of_tag(tag).ok_or(ReadError::Move(code))?;
            Ok(mv.promoting(Some(promotion)))
        }
    }
}

pub(crate) const fn of_color(color: Color) -> u8 {
    match color {
        Color::White => 0,
        Color::Black => 1,
    }
}

pub(crate) const fn to_color(code: u8) -> Result<Color, ReadError> {
    match code {
        0 => Ok(Color::White),
        1 => Ok(Color::Black),
        _ => Err(ReadError::Color(code)),
    }
}

pub(crate) const fn of_player(player: Option<Color>) -> u8 {
    match player {
        Some(color) => of_color(color),
        None => 2,
    }
}

pub(crate) const fn to_player(code: u8) -> Result<Option<Color>, ReadError> {
    match code {
        0 => Ok(Some(Color::White)),
        1 => Ok(Some(Color::Black)),
        2 => Ok(None),
        _ => Err(ReadError::Player(code)),
    }
}

pub(crate) const fn of_claim(claim: DrawClaim) -> u8 {
    match claim {
        DrawClaim::ThreefoldRepetition => 0,
        DrawClaim::FiftyMoves => 1,
    }
}

pub(crate) const fn to_claim(code: u8) -> Result<DrawClaim, ReadError> {
    match code {
        0 => Ok(DrawClaim::ThreefoldRepetition),
        1 => Ok(DrawClaim::FiftyMoves),
        _ => Err(ReadError::Claim(code)),
    }
}

pub(crate) const fn of_outcome(outcome: Outcome) -> u8 {
    match outcome {
        Outcome::Win { winner: Color::White, by: WinReason::Checkmate } => 0,
        Outcome::Win { winner: Color::Black, by: WinReason::Checkmate } => 1,
        Outcome::Win { winner: Color::White, by: WinReason::Resignation } => 2,
        Outcome::Win { winner: Color::Black, by: WinReason::Resignation } => 3,
        Outcome::Win { winner: Color::White, by: WinReason::Time } => 4,
        Outcome::Win { winner: Color::Black, by: WinReason::Time } => 5,
        Outcome::Draw(DrawReason::Stalemate) => 6,
        Outcome::Draw(DrawReason::InsufficientMaterial) => 7,
        Outcome::Draw(DrawReason::FivefoldRepetition) => 8,
        Outcome::Draw(DrawReason::SeventyFiveMoves) => 9,
        Outcome::Draw(DrawReason::ThreefoldRepetition) => 10,
        Outcome::Draw(DrawReason::FiftyMoves) => 11,
        Outcome::Draw(DrawReason::Agreement) => 12,
        Outcome::Draw(DrawReason::TimeAgainstBareKing) => 13,
    }
}

pub(crate) const fn to_outcome(code: u8) -> Result<Outcome, ReadError> {
    let (winner, by) = match code {
        0 => (Color::White, WinReason::Checkmate),
        1 => (Color::Black, WinReason::Checkmate),
        2 => (Color::White, WinReason::Resignation),
        3 => (Color::Black, WinReason::Resignation),
        4 => (Color::White, WinReason::Time),
        5 => (Color::Black, WinReason::Time),
        6 => return Ok(Outcome::Draw(DrawReason::Stalemate)),
        7 => return Ok(Outcome::Draw(DrawReason::InsufficientMaterial)),
        8 => return Ok(Outcome::Draw(DrawReason::FivefoldRepetition)),
        9 => return Ok(Outcome::Draw(DrawReason::SeventyFiveMoves)),
        10 => return Ok(Outcome::Draw(DrawReason::ThreefoldRepetition)),
        11 => return Ok(Outcome::Draw(DrawReason::FiftyMoves)),
        12 => return Ok(Outcome::Draw(DrawReason::Agreement)),
        13 => return Ok(Outcome::Draw(DrawReason::TimeAgainstBareKing)),
        _ => return Err(ReadError::Outcome(code)),
    };
    Ok(Outcome::Win { winner, by })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_stands_for_one_thing_or_for_none() {
        for code in 0..=u16::MAX {
            match to_move(code) {
                Ok(mv) => assert_eq!(of_move(mv), code),
                Err(error) => assert_eq!((error, code >= 0x5000), (ReadError::Move(code), true)),
            }
        }
        for code in 0..=u8::MAX {
            let back = [
                to_color(code).map(of_color),
                to_player(code).map(of_player),
                to_claim(code).map(of_claim),
                to_outcome(code).map(of_outcome),
            ];
            let named =
                [ReadError::Color(code), ReadError::Player(code), ReadError::Claim(code), ReadError::Outcome(code)];
            for ((back, error), count) in back.into_iter().zip(named).zip([2, 3, 2, 14]) {
                assert_eq!(back, if code < count { Ok(code) } else { Err(error) });
            }
        }
    }
}
