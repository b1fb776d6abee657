use board::session::Broken;
use board::{Brain, Entry, Frame, Heard, Instant, LightSettings, Mind, Profile, Settings, Shine, Stance};
use chess::{Bitboard, Piece, Position, Square};
use wire::link::{Ephemeral, MAX_FRAME, Seat};

use super::vault::{Chore, Vault};
use super::view::Report;
use super::wood::Wood;
use crate::words;

/// What a board is told when it is made, and never again.
#[derive(Clone)]
pub(crate) struct Identity {
    /// What it is called.
    pub(crate) name: String,
    /// What it shares with its relay.
    pub(crate) key: [u8; 32],
    /// Where the page of its relay is, if it is not that of this process.
    pub(crate) relay: Option<String>,
    /// What others say to play with whoever sits at it, if that is known here.
    pub(crate) code: Option<String>,
}

/// A board that has power: the same mind that the firmware has, and what is in memory beside it. All of it is gone when the
/// plug is pulled.
pub(super) struct Machine {
    mind: Mind<Box<Brain>>,
    shine: Shine,
    line: Line,
    /// The journal is at work.
    keeping: bool,
}

/// The connection to the relay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Line {
    Idle,
    Dialling,
    Open,
}

/// What the relay is told that runs here.
const SOFTWARE: &str = concat!("tabiya-virtual ", env!("CARGO_PKG_VERSION"));

/// Any address: the way to the relay is the business of whoever dials, and a mind without one does not want to.
const SOMEWHERE: &str = "ws://relay";

impl Machine {
    /// Has power from now on, with these reeds closed.
    pub(super) fn start(identity: &Identity, vault: &mut Vault, raw: Bitboard, random: u64, now: Instant) -> Self {
        let brain = Box::new(Brain::new(Settings::default(), raw, now));
        let amend = |values: &mut _| {
            // Neither is too long: a name of the relay's is shorter than any value may be, and so is a key.
            let _ = Entry::Key(Some(identity.key)).keep(values);
            let _ = Entry::Name(&identity.name).keep(values);
            let _ = Entry::Relay(SOMEWHERE).keep(values);
        };
        let (mut mind, condition) = Mind::wake(brain, vault, amend, SOFTWARE, random, now);
        tracing::debug!(board = identity.name, ?condition, "a virtual board has power");
        // A screen is bright enough for a room by itself, and draws no current from us.
        let lights = LightSettings { brightness: u8::MAX, budget_milliamps: u16::MAX, ..LightSettings::default() };
        mind.set(Settings { lights, ..*mind.settings() }, now);
        Self { mind, shine: Shine::default(), line: Line::Idle, keeping: false }
    }

    /// Takes in a scan of the reeds, and returns whether something came of it.
    pub(super) fn scan(&mut self, raw: Bitboard, now: Instant) -> bool {
        self.mind.scan(raw, now)
    }

    /// What is to be done to the vault next. [`Machine::kept`] has to follow.
    pub(super) fn chore(&mut self, now: Instant) -> Option<Chore> {
        if self.keeping {
            return None;
        }
        let chore = self.mind.keep(now).map(Chore::from);
        self.keeping = chore.is_some();
        chore
    }

    /// The chore is done, or could not be.
    pub(super) fn kept(&mut self, done: bool) {
        self.keeping = false;
        self.mind.kept(done);
    }

    /// Whether half of a game has come, and [`Machine::recall`] is the way out.
    pub(super) fn has_to_recall(&self) -> bool {
        self.mind.is_torn_apart() && !self.keeping
    }

    /// Goes back to what the journal has.
    pub(super) fn recall(&mut self, vault: &mut Vault, now: Instant) {
        self.mind.recall(vault, now);
    }

    /// Whether the relay is to be called now. One of the two below has to follow.
    pub(super) fn dial(&mut self, now: Instant) -> bool {
        let is_time = self.line == Line::Idle && self.mind.connect_at().is_some_and(|at| at <= now);
        if is_time {
            self.line = Line::Dialling;
        }
        is_time
    }

