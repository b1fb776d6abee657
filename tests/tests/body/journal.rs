use anyhow::Result;
use tests::panel::Panel;
use tests::parts;
use tests::qemu::Qemu;
use tests::qmp::Qmp;

use crate::relay::{KEY, Relay, key_order};
use crate::world::{Folder, square};

/// Two moves are made, with somebody listening who knows when they are kept: what is sent has been written down.
fn play_two_moves(panel: &Panel, relay: &mut Relay) -> Result<()> {
    relay.wait("the board", Relay::is_online)?;
    panel.settle()?;
    panel.carry(square("e2"), square("e4"))?;
    relay.wait("the first move", |relay| relay.moves() == "e2e4")?;
    panel.carry(square("g8"), square("f6"))?;
    relay.wait("the second move", |relay| relay.moves() == "e2e4 g8f6")
}

#[test]
fn a_game_survives_a_pulled_plug() -> Result<()> {
    let Some(image) = parts::mps2_image() else {
        return Ok(());
    };
    let (folder, panel, mut relay) = (Folder::new()?, Panel::new()?, Relay::new()?);
    let qemu = panel.plug(Qemu::new(&image)).network().order(&folder.journal());
    let board = qemu.clone().order(&relay.order()?).order(&key_order(KEY)).boot()?;
    play_two_moves(&panel, &mut relay)?;
    drop(board);
    relay.restart();

    // Where the relay is, and the key, it knows by itself now.
    let mut board = qemu.boot()?;

    board.wait_for("the journal is whole, and the game has 2 plies")?;
    relay.wait("the board again", Relay::is_online)?;
    panel.settle()?;
    panel.carry(square("d2"), square("d4"))?;
    relay.wait("the third move", |relay| relay.moves() == "e2e4 g8f6 d2d4")?;
    assert_eq!(relay.broken, []);
    Ok(())
}

#[test]
fn a_game_survives_the_reset_button() -> Result<()> {
    let Some(image) = parts::mps2_image() else {
        return Ok(());
    };
    let (folder, panel, mut relay) = (Folder::new()?, Panel::new()?, Relay::new()?);
    let socket = folder.path().join("qmp");
    let qemu = panel.plug(Qemu::new(&image)).network().qmp(&socket).order(&folder.journal());
    let mut board = qemu.order(&relay.order()?).order(&key_order(KEY)).boot()?;
    play_two_moves(&panel, &mut relay)?;

    // In the middle of a move.
    panel.lift(square("d2"))?;
    Qmp::connect(&socket)?.reset()?;

    board.wait_for("the journal is whole, and the game has 2 plies")?;
    relay.wait("the board again", |relay| relay.knocks > 1 && relay.is_online())?;
    panel.place(square("d2"))?;
    panel.carry(square("d2"), square("d4"))?;
    relay.wait("the third move", |relay| relay.moves() == "e2e4 g8f6 d2d4")?;
    Ok(())
}
