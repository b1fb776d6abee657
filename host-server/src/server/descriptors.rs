//! How many sockets the process may have.

use crate::config::LimitConfig;

/// Files, listeners, the store and whatever the libraries need.
#[cfg(unix)]
const OTHERS: u64 = 128;

/// Takes all there is, and warns if it is not enough.
#[cfg(unix)]
pub(super) fn raise(limits: &LimitConfig) {
    use rustix::process::{Resource, getrlimit};

    take_all();
    let Some(have) = getrlimit(Resource::Nofile).current else { return };
    let want = limits.connections.map_or(0, |connections| u64::from(connections.get())) + OTHERS;
    if have < want {
        tracing::warn!(have, want, "the limit of open files (ulimit -n) is too low for --max-connections");
    }
}

/// Every connection is an open file to the system, and the limit that processes are started with is lower than what they may
/// have, for the sake of programs from the seventies.
#[cfg(unix)]
pub(crate) fn take_all() {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

    let now = getrlimit(Resource::Nofile);
    if now.current != now.maximum {
        let most = Rlimit { current: now.maximum, maximum: now.maximum };
        if let Err(error) = setrlimit(Resource::Nofile, most) {
            tracing::warn!(%error, "cannot raise the limit of open files");
        }
    }
}

#[cfg(not(unix))]
pub(crate) fn take_all() {}

#[cfg(not(unix))]
pub(super) fn raise(_: &LimitConfig) {}
