//! Device registers of the machine (Arm DAI 0386 and DDI 0479).
#![expect(unsafe_code, reason = "a register is accessed through a raw pointer")]

use crate::drivers::lan9118;

/// A 32-bit device register.
///
/// Invariant: the only values of this type are those of this file, each the address of a register that exists on
/// this machine, so reading and writing them is safe wherever they are used.
#[derive(Clone, Copy)]
pub(super) struct Register(usize);

impl Register {
    pub(super) fn read(self) -> u32 {
        // SAFETY: see the invariant of the type.
        unsafe { (self.0 as *const u32).read_volatile() }
    }

    pub(super) fn write(self, value: u32) {
        // SAFETY: see the invariant of the type.
        unsafe { (self.0 as *mut u32).write_volatile(value) }
    }
}

/// Counts down from `VALUE` at [`SYSTEM_CLOCK_HZ`], and interrupts when it reaches zero.
pub(super) const TIMER0_CTRL: Register = Register(0x4000_0000);
pub(super) const TIMER0_VALUE: Register = Register(0x4000_0004);
/// The value that the timer reloads at zero; with 0 it stops.
pub(super) const TIMER0_RELOAD: Register = Register(0x4000_0008);
pub(super) const TIMER0_INTCLEAR: Register = Register(0x4000_000c);

/// A second timer of the same kind.
pub(super) const TIMER1_CTRL: Register = Register(0x4000_1000);
pub(super) const TIMER1_VALUE: Register = Register(0x4000_1004);
pub(super) const TIMER1_RELOAD: Register = Register(0x4000_1008);

pub(super) const TIMER_CTRL_ENABLE: u32 = 1 << 0;
pub(super) const TIMER_CTRL_INTERRUPT: u32 = 1 << 3;

pub(super) struct UartRegisters {
    pub(super) data: Register,
    pub(super) state: Register,
    pub(super) control: Register,
    /// Interrupt status; writing a one clears a bit.
    pub(super) interrupts: Register,
    pub(super) baud_divider: Register,
}

pub(super) const UART0: UartRegisters = uart(0x4000_4000);
pub(super) const UART1: UartRegisters = uart(0x4000_5000);
pub(super) const UART2: UartRegisters = uart(0x4000_6000);

pub(super) const UART_STATE_TX_FULL: u32 = 1 << 0;
pub(super) const UART_STATE_RX_FULL: u32 = 1 << 1;
/// Transmitter and receiver enabled.
pub(super) const UART_CTRL_ON: u32 = 1 << 0 | 1 << 1;
/// Transmit and receive interrupts enabled.
pub(super) const UART_CTRL_INTERRUPTS: u32 = 1 << 2 | 1 << 3;
pub(super) const UART_INT_TX: u32 = 1 << 0;
pub(super) const UART_INT_RX: u32 = 1 << 1;

const fn uart(base: usize) -> UartRegisters {
    UartRegisters {
        data: Register(base),
        state: Register(base + 0x04),
        control: Register(base + 0x08),
        interrupts: Register(base + 0x0c),
        baud_divider: Register(base + 0x10),
    }
}

/// Counts down from `LOAD` at [`SYSTEM_CLOCK_HZ`]; the first time it reaches zero it interrupts, the second time it resets.
pub(super) const WATCHDOG_LOAD: Register = Register(0x4000_8000);
pub(super) const WATCHDOG_CONTROL: Register = Register(0x4000_8008);
pub(super) const WATCHDOG_INTCLR: Register = Register(0x4000_800c);

pub(super) const WATCHDOG_CONTROL_INTERRUPT: u32 = 1 << 0;
pub(super) const WATCHDOG_CONTROL_RESET: u32 = 1 << 1;

pub(super) struct Lan9118Registers;

impl lan9118::Registers for Lan9118Registers {
    fn read(&mut self, offset: u16) -> u32 {
        Register(LAN9118 + usize::from(offset & LAN9118_MASK)).read()
    }

    fn write(&mut self, offset: u16, value: u32) {
        Register(LAN9118 + usize::from(offset & LAN9118_MASK)).write(value);
    }
}

const LAN9118: usize = 0x4020_0000;
/// Every multiple of four below 256 is a register or reads as zero.
const LAN9118_MASK: u16 = 0xfc;

/// External RAM, which nothing else in this image uses.
///
/// Invariant: there is one value of this type, so accesses never overlap.
pub(crate) struct Psram {
    base: usize,
}

const PSRAM: usize = 0x2100_0000;
const PSRAM_LEN: usize = 16 * 1024 * 1024;

impl Psram {
    pub(super) const fn new() -> Self {
        Self { base: PSRAM }
    }

    /// Reads bytes from an offset. Beyond the end the buffer stays unchanged.
    pub(super) fn read(&self, place: usize, buffer: &mut [u8]) {
        for (address, byte) in (self.base + place..self.base + PSRAM_LEN).zip(buffer) {
            // SAFETY: the address is in the PSRAM, which only the owner of this value accesses.
            *byte = unsafe { (address as *const u8).read_volatile() };
        }
    }

    /// Writes bytes to an offset. Bytes beyond the end are dropped.
    pub(super) fn write(&mut self, place: usize, bytes: &[u8]) {
        for (address, byte) in (self.base + place..self.base + PSRAM_LEN).zip(bytes) {
            // SAFETY: the address is in the PSRAM, which only the owner of this value accesses.
            unsafe { (address as *mut u8).write_volatile(*byte) };
        }
    }
}

/// The two user LEDs.
pub(super) const FPGAIO_LED: Register = Register(0x4002_8000);
/// Counts up once every `PRESCALE + 1` ticks of the system clock, and wraps.
pub(super) const FPGAIO_COUNTER: Register = Register(0x4002_8018);
pub(super) const FPGAIO_PRESCALE: Register = Register(0x4002_801c);

pub(super) const SYSTEM_CLOCK_HZ: u32 = 25_000_000;
