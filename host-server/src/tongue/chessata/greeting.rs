//! What somebody who comes in is told, before anything that happens.

use std::num::NonZero;

use axum::extract::ws::Utf8Bytes;
use chess::Color;

use super::scene::{self, Past};
use super::telling::watcher_joins;
use super::writing::{Chat, Extra, Init, InitExtras, Players, Side};
use crate::relay::{Visitor, Watcher};
use crate::room::{Phase, Room, Seated, Time};
use crate::tongue::frame;

/// Who is told, and how.
#[derive(Clone, Copy, Debug)]
pub(super) struct Newcomer<'a> {
    pub(super) visitor: &'a Visitor,
    pub(super) color: Option<Color>,
    /// The secret of the seat.
    pub(super) token: Option<&'a str>,
    pub(super) extras: bool,
    /// How many watch already.
    pub(super) watching: usize,
}

/// Everything about a room that the newcomer does not hear anyway as soon as it is told that they have come.
pub(super) fn greet(newcomer: Newcomer<'_>, room: &Room, now: Time) -> Vec<Utf8Bytes> {
    let Newcomer { visitor, color, token, extras, watching } = newcomer;
    let init = Init {
        user_id: &visitor.id,
        role: color.into(),
        extras: extras.then(|| InitExtras {
            token,
            color: Side(color),
            code: room.code().as_str(),
            name: &visitor.name,
            chat: room.chat().map(Chat::from).collect(),
            players: Players::of(room),
            clock: room.terms().clock.map(Into::into),
            watching: NonZero::new(watching),
        }),
    };
    let mut frames = vec![frame(&init)];
    if let Some(color) = color {
        frames.extend(scene::player_joins(room, color, extras));
    } else {
        let watcher = Watcher { id: visitor.id.clone(), name: visitor.name.clone() };
        frames.push(watcher_joins(&watcher, extras));
    }
    if begins_at_once(room, color) {
        return frames;
    }
    if matches!(room.phase(), Phase::Playing | Phase::Over) {
        frames.push(scene::start(room, color, extras));
    }
    scene::state(room, &Past::Whole, now, extras, &mut frames);
    match (room.phase(), room.ending()) {
        (Phase::Counting { until }, _) if extras => {
            frames.push(frame(&Extra::Countdown { ms: until.since(now) }));
        }
        (Phase::Over, Some(ending)) => frames.push(scene::end(room, ending, now, extras)),
        _ => {}
    }
    frames
}

/// Whether the game begins because the newcomer has come: then its state comes with its beginning.
fn begins_at_once(room: &Room, color: Option<Color>) -> bool {
    let is_opponent_here = color.is_some_and(|color| room.seat(!color).is_some_and(Seated::is_here));
    room.phase() == Phase::Waiting && room.terms().countdown == 0 && is_opponent_here
}
