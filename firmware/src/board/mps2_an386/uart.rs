//! The serial lines: the console, the switches' and the lights'.
#![expect(unsafe_code, reason = "unmasking an interrupt is a promise that nobody relies on its mask")]

use core::convert::Infallible;
use core::future::poll_fn;
use core::task::Poll;

use cortex_m::peripheral::NVIC;
use embassy_sync::blocking_mutex::raw::CriticalSectionRawMutex;
use embassy_sync::pipe::Pipe;
use embassy_sync::waitqueue::AtomicWaker;
use embedded_io_async::{ErrorType, Read, Write};

use super::interrupts::Interrupt;
use super::registers::{
    UART_CTRL_INTERRUPTS, UART_CTRL_ON, UART_INT_RX, UART_INT_TX, UART_STATE_RX_FULL, UART_STATE_TX_FULL, UART0, UART1,
    UART2, UartRegisters,
};

/// A line, with what has come over it and nobody has taken yet.
///
/// When that is too much, the next byte stays in the machine: the emulator holds back what comes after it, so nothing is
/// lost.
pub(super) struct Uart {
    registers: UartRegisters,
    received: Pipe<CriticalSectionRawMutex, 512>,
    sender: AtomicWaker,
}

pub(super) static CONSOLE: Uart = Uart::new(UART0);
pub(super) static SENSORS: Uart = Uart::new(UART1);
pub(super) static LIGHTS: Uart = Uart::new(UART2);

/// Switches all lines on.
pub(super) fn start() {
    for uart in [&CONSOLE, &SENSORS, &LIGHTS] {
        // The emulator does not care how fast, but will have a number that a real one could count with.
        uart.registers.baud_divider.write(16);
        uart.registers.control.write(UART_CTRL_ON | UART_CTRL_INTERRUPTS);
    }
    let interrupts = [
        Interrupt::Uart0Receive,
        Interrupt::Uart0Transmit,
        Interrupt::Uart1Receive,
        Interrupt::Uart1Transmit,
        Interrupt::Uart2Receive,
        Interrupt::Uart2Transmit,
    ];
    for interrupt in interrupts {
        // SAFETY: nothing of this image relies on these interrupts being masked.
        unsafe { NVIC::unmask(interrupt) };
    }
}

impl Uart {
    const fn new(registers: UartRegisters) -> Self {
        Self { registers, received: Pipe::new(), sender: AtomicWaker::new() }
    }

    /// A byte has come, or one has gone.
    pub(super) fn on_interrupt(&self) {
        self.registers.interrupts.write(UART_INT_RX | UART_INT_TX);
        self.take();
        self.sender.wake();
    }

    /// Takes out of the machine what there is room for.
    fn take(&self) {
        critical_section::with(|_| {
            while self.registers.state.read() & UART_STATE_RX_FULL != 0 && !self.received.is_full() {
                let byte = self.registers.data.read() as u8;
                // There is room, and nobody else puts anything there meanwhile.
                let _ = self.received.try_write(&[byte]);
            }
        });
    }

    /// Some bytes, as soon as there are any. If it is given up, none of them is lost.
    pub(super) async fn read(&self, buffer: &mut [u8]) -> usize {
        let count = self.received.read(buffer).await;
        self.take();
        count
    }

    /// Some bytes, if there are any.
    pub(super) fn try_read(&self, buffer: &mut [u8]) -> usize {
        let count = self.received.try_read(buffer).unwrap_or(0);
        self.take();
        count
    }

    /// Sends bytes, as fast as whoever is at the other end takes them.
    pub(super) async fn write(&self, bytes: &[u8]) {
        for &byte in bytes {
            poll_fn(|cx| {
                self.sender.register(cx.waker());
                if self.registers.state.read() & UART_STATE_TX_FULL == 0 { Poll::Ready(()) } else { Poll::Pending }
            })
            .await;
            self.registers.data.write(byte.into());
        }
    }

    /// Sends bytes if whoever is at the other end takes them at once; the rest is lost.
    pub(super) fn try_write(&self, bytes: &[u8]) {
        for &byte in bytes {
            if self.registers.state.read() & UART_STATE_TX_FULL != 0 {
                return;
            }
            self.registers.data.write(byte.into());
        }
    }
}

/// One end of a line.
pub(crate) struct Cable(pub(super) &'static Uart);

impl ErrorType for Cable {
    type Error = Infallible;
}

impl Read for Cable {
    async fn read(&mut self, buffer: &mut [u8]) -> Result<usize, Infallible> {
        Ok(self.0.read(buffer).await)
    }
}

impl Write for Cable {
    async fn write(&mut self, bytes: &[u8]) -> Result<usize, Infallible> {
        self.0.write(bytes).await;
        Ok(bytes.len())
    }

    async fn flush(&mut self) -> Result<(), Infallible> {
        Ok(())
    }
}
