//! Things break in the middle of a game. The board mends itself, and the game is what it was.

use std::net::SocketAddr;
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use board::Meaning;
use chess::{Bitboard, Color, Square};
use tests::emulated::EmulatedBoard;
use tests::panel::Panel;
use tests::terminal::Terminal;

use crate::imposter::{Imposter, LIES, Lie};
use crate::together::{Manner, Together};
use tests::scenes;

/// The lights say that there is no relay, and nothing else.
fn is_offline(together: &Together) -> Result<()> {
    let scene = scenes::still(&together.game).with(Meaning::Offline, Bitboard::of(Square::H8));
    together.panel().shows("that the relay is away", scene).map(drop)
}

/// The hand makes a move, whatever the lights say; and it will be told.
fn carry(together: &Together, text: &str) -> Result<()> {
    let mv: chess::Move = text.parse()?;
    together.panel().carry(mv.from(), mv.to())
}

#[test]
fn a_cut_cable_costs_neither_player_a_move() -> Result<()> {
    let Some(mut together) = Together::sit_down(Color::White)? else { return Ok(()) };
    together.ours("g1f3", Manner::Usual)?;
    together.theirs("g8f6")?;

    // The board moves while it is cut off.
    together.wooden.plug(false)?;
    is_offline(&together)?;
    carry(&together, "b1c3")?;
    together.wooden.plug(true)?;
    together.arrives("b1c3")?;

    // The other one does.
    together.wooden.plug(false)?;
    is_offline(&together)?;
    together.guest.play("b8c6", 3)?;
    together.guest.hear_ply(4)?;
    together.wooden.plug(true)?;
    let position = *together.game.position();
    together.game.play("b8c6".parse()?)?;
    let scene = scenes::opponents(&position, "b8c6".parse()?, &together.game);
    together.panel().shows("what was missed", scene)?;
    together.follow(&position, "b8c6".parse()?)?;

    // A cable with a loose contact.
    for _ in 0..5 {
        together.wooden.plug(false)?;
        together.wooden.plug(true)?;
    }
    together.ours("e2e4", Manner::Usual)?;
    together.theirs("e7e5")?;
    together.is_kept()
}

#[test]
fn a_relay_that_is_killed_comes_back_with_the_game() -> Result<()> {
    let Some(mut together) = Together::sit_down(Color::Black)? else { return Ok(()) };
    together.theirs("e2e4")?;

    together.club.relay.kill9()?;
    is_offline(&together)?;
    carry(&together, "e7e5")?;
    together.club.relay.restart()?;
    together.guest.come_back()?;
    together.arrives("e7e5")?;

    // Killed right behind a move, which it may have heard or not.
    together.theirs("g1f3")?;
    carry(&together, "b8c6")?;
    together.club.relay.kill9()?;
    together.club.relay.restart()?;
    together.guest.come_back()?;
    together.arrives("b8c6")?;
    together.theirs("f1b5")?;
    together.is_kept()
}

/// The reset button is pressed when a piece is in the air, and at all moments after it has landed.
#[test]
fn a_reset_in_the_middle_of_a_move_loses_nothing() -> Result<()> {
    let Some(mut together) = Together::sit_down(Color::White)? else { return Ok(()) };
    let moves = ["g1f3 g8f6", "f3g1 f6g8", "b1c3 b8c6", "c3b1 c6b8", "g1h3 g8h6"];
    // In milliseconds from the landing; in the first one the piece is in the air.
    let moments = [None, Some(0), Some(4), Some(7), Some(12)];
    for (pair, moment) in moves.into_iter().zip(moments) {
        let (ours, theirs) = pair.split_once(' ').context("two moves")?;
        let mv: chess::Move = ours.parse()?;
        together.is_still()?;
        together.panel().lift(mv.from())?;
        if let Some(moment) = moment {
            together.panel().hesitate()?;
            together.panel().touch(|occupied| occupied | mv.to().into());
            thread::sleep(Duration::from_millis(moment));
        }
        together.wooden.restarted()?;
        together.wooden.reset()?;
        together.insist(ours).with_context(|| format!("{ours}, reset at {moment:?} ms"))?;
        together.theirs(theirs)?;
    }
    together.is_kept()
}

/// The plug is pulled in the middle of what is written into the journal, at many places.
#[test]
fn a_journal_that_is_cut_off_keeps_the_game() -> Result<()> {
    let play = |number: u32| -> Result<()> {
        let tear = |wooden: EmulatedBoard| wooden.order(&format!("torn={number}"));
        let Some(mut together) = Together::sit_down_at(Color::White, Panel::new()?, tear)? else { return Ok(()) };
        for pair in ["e2e4 e7e5", "g1f3 b8c6", "f1c4 f8c5"] {
            let (ours, theirs) = pair.split_once(' ').context("two moves")?;
            together.ours_stubbornly(ours)?;
            together.theirs_stubbornly(theirs)?;
        }
        together.is_kept()?;
        let torn = "the last run ended: the journal was cut off, as ordered";
        ensure!(together.wooden.log()?.log().iter().any(|line| line.message == torn), "nothing was cut off");
        Ok(())
    };
    thread::scope(|scope| {
        let games: Vec<_> = TORN.map(|number| scope.spawn(move || play(number).with_context(|| number))).into();
        games.into_iter().try_for_each(|game| game.join().map_err(|_| anyhow::anyhow!("a game panicked"))?)
    })
}

