use redis::{ErrorKind, RedisError, ServerErrorKind};

use crate::store::StoreError;

/// What a failure means for whoever asked. Where it is not certain that nothing has changed, it is unclear.
pub(super) fn sort(error: &RedisError) -> StoreError {
    let text = error.to_string();
    match error.kind() {
        // It has answered, so nothing has changed: what a script could be refused for, it is refused for before it writes.
        ErrorKind::Server(_) | ErrorKind::Extension if is_full(&text) => StoreError::Full(text),
        ErrorKind::Server(ServerErrorKind::ResponseError) | ErrorKind::Extension if text.contains("WRONGTYPE") => {
            StoreError::Corrupt(text)
        }
        ErrorKind::Io if !error.is_connection_refusal() => StoreError::Unclear(text),
        ErrorKind::Parse | ErrorKind::UnexpectedReturnType => StoreError::Corrupt(text),
        _ => StoreError::Unavailable(text),
    }
}

/// Its memory is full, or its disk, so that it could not keep what it takes.
fn is_full(text: &str) -> bool {
    text.contains("OOM") || text.contains("MISCONF")
}

/// Something that is there but is not what we have written.
pub(super) fn corrupt(key: &str, what: impl std::fmt::Display) -> StoreError {
    StoreError::Corrupt(format!("{key}: {what}"))
}
