//! Finds the Python interpreter of this machine.

use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use serde::Deserialize;
use tokio::process::Command;
use tokio::time::timeout;

/// The oldest version that the fork server works with.
const OLDEST: (u32, u32) = (3, 8);
/// Where the shared libraries of the interpreter can be, besides its own directories.
const SHARED_LIBRARIES: [&str; 6] = ["/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/etc/ld.so.cache"];
/// Time for the interpreter to say what it is.
const PROBE_TIME: Duration = Duration::from_secs(20);
/// Prints version, program and directories. `python3` may be a script that starts another program, or a virtual environment.
const PROBE: &str = r#"
import ctypes, json, os, resource, select, sys
program = os.path.realpath(getattr(sys, "_base_executable", None) or sys.executable)
libraries = [path for path in sys.path if os.path.isabs(path)] + [os.path.join(sys.base_exec_prefix, "lib")]
print(json.dumps({"version": sys.version_info[:2], "program": program, "libraries": libraries}))
"#;

/// An interpreter that can execute scripts.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Python {
    pub(super) version: (u32, u32),
    pub(super) program: PathBuf,
    /// Files and directories that it reads when it starts.
    pub(super) libraries: Vec<PathBuf>,
}

fn missing(program: &Path, reason: impl Display) -> String {
    let (major, minor) = OLDEST;
    format!(
        "{} was not found ({reason}): install Python {major}.{minor} or later (Debian: apt install python3), or set --python",
        program.display()
    )
}

impl Python {
    /// Asks `program` what it is. The error says what to install.
    pub(super) async fn find(program: &Path) -> Result<Self, String> {
        let name = program.display();
        let mut command = Command::new(program);
        command.args(["-I", "-S", "-B", "-c", PROBE]).stdin(Stdio::null()).kill_on_drop(true);
        let output = match timeout(PROBE_TIME, command.output()).await {
            Ok(Ok(output)) => output,
            Ok(Err(error)) => return Err(missing(program, error)),
            Err(_) => return Err(format!("{name} did not say its version within {} seconds", PROBE_TIME.as_secs())),
        };
        let python: Self = serde_json::from_slice(&output.stdout).map_err(|_| {
            let errors = String::from_utf8_lossy(&output.stderr);
            let last = errors.lines().last().unwrap_or("no output").to_owned();
            format!("{name} is not a complete Python ({last}): install Python with its standard library (Debian: apt install python3)")
        })?;
        if python.version < OLDEST {
            let (major, minor) = python.version;
            return Err(format!(
                "{name} is Python {major}.{minor}: install Python {}.{} or later, or set --python",
                OLDEST.0, OLDEST.1
            ));
        }
        Ok(python.with_shared_libraries())
    }

    fn with_shared_libraries(mut self) -> Self {
        self.libraries.extend(SHARED_LIBRARIES.map(PathBuf::from));
        self.libraries.retain(|path| path.exists());
        self
    }
}
