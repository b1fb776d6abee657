//! Fault injection during games on the emulated board: it recovers, and no move is lost.

use std::net::SocketAddr;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use board::{Meaning, Scene};
use chess::{Bitboard, Color, Game, Square};
use tests::emulated::EmulatedBoard;
use tests::panel::Panel;
use tests::serial_console::SerialConsole;

use crate::fake_relay::{FAKE_ANSWERS, FakeAnswer, FakeRelay};
use crate::fixture::{ConnectingBoard, GameFixture, MoveStyle};
use tests::scenes;

/// Waits until the lights show only that the relay is offline.
fn wait_until_offline(panel: &Panel, game: &Game) -> Result<()> {
    panel.wait_for_scene("that the relay is away", offline(game)).map(drop)
}

fn offline(game: &Game) -> Scene {
    scenes::still(game).with(Meaning::Offline, Bitboard::of(Square::H8))
}

/// Makes a move by hand without checking the lights; it is sent later.
fn carry(fixture: &GameFixture, text: &str) -> Result<()> {
    let mv: chess::Move = text.parse()?;
    fixture.panel().move_piece(mv.from(), mv.to())
}

#[test]
fn a_cut_cable_loses_no_move() -> Result<()> {
    let Some(mut fixture) = GameFixture::start(Color::White)? else { return Ok(()) };
    fixture.play_at_board("g1f3", MoveStyle::Usual)?;
    fixture.play_remotely("g8f6")?;

    // A move at the board without a connection.
    fixture.board.plug(false)?;
    wait_until_offline(fixture.panel(), &fixture.game)?;
    carry(&fixture, "b1c3")?;
    fixture.board.plug(true)?;
    fixture.expect_move("b1c3")?;

    // A move of the opponent without a connection.
    fixture.board.plug(false)?;
    wait_until_offline(fixture.panel(), &fixture.game)?;
    fixture.guest.play("b8c6", 3)?;
    fixture.guest.wait_for_ply(4)?;
    fixture.board.plug(true)?;
    let position = *fixture.game.position();
    fixture.game.play("b8c6".parse()?)?;
    let scene = scenes::opponents(&position, "b8c6".parse()?, &fixture.game);
    fixture.panel().wait_for_scene("what was missed", scene)?;
    fixture.follow(&position, "b8c6".parse()?)?;

    // A loose contact.
    for _ in 0..5 {
        fixture.board.plug(false)?;
        fixture.board.plug(true)?;
    }
    fixture.play_at_board("e2e4", MoveStyle::Usual)?;
    fixture.play_remotely("e7e5")?;
    fixture.check_stored_game()
}

#[test]
fn a_killed_relay_loses_no_move() -> Result<()> {
    let Some(mut fixture) = GameFixture::start(Color::Black)? else { return Ok(()) };
    fixture.play_remotely("e2e4")?;

    fixture.relay_fixture.relay.kill9()?;
    wait_until_offline(fixture.panel(), &fixture.game)?;
    carry(&fixture, "e7e5")?;
    fixture.relay_fixture.relay.restart()?;
    fixture.guest.rejoin()?;
    fixture.expect_move("e7e5")?;

    // Killed right after a move, which it may or may not have received.
    fixture.play_remotely("g1f3")?;
    carry(&fixture, "b8c6")?;
    fixture.relay_fixture.relay.kill9()?;
    fixture.relay_fixture.relay.restart()?;
    fixture.guest.rejoin()?;
    fixture.expect_move("b8c6")?;
    fixture.play_remotely("f1b5")?;
    fixture.check_stored_game()
}

/// Resets while a piece is lifted, and at several times after it was placed.
#[test]
fn a_reset_during_a_move_loses_nothing() -> Result<()> {
    let Some(mut fixture) = GameFixture::start(Color::White)? else { return Ok(()) };
    let moves = ["g1f3 g8f6", "f3g1 f6g8", "b1c3 b8c6", "c3b1 c6b8", "g1h3 g8h6"];
    // Milliseconds after the piece was placed; in the first case it is still lifted.
    let moments = [None, Some(0), Some(4), Some(7), Some(12)];
    for (pair, moment) in moves.into_iter().zip(moments) {
        let (play_at_board, play_remotely) = pair.split_once(' ').context("two moves")?;
        let mv: chess::Move = play_at_board.parse()?;
        fixture.wait_until_still()?;
        fixture.panel().lift(mv.from())?;
        if let Some(moment) = moment {
            fixture.panel().pause()?;
            fixture.panel().change(|occupied| occupied | mv.to().into());
            thread::sleep(Duration::from_millis(moment));
        }
        fixture.board.restarted()?;
        fixture.board.reset()?;
        fixture
            .retry_until_received(play_at_board)
            .with_context(|| format!("{play_at_board}, reset at {moment:?} ms"))?;
        fixture.play_remotely(play_remotely)?;
    }
    fixture.check_stored_game()
}

/// Cuts the power during journal writes, at many positions.
#[test]
fn a_power_cut_during_a_journal_write_keeps_the_game() -> Result<()> {
    let play = |number: u32| -> Result<()> {
        let tear = |board: EmulatedBoard| board.argument(&format!("power-cut={number}"));
        let Some(mut fixture) = GameFixture::start_with_board(Color::White, Panel::new()?, tear)? else {
            return Ok(());
        };
        for pair in ["e2e4 e7e5", "g1f3 b8c6", "f1c4 f8c5", "d2d3 d7d6"] {
            let (play_at_board, play_remotely) = pair.split_once(' ').context("two moves")?;
            fixture.play_at_board_with_retries(play_at_board)?;
            fixture.play_remotely_with_retries(play_remotely)?;
        }
        fixture.check_stored_game()?;
        let torn = "previous run ended: simulated power cut during a flash operation";
        ensure!(fixture.board.log()?.log().iter().any(|line| line.message == torn), "nothing was cut off");
        Ok(())
    };
    thread::scope(|scope| {
        let games: Vec<_> = TORN.map(|number| scope.spawn(move || play(number).with_context(|| number))).into();
        games.into_iter().try_for_each(|game| game.join().map_err(|_| anyhow::anyhow!("a game panicked"))?)
    })
}

