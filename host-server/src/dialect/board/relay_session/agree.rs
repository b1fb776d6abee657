//! Reconciles the board's game with the room: sends the events that make them equal, or a snapshot.

use board::Takeback;
use chess::Color;
use rules::{Ply, Verdict, Why};
use wire::link::{Event, Live, features};

use super::super::replica::{BoardReplica, SHOWS_TARGETS};
use super::{RelaySession, SentClocks, ThinkingTime};
use crate::room::{Act, EventId, Phase, Room, TakebackRequest, Time};

/// A board that lacks more moves than this gets a snapshot.
const FEW: usize = 8;

impl RelaySession {
    /// Queues what the board lacks, given the current room. Idempotent: without changes it does nothing.
    pub fn settle(&mut self, room: Option<&Room>, now: Time) {
        // An incomplete snapshot may be another game, and a pending act must be answered first.
        if self.session.is_half_loaded() || self.unanswered.is_some() || self.ahead {
            return;
        }
        if let Some(room) = room {
            if let Some(us) = self.side_in(room) {
                self.agree(room, us);
                self.show_clocks(room, us, now);
            }
            return;
        }
        if std::mem::take(&mut self.needs_snapshot) {
            self.session.force_snapshot();
        }
        if self.seat.is_none() {
            self.part();
            self.session.report_live(Live { clocks: None, opponent: false, rematch: false });
        }
    }

    /// Notes the thinking time of a move, which is in the update and not in the room.
    pub fn note_thought(&mut self, ply: usize, took: u64) {
        self.thought = Some(ThinkingTime { ply, ms: took.try_into().unwrap_or(u32::MAX) });
    }

    /// Handles the loss of the seat. If the end of the shared game is known, it is sent to the board; otherwise the game becomes
    /// a local one.
    pub fn lost_seat(&mut self, end: Option<&Room>) {
        if let Some(room) = end
            && let Some(us) = self.side_in(room)
            && !self.session.is_half_loaded()
        {
            self.agree(room, us);
        }
        self.seat = None;
        self.changed = true;
    }

    /// Makes a shared game without an opponent a local one.
    fn part(&mut self) {
        if self.replica.is_shared() && self.replica.verdict.is_none() {
            self.replica.keep_for_itself();
            self.local.renewed = 0;
            self.session.force_snapshot();
        }
    }

    fn agree(&mut self, room: &Room, us: Color) {
        // A board that does not know the rules could not read the game, and would connect again and again.
        if self.is_behind(room, us) || !self.can_play(room.terms().start()) {
            return;
        }
        let id = room.game_id().0;
        let is_this = id != 0 && self.replica.info.game == id && self.replica.color() == Some(us);
        if is_this {
            if self.needs_snapshot || !self.send_change(room, us) {
                self.give(room, us);
            }
        } else if room.phase() == Phase::Playing {
            // Also if the board has started a local game meanwhile: rearranging pieces does not resign a shared game.
            self.give(room, us);
        } else {
            self.part();
            if std::mem::take(&mut self.needs_snapshot) {
                self.session.force_snapshot();
            }
        }
    }

    /// Whether the room has applied an event of the board that the record lacks, after a crash. The board will repeat it; until
    /// then its game is unknown.
    pub(super) fn is_behind(&self, room: &Room, us: Color) -> bool {
        let seen = self.session.memory().seen;
        let last = room.seat(us).and_then(|seated| seated.last_event);
        last.is_some_and(|EventId { stream, number }| stream == seen.stream && number > seen.last)
    }

    /// Sends the game of the room as a snapshot.
    fn give(&mut self, room: &Room, us: Color) {
        self.needs_snapshot = false;
        let is_same_game = self.replica.info.game == room.game_id().0;
        let mut replica = BoardReplica::of(room, us);
        if is_same_game && room.game().is_told() && replica.game.sheet() == self.replica.game.sheet() {
            // The board keeps open offers in the same turn.
            replica.offers = self.replica.offers;
        }
        self.replica = replica;
        if is_same_game && room.game().is_told() {
            // Every turn of a told game comes in a snapshot, and what the board has said meanwhile still counts.
            self.session.compact();
        } else {
            self.session.force_snapshot();
        }
    }

