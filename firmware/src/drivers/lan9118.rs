//! The LAN9118, an Ethernet controller with MAC, PHY and packet memory, accessed word by word.
//!
//! This is the chip alone; a board wraps it in a network driver.

/// The registers of the chip.
pub trait Registers {
    /// Reads the register at this offset.
    fn read(&mut self, offset: u16) -> u32;
    /// Writes the register at this offset.
    fn write(&mut self, offset: u16, value: u32);
}

/// Maximum packet size, with VLAN tag, without the CRC at its end.
pub const MAX_PACKET: usize = 1518;
/// Size of the CRC that the chip appends to a received packet.
const CRC_LEN: usize = 4;

const RX_DATA: u16 = 0x00;
const TX_DATA: u16 = 0x20;
const RX_STATUS: u16 = 0x40;
const TX_STATUS: u16 = 0x48;
const IRQ_CFG: u16 = 0x54;
const INT_STS: u16 = 0x58;
const INT_EN: u16 = 0x5c;
const BYTE_TEST: u16 = 0x64;
const RX_CFG: u16 = 0x6c;
const TX_CFG: u16 = 0x70;
const HW_CFG: u16 = 0x74;
const RX_FIFO_INF: u16 = 0x7c;
const TX_FIFO_INF: u16 = 0x80;
const MAC_CSR_CMD: u16 = 0xa4;
const MAC_CSR_DATA: u16 = 0xa8;

/// The value of `BYTE_TEST` when the chip is ready and the byte order is right.
const READY: u32 = 0x8765_4321;
/// Interrupts are on, active high and driven both ways.
const IRQ_ON: u32 = 0x111;
/// A packet was received, or a PHY event.
const INTERRUPTS: u32 = 1 << 3 | 1 << 18;
/// A bit that must be one, and a transmit FIFO of 5 KB.
const HW_DEFAULT: u32 = 1 << 20 | 5 << 16;
const HW_RESET: u32 = 1;
const TX_ON: u32 = 1 << 1;
/// Threshold for the receive interrupt: one packet.
const FIFO_INT: u16 = 0x68;

const CSR_BUSY: u32 = 1 << 31;
const CSR_READ: u32 = 1 << 30;
const MAC_CR: u32 = 1;
const MAC_ADDRH: u32 = 2;
const MAC_ADDRL: u32 = 3;
const MII_ACC: u32 = 6;
const MII_DATA: u32 = 7;
/// Full duplex, transmitter and receiver enabled.
const MAC_ON: u32 = 1 << 20 | 1 << 3 | 1 << 2;

/// Address of the internal PHY.
const PHY: u32 = 1 << 11;
const MII_BUSY: u32 = 1;
const MII_WRITE: u32 = 1 << 1;
const PHY_CONTROL: u32 = 0;
const PHY_STATUS: u32 = 1;
const PHY_EVENTS: u32 = 29;
const PHY_EVENT_MASK: u32 = 30;
/// Auto-negotiation enabled and restarted.
const NEGOTIATE: u32 = 1 << 12 | 1 << 9;
/// Auto-negotiation complete, and link down.
const LINK_EVENTS: u32 = 1 << 6 | 1 << 4;
const LINK_UP: u32 = 1 << 2;

const RX_ERROR: u32 = 1 << 15;
const TX_FIRST_AND_LAST: u32 = 1 << 13 | 1 << 12;

/// Polls of a busy bit until the chip counts as not responding.
const MAX_POLLS: usize = 100_000;

/// The chip does not respond as the data sheet says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotResponding;

/// An initialised chip.
pub struct Lan9118<R> {
    registers: R,
}

impl<R: Registers> Lan9118<R> {
    /// Resets and initialises the chip, with interrupts for received packets and for the link.
    pub fn start(mut registers: R) -> Result<Self, NotResponding> {
        registers.write(HW_CFG, HW_DEFAULT | HW_RESET);
        poll_until(|| registers.read(HW_CFG) & HW_RESET == 0)?;
        poll_until(|| registers.read(BYTE_TEST) == READY)?;
        registers.write(HW_CFG, HW_DEFAULT);
        let mut chip = Self { registers };
        chip.write_phy(PHY_CONTROL, NEGOTIATE)?;
        chip.write_phy(PHY_EVENT_MASK, LINK_EVENTS)?;
        chip.registers.write(RX_CFG, 0);
        chip.registers.write(FIFO_INT, 0);
        chip.registers.write(TX_CFG, TX_ON);
        chip.write_mac(MAC_CR, MAC_ON)?;
        chip.registers.write(INT_STS, u32::MAX);
        // After a reset the polarity is inverted, so it is set before interrupts are enabled.
        chip.registers.write(IRQ_CFG, IRQ_ON);
        chip.registers.write(INT_EN, INTERRUPTS);
        Ok(chip)
    }

