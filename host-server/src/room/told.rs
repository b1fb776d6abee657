//! Games whose rules are a script. The room does not execute scripts: where a fact needs a ruling, it asks a [`ScriptQuestion`], and the command is
//! attempted again with the answer.

use std::sync::Arc;

use chess::Color;
use rules::told::Position;
use rules::{AnyPosition, Ply, Start};
use serde::{Deserialize, Serialize};

use super::act::Act;
use super::fact::Fact;
use super::name::ScriptId;
use super::ruling::{LARGEST_RULING, MAX_TOLD_PLIES, Ruling};
use super::time::Time;
use super::{Phase, Refusal, Room};
use crate::hex::{self, Hex};
use crate::scripts::ScriptMove;

/// Which rules a room is played by, if they are a script.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScriptTerms {
    /// The script, in the store.
    pub id: ScriptId,
    /// What players see as its name.
    pub name: String,
    /// The start of the first game. A rematch asks the script again.
    pub start: Ruling,
}

/// The most bytes that the answers of a script may take in the log of a game, with those that were taken back.
const MAX_RULINGS: usize = 4 << 20;

/// Every game can be played to its end: the start and all plies have room.
const _: () = assert!((MAX_TOLD_PLIES as usize + 1) * LARGEST_RULING <= MAX_RULINGS);

/// The most bytes that the answers may take in all games of a room. A game begins only if there is room for all of it.
const MAX_RULINGS_OF_ROOM: usize = 4 * MAX_RULINGS;

/// The most time that a player gets back for the time in which a script was asked what the moves do, in milliseconds. The player could not see them
/// yet.
const FOOTPRINTS_TIME_CREDIT_MS: u64 = 3_000;

/// What a script has to be asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScriptQuestion {
    #[expect(missing_docs, reason = "the name says it")]
    pub script: ScriptId,
    /// What is asked.
    pub ask: Ask,
}

/// What a script is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ask {
    /// How a game starts.
    Start,
    /// What follows from a move.
    Move {
        /// The state before it.
        before: Ruling,
        #[expect(missing_docs, reason = "the name says it")]
        played: ScriptMove,
        /// The side that moves after it.
        next_turn: Color,
    },
    /// What every possible move would do to the pieces, for a board.
    Footprints {
        /// The state before the moves.
        before: Ruling,
        /// The number of the turn.
        number: u16,
    },
}

/// The answer to a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answered {
    /// The question that was asked. An answer to another question is of no use.
    pub question: ScriptQuestion,
    /// What was answered.
    pub reply: Reply,
}

/// What a script, or the relay after asking it for every move, has answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// The state of the game.
    Ruling(Ruling),
    /// What the moves do to the reeds.
    Footprints(Footprints),
}

/// The footprints of a turn that are more than one piece that moves, in the form of [`Position::changes`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Footprints(pub Arc<[u8]>);

impl Serialize for Footprints {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&Hex(&self.0))
    }
}

impl<'de> Deserialize<'de> for Footprints {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = <std::borrow::Cow<'de, str>>::deserialize(deserializer)?;
        hex::parse(&text).map(|bytes| Self(bytes.into())).map_err(serde::de::Error::custom)
    }
}

impl Room {
    /// The script by which the room plays.
    #[must_use]
    pub fn script(&self) -> Option<&ScriptTerms> {
        self.terms.script.as_deref()
    }

    /// The last answer of the script: the state of the game.
    #[must_use]
    pub fn ruling(&self) -> Option<&Ruling> {
        self.rulings.last()
    }

    /// The position from which the game started.
    #[must_use]
    pub fn start_position(&self) -> AnyPosition {
        match self.rulings.first() {
            Some(start) => AnyPosition::Told(start.turn(0)),
            None => AnyPosition::at(&self.game.start()),
        }
    }

    /// The position before the last ply; nothing if no ply was played.
    #[must_use]
    pub fn before_last(&self) -> Option<AnyPosition> {
        let earlier = self.game.len().checked_sub(1)?;
        self.checkpoints.position(&self.game, earlier).or_else(|| self.game.before_last())
    }

