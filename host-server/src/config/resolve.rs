//! Merges flags, variables and defaults.
//!
//! `clap` reads variables only from the environment of the process, so the `env` attributes just name them here. The command
//! line is parsed twice: first the flags alone, for help, usage errors and `--environment`; then again, with the variables as
//! defaults.

use std::ffi::OsString;
use std::fmt::{self, Write as _};

use clap::builder::{OsStr, Resettable};
use clap::error::{ContextKind, ContextValue};
use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Command};

use super::variables::Variables;
use super::{ConfigError, SECRETS};

/// A command whose settings can also come from variables.
pub(crate) struct SettingsParser {
    command: Command,
}

impl SettingsParser {
    pub(crate) const fn new(command: Command) -> Self {
        Self { command }
    }

    /// Parses the flags alone.
    pub(crate) fn parse_flags(&self, arguments: &[OsString]) -> Result<ArgMatches, clap::Error> {
        let describe = |arg: Arg, variable: &str| {
            let help = arg.get_help().map(ToString::to_string).unwrap_or_default();
            arg.help(format!("{help} [env: {variable}]"))
        };
        with_variables(self.command.clone(), &describe).try_get_matches_from(arguments)
    }

    /// Parses flags and variables. The flags must have been parsed without an error before, so an error is in a variable.
    pub(crate) fn parse(&self, arguments: &[OsString], variables: &Variables) -> Result<ArgMatches, ConfigError> {
        let fill = |arg: Arg, variable: &str| match variables.get(variable) {
            Some((value, _)) => arg.default_value(OsStr::from(value)),
            None => arg,
        };
        let command = with_variables(self.command.clone(), &fill);
        command.try_get_matches_from(arguments).map_err(|mut error| {
            // Such as `--listen <ADDRESS>`.
            let argument = error.get(ContextKind::InvalidArg).map(ToString::to_string).unwrap_or_default();
            let flag = argument.split(' ').next().and_then(|flag| flag.strip_prefix("--"));
            let variable = self.variables().into_iter().find(|(arg, _)| arg.get_long() == flag);
            if let Some((_, source)) = variable.and_then(|(_, variable)| variables.get(variable)) {
                error.insert(ContextKind::InvalidArg, ContextValue::String(source.to_string()));
            }
            ConfigError::Value(one_line(&error))
        })
    }

    /// All settings with the names of their variables.
    fn variables(&self) -> Vec<(&Arg, &str)> {
        fn collect<'a>(command: &'a Command, found: &mut Vec<(&'a Arg, &'a str)>) {
            found.extend(command.get_arguments().filter_map(|arg| Some((arg, variable_of(arg)?))));
            command.get_subcommands().for_each(|command| collect(command, found));
        }
        let mut found = Vec::new();
        collect(&self.command, &mut found);
        found
    }

    /// The names of all variables.
    pub(crate) fn names(&self) -> Vec<&str> {
        self.variables().into_iter().map(|(_, variable)| variable).collect()
    }

    /// All settings of a subcommand with their sources, in the format of the settings file. Secrets are left out.
    pub(crate) fn print(&self, subcommand: &str, matches: &ArgMatches, variables: &Variables) -> String {
        let mut text = String::new();
        let command = self.command.find_subcommand(subcommand).unwrap_or(&self.command);
        // Writing to a `String` cannot fail.
        for arg in command.get_arguments() {
            let id = arg.get_id().as_str();
            let (Some(variable), Some(values)) = (variable_of(arg), matches.get_raw(id)) else { continue };
            let values: Vec<_> = values.map(|value| value.to_string_lossy()).collect();
            let _ = write!(text, "{variable}={}  # ", Quoted(&values.join(",")));
            let _ = match (matches.value_source(id), variables.get(variable)) {
                (Some(ValueSource::CommandLine), _) => writeln!(text, "--{}", arg.get_long().unwrap_or(id)),
                (_, Some((_, source))) => writeln!(text, "{source}"),
                _ => writeln!(text, "default"),
            };
        }
        for (variable, _) in SECRETS {
            if let Some((_, source)) = variables.get(variable) {
                let _ = writeln!(text, "# {variable} is set by {source}, and not shown");
            }
        }
        text
    }
}

fn variable_of(arg: &Arg) -> Option<&str> {
    arg.get_env().and_then(|name| name.to_str())
}

/// Applies a function to each argument that has a variable, and removes the variable, so that `clap` does not read it.
fn with_variables(command: Command, change: &dyn Fn(Arg, &str) -> Arg) -> Command {
    let command = command.mut_args(|arg| match variable_of(&arg).map(str::to_owned) {
        Some(variable) => change(arg.env(Resettable::<OsStr>::Reset), &variable),
        None => arg,
    });
    command.mut_subcommands(|command| with_variables(command, change))
}

/// A value quoted as in the settings file.
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

/// The message of a usage error in one line, with the suggestion for a misspelt command or flag, and without the usage text.
pub(crate) fn one_line(error: &clap::Error) -> String {
    let text = error.to_string();
    let text = text.strip_prefix("error: ").unwrap_or(&text).trim_end();
    let rest = ["\n\n  tip: ", "\n\nUsage: ", "\n\nFor more information"];
    let end = rest.into_iter().filter_map(|rest| text.find(rest)).min();
    let sentence = end.and_then(|end| text.get(..end)).unwrap_or(text);
    let sentence = sentence.lines().map(str::trim).collect::<Vec<_>>().join(" ");
    let suggested = [ContextKind::SuggestedSubcommand, ContextKind::SuggestedArg, ContextKind::SuggestedValue];
    let suggestion = suggested.into_iter().find_map(|kind| match error.get(kind)? {
        ContextValue::String(name) => Some(name),
        ContextValue::Strings(names) => names.first(),
        _ => None,
    });
    let sentence = match suggestion {
        Some(name) => format!("{sentence}; did you mean '{name}'?"),
        None => sentence,
    };
    // It quotes the user, so it may contain control characters.
    let escape = |c: char| if c.is_control() { c.escape_default().to_string() } else { c.to_string() };
    sentence.chars().map(escape).collect()
}

/// The value of `--environment` in the matches of a subcommand, if the flag is given.
pub(crate) fn environment_flag(matches: &ArgMatches) -> Option<String> {
    let is_given = matches.value_source("environment") == Some(ValueSource::CommandLine);
    is_given.then(|| matches.get_one::<String>("environment").cloned()).flatten()
}
