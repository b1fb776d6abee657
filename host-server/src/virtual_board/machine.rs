use std::fmt;

use board::calibration::LightLayout;
use board::console::{ConsoleMachine, RemoteLine};
use board::journal::Condition;
use board::{
    BoardCore, Computer, Entry, Frame, Input, Instant, LightSettings, Output, Pace, Profile, Runner, Settings, Stance,
    Surface,
};
use chess::{Bitboard, Color, Piece, Position, Square};
use engine::Level;
use rules::Play;
use wire::link::Seat;

use super::flash_file::FlashFile;
use super::pieces::Pieces;
use super::view::{BoardReport, ComputerReport, DARK, Lights, channels};
use crate::words;

/// The fixed identity of a virtual board.
#[derive(Clone)]
pub(crate) struct Identity {
    /// The display name.
    pub(crate) name: String,
    /// The pairing key; none for a board that gets its key from a relay and keeps it in its journal.
    pub(crate) key: Option<[u8; 32]>,
    /// The address of the relay that a board without a key asks to be paired; none to find one in the network.
    pub(crate) asked: Option<String>,
    /// The URL of the relay's page, if the relay is another process.
    pub(crate) relay: Option<String>,
    /// The permanent code of the board, if it is known here.
    pub(crate) code: Option<String>,
}

/// A board with power: the runner of the firmware. It is dropped with the power, so all of its state is volatile.
pub(super) struct Machine {
    runner: Runner<Box<Surface>>,
}

/// The software name and version that the board sends to the relay.
const SOFTWARE: &str = concat!("tabiya-virtual ", env!("CARGO_PKG_VERSION"));

/// A placeholder URL: the caller opens the transport, but the core does not connect without a URL.
const PLACEHOLDER_URL: &str = "ws://relay";

impl Machine {
    /// Starts from the flash, with these reeds closed.
    pub(super) fn start(
        identity: &Identity,
        flash_file: &mut FlashFile,
        raw: Bitboard,
        random: u64,
        now: Instant,
    ) -> Self {
        let surface = Box::new(Surface::new(Settings::default(), raw, now));
        let amend = |values: &mut _| {
            // All of them are shorter than the limit of a value.
            if identity.key.is_some() {
                let _ = Entry::Key(identity.key).keep(values);
                let _ = Entry::Relay(PLACEHOLDER_URL).keep(values);
            }
            if identity.key.is_some() || Profile(values).name().is_empty() {
                let _ = Entry::Name(&identity.name).keep(values);
            }
            if let Some(url) = &identity.asked {
                let _ = Entry::Relay(url).keep(values);
            }
        };
        let mut core = BoardCore::start(surface, flash_file, amend, SOFTWARE, random, now);
        tracing::debug!(board = identity.name, condition = ?core.condition(), "virtual board started");
        // A screen draws no current from the board, so the budget is unlimited, and so is the brightness unless the owner has set it.
        let brightness = if core.condition() == Condition::Blank { u8::MAX } else { core.settings().lights.brightness };
        let lights = LightSettings { brightness, budget_milliamps: u16::MAX, ..LightSettings::default() };
        core.set(Settings { lights, ..*core.settings() }, now);
        let mut runner = Runner::new(core);
        let squares = runner.calibration().switches.squares(raw);
        if squares != raw {
            runner.core_mut().reset_reeds(squares, now);
        }
        Self { runner }
    }

