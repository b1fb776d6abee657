//! The relay's end of the link session with one board, without I/O: frames and rooms in, frames and acts out.
//!
//! It compares its [replica](super::replica) of the board's game with the room, and sends the events that make them equal
//! (`agree.rs`). An event of the board becomes an [act](RelaySession::next_act) in the room first; only after the room has
//! executed it is it applied to the replica.
//!
//! **Invariant:** no event is sent to the board, and none of the board's is acknowledged, before the
//! [record](RelaySession::record) that contains it is [stored](RelaySession::mark_stored). The room is written before the record. So
//! after a crash between any two steps the board repeats what the record lacks, and the room, which knows the last event of
//! each board, executes it once.

mod agree;
mod challenge;
mod console;
mod local_game;
mod seat;

use board::session::{End, Incoming, LinkError, Session};
use board::{Instant, Offers};
use chess::Color;
use rules::{Play, Start, Verdict};
use wire::journal::SessionMemory;
use wire::link::{Channel, Event, Goodbye, Occupancy};

use super::act::{act_of, is_harmless_if_refused};
use super::board_seat::BoardSeat;
use super::record::{BoardRecord, LocalGame, Remembered};
use super::replica::{BoardReplica, ReplicaInfo};
use crate::room::{Act, EventId, GameId, Room, RoomId, Sheet};

pub use seat::Plan;

/// The software name in the hello.
const SOFTWARE: &str = concat!("tabiya ", env!("CARGO_PKG_VERSION"));

/// Capacity of the outbox. A board that lacks more events gets a snapshot.
const QUEUE: usize = 64;

/// The relay's end of the link session with one board.
#[derive(Debug)]
pub struct RelaySession {
    session: Session<QUEUE>,
    replica: BoardReplica,
    /// The game of a snapshot that is being received. The replica stays complete meanwhile.
    coming: Play<Sheet>,
    coming_info: ReplicaInfo,
    coming_verdict: Option<Verdict>,
    seat: Option<BoardSeat>,
    invited: u64,
    local: LocalGame,
    /// The number of a challenge that the player has answered, and whether it is accepted.
    challenge_answer: Option<(u32, bool)>,
    console: console::RemoteConsole,
    /// The features of the board's hello; none before it is connected.
    features: u32,
    /// The act that the room has not answered yet.
    unanswered: Option<UnansweredAct>,
    /// A snapshot came from the board, and may contain moves that the room lacks.
    ahead: bool,
    /// The replica may differ from the board's game: the board needs a snapshot.
    needs_snapshot: bool,
    questions: Questions,
    /// The thinking time of the last move, for its event.
    thought: Option<ThinkingTime>,
    /// The game after which a rematch was offered.
    again: Option<GameId>,
    /// The state of the room for which the clocks were sent last.
    shown: Option<SentClocks>,
    /// The record has changed apart from the link session.
    changed: bool,
}

/// Offers and requests of the opponent that were sent to the board.
#[derive(Debug, Default)]
struct Questions {
    /// The number of the last event that carried one.
    last: u32,
    /// Whether to send them again: the board's journal does not contain them.
    remind: bool,
}

/// How long the player of a move thought.
#[derive(Clone, Copy, Debug)]
struct ThinkingTime {
    ply: usize,
    ms: u32,
}

/// The state of the room for which the clocks were sent last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct SentClocks {
    room: RoomId,
    version: u64,
}

/// An act that the room has not answered yet.
#[derive(Clone, Debug)]
struct UnansweredAct {
    /// The event of the board that leads to it, if one does.
    event: Option<Event>,
    /// `None` if the event makes no sense for this board.
    act: Option<Act>,
}

/// An act for the room that the board's events, or the game that it sent, lead to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PendingAct {
    /// `None` if the event makes no sense for this board: then it counts as refused.
    pub act: Option<Act>,
    /// The id of the event, if one led to the act. The room executes it once.
    pub event: Option<EventId>,
}

/// A message without a number, which is not repeated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unnumbered {
    /// The occupancy of the board.
    Occupancy(Occupancy),
    /// The board closes the session.
    Goodbye(Goodbye),
}

impl RelaySession {
    /// A session with an unknown board. `random` is the id of the stream of events.
    #[must_use]
    pub fn new(random: u64) -> Self {
        let memory = SessionMemory::new(random);
        Self::resume(Remembered {
            memory,
            pending: Vec::new(),
            replica: BoardReplica::new(),
            seat: None,
            invited: 0,
            local: LocalGame::default(),
        })
    }

    /// Resumes from a record. `None` if the record is invalid.
    #[must_use]
    pub fn from_record(record: BoardRecord) -> Option<Self> {
        record.read().map(Self::resume)
    }

