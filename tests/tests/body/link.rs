use std::io::{Read, Write};
use std::net::TcpListener;
use std::thread;

use anyhow::Result;
use tests::panel::{Panel, lit};
use tests::parts;
use tests::qemu::Qemu;
use tests::qmp::Qmp;
use wire::link::{Seat, Table};

use crate::relay::{KEY, Relay, key_order};
use crate::world::{Folder, square};

#[test]
fn a_game_is_played_with_somebody_far_away() -> Result<()> {
    let Some(image) = parts::mps2_image() else {
        return Ok(());
    };
    let (panel, mut relay) = (Panel::new()?, Relay::new()?);
    let qemu = panel.plug(Qemu::new(&image)).network().order(&relay.order()?).order(&key_order(KEY));
    let mut board = qemu.boot()?;
    board.wait_for("the network is up, at 10.0.2.15/24")?;
    relay.wait("the board", Relay::is_online)?;
    assert!(relay.software.starts_with("tabiya-board "), "{}", relay.software);
    panel.settle()?;

    relay.begin(Table { game: 5, seat: Seat::White, white: "Vera", black: "Ana", ..Table::LOCAL });
    panel.carry(square("e2"), square("e4"))?;
    relay.wait("the move of the board", |relay| relay.moves() == "e2e4")?;
    relay.play("d7d5")?;
    relay.wait("that its answer has been kept", Relay::is_heard)?;
    // It is shown in light until it is made.
    panel.wait_for_lights("the answer", |lights| lit(lights).has(square("d7")) && lit(lights).has(square("d5")))?;
    panel.carry(square("d7"), square("d5"))?;
    // A capture: the one who is taken leaves first.
    panel.lift(square("d5"))?;
    panel.hesitate()?;
    panel.carry(square("e4"), square("d5"))?;
    relay.wait("the capture", |relay| relay.moves() == "e2e4 d7d5 e4d5")?;
    assert_eq!(relay.broken, []);
    Ok(())
}

#[test]
fn a_cable_that_is_pulled_out_costs_nothing() -> Result<()> {
    let Some(image) = parts::mps2_image() else {
        return Ok(());
    };
    let (folder, panel, mut relay) = (Folder::new()?, Panel::new()?, Relay::new()?);
    let socket = folder.path().join("qmp");
    let qemu = panel.plug(Qemu::new(&image)).network().qmp(&socket);
    let mut board = qemu.order(&relay.order()?).order(&key_order(KEY)).boot()?;
    let mut qmp = Qmp::connect(&socket)?;
    relay.wait("the board", Relay::is_online)?;
    panel.settle()?;
    panel.carry(square("e2"), square("e4"))?;
    relay.wait("the first move", |relay| relay.moves() == "e2e4")?;

    qmp.plug(false)?;
    board.wait_for("the network is down")?;
    panel.carry(square("g8"), square("f6"))?;
    qmp.plug(true)?;

    relay.wait("the second move", |relay| relay.moves() == "e2e4 g8f6")?;
    Ok(())
}

#[test]
fn a_relay_that_restarts_gets_what_it_missed() -> Result<()> {
    let Some(image) = parts::mps2_image() else {
        return Ok(());
    };
    let (panel, mut relay) = (Panel::new()?, Relay::new()?);
    let qemu = panel.plug(Qemu::new(&image)).network().order(&relay.order()?).order(&key_order(KEY));
    let mut board = qemu.boot()?;
    relay.wait("the board", Relay::is_online)?;
    panel.settle()?;

    relay.restart();
    board.wait_for_start("no relay: ")?;
    panel.carry(square("e2"), square("e4"))?;
    panel.carry(square("e7"), square("e5"))?;

    relay.wait("both moves", |relay| relay.moves() == "e2e4 e7e5")?;
    Ok(())
}

#[test]
fn a_board_with_the_wrong_key_is_refused_and_plays_on() -> Result<()> {
    let Some(image) = parts::mps2_image() else {
        return Ok(());
    };
    let (panel, mut relay) = (Panel::new()?, Relay::new()?);
    let qemu = panel.plug(Qemu::new(&image)).network().order(&relay.order()?).order(&key_order([0x43; 32]));
    let mut board = qemu.boot()?;

    // It tries again, and goes on trying.
    relay.wait("two refusals", |relay| relay.refused == 2)?;
    board.wait_for_start("the link is broken: ")?;
    panel.settle()?;
    panel.lift(square("b1"))?;
    panel.wait_for_lights("where a knight can go", |lights| lit(lights).has(square("c3")))?;
    Ok(())
}

/// Whatever a server says, the board gives the connection up, says why, tries again, and plays on.
#[test]
fn a_server_that_speaks_nonsense_is_left_alone() -> Result<()> {
    let Some(image) = parts::mps2_image() else {
        return Ok(());
    };
    let listener = TcpListener::bind(("127.0.0.1", 0))?;
    let order = format!("relay=ws://10.0.2.2:{}", listener.local_addr()?.port());
    thread::spawn(move || {
        let answers: [&[u8]; 3] =
            [b"SSH-2.0-OpenSSH_9.2\r\n", b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n", &[0xff; 4096]];
        for (stream, answer) in listener.incoming().zip(answers.into_iter().cycle()) {
            let Ok(mut stream) = stream else { return };
            let mut request = [0; 512];
            // It may have hung up already; then it is another's turn.
            let _ = stream.read(&mut request).and_then(|_| stream.write_all(answer));
            let _ = stream.read(&mut request);
        }
    });
    let panel = Panel::new()?;
    let mut board = panel.plug(Qemu::new(&image)).network().order(&order).order(&key_order(KEY)).boot()?;

    board.wait_for("no relay: the server does not speak HTTP")?;
    board.wait_for("no relay: the server answers with status 404")?;
    board.wait_for("no relay: the server does not speak HTTP")?;
    panel.settle()?;
    panel.lift(square("b1"))?;
    panel.wait_for_lights("where a knight can go", |lights| lit(lights).has(square("c3")))?;
    Ok(())
}
