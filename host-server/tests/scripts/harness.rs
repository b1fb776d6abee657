//! Scripts with real processes, and short scripts for tests.

use std::path::PathBuf;

use host_server::scripts::{ScriptAnswer, ScriptConfig, ScriptError, Scripts};

/// What a script has to have besides the line under test: a game with one king that can move.
pub(crate) const STATE: &str = "{'pieces': [{'color': 'white', 'name': 'king', 'x': 4, 'y': 0}], \
    'possible_moves': [{'from_x': 4, 'from_y': 0, 'to_x': 4, 'to_y': 1}], 'additional_data': None, 'status': 'running'}";

/// Scripts in sandboxed processes.
pub(crate) fn scripts(processes: usize) -> Scripts {
    Scripts::start(&config(processes))
}

pub(crate) fn config(processes: usize) -> ScriptConfig {
    ScriptConfig { python: "python3".into(), processes, launcher: PathBuf::from(env!("CARGO_BIN_EXE_tabiya")) }
}

/// Whether this machine has Python. Without it, a test prints that it was skipped; `cargo xtask test` installs it.
pub(crate) async fn has_python(scripts: &Scripts) -> bool {
    match scripts.starting_state(&script("pass")).await {
        Ok(_) => true,
        Err(ScriptError::Unavailable(reason)) if std::env::var_os("TABIYA_REQUIRE_PARTS").is_none() => {
            println!("skipped: {reason}");
            false
        }
        Err(error) => panic!("{error}"),
    }
}

/// A script that executes `lines` in each call and then returns [`STATE`].
pub(crate) fn script(lines: &str) -> String {
    let indented = lines.replace('\n', "\n    ");
    format!("def make_move(*_): pass\ndef get_starting_state():\n    {indented}\n    return {STATE}\n")
}

pub(crate) async fn start(scripts: &Scripts, lines: &str) -> Result<ScriptAnswer, ScriptError> {
    scripts.starting_state(&script(lines)).await
}

/// A small generator of random numbers, so that a failure can be repeated by its seed.
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap_or(0) % limit.max(1)
    }
}
