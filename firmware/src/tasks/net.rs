//! Keeps the network's address what it should be, and says what it is.

use defmt::info;
use embassy_futures::select::{Either, select};
use embassy_net::{ConfigV4, Ipv4Cidr, Stack, StaticConfigV4};
use heapless::Vec;

use super::meeting::ADDRESS;
use crate::address::Address;

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
    loop {
        let change = async {
            stack.wait_config_up().await;
            if let Some(config) = stack.config_v4() {
                info!("the network is up, at {}", config.address);
            }
            stack.wait_config_down().await;
            info!("the network is down");
        };
        if let Either::Second(address) = select(change, ADDRESS.wait()).await {
            stack.set_config_v4(config(address));
        }
    }
}