    /// Queues the events that the board's game lacks. Returns false if only a snapshot can do that.
    fn send_change(&mut self, room: &Room, us: Color) -> bool {
        let theirs = room.game();
        let mine = &self.replica.game;
        let common = mine.sheet().iter().zip(theirs.sheet()).take_while(|(mine, theirs)| mine == theirs).count();
        let back = mine.len() - common;
        let missing: Vec<Ply> = theirs.plies_from(common).collect();
        let agrees = match (self.replica.verdict, room.verdict()) {
            (None, _) => true,
            (Some(mine), Some(theirs)) => back == 0 && missing.is_empty() && mine.winner() == theirs.winner(),
            // The room will derive the same verdict from the moves.
            (Some(_), None) => back == 0 && missing.is_empty() && mine.verdict().is_some(),
        };
        if mine.start() != theirs.start() || back + missing.len() > FEW || !agrees {
            return false;
        }
        let back = u8::try_from(back).unwrap_or(0);
        if back > 0 && !self.queue(Event::TakenBack { plies: back }) {
            return false;
        }
        for (number, ply) in (common..).zip(missing) {
            let thought_ms = self.thought.filter(|thought| thought.ply == number).map_or(0, |thought| thought.ms);
            let number = u16::try_from(number).unwrap_or(u16::MAX);
            if !self.queue(Event::Moved { number, ply, thought_ms }) {
                return false;
            }
        }
        if let (None, Some(verdict)) = (self.replica.verdict, room.verdict())
            && !self.queue(self.last_word(verdict, us))
        {
            return false;
        }
        // An earlier release stored boards for which the players had not agreed.
        if self.replica.info.hints != SHOWS_TARGETS && !self.queue(Event::Hints { on: SHOWS_TARGETS }) {
            return false;
        }
        room.phase() != Phase::Playing || self.pass_on_questions(room, us)
    }

    /// The event that ends the game.
    fn last_word(&self, verdict: Verdict, us: Color) -> Event {
        match verdict {
            Verdict::Won { winner, why: Why::Resignation } => Event::Resigned { color: !winner },
            Verdict::Drawn(Why::Agreement) if self.replica.offers.draw == Some(us) => {
                Event::DrawAnswered { accepted: true }
            }
            _ => Event::Ended { verdict },
        }
    }

    /// Sends draw offers and takeback requests. After a snapshot they are sent again, because a snapshot does not contain them.
    fn pass_on_questions(&mut self, room: &Room, us: Color) -> bool {
        let memory = self.session.memory();
        if memory.acknowledged < memory.compacted {
            return true;
        }
        let remind = std::mem::take(&mut self.questions.remind);
        let draw = match (room.draw_offer(), self.replica.offers.draw) {
            (Some(by), known) if by != us && (remind || known != Some(by)) => Some(Event::DrawOffered { color: by }),
            (offer, Some(known)) if offer != Some(known) => Some(Event::DrawAnswered { accepted: false }),
            _ => None,
        };
        let known = self.replica.offers.takeback;
        let takeback = match room.takeback() {
            Some(TakebackRequest { by, plies }) if by != us => (remind
                || known != Some(Takeback { asked_here: false, plies }))
            .then_some(Event::TakebackAsked { plies }),
            Some(_) => known.filter(|known| !known.asked_here).map(|_| Event::TakebackAnswered { accepted: false }),
            None => known.map(|_| Event::TakebackAnswered { accepted: false }),
        };
        let are_queued = draw.into_iter().chain(takeback).all(|event| self.queue(event));
        if draw.is_some() || takeback.is_some() {
            self.questions.last = self.session.memory().last;
        }
        are_queued
    }

    /// Queues an event if the outbox has room.
    fn queue(&mut self, event: Event) -> bool {
        self.session.queue_event(event).is_ok() && self.replica.take(event, false)
    }

    /// The act that the board's snapshot contains and the room lacks.
    pub(super) fn lead(&self, room: &Room, us: Color) -> Option<Act> {
        if self.replica.info.game != room.game_id().0 || room.phase() != Phase::Playing {
            return None;
        }
        let (mine, theirs) = (self.replica.game.sheet(), room.game().sheet());
        if let Some((&last, earlier)) = mine.split_last()
            && earlier == theirs
            && room.game().to_move() == us
        {
            return Some(Act::Move { ply: Ply::of_move(last), number: Some(theirs.len()) });
        }
        if mine != theirs {
            return None;
        }
        match self.replica.verdict? {
            Verdict::Won { winner, why: Why::Resignation } if winner != us => Some(Act::Resign),
            Verdict::Drawn(Why::Agreement) if room.draw_offer() == Some(!us) => {
                Some(Act::AcceptDraw { number: theirs.len() })
            }
            _ => None,
        }
    }

    /// Sends the clocks when the room has changed.
    fn show_clocks(&mut self, room: &Room, us: Color, now: Time) {
        let version = SentClocks { room: room.id(), version: room.version() };
        if self.shown.replace(version) != Some(version) {
            let is_this = self.replica.info.game == room.game_id().0;
            let clocks = room.clock().filter(|_| is_this).map(|clock| clock.shown(now));
            let opponent = room.seat(!us).is_some_and(crate::room::Seated::is_here);
            let rematch = room.rematch() == Some(!us) && self.features & features::REMATCH != 0;
            self.session.report_live(Live { clocks, opponent, rematch });
        }
    }
}
