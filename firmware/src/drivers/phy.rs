//! Ethernet PHY over MDIO: finds it, has it negotiate 100 Mbit/s full duplex only, and reports the link.
//!
//! The MAC driver is fixed to 100 Mbit/s full duplex. A PHY that negotiated anything else would report a link over which
//! every packet is lost, so nothing else is advertised, and a link without that mode counts as down.

/// Access to the registers of PHYs (IEEE 802.3 clause 22).
pub trait Mdio {
    /// Reads a register. Without a PHY at this address, all bits are 1.
    fn read(&mut self, phy: u8, register: u8) -> u16;

    /// Writes a register.
    fn write(&mut self, phy: u8, register: u8, value: u16);
}

const CONTROL: u8 = 0;
const STATUS: u8 = 1;
const IDENTIFIER: u8 = 2;
const ADVERTISEMENT: u8 = 4;
const PARTNER_ABILITY: u8 = 5;

const CONTROL_RESET: u16 = 1 << 15;
const CONTROL_NEGOTIATE: u16 = 1 << 12;
const CONTROL_RESTART: u16 = 1 << 9;
const STATUS_NEGOTIATED: u16 = 1 << 5;
const STATUS_LINK: u16 = 1 << 2;
const FULL_DUPLEX_100: u16 = 1 << 8;
/// The mandatory selector of the advertisement: IEEE 802.3.
const SELECTOR: u16 = 1;

/// Attempts to find a PHY. It responds some milliseconds after power-up. The caller's pause between them is [`PAUSE_MS`].
const FIND_ATTEMPTS: u32 = 10;

/// Attempts to see the end of a reset, which takes up to 0.5 s (IEEE 802.3, 22.2.4.1.1).
const RESET_ATTEMPTS: u32 = 50;

/// Milliseconds between two attempts.
pub const PAUSE_MS: u64 = 10;

/// A PHY, or the information that it does not respond.
pub struct Phy<M> {
    mdio: M,
    address: u8,
    /// The reset of the PHY has ended.
    is_ready: bool,
}

impl<M: Mdio> Phy<M> {
    /// Finds the PHY with the lowest address. `pause` waits [`PAUSE_MS`]: after a reset, a PHY needs some time to respond.
    pub fn find(mut mdio: M, mut pause: impl FnMut()) -> Option<Self> {
        for _ in 0..FIND_ATTEMPTS {
            let address = (0..32).find(|address| !matches!(mdio.read(*address, IDENTIFIER), 0 | 0xffff));
            if let Some(address) = address {
                return Some(Self { mdio, address, is_ready: false });
            }
            pause();
        }
        None
    }

    /// Resets the PHY, and waits for the end of that for at most `RESET_ATTEMPTS` pauses.
    pub fn reset(&mut self, mut pause: impl FnMut()) {
        self.mdio.write(self.address, CONTROL, CONTROL_RESET);
        for _ in 0..RESET_ATTEMPTS {
            self.is_ready = self.mdio.read(self.address, CONTROL) & CONTROL_RESET == 0;
            if self.is_ready {
                return;
            }
            pause();
        }
    }

    /// Starts negotiation of 100 Mbit/s full duplex.
    pub fn negotiate(&mut self) {
        self.mdio.write(self.address, ADVERTISEMENT, FULL_DUPLEX_100 | SELECTOR);
        self.mdio.write(self.address, CONTROL, CONTROL_NEGOTIATE | CONTROL_RESTART);
    }

    /// Whether there is a link, and both ends have agreed on 100 Mbit/s full duplex.
    pub fn is_link_up(&mut self) -> bool {
        const UP: u16 = STATUS_NEGOTIATED | STATUS_LINK;
        self.is_ready
            && self.mdio.read(self.address, STATUS) & UP == UP
            && self.mdio.read(self.address, PARTNER_ABILITY) & FULL_DUPLEX_100 != 0
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::rc::Rc;

    use super::*;

    /// A model of a PHY and of the device at the other end of its cable.
    struct FakePhy {
        address: u8,
        /// Reads of the control register until the reset has ended.
        reset_reads: u32,
        advertised: u16,
        partner: u16,
        is_plugged: bool,
        is_negotiating: bool,
    }

    impl FakePhy {
        const fn new(address: u8) -> Self {
            Self {
                address,
                reset_reads: 0,
                advertised: 0x01e1,
                partner: 0x01e1,
                is_plugged: true,
                is_negotiating: false,
            }
        }
    }

    #[derive(Clone)]
    struct Bus(Rc<RefCell<FakePhy>>);

    impl Mdio for Bus {
        fn read(&mut self, phy: u8, register: u8) -> u16 {
            let mut fake = self.0.borrow_mut();
            if phy != fake.address {
                return 0xffff;
            }
            match register {
                CONTROL if fake.reset_reads > 0 => {
                    fake.reset_reads -= 1;
                    CONTROL_RESET
                }
                CONTROL => CONTROL_NEGOTIATE,
                STATUS if fake.is_plugged && fake.is_negotiating => 0x7809 | STATUS_LINK | STATUS_NEGOTIATED,
                STATUS => 0x7809,
                IDENTIFIER => 7,
                PARTNER_ABILITY => fake.partner,
                _ => 0,
            }
        }

        fn write(&mut self, phy: u8, register: u8, value: u16) {
            let mut fake = self.0.borrow_mut();
            if phy == fake.address {
                match register {
                    ADVERTISEMENT => fake.advertised = value,
                    CONTROL if value & CONTROL_RESTART != 0 => fake.is_negotiating = true,
                    _ => {}
                }
            }
        }
    }

    fn phy(fake: FakePhy) -> (Option<Phy<Bus>>, Rc<RefCell<FakePhy>>) {
        let fake = Rc::new(RefCell::new(fake));
        (Phy::find(Bus(Rc::clone(&fake)), || {}), fake)
    }

    #[test]
    fn negotiates_only_what_the_mac_supports() {
        let (phy, fake) = phy(FakePhy { reset_reads: 3, ..FakePhy::new(0) });
        let mut phy = phy.expect("there is a PHY");
        phy.reset(|| {});
        phy.negotiate();
        assert!(phy.is_link_up());
        assert_eq!(fake.borrow().advertised, 0x0101);
        fake.borrow_mut().is_plugged = false;
        assert!(!phy.is_link_up());
    }

    #[test]
    fn a_partner_with_half_duplex_or_10_mbit_only_is_no_link() {
        for partner in [0x0021, 0x0061, 0x00a1, 0x0080] {
            let (phy, _) = phy(FakePhy { partner, ..FakePhy::new(1) });
            let mut phy = phy.expect("there is a PHY");
            phy.reset(|| {});
            phy.negotiate();
            assert!(!phy.is_link_up(), "{partner:#06x}");
        }
    }

    #[test]
    fn waits_a_limited_time_for_a_missing_phy() {
        let mut pauses = 0;
        let bus = Bus(Rc::new(RefCell::new(FakePhy::new(99))));
        assert!(Phy::find(bus, || pauses += 1).is_none());
        assert_eq!(pauses, FIND_ATTEMPTS);
    }

    #[test]
    fn waits_a_limited_time_for_a_reset_that_never_ends() {
        let (phy, _) = phy(FakePhy { reset_reads: u32::MAX, ..FakePhy::new(0) });
        let mut phy = phy.expect("there is a PHY");
        let mut pauses = 0;
        phy.reset(|| pauses += 1);
        phy.negotiate();
        assert_eq!(pauses, RESET_ATTEMPTS);
        assert!(!phy.is_link_up());
    }
}
