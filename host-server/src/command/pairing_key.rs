//! Reads a board's pairing key from a file or a text.

use std::path::Path;

use crate::failure::Failure;
use crate::hex;

/// The flags exclude each other, so a key beside a file comes from the variable.
pub(super) fn read(file: Option<&Path>, key: Option<&str>) -> Result<[u8; 32], Failure> {
    let text = match (file, key) {
        (Some(path), _) => {
            std::fs::read_to_string(path).map_err(|error| Failure::Key(format!("{}: {error}", path.display())))?
        }
        (None, Some(key)) => key.to_owned(),
        (None, None) => {
            return Err(Failure::Key(
                "missing: give --key-file or TABIYA_BOARD_KEY, or --journal to be paired over the network".to_owned(),
            ));
        }
    };
    let bytes = hex::parse(text.trim()).map_err(|error| Failure::Key(error.to_string()))?;
    let count = bytes.len();
    bytes.try_into().map_err(|_| Failure::Key(format!("must have 32 bytes, has {count}")))
}
