//! What there is to say to a board: whatever makes its game the one of its room.

use chess::{Color, Move, WinReason};
use wire::link::{Event, Live};

use super::super::mirror::{Mirror, Takeback};
use super::super::want::Want;
use super::Agent;
use crate::room::{Ending, Phase, Reason, Room, Time};

/// A board that lacks more moves than this is given the game.
const FEW: usize = 8;

impl Agent {
    /// Says what the board has yet to be told, now that its room is like this. If nothing has changed there is nothing to
    /// say, so it may be called at any time.
    pub fn settle(&mut self, room: Option<&Room>, now: Time) {
        // A game that is half here may be another one; and what the board has asked for is decided first.
        if self.conversation.is_torn() || self.asked.is_some() || self.ahead {
            return;
        }
        if let Some(room) = room {
            if let Some(us) = self.side_in(room) {
                self.agree(room, us);
                self.show_clocks(room, us, now);
            }
            return;
        }
        if std::mem::take(&mut self.astray) {
            self.conversation.renew();
        }
        if self.place.is_none() {
            self.part();
            self.conversation.show_live(Live { clocks: None, opponent: false });
        }
    }

    /// A move has been made, and took so long. That is not in a room, but in what happens there.
    pub fn note_thought(&mut self, ply: usize, took: u64) {
        self.thought = Some((ply, took.try_into().unwrap_or(u32::MAX)));
    }

    /// The board has lost its seat. If it is known how its last game there ended, it is told that; otherwise the game is
    /// its own now.
    pub fn lost_seat(&mut self, end: Option<&Room>) {
        if let Some(room) = end
            && let Some(us) = self.side_in(room)
            && !self.conversation.is_torn()
        {
            self.agree(room, us);
        }
        self.place = None;
        self.changed = true;
    }

    /// A game whose other player is gone for good is one for the people at the board.
    fn part(&mut self) {
        if self.mirror.is_shared() && self.mirror.outcome.is_none() {
            self.mirror.keep_for_itself();
            self.conversation.renew();
        }
    }

    fn agree(&mut self, room: &Room, us: Color) {
        if self.is_behind(room, us) {
            return;
        }
        let id = room.game_id().0;
        let is_this = id != 0 && self.mirror.card.game == id && self.mirror.color() == Some(us);
        if is_this {
            if self.astray || !self.tell(room, us) {
                self.give(room, us);
            }
        } else if room.phase() == Phase::Playing {
            // Also if the board has begun a game of its own in the meantime: a game with somebody else is not given up
            // by rearranging pieces.
            self.give(room, us);
        } else {
            self.part();
            if std::mem::take(&mut self.astray) {
                self.conversation.renew();
            }
        }
    }

    /// Whether the room has heard from the board what this side has not: it was forgotten in a crash, and the board is
    /// about to say it again. Until then it is not known what the board has before it.
    pub(super) fn is_behind(&self, room: &Room, us: Color) -> bool {
        let seen = self.conversation.memory().seen;
        let heard = room.seat(us).and_then(|seated| seated.heard);
        heard.is_some_and(|heard| heard.stream == seen.stream && heard.number > seen.last)
    }

    /// Gives the board the game of the room, in place of whatever it has.
    fn give(&mut self, room: &Room, us: Color) {
        self.astray = false;
        self.mirror = Mirror::of(room, us);
        self.conversation.renew();
    }

    /// Tells the board one by one what has happened in the game that it has. Returns whether that could be done.
    fn tell(&mut self, room: &Room, us: Color) -> bool {
        let theirs = room.game();
        let mine = &self.mirror.game;
        let common = mine.moves().iter().zip(theirs.moves()).take_while(|(mine, theirs)| mine == theirs).count();
        let back = mine.moves().len() - common;
        let missing: Vec<Move> = theirs.moves().get(common..).unwrap_or_default().to_vec();
        let ending = room.ending().map(|ending| (ending, ending.for_board()));
        let agrees = match (self.mirror.outcome, ending) {
            (None, _) => true,
            (Some(mine), Some((_, theirs))) => back == 0 && missing.is_empty() && mine.winner() == theirs.winner(),
            // What follows from the moves the room says next.
            (Some(_), None) => back == 0 && missing.is_empty() && mine.outcome().is_some(),
        };
        if mine.start() != theirs.start() || back + missing.len() > FEW || !agrees {
            return false;
        }
        let back = u8::try_from(back).unwrap_or(0);
        if back > 0 && !self.say(Event::TakenBack { plies: back }) {
            return false;
        }
        for (ply, mv) in (common..).zip(missing) {
            let thought_ms = self.thought.filter(|(at, _)| *at == ply).map_or(0, |(_, took)| took);
            let ply = u16::try_from(ply).unwrap_or(u16::MAX);
            if !self.say(Event::Moved { ply, mv, thought_ms }) {
                return false;
            }
        }
        if let (None, Some((ending, outcome))) = (self.mirror.outcome, ending)
            && !self.say(self.last_word(ending, outcome, us))
        {
            return false;
        }
        if self.mirror.card.hints != room.hints() && !self.say(Event::Hints { on: room.hints() }) {
            return false;
        }
        room.phase() != Phase::Playing || self.pass_on_questions(room, us)
    }

