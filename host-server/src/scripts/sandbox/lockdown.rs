//! What `tabiya script-process` gives up before it becomes the Python interpreter.
//!
//! This needs a process of its own, since a process cannot get any of it back. It is the same program, so that nothing runs between
//! `fork` and `exec` of the relay.

use std::convert::Infallible;
use std::env;
use std::ffi::OsStr;
use std::fs::{self, Metadata};
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible, PathBeneath, PathFd, PathFdError, Ruleset,
    RulesetAttr, RulesetCreatedAttr, RulesetError, RulesetStatus, Scope,
};
use nix::sched::{CloneFlags, unshare};
use nix::sys::prctl::set_no_new_privs;
use nix::sys::resource::{Resource, setrlimit};
use nix::unistd::{Gid, Uid, setgid, setgroups, setuid};
use serde::{Deserialize, Serialize};

use super::filter;

/// The user and the group without rights, in place of root.
const NOBODY: u32 = 65_534;
/// Limits of the fork server. Its children lower them further.
const LIMITS: [(Resource, u64); 5] = [
    // A kernel that pipes core files to a program ignores this limit, except for the value 1, with which it does not start the program. A file
    // of one byte is not written either.
    (Resource::RLIMIT_CORE, 1),
    (Resource::RLIMIT_FSIZE, 0),
    (Resource::RLIMIT_NOFILE, 32),
    (Resource::RLIMIT_MSGQUEUE, 0),
    // Enough for the recursion that Python allows.
    (Resource::RLIMIT_STACK, 8 << 20),
];
/// Makes the kernel end these processes first when memory is short.
const FIRST_TO_KILL: &str = "1000";

/// What the process could give up, of that which not every kernel lets it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Layers {
    /// Access to files other than those of the interpreter.
    pub(super) landlock: bool,
    /// The network, the mounts and the rights of other namespaces.
    pub(super) namespaces: bool,
}

