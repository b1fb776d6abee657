//! The registers of the machine that the drivers use, by name (Arm DAI 0386 and DDI 0479).
#![expect(unsafe_code, reason = "a register is memory that something other than the program looks at")]

/// A 32-bit device register.
///
/// Invariant: the only values of this type are the constants of this file, each the address of a register that exists on
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
/// What the timer starts again from when it has reached zero; with nothing there it stops.
pub(super) const TIMER0_RELOAD: Register = Register(0x4000_0008);
pub(super) const TIMER0_INTCLEAR: Register = Register(0x4000_000c);

pub(super) const TIMER_CTRL_ENABLE: u32 = 1 << 0;
pub(super) const TIMER_CTRL_INTERRUPT: u32 = 1 << 3;

/// The two user LEDs.
pub(super) const FPGAIO_LED: Register = Register(0x4002_8000);
/// Counts up once every `PRESCALE + 1` ticks of the system clock, and wraps.
pub(super) const FPGAIO_COUNTER: Register = Register(0x4002_8018);
pub(super) const FPGAIO_PRESCALE: Register = Register(0x4002_801c);

pub(super) const SYSTEM_CLOCK_HZ: u32 = 25_000_000;
