//! What each fact changes. Nothing is judged here: what is in a log has been judged, and has happened.

use std::mem;
use std::sync::Arc;

use chess::{Game, Position};

use super::clock::Clock;
use super::fact::{Entry, Fact};
use super::name::GameId;
use super::seat::{Presence, Seated, index};
use super::sheet::Sheet;
use super::time::Time;
use super::{CHAT_KEPT, Line, Phase, Room};

impl Room {
    /// A room, from the first line of its log.
    pub(super) fn open(entry: &Entry) -> Option<Self> {
        let Fact::Opened { room, code, terms, on } = &entry.fact else { return None };
        Some(Self {
            id: *room,
            code: code.clone(),
            terms: terms.clone(),
            opened_on: *on,
            opened_at: entry.at,
            version: 1,
            last_at: entry.at,
            moved_at: entry.at,
            was_used: false,
            seats: [None, None],
            phase: Phase::Waiting,
            game_id: GameId(0),
            games: 0,
            game: begin(terms.start.as_deref()),
            clock: None,
            clock_after: Vec::new(),
            ending: None,
            draw_offer: None,
            draw_asked: [None; 2],
            takeback: None,
            rematch: None,
            hints: [false; 2],
            chat: std::collections::VecDeque::new(),
            lines: 0,
        })
    }

    /// Takes the next line of the log into account.
    pub fn apply(&mut self, entry: &Entry) {
        let at = entry.at;
        self.version += 1;
        self.last_at = self.last_at.max(at);
        if let Some(origin) = entry.from
            && let Some(seated) = &mut self.seats[index(origin.color)]
        {
            seated.heard = Some(origin);
        }
        match &entry.fact {
            Fact::Opened { .. } => {}
            Fact::Sat { color, player } => {
                self.was_used = true;
                let seated = Seated { player: player.clone(), presence: Presence::Away(at), heard: None };
                self.seats[index(*color)] = Some(seated);
            }
            &Fact::Came { color, relay } => {
                if let Some(seated) = &mut self.seats[index(color)] {
                    seated.came(relay);
                }
            }
            &Fact::Went { color, relay } => {
                if let Some(seated) = &mut self.seats[index(color)] {
                    seated.went(relay, at);
                }
            }
            &Fact::Left { color } => {
                self.seats[index(color)] = None;
                self.rematch = None;
                // Whoever sits there next has agreed to nothing.
                self.hints[index(color)] = false;
                if self.phase == Phase::Over {
                    // Whoever comes now plays a new game.
                    self.phase = Phase::Waiting;
                }
            }
            &Fact::Counting { until } => self.phase = Phase::Counting { until },
            Fact::Halted => self.phase = Phase::Waiting,
            &Fact::Began { game, swapped } => self.begin(game, swapped, at),
            &Fact::Moved { mv, took } => {
                let mover = self.game.position().turn();
                if self.game.play(mv).is_ok() {
                    self.moved_at = at;
                    self.takeback = None;
                    if let Some(clock) = &mut self.clock {
                        clock.press(mover, took, at);
                        self.clock_after.push(clock.left(mover, at).try_into().unwrap_or(u32::MAX));
                    }
                }
            }
            &Fact::DrawOffered { color } => {
                self.draw_offer = Some(color);
                self.draw_asked[index(color)] = Some(self.game.moves().len());
            }
            Fact::DrawDeclined => self.draw_offer = None,
            &Fact::TakebackAsked { color, plies } => self.takeback = Some((color, plies)),
            Fact::TakebackDeclined => self.takeback = None,
            &Fact::TakenBack { plies, took } => self.take_back(plies, took, at),
            &Fact::RematchOffered { color } => self.rematch = Some(color),
            Fact::RematchDeclined => self.rematch = None,
            &Fact::Hints { color, on } => self.hints[index(color)] = on,
            &Fact::Ended(ending) => {
                self.phase = Phase::Over;
                self.ending = Some(ending);
                self.draw_offer = None;
                self.takeback = None;
                if let Some(clock) = &mut self.clock {
                    clock.stop(at);
                }
            }
            Fact::Said { speaker, text } => {
                self.lines += 1;
                if self.chat.len() == CHAT_KEPT {
                    self.chat.pop_front();
                }
                self.chat.push_back(Arc::new(Line { speaker: speaker.clone(), text: text.clone() }));
            }
            Fact::Closed => self.phase = Phase::Closed,
        }
    }

    fn begin(&mut self, game: GameId, swapped: bool, at: Time) {
        if swapped {
            let [white, black] = &mut self.seats;
            mem::swap(white, black);
            self.hints.swap(0, 1);
        }
        self.phase = Phase::Playing;
        self.game_id = game;
        self.games += 1;
        self.game = begin(self.terms.start.as_deref());
        self.clock = self.terms.clock.and_then(Clock::new);
        self.clock_after.clear();
        self.ending = None;
        self.draw_offer = None;
        self.draw_asked = [None; 2];
        self.takeback = None;
        self.rematch = None;
        self.moved_at = at;
    }

    fn take_back(&mut self, plies: u8, took: u64, at: Time) {
        self.takeback = None;
        self.draw_offer = None;
        let plies = self.game.moves().len().saturating_sub(plies.into());
        let kept = self.game.moves()[..plies].to_vec();
        let start = *self.game.start();
        self.game.restart(start);
        for mv in kept {
            // It has been played before.
            let _ = self.game.play(mv);
        }
        self.clock_after.truncate(plies);
        for asked in &mut self.draw_asked {
            // Another move of one's own is counted from here.
            *asked = asked.map(|asked| asked.min(plies));
        }
        if let Some(clock) = &mut self.clock {
            // Before the first move it stands still.
            let turn = Some(self.game.position().turn()).filter(|_| plies > 0);
            clock.hand_over(turn, took, at);
        }
        self.moved_at = at;
    }
}

/// A game from where games begin here.
fn begin(start: Option<&str>) -> Game<Sheet> {
    let mut game = Game::on(Sheet::default());
    if let Some(position) = start.and_then(|fen| fen.parse::<Position>().ok()) {
        game.restart(position);
    }
    game
}
