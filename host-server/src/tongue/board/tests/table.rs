use std::collections::VecDeque;

use board::Instant;
use board::session::Broken;
use chess::{Color, Move};
use wire::link::{Channel, Ephemeral, Knock, MAX_FRAME, PairingKey};

use super::desk::Desk;
use crate::room::{
    Code, Command, Entry, Fact, Name, Origin, Phase, Player, RelayId, Room, RoomId, Terms, Time, TokenHash, Wish,
};
use crate::tongue::board::agent::{Agent, Passing, Plan};
use crate::tongue::board::place::Place;
use crate::tongue::board::record::Record;
use crate::tongue::board::want::Want;

pub(super) const KEY: [u8; 32] = [0x42; 32];

/// How far the connection has been let in.
enum Door {
    Shut,
    Open(Channel),
    In,
}

/// A board, its agent, the room that it sits in, and somebody at the other side of it. The room is never forgotten; the
/// agent begins again from its record whenever it crashes.
pub(super) struct World {
    pub(super) desk: Desk,
    pub(super) agent: Agent,
    kept: Option<Vec<u8>>,
    writing: Option<Record>,
    door: Door,
    pub(super) to_relay: VecDeque<Vec<u8>>,
    pub(super) to_board: VecDeque<Vec<u8>>,
    pub(super) room: Room,
    pub(super) log: Vec<Entry>,
    pub(super) us: Color,
    pub(super) broken: Vec<Broken>,
    /// How often something that the board wanted was refused.
    pub(super) refused: usize,
    random: u64,
}

impl World {
    /// The board has this side.
    pub(super) fn new(us: Color, seed: u64) -> Self {
        let code: Code = "TABLE".parse().unwrap();
        let terms = Terms::default();
        let fact = Fact::Opened { room: RoomId(7), code: code.clone(), terms: terms.clone(), on: 0 };
        let first = Entry { at: Time(0), pen: 1, from: None, fact };
        let mut world = Self {
            desk: Desk::new(KEY, seed | 1),
            agent: Agent::new(seed ^ 0xffff),
            kept: None,
            writing: None,
            door: Door::Shut,
            to_relay: VecDeque::new(),
            to_board: VecDeque::new(),
            room: Room::from_log(std::slice::from_ref(&first)).unwrap(),
            log: vec![first],
            us,
            broken: Vec::new(),
            refused: 0,
            random: seed,
        };
        let wish = if us == Color::White { Wish::White } else { Wish::Black };
        let place = Place::new(code, wish, terms);
        let token = TokenHash::of(&place.token);
        let board = Player { id: place.user.clone(), name: name("Board"), token };
        let other = Player { id: crate::dice::user_id(), name: name("Other"), token: TokenHash::of("") };
        world.agent.seek(place, None);
        for (player, wish) in [(board, wish), (other, Wish::First)] {
            world.attempt(&Command::Sit { player, wish, dice: 1 }, None).unwrap();
        }
        world.agent.sat_down(RoomId(7));
        // The agent is there as long as it lives, and nobody looks at the clock here.
        for color in Color::ALL {
            world.attempt(&Command::Come { color, relay: RelayId(1) }, None).unwrap();
        }
        assert_eq!(world.room.phase(), Phase::Playing);
        world
    }

    pub(super) fn random(&mut self) -> u64 {
        self.random = self.random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.random >> 16
    }

    /// Asks the room for something.
    pub(super) fn attempt(&mut self, command: &Command, from: Option<Origin>) -> Result<(), ()> {
        let now = Time(self.desk.now);
        let pen = self.random();
        let draft = self.room.attempt(command, from, now, now, pen.max(1));
        for entry in draft.entries {
            self.room.apply(&entry);
            self.log.push(entry);
        }
        draft.refused.map_or(Ok(()), |_| Err(()))
    }

    /// Somebody at the other side does something.
    pub(super) fn other(&mut self, want: Want) -> Result<(), ()> {
        let dice = self.random();
        let command = want.command(!self.us, dice).expect("it makes sense");
        self.attempt(&command, None)
    }

    pub(super) fn other_plays_any(&mut self, choice: u16) {
        let game = self.room.game();
        let legal = game.position().legal_moves();
        if self.room.phase() == Phase::Playing && game.position().turn() != self.us && !legal.is_empty() {
            let mv = legal[usize::from(choice) % legal.len()];
            self.other(Want::Move { mv, ply: game.moves().len() }).expect("a legal move");
        }
    }

    pub(super) fn other_plays(&mut self, mv: &str) {
        let ply = self.room.game().moves().len();
        self.other(Want::Move { mv: mv.parse().unwrap(), ply }).expect(mv);
    }

    pub(super) fn settle_agent(&mut self) {
        self.agent.settle(Some(&self.room), Time(self.desk.now));
        if self.agent.plan(Some(&self.room), None) == Plan::PlayAgain {
            self.agent.asked_again(&self.room);
            let (us, dice) = (self.us, self.random());
            let color = self.room.seat_of(&self.agent.place().unwrap().user).unwrap_or(us);
            let _ = self.attempt(&Command::OfferRematch { color, dice }, None);
            self.agent.settle(Some(&self.room), Time(self.desk.now));
        }
        self.us = self.room.seat_of(&self.agent.place().unwrap().user).expect("the seat is kept");
    }

    /// Begins to write the record, which takes time.
    pub(super) fn begin_to_write(&mut self) {
        self.settle_agent();
        if self.agent.is_unkept() {
            self.writing = Some(self.agent.record());
        }
    }

    pub(super) fn have_written(&mut self) {
        if let Some(record) = self.writing.take() {
            self.agent.kept(&record);
            self.kept = Some(serde_json::to_vec(&record).unwrap());
        }
    }

