use std::net::Ipv4Addr;

use anyhow::{Result, ensure};
use serde_json::json;
use tests::parts;
use tests::qemu::Qemu;
use tests::temp_dir::TempDir;

use crate::lan::Lan;
use crate::owned_relay::OwnedRelay;

const BOARD_ADDRESS: Ipv4Addr = Ipv4Addr::new(10, 0, 2, 77);

/// A board with the address of its relay and without a key asks this relay to be paired; after a restart it has its key in the journal.
#[test]
fn a_board_with_a_relay_and_without_a_key_is_paired() -> Result<()> {
    let Some(image) = parts::mps2_image() else { return Ok(()) };
    let Some(mut relay) = OwnedRelay::start()? else { return Ok(()) };
    let folder = TempDir::new()?;
    let journal = format!("journal={}", folder.path().join("journal").display());
    let address = format!("relay=ws://10.0.2.2:{}", relay.port());
    let mut board = Qemu::new(&image).network().argument(&journal).argument(&address).boot()?;
    relay.pair(&mut board)?;
    drop(board);
    let mut board = Qemu::new(&image).network().argument(&journal).boot()?;
    board.wait_for("relay online")?;
    relay.process.check()
}

/// A board without a relay finds one in its network, is paired with it, and connects to it by its name.
#[test]
fn a_board_finds_a_relay_and_is_paired() -> Result<()> {
    let Some(image) = parts::mps2_image() else { return Ok(()) };
    let Some(mut relay) = OwnedRelay::start()? else { return Ok(()) };
    let lan = Lan::new(relay.port(), BOARD_ADDRESS)?;
    let mut board = Qemu::new(&image).lan_peer(lan.port()).argument("ip=10.0.2.77/24").boot()?;
    relay.pair(&mut board)?;
    ensure!(
        lan.mdns_queries() >= 3,
        "{} queries: for the service, and for the host at each connection",
        lan.mdns_queries()
    );
    Ok(())
}

/// A declined board plays on, and does not ask again.
#[test]
fn a_declined_board_stops_asking() -> Result<()> {
    let Some(image) = parts::mps2_image() else { return Ok(()) };
    let Some(mut relay) = OwnedRelay::start()? else { return Ok(()) };
    let address = format!("relay=ws://10.0.2.2:{}", relay.port());
    let mut board = Qemu::new(&image).network().argument(&address).boot()?;
    let request = relay.pending()?;
    relay.answer(&request, &json!({ "answer": "decline" }))?;
    board.wait_for("pairing: declined by the relay, no further request until the next start")?;
    relay.process.check()
}