    /// The MAC address from the chip's EEPROM.
    pub fn address(&mut self) -> Result<[u8; 6], NotResponding> {
        let [low, high] = [self.read_mac(MAC_ADDRL)?.to_le_bytes(), self.read_mac(MAC_ADDRH)?.to_le_bytes()];
        Ok([low[0], low[1], low[2], low[3], high[0], high[1]])
    }

    /// Whether the link is up. A chip that does not respond has no link.
    pub fn is_link_up(&mut self) -> bool {
        // Reading the event register re-arms the event. The link status latches low until it is read, so it is read twice.
        let events = self.read_phy(PHY_EVENTS);
        let before = self.read_phy(PHY_STATUS);
        let now = self.read_phy(PHY_STATUS);
        events.and(before).and(now).is_ok_and(|status| status & LINK_UP != 0)
    }

    /// Whether a packet was received.
    pub fn has_packet(&mut self) -> bool {
        self.registers.read(RX_FIFO_INF) >> 16 & 0xff > 0
    }

    /// Moves a received packet to the buffer, and returns its length: 0 if it is damaged or too long.
    pub fn receive(&mut self, buffer: &mut [u8; MAX_PACKET]) -> usize {
        let status = self.registers.read(RX_STATUS);
        let in_memory = (status >> 16 & 0x3fff) as usize;
        let len = in_memory.saturating_sub(CRC_LEN);
        let good = status & RX_ERROR == 0 && len <= MAX_PACKET;
        // The whole packet has to be read from the FIFO, even if it is dropped.
        for at in (0..in_memory).step_by(4) {
            let word = self.registers.read(RX_DATA).to_le_bytes();
            if let Some(rest) = buffer.get_mut(at..len.min(MAX_PACKET)) {
                rest.iter_mut().zip(word).for_each(|(target, byte)| *target = byte);
            }
        }
        if good { len } else { 0 }
    }

    /// Whether the transmit FIFO has room for a packet of any length.
    pub fn can_transmit(&mut self) -> bool {
        // Status words of sent packets have to be read, or the status FIFO fills up.
        while self.registers.read(TX_FIFO_INF) >> 16 & 0xff > 0 {
            self.registers.read(TX_STATUS);
        }
        self.registers.read(TX_FIFO_INF) & 0xffff >= (MAX_PACKET + 16) as u32
    }

    /// Sends a packet.
    pub fn transmit(&mut self, packet: &[u8]) {
        let len = packet.len() as u32;
        self.registers.write(TX_DATA, TX_FIRST_AND_LAST | len);
        self.registers.write(TX_DATA, len);
        for bytes in packet.chunks(4) {
            let mut word = [0; 4];
            word[..bytes.len()].copy_from_slice(bytes);
            self.registers.write(TX_DATA, u32::from_le_bytes(word));
        }
    }

    fn read_mac(&mut self, register: u32) -> Result<u32, NotResponding> {
        self.registers.write(MAC_CSR_CMD, CSR_BUSY | CSR_READ | register);
        poll_until(|| self.registers.read(MAC_CSR_CMD) & CSR_BUSY == 0)?;
        Ok(self.registers.read(MAC_CSR_DATA))
    }

    fn write_mac(&mut self, register: u32, value: u32) -> Result<(), NotResponding> {
        self.registers.write(MAC_CSR_DATA, value);
        self.registers.write(MAC_CSR_CMD, CSR_BUSY | register);
        poll_until(|| self.registers.read(MAC_CSR_CMD) & CSR_BUSY == 0)
    }

    fn read_phy(&mut self, register: u32) -> Result<u32, NotResponding> {
        self.access_phy(PHY | register << 6 | MII_BUSY)?;
        self.read_mac(MII_DATA)
    }

    fn write_phy(&mut self, register: u32, value: u32) -> Result<(), NotResponding> {
        self.write_mac(MII_DATA, value)?;
        self.access_phy(PHY | register << 6 | MII_WRITE | MII_BUSY)
    }

    fn access_phy(&mut self, access: u32) -> Result<(), NotResponding> {
        self.write_mac(MII_ACC, access)?;
        for _ in 0..MAX_POLLS {
            if self.read_mac(MII_ACC)? & MII_BUSY == 0 {
                return Ok(());
            }
        }
        Err(NotResponding)
    }
}

/// Clears the interrupt status. Safe in the interrupt handler while a task uses the chip.
pub fn acknowledge(registers: &mut impl Registers) {
    let status = registers.read(INT_STS);
    registers.write(INT_STS, status);
}

fn poll_until(mut is_done: impl FnMut() -> bool) -> Result<(), NotResponding> {
    (0..MAX_POLLS).any(|_| is_done()).then_some(()).ok_or(NotResponding)
}

#[cfg(test)]
mod tests;