    /// The plies of the game, each with the positions before and after it.
    pub fn positions(&self) -> impl Iterator<Item = (Ply, AnyPosition, AnyPosition)> + '_ {
        // A game contains only legal plies.
        self.game.plies_from(0).zip(1_usize..).scan(self.start_position(), move |position, (ply, number)| {
            let before = *position;
            *position = match self.rulings.get(number) {
                Some(ruling) => AnyPosition::Told(ruling.turn(u16::try_from(number).unwrap_or(u16::MAX))),
                None => position.after(ply)?,
            };
            Some((ply, before, *position))
        })
    }

    /// Adds rulings to facts that need them. If one is missing, returns the question.
    pub(super) fn rule(&self, facts: &mut [Fact], answered: Option<&Answered>) -> Result<(), Box<ScriptQuestion>> {
        let Some(script) = self.script() else { return Ok(()) };
        for fact in facts {
            let Some(ask) = self.ask(fact) else { continue };
            let question = ScriptQuestion { script: script.id, ask };
            match (fact, answered.filter(|answered| answered.question == question).map(|answered| &answered.reply)) {
                (Fact::Moved { ruling, .. } | Fact::Began { start: ruling, .. }, Some(Reply::Ruling(found))) => {
                    *ruling = Some(found.clone());
                }
                (Fact::FootprintsAdded { footprints, .. }, Some(Reply::Footprints(found))) => {
                    *footprints = found.clone();
                }
                _ => return Err(Box::new(question)),
            }
        }
        Ok(())
    }

    /// What a fact needs to know.
    fn ask(&self, fact: &Fact) -> Option<Ask> {
        let before = self.ruling()?.clone();
        match *fact {
            Fact::Moved { ply, .. } => {
                let played = ScriptMove { from: ply.from(), to: ply.to() };
                Some(Ask::Move { before, played, next_turn: !self.game.to_move() })
            }
            // A second game of the same players may have another start, if the script has several.
            Fact::Began { swapped: true, .. } => Some(Ask::Start),
            Fact::FootprintsAdded { number, .. } => Some(Ask::Footprints { before, number }),
            _ => None,
        }
    }

    /// Refuses a move if the log has no room for another answer, which a log of this version always has.
    pub(super) const fn check_rulings(&self) -> Result<(), Refusal> {
        if self.ruling_bytes > MAX_RULINGS { Err(Refusal::TooLong) } else { Ok(()) }
    }

    /// Refuses to take plies back if the log might lack the room for the rest of the game then.
    pub(super) fn check_taking_back(&self, plies: u8) -> Result<(), Refusal> {
        let left = usize::from(MAX_TOLD_PLIES).saturating_sub(self.game.len().saturating_sub(plies.into()));
        let needed = self.ruling_bytes.saturating_add(left * LARGEST_RULING);
        if self.script().is_some() && needed > MAX_RULINGS { Err(Refusal::TooManyTakebacks) } else { Ok(()) }
    }

    /// Refuses another game if the log might lack the room for it.
    pub(super) fn check_another_game(&self) -> Result<(), Refusal> {
        let needed = self.ruling_bytes_in_total.saturating_add(MAX_RULINGS);
        if self.script().is_some() && needed > MAX_RULINGS_OF_ROOM { Err(Refusal::TooLong) } else { Ok(()) }
    }

    /// What the answer of the script to an act will probably take in the log, in bytes: as much as the last one to such an act.
    #[must_use]
    pub fn expected_ruling(&self, act: &Act) -> usize {
        let last = match act {
            Act::Move { .. } => self.rulings.last(),
            Act::OfferRematch | Act::AcceptRematch => self.script().map(|script| &script.start),
            _ => None,
        };
        last.map_or(0, Ruling::size)
    }

    /// The facts of a board's request for the footprints of this turn.
    pub(super) fn request_footprints(&self, number: usize) -> Result<Vec<Fact>, Refusal> {
        if self.phase != Phase::Playing || self.script().is_none() || number != self.game.len() {
            return Err(Refusal::Stale);
        }
        let number = u16::try_from(number).unwrap_or(u16::MAX);
        Ok(if self.has_footprints {
            vec![]
        } else {
            vec![Fact::FootprintsAdded { number, footprints: Footprints::default() }]
        })
    }

    /// Whether the footprints of this turn are known, or those of a game that is not told, which follow from its rules.
    #[must_use]
    pub const fn has_footprints(&self) -> bool {
        self.has_footprints || self.terms.script.is_none()
    }

    /// A game starts with this ruling, or with that of the terms.
    pub(super) fn start_told(&mut self, start: Option<&Ruling>) {
        let Some(script) = self.terms.script.clone() else { return };
        let start = start.unwrap_or(&script.start).clone();
        Arc::make_mut(&mut self.game).restart(&Start::Told(start.turn(0)));
        self.ruling_bytes = start.size();
        self.ruling_bytes_in_total = self.ruling_bytes_in_total.saturating_add(self.ruling_bytes);
        self.rulings = vec![start];
        self.has_footprints = false;
    }

    /// A ply was played, and this is what follows.
    pub(super) fn add_ruling(&mut self, ruling: &Ruling) {
        self.ruling_bytes = self.ruling_bytes.saturating_add(ruling.size());
        self.ruling_bytes_in_total = self.ruling_bytes_in_total.saturating_add(ruling.size());
        self.rulings.push(ruling.clone());
        self.tell();
    }

    /// Takes back all plies after the first `plies` of a told game.
    pub(super) fn take_back_told(&mut self, plies: usize) {
        if !self.rulings.is_empty() {
            self.rulings.truncate(plies.saturating_add(1));
            self.tell();
        }
    }

    /// Tells the turn after the last ruling to the game.
    fn tell(&mut self) {
        let number = self.rulings.len().saturating_sub(1);
        let turn = |number: usize| {
            self.rulings.get(number).map(|ruling| ruling.turn(u16::try_from(number).unwrap_or(u16::MAX)))
        };
        let Some(now) = turn(number) else { return };
        let ply = number.checked_sub(1).and_then(|before| Some((turn(before)?, self.game.plies_from(before).next()?)));
        let now = match ply {
            Some((before, ply)) => now.reached(&before, ply),
            None => now,
        };
        Arc::make_mut(&mut self.game).tell(&now);
        self.has_footprints = false;
    }

    /// A board knows from now on what the moves of this turn do.
    /// The player gets the time back in which the script was asked.
    pub(super) fn add_footprints(&mut self, number: u16, footprints: &Footprints, at: Time) {
        let turn: Option<Position> = match self.game.position() {
            AnyPosition::Told(turn) if turn.number() == number => turn.with_changes(&footprints.0),
            _ => None,
        };
        if let Some(turn) = turn {
            Arc::make_mut(&mut self.game).tell(&turn);
            self.has_footprints = true;
            if let Some(clock) = &mut self.clock {
                clock.credit(FOOTPRINTS_TIME_CREDIT_MS, at);
            }
        }
    }
}
