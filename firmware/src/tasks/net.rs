//! Configures the network stack, and reports whether the network is up.

use board::{Address, NetworkState};
use defmt::info;
use embassy_futures::select::{Either, select};
use embassy_net::{ConfigV4, Ipv4Cidr, Stack, StaticConfigV4};
use heapless::{String, Vec};

use super::channels::{ADDRESS, LINK_EVENTS, LinkEvent, NETWORK};
use super::liveness::check_in_during;
use crate::host_name::HOST_NAME_BYTES;
use crate::liveness::TaskId;

/// The host name that a DHCP server gets.
pub(crate) type HostName = String<HOST_NAME_BYTES>;

/// The stack's configuration: static, or DHCP without an address.
pub(crate) fn config(address: Option<Address>, host_name: &HostName) -> ConfigV4 {
    match address {
        None => {
            let mut dhcp = embassy_net::DhcpConfig::default();
            dhcp.hostname = Some(host_name.clone());
            ConfigV4::Dhcp(dhcp)
        }
        Some(Address { ip, prefix, gateway, dns }) => ConfigV4::Static(StaticConfigV4 {
            address: Ipv4Cidr::new(ip, prefix),
            gateway,
            dns_servers: dns.into_iter().collect::<Vec<_, 3>>(),
        }),
    }
}

pub(crate) async fn net(stack: Stack<'static>, host_name: HostName) -> ! {
    let work = async {
        loop {
            if let Either::Second(address) = select(watch(stack), ADDRESS.wait()).await {
                stack.set_config_v4(config(address, &host_name));
            }
            // Existing connections are lost.
            NETWORK.sender().send(false);
        }
    };
    check_in_during(TaskId::Net, work).await
}

async fn report(state: NetworkState) {
    LINK_EVENTS.send(LinkEvent::Network(state)).await;
}

/// Waits until the network is up, reports that, and completes when it is down again.
async fn watch(stack: Stack<'static>) {
    if !stack.is_link_up() {
        report(NetworkState::Unplugged).await;
        stack.wait_link_up().await;
    }
    if !stack.is_config_up() {
        report(NetworkState::NoAddress).await;
        stack.wait_config_up().await;
    }
    if let Some(config) = stack.config_v4() {
        info!("network up, address {}", config.address);
    }
    NETWORK.sender().send(true);
    report(NetworkState::Up).await;
    select(stack.wait_link_down(), stack.wait_config_down()).await;
    info!("network down");
}
