//! Keeps the network's address what it should be, and says what it is.

use defmt::info;
use embassy_futures::select::{Either, select};
use embassy_net::{ConfigV4, Ipv4Cidr, Stack, StaticConfigV4};
use heapless::Vec;

use super::meeting::{ADDRESS, FROM_RELAY, NETWORK, Report};
use super::roll::patiently;
use crate::address::Address;
use crate::roll_call::Who;

/// What the stack is told about an address: one that was chosen, or that the network is to give one.
pub(crate) fn config(address: Option<Address>) -> ConfigV4 {
    match address {
        None => ConfigV4::Dhcp(embassy_net::DhcpConfig::default()),
        Some(Address { ip, prefix, gateway, dns }) => ConfigV4::Static(StaticConfigV4 {
            address: Ipv4Cidr::new(ip, prefix),
            gateway,
            dns_servers: dns.into_iter().collect::<Vec<_, 3>>(),
        }),
    }
}

pub(crate) async fn net(stack: Stack<'static>) -> ! {
    let work = async {
        loop {
            if let Either::Second(address) = select(watch(stack), ADDRESS.wait()).await {
                stack.set_config_v4(config(address));
            }
            // Whoever has a connection has it no longer.
            NETWORK.sender().send(false);
        }
    };
    patiently(Who::Net, work).await
}

/// Waits for the network, says that it is there, and ends when it is there no longer.
async fn watch(stack: Stack<'static>) {
    stack.wait_link_up().await;
    stack.wait_config_up().await;
    if let Some(config) = stack.config_v4() {
        info!("the network is up, at {}", config.address);
    }
    NETWORK.sender().send(true);
    FROM_RELAY.send(Report::Network).await;
    select(stack.wait_link_down(), stack.wait_config_down()).await;
    info!("the network is down");
}
