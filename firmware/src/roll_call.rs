//! Who is still alive. The watchdog is fed only when everybody is.

/// Those who have to answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "each is the task of that name")]
pub enum Who {
    Scan,
    Referee,
    Lights,
    Net,
    Packets,
    Link,
    Journal,
    Console,
}

impl Who {
    /// All of them.
    pub const ALL: [Self; 8] =
        [Self::Scan, Self::Referee, Self::Lights, Self::Net, Self::Packets, Self::Link, Self::Journal, Self::Console];

    /// What it is called in the log.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Scan => "scan",
            Self::Referee => "referee",
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

/// Who has answered since everybody last had.
#[derive(Clone, Copy, Debug, Default)]
pub struct RollCall {
    present: u32,
}

impl RollCall {
    /// Nobody has answered yet.
    #[must_use]
    pub const fn new() -> Self {
        Self { present: 0 }
    }

    /// Somebody is alive.
    pub const fn check_in(&mut self, who: Who) {
        self.present |= who.bit();
    }

    /// Whether everybody has answered. If so, the call begins again.
    pub fn is_complete(&mut self) -> bool {
        let complete = self.missing().next().is_none();
        if complete {
            self.present = 0;
        }
        complete
    }

    /// Those who have not answered.
    pub fn missing(&self) -> impl Iterator<Item = Who> {
        let present = self.present;
        Who::ALL.into_iter().filter(move |who| present & who.bit() == 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_complete_when_everybody_has_answered_and_then_begins_again() {
        let mut roll = RollCall::new();
        for who in Who::ALL {
            assert!(!roll.is_complete());
            assert!(roll.missing().any(|missing| missing == who));
            roll.check_in(who);
        }
        assert!(roll.is_complete());
        assert!(!roll.is_complete());
        assert_eq!(roll.missing().count(), Who::ALL.len());
    }

    #[test]
    fn one_who_answers_twice_does_not_answer_for_another() {
        let mut roll = RollCall::new();
        for who in Who::ALL {
            roll.check_in(if who == Who::Link { Who::Scan } else { who });
        }
        assert!(!roll.is_complete());
        assert_eq!(roll.missing().map(Who::name).collect::<Vec<_>>(), ["link"]);
    }
}