/// Why the process cannot be locked down. Then it does not start.
#[derive(Debug, thiserror::Error)]
pub(crate) enum LockdownError {
    #[error("{0}: {1}")]
    System(&'static str, nix::Error),
    #[error("seccomp: {0}")]
    Filter(#[from] seccompiler::Error),
    #[error("seccomp: {0}")]
    Compiler(#[from] seccompiler::BackendError),
    #[error("Landlock: {0}")]
    Ruleset(#[from] RulesetError),
    #[error("Landlock: {0}")]
    Path(#[from] PathFdError),
    #[error(
        "{} can be read by root only, and user namespaces are not permitted: install Python for all users, or do not run the relay as root",
        .0.display()
    )]
    Root(PathBuf),
    #[error("{0}: {1}")]
    Python(String, io::Error),
    #[error("standard output: {0}")]
    Output(io::Error),
}

/// Locks this process down, and becomes `python` with `program`. `libraries` is what the interpreter may read.
pub(crate) fn run(
    python: &Path,
    program: &OsStr,
    libraries: &[PathBuf],
    output: &mut impl Write,
) -> Result<Infallible, LockdownError> {
    // Files of the relay's directory are not those of the interpreter.
    env::set_current_dir("/").map_err(|error| LockdownError::Python("/".to_owned(), error))?;
    // Without it, memory that is short is still limited by the limits of a child.
    let _ = fs::write("/proc/self/oom_score_adj", FIRST_TO_KILL);
    for (resource, value) in LIMITS {
        setrlimit(resource, value, value).map_err(|error| LockdownError::System("setrlimit", error))?;
    }
    // Root may do this where user namespaces are not permitted, but no longer after it has given up its rights.
    let has_left = Uid::effective().is_root() && unshare(shared_with_machine()).is_ok();
    let is_root = drop_root(python, libraries)?;
    let Left { user, machine: namespaces } = leave_namespaces(has_left);
    if is_root && !user {
        return Err(LockdownError::Root(python.to_owned()));
    }
    set_no_new_privs().map_err(|error| LockdownError::System("no_new_privs", error))?;
    let landlock = restrict_files(python, libraries)?;
    seccompiler::apply_filter(&filter::of_fork_server()?)?;
    let layers = serde_json::to_vec(&Layers { landlock, namespaces }).unwrap_or_default();
    let frame = [b"L", &u32::try_from(layers.len()).unwrap_or(0).to_le_bytes()[..], &layers].concat();
    output.write_all(&frame).and_then(|()| output.flush()).map_err(LockdownError::Output)?;
    // Isolated: no variables, no directory of the user, no site packages, nothing compiled to files.
    let mut command = Command::new(python);
    command.env_clear().args(["-I", "-S", "-B", "-X", "utf8", "-c"]).arg(program);
    Err(LockdownError::Python(python.display().to_string(), command.exec()))
}

/// Becomes a user without rights, if this is root and all users may run the interpreter. Returns whether it still is root.
fn drop_root(python: &Path, libraries: &[PathBuf]) -> Result<bool, LockdownError> {
    if !Uid::effective().is_root() {
        return Ok(false);
    }
    if !is_public(python) || !libraries.iter().filter(|path| path.exists()).all(|path| is_public(path)) {
        return Ok(true);
    }
    let failed = |error| LockdownError::System("giving up root", error);
    setgroups(&[]).map_err(failed)?;
    setgid(Gid::from_raw(NOBODY)).map_err(failed)?;
    setuid(Uid::from_raw(NOBODY)).map_err(failed)?;
    Ok(false)
}

/// Whether every user can read this file or directory.
fn is_public(path: &Path) -> bool {
    let permits = |path: &Path, bits: u32| {
        path.metadata().as_ref().map(Metadata::permissions).is_ok_and(|permissions| permissions.mode() & bits == bits)
    };
    let Ok(path) = path.canonicalize() else { return false };
    permits(&path, 0o004) && path.ancestors().skip(1).all(|directory| permits(directory, 0o001))
}

/// Network, shared memory, names and mounts of the machine.
fn shared_with_machine() -> CloneFlags {
    CloneFlags::CLONE_NEWNET | CloneFlags::CLONE_NEWIPC | CloneFlags::CLONE_NEWUTS | CloneFlags::CLONE_NEWNS
}

/// Which namespaces were left.
struct Left {
    /// In the new user namespace this user has no name, so `exec` takes all capabilities away.
    user: bool,
    /// All of [`shared_with_machine`].
    machine: bool,
}

/// Enters new namespaces, as many as this system permits. `has_left` says whether only that of the users is left to leave.
fn leave_namespaces(has_left: bool) -> Left {
    let user = CloneFlags::CLONE_NEWUSER;
    if !has_left && unshare(user | shared_with_machine()).is_ok() {
        return Left { user: true, machine: true };
    }
    // Containers often refuse some of them. The network is what matters most.
    let fewer = [CloneFlags::CLONE_NEWNET | CloneFlags::CLONE_NEWIPC, CloneFlags::CLONE_NEWNET];
    let is_partly_left = !has_left && fewer.into_iter().any(|fewer| unshare(user | fewer).is_ok());
    Left { user: is_partly_left || unshare(user).is_ok(), machine: has_left }
}

/// Leaves only the files of the interpreter, to read. Returns whether the kernel has Landlock.
fn restrict_files(python: &Path, libraries: &[PathBuf]) -> Result<bool, LockdownError> {
    let abi = ABI::V6;
    let mut ruleset = Ruleset::default()
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(AccessFs::from_all(abi))?
        .handle_access(AccessNet::from_all(abi))?
        .scope(Scope::from_all(abi))?
        .create()?;
    let file = AccessFs::ReadFile | AccessFs::Execute;
    for path in libraries.iter().map(PathBuf::as_path).chain([python]) {
        let Ok(metadata) = path.metadata() else { continue };
        let access: BitFlags<AccessFs> = if metadata.is_dir() { file | AccessFs::ReadDir } else { file };
        ruleset = ruleset.add_rule(PathBeneath::new(PathFd::new(path)?, access))?;
    }
    Ok(ruleset.restrict_self()?.ruleset != RulesetStatus::NotEnforced)
}
