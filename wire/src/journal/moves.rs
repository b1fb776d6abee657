use core::fmt;

use chess::Move;
use rules::Ply;

/// A borrowed list of moves: a slice to write, or the bytes of a record, two per move.
#[derive(Clone, Copy)]
pub struct Moves<'a>(Source<'a>);

#[derive(Clone, Copy)]
enum Source<'a> {
    List(&'a [Move]),
    /// Each pair of bytes is a ply.
    Bytes(&'a [u8]),
}

impl<'a> Moves<'a> {
    /// Length of a move in bytes.
    pub const MOVE_LEN: usize = 2;

    /// Borrows a slice of moves.
    #[must_use]
    pub const fn of(list: &'a [Move]) -> Self {
        Self(Source::List(list))
    }

    /// Borrows the bytes of a record; nothing if there is an odd byte at the end.
    pub(super) fn read(bytes: &'a [u8]) -> Option<Self> {
        let (_, rest) = bytes.as_chunks::<{ Moves::MOVE_LEN }>();
        rest.is_empty().then_some(Self(Source::Bytes(bytes)))
    }

    /// Iterates over the moves in order.
    pub fn iter(self) -> impl Iterator<Item = Ply> + 'a {
        let (list, bytes): (&[Move], &[u8]) = match self.0 {
            Source::List(list) => (list, &[]),
            Source::Bytes(bytes) => (&[], bytes),
        };
        let (pairs, _) = bytes.as_chunks();
        let read = pairs.iter().map(|&pair| Ply::from_bits(u16::from_le_bytes(pair)));
        list.iter().map(|&mv| Ply::of_move(mv)).chain(read)
    }

    /// Encodes the moves; `None` if the buffer is too small.
    pub(super) fn write<'b>(&self, buffer: &'b mut [u8]) -> Option<&'b [u8]> {
        let (pairs, _) = buffer.as_chunks_mut();
        let mut slots = pairs.iter_mut();
        let mut len = 0_usize;
        for ply in self.iter() {
            *slots.next()? = ply.bits().to_le_bytes();
            len = len.saturating_add(Self::MOVE_LEN);
        }
        buffer.get(..len)
    }
}

/// Compares the moves, not their source.
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
