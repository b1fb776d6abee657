//! Reads a settings file (`NAME=value` lines) with `dotenvy`.

use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Why a settings file cannot be read. The message never quotes the file, which may contain a password.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say it")]
pub enum FileError {
    #[error("{}: cannot read it: {}", .0.display(), .1)]
    Read(PathBuf, io::Error),
    #[error(
        "{}, line {}: must be NAME=value, with quotes around a value that contains spaces, quotes or $",
        .0.display(), .1
    )]
    Syntax(PathBuf, usize),
}

/// Reads a file; `None` if it does not exist.
pub(super) fn read(path: &Path) -> Result<Option<HashMap<String, String>>, FileError> {
    match fs::read_to_string(path) {
        Ok(text) => parse(path, &text).map(Some),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(FileError::Read(path.to_owned(), error)),
    }
}

fn parse(path: &Path, text: &str) -> Result<HashMap<String, String>, FileError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut variables = HashMap::new();
    for item in dotenvy::from_read_iter(text.as_bytes()) {
        match item {
            Ok((name, value)) => {
                variables.insert(name, value);
            }
            Err(dotenvy::Error::LineParse(line, _)) => {
                return Err(FileError::Syntax(path.to_owned(), line_of(text, &line)));
            }
            Err(dotenvy::Error::Io(error)) => return Err(FileError::Read(path.to_owned(), error)),
            Err(error) => return Err(FileError::Read(path.to_owned(), io::Error::other(error))),
        }
    }
    Ok(variables)
}

/// The line number of a syntax error. `dotenvy` reports only the text that it could not parse, which may be part of a line.
fn line_of(text: &str, wrong: &str) -> usize {
    let wrong = wrong.trim_end();
    let whole = text.lines().position(|line| line == wrong);
    let before =
        || text.find(wrong).and_then(|start| text.get(..start)).map_or(0, |before| before.matches('\n').count());
    whole.unwrap_or_else(before) + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn broken_at(text: &str) -> usize {
        match parse(Path::new(".env.dev"), text) {
            Err(FileError::Syntax(_, line)) => line,
            other => panic!("{text:?} gives {other:?}"),
        }
    }

    #[test]
    fn reads_names_and_values() {
        let text = "# Redis\n\u{20}\nREDIS_HOST=localhost\nexport REDIS_PORT=6380\nREDIS_PASSWORD='a $b \"c\"'\r\nA=\n";
        let variables = parse(Path::new(".env.dev"), text).unwrap();
        let value = |name: &str| variables.get(name).map(String::as_str);
        assert_eq!(value("REDIS_HOST"), Some("localhost"));
        assert_eq!(value("REDIS_PORT"), Some("6380"));
        assert_eq!(value("REDIS_PASSWORD"), Some("a $b \"c\""));
        assert_eq!(value("A"), Some(""));
        assert_eq!(parse(Path::new("x"), "\u{feff}A=1").unwrap().get("A").map(String::as_str), Some("1"));
    }

    #[test]
    fn a_syntax_error_names_the_line_and_quotes_nothing() {
        assert_eq!(broken_at("A=1\n\nREDIS PASSWORD=hunter2\nB=2\n"), 3);
        assert_eq!(broken_at("A=1\nB='open\nC=2\n"), 2);
        assert_eq!(broken_at("just words"), 1);
        assert_eq!(broken_at("A=1\nB=two words\n"), 2);
        let error = parse(Path::new(".env.prod"), "A=1\nPASSWORD=hunter2 x\n").unwrap_err().to_string();
        assert!(error.starts_with(".env.prod, line 2: ") && !error.contains("hunter2"), "{error}");
    }

    #[test]
    fn a_missing_file_is_not_an_error() {
        assert!(read(Path::new("/nowhere/.env.dev")).unwrap().is_none());
    }
}
