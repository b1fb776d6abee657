//! What a relay writes down about itself. Tokens, keys and what people say to each other are never in it.

use std::fmt::{self, Write};
use std::io;

use tracing_subscriber::EnvFilter;

use crate::config::LogConfig;

/// What a line in the log looks like.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LogFormat {
    /// For people.
    #[default]
    Human,
    /// For programs: one object a line.
    Json,
}

/// Begins to log to standard error. Whoever began before goes on.
pub(crate) fn begin(config: &LogConfig) {
    // It was tried when the settings were read.
    let filter = EnvFilter::try_new(&config.filter).unwrap_or_default();
    let builder = tracing_subscriber::fmt().with_env_filter(filter).with_writer(io::stderr).with_target(false);
    // If nobody reads standard error any more, the library would complain there, which would be a panic.
    let builder = builder.log_internal_errors(false);
    let _ = match config.format {
        LogFormat::Human => builder.try_init(),
        LogFormat::Json => builder.json().flatten_event(true).try_init(),
    };
}

/// A name that somebody has chosen, so that it cannot look like another line of the log, nor fill it.
#[derive(Clone, Copy, Debug)]
pub struct Named<'a>(pub &'a str);

/// As much of it as is shown.
const LONGEST: usize = 64;

impl fmt::Display for Named<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char('"')?;
        for c in self.0.chars().take(LONGEST) {
            write!(f, "{}", c.escape_debug())?;
        }
        f.write_str(if self.0.chars().nth(LONGEST).is_some() { "..\"" } else { "\"" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_stays_in_its_place() {
        assert_eq!(Named("Anna").to_string(), r#""Anna""#);
        assert_eq!(Named("a\n\u{1b}[31m\"b\u{202e}").to_string(), r#""a\n\u{1b}[31m\"b\u{202e}""#);
        assert_eq!(Named(&"x".repeat(100)).to_string().len(), 68);
    }
}
