//! Task liveness for the watchdog: it is fed only after every task has checked in.

/// A task that has to check in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "each is the task of that name in `tasks`")]
pub enum TaskId {
    Scan,
    MainLoop,
    Lights,
    Net,
    Packets,
    Link,
    Journal,
    Console,
}

impl TaskId {
    /// All tasks.
    pub const ALL: [Self; 8] =
        [Self::Scan, Self::MainLoop, Self::Lights, Self::Net, Self::Packets, Self::Link, Self::Journal, Self::Console];

    /// The name in the log.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Scan => "scan",
            Self::MainLoop => "main loop",
            Self::Lights => "lights",
            Self::Net => "net",
            Self::Packets => "packets",
            Self::Link => "link",
            Self::Journal => "journal",
            Self::Console => "console",
        }
    }

    const fn bit(self) -> u32 {
        1 << self as u32
    }
}

/// The tasks that have checked in during the current round.
#[derive(Clone, Copy, Debug, Default)]
pub struct Liveness {
    checked_in: u32,
}

impl Liveness {
    /// A round in which no task has checked in yet.
    #[must_use]
    pub const fn new() -> Self {
        Self { checked_in: 0 }
    }

    /// Records that a task is alive.
    pub const fn check_in(&mut self, task: TaskId) {
        self.checked_in |= task.bit();
    }

    /// Whether every task has checked in. If so, the next round begins.
    pub fn is_complete(&mut self) -> bool {
        let complete = self.missing().next().is_none();
        if complete {
            self.checked_in = 0;
        }
        complete
    }

    /// The tasks that have not checked in.
    pub fn missing(&self) -> impl Iterator<Item = TaskId> {
        let checked_in = self.checked_in;
        TaskId::ALL.into_iter().filter(move |task| checked_in & task.bit() == 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_round_is_complete_when_every_task_has_checked_in() {
        let mut liveness = Liveness::new();
        for task in TaskId::ALL {
            assert!(!liveness.is_complete());
            assert!(liveness.missing().any(|missing| missing == task));
            liveness.check_in(task);
        }
        assert!(liveness.is_complete());
        assert!(!liveness.is_complete());
        assert_eq!(liveness.missing().count(), TaskId::ALL.len());
    }

    #[test]
    fn a_task_that_checks_in_twice_does_not_count_for_another() {
        let mut liveness = Liveness::new();
        for task in TaskId::ALL {
            liveness.check_in(if task == TaskId::Link { TaskId::Scan } else { task });
        }
        assert!(!liveness.is_complete());
        assert_eq!(liveness.missing().map(TaskId::name).collect::<Vec<_>>(), ["link"]);
    }
}
