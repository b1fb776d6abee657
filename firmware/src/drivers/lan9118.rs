//! The LAN9118, an Ethernet controller that is read and written word by word.
//!
//! It has the MAC, the PHY and the packets' memory in one chip. What is here is the chip alone; whoever has one wraps it
//! into a network driver.

/// The registers of the chip.
pub trait Registers {
    /// Reads the register at this offset.
    fn read(&mut self, offset: u16) -> u32;
    /// Writes the register at this offset.
    fn write(&mut self, offset: u16, value: u32);
}

/// The longest packet, with a VLAN tag and without the check at its end.
pub const MAX_PACKET: usize = 1518;
/// The check that the chip adds to each packet.
const PACKET_CHECK: usize = 4;

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

/// What `BYTE_TEST` reads when the chip is awake and its bytes come in the right order.
const AWAKE: u32 = 0x8765_4321;
/// Interrupts are on, active high and driven both ways.
const IRQ_ON: u32 = 0x111;
/// A packet has come, or the PHY has news.
const INTERRUPTS: u32 = 1 << 3 | 1 << 18;
/// A bit that must be one, and five kilobytes for packets that go out.
const HW_DEFAULT: u32 = 1 << 20 | 5 << 16;
const HW_RESET: u32 = 1;
const TX_ON: u32 = 1 << 1;
/// An interrupt as soon as one packet has come.
const FIFO_INT: u16 = 0x68;

const CSR_BUSY: u32 = 1 << 31;
const CSR_READ: u32 = 1 << 30;
const MAC_CR: u32 = 1;
const MAC_ADDRH: u32 = 2;
const MAC_ADDRL: u32 = 3;
const MII_ACC: u32 = 6;
const MII_DATA: u32 = 7;
/// Full duplex, sends and receives.
const MAC_ON: u32 = 1 << 20 | 1 << 3 | 1 << 2;

/// The PHY that is in the chip.
const PHY: u32 = 1 << 11;
const MII_BUSY: u32 = 1;
const MII_WRITE: u32 = 1 << 1;
const PHY_CONTROL: u32 = 0;
const PHY_STATUS: u32 = 1;
const PHY_EVENTS: u32 = 29;
const PHY_EVENT_MASK: u32 = 30;
/// Negotiate, and begin now.
const NEGOTIATE: u32 = 1 << 12 | 1 << 9;
/// The link has come up or gone down.
const LINK_EVENTS: u32 = 1 << 6 | 1 << 4;
const LINK_UP: u32 = 1 << 2;

const RX_ERROR: u32 = 1 << 15;
const TX_FIRST_AND_LAST: u32 = 1 << 13 | 1 << 12;

/// How often a chip is asked whether it is done before it counts as dead.
const TRIES: usize = 100_000;

/// The chip does not do what such a chip does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dead;

/// A chip that is awake.
pub struct Lan9118<R> {
    registers: R,
}

impl<R: Registers> Lan9118<R> {
    /// Wakes the chip up, and has it tell of packets and of the cable by its interrupt.
    pub fn start(mut registers: R) -> Result<Self, Dead> {
        registers.write(HW_CFG, HW_DEFAULT | HW_RESET);
        until(|| registers.read(HW_CFG) & HW_RESET == 0)?;
        until(|| registers.read(BYTE_TEST) == AWAKE)?;
        registers.write(HW_CFG, HW_DEFAULT);
        let mut chip = Self { registers };
        chip.write_phy(PHY_CONTROL, NEGOTIATE)?;
        chip.write_phy(PHY_EVENT_MASK, LINK_EVENTS)?;
        chip.registers.write(RX_CFG, 0);
        chip.registers.write(FIFO_INT, 0);
        chip.registers.write(TX_CFG, TX_ON);
        chip.write_mac(MAC_CR, MAC_ON)?;
        chip.registers.write(INT_STS, u32::MAX);
        // The polarity after a reset is the other one: this has to be right before anybody listens.
        chip.registers.write(IRQ_CFG, IRQ_ON);
        chip.registers.write(INT_EN, INTERRUPTS);
        Ok(chip)
    }

