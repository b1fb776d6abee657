//! The file that variables may be in.

use std::collections::HashMap;
use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// What a file says, by variable.
pub(super) type Variables = HashMap<String, String>;

/// A file with variables cannot be read. What is in it is not repeated: it may be a password.
#[derive(Debug)]
pub enum FileError {
    /// It cannot be opened.
    Read(PathBuf, io::Error),
    /// It is not written as such a file is, from this line on.
    Syntax(PathBuf, usize),
}

/// Reads a file, if it is there.
pub(super) fn read(path: &Path) -> Result<Option<Variables>, FileError> {
    match fs::read_to_string(path) {
        Ok(text) => parse(path, &text).map(Some),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(FileError::Read(path.to_owned(), error)),
    }
}

fn parse(path: &Path, text: &str) -> Result<Variables, FileError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut variables = Variables::new();
    for item in dotenvy::from_read_iter(text.as_bytes()) {
        match item {
            Ok((name, value)) => {
                variables.insert(name, value);
            }
            Err(dotenvy::Error::LineParse(line, _)) => {
                return Err(FileError::Syntax(path.to_owned(), place(text, &line)));
            }
            Err(dotenvy::Error::Io(error)) => return Err(FileError::Read(path.to_owned(), error)),
            Err(error) => return Err(FileError::Read(path.to_owned(), io::Error::other(error))),
        }
    }
    Ok(variables)
}

/// Which line of the text this is. The reader only tells what it has stumbled over, and that may be the value alone.
fn place(text: &str, wrong: &str) -> usize {
    let wrong = wrong.trim_end();
    let whole = text.lines().position(|line| line == wrong);
    let before =
        || text.find(wrong).and_then(|start| text.get(..start)).map_or(0, |before| before.matches('\n').count());
    whole.unwrap_or_else(before) + 1
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read(path, error) => write!(f, "{}: cannot read it: {error}", path.display()),
            Self::Syntax(path, line) => write!(
                f,
                "{}, line {line}: it is not NAME=value, with quotes around a value that has spaces, quotes or $ in it",
                path.display()
            ),
        }
    }
}

impl std::error::Error for FileError {}

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
    fn a_file_has_names_and_values() {
        let text = "# Redis\n\u{20}\nREDIS_HOST=localhost\nexport REDIS_PORT=6380\nREDIS_PASSWORD='a $b \"c\"'\r\nA=\n";
        let variables = parse(Path::new(".env.dev"), text).unwrap();
        let said = |name: &str| variables.get(name).map(String::as_str);
        assert_eq!(said("REDIS_HOST"), Some("localhost"));
        assert_eq!(said("REDIS_PORT"), Some("6380"));
        assert_eq!(said("REDIS_PASSWORD"), Some("a $b \"c\""));
        assert_eq!(said("A"), Some(""));
        assert_eq!(parse(Path::new("x"), "\u{feff}A=1").unwrap().get("A").map(String::as_str), Some("1"));
    }

    #[test]
    fn a_broken_file_says_where_and_not_what() {
        assert_eq!(broken_at("A=1\n\nREDIS PASSWORD=hunter2\nB=2\n"), 3);
        assert_eq!(broken_at("A=1\nB='open\nC=2\n"), 2);
        assert_eq!(broken_at("just words"), 1);
        assert_eq!(broken_at("A=1\nB=two words\n"), 2);
        let error = parse(Path::new(".env.prod"), "A=1\nPASSWORD=hunter2 x\n").unwrap_err().to_string();
        assert!(error.starts_with(".env.prod, line 2: ") && !error.contains("hunter2"), "{error}");
    }

    #[test]
    fn a_file_that_is_not_there_says_nothing() {
        assert!(read(Path::new("/nowhere/.env.dev")).unwrap().is_none());
    }
}
