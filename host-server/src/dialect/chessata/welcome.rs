//! The messages to a client that has entered, before any update.

use std::num::NonZero;

use axum::extract::ws::Utf8Bytes;
use chess::Color;

use super::broadcast::watcher_joins;
use super::message::{Chat, Extra, Init, InitExtras, Players, ScriptName, Side};
use super::view::{self, Past};
use crate::dialect::frame;
use crate::relay::Spectator;
use crate::room::{Participant, Phase, Room, Time};

/// The client that has entered.
#[derive(Clone, Copy, Debug)]
pub(super) struct Newcomer<'a> {
    pub(super) participant: &'a Participant,
    pub(super) color: Option<Color>,
    /// The token of the seat.
    pub(super) token: Option<&'a str>,
    pub(super) extras: bool,
    pub(super) spectators: usize,
}

/// The state of the room, without what the update about the client's own arrival will contain.
pub(super) fn welcome(newcomer: Newcomer<'_>, room: &Room, now: Time) -> Vec<Utf8Bytes> {
    let Newcomer { participant, color, token, extras, spectators } = newcomer;
    let init = Init {
        user_id: &participant.id,
        role: color.into(),
        extras: extras.then(|| InitExtras {
            token,
            color: Side(color),
            code: room.code().as_str(),
            name: &participant.name,
            chat: room.chat().map(Chat::from).collect(),
            players: Players::of(room, now),
            clock: room.terms().clock.map(Into::into),
            watching: NonZero::new(spectators),
            grace_ms: room.limits_absence().then_some(room.terms().grace),
            room: room.id().to_string(),
            rules: room.terms().start().name(),
            script: room.script().map(|script| ScriptName { id: script.id, title: &script.name }),
            review: None,
        }),
    };
    let mut frames = vec![frame(&init)];
    if let Some(color) = color {
        frames.extend(view::player_joins(room, color, extras));
    } else {
        frames.push(watcher_joins(&Spectator::from(participant), extras));
    }
    if color.is_some_and(|color| room.begins_with(color)) {
        // The update about the client's arrival contains the state.
        return frames;
    }
    if matches!(room.phase(), Phase::Playing | Phase::Over) {
        frames.push(view::start(room, color, now, extras));
    }
    view::state(room, &Past::Whole, now, extras, &mut frames);
    match (room.phase(), room.verdict()) {
        (Phase::Counting { until }, _) if extras => {
            frames.push(frame(&Extra::Countdown { ms: until.since(now) }));
        }
        (Phase::Over, Some(verdict)) => frames.push(view::end(room, verdict, now, extras)),
        _ => {}
    }
    frames
}
