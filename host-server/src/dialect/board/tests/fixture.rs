use std::collections::VecDeque;

use board::Instant;
use board::session::LinkError;
use chess::{Color, Move};
use wire::link::{Channel, Ephemeral, MAX_FRAME, PairingKey, Responder};

use super::simulated_board::SimulatedBoard;
use super::{Random, chess_script};
use crate::dialect::board::act::is_harmless_if_refused;
use crate::dialect::board::board_seat::BoardSeat;
use crate::dialect::board::record::BoardRecord;
use crate::dialect::board::relay_session::{Plan, RelaySession, Unnumbered};
use crate::room::{
    Ability, Act, Code, Command, Entry, EventId, Fact, Name, Participant, Phase, Player, RelayId, Room, RoomId,
    SideChoice, Stamp, Terms, Time, TokenHash,
};

pub(super) const KEY: [u8; 32] = [0x42; 32];

/// State of the handshake at the relay's end.
enum Handshake {
    /// The first frame is awaited.
    First,
    /// The first frame was answered, and the hello is awaited.
    Answered(Channel),
    Complete,
}

/// A board, its relay session, and a room in which it plays against an opponent. The room is never lost; the relay session is restored
/// from its record after a crash.
pub(super) struct Fixture {
    pub(super) board: SimulatedBoard,
    pub(super) relay_session: RelaySession,
    /// The stored record.
    stored: Option<Vec<u8>>,
    /// The record that is being stored.
    writing: Option<BoardRecord>,
    handshake: Handshake,
    pub(super) to_relay: VecDeque<Vec<u8>>,
    pub(super) to_board: VecDeque<Vec<u8>>,
    pub(super) room: Room,
    pub(super) log: Vec<Entry>,
    pub(super) us: Color,
    pub(super) errors: Vec<LinkError>,
    /// How many acts of the board the room has refused.
    pub(super) refused: usize,
    random: Random,
}

impl Fixture {
    /// The board plays this side.
    pub(super) fn new(us: Color, seed: u64) -> Self {
        Self::under(Terms::default(), us, seed)
    }

    /// The same under other terms.
    pub(super) fn under(terms: Terms, us: Color, seed: u64) -> Self {
        let code: Code = "TABLE".parse().unwrap();
        let fact = Fact::Opened { room: RoomId(7), code: code.clone(), terms: terms.clone(), on: 0 };
        let first = Entry { at: Time(0), write_id: 1, from: None, fact };
        let mut fixture = Self {
            board: SimulatedBoard::new(KEY, seed | 1),
            relay_session: RelaySession::new(seed ^ 0xffff),
            stored: None,
            writing: None,
            handshake: Handshake::First,
            to_relay: VecDeque::new(),
            to_board: VecDeque::new(),
            room: Room::from_log(std::slice::from_ref(&first)).unwrap(),
            log: vec![first],
            us,
            errors: Vec::new(),
            refused: 0,
            random: Random(seed),
        };
        let side = if us == Color::White { SideChoice::White } else { SideChoice::Black };
        let seat = BoardSeat::new(code, side, terms);
        let token = TokenHash::of(&seat.token);
        let board = Player { id: seat.user.clone(), name: name("Board"), token, ability: Ability::Documented };
        let other = Player {
            id: crate::random::user_id(),
            name: name("Other"),
            token: TokenHash::of(""),
            ability: Ability::Documented,
        };
        fixture.relay_session.seek(seat, None);
        for (player, side) in [(board, side), (other, SideChoice::First)] {
            fixture.attempt(&Command::Sit { player, side }).unwrap();
        }
        fixture.relay_session.sat_down(RoomId(7));
        // Both players stay connected, and the game has no clock.
        for color in Color::ALL {
            let user = fixture.room.seat(color).unwrap().player.id.clone();
            fixture.attempt(&Command::Connect { user, relay: RelayId(1) }).unwrap();
        }
        assert_eq!(fixture.room.phase(), Phase::Playing);
        fixture
    }

    /// Executes a command in the room.
    pub(super) fn attempt(&mut self, command: &Command) -> Result<(), ()> {
        let now = Time(self.board.now);
        let write_id = self.random.next();
        let stamp = Stamp { received: now, now, write_id: write_id.max(1) };
        let mut draft = self.room.attempt(command, stamp);
        if let Some(question) = draft.question.take() {
            draft = self.room.attempt_with(command, stamp, Some(&chess_script::answer(&question)));
        }
        for entry in draft.entries {
            self.room.apply(&entry);
            self.log.push(entry);
        }
        draft.refused.map_or(Ok(()), |_| Err(()))
    }

