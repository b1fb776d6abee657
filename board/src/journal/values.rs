use core::error::Error;
use core::fmt;

use wire::journal::MAX_VALUE;

/// How many values there can be.
pub(super) const VALUES: usize = 12;

/// Some bytes that the firmware wants kept, under the numbers 0 to 11: a name, the address of the relay, a key. What the
/// numbers stand for is up to the firmware.
#[derive(Clone, PartialEq, Eq)]
pub struct Values {
    values: [Value; VALUES],
}

#[derive(Clone, Copy, PartialEq, Eq)]
struct Value {
    len: u8,
    /// Those behind the length are 0.
    bytes: [u8; MAX_VALUE],
}

/// Why a value was not taken. The one before is still there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueError {
    /// No value has this number.
    Number(u8),
    /// It has this many bytes, which is too long.
    TooLong(usize),
}

impl fmt::Display for ValueError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(id) => write!(f, "values have numbers below {VALUES}, not {id}"),
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
    /// None.
    #[must_use]
    pub const fn new() -> Self {
        Self { values: [Value { len: 0, bytes: [0; MAX_VALUE] }; VALUES] }
    }

    /// The value of this number, if there is one.
    #[must_use]
    pub fn get(&self, id: u8) -> Option<&[u8]> {
        self.iter().find(|&(other, bytes)| other == id && !bytes.is_empty()).map(|(_, bytes)| bytes)
    }

    /// Sets a value. No bytes are no value.
    pub fn set(&mut self, id: u8, bytes: &[u8]) -> Result<(), ValueError> {
        let too_long = ValueError::TooLong(bytes.len());
        let mut value = Value { len: u8::try_from(bytes.len()).map_err(|_| too_long)?, bytes: [0; MAX_VALUE] };
        value.bytes.get_mut(..bytes.len()).ok_or(too_long)?.copy_from_slice(bytes);
        *self.values.get_mut(usize::from(id)).ok_or(ValueError::Number(id))? = value;
        Ok(())
    }

    /// All of them, with those that are not there as no bytes.
    pub(super) fn iter(&self) -> impl Iterator<Item = (u8, &[u8])> {
        let values = self.values.iter().map(|value| value.bytes.get(..usize::from(value.len)).unwrap_or_default());
        (0..).zip(values)
    }
}

/// What is kept may be a secret, and is never in a log; only how long it is.
impl fmt::Debug for Values {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let there = self.iter().filter(|(_, bytes)| !bytes.is_empty());
        f.debug_map().entries(there.map(|(id, bytes)| (id, bytes.len()))).finish()
    }
}