/// Which of all that is written is cut off: what comes with the game, with our moves, and with those of the other player.
const TORN: [u32; 4] = [9, 10, 12, 15];

/// Whatever is said to the board in the relay's place, it hangs up, calls again, and is at the game again as soon as it is
/// the relay that answers.
#[test]
fn a_server_that_speaks_nonsense_is_not_believed() -> Result<()> {
    let play = |lies: &[Lie]| -> Result<()> {
        let mut imposter = None;
        let front = |wooden: EmulatedBoard, relay: SocketAddr, key: &str| {
            let door = Imposter::new(relay).expect("a door");
            let wooden = wooden.at(door.address(), key);
            imposter = Some(door);
            wooden
        };
        let Some(mut together) = Together::sit_down_in(Color::White, Panel::new()?, front)? else { return Ok(()) };
        let imposter = imposter.context("there is somebody in between")?;
        let mut moves = ["g1f3 g8f6", "f3g1 f6g8", "b1c3 b8c6"].into_iter().cycle();
        for lies in lies.chunks(2) {
            let (ours, theirs) = moves.next().and_then(|pair| pair.split_once(' ')).context("two moves")?;
            imposter.lie(lies);
            is_offline(&together)?;
            // It is played on meanwhile.
            carry(&together, ours)?;
            together.arrives(ours).with_context(|| format!("{lies:?}"))?;
            ensure!(imposter.has_lied(), "{lies:?}");
            together.theirs(theirs)?;
        }
        together.is_kept()
    };
    thread::scope(|scope| {
        let games: Vec<_> = LIES.chunks(6).map(|lies| scope.spawn(move || play(lies))).collect();
        games.into_iter().try_for_each(|game| game.join().map_err(|_| anyhow::anyhow!("a game panicked"))?)
    })
}

/// The key is wrong, and the owner puts it right.
#[test]
fn a_board_with_the_wrong_key_is_refused_until_it_has_the_right_one() -> Result<()> {
    let mut terminal = Terminal::new()?;
    let (mut key, port) = (String::new(), terminal.port()?);
    let wrong = |wooden: EmulatedBoard, relay: SocketAddr, right: &str| {
        right.clone_into(&mut key);
        wooden.at(relay, &"5a".repeat(32)).console(port)
    };
    let Some(mut together) = Together::come_together(Color::White, Panel::new()?, wrong)? else { return Ok(()) };
    terminal.attach()?;
    together.wooden.log()?.wait_for("the link is broken: the relay does not know this board")?;
    together.wooden.log()?.wait_for("the link is broken: the relay does not know this board")?;
    is_offline(&together)?;

    terminal.type_in(&format!("set key {key}"))?;
    terminal.wait_for("done")?;
    together.begin()?;
    together.ours_stubbornly("e2e4")?;
    together.theirs("e7e5")?;
    together.is_kept()
}

/// Noise on the line of the switches, while pieces move.
#[test]
fn garbage_on_the_sensor_line_costs_no_move() -> Result<()> {
    let Some(mut together) = Together::sit_down(Color::White)? else { return Ok(()) };
    let noise: Vec<u8> = (0..5_000_u32).map(|at| (at.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    for (ours, theirs) in [("e2e4", "e7e5"), ("g1f3", "b8c6"), ("b1c3", "g8f6")] {
        let mv: chess::Move = ours.parse()?;
        together.panel().garble(&noise)?;
        together.pick_up(&[mv.from()])?;
        together.panel().garble(&noise)?;
        together.panel().garble(&[0xc5, 0x01, 0x08])?;
        together.panel().place(mv.to())?;
        together.arrives(ours)?;
        together.panel().garble(&[0xc5; 200])?;
        together.theirs(theirs)?;
    }
    together.is_kept()
}

/// The reason of a panic is in the log of the relay, for whoever looks after many boards.
#[test]
fn a_board_that_panics_tells_its_relay_why_and_plays_on() -> Result<()> {
    let panic = |wooden: EmulatedBoard| wooden.order("panic=out-of-tea");
    let Some(mut together) = Together::sit_down_at(Color::White, Panel::new()?, panic)? else { return Ok(()) };
    together.ours("e2e4", Manner::Usual)?;
    let log = together.club.relay.log().join("\n");
    ensure!(log.contains("after: panicked at ") && log.contains("out-of-tea"), "{log}");
    together.is_kept()
}
