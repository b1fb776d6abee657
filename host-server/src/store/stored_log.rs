use serde_json::from_slice;

use super::StoreError;
use crate::room::Entry;

/// The log of a room as a store keeps it. Decoding a long one takes milliseconds, so that is left to the thread that replays it.
#[derive(Clone, Debug)]
pub struct StoredLog(Kept);

#[derive(Clone, Debug)]
enum Kept {
    /// The entries as JSON, and the name of the log in errors.
    Lines {
        name: String,
        lines: Vec<Vec<u8>>,
    },
    Entries(Vec<Entry>),
}

impl StoredLog {
    /// A log of entries as JSON. `name` is for errors.
    pub(crate) const fn new(name: String, lines: Vec<Vec<u8>>) -> Self {
        Self(Kept::Lines { name, lines })
    }

    /// Decodes the entries.
    pub fn decode(self) -> Result<Vec<Entry>, StoreError> {
        match self.0 {
            Kept::Entries(entries) => Ok(entries),
            Kept::Lines { name, lines } => {
                let entry =
                    |line: Vec<u8>| from_slice(&line).map_err(|error| StoreError::Corrupt(format!("{name}: {error}")));
                lines.into_iter().map(entry).collect()
            }
        }
    }
}

impl From<Vec<Entry>> for StoredLog {
    fn from(entries: Vec<Entry>) -> Self {
        Self(Kept::Entries(entries))
    }
}

/// Whether an entry is a chat message. Quotes within JSON strings are escaped, so this matches the kind of the fact only.
pub(super) fn is_chat(line: &[u8]) -> bool {
    const KIND: &[u8] = br#""fact":{"said":"#;
    line.windows(KIND.len()).any(|window| window == KIND)
}