    /// There is a connection.
    pub(super) fn connected(&mut self, random: [u8; 32], now: Instant) {
        self.line = Line::Open;
        self.mind.connected(Ephemeral::new(random), now);
    }

    /// There is none any more, or none was to be had.
    pub(super) fn disconnected(&mut self, random: u32, now: Instant) {
        self.line = Line::Idle;
        self.mind.disconnected(random, now);
    }

    /// The next frame for the relay. After an error the connection is to be given up.
    pub(super) fn transmit(&mut self, now: Instant) -> Result<Option<Vec<u8>>, Broken> {
        if self.line != Line::Open {
            return Ok(None);
        }
        let mut frame = vec![0; MAX_FRAME];
        let len = self.mind.transmit(&mut frame, now)?;
        Ok(len.map(|len| {
            frame.truncate(len);
            frame
        }))
    }

    /// Takes a frame of the relay. After an error the connection is to be given up.
    pub(super) fn receive(&mut self, frame: &mut [u8], now: Instant) -> Result<(), Broken> {
        match self.mind.receive(frame, now)? {
            Heard::Goodbye(_) => Err(Broken::Closed),
            Heard::Something | Heard::Online | Heard::Game { .. } => Ok(()),
        }
    }

    /// Whoever sits here agrees to hints, or no longer. It is kept, as on a real board.
    pub(super) fn agree_to_hints(&mut self, on: bool, random: u64) {
        let keep = |values: &mut _| {
            // It is one byte, for which there is room.
            let _ = Entry::Hints(on).keep(values);
        };
        self.mind.change(keep, random);
        self.mind.tell_hints();
    }

    /// What the lights are to show now, if it is something else.
    pub(super) fn shine(&mut self, now: Instant) -> Option<Frame> {
        self.shine.poll(&mut self.mind, now)
    }

    /// When something is to be done even if nothing happens.
    pub(super) fn wake_at(&self) -> Option<Instant> {
        let dial = self.mind.connect_at().filter(|_| self.line == Line::Idle);
        [self.mind.wake_at(), dial, self.shine.next()].into_iter().flatten().min()
    }

    /// The position of a game that has begun, if there is one.
    pub(super) fn position(&self) -> Option<Position> {
        let game = self.mind.game().filter(|game| !game.moves().is_empty())?;
        Some(*game.position())
    }

    /// What the reeds have read for long enough.
    pub(super) fn settled(&self) -> Bitboard {
        self.mind.brain().referee().occupied()
    }

    /// What there is to tell those who look at the board.
    pub(super) fn report(&self, wood: &Wood, now: Instant) -> Report {
        let hints = Profile(self.mind.values()).hints();
        let mut report = Report { is_online: Some(self.mind.is_online()), hints: Some(hints), ..Report::default() };
        let Some((game, table)) = self.mind.game().zip(self.mind.table()) else { return report };
        let referee = self.mind.brain().referee();
        report.headline = Some(words::headline(game));
        report.sentence = Some(words::sentence(game, referee, now));
        if referee.stance() == Stance::Settled {
            report.mistaken = mistaken(wood, game.position().board());
        }
        report.plies = Some(game.moves().len());
        report.is_over = game.outcome().is_some();
        report.weak = referee.weak();
        report.seat = Some(match table.seat {
            Seat::White => "white",
            Seat::Black => "black",
            Seat::Both => "both",
            Seat::Nobody => "nobody",
        });
        report.white = Some(table.white.to_owned()).filter(|name| !name.is_empty());
        report.black = Some(table.black.to_owned()).filter(|name| !name.is_empty());
        report
    }
}

