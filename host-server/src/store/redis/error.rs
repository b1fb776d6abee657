use redis::{ErrorKind, RedisError, ServerErrorKind};

use crate::store::StoreError;

/// Classifies a failure. It is unclear unless it is certain that nothing has changed.
pub(super) fn sort(error: &RedisError) -> StoreError {
    let text = error.to_string();
    match error.kind() {
        // Redis has answered with an error, so nothing has changed: scripts fail before they write.
        ErrorKind::Server(_) | ErrorKind::Extension if is_full(&text) => StoreError::Full(text),
        ErrorKind::Server(ServerErrorKind::ResponseError) | ErrorKind::Extension if text.contains("WRONGTYPE") => {
            StoreError::Corrupt(text)
        }
        ErrorKind::Io if !error.is_connection_refusal() => StoreError::Unclear(text),
        ErrorKind::Parse | ErrorKind::UnexpectedReturnType => StoreError::Corrupt(text),
        _ => StoreError::Unavailable(text),
    }
}

/// Whether Redis is out of memory or cannot persist to its disk.
fn is_full(text: &str) -> bool {
    text.contains("OOM") || text.contains("MISCONF")
}

/// A stored value that this program has not written.
pub(super) fn corrupt(key: &str, what: impl std::fmt::Display) -> StoreError {
    StoreError::Corrupt(format!("{key}: {what}"))
}
