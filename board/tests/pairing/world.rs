use std::collections::VecDeque;

use board::Instant;
use board::pairing::{BoardPairing, PairingEvent, RelayPairing, RequestEvent};
use board::session::LinkError;
use chess::Bitboard;
use wire::link::{Ephemeral, MAX_FRAME, Name};
use wire::pairing::{Message, RelayOpening};

pub(crate) fn name(text: &str) -> Name {
    Name::from(text).expect("a short name")
}

/// A board and a relay with a connection between them.
pub(crate) struct World {
    pub(crate) board: BoardPairing,
    pub(crate) relay: RelayPairing,
    pub(crate) now: Instant,
    pub(crate) board_events: Vec<PairingEvent>,
    pub(crate) board_error: Option<LinkError>,
    pub(crate) relay_error: Option<LinkError>,
    pub(crate) is_received: bool,
    /// Frames are lost.
    pub(crate) is_cut: bool,
    /// The relay reveals another nonce than the promised one.
    pub(crate) cheats: bool,
    seed: u8,
    requested: Option<Bitboard>,
    to_board: VecDeque<Vec<u8>>,
}

impl World {
    /// The board has sent its opening, and the relay its answer.
    pub(crate) fn new(seed: u8) -> Self {
        let now = Instant::at(0);
        let mut board = BoardPairing::new();
        board.connected(Ephemeral::new([seed; 32]), [seed; 16], now);
        let mut buffer = [0; MAX_FRAME];
        let len = board.transmit("", "test", &mut buffer, now).unwrap().expect("an opening");
        let secret = Ephemeral::new([!seed; 32]);
        let (answer, relay) = RelayPairing::answer(&buffer[..len], secret, [!seed; 16], now).unwrap();
        Self {
            board,
            relay,
            now,
            board_events: Vec::new(),
            board_error: None,
            relay_error: None,
            is_received: false,
            is_cut: false,
            cheats: false,
            seed,
            requested: None,
            to_board: VecDeque::from([answer.to_vec()]),
        }
    }

    pub(crate) fn wait(&mut self, milliseconds: u64) {
        self.now = self.now.after(milliseconds);
    }

    pub(crate) fn board_squares(&self) -> Option<Bitboard> {
        self.board.squares()
    }

    pub(crate) fn relay_squares(&self) -> Option<Bitboard> {
        self.requested
    }

    /// Runs until the owner can compare.
    pub(crate) fn compare(&mut self) {
        self.settle();
        let squares = self.board_squares().expect("the board shows squares");
        assert_eq!(self.board_events, [PairingEvent::Compare(squares)]);
    }

    /// Exchanges frames until neither side has any.
    pub(crate) fn settle(&mut self) {
        loop {
            while let Some(mut frame) = self.to_board.pop_front() {
                match self.board.receive(&mut frame, self.now) {
                    Ok(event) => self.board_events.extend(event),
                    Err(error) => self.board_error = self.board_error.or(Some(error)),
                }
            }
            let mut is_idle = true;
            let mut buffer = [0; MAX_FRAME];
            match self.board.transmit("", "test", &mut buffer, self.now) {
                Ok(Some(len)) => {
                    is_idle = false;
                    if !self.is_cut {
                        self.receive(&mut buffer[..len]);
                    }
                }
                Ok(None) => {}
                Err(error) => self.board_error = self.board_error.or(Some(error)),
            }
            match self.relay.transmit(&mut buffer, self.now) {
                Ok(Some(len)) => {
                    is_idle = false;
                    if !self.is_cut {
                        self.to_board.push_back(buffer[..len].to_vec());
                    }
                }
                Ok(None) => {}
                Err(error) => self.relay_error = self.relay_error.or(Some(error)),
            }
            if is_idle {
                return;
            }
        }
    }

    fn receive(&mut self, frame: &mut [u8]) {
        if self.cheats {
            return self.cheat();
        }
        match self.relay.receive(frame, self.now) {
            Ok(Some(RequestEvent::Requested { squares, .. })) => self.requested = Some(squares),
            Ok(Some(RequestEvent::Received)) => self.is_received = true,
            Ok(None) => {}
            Err(error) => self.relay_error = self.relay_error.or(Some(error)),
        }
    }

    /// Another relay, with the same keys and so the same channel, reveals a nonce that it has not promised.
    fn cheat(&mut self) {
        self.cheats = false;
        self.is_cut = true;
        let (_, opening) = wire::pairing::BoardOpening::new(Ephemeral::new([self.seed; 32]));
        let opening = RelayOpening::read(&opening).unwrap();
        let (_, mut channel) = opening.answer(Ephemeral::new([!self.seed; 32]), [!self.seed; 16]).unwrap();
        let mut buffer = [0; MAX_FRAME];
        let len = channel.send(&Message::Reveal { nonce: [9; 16] }, &mut buffer).unwrap();
        self.to_board.push_back(buffer[..len].to_vec());
    }
}
