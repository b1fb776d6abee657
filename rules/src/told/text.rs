//! A turn as text: its number, the side to move, the result, the pieces, the ply that led to it, the plies, and the changes in hexadecimal. A field
//! without content is a hyphen.

use core::error::Error;
use core::fmt;
use core::str::FromStr;

use chess::{Bitboard, Color, Piece};

use super::position::{Last, MAX_CHANGES, Position};
use crate::footprint::Footprint;
use crate::ply::Ply;
use crate::verdict::{Verdict, Why};

/// Why a text is not a turn: this field of it is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PositionReadError(&'static str);

impl fmt::Display for PositionReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the {} of the turn cannot be read", self.0)
    }
}

impl Error for PositionReadError {}

const NOTHING: &str = "-";

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let side = if self.to_move() == Color::White { 'w' } else { 'b' };
        write!(f, "{} {side} {} ", self.number(), self.verdict().map_or("*", Verdict::result))?;
        for piece in self.pieces() {
            write!(f, "{}", piece.map_or('.', Piece::letter))?;
        }
        match self.last() {
            None => write!(f, " {NOTHING} ")?,
            Some(Last { footprint, white, black }) => {
                let Footprint { ply, lifts, places, captured, after } = footprint;
                write!(f, " {ply}")?;
                for squares in [white, black, lifts, places, captured, after] {
                    write!(f, ",{:x}", squares.0)?;
                }
                write!(f, " ")?;
            }
        }
        write_list(f, self.told_plies(), |f, ply| write!(f, "{ply}"), ",")?;
        write!(f, " ")?;
        write_list(f, self.changes(), |f, byte| write!(f, "{byte:02x}"), "")
    }
}

fn write_list<T>(
    f: &mut fmt::Formatter<'_>,
    list: &[T],
    write_one: impl Fn(&mut fmt::Formatter<'_>, &T) -> fmt::Result,
    between: &str,
) -> fmt::Result {
    if list.is_empty() {
        return f.write_str(NOTHING);
    }
    for (index, item) in list.iter().enumerate() {
        if index > 0 {
            f.write_str(between)?;
        }
        write_one(f, item)?;
    }
    Ok(())
}

impl FromStr for Position {
    type Err = PositionReadError;

    fn from_str(text: &str) -> Result<Self, PositionReadError> {
        // Searching for one fixed character would go through code that can panic.
        let mut fields = text.split(is_space);
        let mut field = |name| fields.next().ok_or(PositionReadError(name));
        let number = field("number")?.parse().map_err(|_| PositionReadError("number"))?;
        let to_move = match field("side to move")? {
            "w" => Color::White,
            "b" => Color::Black,
            _ => return Err(PositionReadError("side to move")),
        };
        let verdict = match field("result")? {
            "*" => None,
            "1-0" => Some(Verdict::Won { winner: Color::White, why: Why::Rules }),
            "0-1" => Some(Verdict::Won { winner: Color::Black, why: Why::Rules }),
            "1/2-1/2" => Some(Verdict::Drawn(Why::Rules)),
            _ => return Err(PositionReadError("result")),
        };
        let mut pieces = [None; 64];
        let mut letters = field("placement")?.chars();
        for slot in &mut pieces {
            let letter = letters.next().ok_or(PositionReadError("placement"))?;
            *slot = Piece::from_letter(letter);
            if slot.is_none() && letter != '.' {
                return Err(PositionReadError("placement"));
            }
        }
        if letters.next().is_some() {
            return Err(PositionReadError("placement"));
        }
        let last = Some(field("last ply")?).filter(|&text| text != NOTHING);
        let last = last.map(|text| read_last(text).ok_or(PositionReadError("last ply"))).transpose()?;
        let mut position = Self::new(number, to_move, &pieces);
        if let Some(verdict) = verdict {
            position = position.ended(verdict);
        }
        if let Some(last) = last {
            position = position.after_last(last);
        }
        let plies = field("plies")?;
        for ply in plies.split(is_comma).filter(|_| plies != NOTHING) {
            let ply = ply.parse().map_err(|_| PositionReadError("plies"))?;
            position.add(ply).map_err(|_| PositionReadError("plies"))?;
        }
        let changes = field("changes")?;
        let mut bytes = [0; MAX_CHANGES];
        let len = read_bytes(if changes == NOTHING { "" } else { changes }, &mut bytes);
        let bytes = len.and_then(|len| bytes.get(..len)).ok_or(PositionReadError("changes"))?;
        position.with_changes(bytes).ok_or(PositionReadError("changes"))
    }
}

fn is_space(character: char) -> bool {
    character == ' '
}

fn is_comma(character: char) -> bool {
    character == ','
}

/// The last ply; nothing if the text is wrong.
fn read_last(text: &str) -> Option<Last> {
    let mut parts = text.split(is_comma);
    let ply: Ply = parts.next()?.parse().ok()?;
    let mut squares = || u64::from_str_radix(parts.next()?, 16).ok().map(Bitboard);
    let (white, black) = (squares()?, squares()?);
    let footprint = Footprint { ply, lifts: squares()?, places: squares()?, captured: squares()?, after: squares()? };
    Some(Last { footprint, white, black })
}

fn read_bytes(text: &str, bytes: &mut [u8]) -> Option<usize> {
    let mut len = 0_usize;
    for (slot, digits) in bytes.iter_mut().zip(text.as_bytes().chunks(2)) {
        *slot = u8::from_str_radix(str::from_utf8(digits).ok()?, 16).ok()?;
        len = len.saturating_add(1);
    }
    (len.saturating_mul(2) == text.len()).then_some(len)
}

#[cfg(test)]
mod tests {
    extern crate std;

    use std::string::ToString;

    use chess::Square;

    use super::*;

    #[test]
    fn is_read_as_it_is_written() {
        let mut pieces = [None; 64];
        pieces[4] = Some(Piece::WhiteKing);
        pieces[7] = Some(Piece::WhiteRook);
        let mut first = Position::new(6, Color::White, &pieces);
        let castling = Ply::new(Square::E1, Square::G1);
        first.add(castling).unwrap();
        first.add(Ply::new(Square::E1, Square::E2)).unwrap();
        let footprint =
            Footprint::of_several(castling, first.occupied(), Square::H1.into(), Square::F1.into(), Bitboard::EMPTY);
        first.add_footprint(&footprint).unwrap();
        let awaited = first.after(castling).unwrap();
        for position in [first, awaited, awaited.ended(Verdict::Drawn(Why::Rules))] {
            let text = position.to_string();
            assert_eq!(text.parse(), Ok(position), "{text}");
            for wrong in [text.split_at(20).0, &text.replace('K', "x"), &text.replace(" w ", " x ")] {
                assert!(wrong.parse::<Position>().is_err() || wrong == text, "{wrong}");
            }
        }
    }
}
