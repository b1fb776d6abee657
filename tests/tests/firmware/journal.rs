use anyhow::Result;
use tests::panel::Panel;
use tests::parts;
use tests::qemu::Qemu;
use tests::qmp::Qmp;

use crate::fixture::{Folder, square};
use crate::link_peer::{KEY, LinkPeer, key_argument};

/// Makes two moves, and waits until the peer has received them: events are sent only after they are in the journal.
fn play_two_moves(panel: &Panel, relay: &mut LinkPeer) -> Result<()> {
    relay.wait("the board", LinkPeer::is_online)?;
    panel.settle()?;
    panel.move_piece(square("e2"), square("e4"))?;
    relay.wait("the first move", |relay| relay.moves() == "e2e4")?;
    panel.move_piece(square("g8"), square("f6"))?;
    relay.wait("the second move", |relay| relay.moves() == "e2e4 g8f6")
}

#[test]
fn a_game_survives_a_power_cut() -> Result<()> {
    let Some(image) = parts::mps2_image() else {
        return Ok(());
    };
    let (folder, panel, mut relay) = (Folder::new()?, Panel::new()?, LinkPeer::new()?);
    let qemu = panel.plug(Qemu::new(&image)).network().argument(&folder.journal());
    let board = qemu.clone().argument(&relay.argument()?).argument(&key_argument(KEY)).boot()?;
    play_two_moves(&panel, &mut relay)?;
    drop(board);
    relay.restart();

    // The address of the relay and the key are in the journal now.
    let mut board = qemu.boot()?;

    board.wait_for("journal intact, game restored with 2 plies")?;
    relay.wait("the board again", LinkPeer::is_online)?;
    panel.settle()?;
    panel.move_piece(square("d2"), square("d4"))?;
    relay.wait("the third move", |relay| relay.moves() == "e2e4 g8f6 d2d4")?;
    assert_eq!(relay.broken, []);
    Ok(())
}

#[test]
fn a_game_survives_a_reset() -> Result<()> {
    let Some(image) = parts::mps2_image() else {
        return Ok(());
    };
    let (folder, panel, mut relay) = (Folder::new()?, Panel::new()?, LinkPeer::new()?);
    let socket = folder.path().join("qmp");
    let qemu = panel.plug(Qemu::new(&image)).network().qmp(&socket).argument(&folder.journal());
    let mut board = qemu.argument(&relay.argument()?).argument(&key_argument(KEY)).boot()?;
    play_two_moves(&panel, &mut relay)?;

    // During a move.
    panel.lift(square("d2"))?;
    Qmp::connect(&socket)?.reset()?;

    board.wait_for("journal intact, game restored with 2 plies")?;
    relay.wait("the board again", |relay| relay.connections > 1 && relay.is_online())?;
    panel.place(square("d2"))?;
    panel.move_piece(square("d2"), square("d4"))?;
    relay.wait("the third move", |relay| relay.moves() == "e2e4 g8f6 d2d4")?;
    Ok(())
}