/// A piece that is not the one the game has there. No reed can tell, so somebody else has to.
fn mistaken(wood: &Wood, game: &[Option<Piece>; 64]) -> Option<String> {
    Square::all().zip(game).find_map(|(square, piece)| match (wood.at(square), *piece) {
        (Some(wood), Some(game)) if wood != game => {
            let name = |piece: Piece| format!("a {} {}", piece.color(), piece.role());
            Some(format!("On {square} stands {}, and the game has {} there.", name(wood), name(game)))
        }
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::virtual_board::tabletop::Tabletop;
    use crate::virtual_board::touch::Touch;

    struct World {
        vault: Vault,
        table: Tabletop,
        machine: Machine,
        now: u64,
    }

    fn identity() -> Identity {
        Identity { name: "virtual".to_owned(), key: [7; 32], relay: None, code: None }
    }

    impl World {
        fn new() -> Self {
            let (mut vault, mut table) = (Vault::in_memory(), Tabletop::new(Instant::at(0)));
            let raw = table.closed(Instant::at(0));
            let machine = Machine::start(&identity(), &mut vault, raw, 1, Instant::at(0));
            Self { vault, table, machine, now: 0 }
        }

        fn live(&mut self, milliseconds: u64) {
            for _ in 0..milliseconds {
                self.now += 1;
                let now = Instant::at(self.now);
                self.machine.scan(self.table.closed(now), now);
                if let Some(chore) = self.machine.chore(now) {
                    self.vault.carry_out(chore).unwrap();
                    self.machine.kept(true);
                }
                self.machine.shine(now);
            }
        }

        fn touch(&mut self, touch: Touch) {
            self.table.touch(1, touch, 0, Instant::at(self.now)).unwrap();
            self.live(500);
        }

        fn carry(&mut self, from: Square, to: Square) {
            self.touch(Touch::Lift { hand: 0, square: from });
            self.touch(Touch::Put { hand: 0, square: to });
        }

        fn report(&self) -> Report {
            self.machine.report(self.table.wood(), Instant::at(self.now))
        }
    }

    #[test]
    fn a_power_cut_in_mid_move_loses_the_light_and_not_the_game() {
        let mut world = World::new();
        world.live(100);
        world.carry(Square::E2, Square::E4);
        world.carry(Square::E7, Square::E5);
        assert_eq!((world.report().plies, world.report().headline), (Some(2), Some("White to move".to_owned())));
        world.touch(Touch::Lift { hand: 0, square: Square::G1 });
        assert!(world.report().sentence.unwrap().contains("f3 or h3"));
        let raw = world.table.closed(Instant::at(world.now));
        world.machine = Machine::start(&identity(), &mut world.vault, raw, 2, Instant::at(world.now));
        world.live(1_000);
        assert_eq!(world.report().plies, Some(2));
        // A board that wakes up wants to see first that all is where it was.
        assert!(world.report().sentence.unwrap().contains("White's knight on g1"));
        world.touch(Touch::Put { hand: 0, square: Square::G1 });
        world.carry(Square::G1, Square::F3);
        assert_eq!(world.report().plies, Some(3));
    }

    #[test]
    fn a_piece_that_only_the_eye_can_tell_is_named() {
        let mut world = World::new();
        for (hand, square) in [(0, Square::G1), (1, Square::F1)] {
            world.touch(Touch::Lift { hand, square });
        }
        for (hand, square) in [(0, Square::F1), (1, Square::G1)] {
            world.touch(Touch::Put { hand, square });
        }
        let words = "On f1 stands a white knight, and the game has a white bishop there.";
        assert_eq!(world.report().mistaken.as_deref(), Some(words));
    }

    #[test]
    fn it_calls_its_relay_and_says_who_it_is() {
        let mut world = World::new();
        let now = Instant::at(1);
        assert!(world.machine.dial(now) && !world.machine.dial(now));
        assert_eq!(world.machine.transmit(now).unwrap(), None, "nobody is there yet");
        world.machine.connected([3; 32], now);
        let knock = world.machine.transmit(now).unwrap().expect("a knock");
        let board = wire::link::Knock::read(&knock).expect("a knock").board();
        assert_eq!(board, wire::link::PairingKey::new([7; 32]).board_id());
        world.machine.disconnected(0, now);
        assert!(!world.machine.dial(now) && world.machine.wake_at().is_some());
    }
}
