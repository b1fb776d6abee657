use std::net::Ipv4Addr;

use anyhow::{Context, Result};
use tests::parts;
use tests::qemu::{Qemu, SerialLine};
use tests::serial_console::SerialConsole;

use crate::lan::{DNS_ADDRESS, Lan};
use crate::link_peer::{KEY, LinkPeer, key_argument};

const BOARD_ADDRESS: Ipv4Addr = Ipv4Addr::new(10, 0, 2, 77);

/// With a static address and DNS server, the board resolves the host name of its relay.
#[test]
fn resolves_the_relay_with_a_static_address() -> Result<()> {
    let Some(image) = parts::mps2_image() else {
        return Ok(());
    };
    let mut relay = LinkPeer::new()?;
    let lan = Lan::new(relay.port()?, BOARD_ADDRESS)?;
    let qemu = Qemu::new(&image).lan_peer(lan.port()).argument(&format!("ip=10.0.2.77/24+10.0.2.2+{DNS_ADDRESS}"));
    let qemu = qemu.argument(&format!("relay=ws://relay.club:{}/ws/board", relay.port()?));
    let mut board = qemu.argument(&key_argument(KEY)).boot()?;
    board.wait_for("network up, address 10.0.2.77/24")?;
    let outcome = relay.wait("the board", LinkPeer::is_online);
    outcome.with_context(|| format!("{} DNS queries; the board's log:\n{}", lan.dns_queries(), board.transcript()))
}

/// A name in `.local` is resolved by multicast, without any DNS server. The board also answers pings.
#[test]
fn resolves_a_local_name_by_mdns_and_answers_pings() -> Result<()> {
    let Some(image) = parts::mps2_image() else {
        return Ok(());
    };
    let mut relay = LinkPeer::new()?;
    let lan = Lan::new(relay.port()?, BOARD_ADDRESS)?;
    let qemu = Qemu::new(&image).lan_peer(lan.port()).argument("ip=10.0.2.77/24");
    let qemu = qemu.argument(&format!("relay=ws://relay.local:{}/ws/board", relay.port()?));
    let mut board = qemu.argument(&key_argument(KEY)).boot()?;
    let outcome = relay.wait("the board", |relay| relay.is_online() && lan.ping_replies() > 0);
    let counted = (lan.mdns_queries(), lan.ping_replies());
    outcome.with_context(|| format!("{counted:?} mDNS queries and pings; the board's log:\n{}", board.transcript()))?;
    assert_eq!(lan.dns_queries(), 0);
    Ok(())
}

#[test]
fn logs_an_unknown_host_and_retries() -> Result<()> {
    let Some(image) = parts::mps2_image() else {
        return Ok(());
    };
    let lan = Lan::new(80, BOARD_ADDRESS)?;
    let qemu = Qemu::new(&image).lan_peer(lan.port());
    let qemu = qemu.argument(&format!("ip=10.0.2.77/24+10.0.2.2+{DNS_ADDRESS}")).argument("relay=ws://nowhere.club");
    let mut board = qemu.argument(&key_argument(KEY)).boot()?;
    board.wait_for("relay connection failed: no such host")?;
    board.wait_for("relay connection failed: no such host")?;
    assert!(lan.dns_queries() >= 2, "{} DNS queries", lan.dns_queries());
    Ok(())
}

/// A new address closes the connection to the relay, and the board connects again.
#[test]
fn applies_a_new_address_and_reconnects() -> Result<()> {
    let Some(image) = parts::mps2_image() else {
        return Ok(());
    };
    let (mut relay, mut console) = (LinkPeer::new()?, SerialConsole::new()?);
    let qemu = Qemu::new(&image).network().line(SerialLine::Console, console.port()?);
    let mut board = qemu.argument(&relay.argument()?).argument(&key_argument(KEY)).boot()?;
    console.attach()?;
    board.wait_for("network up, address 10.0.2.15/24")?;
    relay.wait("the board", LinkPeer::is_online)?;

    console.send_line("set ip 10.0.2.99/24 10.0.2.2")?;
    console.wait_for("done")?;
    board.wait_for("network up, address 10.0.2.99/24")?;
    relay.wait("the board again", |relay| relay.connections > 1 && relay.is_online())?;
    console.send_line("set ip dhcp")?;
    console.wait_for("done")?;
    board.wait_for("network up, address 10.0.2.15/24")?;
    relay.wait("the board once more", |relay| relay.connections > 2 && relay.is_online())?;
    Ok(())
}
