//! One line of a board's log, as `defmt-print` hands it over.

use std::fmt;

/// Between the fields of a line: a character that no message holds.
const SEPARATOR: char = '\u{1f}';

/// A decoded line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Seconds since the board was reset, with six decimals: the board's time, not the host's.
    pub time: String,
    /// `ERROR`, `WARN`, `INFO`, `DEBUG` or `TRACE`.
    pub level: String,
    /// The file and line of the source that logged it.
    pub location: String,
    /// What was logged.
    pub message: String,
}

impl Line {
    /// How `defmt-print` must be told to write lines, so that [`Line::parse`] can read them.
    pub(crate) fn format() -> String {
        ["{t}", "{L}", "{F}:{l}", "{s}"].join(&SEPARATOR.to_string())
    }

    /// Reads a line. Where a message goes on after a line break, the rest has no fields: it gets those of the line before.
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

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:>12} {:5} {} ({})", self.time, self.level, self.message, self.location)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_fields() {
        let line = Line::parse("4500.000007\u{1f}INFO \u{1f}src/life.rs:25\u{1f}up 75 min", None);
        assert_eq!(line.seconds(), Some(4500));
        assert_eq!((line.level.as_str(), line.location.as_str()), ("INFO", "src/life.rs:25"));
        assert_eq!(line.message, "up 75 min");
    }

    #[test]
    fn the_rest_of_a_message_belongs_to_its_first_line() {
        let first = Line::parse("0.5\u{1f}ERROR\u{1f}src/fault.rs:18\u{1f}panicked at src/a.rs:1:1:", None);
        let second = Line::parse("on purpose", Some(&first));
        assert_eq!(second, Line { message: "on purpose".to_owned(), ..first });
    }
}
