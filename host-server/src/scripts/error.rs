//! Errors of calls of scripts.

use super::{InvalidAnswer, MAX_SCRIPT};

/// Why a script gave no valid answer. The game keeps the state that it had before the call.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ScriptError {
    /// The relay cannot execute scripts; the text says why and what to install.
    #[error("this relay cannot execute scripts: {0}")]
    Unavailable(String),
    /// The relay has too many calls to execute, or its machine gave the script no time. The script is not at fault.
    #[error("the relay is too busy to execute the script; try again")]
    Busy,
    /// The script has this many bytes.
    #[error("the script has {0} bytes; at most {MAX_SCRIPT} are allowed")]
    TooLarge(usize),
    /// The script is not Python.
    #[error("{}syntax error: {text}", at(*.line))]
    #[expect(missing_docs, reason = "the names say it")]
    Syntax { text: String, line: Option<u32> },
    /// The script has no function of this name.
    #[error("the script has no function {0}")]
    NoFunction(&'static str),
    /// The function raised an exception, and the text has its type.
    #[error("{}{text}", at(*.line))]
    #[expect(missing_docs, reason = "the names say it")]
    Exception { text: String, line: Option<u32> },
    /// The call took longer than it may.
    #[error("{}the script ran for longer than 0.1 seconds", at(*.line))]
    #[expect(missing_docs, reason = "the names say it")]
    Timeout { line: Option<u32> },
    /// The call needed more memory than it may.
    #[error("{}the script needs more than 100 MB of memory", at(*.line))]
    #[expect(missing_docs, reason = "the names say it")]
    Memory { line: Option<u32> },
    /// The process ended without an answer, for this reason.
    #[error("the script ended its process without an answer ({0})")]
    NoAnswer(String),
    /// The function returned something else than a state of a game.
    #[error("{function} returned a wrong answer: {reason}")]
    #[expect(missing_docs, reason = "the names say it")]
    Invalid { function: &'static str, reason: InvalidAnswer },
}

/// Who has to do something about an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Culprit {
    /// The author of the script.
    Script,
    /// The operator of the relay, or time.
    Relay,
}

impl ScriptError {
    /// The line of the script, counted from 1, if the error has one.
    #[must_use]
    pub const fn line(&self) -> Option<u32> {
        match self {
            Self::Syntax { line, .. }
            | Self::Exception { line, .. }
            | Self::Timeout { line }
            | Self::Memory { line } => *line,
            _ => None,
        }
    }

    /// Who has to do something about it.
    #[must_use]
    pub const fn culprit(&self) -> Culprit {
        match self {
            Self::Unavailable(_) | Self::Busy => Culprit::Relay,
            _ => Culprit::Script,
        }
    }

    /// The label of this error in metrics.
    pub(crate) const fn label(&self) -> &'static str {
        match self {
            Self::Unavailable(_) => "unavailable",
            Self::Busy => "busy",
            Self::TooLarge(_) => "too_large",
            Self::Syntax { .. } => "syntax",
            Self::NoFunction(_) => "no_function",
            Self::Exception { .. } => "exception",
            Self::Timeout { .. } => "timeout",
            Self::Memory { .. } => "memory",
            Self::NoAnswer(_) => "no_answer",
            Self::Invalid { .. } => "invalid",
        }
    }
}

/// The line as the beginning of a message.
fn at(line: Option<u32>) -> String {
    line.map_or_else(String::new, |line| format!("line {line}: "))
}
