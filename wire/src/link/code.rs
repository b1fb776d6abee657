//! The numbers that stand for sides, claims and verdicts.

use chess::{Color, DrawClaim};
use rules::{Verdict, Why};

use super::message::ReadError;

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

/// Every verdict by its number. The order is the format: new ones are only ever added at the end.
const VERDICTS: [Verdict; 20] = [
    won(Color::White, Why::Checkmate),
    won(Color::Black, Why::Checkmate),
    won(Color::White, Why::Resignation),
    won(Color::Black, Why::Resignation),
    won(Color::White, Why::Time),
    won(Color::Black, Why::Time),
    Verdict::Drawn(Why::Stalemate),
    Verdict::Drawn(Why::InsufficientMaterial),
    Verdict::Drawn(Why::FivefoldRepetition),
    Verdict::Drawn(Why::SeventyFiveMoves),
    Verdict::Drawn(Why::ThreefoldRepetition),
    Verdict::Drawn(Why::FiftyMoves),
    Verdict::Drawn(Why::Agreement),
    Verdict::Drawn(Why::TimeAgainstBareKing),
    won(Color::White, Why::Abandonment),
    won(Color::Black, Why::Abandonment),
    Verdict::Aborted,
    won(Color::White, Why::Rules),
    won(Color::Black, Why::Rules),
    Verdict::Drawn(Why::Rules),
];

/// Stands for a verdict that has no number of its own.
const RULES_DRAW: u8 = 19;

const fn won(winner: Color, why: Why) -> Verdict {
    Verdict::Won { winner, why }
}

pub(crate) fn of_verdict(verdict: Verdict) -> u8 {
    // To a board it makes no difference why a game has no result.
    let verdict = if verdict == Verdict::Abandoned { Verdict::Aborted } else { verdict };
    let found = VERDICTS.into_iter().position(|other| other == verdict);
    found.and_then(|index| u8::try_from(index).ok()).unwrap_or(RULES_DRAW)
}

pub(crate) fn to_verdict(code: u8) -> Result<Verdict, ReadError> {
    VERDICTS.get(usize::from(code)).copied().ok_or(ReadError::Verdict(code))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_convert_both_ways_and_unknown_ones_are_refused() {
        for code in 0..=u8::MAX {
            let back = [
                to_color(code).map(of_color),
                to_player(code).map(of_player),
                to_claim(code).map(of_claim),
                to_verdict(code).map(of_verdict),
            ];
            let named =
                [ReadError::Color(code), ReadError::Player(code), ReadError::Claim(code), ReadError::Verdict(code)];
            for ((back, error), count) in back.into_iter().zip(named).zip([2, 3, 2, 20]) {
                assert_eq!(back, if code < count { Ok(code) } else { Err(error) });
            }
        }
    }
}
