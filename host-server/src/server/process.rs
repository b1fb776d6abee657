//! What the process takes from the system. The names are those under which every program shows these figures.

use std::fmt::Write;

/// What it has of memory, in bytes. Not all systems say so.
pub(super) const MEMORY: &str = "process_resident_memory_bytes";
/// How long it has computed.
pub(super) const TIME: &str = "process_cpu_seconds_total";

/// The lines for the page with all figures.
pub(super) fn render() -> String {
    let mut page = String::new();
    if let Some(bytes) = memory() {
        // A text takes everything.
        let _ = write!(page, "# HELP {MEMORY} Memory of the process.\n# TYPE {MEMORY} gauge\n{MEMORY} {bytes}\n\n");
    }
    if let Some(seconds) = seconds() {
        let _ = write!(page, "# HELP {TIME} Time of all its threads.\n# TYPE {TIME} counter\n{TIME} {seconds:.6}\n\n");
    }
    page
}

/// It is in a file where that is how a system tells such things, and nowhere else.
fn memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.trim().strip_suffix(" kB")?.parse::<u64>().ok().map(|kilobytes| kilobytes << 10)
}

#[cfg(unix)]
#[expect(clippy::cast_precision_loss, reason = "nobody computes for millions of years")]
#[expect(clippy::unnecessary_wraps, reason = "not all systems say so")]
fn seconds() -> Option<f64> {
    use rustix::time::{ClockId, clock_gettime};

    let time = clock_gettime(ClockId::ProcessCPUTime);
    Some(time.tv_sec as f64 + time.tv_nsec as f64 / 1e9)
}

#[cfg(not(unix))]
fn seconds() -> Option<f64> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_figures_are_documented() {
        let document = include_str!("../../../docs/operations.md");
        for name in [MEMORY, TIME] {
            assert!(document.contains(&format!("| `{name}` |")), "{name} is not in docs/operations.md");
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn the_figures_are_on_the_page() {
        let page = render();
        let figure = |name: &str| {
            let line = page.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
            line.unwrap_or_else(|| panic!("{name} is not on the page:\n{page}")).parse::<f64>().unwrap()
        };
        assert!(figure(MEMORY) > 1e5);
        assert!(figure(TIME) > 0.0);
    }
}
