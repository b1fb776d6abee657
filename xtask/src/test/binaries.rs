//! Builds the test binaries of the workspace, and runs several at the same time.
//!
//! `cargo test` runs one binary after the other, and the system tests mostly wait: for a relay, a timeout, a board in QEMU.

use std::collections::VecDeque;
use std::ffi::OsStr;
use std::path::PathBuf;
use std::process::Stdio;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use serde::Deserialize;

use crate::process::{capture, cargo, program, run as run_command};

/// The package whose tests start programs and wait for them. Its binaries take longest, so they run first.
const SYSTEM_TESTS: &str = "tests";

#[derive(Debug, PartialEq, Eq)]
pub(super) struct TestBinary {
    /// The package and the target, for example `tests::games`.
    name: String,
    program: PathBuf,
    /// The folder of the package, which is the working directory that cargo gives to a test.
    folder: PathBuf,
    /// The package, if this tests its library, whose documentation may have tests too.
    library: Option<String>,
}

/// The messages of `cargo --message-format json` that announce an executable.
#[derive(Deserialize)]
struct Artifact {
    package_id: String,
    manifest_path: PathBuf,
    target: Target,
    profile: Profile,
    executable: Option<PathBuf>,
}

#[derive(Deserialize)]
struct Target {
    kind: Vec<String>,
    name: String,
}

#[derive(Deserialize)]
struct Profile {
    test: bool,
}

/// Builds all test binaries of a selection of packages.
pub(super) fn build(selection: &[String]) -> Result<Vec<TestBinary>> {
    let mut build = cargo(&["test", "--locked", "--no-run", "--message-format", "json-render-diagnostics"]);
    binaries(&capture(build.args(selection))?)
}

fn binaries(messages: &str) -> Result<Vec<TestBinary>> {
    let mut binaries = Vec::new();
    for message in messages.lines().filter(|line| line.contains(r#""reason":"compiler-artifact""#)) {
        let artifact: Artifact = serde_json::from_str(message).context("cargo wrote an unknown message")?;
        let (Some(program), true) = (artifact.executable, artifact.profile.test) else { continue };
        let folder = artifact.manifest_path.parent().context("a package without a folder")?.to_owned();
        let package = folder.file_name().unwrap_or_default().to_string_lossy();
        let name = format!("{package}::{}", artifact.target.name);
        let library = artifact.target.kind.contains(&"lib".to_owned()).then_some(artifact.package_id);
        binaries.push(TestBinary { name, program, folder, library });
    }
    binaries.sort_by_key(|binary| !binary.folder.ends_with(SYSTEM_TESTS));
    Ok(binaries)
}

/// Runs the examples in the documentation of these packages.
pub(super) fn run_documentation(libraries: &[String]) -> Result<()> {
    if libraries.is_empty() {
        return Ok(());
    }
    let mut tests = cargo(&["test", "--locked", "--doc", "--no-fail-fast"]);
    run_command(tests.args(libraries.iter().flat_map(|library| ["--package", library])))
}

/// The packages of these binaries that have a library.
pub(super) fn libraries(binaries: &[TestBinary]) -> Vec<String> {
    binaries.iter().filter_map(|binary| binary.library.clone()).collect()
}

/// Runs all test binaries, as many at the same time as there are processors. Every one runs, also after a failure.
///
/// The output of a binary is printed when it ends.
pub(super) fn run(binaries: Vec<TestBinary>, variables: &[(&str, &OsStr)]) -> Result<()> {
    let lanes = thread::available_parallelism().map_or(1, usize::from);
    let waiting = Mutex::new(VecDeque::from(binaries));
    let failed = Mutex::new(Vec::new());
    let lane = || {
        while let Some(binary) = lock(&waiting).pop_front() {
            if let Err(error) = run_one(&binary, variables) {
                eprintln!("{error:#}");
                lock(&failed).push(binary.name);
            }
        }
    };
    thread::scope(|threads| {
        for _ in 0..lanes {
            threads.spawn(lane);
        }
    });
    let failed = failed.into_inner().unwrap_or_else(PoisonError::into_inner);
    ensure!(failed.is_empty(), "tests failed in {}", failed.join(", "));
    Ok(())
}

fn run_one(binary: &TestBinary, variables: &[(&str, &OsStr)]) -> Result<()> {
    eprintln!("  {} started", binary.name);
    let started = Instant::now();
    let mut command = program(&binary.program);
    command.current_dir(&binary.folder).env("CARGO_MANIFEST_DIR", &binary.folder);
    command.envs(variables.iter().copied()).stdin(Stdio::null());
    let output = command.output().with_context(|| format!("cannot start {}", binary.program.display()))?;
    let text = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    // One call, so that the output of two binaries is not mixed.
    print!("\n     Running {}\n{text}", binary.name);
    eprintln!("  {} ended after {:.1} s", binary.name, started.elapsed().as_secs_f32());
    ensure!(output.status.success(), "the tests of {} failed ({})", binary.name, output.status);
    Ok(())
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn test_binaries_are_found_and_those_of_the_system_come_first() {
        let artifact = |package: &str, kind: &str, name: &str, test: bool, executable: &str| {
            format!(
                r#"{{"reason":"compiler-artifact","package_id":"{package}@1","manifest_path":"/w/{package}/Cargo.toml","target":{{"kind":["{kind}"],"name":"{name}"}},"profile":{{"test":{test}}},"executable":{executable}}}"#
            )
        };
        let messages = [
            artifact("chess", "lib", "perft", true, r#""/t/perft-1""#),
            artifact("host-server", "bin", "tabiya", false, r#""/t/tabiya""#),
            artifact("wire", "lib", "wire", false, "null"),
            r#"{"reason":"build-finished","success":true}"#.to_owned(),
            artifact("tests", "test", "games", true, r#""/t/games-1""#),
        ];
        let found = binaries(&messages.join("\n")).expect("the messages are known");
        let names: Vec<&str> = found.iter().map(|binary| binary.name.as_str()).collect();
        assert_eq!(names, ["tests::games", "chess::perft"]);
        assert_eq!(found[0].folder, Path::new("/w/tests"));
        assert_eq!(libraries(&found), ["chess@1"]);
        assert!(binaries(r#"{"reason":"compiler-artifact"}"#).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn a_failed_binary_is_named_and_the_others_still_run() {
        let folder = std::env::temp_dir();
        let binary = |name: &str| TestBinary {
            name: name.to_owned(),
            program: PathBuf::from(format!("/bin/{name}")),
            folder: folder.clone(),
            library: None,
        };
        assert!(run(vec![binary("true"), binary("true")], &[]).is_ok());
        let error = run(vec![binary("false"), binary("true"), binary("missing")], &[]).expect_err("two fail");
        let text = error.to_string();
        assert!(text.contains("false") && text.contains("missing") && !text.contains("true"), "{text}");
    }
}
