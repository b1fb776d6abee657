use std::io::{Read, Write};
use std::net::TcpListener;
use std::thread;

use anyhow::Result;
use tests::panel::{Panel, lit};
use tests::parts;
use tests::qemu::Qemu;
use tests::qmp::Qmp;
use wire::link::{GameInfo, Seat, clipped_name};

use crate::fixture::{Folder, square};
use crate::link_peer::{KEY, LinkPeer, key_argument};

#[test]
fn plays_a_game_with_a_remote_opponent() -> Result<()> {
    let Some(image) = parts::mps2_image() else {
        return Ok(());
    };
    let (panel, mut relay) = (Panel::new()?, LinkPeer::new()?);
    let qemu = panel.plug(Qemu::new(&image)).network().argument(&relay.argument()?).argument(&key_argument(KEY));
    let mut board = qemu.boot()?;
    board.wait_for("network up, address 10.0.2.15/24")?;
    relay.wait("the board", LinkPeer::is_online)?;
    assert!(relay.software.starts_with("tabiya-board "), "{}", relay.software);
    panel.settle()?;

    let (white, black) = (clipped_name("Vera"), clipped_name("Ana"));
    relay.begin(GameInfo { game: 5, seat: Seat::White, white, black, ..GameInfo::LOCAL });
    relay.wait_for_arrival(&mut board)?;
    panel.move_piece(square("e2"), square("e4"))?;
    relay.wait("the move of the board", |relay| relay.moves() == "e2e4")?;
    relay.play("d7d5")?;
    relay.wait("that its answer has been kept", LinkPeer::is_heard)?;
    // The lights show the opponent's move until it is made.
    panel.wait_for_lights("the answer", |lights| lit(lights).has(square("d7")) && lit(lights).has(square("d5")))?;
    panel.move_piece(square("d7"), square("d5"))?;
    // A capture: the captured piece leaves first.
    panel.lift(square("d5"))?;
    panel.pause()?;
    panel.move_piece(square("e4"), square("d5"))?;
    relay.wait("the capture", |relay| relay.moves() == "e2e4 d7d5 e4d5")?;
    assert_eq!(relay.broken, []);
    Ok(())
}

#[test]
fn a_pulled_cable_loses_no_move() -> Result<()> {
    let Some(image) = parts::mps2_image() else {
        return Ok(());
    };
    let (folder, panel, mut relay) = (Folder::new()?, Panel::new()?, LinkPeer::new()?);
    let socket = folder.path().join("qmp");
    let qemu = panel.plug(Qemu::new(&image)).network().qmp(&socket);
    let mut board = qemu.argument(&relay.argument()?).argument(&key_argument(KEY)).boot()?;
    let mut qmp = Qmp::connect(&socket)?;
    relay.wait("the board", LinkPeer::is_online)?;
    panel.settle()?;
    panel.move_piece(square("e2"), square("e4"))?;
    relay.wait("the first move", |relay| relay.moves() == "e2e4")?;

    qmp.plug(false)?;
    board.wait_for("network down")?;
    panel.move_piece(square("g8"), square("f6"))?;
    qmp.plug(true)?;

    relay.wait("the second move", |relay| relay.moves() == "e2e4 g8f6")?;
    Ok(())
}

#[test]
fn resends_missed_moves_after_a_relay_restart() -> Result<()> {
    let Some(image) = parts::mps2_image() else {
        return Ok(());
    };
    let (panel, mut relay) = (Panel::new()?, LinkPeer::new()?);
    let qemu = panel.plug(Qemu::new(&image)).network().argument(&relay.argument()?).argument(&key_argument(KEY));
    let mut board = qemu.boot()?;
    relay.wait("the board", LinkPeer::is_online)?;
    panel.settle()?;

    relay.restart();
    board.wait_for_start("relay connection failed: ")?;
    panel.move_piece(square("e2"), square("e4"))?;
    panel.move_piece(square("e7"), square("e5"))?;

    relay.wait("both moves", |relay| relay.moves() == "e2e4 e7e5")?;
    Ok(())
}

#[test]
fn plays_offline_with_a_wrong_key() -> Result<()> {
    let Some(image) = parts::mps2_image() else {
        return Ok(());
    };
    let (panel, mut relay) = (Panel::new()?, LinkPeer::new()?);
    let qemu = panel.plug(Qemu::new(&image)).network().argument(&relay.argument()?).argument(&key_argument([0x43; 32]));
    let mut board = qemu.boot()?;

    // The board retries with backoff.
    relay.wait("two refusals", |relay| relay.refused == 2)?;
    board.wait_for_start("relay link failed: ")?;
    panel.settle()?;
    panel.lift(square("b1"))?;
    panel.wait_for_lights("where a knight can go", |lights| lit(lights).has(square("c3")))?;
    Ok(())
}

/// After any invalid answer, the board closes the connection, logs the reason, retries, and plays on.
#[test]
fn disconnects_from_an_invalid_server_and_retries() -> Result<()> {
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
            // The board may have closed the connection already.
            let _ = stream.read(&mut request).and_then(|_| stream.write_all(answer));
            let _ = stream.read(&mut request);
        }
    });
    let panel = Panel::new()?;
    let mut board = panel.plug(Qemu::new(&image)).network().argument(&order).argument(&key_argument(KEY)).boot()?;

    board.wait_for("relay connection failed: the response is not HTTP/1.1")?;
    board.wait_for("relay connection failed: the server responded with HTTP status 404")?;
    board.wait_for("relay connection failed: the response is not HTTP/1.1")?;
    panel.settle()?;
    panel.lift(square("b1"))?;
    panel.wait_for_lights("where a knight can go", |lights| lit(lights).has(square("c3")))?;
    Ok(())
}
