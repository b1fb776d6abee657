use std::sync::Arc;

use rules::{Start, StartError};
use serde::{Deserialize, Serialize};
use wire::link::ClockRule;

use super::computer::Computer;
use super::name::Name;
use super::told::ScriptTerms;

/// The default of [`Terms::longest_absence`]: thirty days.
const LONGEST_ABSENCE: u64 = 30 * 86_400_000;

/// The conditions of play, fixed when a room is opened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "TermsRepr", into = "TermsRepr")]
pub struct Terms {
    /// The time control, if the game is played with clocks.
    pub clock: Option<ClockRule>,
    /// Delay between the arrival of both players and the start of the game, in milliseconds.
    pub countdown: u64,
    /// How long a player may be disconnected before the opponent can claim the win, or before the game is lost if one of them has
    /// no means to claim, in milliseconds.
    pub grace: u64,
    /// The rules and the start position, if it is not the usual game of chess. Boxed because few rooms have one.
    pub start: Option<Box<Start>>,
    /// The script that has the rules, if one has them. The start is its answer.
    pub script: Option<Arc<ScriptTerms>>,
    /// The computer that takes the second seat, if the game is not between people.
    pub computer: Option<Computer>,
    /// The board on which two people play, if the room only follows the pieces on it: then no participant can take a seat.
    pub board: Option<Name>,
    /// Whether the first player has invited one opponent by a link. The invitation is valid for a day, also while that player is
    /// disconnected, and the room is only for these two: a seat that is given up after a game stays empty.
    pub by_invitation: bool,
    /// How long a game without a running clock waits while both players are disconnected, in milliseconds.
    pub longest_absence: u64,
}

impl Terms {
    /// Under which rules, and from where, games are played.
    #[must_use]
    pub fn start(&self) -> &Start {
        self.start.as_deref().unwrap_or(&Start::CHESS)
    }

    /// The same terms, with the rules of a script.
    #[must_use]
    pub fn by_script(self, script: ScriptTerms) -> Self {
        let start = Some(Box::new(Start::Told(script.start.turn(0))));
        Self { start, script: Some(Arc::new(script)), ..self }
    }
}

impl Default for Terms {
    fn default() -> Self {
        Self {
            clock: None,
            countdown: 0,
            grace: 60_000,
            start: None,
            script: None,
            computer: None,
            board: None,
            by_invitation: false,
            longest_absence: LONGEST_ABSENCE,
        }
    }
}

/// Terms, as stored in the log.
#[derive(Serialize, Deserialize)]
struct TermsRepr {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    clock: Option<ClockRule>,
    #[serde(default)]
    countdown: u64,
    grace: u64,
    /// The name of the rules; chess has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    rules: Option<String>,
    /// What the rules need to know of the start: in chess, the FEN of another position than the usual one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    start: Option<String>,
    /// The script that has the rules, with the start that it has told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    script: Option<ScriptTerms>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    computer: Option<Computer>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    board: Option<Name>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    by_invitation: bool,
    #[serde(default = "longest_absence", skip_serializing_if = "is_longest_absence")]
    longest_absence: u64,
}

const fn longest_absence() -> u64 {
    LONGEST_ABSENCE
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
const fn is_longest_absence(absence: &u64) -> bool {
    *absence == LONGEST_ABSENCE
}

impl From<Terms> for TermsRepr {
    fn from(terms: Terms) -> Self {
        let Terms { clock, countdown, grace, start, script, computer, board, by_invitation, longest_absence } = terms;
        let rules = start.as_ref().filter(|start| start.chess().is_none()).map(|start| start.name().to_owned());
        let start = start.filter(|_| script.is_none()).and_then(|start| Some(start.details()?.to_string()));
        let script = script.map(Arc::unwrap_or_clone);
        Self { clock, countdown, grace, rules, start, script, computer, board, by_invitation, longest_absence }
    }
}

impl TryFrom<TermsRepr> for Terms {
    type Error = BadStart;

    fn try_from(repr: TermsRepr) -> Result<Self, BadStart> {
        let TermsRepr {
            clock,
            countdown,
            grace,
            rules,
            start,
            script,
            computer,
            board,
            by_invitation,
            longest_absence,
        } = repr;
        if let Some(script) = script {
            let usual =
                Self { clock, countdown, grace, computer, board, by_invitation, longest_absence, ..Self::default() };
            return Ok(usual.by_script(script));
        }
        let start = match (rules, start) {
            (None, None) => None,
            (rules, details) => Some(Box::new(read_start(rules, details)?)),
        };
        Ok(Self { clock, countdown, grace, start, script: None, computer, board, by_invitation, longest_absence })
    }
}

/// The start that is stored by this name of rules, or as chess without one.
pub(crate) fn read_start(rules: Option<String>, details: Option<String>) -> Result<Start, BadStart> {
    let read = Start::read(rules.as_deref().unwrap_or(Start::CHESS.name()), details.as_deref());
    read.map_err(|why| BadStart { rules, details, why })
}

/// Why the stored start of a game cannot be read.
#[derive(Debug, thiserror::Error)]
pub(crate) struct BadStart {
    rules: Option<String>,
    details: Option<String>,
    why: StartError,
}

impl std::fmt::Display for BadStart {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { rules, details, why } = self;
        if let Some(rules) = rules {
            write!(f, "rules {rules:?}, ")?;
        }
        write!(f, "start position {:?} is invalid: {why}", details.as_deref().unwrap_or_default())
    }
}