    fn resume(Remembered { memory, pending, replica, seat, invited, local }: Remembered) -> Self {
        Self {
            session: Session::new(End::Relay, SOFTWARE, &memory, pending),
            replica,
            coming: Play::on(Sheet::default()),
            coming_info: ReplicaInfo::local(),
            coming_verdict: None,
            seat,
            invited,
            local,
            challenge_answer: None,
            console: console::RemoteConsole::default(),
            features: 0,
            unanswered: None,
            ahead: false,
            needs_snapshot: false,
            // One of the events that the board has not acknowledged may carry a question.
            questions: Questions { last: memory.last, remind: false },
            thought: None,
            again: None,
            shown: None,
            changed: false,
        }
    }

    /// The state to store.
    #[must_use]
    pub fn record(&self) -> BoardRecord {
        let pending = self.session.pending().collect();
        let (memory, seat) = (self.session.memory(), self.seat.as_ref());
        BoardRecord::new(&memory, pending, &self.replica, seat, self.invited, &self.local, self.features)
    }

    /// Whether the record must be stored now.
    #[must_use]
    pub fn needs_storing(&self) -> bool {
        self.is_whole() && (self.changed || self.session.needs_storing())
    }

    /// Whether the room has answered all acts. A record that contained an event whose act is pending would lose the act in a
    /// crash.
    #[must_use]
    pub const fn is_whole(&self) -> bool {
        self.unanswered.is_none() && !self.ahead
    }

    /// Confirms that the record was written. Queued events may now be sent, and received ones acknowledged.
    pub fn mark_stored(&mut self, record: &BoardRecord) {
        self.session.mark_stored(&record.memory());
        self.changed = false;
    }

    /// Replaces the connection after a handshake, given the board's hello. Returns the board's description of its software.
    pub fn accept(&mut self, channel: Channel, hello: &mut [u8], now: Instant) -> Result<String, LinkError> {
        // Also if the hello is rejected: lost state must be recorded, and so must a takeover from another relay.
        let stream = self.session.memory().seen.stream;
        let accepted = self.session.accept(channel, hello, now);
        if self.session.memory().seen.stream != stream {
            // The board has lost its memory, and with it the number.
            self.local.renewed = 0;
        }
        self.changed |= matches!(accepted, Ok(_) | Err(LinkError::StateLost));
        let software = match accepted? {
            Incoming::Online(hello) => {
                self.features = hello.features;
                hello.software.to_owned()
            }
            _ => String::new(),
        };
        self.console.reset();
        // The peer repeats on this connection what was incomplete on the old one.
        self.session.discard_half_load();
        self.questions.remind = true;
        self.shown = None;
        Ok(software)
    }

    /// Whether the board supports these rules, by the features of its hello.
    #[must_use]
    pub const fn can_play(&self, start: &Start) -> bool {
        start.feature() & !self.features == 0
    }

    /// Whether the board is connected.
    #[must_use]
    pub const fn is_online(&self) -> bool {
        self.session.is_online()
    }

    /// Handles a received frame. Afterwards there may be [acts](RelaySession::next_act) to execute, before the next frame.
    pub fn receive(&mut self, frame: &mut [u8], now: Instant) -> Result<Option<Unnumbered>, LinkError> {
        let news = self.session.receive(frame, &mut self.coming, now)?;
        Ok(match news {
            None
            | Some(Incoming::Online(_) | Incoming::Live(_) | Incoming::Challenge(_) | Incoming::ConsoleLine(_)) => None,
            Some(Incoming::ConsoleOutput(output)) => {
                self.console.receive(output);
                None
            }
            Some(Incoming::Event(event)) => {
                self.receive_event(event);
                None
            }
            Some(Incoming::SnapshotBegins(info)) => {
                self.coming_info = ReplicaInfo::of(&info);
                self.coming_verdict = info.verdict;
                None
            }
            Some(Incoming::SnapshotComplete(basis)) => {
                let game = std::mem::replace(&mut self.coming, Play::on(Sheet::default()));
                let card = std::mem::replace(&mut self.coming_info, ReplicaInfo::local());
                let is_same = card.game == self.replica.info.game && card.game != 0;
                let mut replica = BoardReplica::showing(card, game, self.coming_verdict.take());
                if is_same {
                    // The same game: the board sent a snapshot because too many events were missing.
                    replica.offers = self.replica.offers;
                }
                self.replica = replica;
                self.note_local_game(basis.renewed());
                for event in self.session.events_missing_in(basis).collect::<Vec<_>>() {
                    self.needs_snapshot |= !self.replica.take(event, false);
                }
                self.ahead = self.replica.is_shared();
                None
            }
            Some(Incoming::Occupancy(occupancy)) => Some(Unnumbered::Occupancy(occupancy)),
            Some(Incoming::Goodbye(reason)) => Some(Unnumbered::Goodbye(reason)),
        })
    }

