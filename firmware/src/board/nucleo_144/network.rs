//! The Ethernet MAC of the chip with the PHY of the Nucleo (LAN8742), or no network if no PHY responds.

use core::pin::pin;
use core::task::Context;

use embassy_net_driver::{Capabilities, Driver, HardwareAddress, LinkState};
use embassy_stm32::eth::{self, Ethernet, Sma, StationManagement};
use embassy_stm32::peripherals::{ETH, ETH_SMA};
use embassy_time::{Duration, Timer, block_for};

use crate::drivers::phy::{Mdio, PAUSE_MS, Phy};

/// How often the PHY is asked for the state of the link. It has no interrupt line on this board.
const LINK_POLL_INTERVAL: Duration = Duration::from_millis(500);

/// The MDIO of the MAC.
pub(crate) struct Management(Sma<'static, ETH_SMA>);

impl Mdio for Management {
    fn read(&mut self, phy: u8, register: u8) -> u16 {
        self.0.smi_read(phy, register)
    }

    fn write(&mut self, phy: u8, register: u8, value: u16) {
        self.0.smi_write(phy, register, value);
    }
}

/// The PHY, for the MAC driver of embassy-stm32.
pub(crate) struct Lan8742(Phy<Management>);

impl Lan8742 {
    /// Finds the PHY.
    pub(super) fn find(management: Sma<'static, ETH_SMA>) -> Option<Self> {
        Phy::find(Management(management), pause).map(Self)
    }
}

fn pause() {
    block_for(Duration::from_millis(PAUSE_MS));
}

impl eth::Phy for Lan8742 {
    fn phy_reset(&mut self) {
        self.0.reset(pause);
    }

    fn phy_init(&mut self) {
        self.0.negotiate();
    }

    fn poll_link(&mut self, cx: &mut Context<'_>) -> bool {
        // Only to be woken for the next poll.
        let _ = pin!(Timer::after(LINK_POLL_INTERVAL)).poll(cx);
        self.0.is_link_up()
    }
}

/// The network of the board. Without a PHY the link is down for ever, and the board plays locally: the MAC driver would wait
/// for ever for the clock that the PHY provides.
pub(crate) enum Network {
    Ethernet(Ethernet<'static, ETH, Lan8742>),
    Absent { mac: [u8; 6] },
}

impl Driver for Network {
    type RxToken<'a> = eth::RxToken<'a, 'static>;
    type TxToken<'a> = eth::TxToken<'a, 'static>;

    fn receive(&mut self, cx: &mut Context<'_>) -> Option<(Self::RxToken<'_>, Self::TxToken<'_>)> {
        match self {
            Self::Ethernet(ethernet) => ethernet.receive(cx),
            Self::Absent { .. } => None,
        }
    }

    fn transmit(&mut self, cx: &mut Context<'_>) -> Option<Self::TxToken<'_>> {
        match self {
            Self::Ethernet(ethernet) => ethernet.transmit(cx),
            Self::Absent { .. } => None,
        }
    }

    fn link_state(&mut self, cx: &mut Context<'_>) -> LinkState {
        match self {
            Self::Ethernet(ethernet) => ethernet.link_state(cx),
            Self::Absent { .. } => LinkState::Down,
        }
    }

    fn capabilities(&self) -> Capabilities {
        match self {
            Self::Ethernet(ethernet) => ethernet.capabilities(),
            Self::Absent { .. } => {
                let mut capabilities = Capabilities::default();
                capabilities.max_transmission_unit = 1514;
                capabilities
            }
        }
    }

    fn hardware_address(&self) -> HardwareAddress {
        match self {
            Self::Ethernet(ethernet) => ethernet.hardware_address(),
            Self::Absent { mac } => HardwareAddress::Ethernet(*mac),
        }
    }
}
