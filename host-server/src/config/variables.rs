//! Environment variables and the variables of the settings file.

use std::collections::HashMap;
use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};

use super::{ConfigError, SECRETS, dotenv, parse};

/// Variables of the process and of the settings file. The process takes precedence. Empty values count as not set.
#[derive(Debug, Default)]
pub(crate) struct Variables {
    environment: HashMap<String, OsString>,
    file: HashMap<String, String>,
    file_name: Option<PathBuf>,
}

/// Where a value comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Source<'a> {
    Environment(&'a str),
    File(&'a str, &'a Path),
}

impl Variables {
    /// The environment of this process, and the file `.env.NAME` in its working directory. `environment` is NAME, if a flag
    /// gives it. `known` lists all variables of the program.
    pub(crate) fn of_process(environment: Option<String>, known: &[&str]) -> Result<Self, ConfigError> {
        // A name that is not UTF-8 is not one of the settings.
        let variables = std::env::vars_os().filter_map(|(name, value)| Some((name.into_string().ok()?, value)));
        Self::load(variables.collect(), environment, Path::new(""), known)
    }

    pub(super) fn load(
        environment: HashMap<String, OsString>,
        name: Option<String>,
        directory: &Path,
        known: &[&str],
    ) -> Result<Self, ConfigError> {
        let mut variables = Self { environment, ..Self::default() };
        let name = match (name, variables.get("ENVIRONMENT")) {
            (Some(name), _) => name,
            (None, Some((name, _))) => {
                let name = name.to_string_lossy();
                let invalid =
                    |problem| ConfigError::Value(format!("invalid value {name:?} for ENVIRONMENT: {problem}"));
                parse::environment(&name).map_err(invalid)?
            }
            (None, None) => "dev".to_owned(),
        };
        let file_name = PathBuf::from(format!(".env.{name}"));
        if let Some(mut file) = dotenv::read(&directory.join(&file_name))? {
            // It has chosen the file, so the file cannot change it.
            file.remove("ENVIRONMENT");
            check_names(&file, &file_name, known)?;
            variables.file = file;
            variables.file_name = Some(file_name);
        }
        Ok(variables)
    }

    /// Variables without a file. The first value of a variable counts.
    pub(super) fn from_pairs<'a>(pairs: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        let mut variables = Self::default();
        for (name, value) in pairs {
            variables.environment.entry(name.to_owned()).or_insert_with(|| value.into());
        }
        variables
    }

    /// The value of a variable with its source.
    pub(crate) fn get<'a>(&'a self, name: &'a str) -> Option<(OsString, Source<'a>)> {
        if let Some(value) = self.environment.get(name).filter(|value| !value.is_empty()) {
            return Some((value.clone(), Source::Environment(name)));
        }
        let value = self.file.get(name).filter(|value| !value.is_empty())?;
        Some((value.into(), Source::File(name, self.file_name.as_deref()?)))
    }

    /// The settings file, if there is one.
    pub(crate) fn file_name(&self) -> Option<&Path> {
        self.file_name.as_deref()
    }
}

/// A misspelt variable in the file is an error. The environment is not checked: other programs use it, too.
fn check_names(file: &HashMap<String, String>, path: &Path, known: &[&str]) -> Result<(), ConfigError> {
    let is_known = |name: &str| known.contains(&name) || SECRETS.iter().any(|&(secret, _)| secret == name);
    let unknown = file.keys().filter(|name| name.starts_with("TABIYA_") && !is_known(name)).min();
    let Some(name) = unknown else { return Ok(()) };
    let distance = |known: &str| strsim::damerau_levenshtein(name, known);
    let similar = known.iter().min_by_key(|known| distance(known)).filter(|known| distance(known) <= 3);
    Err(ConfigError::UnknownVariable {
        file: path.to_owned(),
        name: name.clone(),
        similar: similar.map(|&name| name.to_owned()),
    })
}

impl fmt::Display for Source<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Environment(name) => f.write_str(name),
            Self::File(name, path) => write!(f, "{name} in {}", path.display()),
        }
    }
}