    fn receive_event(&mut self, event: Event) {
        if let Event::ChallengeAnswered { number, accepted } = event {
            self.challenge_answer = Some((number, accepted));
            return;
        }
        if self.replica.is_shared() && self.seat.is_some() {
            // The meaning of the event depends on the room: see `next_act`.
            self.unanswered = Some(UnansweredAct { event: Some(event), act: None });
        } else {
            // A local game of the board: no room is involved.
            self.needs_snapshot |= !self.replica.take(event, true);
        }
    }

    /// The next act for the room. [`RelaySession::answered`] must follow, and then this again.
    pub fn next_act(&mut self, room: Option<&Room>) -> Option<PendingAct> {
        let us = room.and_then(|room| self.side_in(room));
        let takeback = self.takeback_on_board();
        if let Some(asked) = &mut self.unanswered {
            if let (Some(event), Some(room), Some(us)) = (asked.event, room, us)
                && room.game_id().0 == self.replica.info.game
            {
                asked.act = act_of(event, room, us, takeback);
            }
            let seen = self.session.memory().seen;
            let event = EventId { stream: seen.stream, number: seen.last };
            return Some(PendingAct { act: asked.act.clone(), event: Some(event) });
        }
        if self.ahead && !self.session.is_half_loaded() {
            if let (Some(room), Some(us)) = (room, us)
                && let Some(act) = self.lead(room, us)
            {
                self.unanswered = Some(UnansweredAct { event: None, act: Some(act.clone()) });
                return Some(PendingAct { act: Some(act), event: None });
            }
            self.ahead = false;
        }
        None
    }

    /// How many plies the opponent asks to take back, as the board shows it; 0 if the board shows no request, or may not have received the
    /// last one yet.
    fn takeback_on_board(&self) -> u8 {
        let is_received = self.questions.last <= self.session.memory().acknowledged;
        let asked = self.replica.offers.takeback.filter(|takeback| is_received && !takeback.asked_here);
        asked.map_or(0, |takeback| takeback.plies)
    }

    /// Takes the room's answer to the last act: whether it has been executed, now or before.
    pub fn answered(&mut self, is_done: bool) {
        let Some(UnansweredAct { event, act }) = self.unanswered.take() else { return };
        let (Offers { draw, takeback }, was_over) = (self.replica.offers, self.replica.verdict.is_some());
        let is_understood = event.is_none_or(|event| self.replica.take(event, true));
        let memory = self.session.memory();
        if event.is_some() && self.replica.verdict.is_some() && !was_over && memory.acknowledged < memory.last {
            // The board may have ended the game before it received the last move, which it then ignores.
            self.needs_snapshot = true;
        }
        if self.questions.last > memory.acknowledged {
            // The board may have sent this before it received the request, and still shows the request. The relay will
            // withdraw it.
            let color = self.replica.color();
            let offers = &mut self.replica.offers;
            offers.draw = offers.draw.or(draw.filter(|&by| Some(by) != color));
            offers.takeback = offers.takeback.or(takeback.filter(|takeback| !takeback.asked_here));
        }
        let is_harmless = is_done || act.as_ref().is_some_and(is_harmless_if_refused);
        if !is_understood || !is_harmless {
            self.needs_snapshot = true;
            self.ahead = false;
        }
    }

    /// Writes the next frame to send into the buffer; `None` if there is none now.
    pub fn transmit(&mut self, buffer: &mut [u8], now: Instant) -> Result<Option<usize>, LinkError> {
        let Self { session, replica, .. } = self;
        match session.transmit(&replica.info(), &replica.game, buffer, now)? {
            Some(len) => Ok(Some(len)),
            None => self.transmit_line(buffer),
        }
    }

    /// How many frames were sent again since the last call.
    pub const fn take_resent(&mut self) -> u32 {
        self.session.take_resent()
    }

    /// The time at which [`RelaySession::transmit`] must be called again without further input.
    #[must_use]
    pub fn wake_at(&self) -> Option<Instant> {
        self.session.wake_at()
    }

    /// Restarts the keepalive timeout, because the relay itself did not read for a while.
    pub const fn reset_keepalive(&mut self, now: Instant) {
        self.session.reset_keepalive(now);
    }

    /// Queues a goodbye. The connection must be closed after the next frame.
    pub fn send_goodbye(&mut self, reason: Goodbye) {
        self.session.send_goodbye(reason);
    }

    /// The side of the board in a room, also after it has lost the seat.
    fn side_in(&self, room: &Room) -> Option<Color> {
        let seated = self.seat.as_ref().and_then(|seat| room.seat_of(&seat.user));
        seated.or_else(|| self.replica.color().filter(|_| self.replica.info.game == room.game_id().0))
    }

    /// The replica of the board's game.
    #[must_use]
    pub const fn game(&self) -> &Play<Sheet> {
        &self.replica.game
    }

    /// The side of the opponent elsewhere, if the game has one.
    #[must_use]
    pub fn remote_color(&self) -> Option<Color> {
        self.replica.color().filter(|_| self.replica.is_shared()).map(|us| !us)
    }
}
