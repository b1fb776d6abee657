use std::fmt;
use std::str::FromStr;

use super::hash::{Hash, NotAHash};

/// The most pieces of a back row.
const MAX_PIECES: usize = 8;

/// The genomes of a back row from the a-file on, for both sides. As text: their hashes with a `-` between them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Preset {
    hashes: Vec<Hash>,
}

/// Why a text is not a preset.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum PresetError {
    #[error("piece {0}: {1}")]
    Hash(usize, NotAHash),
    #[error("a preset has at most 8 pieces")]
    TooMany,
}

impl Preset {
    pub(crate) fn of(hashes: impl IntoIterator<Item = Hash>) -> Self {
        Self { hashes: hashes.into_iter().take(MAX_PIECES).collect() }
    }
}

impl Preset {
    pub(crate) fn hashes(&self) -> &[Hash] {
        &self.hashes
    }
}

impl FromStr for Preset {
    type Err = PresetError;

    fn from_str(text: &str) -> Result<Self, PresetError> {
        let parts = text.split('-').enumerate();
        let read = |(index, part): (usize, &str)| part.parse().map_err(|error| PresetError::Hash(index + 1, error));
        let hashes = parts.map(read).collect::<Result<Vec<_>, _>>()?;
        if hashes.len() > MAX_PIECES { Err(PresetError::TooMany) } else { Ok(Self { hashes }) }
    }
}

impl fmt::Display for Preset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, hash) in self.hashes.iter().enumerate() {
            write!(f, "{}{hash}", if index > 0 { "-" } else { "" })?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_read_as_it_is_written() {
        let text = "000000-0000aa-ffffff";
        let preset: Preset = text.parse().unwrap();
        assert_eq!((preset.to_string().as_str(), preset.hashes.len()), (text, 3));
        assert_eq!("000000-xyz".parse::<Preset>(), Err(PresetError::Hash(2, NotAHash)));
        assert_eq!("".parse::<Preset>(), Err(PresetError::Hash(1, NotAHash)));
        assert_eq!(["000000"; 9].join("-").parse::<Preset>(), Err(PresetError::TooMany));
    }
}
