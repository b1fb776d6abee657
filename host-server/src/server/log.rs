//! Logging to standard error. Tokens, keys and chat are never logged.

use std::fmt::{self, Write};
use std::io;

use tracing_subscriber::filter::Targets;
use tracing_subscriber::fmt::layer;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

use crate::config::{LogConfig, LogFormat};

/// Installs the global subscriber. A second call in the same process has no effect.
pub(crate) fn init(config: &LogConfig) {
    // `config` has checked it.
    let filter: Targets = config.filter.parse().unwrap_or_default();
    let registry = tracing_subscriber::registry().with(filter);
    // Otherwise the library reports a closed standard error on standard error, which panics.
    let lines = layer().with_writer(io::stderr).with_target(false).log_internal_errors(false);
    let _ = match config.format {
        LogFormat::Human => registry.with(lines).try_init(),
        LogFormat::Json => registry.with(lines.json().flatten_event(true)).try_init(),
    };
}

/// Displays a name that a user chose: quoted, escaped and shortened, so that it can neither forge nor fill log lines.
#[derive(Clone, Copy, Debug)]
pub struct LogSafe<'a>(pub &'a str);

/// Longest name in characters.
const MAX_CHARS: usize = 64;

impl fmt::Display for LogSafe<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char('"')?;
        for c in self.0.chars().take(MAX_CHARS) {
            write!(f, "{}", c.escape_debug())?;
        }
        f.write_str(if self.0.chars().nth(MAX_CHARS).is_some() { "..\"" } else { "\"" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_and_shortens_names() {
        assert_eq!(LogSafe("Anna").to_string(), r#""Anna""#);
        assert_eq!(LogSafe("a\n\u{1b}[31m\"b\u{202e}").to_string(), r#""a\n\u{1b}[31m\"b\u{202e}""#);
        assert_eq!(LogSafe(&"x".repeat(100)).to_string().len(), 68);
    }
}
