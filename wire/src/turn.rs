//! The turn of a told game as bytes: on the link before the plies of a snapshot, and in the journal.
//!
//! `docs/protocol.md` is the specification.

use core::error::Error;
use core::fmt;

use arrayvec::ArrayVec;
use chess::{Bitboard, Color};
use rules::told::{Last, MAX_CHANGES, MAX_MOVES, Pieces, Position};
use rules::{Footprint, Ply, Verdict, Why};

use crate::journal::piece_codes;

/// Number, flags and pieces.
const HEADER_LEN: usize = 3 + 32;
const FLAGS_AT: usize = 2;
/// The ply that led to the turn, and five sets of squares.
const LAST_LEN: usize = 2 + 5 * 8;

/// Black is to move.
const BLACK: u8 = 1;
/// The result, in two bits.
const RESULT_SHIFT: u32 = 1;
/// A ply led to the turn.
const HAS_LAST: u8 = 8;

/// No turn takes more bytes than this.
pub const MAX_TURN: usize = HEADER_LEN + LAST_LEN + 2 + 2 * MAX_MOVES + 2 + MAX_CHANGES;

const _: () = assert!(MAX_TURN == 1_041, "docs/protocol.md states the greatest length");

/// The bytes of a turn.
pub type TurnBytes = ArrayVec<u8, MAX_TURN>;

/// Encodes a turn.
#[must_use]
pub fn write_turn(turn: &Position) -> TurnBytes {
    let mut bytes = TurnBytes::new_const();
    // There is room for the largest turn.
    let mut push = |byte: u8| {
        let _ = bytes.try_push(byte);
    };
    turn.number().to_le_bytes().into_iter().for_each(&mut push);
    let side = if turn.to_move() == Color::Black { BLACK } else { 0 };
    let last = if turn.last().is_some() { HAS_LAST } else { 0 };
    push(side | last | result(turn.verdict()) << RESULT_SHIFT);
    let (pairs, _) = turn.pieces().as_chunks();
    for &[low, high] in pairs {
        push(piece_codes::number(low) | piece_codes::number(high) << 4);
    }
    if let Some(Last { footprint, white, black }) = turn.last() {
        footprint.ply.bits().to_le_bytes().into_iter().for_each(&mut push);
        for squares in [white, black, &footprint.lifts, &footprint.places, &footprint.captured] {
            squares.0.to_le_bytes().into_iter().for_each(&mut push);
        }
    }
    // Both lengths fit into 16 bits.
    (turn.told_plies().len() as u16).to_le_bytes().into_iter().for_each(&mut push);
    for ply in turn.told_plies() {
        ply.bits().to_le_bytes().into_iter().for_each(&mut push);
    }
    (turn.changes().len() as u16).to_le_bytes().into_iter().for_each(&mut push);
    turn.changes().iter().copied().for_each(&mut push);
    bytes
}

/// A told game ends by its rules.
const fn result(verdict: Option<Verdict>) -> u8 {
    match verdict {
        None => 0,
        Some(Verdict::Won { winner: Color::White, .. }) => 1,
        Some(Verdict::Won { winner: Color::Black, .. }) => 2,
        Some(_) => 3,
    }
}

/// Decodes a turn that arrives in parts.
#[derive(Clone, Debug, Default)]
pub struct TurnReader {
    bytes: TurnBytes,
}

impl TurnReader {
    /// Whether no byte was read.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Takes the next byte, and returns the turn if it was the last one.
    pub fn push(&mut self, byte: u8) -> Result<Option<Position>, TurnDecodeError> {
        self.bytes.try_push(byte).map_err(|_| TurnDecodeError::TooLong)?;
        match needed(&self.bytes)? {
            Some(needed) if needed == self.bytes.len() => read_turn(&self.bytes).map(Some),
            _ => Ok(None),
        }
    }
}

