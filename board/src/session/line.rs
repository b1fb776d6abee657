use wire::link::{Channel, Goodbye, Seen};

use super::End;
use super::loading::Loading;
use super::telling::Telling;
use super::watch::Watch;
use crate::time::Instant;

/// One connection, and what belongs to it alone. When it is gone, all of this is.
#[derive(Debug)]
pub(super) struct Line {
    pub(super) channel: Channel,
    pub(super) watch: Watch,
    /// What this side says it has heard. It was fixed before anything came over this connection.
    pub(super) seen: Seen,
    /// This side's hello has been sent.
    pub(super) greeted: bool,
    /// The other side's hello has come.
    pub(super) welcomed: bool,
    /// Up to which number this side's events have been sent, or can be done without.
    sent: u32,
    /// Up to which number the other side has acknowledged.
    acknowledged: u32,
    /// Up to which number the other side's events have been acknowledged.
    pub(super) thanked: u32,
    /// The number of the last game that was sent.
    told: u32,
    /// The other side has passed over the last game, and waits for the next.
    owes: bool,
    /// The game that is being sent.
    pub(super) telling: Option<Telling>,
    /// The game that is being received.
    pub(super) loading: Option<Loading>,
    pub(super) passing: Passing,
    pub(super) due: Due,
    pub(super) goodbye: Option<Goodbye>,
}

/// What is passed over of what the other side says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Passing {
    Nothing,
    /// A game, up to its end. Everything that it stands for has been heard.
    Game,
    /// Everything up to the next game, since this one stands for more. The other side will see from what this side sends
    /// that it was not taken.
    Everything,
}

/// What has no number and waits to be said.
#[derive(Clone, Copy, Debug)]
pub(super) struct Due {
    pub(super) pong: bool,
    pub(super) wood: bool,
    pub(super) live: bool,
}

impl Line {
    pub(super) const fn new(end: End, channel: Channel, seen: Seen, now: Instant) -> Self {
        Self {
            channel,
            watch: Watch::new(end, now),
            seen,
            greeted: false,
            welcomed: false,
            sent: 0,
            acknowledged: 0,
            thanked: 0,
            told: 0,
            owes: false,
            telling: None,
            loading: None,
            passing: Passing::Nothing,
            due: Due { pong: false, wood: true, live: true },
            goodbye: None,
        }
    }

    /// The other side has said hello, and goes on in this stream. It has this side's events up to this number.
    pub(super) const fn welcome(&mut self, stream: u64, last: u32) {
        self.welcomed = true;
        self.sent = last;
        self.acknowledged = last;
        self.thanked = if self.seen.stream == stream { self.seen.last } else { 0 };
    }

    pub(super) const fn sent(&self) -> u32 {
        self.sent
    }

    /// This side's events have been sent up to here.
    pub(super) const fn send(&mut self, number: u32, now: Instant) {
        self.sent = number;
        self.watch.sent(now);
    }

    /// The other side has acknowledged this side's events up to here. It may have heard them over an earlier connection,
    /// and need not be told again; but a game that is half told has to be told to the end.
    pub(super) fn acknowledge(&mut self, number: u32, now: Instant) {
        self.acknowledged = self.acknowledged.max(number);
        if self.telling.is_none() {
            self.sent = self.sent.max(number);
        }
        self.watch.acknowledged(self.acknowledged >= self.sent, now);
    }

    /// Begins to send the game, which stands for everything up to this number.
    pub(super) const fn tell(&mut self, telling: Telling, number: u32) {
        self.telling = Some(telling);
        self.told = number;
    }

    /// The game that was being sent is complete.
    pub(super) fn complete(&mut self, now: Instant) {
        self.telling = None;
        self.owes = false;
        self.send(self.told, now);
    }

    /// Whether the other side waits for a game: because it has been given a part of one, or passed over one, or lacks
    /// some of what can no longer be told one by one.
    pub(super) const fn owes_game(&self, unspeakable: u32) -> bool {
        self.telling.is_some() || self.owes || self.sent < unspeakable
    }

    /// A game of the other side has been taken which has heard up to here. If that is less than the last game that was
    /// sent stands for, the two have crossed: the other side has passed over that game, and has to be sent what became
    /// of it.
    pub(super) fn yield_to(&mut self, heard: u32, now: Instant) {
        if heard < self.told {
            self.sent = self.acknowledged;
            self.owes = true;
            self.watch.acknowledged(true, now);
        }
    }
}
