//! Answers the questions of rooms whose rules are a script.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use rules::Ply;
use rules::told::footprint_between;
use tokio::task::JoinSet;
use tokio::time::{Instant, timeout_at};

use super::script_library::ScriptLibrary;
use crate::room::{Answered, Ask, Code, Footprints, Reply, Ruling, ScriptId, ScriptQuestion, TooManyMoves};
use crate::scripts::{Caller, Culprit, ScriptAnswer, ScriptError, ScriptMove, Scripts};
use crate::store::{Store, StoreError};

/// How long a script is asked what the moves of a turn do. Moves that it has not answered by then count as moves of one piece, and the lights of
/// the board guide the other pieces afterwards.
const LOOKAHEAD: Duration = Duration::from_secs(2);

/// Moves of a turn that are asked at the same time.
const CONCURRENT: usize = 4;

/// Asks the scripts that rooms are played by.
#[derive(Debug)]
pub(super) struct Rulings {
    scripts: OnceLock<Scripts>,
    pub(super) library: ScriptLibrary,
}

/// Why a script has not ruled. The game is as it was.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the texts say it")]
pub enum RulingError {
    #[error("The script of this game failed: {0}.")]
    Script(ScriptError),
    #[error("The script of this game failed: {0}.")]
    TooManyMoves(TooManyMoves),
    #[error("The script {0} is not stored here any more. The game goes on when the same text is stored again.")]
    Unknown(ScriptId),
    #[error("{}", .0.for_clients())]
    Store(StoreError),
}

impl RulingError {
    /// Whether the script is at fault, and not the relay.
    #[must_use]
    pub const fn is_of_script(&self) -> bool {
        match self {
            Self::Script(error) => matches!(error.culprit(), Culprit::Script),
            Self::TooManyMoves(_) => true,
            Self::Unknown(_) | Self::Store(_) => false,
        }
    }

    /// Whether the script has used up its time or memory, which costs the relay more than any other answer.
    #[must_use]
    pub const fn is_of_limits(&self) -> bool {
        matches!(self, Self::Script(ScriptError::Timeout { .. } | ScriptError::Memory { .. }))
    }

    /// Why, for a script that no game is played by yet.
    #[must_use]
    pub fn reason(&self) -> String {
        match self {
            Self::Script(error) => error.to_string(),
            Self::TooManyMoves(error) => error.to_string(),
            Self::Unknown(_) | Self::Store(_) => self.to_string(),
        }
    }

    /// The line of the script, if the error has one.
    #[must_use]
    pub const fn line(&self) -> Option<u32> {
        match self {
            Self::Script(error) => error.line(),
            _ => None,
        }
    }
}

impl Rulings {
    pub(super) fn new(store: Arc<dyn Store>) -> Self {
        Self { scripts: OnceLock::new(), library: ScriptLibrary::new(store) }
    }

    pub(super) fn execute_with(&self, scripts: Scripts) {
        // The first one stays.
        let _ = self.scripts.set(scripts);
    }

    fn scripts(&self) -> Result<&Scripts, RulingError> {
        let missing = || ScriptError::Unavailable("it was started without them".to_owned());
        self.scripts.get().ok_or_else(|| RulingError::Script(missing()))
    }

    /// The start of a game by a script that may not be stored.
    pub(super) async fn start(&self, text: &str) -> Result<Ruling, RulingError> {
        ruling(self.scripts()?.starting_state(text).await)
    }

    /// The answer to a question of the room with this code.
    pub(super) async fn ask(&self, room: &Code, question: ScriptQuestion) -> Result<Answered, RulingError> {
        let scripts = &self.scripts()?.asked_by(Caller::of(room.as_str()));
        let script = question.script;
        let text = self.library.get(script).await.map_err(RulingError::Store)?.ok_or(RulingError::Unknown(script))?;
        let reply = match &question.ask {
            Ask::Start => Reply::Ruling(ruling(scripts.starting_state(&text).await)?),
            Ask::Move { before, played, next_turn } => {
                let ScriptAnswer { pieces, additional_data, .. } = before.answer();
                let made = scripts.make_move(&text, pieces, *played, *next_turn, additional_data).await;
                Reply::Ruling(ruling(made)?)
            }
            Ask::Footprints { before, number } => {
                Reply::Footprints(ask_footprints(scripts, &text, before, *number).await?)
            }
        };
        Ok(Answered { question, reply })
    }
}

fn ruling(answer: Result<ScriptAnswer, ScriptError>) -> Result<Ruling, RulingError> {
    Ruling::new(answer.map_err(RulingError::Script)?).map_err(RulingError::TooManyMoves)
}

/// Asks what each move of a turn would do. If the relay fails at it, there is no answer: the log would keep it for the whole turn.
async fn ask_footprints(
    scripts: &Scripts,
    text: &Arc<str>,
    before: &Ruling,
    number: u16,
) -> Result<Footprints, RulingError> {
    let mut turn = before.turn(number);
    let until = Instant::now() + LOOKAHEAD;
    let mut moves = before.answer().possible_moves.iter().copied();
    let mut running = JoinSet::new();
    let mut answered = 0;
    let next_turn = !turn.to_move();
    loop {
        while running.len() < CONCURRENT
            && let Some(played) = moves.next()
        {
            let (scripts, text, before) = (scripts.clone(), text.clone(), before.clone());
            running.spawn(async move {
                let ScriptAnswer { pieces, additional_data, .. } = before.answer();
                (played, scripts.look_ahead(&text, pieces, played, next_turn, additional_data).await)
            });
        }
        match timeout_at(until, running.join_next()).await {
            Ok(Some(Ok((ScriptMove { from, to }, Ok(answer))))) => {
                answered += 1;
                if let Ok(after) = Ruling::new(answer) {
                    let after = after.turn(number.saturating_add(1));
                    let footprint = footprint_between(turn.pieces(), after.pieces(), Ply::new(from, to));
                    // One that does not fit counts as the move of one piece.
                    let _ = turn.add_footprint(&footprint);
                }
            }
            Ok(Some(Ok((_, Err(error))))) if error.culprit() == Culprit::Relay => {
                return Err(RulingError::Script(error));
            }
            // A move that the script fails on cannot be played either.
            Ok(Some(_)) => answered += 1,
            // A script needs much less time for one move.
            Err(_) if answered == 0 => return Err(RulingError::Script(ScriptError::Busy)),
            Ok(None) | Err(_) => return Ok(Footprints(turn.changes().into())),
        }
    }
}