/// How many bytes a turn has that begins with these; nothing if they are too few to say.
fn needed(bytes: &[u8]) -> Result<Option<usize>, TurnDecodeError> {
    let Some(flags) = bytes.get(FLAGS_AT) else { return Ok(None) };
    let last = if flags & HAS_LAST == 0 { 0 } else { LAST_LEN };
    let plies_at = HEADER_LEN.saturating_add(last);
    let Some(plies) = length(bytes, plies_at) else { return Ok(None) };
    if plies > MAX_MOVES {
        return Err(TurnDecodeError::Plies(plies));
    }
    let changes_at = plies_at.saturating_add(2).saturating_add(plies.saturating_mul(2));
    let Some(changes) = length(bytes, changes_at) else { return Ok(None) };
    if changes > MAX_CHANGES {
        return Err(TurnDecodeError::Changes);
    }
    Ok(Some(changes_at.saturating_add(2).saturating_add(changes)))
}

fn length(bytes: &[u8], at: usize) -> Option<usize> {
    let pair = bytes.get(at..)?.first_chunk()?;
    Some(usize::from(u16::from_le_bytes(*pair)))
}

/// Takes bytes from the front.
struct Bytes<'a>(&'a [u8]);

impl Bytes<'_> {
    fn take<const N: usize>(&mut self) -> Result<[u8; N], TurnDecodeError> {
        let (first, rest) = self.0.split_first_chunk().ok_or(TurnDecodeError::TooShort)?;
        self.0 = rest;
        Ok(*first)
    }

    fn squares(&mut self) -> Result<Bitboard, TurnDecodeError> {
        self.take().map(u64::from_le_bytes).map(Bitboard)
    }
}

/// Decodes a whole turn. It must be encoded exactly as [`write_turn`] does.
fn read_turn(bytes: &[u8]) -> Result<Position, TurnDecodeError> {
    let mut rest = Bytes(bytes);
    let number = u16::from_le_bytes(rest.take()?);
    let [flags] = rest.take()?;
    let to_move = if flags & BLACK == 0 { Color::White } else { Color::Black };
    let mut pieces: Pieces = [None; 64];
    let numbers = rest.take::<32>()?.into_iter().flat_map(|byte| [byte & 15, byte >> 4]);
    for (slot, number) in pieces.iter_mut().zip(numbers) {
        *slot = piece_codes::piece(number);
        if slot.is_none() && number != 0 {
            return Err(TurnDecodeError::Piece(number));
        }
    }
    let mut turn = Position::new(number, to_move, &pieces);
    turn = match flags >> RESULT_SHIFT & 3 {
        1 => turn.ended(Verdict::Won { winner: Color::White, why: Why::Rules }),
        2 => turn.ended(Verdict::Won { winner: Color::Black, why: Why::Rules }),
        3 => turn.ended(Verdict::Drawn(Why::Rules)),
        _ => turn,
    };
    if flags & HAS_LAST != 0 {
        let ply = Ply::from_bits(u16::from_le_bytes(rest.take()?));
        let (white, black) = (rest.squares()?, rest.squares()?);
        let (lifts, places, captured) = (rest.squares()?, rest.squares()?, rest.squares()?);
        let after = (white | black).without(lifts | captured) | places;
        turn = turn.after_last(Last { footprint: Footprint { ply, lifts, places, captured, after }, white, black });
    }
    let count = u16::from_le_bytes(rest.take()?);
    for _ in 0..count {
        let ply = Ply::from_bits(u16::from_le_bytes(rest.take()?));
        turn.add(ply).map_err(|_| TurnDecodeError::Plies(count.into()))?;
    }
    let _length: [u8; 2] = rest.take()?;
    let turn = turn.with_changes(rest.0).ok_or(TurnDecodeError::Changes)?;
    if write_turn(&turn).as_slice() == bytes { Ok(turn) } else { Err(TurnDecodeError::NotUsual) }
}

/// Why bytes are not a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TurnDecodeError {
    /// The bytes end too early.
    TooShort,
    /// There are more than [`MAX_TURN`] bytes.
    TooLong,
    /// No piece has this number.
    Piece(u8),
    /// There are this many plies, which is too many.
    Plies(usize),
    /// The footprints are not valid.
    Changes,
    /// The same turn is written otherwise: a ply is there twice, or does not start at a piece of the side to move.
    NotUsual,
}

