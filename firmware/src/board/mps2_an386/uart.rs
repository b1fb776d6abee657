//! The UARTs: console, switches and lights.
#![expect(unsafe_code, reason = "unmasking an interrupt can break a critical section that relies on its mask")]

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

/// A UART with a receive buffer.
///
/// When the buffer is full, the next byte stays in the hardware and QEMU holds back the rest, so no byte is lost.
pub(super) struct Uart {
    registers: UartRegisters,
    received: Pipe<CriticalSectionRawMutex, 512>,
    sender: AtomicWaker,
}

pub(super) static CONSOLE: Uart = Uart::new(UART0);
pub(super) static SENSORS: Uart = Uart::new(UART1);
pub(super) static LIGHTS: Uart = Uart::new(UART2);

/// Enables all UARTs and their interrupts.
pub(super) fn start() {
    for uart in [&CONSOLE, &SENSORS, &LIGHTS] {
        // QEMU ignores the baud rate, but wants a divider that real hardware accepts.
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

    /// A byte was received or sent.
    pub(super) fn on_interrupt(&self) {
        self.registers.interrupts.write(UART_INT_RX | UART_INT_TX);
        self.drain();
        self.sender.wake();
    }

    /// Moves received bytes from the hardware to the buffer, as far as there is room.
    fn drain(&self) {
        critical_section::with(|_| {
            while self.registers.state.read() & UART_STATE_RX_FULL != 0 && !self.received.is_full() {
                let byte = self.registers.data.read() as u8;
                // The buffer has room, and the critical section excludes other writers.
                let _ = self.received.try_write(&[byte]);
            }
        });
    }

    /// Reads at least one byte. Cancel-safe: no byte is lost if the future is dropped.
    pub(super) async fn read(&self, buffer: &mut [u8]) -> usize {
        let count = self.received.read(buffer).await;
        self.drain();
        count
    }

    /// Reads buffered bytes without waiting.
    pub(super) fn try_read(&self, buffer: &mut [u8]) -> usize {
        let count = self.received.try_read(buffer).unwrap_or(0);
        self.drain();
        count
    }

    /// Sends bytes, waiting while the transmitter is full.
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

    /// Sends bytes without waiting; what the transmitter does not accept at once is dropped.
    pub(super) fn try_write(&self, bytes: &[u8]) {
        for &byte in bytes {
            if self.registers.state.read() & UART_STATE_TX_FULL != 0 {
                return;
            }
            self.registers.data.write(byte.into());
        }
    }
}

/// A UART as `embedded_io_async` stream.
pub(crate) struct UartStream(pub(super) &'static Uart);

impl ErrorType for UartStream {
    type Error = Infallible;
}

impl Read for UartStream {
    async fn read(&mut self, buffer: &mut [u8]) -> Result<usize, Infallible> {
        Ok(self.0.read(buffer).await)
    }
}

impl Write for UartStream {
    async fn write(&mut self, bytes: &[u8]) -> Result<usize, Infallible> {
        self.0.write(bytes).await;
        Ok(bytes.len())
    }

    async fn flush(&mut self) -> Result<(), Infallible> {
        Ok(())
    }
}
