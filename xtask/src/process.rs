//! Runs other programs, with errors that show the command.

use std::env;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};

/// The root of the workspace, which is the working directory of every command.
pub(crate) fn root() -> &'static Path {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    package.parent().unwrap_or(package)
}

/// The target directory of cargo.
pub(crate) fn target_dir() -> PathBuf {
    env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), |dir| root().join(dir))
}

/// The file name of `tabiya` on this system.
pub(crate) fn tabiya_name() -> String {
    format!("tabiya{}", env::consts::EXE_SUFFIX)
}

/// The debug build of `tabiya`.
pub(crate) fn tabiya() -> PathBuf {
    target_dir().join("debug").join(tabiya_name())
}

/// A program with the root of the workspace as working directory.
pub(crate) fn program(name: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(name);
    command.current_dir(root());
    command
}

/// The cargo that runs this program, with these arguments.
pub(crate) fn cargo(args: &[&str]) -> Command {
    let mut command = program(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(args);
    command
}

/// Runs a command. A failure is an error.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    let status = command.status().with_context(|| format!("cannot start `{}`", command_line(command)))?;
    ensure!(status.success(), "`{}` failed ({status})", command_line(command));
    Ok(())
}

/// Runs a command, and prints its output when it has ended, so that it does not mix with that of a command beside it.
pub(crate) fn run_then_print(command: &mut Command) -> Result<()> {
    let output = command.output().with_context(|| format!("cannot start `{}`", command_line(command)))?;
    print!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    ensure!(output.status.success(), "`{}` failed ({})", command_line(command), output.status);
    Ok(())
}

/// Runs a command, and returns its output. A failure is an error.
pub(crate) fn capture(command: &mut Command) -> Result<String> {
    let output = command
        .stderr(Stdio::inherit())
        .output()
        .with_context(|| format!("cannot start `{}`", command_line(command)))?;
    ensure!(output.status.success(), "`{}` failed ({})", command_line(command), output.status);
    String::from_utf8(output.stdout).with_context(|| format!("`{}` did not write UTF-8", command_line(command)))
}

/// Whether a program is installed.
pub(crate) fn is_on_path(name: &str) -> bool {
    env::var_os("PATH").is_some_and(|path| env::split_paths(&path).any(|dir| dir.join(name).is_file()))
}

/// The command line, with the name of the program instead of its path.
fn command_line(command: &Command) -> String {
    let program = Path::new(command.get_program()).file_stem().unwrap_or(command.get_program());
    let words: Vec<_> = [program].into_iter().chain(command.get_args()).map(OsStr::to_string_lossy).collect();
    words.join(" ")
}
