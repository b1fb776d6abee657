//! A board on a desk: the pieces, the hands that move them, and the brain that feels them move.
//!
//! Nothing in here reads a clock or a key. Time and intents come in, a picture comes out.

mod hands;

use std::collections::VecDeque;

use board::{Brain, Instant, Stance};
use chess::{Piece, Square};

use super::dial;
use super::keys::Intent;
use super::picture::{Page, Picture};
use super::score::Score;
use super::start::Start;
use super::wood::Wood;
use crate::reeds::Reeds;
use crate::words;

/// The longest that anything on the board waits for, with room to spare. Who was away for longer has missed nothing.
const PATIENCE: u64 = 10_000;
/// How often a board is looked at on which something may be about to happen.
const SOON: u64 = 20;

pub(super) struct Desk {
    start: Start,
    brain: Box<Brain>,
    wood: Wood,
    reeds: Reeds,
    score: Score,
    cursor: Square,
    page: Page,
    pushing: bool,
    letters: bool,
    shows_reeds: bool,
    /// Where the mouse has taken hold of a piece.
    pressed: Option<Square>,
    wanted: VecDeque<Intent>,
    /// The last moment that the brain has seen.
    now: Instant,
    /// Until when the hands are busy with what they do.
    busy: Instant,
}

impl Desk {
    pub(super) fn new(start: Start) -> Self {
        let now = Instant::at(0);
        let wood = start.wood();
        let brain = start.brain(&wood, now);
        Self {
            // Where most games begin.
            cursor: if start.turned { Square::E7 } else { Square::E2 },
            start,
            brain,
            wood,
            reeds: Reeds::default(),
            score: Score::default(),
            page: Page::Game,
            pushing: false,
            letters: false,
            shows_reeds: false,
            pressed: None,
            wanted: VecDeque::new(),
            now,
            busy: now,
        }
    }

    /// What is wanted, as soon as the hands are free.
    pub(super) fn want(&mut self, intent: Intent) {
        self.wanted.push_back(intent);
    }

    /// Lives on to this moment, a millisecond and a scan at a time, as the real board does.
    pub(super) fn live(&mut self, until: Instant) {
        let missed = until.since(self.now).saturating_sub(PATIENCE);
        self.now = self.now.after(missed);
        while self.now < until {
            self.now = self.now.after(1);
            while self.now >= self.busy
                && let Some(intent) = self.wanted.pop_front()
            {
                self.obey(intent);
            }
            let closed = self.reeds.read(self.wood.occupied(), self.now);
            // What it decides to do is for the other end of a link, and there is none.
            let _ = self.brain.scan(self.start.turn(closed), self.now);
        }
    }

    /// Which page is shown when all that is wanted has been done.
    pub(super) fn page(&self) -> Page {
        let last = |page, intent: &Intent| match intent {
            Intent::Ask => Page::Asking,
            _ if page == Page::Asking => Page::Game,
            _ => page,
        };
        self.wanted.iter().fold(self.page, last)
    }

    /// When there may be something new to see although nobody has touched anything; never, if the board is still.
    pub(super) fn next_look(&mut self) -> Option<Instant> {
        // After the last touch the board may wait for the pieces to rest, for a new game the longest.
        let longest = self.brain.settings().hand.restart_rest;
        let at_rest = self.wanted.is_empty() && self.reeds.at_rest() && self.now.since(self.busy) > longest;
        let soon = (!at_rest).then(|| self.now.after(SOON));
        let light = self.brain.next_frame(self.now);
        let clock = self.brain.referee().clock().and_then(|clock| dial::next_change(clock, self.now));
        [soon, light, clock].into_iter().flatten().min()
    }

    /// What is to be seen.
    pub(super) fn picture(&mut self) -> Picture {
        let frame = self.brain.frame(self.now);
        let (game, referee) = (self.brain.game(), self.brain.referee());
        let reeds = self.reeds.read(self.wood.occupied(), self.now);
        Picture {
            turned: self.start.turned,
            letters: self.letters,
            standing: std::array::from_fn(|index| self.wood.at(Square::from_index(index as u8))),
            light: if self.start.turned { frame.rotated() } else { frame },
            cursor: self.cursor,
            pushing: self.pushing,
            hand: self.wood.in_hand().collect(),
            in_the_air: self.wood.in_the_air(),
            aside: self.wood.aside().to_vec(),
            page: self.page,
            headline: words::headline(game),
            clocks: referee.clock().map(|clock| dial::read(clock, self.now)),
            sentence: words::sentence(game, referee, self.now),
            note: self.mistaken(),
            score: self.score.of(game).to_vec(),
            weak: referee.weak(),
            reeds: self.shows_reeds.then(|| self.start.turn(reeds)),
        }
    }

    /// A piece that is not the one the game has there. No reed can tell, so somebody else has to.
    fn mistaken(&self) -> Option<String> {
        if self.brain.referee().stance() != Stance::Settled {
            return None;
        }
        let position = self.brain.game().position();
        Square::all().find_map(|square| match (self.wood.at(square), position.piece_at(square)) {
            (Some(wood), Some(game)) if wood != game => {
                let name = |piece: Piece| format!("a {} {}", piece.color(), piece.role());
                Some(format!("On {square} stands {}, and the game has {} there.", name(wood), name(game)))
            }
            _ => None,
        })
    }
}

#[cfg(test)]
mod tests;