    /// Executes an act of the opponent.
    pub(super) fn other(&mut self, act: Act) -> Result<(), ()> {
        self.act(!self.us, act, None)
    }

    fn act(&mut self, color: Color, act: Act, event: Option<EventId>) -> Result<(), ()> {
        let Player { id, name, .. } = self.room.seat(color).expect("both seats are taken").player.clone();
        let (by, game) = (Participant { id, name }, self.room.current_game());
        self.attempt(&Command::Act { by, act, game, event })
    }

    pub(super) fn other_plays_any(&mut self, choice: u16) {
        let game = self.room.game();
        let legal = game.situation().plies();
        if self.room.phase() == Phase::Playing && game.to_move() != self.us && !legal.is_empty() {
            let ply = legal[usize::from(choice) % legal.len()];
            self.other(Act::Move { ply, number: Some(game.len()) }).expect("a legal move");
        }
    }

    pub(super) fn other_plays(&mut self, mv: &str) {
        let number = Some(self.room.game().len());
        self.other(Act::Move { ply: mv.parse().unwrap(), number }).expect(mv);
    }

    /// Asks what the moves of the board's turn do, where the rules are a script.
    fn request_footprints(&mut self) {
        let room = &self.room;
        if room.phase() == Phase::Playing && room.game().to_move() == self.us && !room.has_footprints() {
            let number = room.game().len();
            self.act(self.us, Act::RequestFootprints { number }, None).expect("it is the board's turn");
        }
    }

    pub(super) fn settle_relay(&mut self) {
        self.request_footprints();
        self.relay_session.settle(Some(&self.room), Time(self.board.now));
        if self.relay_session.plan(Some(&self.room), None) == Plan::PlayAgain {
            self.relay_session.asked_again(&self.room);
            let color = self.room.seat_of(&self.relay_session.seat().unwrap().user).unwrap_or(self.us);
            let _ = self.act(color, Act::OfferRematch, None);
            self.relay_session.settle(Some(&self.room), Time(self.board.now));
        }
        self.us = self.room.seat_of(&self.relay_session.seat().unwrap().user).expect("the seat is kept");
    }

    /// Starts to store the record.
    pub(super) fn start_storing(&mut self) {
        self.settle_relay();
        if self.relay_session.needs_storing() {
            self.writing = Some(self.relay_session.record());
        }
    }

    pub(super) fn finish_storing(&mut self) {
        if let Some(record) = self.writing.take() {
            self.relay_session.mark_stored(&record);
            self.stored = Some(serde_json::to_vec(&record).unwrap());
        }
    }

    pub(super) fn store(&mut self) {
        self.finish_storing();
        self.start_storing();
        self.finish_storing();
    }

    /// Restarts the relay from its stored record. A record that is being stored may be complete or not.
    pub(super) fn crash_relay(&mut self) {
        self.cut();
        if let Some(record) = self.writing.take()
            && self.random.next().is_multiple_of(2)
        {
            self.stored = Some(serde_json::to_vec(&record).unwrap());
        }
        let seat = self.relay_session.seat().cloned();
        let random = self.random.next();
        if let Some(bytes) = &self.stored {
            self.relay_session =
                RelaySession::from_record(serde_json::from_slice(bytes).unwrap()).expect("a valid record");
        } else {
            self.relay_session = RelaySession::new(random);
            // The seat was stored before it was taken.
            self.relay_session.seek(seat.expect("the board has a seat"), None);
            self.relay_session.sat_down(RoomId(7));
        }
    }

    pub(super) fn crash_board(&mut self) {
        self.cut();
        let is_written = self.random.next().is_multiple_of(2);
        self.board.restart(is_written);
    }

    pub(super) fn connect(&mut self) {
        if self.board.is_disconnected() {
            self.to_relay.clear();
            self.to_board.clear();
            self.board.connect();
            self.handshake = Handshake::First;
        }
    }

    pub(super) fn cut(&mut self) {
        self.to_relay.clear();
        self.to_board.clear();
        self.board.cut();
        self.handshake = Handshake::First;
    }

    fn give_up(&mut self, error: LinkError) {
        self.errors.push(error);
        self.cut();
    }