    pub(super) fn keep(&mut self) {
        self.have_written();
        self.begin_to_write();
        self.have_written();
    }

    /// The relay is gone, and comes back with what was written. What was being written may be there or not.
    pub(super) fn crash_relay(&mut self) {
        self.cut();
        if let Some(record) = self.writing.take()
            && self.random().is_multiple_of(2)
        {
            self.kept = Some(serde_json::to_vec(&record).unwrap());
        }
        let place = self.agent.place().cloned();
        let random = self.random();
        if let Some(bytes) = &self.kept {
            self.agent = Agent::from_record(serde_json::from_slice(bytes).unwrap()).expect("it was written here");
        } else {
            self.agent = Agent::new(random);
            // The seat was written down before it was taken.
            self.agent.seek(place.expect("there was one"), None);
            self.agent.sat_down(RoomId(7));
        }
    }

    pub(super) fn crash_board(&mut self) {
        self.cut();
        let is_written = self.random().is_multiple_of(2);
        self.desk.restart(is_written);
    }

    pub(super) fn connect(&mut self) {
        if self.desk.end.connect_at().is_some() {
            self.to_relay.clear();
            self.to_board.clear();
            self.desk.connect();
            self.door = Door::Shut;
        }
    }

    pub(super) fn cut(&mut self) {
        self.to_relay.clear();
        self.to_board.clear();
        self.desk.cut();
        self.door = Door::Shut;
    }

    fn give_up(&mut self, broken: Broken) {
        self.broken.push(broken);
        self.cut();
    }

    pub(super) fn send_board(&mut self) -> bool {
        match self.desk.transmit() {
            Ok(Some(frame)) => {
                self.to_relay.push_back(frame);
                true
            }
            Ok(None) => false,
            Err(broken) => {
                self.give_up(broken);
                true
            }
        }
    }

    pub(super) fn send_relay(&mut self) -> bool {
        self.settle_agent();
        if !matches!(self.door, Door::In) {
            return false;
        }
        let mut buffer = [0; MAX_FRAME];
        match self.agent.transmit(&mut buffer, Instant::at(self.desk.now)) {
            Ok(Some(len)) => {
                self.to_board.push_back(buffer[..len].to_vec());
                true
            }
            Ok(None) => false,
            Err(broken) => {
                self.give_up(broken);
                true
            }
        }
    }

    pub(super) fn deliver_to_board(&mut self) -> bool {
        let Some(frame) = self.to_board.pop_front() else { return false };
        if let Err(broken) = self.desk.receive(frame) {
            self.give_up(broken);
        }
        true
    }

    pub(super) fn deliver_to_relay(&mut self) -> bool {
        let Some(mut frame) = self.to_relay.pop_front() else { return false };
        let now = Instant::at(self.desk.now);
        match std::mem::replace(&mut self.door, Door::Shut) {
            Door::Shut => {
                let mut bytes = [0; 32];
                bytes.chunks_mut(4).for_each(|chunk| chunk.copy_from_slice(&(self.random() as u32).to_le_bytes()));
                let knock = Knock::read(&frame).expect("a knock");
                let (answer, channel) = knock.answer(&PairingKey::new(KEY), Ephemeral::new(bytes)).expect("the key");
                self.to_board.push_back(answer.to_vec());
                self.door = Door::Open(channel);
            }
            Door::Open(channel) => match self.agent.accept(channel, &mut frame, now) {
                Ok(_) => self.door = Door::In,
                Err(broken) => self.give_up(broken),
            },
            Door::In => {
                self.door = Door::In;
                match self.agent.receive(&mut frame, now) {
                    Ok(None | Some(Passing::Wood(_))) => self.run_errands(),
                    Ok(Some(Passing::Goodbye(_))) => self.cut(),
                    Err(broken) => self.give_up(broken),
                }
            }
        }
        true
    }

    fn run_errands(&mut self) {
        while let Some(errand) = self.agent.errand(Some(&self.room)) {
            let from = errand.from.map(|(stream, number)| Origin { color: self.us, stream, number });
            let dice = self.random();
            let is_done = match errand.want.command(self.us, dice) {
                Some(command) => self.attempt(&command, from).is_ok(),
                None => false,
            };
            if !is_done && !errand.want.is_only_asked() {
                self.refused += 1;
            }
            self.agent.answered(is_done);
        }
    }

    /// From now on everything goes well.
    pub(super) fn settle(&mut self) {
        for _ in 0..4000 {
            self.connect();
            self.desk.now += 1;
            self.desk.keep();
            self.keep();
            let busy = [self.send_board(), self.send_relay(), self.deliver_to_relay(), self.deliver_to_board()];
            if busy == [false; 4] && self.desk.end.conversation().is_online() && self.agent.is_online() {
                return;
            }
        }
        panic!("they never come to rest");
    }

    /// The board has the game of the room, to the last detail that it can have.
    #[track_caller]
    pub(super) fn assert_agreement(&self) {
        let (board, room) = (self.desk.brain.game(), self.room.game());
        assert_eq!(board.moves(), room.moves());
        assert_eq!(board.outcome().is_some(), self.room.ending().is_some());
        assert_eq!(
            board.outcome().and_then(chess::Outcome::winner),
            self.room.ending().and_then(|ending| ending.for_board().winner())
        );
        assert_eq!(self.agent.game().moves(), room.moves());
        assert!(!self.agent.is_unkept() && self.agent.is_whole());
        assert_eq!(Room::from_log(&self.log).expect("a log").game(), room);
    }

    /// All moves that are written down anywhere.
    pub(super) fn moves(&self) -> Vec<Move> {
        self.room.game().moves().to_vec()
    }
}

pub(super) fn name(text: &str) -> Name {
    text.parse().unwrap()
}