    /// How the end of a game is said.
    fn last_word(&self, ending: Ending, outcome: chess::Outcome, us: Color) -> Event {
        match outcome {
            chess::Outcome::Win { winner, by: WinReason::Resignation } => Event::Resigned { color: !winner },
            _ if ending.reason == Reason::Agreement && self.mirror.draw == Some(us) => {
                Event::DrawAnswered { accepted: true }
            }
            _ => Event::Ended { outcome },
        }
    }

    /// Passes on what the players ask each other. Those who have to be given the game first hear it after that: a game
    /// stands for all that was said, and has no place for this.
    fn pass_on_questions(&mut self, room: &Room, us: Color) -> bool {
        let memory = self.conversation.memory();
        if memory.acknowledged < memory.floor {
            return true;
        }
        let remind = std::mem::take(&mut self.questions.remind);
        let draw = match (room.draw_offer(), self.mirror.draw) {
            (Some(by), known) if by != us && (remind || known != Some(by)) => Some(Event::DrawOffered { color: by }),
            (offer, Some(known)) if offer != Some(known) => Some(Event::DrawAnswered { accepted: false }),
            _ => None,
        };
        let known = self.mirror.takeback;
        let takeback = match room.takeback() {
            Some((by, plies)) if by != us => (remind || known != Some(Takeback { asked_here: false, plies }))
                .then_some(Event::TakebackAsked { plies }),
            Some(_) => known.filter(|known| !known.asked_here).map(|_| Event::TakebackAnswered { accepted: false }),
            None => known.map(|_| Event::TakebackAnswered { accepted: false }),
        };
        let are_said = draw.into_iter().chain(takeback).all(|event| self.say(event));
        if draw.is_some() || takeback.is_some() {
            self.questions.last = self.conversation.memory().said;
        }
        are_said
    }

    /// Says something, if there is room for it.
    fn say(&mut self, event: Event) -> bool {
        self.conversation.say(event).is_ok() && self.mirror.take(event, false)
    }

    /// What a game that came from the board has in it and the room has not.
    pub(super) fn lead(&self, room: &Room, us: Color) -> Option<Want> {
        if self.mirror.card.game != room.game_id().0 || room.phase() != Phase::Playing {
            return None;
        }
        let (mine, theirs) = (self.mirror.game.moves(), room.game().moves());
        if let Some((&mv, earlier)) = mine.split_last()
            && earlier == theirs
            && room.game().position().turn() == us
        {
            return Some(Want::Move { mv, ply: theirs.len() });
        }
        if mine != theirs {
            return None;
        }
        match self.mirror.outcome? {
            chess::Outcome::Win { winner, by: WinReason::Resignation } if winner != us => Some(Want::Resign),
            chess::Outcome::Draw(chess::DrawReason::Agreement) if room.draw_offer() == Some(!us) => {
                Some(Want::AcceptDraw { ply: theirs.len() })
            }
            _ => None,
        }
    }

    /// Shows what the clocks are at, when that has changed.
    fn show_clocks(&mut self, room: &Room, us: Color, now: Time) {
        let version = (room.id(), room.version());
        if self.shown.replace(version) != Some(version) {
            let is_this = self.mirror.card.game == room.game_id().0;
            let clocks = room.clock().filter(|_| is_this).map(|clock| clock.shown(now));
            let opponent = room.seat(!us).is_some_and(crate::room::Seated::is_here);
            self.conversation.show_live(Live { clocks, opponent });
        }
    }
}