    pub(super) fn send_board(&mut self) -> bool {
        match self.board.transmit() {
            Ok(Some(frame)) => {
                self.to_relay.push_back(frame);
                true
            }
            Ok(None) => false,
            Err(error) => {
                self.give_up(error);
                true
            }
        }
    }

    pub(super) fn send_relay(&mut self) -> bool {
        self.settle_relay();
        if !matches!(self.handshake, Handshake::Complete) {
            return false;
        }
        let mut buffer = [0; MAX_FRAME];
        match self.relay_session.transmit(&mut buffer, Instant::at(self.board.now)) {
            Ok(Some(len)) => {
                self.to_board.push_back(buffer[..len].to_vec());
                true
            }
            Ok(None) => false,
            Err(error) => {
                self.give_up(error);
                true
            }
        }
    }

    pub(super) fn deliver_to_board(&mut self) -> bool {
        let Some(frame) = self.to_board.pop_front() else { return false };
        if let Err(error) = self.board.receive(frame) {
            self.give_up(error);
        }
        true
    }

    pub(super) fn deliver_to_relay(&mut self) -> bool {
        let Some(mut frame) = self.to_relay.pop_front() else { return false };
        let now = Instant::at(self.board.now);
        match std::mem::replace(&mut self.handshake, Handshake::First) {
            Handshake::First => {
                let mut bytes = [0; 32];
                bytes.chunks_mut(8).for_each(|chunk| chunk.copy_from_slice(&self.random.next().to_le_bytes()));
                let responder = Responder::read(&frame).expect("a first frame");
                let (answer, channel) =
                    responder.answer(&PairingKey::new(KEY), Ephemeral::new(bytes)).expect("the right key");
                self.to_board.push_back(answer.to_vec());
                self.handshake = Handshake::Answered(channel);
            }
            Handshake::Answered(channel) => match self.relay_session.accept(channel, &mut frame, now) {
                Ok(_) => self.handshake = Handshake::Complete,
                Err(error) => self.give_up(error),
            },
            Handshake::Complete => {
                self.handshake = Handshake::Complete;
                match self.relay_session.receive(&mut frame, now) {
                    Ok(None | Some(Unnumbered::Occupancy(_))) => self.execute_acts(),
                    Ok(Some(Unnumbered::Goodbye(_))) => self.cut(),
                    Err(error) => self.give_up(error),
                }
            }
        }
        true
    }

    fn execute_acts(&mut self) {
        while let Some(pending) = self.relay_session.next_act(Some(&self.room)) {
            let is_harmless = pending.act.as_ref().is_some_and(is_harmless_if_refused);
            let is_done = match pending.act {
                Some(act) => self.act(self.us, act, pending.event).is_ok(),
                None => false,
            };
            if !is_done && !is_harmless {
                self.refused += 1;
            }
            self.relay_session.answered(is_done);
        }
    }

    /// Delivers all frames and stores everything until both ends are online and idle.
    pub(super) fn settle(&mut self) {
        for _ in 0..4000 {
            self.connect();
            self.board.now += 1;
            self.board.store();
            self.store();
            let busy = [self.send_board(), self.send_relay(), self.deliver_to_relay(), self.deliver_to_board()];
            if busy == [false; 4] && self.board.is_online() && self.relay_session.is_online() {
                return;
            }
        }
        panic!("board and relay do not become idle");
    }

    /// Asserts that board, relay session and log have the game of the room.
    #[track_caller]
    pub(super) fn assert_agreement(&self) {
        let (board, room) = (self.board.game().expect("no snapshot is being received"), self.room.game());
        assert_eq!(board.moves(), room.sheet());
        assert_eq!(board.outcome().is_some(), self.room.verdict().is_some());
        assert_eq!(
            board.outcome().and_then(chess::Outcome::winner),
            self.room.verdict().and_then(rules::Verdict::winner)
        );
        assert_eq!(self.relay_session.game().sheet(), room.sheet());
        assert!(!self.relay_session.needs_storing() && self.relay_session.is_whole());
        assert_eq!(Room::from_log(&self.log).expect("a log").game(), room);
    }

    /// The moves of the room.
    pub(super) fn moves(&self) -> Vec<Move> {
        self.room.game().sheet().to_vec()
    }
}

pub(super) fn name(text: &str) -> Name {
    text.parse().unwrap()
}
