//! Process metrics under the names that all Prometheus clients use: resident memory and CPU time.
//!
//! Written by hand: `metrics-process` and the `process` feature of `prometheus` need `procfs` and more for these two values.

use std::fmt::Write;

/// Resident memory in bytes. Linux only.
const MEMORY: &str = "process_resident_memory_bytes";
/// User and system CPU time in seconds. Unix only.
const CPU_TIME: &str = "process_cpu_seconds_total";

/// The process metrics in the Prometheus text format.
pub(super) fn render() -> String {
    let mut page = String::new();
    // Writing to a `String` cannot fail.
    if let Some(bytes) = resident_memory() {
        let _ = write!(page, "# HELP {MEMORY} Resident memory.\n# TYPE {MEMORY} gauge\n{MEMORY} {bytes}\n");
    }
    if let Some(seconds) = cpu_seconds() {
        let help = "CPU time of all threads.";
        let _ = write!(page, "# HELP {CPU_TIME} {help}\n# TYPE {CPU_TIME} counter\n{CPU_TIME} {seconds:.6}\n");
    }
    page
}

fn resident_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.trim().strip_suffix(" kB")?.parse::<u64>().ok().map(|kilobytes| kilobytes << 10)
}

#[cfg(unix)]
#[expect(clippy::cast_precision_loss, reason = "a process runs for less than 2^53 seconds")]
fn cpu_seconds() -> Option<f64> {
    use nix::time::{ClockId, clock_gettime};

    let time = clock_gettime(ClockId::CLOCK_PROCESS_CPUTIME_ID).ok()?;
    Some(time.tv_sec() as f64 + time.tv_nsec() as f64 / 1e9)
}

#[cfg(not(unix))]
fn cpu_seconds() -> Option<f64> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_both_metrics() {
        let document = include_str!("../../../docs/operations.md");
        for name in [MEMORY, CPU_TIME] {
            assert!(document.contains(&format!("| `{name}` |")), "{name} is not in docs/operations.md");
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn renders_positive_values() {
        let page = render();
        let value = |name: &str| {
            let line = page.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
            line.unwrap_or_else(|| panic!("{name} is not on the page:\n{page}")).parse::<f64>().unwrap()
        };
        assert!(value(MEMORY) > 1e5);
        assert!(value(CPU_TIME) > 0.0);
    }
}
