use core::fmt;

use chess::Move;

use crate::link::code;

/// Some moves of a game, as a list or as they were written: two bytes each.
#[derive(Clone, Copy)]
pub struct Moves<'a>(Source<'a>);

#[derive(Clone, Copy)]
enum Source<'a> {
    List(&'a [Move]),
    /// Each pair of them is a move.
    Bytes(&'a [u8]),
}

impl<'a> Moves<'a> {
    /// How many bytes a move takes.
    pub const MOVE_LEN: usize = 2;

    /// These.
    #[must_use]
    pub const fn of(list: &'a [Move]) -> Self {
        Self(Source::List(list))
    }

    /// Those in these bytes; or, if some of them are not a move, the first of those. An odd byte at the end is one.
    pub(super) fn read(bytes: &'a [u8]) -> Result<Self, u16> {
        let (pairs, rest) = bytes.as_chunks();
        for &pair in pairs {
            let number = u16::from_le_bytes(pair);
            code::to_move(number).map_err(|_| number)?;
        }
        match rest {
            [] => Ok(Self(Source::Bytes(bytes))),
            [byte, ..] => Err((*byte).into()),
        }
    }

    /// One after the other.
    pub fn iter(self) -> impl Iterator<Item = Move> + 'a {
        let (list, bytes): (&[Move], &[u8]) = match self.0 {
            Source::List(list) => (list, &[]),
            Source::Bytes(bytes) => (&[], bytes),
        };
        let (pairs, _) = bytes.as_chunks();
        let read = pairs.iter().filter_map(|&pair| code::to_move(u16::from_le_bytes(pair)).ok());
        list.iter().copied().chain(read)
    }

    /// Writes them, and returns the bytes if they fit.
    pub(super) fn write<'b>(&self, buffer: &'b mut [u8]) -> Option<&'b [u8]> {
        let (pairs, _) = buffer.as_chunks_mut();
        let mut slots = pairs.iter_mut();
        let mut len = 0_usize;
        for mv in self.iter() {
            *slots.next()? = code::of_move(mv).to_le_bytes();
            len = len.saturating_add(Self::MOVE_LEN);
        }
        buffer.get(..len)
    }
}

/// It does not matter where they are.
impl PartialEq for Moves<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl Eq for Moves<'_> {}

impl fmt::Debug for Moves<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}
