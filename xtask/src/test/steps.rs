//! Runs the steps of a test run, and records how long each takes.

use std::fmt::Write as _;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

/// The steps so far. Steps of two threads may overlap.
pub(super) struct Steps {
    start: Instant,
    taken: Mutex<Vec<Step>>,
}

struct Step {
    name: String,
    /// Since the start of the run.
    started: Duration,
    took: Duration,
    passed: bool,
}

impl Steps {
    pub(super) fn new() -> Self {
        Self { start: Instant::now(), taken: Mutex::new(Vec::new()) }
    }

    /// Runs a step. An error names the step.
    pub(super) fn take<T>(&self, name: &str, work: impl FnOnce() -> Result<T>) -> Result<T> {
        let started = self.start.elapsed();
        eprintln!("\n==> {name}");
        let result = work().with_context(|| format!("step \"{name}\""));
        let took = self.start.elapsed().saturating_sub(started);
        let passed = result.is_ok();
        eprintln!("    {name}: {} in {:.1} s", if passed { "passed" } else { "FAILED" }, took.as_secs_f32());
        let step = Step { name: name.to_owned(), started, took, passed };
        self.taken.lock().unwrap_or_else(PoisonError::into_inner).push(step);
        result
    }

    /// A table of all steps in the order of their start, with the total.
    pub(super) fn table(&self) -> String {
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        taken.sort_by_key(|step| step.started);
        table(&taken, self.start.elapsed())
    }
}

fn table(steps: &[Step], total: Duration) -> String {
    let width = steps.iter().map(|step| step.name.len()).chain(["step".len()]).max().unwrap_or_default();
    let mut text = format!("{:width$} {:>9} {:>9}\n", "step", "from s", "took s");
    for Step { name, started, took, passed } in steps {
        let failed = if *passed { "" } else { "  FAILED" };
        let (started, took) = (started.as_secs_f32(), took.as_secs_f32());
        _ = writeln!(text, "{name:width$} {started:>9.1} {took:>9.1}{failed}");
    }
    _ = writeln!(text, "{:width$} {:>9} {:>9.1}", "total", "", total.as_secs_f32());
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_lists_every_step_and_the_total() {
        let step = |name: &str, started, took, passed| {
            let [started, took] = [started, took].map(Duration::from_millis);
            Step { name: name.to_owned(), started, took, passed }
        };
        let steps = [step("formatting", 0, 1500, true), step("lints", 1500, 60_040, false)];
        assert_eq!(
            table(&steps, Duration::from_millis(61_540)),
            "step          from s    took s\n\
             formatting       0.0       1.5\n\
             lints            1.5      60.0  FAILED\n\
             total                     61.5\n"
        );
    }

    #[test]
    fn a_failed_step_is_named_in_the_error_and_in_the_table() {
        let steps = Steps::new();
        assert_eq!(steps.take("first", || Ok(1)).expect("it passes"), 1);
        let error = steps.take("second", || -> Result<()> { anyhow::bail!("no") }).expect_err("it fails");
        assert_eq!(format!("{error:#}"), "step \"second\": no");
        let table = steps.table();
        assert!(table.contains("first") && table.lines().any(|line| line.ends_with("FAILED")), "{table}");
    }
}
