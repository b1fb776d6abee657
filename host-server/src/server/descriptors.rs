//! Limit of open file descriptors: each connection is one.

use crate::config::LimitConfig;

/// Descriptors for files, listeners, the store and libraries.
#[cfg(unix)]
const RESERVED: u64 = 128;

/// Raises the limit and warns if `--max-connections` needs more.
#[cfg(unix)]
pub(super) fn raise_for(limits: &LimitConfig) {
    use nix::sys::resource::{Resource, getrlimit};

    raise();
    let Ok((have, _)) = getrlimit(Resource::RLIMIT_NOFILE) else { return };
    let want = limits.connections.map_or(0, |connections| u64::from(connections.get())) + RESERVED;
    if have < want {
        tracing::warn!(have, want, "the limit of open files (ulimit -n) is too low for --max-connections");
    }
}

/// Raises the soft limit to the hard limit. The default soft limit is low for programs that use `select`.
#[cfg(unix)]
fn raise() {
    use nix::sys::resource::{Resource, getrlimit, setrlimit};

    let raised = getrlimit(Resource::RLIMIT_NOFILE)
        .and_then(|(soft, hard)| if soft == hard { Ok(()) } else { setrlimit(Resource::RLIMIT_NOFILE, hard, hard) });
    if let Err(error) = raised {
        tracing::warn!(%error, "raising the limit of open files failed");
    }
}

#[cfg(not(unix))]
pub(super) fn raise_for(_: &LimitConfig) {}
