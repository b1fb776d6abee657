//! Rules that users write as Python scripts: a start state, and the state after each move.
//!
//! ```text
//! Scripts -> pool (queue, one worker per process) -> fork server -> one child per call
//!    |
//!    +-> answer (checks what the script returned)
//! ```
//!
//! - `state.rs`: pieces, moves and status as the scripts exchange them; `data.rs`: the data that a script keeps between calls.
//! - `answer.rs`: parser of answers. It is pure and trusts nothing.
//! - `call.rs`: what a script is asked, and the reply of the process.
//! - `error.rs`: why there is no answer.
//! - `sandbox/`: the processes.
//! - `bundled.rs`: scripts that every relay has.
//!
//! docs/scripts.md is the description for authors of scripts.

mod answer;
mod bundled;
mod call;
mod data;
mod error;
#[cfg(test)]
pub(crate) mod race;
#[cfg(target_os = "linux")]
pub(crate) mod sandbox;
mod state;

use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::PathBuf;
use std::pin::Pin;
use std::sync::Arc;

use chess::Color;

pub use answer::{InvalidAnswer, read_reply};
pub use bundled::{BUNDLED, Bundled};
pub use call::Call;
pub(crate) use data::MAX_DATA;
pub use data::{AdditionalData, InvalidData};
pub use error::{Culprit, ScriptError};
pub use state::{ScriptAnswer, ScriptMove, ScriptPiece, Status};

use crate::metrics;

/// Largest script, in bytes.
pub const MAX_SCRIPT: usize = 1 << 20;

/// A reply in the making: the text that the process wrote, as [`Execute`] describes it.
pub type Reply = Pin<Box<dyn Future<Output = Result<Vec<u8>, ScriptError>> + Send>>;

/// Executes calls of scripts. The relay has a pool of sandboxed processes; tests may have a function.
pub trait Execute: Send + Sync {
    /// Executes one call of one script, in a state that no other call can see or change.
    ///
    /// The reply is JSON: `{"answer": VALUE}` with what the function returned, or `{"error": {"kind", "text", "line"}}`.
    fn execute(&self, script: Arc<str>, call: Call, caller: Caller, urgency: Urgency) -> Reply;

    /// Memory of the processes that wait for calls, in bytes.
    fn memory(&self) -> u64 {
        0
    }
}

/// Which calls are executed first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Urgency {
    /// A player waits for it.
    Move,
    /// It is asked ahead of a move.
    Ahead,
}

/// Who asks a script. Callers take turns, so that one of them does not delay the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Caller(u64);

impl Caller {
    /// The caller with this name.
    pub fn of(name: &(impl Hash + ?Sized)) -> Self {
        let mut hasher = DefaultHasher::new();
        name.hash(&mut hasher);
        Self(hasher.finish())
    }
}

/// Executes nothing, for this reason.
struct Unavailable(&'static str);

impl Execute for Unavailable {
    fn execute(&self, _: Arc<str>, _: Call, _: Caller, _: Urgency) -> Reply {
        let reason = self.0.to_owned();
        Box::pin(async { Err(ScriptError::Unavailable(reason)) })
    }
}

/// How scripts are executed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScriptConfig {
    /// The Python interpreter.
    pub python: PathBuf,
    /// Number of calls that are executed at the same time, each in its own process. With 0, scripts are not executed.
    pub processes: usize,
    /// The program `tabiya`, which is started again for each process.
    pub launcher: PathBuf,
}

/// Asks scripts, and checks their answers. A clone asks the same processes.
#[derive(Clone)]
pub struct Scripts {
    executor: Arc<dyn Execute>,
    /// None if each script is a caller of its own.
    caller: Option<Caller>,
}

impl Scripts {
    /// Scripts in sandboxed processes, which are started in the background and end with the last clone. Without Python, or on a system
    /// without the sandbox, each call is an error that says so.
    #[must_use]
    pub fn start(config: &ScriptConfig) -> Self {
        if config.processes == 0 {
            return Self::new(Unavailable("--script-processes is 0"));
        }
        #[cfg(target_os = "linux")]
        return Self::new(sandbox::Pool::start(config));
        #[cfg(not(target_os = "linux"))]
        Self::new(Unavailable("the sandbox for scripts needs Linux"))
    }

    /// Scripts that are executed by `executor`.
    pub fn new(executor: impl Execute + 'static) -> Self {
        Self { executor: Arc::new(executor), caller: None }
    }

    /// The same scripts, asked by this caller. Without one, all calls of a script have the same caller.
    #[must_use]
    pub fn asked_by(&self, caller: Caller) -> Self {
        Self { caller: Some(caller), ..self.clone() }
    }

    /// The start state of a game: `get_starting_state()`. White is to move.
    pub async fn starting_state(&self, script: &str) -> Result<ScriptAnswer, ScriptError> {
        self.ask(script, Call::StartingState, Color::White, Urgency::Move).await
    }

    /// The state after a move: `make_move(pieces, move, next_turn, additional_data)`. `next_turn` is to move after it.
    ///
    /// The caller has checked that the move is one of the possible ones.
    pub async fn make_move(
        &self,
        script: &str,
        pieces: &[ScriptPiece],
        played: ScriptMove,
        next_turn: Color,
        additional_data: &AdditionalData,
    ) -> Result<ScriptAnswer, ScriptError> {
        let call = Call::make_move(pieces, played, next_turn, additional_data);
        self.ask(script, call, next_turn, Urgency::Move).await
    }

    /// The state after a move that may be played later. Calls for players go first.
    pub async fn look_ahead(
        &self,
        script: &str,
        pieces: &[ScriptPiece],
        played: ScriptMove,
        next_turn: Color,
        additional_data: &AdditionalData,
    ) -> Result<ScriptAnswer, ScriptError> {
        let call = Call::make_move(pieces, played, next_turn, additional_data);
        self.ask(script, call, next_turn, Urgency::Ahead).await
    }

    async fn ask(&self, script: &str, call: Call, turn: Color, urgency: Urgency) -> Result<ScriptAnswer, ScriptError> {
        if script.len() > MAX_SCRIPT {
            return Err(ScriptError::TooLarge(script.len()));
        }
        let function = call.function();
        // Editors of some systems begin a file with this mark. Python skips it in a file, but not in a text.
        let script = script.strip_prefix('\u{feff}').unwrap_or(script);
        let caller = self.caller.unwrap_or_else(|| Caller::of(script));
        let reply = self.executor.execute(script.into(), call, caller, urgency).await;
        let result = reply.and_then(|reply| read_reply(&reply, function, turn));
        metrics::script_called(result.as_ref().map_or_else(ScriptError::label, |_| "ok"));
        result
    }

    /// Memory of the warm processes that they share with nothing else, in bytes.
    #[must_use]
    pub fn memory(&self) -> u64 {
        self.executor.memory()
    }
}

impl fmt::Debug for Scripts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Scripts")
    }
}
