use core::iter::FusedIterator;

use chess::{Move, Promotion, Square};

use super::decode_error::DecodeErrorKind;

/// Flag in the byte of the target square: a promotion tag follows.
const TAGGED: u8 = 0x80;

/// Length of the longest move in bytes.
pub(super) const MAX_MOVE: usize = 3;

pub(crate) const fn tag(promotion: Promotion) -> u8 {
    match promotion {
        Promotion::Queen => 1,
        Promotion::Knight => 2,
        Promotion::Bishop => 3,
        Promotion::Rook => 4,
    }
}

pub(crate) fn promotion(byte: u8) -> Option<Promotion> {
    Promotion::ALL.into_iter().find(|&promotion| tag(promotion) == byte)
}

/// The two or three bytes of a move.
pub(super) fn bytes(mv: Move) -> impl Iterator<Item = u8> + Clone {
    let tag = mv.promotion().map(tag);
    let flag = if tag.is_some() { TAGGED } else { 0 };
    [Some(mv.from().index()), Some(mv.to().index() | flag), tag].into_iter().flatten()
}

/// Reads the first move of these bytes and returns it with the rest; or the offset and the kind of the error.
///
/// The encoding is unique: every move has one byte sequence, and every valid byte sequence is one move.
pub(super) fn read(bytes: &[u8]) -> Result<(Move, &[u8]), (usize, DecodeErrorKind)> {
    let square = |at, byte| Square::try_from_index(byte).ok_or((at, DecodeErrorKind::Square(byte)));
    let (&start, rest) = bytes.split_first().ok_or((0, DecodeErrorKind::EndsInMove))?;
    let from = square(0, start)?;
    let (&end, rest) = rest.split_first().ok_or((1, DecodeErrorKind::EndsInMove))?;
    let to = square(1, end & !TAGGED)?;
    let mv = Move::new(from, to);
    if end & TAGGED == 0 {
        return Ok((mv, rest));
    }
    let (&byte, rest) = rest.split_first().ok_or((2, DecodeErrorKind::EndsInMove))?;
    let promotion = promotion(byte).ok_or((2, DecodeErrorKind::Tag(byte)))?;
    Ok((mv.promoting(Some(promotion)), rest))
}

/// Iterator over the moves of a [`StateView`](super::StateView), in order.
#[derive(Clone, Debug)]
pub struct History<'a>(&'a [u8]);

impl<'a> History<'a> {
    pub(super) const fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }
}

impl Iterator for History<'_> {
    type Item = Move;

    fn next(&mut self) -> Option<Move> {
        let (mv, rest) = read(self.0).ok()?;
        self.0 = rest;
        Some(mv)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.0.len() / 3, Some(self.0.len() / 2))
    }
}

impl FusedIterator for History<'_> {}

#[cfg(test)]
mod tests {
    use std::vec::Vec;

    use super::*;

    #[test]
    fn every_move_round_trips() {
        for from in Square::all() {
            for to in Square::all() {
                for promotion in [None].into_iter().chain(Promotion::ALL.map(Some)) {
                    let mv = Move::new(from, to).promoting(promotion);
                    let written: Vec<u8> = bytes(mv).collect();
                    assert_eq!(read(&written), Ok((mv, &[][..])));
                }
            }
        }
    }

    #[test]
    fn readable_bytes_are_written_back_unchanged() {
        for start in 0..=255 {
            for end in 0..=255 {
                for tag in 0..=5 {
                    let given = [start, end, tag];
                    if let Ok((mv, rest)) = read(&given) {
                        assert!(bytes(mv).chain(rest.iter().copied()).eq(given));
                    }
                }
            }
        }
    }

    #[test]
    fn writes_the_examples_of_the_document() {
        let written = |text: &str| bytes(text.parse().expect(text)).collect::<Vec<u8>>();
        assert_eq!(written("a2a4"), [8, 24]);
        assert_eq!(written("a2a1q"), [8, 128, 1]);
        assert_eq!(written("c7c8n"), [0x32, 0xba, 2]);
    }

    #[test]
    fn errors_name_the_offset_of_the_wrong_byte() {
        for (given, error) in [
            (&[][..], (0, DecodeErrorKind::EndsInMove)),
            (&[64], (0, DecodeErrorKind::Square(64))),
            (&[12], (1, DecodeErrorKind::EndsInMove)),
            (&[12, 64], (1, DecodeErrorKind::Square(64))),
            (&[12, 0xc0], (1, DecodeErrorKind::Square(64))),
            (&[52, 0xbc], (2, DecodeErrorKind::EndsInMove)),
            (&[52, 0xbc, 0], (2, DecodeErrorKind::Tag(0))),
            (&[52, 0xbc, 5], (2, DecodeErrorKind::Tag(5))),
        ] {
            assert_eq!(read(given), Err(error));
        }
    }
}
