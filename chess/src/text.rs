//! Reading notation one character at a time, so that an error can name the character that is wrong.

use core::error::Error;
use core::fmt;

use crate::square::{File, Rank, Square};

/// A character that does not fit, or an end of text that came too early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unexpected {
    /// How many characters stand before it.
    pub at: usize,
    /// The character, or nothing where the text ended.
    pub found: Option<char>,
}

impl fmt::Display for Unexpected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = self.at.saturating_add(1);
        match self.found {
            // What may not be printed plainly, or may play tricks on a terminal, is named by its number.
            Some(found) if found == ' ' || found.is_ascii_graphic() => {
                write!(f, "unexpected '{found}' at character {place}")
            }
            Some(found) => write!(f, "unexpected U+{:04X} at character {place}", u32::from(found)),
            None => write!(f, "text ends at character {place}, where more was expected"),
        }
    }
}

impl Error for Unexpected {}

/// The characters of a text, with the place of the next one.
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

    /// Takes the next character if `read` can make something of it.
    pub(crate) fn take<T>(&mut self, read: impl FnOnce(char) -> Option<T>) -> Result<T, Unexpected> {
        let value = self.peek().and_then(read).ok_or_else(|| self.unexpected())?;
        self.skip();
        Ok(value)
    }

    /// Takes the next character if it is this one, and says whether it was.
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