    /// The stored address of the relay.
    pub(super) fn relay(&self) -> Option<board::RelayAddress<'_>> {
        Profile(self.runner.core().values()).relay()
    }

    /// Whether the board has a pairing key.
    pub(super) fn is_paired(&self) -> bool {
        self.runner.core().is_paired()
    }

    /// See [`Runner::poll`].
    pub(super) fn poll(&mut self, input: Input<'_>, can_send: bool, now: Instant) -> Output<'_> {
        self.runner.poll(input, can_send, now)
    }

    /// Executes a console line of the relay's owner.
    pub(super) fn answer(&mut self, remote: &RemoteLine, now: Instant) {
        self.runner.answer(remote, &mut VirtualConsole, now);
    }

    /// See [`Runner::reload`].
    pub(super) fn reload(&mut self, flash_file: &mut FlashFile, now: Instant) {
        self.runner.reload(flash_file, now);
    }

    /// Stores whether the player consents to hints, and sends it to the relay.
    pub(super) fn set_hints(&mut self, on: bool, random: u64) {
        let keep = |values: &mut _| {
            // One byte always fits.
            let _ = Entry::Hints(on).keep(values);
        };
        let core = self.runner.core_mut();
        core.change(keep, random);
        core.send_hints();
    }

    /// Chooses how long moves rest before they count.
    pub(super) fn set_pace(&mut self, pace: Pace, now: Instant) {
        let core = self.runner.core_mut();
        let mut settings = *core.settings();
        settings.hand.pace = pace;
        core.set(settings, now);
    }

    /// Chooses the computer opponent: its level, or none to switch it off, and the player's colour.
    pub(super) fn set_computer(&mut self, level: Option<Level>, color: Color, now: Instant) {
        let before = *self.runner.core().computer();
        let level_or_same = level.unwrap_or(before.level);
        let computer = Computer { is_on: level.is_some(), level: level_or_same, color: !color, ..before };
        self.runner.core_mut().set_computer(computer, now);
    }

    /// The position of the game, if it has a move.
    pub(super) fn position(&self) -> Option<Position> {
        let game = self.runner.core().play()?.chess()?;
        (!game.moves().is_empty()).then(|| *game.position())
    }

    /// The debounced reading of the reeds.
    pub(super) fn settled(&self) -> Bitboard {
        self.runner.core().surface().referee().occupied()
    }

    /// The state of the board for the page.
    pub(super) fn report(&self, pieces: &Pieces, now: Instant) -> BoardReport {
        let core = self.runner.core();
        let Computer { is_on, level, color, .. } = *core.computer();
        let mut report = BoardReport {
            is_online: Some(core.is_online()),
            hints: Some(Profile(core.values()).hints()),
            pace: Some(core.settings().hand.pace.name()),
            computer: Some(ComputerReport { is_on, level: level.number(), color: (!color).to_string() }),
            ..BoardReport::default()
        };
        let Some((play, info)) = core.play().zip(core.game_info()) else { return report };
        let referee = core.surface().referee();
        if let Some(game) = play.chess() {
            report.headline = Some(words::headline(game));
            report.sentence = Some(words::sentence(game, referee, now));
            if referee.stance() == Stance::Settled {
                report.mistaken = mistaken(pieces, game.position().board());
            }
        } else {
            report.headline = Some(words::other_rules::headline(play));
            report.sentence = Some(words::other_rules::sentence(play, referee, now));
        }
        report.plies = Some(play.len());
        report.moves = notation(play);
        report.is_over = play.verdict().is_some();
        report.weak = referee.weak();
        report.seat = Some(match info.seat {
            Seat::White => "white",
            Seat::Black => "black",
            Seat::Both => "both",
            Seat::Neither => "nobody",
        });
        report.white = Some(info.white.to_string()).filter(|name| !name.is_empty());
        report.black = Some(info.black.to_string()).filter(|name| !name.is_empty());
        report
    }
}

/// What the console commands need of a virtual board.
struct VirtualConsole;

impl ConsoleMachine for VirtualConsole {
    fn random(&mut self) -> u32 {
        crate::random::roll() as u32
    }

    fn write_version(&self, text: &mut impl fmt::Write) -> fmt::Result {
        text.write_str(SOFTWARE)
    }

    fn write_stats(&self, text: &mut impl fmt::Write) -> fmt::Result {
        text.write_str("last failure: none recorded\r\n")
    }
}

