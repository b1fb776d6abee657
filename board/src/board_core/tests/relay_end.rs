use std::boxed::Box;
use std::vec::Vec;

use rules::{Play, Ply, Start};
use wire::journal::SessionMemory;
use wire::link::{
    Channel, ClockRule, Ephemeral, Event, GameInfo, Live, MAX_FRAME, PairingKey, Responder, Seat, clipped_name,
};

use super::{BoardCore, Instant, Surface};
use crate::session::{End, Incoming, Session};

pub(super) const KEY: [u8; 32] = [1; 32];

/// The relay's end of the link, with a game.
pub(super) struct RelayEnd {
    session: Session<64>,
    pub(super) game: Box<Play>,
    info: GameInfo,
    connections: u8,
}

impl RelayEnd {
    /// A relay without any state of the board.
    pub(super) fn new() -> Self {
        let session = Session::new(End::Relay, "test", &SessionMemory::new(77), []);
        let info = GameInfo {
            game: 5,
            seat: Seat::White,
            white: clipped_name("Vera"),
            black: clipped_name("Ana"),
            ..GameInfo::LOCAL
        };
        Self { session, game: Box::new(Play::new()), info, connections: 0 }
    }

    /// The board connects, and both ends send their hello.
    pub(super) fn connect(&mut self, core: &mut BoardCore<Box<Surface>>, now: Instant) {
        self.connections += 1;
        core.connected(Ephemeral::new([self.connections; 32]), now);
        let first_frame = next(core, now).expect("a first frame");
        let responder = Responder::read(&first_frame).expect("a first frame");
        let (answer, channel): (_, Channel) = responder
            .answer(&PairingKey::new(KEY), Ephemeral::new([100 + self.connections; 32]))
            .expect("the key is right");
        core.receive(&mut answer.to_vec(), now).expect("an answer");
        let mut hello = next(core, now).expect("a hello");
        self.session.accept(channel, &mut hello, now).expect("a hello");
        self.send(core, 1, now);
    }

    /// Starts a game in which the board plays White.
    pub(super) fn begin(&mut self) {
        self.game.restart(&Start::CHESS);
        self.session.force_snapshot();
    }

    /// The same with a time control.
    pub(super) fn begin_timed(&mut self, clock: Option<ClockRule>) {
        self.info.clock = clock;
        self.begin();
    }

    /// Starts a told game in which the board plays White, or goes on with it: the turn after these plies.
    pub(super) fn tell(&mut self, turn: &rules::told::Position, plies: &[Ply], clock: Option<ClockRule>) {
        let goes_on = self.game.is_told();
        self.info.clock = clock;
        self.game.restart(&Start::Told(*turn));
        for &ply in plies {
            self.game.play(ply).expect("a record");
        }
        if goes_on {
            self.session.compact();
        } else {
            self.session.force_snapshot();
        }
    }

    /// Reports the clocks with the next frames.
    pub(super) fn report(&mut self, live: Live) {
        self.session.report_live(live);
    }

    /// Queues an event, which comes to the board with the next frames.
    pub(super) fn queue(&mut self, event: Event) {
        self.session.queue_event(event).expect("there is room");
    }

    /// Starts another game, in which the board plays Black.
    pub(super) fn begin_rematch(&mut self) {
        self.info = GameInfo { game: 6, seat: Seat::Black, ..self.info };
        self.begin();
    }

    /// Sends at most `most` frames to the board, and returns how many it sent.
    pub(super) fn send(&mut self, core: &mut BoardCore<Box<Surface>>, most: usize, now: Instant) -> usize {
        let memory = self.session.memory();
        self.session.mark_stored(&memory);
        for sent in 0..most {
            let mut frame = [0; MAX_FRAME];
            let len = self.session.transmit(&self.info, &self.game, &mut frame, now).expect("all is well");
            let Some(len) = len else { return sent };
            core.receive(&mut frame[..len], now).expect("all is well");
        }
        most
    }

    /// Drops all frames of the board.
    pub(super) fn lose(core: &mut BoardCore<Box<Surface>>, now: Instant) {
        while next(core, now).is_some() {}
    }

    /// Replaces the queued events by a snapshot, which includes only received events of the board.
    pub(super) fn compact(&mut self) {
        self.session.queue_event(Event::Hints { on: true }).expect("there is room");
        self.session.compact();
    }

    /// Receives all frames of the board, and applies its moves to the game. Returns the events.
    pub(super) fn receive(&mut self, core: &mut BoardCore<Box<Surface>>, now: Instant) -> Vec<Event> {
        let mut events = Vec::new();
        let mut coming = Box::new(Play::new());
        while let Some(mut frame) = next(core, now) {
            let incoming = self.session.receive(&mut frame, &mut coming, now).expect("all is well");
            if let Some(Incoming::Event(event)) = incoming {
                events.push(event);
                if let Event::Moved { ply, .. } = event {
                    self.game.play(ply).expect("a legal move");
                }
            }
        }
        events
    }

    /// Makes a move and replaces the queued events by a snapshot.
    pub(super) fn play_and_compact(&mut self, text: &str) {
        let number = self.game.len() as u16;
        let ply = Ply::of_move(text.parse().expect("a move"));
        self.game.play(ply).expect("a legal one");
        self.session.queue_event(Event::Moved { number, ply, thought_ms: 0 }).expect("there is room");
        self.session.compact();
    }
}

/// The next frame of the board.
fn next(core: &mut BoardCore<Box<Surface>>, now: Instant) -> Option<Vec<u8>> {
    let mut frame = [0; MAX_FRAME];
    let len = core.transmit(&mut frame, now).expect("all is well")?;
    Some(frame[..len].to_vec())
}
