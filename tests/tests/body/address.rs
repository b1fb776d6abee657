use anyhow::Result;
use tests::parts;
use tests::qemu::{Qemu, SerialLine};
use tests::terminal::Terminal;

use crate::neighbour::{ADDRESS, Neighbour};
use crate::relay::{KEY, Relay, key_order};

/// The board has the address that it was given, and asks the one that it was told about for the name of its relay.
#[test]
fn a_relay_is_found_by_its_name_from_an_address_that_was_chosen() -> Result<()> {
    let Some(image) = parts::mps2_image() else {
        return Ok(());
    };
    let (neighbour, mut relay) = (Neighbour::new()?, Relay::new()?);
    let named = relay.order()?.replace("10.0.2.2", "relay.club");
    let qemu = Qemu::new(&image).network().neighbour(neighbour.port());
    let qemu = qemu.order(&format!("ip=10.0.2.77/24+10.0.2.2+{ADDRESS}")).order(&named).order(&key_order(KEY));
    let mut board = qemu.boot()?;
    board.wait_for("the network is up, at 10.0.2.77/24")?;
    relay.wait("the board", Relay::is_online)?;
    Ok(())
}

#[test]
fn a_name_that_nobody_knows_is_said_so_and_asked_for_again() -> Result<()> {
    let Some(image) = parts::mps2_image() else {
        return Ok(());
    };
    let neighbour = Neighbour::new()?;
    let qemu = Qemu::new(&image).network().neighbour(neighbour.port());
    let qemu = qemu.order(&format!("ip=10.0.2.77/24+10.0.2.2+{ADDRESS}")).order("relay=ws://nowhere.club");
    let mut board = qemu.order(&key_order(KEY)).boot()?;
    board.wait_for("no relay: there is no such host")?;
    board.wait_for("no relay: there is no such host")?;
    assert!(neighbour.questions() >= 2, "it was the neighbour who did not know");
    Ok(())
}

/// The address is changed while the board talks to its relay, which loses the connection and gets another.
#[test]
fn another_address_is_taken_over_at_once() -> Result<()> {
    let Some(image) = parts::mps2_image() else {
        return Ok(());
    };
    let (mut relay, mut terminal) = (Relay::new()?, Terminal::new()?);
    let qemu = Qemu::new(&image).network().line(SerialLine::Console, terminal.port()?);
    let mut board = qemu.order(&relay.order()?).order(&key_order(KEY)).boot()?;
    terminal.attach()?;
    board.wait_for("the network is up, at 10.0.2.15/24")?;
    relay.wait("the board", Relay::is_online)?;

    terminal.type_in("set ip 10.0.2.99/24 10.0.2.2")?;
    terminal.wait_for("done")?;
    board.wait_for("the network is up, at 10.0.2.99/24")?;
    relay.wait("the board again", |relay| relay.knocks > 1 && relay.is_online())?;
    terminal.type_in("set ip dhcp")?;
    terminal.wait_for("done")?;
    board.wait_for("the network is up, at 10.0.2.15/24")?;
    relay.wait("the board once more", |relay| relay.knocks > 2 && relay.is_online())?;
    Ok(())
}
