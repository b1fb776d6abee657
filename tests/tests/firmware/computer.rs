//! A game against the computer of the board: no network, no relay, all decisions on the emulated processor.

use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use board::{Meaning, Scene};
use chess::{Bitboard, Color, Game, Move, Position, Square};
use tests::panel::{Panel, lit};
use tests::parts;
use tests::qemu::{Qemu, SerialLine};
use tests::random::Random;
use tests::scenes;
use tests::serial_console::SerialConsole;

use crate::fixture::{Folder, square};

/// For a slow machine under load.
const PATIENCE: Duration = Duration::from_mins(1);

/// The pieces, the console and the test's own record of the game.
struct Table {
    panel: Panel,
    console: SerialConsole,
    game: Box<Game>,
}

impl Table {
    fn new() -> Result<Self> {
        Ok(Self { panel: Panel::new()?, console: SerialConsole::new()?, game: Box::new(Game::new()) })
    }

    fn command(&mut self, line: &str) -> Result<()> {
        self.console.send_line(line)?;
        self.console.wait_for("done").map(drop)
    }

    /// The position of the board and the number of its plies.
    fn shown(&mut self) -> Result<(Position, usize)> {
        self.console.send_line("show")?;
        let shown = self.console.wait_for("plies\r\n")?;
        let line = shown.lines().rev().find_map(|line| line.strip_prefix("game ")).context("no game is shown")?;
        let (fen, plies) = line.split_once(", after ").context("no plies are shown")?;
        Ok((fen.parse()?, plies.trim_end_matches(" plies").parse()?))
    }

    /// Waits until the board has at least this many plies, and returns its position.
    fn wait_for_plies(&mut self, wanted: usize) -> Result<Position> {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let (position, plies) = self.shown()?;
            if plies >= wanted {
                return Ok(position);
            }
            ensure!(Instant::now() < deadline, "the board has {plies} plies instead of {wanted}: {}", position.fen());
        }
    }

    /// Waits for the computer's move.
    fn wait_for_reply(&mut self) -> Result<Move> {
        let position = self.wait_for_plies(self.game.moves().len() + 1)?;
        let before = *self.game.position();
        let mv = before.legal_moves().iter().copied().find(|&mv| before.after(mv) == position);
        let mv = mv.with_context(|| format!("no legal move leads to {}", position.fen()))?;
        self.game.play(mv)?;
        let scene = scenes::opponents(&before, mv, &self.game);
        self.panel.wait_for_scene("the computer's move", scene)?;
        Ok(mv)
    }

    /// Makes a move of either side on the board, which was legal in this position.
    fn make(&self, position: &Position, mv: Move) -> Result<()> {
        if let Some(victim) = position.victim(mv) {
            self.panel.lift(victim)?;
            self.panel.pause()?;
        }
        self.panel.move_piece(mv.from(), mv.to())?;
        if let Some((from, to)) = position.castling_rook(mv) {
            self.panel.pause()?;
            self.panel.move_piece(from, to)?;
        }
        Ok(())
    }

    /// Makes a random move without a promotion, which would need a further touch.
    fn play_random(&mut self, random: &mut Random) -> Result<()> {
        let position = *self.game.position();
        let legal = position.legal_moves();
        let moves: Vec<Move> = legal.iter().copied().filter(|mv| mv.promotion().is_none()).collect();
        let mv = random.one_of(&moves);
        self.make(&position, mv)?;
        self.game.play(mv)?;
        Ok(())
    }

    /// Answers the computer's reply on the board.
    fn make_reply(&mut self) -> Result<()> {
        let before = *self.game.position();
        let mv = self.wait_for_reply()?;
        self.make(&before, mv)?;
        let expected = last_move(&self.game);
        self.panel.wait_for_lights("that the computer's move is made", |lights| lit(lights) == expected)?;
        Ok(())
    }
}

/// What is lit after the last move of a game: its squares, and a king in check.
fn last_move(game: &Game) -> Bitboard {
    let position = game.position();
    let checked = Bitboard::of(position.king(position.turn()));
    let moved = game.moves().last().map_or(Bitboard::EMPTY, |mv| Bitboard::of(mv.from()) | Bitboard::of(mv.to()));
    if position.is_check() { moved | checked } else { moved }
}