impl fmt::Display for TurnDecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooShort => f.write_str("the turn ends too early"),
            Self::TooLong => write!(f, "a turn has at most {MAX_TURN} bytes"),
            Self::Piece(number) => write!(f, "a piece is 0 to 12, not {number}"),
            Self::Plies(count) => write!(f, "a turn has at most {MAX_MOVES} plies, not {count}"),
            Self::Changes => f.write_str("the footprints of the turn are not valid"),
            Self::NotUsual => {
                f.write_str("a ply of the turn is there twice, or starts at no piece of the side to move")
            }
        }
    }
}

impl Error for TurnDecodeError {}

#[cfg(test)]
mod tests {
    use chess::{Piece, Square};

    use super::*;

    fn read(bytes: &[u8]) -> Result<Option<Position>, TurnDecodeError> {
        let mut reader = TurnReader::default();
        for (at, &byte) in bytes.iter().enumerate() {
            if let Some(turn) = reader.push(byte)? {
                assert_eq!(at + 1, bytes.len(), "it ends before the bytes do");
                return Ok(Some(turn));
            }
        }
        Ok(None)
    }

    /// White may castle; a ply of Black led to it.
    fn castling() -> Position {
        let mut pieces = [None; 64];
        for (square, piece) in [(4, Piece::WhiteKing), (7, Piece::WhiteRook), (60, Piece::BlackKing)] {
            pieces[square] = Some(piece);
        }
        let before = {
            let mut pieces = pieces;
            pieces.swap(60, 61);
            Position::new(5, Color::Black, &pieces)
        };
        let ply = Ply::new(Square::E1, Square::G1);
        let mut turn = Position::new(6, Color::White, &pieces).reached(&before, Ply::new(Square::F8, Square::E8));
        turn.add(ply).expect("there is room");
        turn.add(Ply::new(Square::E1, Square::E2)).expect("there is room");
        let occupied = Bitboard::of(Square::E1) | Square::H1.into() | Square::E8.into();
        let footprint = Footprint::of_several(ply, occupied, Square::H1.into(), Square::F1.into(), Bitboard::EMPTY);
        turn.add_footprint(&footprint).expect("there is room");
        turn
    }

    #[test]
    fn a_turn_is_read_as_it_is_written() {
        let drawn = Position::new(200, Color::White, &[None; 64]).ended(Verdict::Drawn(Why::Rules));
        for turn in [castling(), drawn, Position::new(0, Color::White, &[Some(Piece::WhiteRook); 64])] {
            let bytes = write_turn(&turn);
            assert_eq!(read(&bytes), Ok(Some(turn)));
            for len in 0..bytes.len() {
                assert_eq!(read(&bytes[..len]), Ok(None), "{len} bytes");
            }
        }
    }

    #[test]
    fn the_largest_turn_fits() {
        let mut turn = Position::new(1, Color::White, &[Some(Piece::WhiteQueen); 64]);
        for from in Square::all() {
            for to in Square::all() {
                let _ = turn.add(Ply::new(from, to));
            }
        }
        for ply in turn.told_plies().to_vec() {
            let _ = turn.add_footprint(&Footprint {
                ply,
                lifts: Bitboard::ALL,
                places: Bitboard::ALL,
                captured: Bitboard::EMPTY,
                after: Bitboard::ALL,
            });
        }
        let bytes = write_turn(&turn);
        assert!(bytes.len() > 900, "{}", bytes.len());
        assert_eq!(read(&bytes), Ok(Some(turn)));
    }

    #[test]
    fn an_error_names_what_is_wrong() {
        let bytes = write_turn(&castling());
        let changed = |at: usize, byte: u8| {
            let mut bytes = bytes.clone();
            bytes[at] = byte;
            read(&bytes)
        };
        assert_eq!(changed(3, 13), Err(TurnDecodeError::Piece(13)));
        let plies_at = HEADER_LEN + LAST_LEN;
        assert_eq!(changed(plies_at + 1, 2), Err(TurnDecodeError::Plies(514)));
        // A ply from an empty square.
        assert_eq!(changed(plies_at + 2, 0), Err(TurnDecodeError::NotUsual));
        // A footprint of a ply that does not exist.
        assert_eq!(changed(plies_at + 8, 9), Err(TurnDecodeError::Changes));
    }
}
