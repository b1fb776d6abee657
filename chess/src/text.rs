//! Character reader for notation, whose errors name the wrong character.

use core::error::Error;
use core::fmt;

use crate::square::{File, Rank, Square};

/// An unexpected character, or an unexpected end of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unexpected {
    /// Position in characters, starting at 0.
    pub at: usize,
    /// The character; `None` at the end of the text.
    pub found: Option<char>,
}

impl fmt::Display for Unexpected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = self.at.saturating_add(1);
        match self.found {
            // Non-ASCII and control characters are shown by their number, to be safe on terminals.
            Some(found) if found == ' ' || found.is_ascii_graphic() => {
                write!(f, "unexpected '{found}' at character {place}")
            }
            Some(found) => write!(f, "unexpected U+{:04X} at character {place}", u32::from(found)),
            None => write!(f, "text ends at character {place}, where more was expected"),
        }
    }
}

impl Error for Unexpected {}

/// The remaining characters of a text, with the position of the next one.
#[derive(Clone)]
pub(crate) struct Chars<'a> {
    rest: core::str::Chars<'a>,
    at: usize,
}

pub(crate) fn chars(text: &str) -> Chars<'_> {
    Chars { rest: text.chars(), at: 0 }
}

impl Chars<'_> {
    pub(crate) fn peek(&self) -> Option<char> {
        self.rest.clone().next()
    }

    /// The error that names the next character.
    pub(crate) fn unexpected(&self) -> Unexpected {
        Unexpected { at: self.at, found: self.peek() }
    }

    pub(crate) fn skip(&mut self) {
        if self.rest.next().is_some() {
            self.at = self.at.saturating_add(1);
        }
    }

    /// Takes the next character if `read` accepts it.
    pub(crate) fn take<T>(&mut self, read: impl FnOnce(char) -> Option<T>) -> Result<T, Unexpected> {
        let value = self.peek().and_then(read).ok_or_else(|| self.unexpected())?;
        self.skip();
        Ok(value)
    }

    /// Takes the next character if it is this one, and returns whether it was.
    pub(crate) fn take_if(&mut self, wanted: char) -> bool {
        let found = self.peek() == Some(wanted);
        if found {
            self.skip();
        }
        found
    }

    pub(crate) fn square(&mut self) -> Result<Square, Unexpected> {
        let file = self.take(File::from_letter)?;
        let rank = self.take(Rank::from_letter)?;
        Ok(Square::new(file, rank))
    }

    pub(crate) fn end(&self) -> Result<(), Unexpected> {
        if self.peek().is_none() { Ok(()) } else { Err(self.unexpected()) }
    }
}