    /// The address that the chip was given where it was made.
    pub fn address(&mut self) -> Result<[u8; 6], Dead> {
        let [low, high] = [self.read_mac(MAC_ADDRL)?.to_le_bytes(), self.read_mac(MAC_ADDRH)?.to_le_bytes()];
        Ok([low[0], low[1], low[2], low[3], high[0], high[1]])
    }

    /// Whether the cable is plugged in at both ends. A chip that is dead has none.
    pub fn is_link_up(&mut self) -> bool {
        // The event has to be read to be told again. The status remembers that the link was down, until it is read.
        let events = self.read_phy(PHY_EVENTS);
        let before = self.read_phy(PHY_STATUS);
        let now = self.read_phy(PHY_STATUS);
        events.and(before).and(now).is_ok_and(|status| status & LINK_UP != 0)
    }

    /// Whether a packet is there.
    pub fn has_packet(&mut self) -> bool {
        self.registers.read(RX_FIFO_INF) >> 16 & 0xff > 0
    }

    /// Takes a packet that is there into a buffer, and returns its length: 0 if it is damaged, or too long.
    pub fn receive(&mut self, buffer: &mut [u8; MAX_PACKET]) -> usize {
        let status = self.registers.read(RX_STATUS);
        let in_memory = (status >> 16 & 0x3fff) as usize;
        let len = in_memory.saturating_sub(PACKET_CHECK);
        let good = status & RX_ERROR == 0 && len <= MAX_PACKET;
        // All of it has to be read, good or not, or the next one would begin in the middle of this one.
        for at in (0..in_memory).step_by(4) {
            let word = self.registers.read(RX_DATA).to_le_bytes();
            if let Some(rest) = buffer.get_mut(at..len.min(MAX_PACKET)) {
                rest.iter_mut().zip(word).for_each(|(target, byte)| *target = byte);
            }
        }
        if good { len } else { 0 }
    }

    /// Whether there is room to send a packet of any length.
    pub fn can_transmit(&mut self) -> bool {
        // What became of those before has to be taken out, or there is no more room for it one day.
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

    fn read_mac(&mut self, register: u32) -> Result<u32, Dead> {
        self.registers.write(MAC_CSR_CMD, CSR_BUSY | CSR_READ | register);
        until(|| self.registers.read(MAC_CSR_CMD) & CSR_BUSY == 0)?;
        Ok(self.registers.read(MAC_CSR_DATA))
    }

    fn write_mac(&mut self, register: u32, value: u32) -> Result<(), Dead> {
        self.registers.write(MAC_CSR_DATA, value);
        self.registers.write(MAC_CSR_CMD, CSR_BUSY | register);
        until(|| self.registers.read(MAC_CSR_CMD) & CSR_BUSY == 0)
    }

    fn read_phy(&mut self, register: u32) -> Result<u32, Dead> {
        self.access_phy(PHY | register << 6 | MII_BUSY)?;
        self.read_mac(MII_DATA)
    }

    fn write_phy(&mut self, register: u32, value: u32) -> Result<(), Dead> {
        self.write_mac(MII_DATA, value)?;
        self.access_phy(PHY | register << 6 | MII_WRITE | MII_BUSY)
    }

    fn access_phy(&mut self, access: u32) -> Result<(), Dead> {
        self.write_mac(MII_ACC, access)?;
        for _ in 0..TRIES {
            if self.read_mac(MII_ACC)? & MII_BUSY == 0 {
                return Ok(());
            }
        }
        Err(Dead)
    }
}

/// Forgets why the chip has interrupted. It may do so from within the interrupt, while others use the chip.
pub fn acknowledge(registers: &mut impl Registers) {
    let why = registers.read(INT_STS);
    registers.write(INT_STS, why);
}

fn until(mut is_done: impl FnMut() -> bool) -> Result<(), Dead> {
    (0..TRIES).any(|_| is_done()).then_some(()).ok_or(Dead)
}

#[cfg(test)]
mod tests;
