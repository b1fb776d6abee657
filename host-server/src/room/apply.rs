//! Applies entries of the log to a room. Nothing is validated here: `attempt.rs` has decided before the entry was written.

use std::mem;
use std::sync::{Arc, LazyLock};

use chess::Color;
use rules::Play;

use super::checkpoints::Checkpoints;
use super::clock::Clock;
use super::fact::{Entry, Fact, Offer};
use super::name::GameId;
use super::seat::{Presence, Seated, index};
use super::sheet::Sheet;
use super::terms::Terms;
use super::time::Time;
use super::{CHAT_KEPT, ChatLine, Phase, Room, TakebackRequest};

impl Room {
    /// Creates a room from the first entry of its log.
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
            began_at: entry.at,
            host: None,
            seats: [None, None],
            left: [None, None],
            phase: Phase::Waiting,
            game_id: GameId(0),
            games: 0,
            game: new_game(terms),
            checkpoints: Checkpoints::default(),
            rulings: terms.script.iter().map(|script| script.start.clone()).collect(),
            ruling_bytes: 0,
            ruling_bytes_in_total: 0,
            has_footprints: false,
            clock: None,
            frozen_until: None,
            clock_after: Vec::new(),
            verdict: None,
            leaver: None,
            draw_offer: None,
            draw_asked: [None; 2],
            takeback: None,
            takebacks: 0,
            rematch: None,
            hints: [false; 2],
            disconnections: 0,
            chat: std::collections::VecDeque::new(),
            lines: 0,
            chat_bytes: 0,
        })
    }

    /// Applies the next entry of the log.
    pub fn apply(&mut self, entry: &Entry) {
        let at = entry.at;
        self.version += 1;
        self.last_at = self.last_at.max(at);
        if let Some(origin) = entry.from
            && let Some(seated) = &mut self.seats[index(origin.color)]
        {
            Arc::make_mut(seated).last_event = Some(origin.id());
        }
        match &entry.fact {
            Fact::Opened { .. } => {}
            Fact::Sat { color, player } => {
                let is_unconnected = player.is_unconnected();
                if !is_unconnected && self.host.is_none() {
                    self.host = Some(*color);
                }
                // With a computer only the person decides about hints.
                self.hints[index(*color)] = is_unconnected;
                let presence = if is_unconnected { Presence::Here(Vec::new()) } else { Presence::Away(at) };
                let seated = Seated { player: player.clone(), presence, last_event: None };
                self.seats[index(*color)] = Some(Arc::new(seated));
                self.left[index(*color)] = None;
            }
            &Fact::Connected { color, relay } => {
                if let Some(seated) = &mut self.seats[index(color)] {
                    Arc::make_mut(seated).connected(relay);
                }
            }
            &Fact::Disconnected { color, relay } => {
                self.disconnections = self.disconnections.saturating_add(1);
                if let Some(seated) = &mut self.seats[index(color)] {
                    Arc::make_mut(seated).disconnected(relay, at);
                }
            }
            &Fact::Left { color } => self.free_seat_of(color),
            &Fact::CountdownStarted { until } => self.phase = Phase::Counting { until },
            Fact::CountdownStopped => self.phase = Phase::Waiting,
            &Fact::Began { game, swapped, ref start } => {
                self.begin(game, swapped, at);
                self.start_told(start.as_ref());
            }
            &Fact::Moved { ply, took, ref ruling } => {
                let mover = self.game.to_move();
                if Arc::make_mut(&mut self.game).play(ply).is_ok() {
                    self.checkpoints.record(&self.game);
                    if let Some(ruling) = ruling {
                        self.add_ruling(ruling);
                    }
                    self.moved_at = at;
                    self.takeback = None;
                    let freeze = self.game.situation().freeze();
                    self.frozen_until = freeze.map(|freeze| at.after(freeze.ms.into()));
                    if let Some(clock) = &mut self.clock {
                        clock.press(mover, self.game.to_move(), took, at);
                        if let Some(freeze) = freeze {
                            clock.freeze(freeze);
                        }
                        self.clock_after.push(clock.left(mover, at).try_into().unwrap_or(u32::MAX));
                    }
                }
            }
            &Fact::FootprintsAdded { number, ref footprints } => self.add_footprints(number, footprints, at),
            &Fact::DrawOffered { color } => {
                self.draw_offer = Some(color);
                self.draw_asked[index(color)] = Some(self.game.len());
            }
            Fact::DrawDeclined => self.draw_offer = None,
            &Fact::TakebackAsked { color, plies } => self.takeback = Some(TakebackRequest { by: color, plies }),
            Fact::TakebackDeclined => self.takeback = None,
            &Fact::TakenBack { plies, took } => self.take_back(plies, took, at),
            &Fact::Corrected { took } => self.undo(1, took, at),
            &Fact::RematchOffered { color } => self.rematch = Some(color),
            Fact::RematchDeclined => self.rematch = None,
            Fact::Withdrawn { offer } => match offer {
                Offer::Draw => self.draw_offer = None,
                Offer::Takeback => self.takeback = None,
                Offer::Rematch => self.rematch = None,
            },
            &Fact::Hints { color, on } => self.hints[index(color)] = on,
            Fact::Ended(ending) => {
                self.phase = Phase::Over;
                self.verdict = Some(ending.verdict);
                self.leaver = ending.leaver();
                self.draw_offer = None;
                self.takeback = None;
                if let Some(clock) = &mut self.clock {
                    clock.stop(at);
                }
            }
            Fact::Said { speaker, text } => {
                self.lines += 1;
                self.chat_bytes += text.len();
                if self.chat.len() == CHAT_KEPT {
                    self.chat.pop_front();
                }
                self.chat.push_back(Arc::new(ChatLine { speaker: speaker.clone(), text: text.clone() }));
            }
            Fact::Closed => self.phase = Phase::Closed,
        }
    }

    fn free_seat_of(&mut self, color: Color) {
        let seated = self.seats[index(color)].take();
        if self.games > 0 {
            self.left[index(color)] = seated.map(|seated| Box::new(Arc::unwrap_or_clone(seated).player));
        }
        self.rematch = None;
        // The next player in this seat has not agreed to hints.
        self.hints[index(color)] = false;
        if self.phase == Phase::Over && !self.terms.by_invitation {
            // The next player starts a new game, not a rematch.
            self.phase = Phase::Waiting;
        }
    }

    fn begin(&mut self, game: GameId, swapped: bool, at: Time) {
        if swapped {
            let [white, black] = &mut self.seats;
            mem::swap(white, black);
            self.hints.swap(0, 1);
        }
        self.left = [None, None];
        self.phase = Phase::Playing;
        self.game_id = game;
        self.games += 1;
        self.game = new_game(&self.terms);
        self.checkpoints.clear();
        self.clock = self.terms.clock.and_then(Clock::new);
        self.clock_after.clear();
        self.verdict = None;
        self.leaver = None;
        self.draw_offer = None;
        self.draw_asked = [None; 2];
        self.takeback = None;
        self.takebacks = 0;
        self.rematch = None;
        self.frozen_until = None;
        self.began_at = at;
        self.moved_at = at;
    }

    fn take_back(&mut self, plies: u8, took: u64, at: Time) {
        if self.phase == Phase::Over {
            // On a board, a ply that ended the game can be taken back.
            self.phase = Phase::Playing;
            self.verdict = None;
        }
        self.takebacks += 1;
        self.undo(plies, took, at);
    }

    fn undo(&mut self, plies: u8, took: u64, at: Time) {
        self.takeback = None;
        self.draw_offer = None;
        let plies = self.game.len().saturating_sub(plies.into());
        self.checkpoints.take_back(Arc::make_mut(&mut self.game), plies);
        self.take_back_told(plies);
        self.clock_after.truncate(plies);
        for asked in &mut self.draw_asked {
            // Otherwise an offer would be refused until the game is as long again as it was.
            *asked = asked.map(|asked| asked.min(plies));
        }
        if let Some(clock) = &mut self.clock {
            // Before the first move no clock runs.
            let turn = Some(self.game.to_move()).filter(|_| plies > 0);
            clock.hand_over(turn, took, at);
        }
        self.frozen_until = None;
        self.moved_at = at;
    }
}

/// A game of chess without a move.
static NEW_CHESS: LazyLock<Arc<Play<Sheet>>> = LazyLock::new(|| Arc::new(Play::on(Sheet::default())));

fn new_game(terms: &Terms) -> Arc<Play<Sheet>> {
    let mut game = NEW_CHESS.clone();
    if let Some(start) = &terms.start {
        Arc::make_mut(&mut game).restart(start);
    }
    game
}