/// The writes that are cut off: those of the snapshot, of own moves and of the opponent's moves.
const TORN: [u32; 4] = [9, 10, 12, 15];

/// After any invalid answer the board closes the connection and retries. It resumes the game as soon as the real relay
/// answers.
#[test]
fn rejects_a_fake_relay_and_resumes_with_the_real_one() -> Result<()> {
    let play = |lies: &[FakeAnswer]| -> Result<()> {
        let mut fake_relay = None;
        let front = |board: EmulatedBoard, relay: SocketAddr, key: &str| {
            let door = FakeRelay::new(relay).expect("a door");
            let board = board.at(door.address(), key);
            fake_relay = Some(door);
            board
        };
        let Some(mut fixture) = GameFixture::start_with_relay(Color::White, Panel::new()?, front)? else {
            return Ok(());
        };
        let fake_relay = fake_relay.context("there is a fake relay in between")?;
        let mut moves = ["g1f3 g8f6", "f3g1 f6g8", "b1c3 b8c6"].into_iter().cycle();
        for lies in lies.chunks(2) {
            let (play_at_board, play_remotely) =
                moves.next().and_then(|pair| pair.split_once(' ')).context("two moves")?;
            let begun = Instant::now();
            fake_relay.lie(lies);
            // The light may be on for a moment only: the third attempt to connect succeeds.
            fixture.panel().first_scene_since("that the relay is away", offline(&fixture.game), begun)?;
            // The game goes on at the board meanwhile.
            carry(&fixture, play_at_board)?;
            fixture.expect_move(play_at_board).with_context(|| format!("{lies:?}"))?;
            ensure!(fake_relay.has_lied(), "{lies:?}");
            fixture.play_remotely(play_remotely)?;
        }
        fixture.check_stored_game()
    };
    thread::scope(|scope| {
        let games: Vec<_> = FAKE_ANSWERS.chunks(6).map(|lies| scope.spawn(move || play(lies))).collect();
        games.into_iter().try_for_each(|game| game.join().map_err(|_| anyhow::anyhow!("a game panicked"))?)
    })
}

/// The owner corrects a wrong key over the console.
#[test]
fn connects_after_a_wrong_key_is_corrected() -> Result<()> {
    let mut console = SerialConsole::new()?;
    let (mut key, port) = (String::new(), console.port()?);
    let wrong = |board: EmulatedBoard, relay: SocketAddr, right: &str| {
        right.clone_into(&mut key);
        board.at(relay, &"5a".repeat(32)).console(port)
    };
    let Some(mut connecting) = ConnectingBoard::power_up(Color::White, Panel::new()?, wrong)? else { return Ok(()) };
    console.attach()?;
    connecting.board.log()?.wait_for("relay link failed: the relay knows no board with this key")?;
    connecting.board.log()?.wait_for("relay link failed: the relay knows no board with this key")?;
    let scene = scenes::still(&Game::new()).with(Meaning::WrongKey, Bitboard::of(Square::H8));
    connecting.board.panel.wait_for_scene("that the key is wrong", scene)?;

    console.send_line(&format!("set key {key}"))?;
    console.wait_for("done")?;
    let mut fixture = connecting.challenge()?;
    fixture.play_at_board_with_retries("e2e4")?;
    fixture.play_remotely("e7e5")?;
    fixture.check_stored_game()
}

/// Garbage on the sensor line while pieces move.
#[test]
fn garbage_on_the_sensor_line_loses_no_move() -> Result<()> {
    let Some(mut fixture) = GameFixture::start(Color::White)? else { return Ok(()) };
    let noise: Vec<u8> = (0..5_000_u32).map(|at| (at.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    for (play_at_board, play_remotely) in [("e2e4", "e7e5"), ("g1f3", "b8c6"), ("b1c3", "g8f6")] {
        let mv: chess::Move = play_at_board.parse()?;
        fixture.panel().send_garbage(&noise)?;
        fixture.pick_up(&[mv.from()])?;
        fixture.panel().send_garbage(&noise)?;
        fixture.panel().send_garbage(&[0xc5, 0x01, 0x08])?;
        fixture.panel().place(mv.to())?;
        fixture.expect_move(play_at_board)?;
        fixture.panel().send_garbage(&[0xc5; 200])?;
        fixture.play_remotely(play_remotely)?;
    }
    fixture.check_stored_game()
}

/// The relay logs the reason of a board's panic for its operator.
#[test]
fn reports_a_panic_to_the_relay_and_plays_on() -> Result<()> {
    let panic = |board: EmulatedBoard| board.argument("panic=out-of-tea");
    let Some(mut fixture) = GameFixture::start_with_board(Color::White, Panel::new()?, panic)? else { return Ok(()) };
    fixture.play_at_board("e2e4", MoveStyle::Usual)?;
    let log = fixture.relay_fixture.relay.log().join("\n");
    ensure!(log.contains("after: panicked at ") && log.contains("out-of-tea"), "{log}");
    fixture.check_stored_game()
}
