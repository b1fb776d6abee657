use core::error::Error;
use core::fmt;

use wire::journal::MAX_VALUE;

/// Number of values.
pub(super) const VALUES: usize = 12;

/// Key-value store of the firmware, with the ids 0 to 11: the board's name, the address of the relay, the pairing key.
/// The firmware assigns the ids.
#[derive(Clone, PartialEq, Eq)]
pub struct Values {
    values: [Value; VALUES],
}

#[derive(Clone, Copy, PartialEq, Eq)]
struct Value {
    len: u8,
    /// The bytes after `len` are 0, so that a shorter value overwrites all of a longer secret. A vector type such as
    /// `arrayvec::ArrayVec` would leave its tail in memory.
    bytes: [u8; MAX_VALUE],
}

/// Why a value was not set. The previous value is unchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueError {
    /// The id is out of range.
    Id(u8),
    /// The value is too long; its length in bytes.
    TooLong(usize),
}

impl fmt::Display for ValueError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Id(id) => write!(f, "value id {id} is out of range: ids are below {VALUES}"),
            Self::TooLong(len) => write!(f, "a value has at most {MAX_VALUE} bytes, not {len}"),
        }
    }
}

impl Error for ValueError {}

impl Default for Values {
    fn default() -> Self {
        Self::new()
    }
}

impl Values {
    /// No values.
    #[must_use]
    pub const fn new() -> Self {
        Self { values: [Value { len: 0, bytes: [0; MAX_VALUE] }; VALUES] }
    }

    /// The value with this id; `None` if it is not set.
    #[must_use]
    pub fn get(&self, id: u8) -> Option<&[u8]> {
        self.iter().find(|&(other, bytes)| other == id && !bytes.is_empty()).map(|(_, bytes)| bytes)
    }

    /// Sets a value; empty bytes delete it.
    pub fn set(&mut self, id: u8, bytes: &[u8]) -> Result<(), ValueError> {
        let too_long = ValueError::TooLong(bytes.len());
        let mut value = Value { len: u8::try_from(bytes.len()).map_err(|_| too_long)?, bytes: [0; MAX_VALUE] };
        value.bytes.get_mut(..bytes.len()).ok_or(too_long)?.copy_from_slice(bytes);
        *self.values.get_mut(usize::from(id)).ok_or(ValueError::Id(id))? = value;
        Ok(())
    }

    /// All ids with their values; empty if not set.
    pub(super) fn iter(&self) -> impl Iterator<Item = (u8, &[u8])> {
        let values = self.values.iter().map(|value| value.bytes.get(..usize::from(value.len)).unwrap_or_default());
        (0..).zip(values)
    }
}

/// Shows only the lengths: values may be secrets and must not be logged.
impl fmt::Debug for Values {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let set = self.iter().filter(|(_, bytes)| !bytes.is_empty());
        f.debug_map().entries(set.map(|(id, bytes)| (id, bytes.len()))).finish()
    }
}
