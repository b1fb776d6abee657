//! A line of a board's log, as `defmt-print` decodes it.

use std::fmt;

/// Separates the fields of a line; no message contains it.
const SEPARATOR: char = '\u{1f}';

/// A decoded line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogLine {
    /// Seconds since the board was reset, with six decimals: the board's time, not the host's.
    pub time: String,
    /// `ERROR`, `WARN`, `INFO`, `DEBUG` or `TRACE`.
    pub level: String,
    /// The file and line of the source that logged it.
    pub location: String,
    /// What was logged.
    pub message: String,
}

impl LogLine {
    /// The log format of `defmt-print` that [`LogLine::parse`] reads.
    pub(crate) fn format() -> String {
        ["{t}", "{L}", "{F}:{l}", "{s}"].join(&SEPARATOR.to_string())
    }

    /// Parses a line. A line without fields continues the message of the line before, and gets its fields.
    pub(crate) fn parse(text: &str, before: Option<&Self>) -> Self {
        let fields: Vec<&str> = text.splitn(4, SEPARATOR).collect();
        if let [time, level, location, message] = fields[..] {
            Self {
                time: time.trim().to_owned(),
                level: level.trim().to_owned(),
                location: location.trim().to_owned(),
                message: message.to_owned(),
            }
        } else {
            let unknown =
                Self { time: String::new(), level: String::new(), location: String::new(), message: String::new() };
            Self { message: text.to_owned(), ..before.cloned().unwrap_or(unknown) }
        }
    }

    /// Whole seconds since the board was reset, if the line has a time.
    #[must_use]
    pub fn seconds(&self) -> Option<u64> {
        self.time.split('.').next()?.parse().ok()
    }
}

impl fmt::Display for LogLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:>12} {:5} {} ({})", self.time, self.level, self.message, self.location)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_fields() {
        let line = LogLine::parse("4500.000007\u{1f}INFO \u{1f}src/life.rs:25\u{1f}up 75 min", None);
        assert_eq!(line.seconds(), Some(4500));
        assert_eq!((line.level.as_str(), line.location.as_str()), ("INFO", "src/life.rs:25"));
        assert_eq!(line.message, "up 75 min");
    }

    #[test]
    fn continues_a_message_over_several_lines() {
        let first = LogLine::parse("0.5\u{1f}ERROR\u{1f}src/fault.rs:18\u{1f}panicked at src/a.rs:1:1:", None);
        let second = LogLine::parse("on purpose", Some(&first));
        assert_eq!(second, LogLine { message: "on purpose".to_owned(), ..first });
    }
}
