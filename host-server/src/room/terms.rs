use serde::{Deserialize, Serialize};
use wire::link::ClockRule;

/// What was agreed when a room was opened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Terms {
    /// How the players' time is counted, if it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<ClockRule>,
    /// How long both players are looked at before a game begins, in milliseconds.
    #[serde(default)]
    pub countdown: u64,
    /// How long a player may be away, in milliseconds.
    pub grace: u64,
    /// Where games begin, if not where chess begins.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<String>,
}

impl Default for Terms {
    fn default() -> Self {
        Self { clock: None, countdown: 0, grace: 60_000, start: None }
    }
}