#[test]
fn plays_against_its_computer_without_a_network_and_after_a_power_cut() -> Result<()> {
    let Some(image) = parts::mps2_image() else {
        return Ok(());
    };
    let (folder, mut table) = (Folder::new()?, Table::new()?);
    let qemu = table.panel.plug(Qemu::new(&image)).argument(&folder.journal());
    let qemu = qemu.line(SerialLine::Console, table.console.port()?);
    let board = qemu.clone().boot()?;
    table.console.attach()?;
    table.panel.settle()?;
    table.command("set computer 2 black")?;
    let mut random = Random::new(18);
    for _ in 0..3 {
        table.play_random(&mut random)?;
        table.make_reply()?;
    }
    table.play_random(&mut random)?;
    let played = table.game.moves().len();
    table.wait_for_plies(played)?;
    // The move is in flash long before the reply is shown, which is a second later.
    for _ in 0..20 {
        table.shown()?;
    }
    drop(board);

    let mut board = qemu.boot()?;
    table.console.attach()?;
    board.wait_for_start("journal intact, game restored with")?;
    table.panel.settle()?;
    // The power may have been cut before or after the reply was stored. Then the lights guide to it.
    let before = *table.game.position();
    let position = table.wait_for_plies(played + 1)?;
    let reply = before.legal_moves().iter().copied().find(|&mv| before.after(mv) == position).context("a reply")?;
    table.game.play(reply)?;
    table.make(&before, reply)?;
    let expected = last_move(&table.game);
    table.panel.wait_for_lights("that the reply is made", |lights| lit(lights) == expected)?;
    table.play_random(&mut random)?;
    table.make_reply()?;
    table.console.send_line("show")?;
    let shown = table.console.wait_for("plies\r\n")?;
    ensure!(shown.contains("computer 2 black\r\n"), "{shown}");
    table.console.send_line("stats")?;
    let shown = table.console.wait_for("\r\nclock ")?;
    ensure!(shown.contains("scans lost 0\r\n") && !shown.contains("last search 0 nodes"), "{shown}");
    Ok(())
}

/// The menu with these squares chosen.
fn menu(chosen: &[&str]) -> Scene {
    let all = ["a3", "b3", "c3", "d3", "e3", "a6", "b6", "c6", "d6", "e6", "g3", "g6", "h3"];
    all.iter().fold(Scene::EMPTY.with(Meaning::Lifted, Square::E1), |scene, name| {
        let meaning = if chosen.contains(name) { Meaning::Chosen } else { Meaning::Target };
        scene.with(meaning, square(name))
    })
}

#[test]
fn the_computer_is_chosen_with_a_king() -> Result<()> {
    let Some(image) = parts::mps2_image() else {
        return Ok(());
    };
    let mut table = Table::new()?;
    let qemu = table.panel.plug(Qemu::new(&image)).line(SerialLine::Console, table.console.port()?);
    let _board = qemu.boot()?;
    table.console.attach()?;
    table.panel.settle()?;
    table.panel.lift(Square::E1)?;
    table.panel.wait_for_scene("the menu", menu(&["c3", "g3", "h3"]))?;
    table.panel.place(Square::B3)?;
    table.panel.wait_for_scene("level 2", menu(&["b3", "g3"]))?;
    table.panel.lift(Square::B3)?;
    table.panel.place(Square::G6)?;
    table.panel.wait_for_scene("black for the player", menu(&["b3", "g6"]))?;
    table.panel.lift(Square::G6)?;
    table.panel.place(Square::E1)?;
    table.make_reply()?;
    assert_eq!(table.game.position().turn(), Color::Black);
    table.play_random(&mut Random::new(4))?;
    table.make_reply()?;
    Ok(())
}

#[test]
fn a_lifted_piece_is_lit_and_no_scan_is_lost_while_the_engine_searches() -> Result<()> {
    let Some(image) = parts::mps2_image() else {
        return Ok(());
    };
    let mut table = Table::new()?;
    let qemu = table.panel.plug(Qemu::new(&image)).line(SerialLine::Console, table.console.port()?);
    let _board = qemu.boot()?;
    table.console.attach()?;
    table.panel.settle()?;
    table.command("set computer 10 black")?;
    // Not in the list of openings, so the engine searches for seconds.
    let mv: Move = "a2a4".parse()?;
    table.make(&Position::start(), mv)?;
    table.game.play(mv)?;
    let thinking = scenes::still(&table.game).with(Meaning::Busy, Square::E8);
    table.panel.wait_for_scene("that the computer thinks", thinking)?;
    // A piece that is lifted on the computer's turn has no targets, but is lit at once.
    table.panel.lift(Square::G1)?;
    table.panel.wait_for_scene("the lifted piece", thinking.with(Meaning::Lifted, Square::G1))?;
    table.panel.place(Square::G1)?;
    table.panel.wait_for_scene("that it is back", thinking)?;
    let reply = table.wait_for_reply()?;
    table.make(&Position::start().after(mv), reply)?;
    table.console.send_line("stats")?;
    let shown = table.console.wait_for("\r\nclock ")?;
    ensure!(shown.contains("scans lost 0\r\n"), "{shown}");
    Ok(())
}