/// The colours of the lights by the squares that they are under. They are wired as the documents say; the board believes that they are
/// wired like this layout.
pub(super) fn lights(frame: &Frame, layout: LightLayout) -> Lights {
    let mut shown = DARK;
    let colours = channels(frame.colours());
    for light in 0..64 {
        shown[LightLayout::DEFAULT.square(light)] = colours[layout.square(light)];
    }
    shown
}

/// The moves of a game: algebraic notation for chess, otherwise start and target square.
fn notation(play: &Play) -> Vec<String> {
    let Some(game) = play.chess() else { return play.plies_from(0).map(|ply| ply.to_string()).collect() };
    let mut position = *game.start();
    let written = game.moves().iter().map_while(|&mv| {
        let san = position.san(mv).ok()?.to_string();
        position = position.play(mv).ok()?;
        Some(san)
    });
    written.collect()
}

/// Names a piece of the wrong kind. Reeds cannot detect it.
fn mistaken(pieces: &Pieces, game: &[Option<Piece>; 64]) -> Option<String> {
    Square::all().zip(game).find_map(|(square, piece)| match (pieces.at(square), *piece) {
        (Some(found), Some(expected)) if found != expected => {
            let name = |piece: Piece| format!("a {} {}", piece.color(), piece.role());
            Some(format!("On {square} stands {}, and the game has {} there.", name(found), name(expected)))
        }
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use board::LinkCommand;
    use wire::link::Ephemeral;

    use super::*;
    use crate::virtual_board::flash_file::FlashOperation;
    use crate::virtual_board::surface::BoardSurface;
    use crate::virtual_board::touch::Touch;

    struct Fixture {
        flash_file: FlashFile,
        table: BoardSurface,
        machine: Machine,
        now: u64,
    }

    fn identity() -> Identity {
        Identity { name: "virtual".to_owned(), key: Some([7; 32]), asked: None, relay: None, code: None }
    }

    impl Fixture {
        fn new() -> Self {
            let (mut flash_file, mut table) = (FlashFile::in_memory(), BoardSurface::new(Instant::at(0)));
            let raw = table.closed(Instant::at(0));
            let machine = Machine::start(&identity(), &mut flash_file, raw, 1, Instant::at(0));
            Self { flash_file, table, machine, now: 0 }
        }

        fn run_for(&mut self, milliseconds: u64) {
            for _ in 0..milliseconds {
                self.now += 1;
                let now = Instant::at(self.now);
                let mut flash =
                    self.machine.poll(Input::Scan(self.table.closed(now)), false, now).flash.map(FlashOperation::from);
                while let Some(operation) = flash {
                    self.flash_file.carry_out(operation).unwrap();
                    flash =
                        self.machine.poll(Input::FlashDone { ok: true }, false, now).flash.map(FlashOperation::from);
                }
            }
        }

        fn touch(&mut self, touch: Touch) {
            self.table.touch(1, touch, 0, Instant::at(self.now)).unwrap();
            self.run_for(500);
        }

        fn carry(&mut self, from: Square, to: Square) {
            self.touch(Touch::Lift { hand: 0, square: from });
            self.touch(Touch::Put { hand: 0, square: to });
        }

        fn report(&self) -> BoardReport {
            self.machine.report(self.table.pieces(), Instant::at(self.now))
        }
    }

    #[test]
    fn a_power_cut_during_a_move_keeps_the_game() {
        let mut fixture = Fixture::new();
        fixture.run_for(100);
        fixture.carry(Square::E2, Square::E4);
        fixture.carry(Square::E7, Square::E5);
        assert_eq!((fixture.report().plies, fixture.report().headline), (Some(2), Some("White to move".to_owned())));
        assert_eq!(fixture.report().moves, ["e4", "e5"]);
        fixture.touch(Touch::Lift { hand: 0, square: Square::G1 });
        assert!(fixture.report().sentence.unwrap().contains("f3 or h3"));
        let raw = fixture.table.closed(Instant::at(fixture.now));
        fixture.machine = Machine::start(&identity(), &mut fixture.flash_file, raw, 2, Instant::at(fixture.now));
        fixture.run_for(1_000);
        assert_eq!(fixture.report().plies, Some(2));
        // After a start the board first checks that all pieces are in place.
        assert!(fixture.report().sentence.unwrap().contains("White's knight on g1"));
        fixture.touch(Touch::Put { hand: 0, square: Square::G1 });
        fixture.carry(Square::G1, Square::F3);
        assert_eq!(fixture.report().plies, Some(3));
    }

    #[test]
    fn the_pace_is_kept_over_a_power_cut_and_moves_rest_accordingly() {
        let mut fixture = Fixture::new();
        fixture.run_for(100);
        assert_eq!(fixture.report().pace, Some("normal"));
        fixture.machine.set_pace(Pace::Careful, Instant::at(fixture.now));
        fixture.run_for(100);
        let raw = fixture.table.closed(Instant::at(fixture.now));
        fixture.machine = Machine::start(&identity(), &mut fixture.flash_file, raw, 2, Instant::at(fixture.now));
        fixture.run_for(1_000);
        assert_eq!(fixture.report().pace, Some("careful"));
        // A pawn that could go two squares rests for 600 ms, in place of 300.
        fixture.carry(Square::E2, Square::E3);
        assert_eq!(fixture.report().plies, Some(0));
        fixture.run_for(300);
        assert_eq!(fixture.report().plies, Some(1));
    }

    #[test]
    fn the_computer_is_chosen_and_reported() {
        let mut fixture = Fixture::new();
        fixture.run_for(100);
        let chosen = |fixture: &Fixture| fixture.report().computer.expect("it is known");
        assert_eq!(chosen(&fixture), ComputerReport { is_on: false, level: 3, color: "white".to_owned() });
        fixture.machine.set_computer(Level::new(6), Color::Black, Instant::at(fixture.now));
        assert_eq!(chosen(&fixture), ComputerReport { is_on: true, level: 6, color: "black".to_owned() });
        assert_eq!(fixture.report().white.as_deref(), Some("Tabiya level 6"));
        assert_eq!(fixture.report().sentence.as_deref(), Some("The computer is thinking."));
        fixture.machine.set_computer(None, Color::White, Instant::at(fixture.now));
        assert_eq!(chosen(&fixture), ComputerReport { is_on: false, level: 6, color: "white".to_owned() });
        assert_eq!(fixture.report().white, None);
    }

    #[test]
    fn a_piece_of_the_wrong_kind_is_named() {
        let mut fixture = Fixture::new();
        for (hand, square) in [(0, Square::G1), (1, Square::F1)] {
            fixture.touch(Touch::Lift { hand, square });
        }
        for (hand, square) in [(0, Square::F1), (1, Square::G1)] {
            fixture.touch(Touch::Put { hand, square });
        }
        let sentence = "On f1 stands a white knight, and the game has a white bishop there.";
        assert_eq!(fixture.report().mistaken.as_deref(), Some(sentence));
    }

    #[test]
    fn connects_to_its_relay_and_sends_its_id() {
        let mut fixture = Fixture::new();
        let now = Instant::at(1);
        let output = fixture.machine.poll(Input::Wake, true, now);
        assert_eq!((output.link, output.send), (Some(LinkCommand::Connect), None), "there is no connection yet");
        assert_eq!(fixture.machine.poll(Input::Wake, true, now).link, None, "the first attempt is not answered yet");
        let output = fixture.machine.poll(Input::Connected(Ephemeral::new([3; 32])), true, now);
        let board = wire::link::Responder::read(output.send.expect("a first frame")).expect("a first frame").board();
        assert_eq!(board, wire::link::PairingKey::new([7; 32]).board_id());
        let output = fixture.machine.poll(Input::Disconnected { random: 0 }, true, now);
        assert!(output.link.is_none() && output.wake_at.is_some());
    }
}
