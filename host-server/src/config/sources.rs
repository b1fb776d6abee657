use std::env;
use std::error::Error;
use std::ffi::OsString;
use std::fmt::{self, Write as _};
use std::path::{Path, PathBuf};

use super::dotenv::{self, FileError, Variables};
use super::setting::{Arguments, Flags, Kind, SETTINGS, Setting, StoreArguments};
use super::value;

/// Everything that was said about the settings. What is said on the command line counts more than the environment, and
/// that more than the file: whoever is nearer to the process knows better.
#[derive(Debug, Default)]
pub struct Sources {
    flags: Flags,
    environment: Vec<(String, OsString)>,
    file: Variables,
    file_name: PathBuf,
    file_found: bool,
}

/// Why a relay does not understand what it is told. Each is written as one line.
#[derive(Debug)]
pub enum ConfigError {
    /// A value is none.
    Value {
        /// Where it was said.
        place: String,
        /// What was said.
        said: String,
        /// What is wrong with it.
        problem: String,
    },
    /// Two settings do not go together.
    Conflict(&'static str),
    /// The file cannot be read.
    File(FileError),
}

/// What was said, and where.
struct Said {
    text: String,
    place: Place,
}

enum Place {
    Flag(&'static str),
    Environment(&'static str),
    File(&'static str, PathBuf),
    Default,
}

impl Sources {
    /// What this process was told: by its command line, its environment, and the file in its working directory.
    pub fn of_process(arguments: &Arguments) -> Result<Self, ConfigError> {
        Self::new(arguments.0.clone(), variables_of_process(), Path::new(""))
    }

    /// The same for a command that only needs to find the store.
    pub fn of_store_command(arguments: &StoreArguments) -> Result<Self, ConfigError> {
        Self::new(arguments.0.clone(), variables_of_process(), Path::new(""))
    }

    /// What these variables say and nothing else, for programs that start a relay within themselves.
    pub fn of_variables<'a>(variables: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        let environment = variables.into_iter().map(|(name, value)| (name.to_owned(), value.into())).collect();
        Self { environment, ..Self::default() }
    }

    pub(super) fn new(flags: Flags, environment: Vec<(String, OsString)>, at: &Path) -> Result<Self, ConfigError> {
        let mut sources = Self { flags, environment, ..Self::default() };
        let name = sources.value("environment", |text| {
            // It becomes part of a file's name, and should stay in this directory.
            let is_plain = text.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_'));
            if is_plain { Ok(text.to_owned()) } else { Err("it is letters, digits, hyphens and underscores".into()) }
        })?;
        sources.file_name = PathBuf::from(format!(".env.{name}"));
        if let Some(variables) = dotenv::read(&at.join(&sources.file_name)).map_err(ConfigError::File)? {
            sources.file = variables;
            sources.file_found = true;
        }
        Ok(sources)
    }

    /// The file that was read, if there was one.
    #[must_use]
    pub fn file(&self) -> Option<&Path> {
        self.file_found.then_some(&self.file_name)
    }

    fn said(&self, setting: &'static Setting) -> Result<Option<Said>, ConfigError> {
        if let Some(texts) = self.flags.get(setting.name) {
            return Ok(Some(Said { text: texts.join(","), place: Place::Flag(setting.name) }));
        }
        if let Some(variable) = setting.variable {
            if let Some((_, text)) = self.environment.iter().find(|(name, text)| name == variable && !text.is_empty()) {
                let place = Place::Environment(variable);
                let Some(text) = text.to_str() else {
                    let problem = "it is not UTF-8".to_owned();
                    return Err(ConfigError::Value { place: place.to_string(), said: String::new(), problem });
                };
                return Ok(Some(Said { text: text.to_owned(), place }));
            }
            if let Some(text) = self.file.get(variable).filter(|text| !text.is_empty()) {
                return Ok(Some(Said { text: text.clone(), place: Place::File(variable, self.file_name.clone()) }));
            }
        }
        Ok(setting.default.map(|text| Said { text: text.to_owned(), place: Place::Default }))
    }

    /// A value that may not have been given.
    pub(super) fn optional<T>(
        &self,
        name: &'static str,
        read: impl FnOnce(&str) -> Result<T, Box<dyn Error>>,
    ) -> Result<Option<T>, ConfigError> {
        // A name that is not in the list is a mistake in this crate, and a test finds it.
        let Some(said) = Setting::named(name).map_or(Ok(None), |setting| self.said(setting))? else { return Ok(None) };
        match read(&said.text) {
            Ok(value) => Ok(Some(value)),
            Err(problem) => {
                Err(ConfigError::Value { place: said.place.to_string(), said: said.text, problem: problem.to_string() })
            }
        }
    }

    /// A value that has a default in the list.
    pub(super) fn value<T>(
        &self,
        name: &'static str,
        read: impl FnOnce(&str) -> Result<T, Box<dyn Error>>,
    ) -> Result<T, ConfigError> {
        let missing = || ConfigError::Value {
            place: format!("--{name}"),
            said: String::new(),
            problem: "it must be given".to_owned(),
        };
        self.optional(name, read)?.ok_or_else(missing)
    }

    /// A value of which there is an empty one.
    pub(super) fn value_or_default<T: Default>(
        &self,
        name: &'static str,
        read: impl FnOnce(&str) -> Result<T, Box<dyn Error>>,
    ) -> Result<T, ConfigError> {
        Ok(self.optional(name, read)?.unwrap_or_default())
    }

    /// Whether something is so.
    pub(super) fn switch(&self, name: &'static str) -> Result<bool, ConfigError> {
        self.value_or_default(name, value::switch)
    }

    /// Everything that is set, as a file that sets it, without what is secret.
    pub fn print(&self) -> Result<String, ConfigError> {
        let mut text = String::new();
        for setting in SETTINGS {
            let (Some(variable), Some(said)) = (setting.variable, self.said(setting)?) else { continue };
            let place = said.place;
            // Writing to a text does not fail.
            let _ = match setting.kind {
                Kind::Secret => writeln!(text, "# {variable} is set by {place}, and not shown"),
                _ => writeln!(text, "{variable}={}  # {place}", Quoted(&said.text)),
            };
        }
        Ok(text)
    }
}

fn variables_of_process() -> Vec<(String, OsString)> {
    // A name that is not UTF-8 is none of ours.
    env::vars_os().filter_map(|(name, value)| Some((name.into_string().ok()?, value))).collect()
}

/// A value as the file has it.
struct Quoted<'a>(&'a str);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_.:/[]@%+,".contains(c);
        if self.0.chars().all(is_plain) {
            return f.write_str(self.0);
        }
        f.write_char('"')?;
        for c in self.0.chars() {
            match c {
                '\n' => f.write_str("\\n")?,
                '"' | '\\' | '$' => write!(f, "\\{c}")?,
                _ => f.write_char(c)?,
            }
        }
        f.write_char('"')
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Flag(name) => write!(f, "--{name}"),
            Self::Environment(variable) => f.write_str(variable),
            Self::File(variable, file) => write!(f, "{variable} in {}", file.display()),
            Self::Default => f.write_str("default"),
        }
    }
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Value { place, said, problem } => write!(f, "{place} {said:?}: {problem}"),
            Self::Conflict(sentence) => f.write_str(sentence),
            Self::File(error) => error.fmt(f),
        }
    }
}

impl Error for ConfigError {}
