use std::collections::VecDeque;

use super::*;

/// A model of the chip by its data sheet, as far as the driver uses it.
#[derive(Default)]
struct FakeChip {
    incoming: VecDeque<(u32, Vec<u32>)>,
    /// The rest of the packet whose status was read.
    reading: VecDeque<u32>,
    outgoing: Vec<u32>,
    statuses: u32,
    mac: [u32; 8],
    csr: u32,
    phy: [u32; 32],
    link: bool,
    /// The link status bit has latched low.
    was_down: bool,
    irq: u32,
    dead: bool,
}

impl Registers for FakeChip {
    fn read(&mut self, offset: u16) -> u32 {
        match offset {
            RX_DATA => self.reading.pop_front().expect("the receive FIFO is empty"),
            RX_STATUS => {
                let (status, words) = self.incoming.pop_front().expect("no packet was received");
                assert!(self.reading.is_empty(), "the packet before was not read to its end");
                self.reading = words.into();
                status
            }
            TX_STATUS => {
                self.statuses -= 1;
                0
            }
            BYTE_TEST => READY,
            HW_CFG => u32::from(self.dead),
            RX_FIFO_INF => (self.incoming.len() as u32) << 16,
            TX_FIFO_INF => self.statuses << 16 | 4096,
            MAC_CSR_CMD => 0,
            MAC_CSR_DATA => self.csr,
            INT_STS => 1 << 3,
            _ => panic!("read of an unexpected register {offset:#x}"),
        }
    }

    fn write(&mut self, offset: u16, value: u32) {
        match offset {
            TX_DATA => self.outgoing.push(value),
            IRQ_CFG => self.irq = value,
            MAC_CSR_DATA => self.csr = value,
            MAC_CSR_CMD => {
                let register = (value & 0xff) as usize;
                if value & CSR_READ != 0 {
                    self.csr = self.mac[register];
                } else {
                    self.mac[register] = self.csr;
                    if register == MII_ACC as usize {
                        self.access_phy_register();
                    }
                }
            }
            HW_CFG | RX_CFG | TX_CFG | FIFO_INT | INT_EN | INT_STS => {}
            _ => panic!("write to an unexpected register {offset:#x}"),
        }
    }
}

impl FakeChip {
    fn access_phy_register(&mut self) {
        let access = self.mac[MII_ACC as usize];
        self.mac[MII_ACC as usize] &= !MII_BUSY;
        let register = access >> 6 & 0x1f;
        if access & MII_WRITE != 0 {
            self.phy[register as usize] = self.mac[MII_DATA as usize];
        } else if register == PHY_STATUS {
            let up = self.link && !std::mem::replace(&mut self.was_down, !self.link);
            self.mac[MII_DATA as usize] = if up { LINK_UP } else { 0 };
        } else {
            self.mac[MII_DATA as usize] = self.phy[register as usize];
        }
    }

    fn receive_packet(&mut self, packet: &[u8], flags: u32) {
        let mut bytes = packet.to_vec();
        bytes.extend([0xcc; CRC_LEN]);
        let words = bytes.chunks(4).map(|four| {
            let mut word = [0xee; 4];
            word[..four.len()].copy_from_slice(four);
            u32::from_le_bytes(word)
        });
        self.incoming.push_back((flags | (bytes.len() as u32) << 16, words.collect()));
    }
}

fn chip() -> Lan9118<FakeChip> {
    let Ok(chip) = Lan9118::start(FakeChip { was_down: true, ..FakeChip::default() }) else {
        panic!("the chip does not start")
    };
    chip
}

#[test]
fn initialises_interrupts_mac_and_phy() {
    let chip = chip();
    assert_eq!(chip.registers.irq, IRQ_ON);
    assert_eq!(chip.registers.mac[MAC_CR as usize], MAC_ON);
    assert_eq!(chip.registers.phy[PHY_EVENT_MASK as usize], LINK_EVENTS);
}

#[test]
fn a_chip_that_does_not_respond_is_an_error() {
    assert!(Lan9118::start(FakeChip { dead: true, ..FakeChip::default() }).is_err());
}

#[test]
fn receives_packets_of_all_lengths() {
    let mut chip = chip();
    let mut buffer = [0; MAX_PACKET];
    for len in (60..70).chain([MAX_PACKET - 1, MAX_PACKET]) {
        let packet: Vec<u8> = (0..len).map(|at| at as u8).collect();
        chip.registers.receive_packet(&packet, 0);
        assert!(chip.has_packet());
        assert_eq!(chip.receive(&mut buffer), len);
        assert_eq!(buffer[..len], packet);
        assert!(!chip.has_packet());
    }
}

#[test]
fn drops_a_damaged_or_too_long_packet_and_no_other() {
    let mut chip = chip();
    let mut buffer = [0; MAX_PACKET];
    chip.registers.receive_packet(&[1; 100], RX_ERROR);
    chip.registers.receive_packet(&[2; 2000], 0);
    chip.registers.receive_packet(&[3; 60], 0);
    assert_eq!([0, 1, 2].map(|_| chip.receive(&mut buffer)), [0, 0, 60]);
    assert_eq!(buffer[..60], [3; 60]);
}

#[test]
fn transmits_two_commands_and_the_words_of_the_packet() {
    let mut chip = chip();
    chip.registers.statuses = 3;
    assert!(chip.can_transmit());
    assert_eq!(chip.registers.statuses, 0);
    chip.transmit(&[1, 2, 3, 4, 5]);
    assert_eq!(chip.registers.outgoing, [TX_FIRST_AND_LAST | 5, 5, 0x0403_0201, 5]);
}

#[test]
fn detects_link_up_and_down() {
    let mut chip = chip();
    assert!(!chip.is_link_up());
    chip.registers.link = true;
    assert!(chip.is_link_up());
    chip.registers.link = false;
    assert!(!chip.is_link_up());
}

#[test]
fn reads_the_mac_address() {
    let mut chip = chip();
    chip.registers.mac[MAC_ADDRL as usize] = 0x1200_5452;
    chip.registers.mac[MAC_ADDRH as usize] = 0x0134;
    assert_eq!(chip.address(), Ok([0x52, 0x54, 0x00, 0x12, 0x34, 0x01]));
}
