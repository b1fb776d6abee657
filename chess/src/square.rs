use core::fmt;
use core::str::FromStr;

use crate::text::{Unexpected, chars};

/// Defines `File` and `Rank`: eight lines with an index and a character.
macro_rules! lines {
    ($(#[$doc:meta])* $name:ident: $($index:literal $variant:ident $letter:literal),*) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        #[allow(missing_docs, reason = "the names of files and ranks are sufficient")]
        pub enum $name { $($variant = $index),* }

        impl $name {
            /// All eight, in order.
            pub const ALL: [Self; 8] = [$(Self::$variant),*];

            /// The line with this index; only the lowest three bits are used.
            #[must_use]
            pub const fn from_index(index: u8) -> Self {
                match index & 7 {
                    $($index => Self::$variant,)*
                    // Unreachable: three bits have eight values. The compiler removes this arm.
                    _ => Self::ALL[0],
                }
            }

            /// The index, 0 to 7.
            #[must_use]
            pub const fn index(self) -> u8 {
                self as u8
            }

            /// The character that names it in notation.
            #[must_use]
            pub const fn letter(self) -> char {
                match self { $(Self::$variant => $letter),* }
            }

            /// The line with this character in notation.
            #[must_use]
            pub const fn from_letter(letter: char) -> Option<Self> {
                match letter { $($letter => Some(Self::$variant),)* _ => None }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Write::write_char(f, self.letter())
            }
        }
    };
}

lines! {
    /// A column of the board, from White's left to right.
    File: 0 A 'a', 1 B 'b', 2 C 'c', 3 D 'd', 4 E 'e', 5 F 'f', 6 G 'g', 7 H 'h'
}

lines! {
    /// A row of the board, from White's side to Black's.
    Rank: 0 First '1', 1 Second '2', 2 Third '3', 3 Fourth '4', 4 Fifth '5', 5 Sixth '6', 6 Seventh '7', 7 Eighth '8'
}

/// One of the 64 squares: a1 = 0, b1 = 1, .. h1 = 7, a2 = 8, .. h8 = 63.
///
/// Invariant: the index is below 64, so it is always in range for a table of 64 entries.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

macro_rules! square_names {
    ($($name:ident $index:literal)*) => {
        #[allow(missing_docs, reason = "the names of squares are sufficient")]
        impl Square { $(pub const $name: Self = Self($index);)* }
    };
}

square_names! {
    A1 0 B1 1 C1 2 D1 3 E1 4 F1 5 G1 6 H1 7
    A2 8 B2 9 C2 10 D2 11 E2 12 F2 13 G2 14 H2 15
    A3 16 B3 17 C3 18 D3 19 E3 20 F3 21 G3 22 H3 23
    A4 24 B4 25 C4 26 D4 27 E4 28 F4 29 G4 30 H4 31
    A5 32 B5 33 C5 34 D5 35 E5 36 F5 37 G5 38 H5 39
    A6 40 B6 41 C6 42 D6 43 E6 44 F6 45 G6 46 H6 47
    A7 48 B7 49 C7 50 D7 51 E7 52 F7 53 G7 54 H7 55
    A8 56 B8 57 C8 58 D8 59 E8 60 F8 61 G8 62 H8 63
}

impl Square {
    /// Every square, a1 first, h8 last.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator {
        (0..64).map(Self)
    }

    /// The square on this file and this rank.
    #[must_use]
    pub const fn new(file: File, rank: Rank) -> Self {
        Self(rank.index() << 3 | file.index())
    }

    /// The square with this index, if there is one.
    #[must_use]
    pub const fn try_from_index(index: u8) -> Option<Self> {
        if index < 64 { Some(Self(index)) } else { None }
    }

    /// The square with this index; only the lowest six bits are used.
    #[must_use]
    pub const fn from_index(index: u8) -> Self {
        Self(index & 63)
    }

    /// The index, 0 to 63.
    #[must_use]
    pub const fn index(self) -> u8 {
        self.0
    }

    /// The file it is on.
    #[must_use]
    pub const fn file(self) -> File {
        File::from_index(self.0)
    }

    /// The rank it is on.
    #[must_use]
    pub const fn rank(self) -> Rank {
        Rank::from_index(self.0 >> 3)
    }

    /// Whether it is one of the 32 light squares, as h1 is.
    #[must_use]
    pub const fn is_light(self) -> bool {
        ((self.0 >> 3) ^ self.0) & 1 == 1
    }

    /// The square mirrored at the middle of the board: a1 and a8 are swapped.
    #[must_use]
    pub const fn flip_rank(self) -> Self {
        Self(self.0 ^ 0b11_1000)
    }

    /// The square whose index differs by `by`, modulo 64.
    pub(crate) const fn offset(self, by: i8) -> Self {
        Self(self.0.wrapping_add_signed(by) & 63)
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.file(), self.rank())
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Square {
    type Err = Unexpected;

    fn from_str(text: &str) -> Result<Self, Unexpected> {
        let mut chars = chars(text);
        let square = chars.square()?;
        chars.end()?;
        Ok(square)
    }
}

#[cfg(test)]
mod tests {
    use std::string::ToString;

    use super::*;

    #[test]
    fn names_round_trip() {
        for square in Square::all() {
            assert_eq!(square.to_string().parse(), Ok(square));
            assert_eq!(Square::new(square.file(), square.rank()), square);
        }
        assert_eq!(Square::A1.index(), 0);
        assert_eq!("a2".parse(), Ok(Square::A2));
        assert_eq!(Square::H8.index(), 63);
    }

    #[test]
    fn an_error_names_the_character() {
        assert_eq!("i1".parse::<Square>(), Err(Unexpected { at: 0, found: Some('i') }));
        assert_eq!("a9".parse::<Square>(), Err(Unexpected { at: 1, found: Some('9') }));
        assert_eq!("a".parse::<Square>(), Err(Unexpected { at: 1, found: None }));
        assert_eq!("a1 ".parse::<Square>(), Err(Unexpected { at: 2, found: Some(' ') }));
    }

    #[test]
    fn h1_is_a_light_square() {
        assert!(Square::H1.is_light() && Square::A8.is_light());
        assert!(!Square::A1.is_light() && !Square::H8.is_light());
        assert_eq!(Square::all().filter(|square| square.is_light()).count(), 32);
    }
}
