//! The serial port of the debug probe, with DMA in both directions.
//!
//! The processor stalls while the flash is erased, and for some microseconds while it is written. DMA goes on meanwhile, so no
//! typed character is lost, unless more than [`RECEIVE_BYTES`] come in one erase.

use embassy_stm32::mode::Async;
use embassy_stm32::usart::{self, RingBufferedUartRx, Uart, UartTx};
use embedded_io_async::{ErrorType, Read, Write};

use crate::console::CHUNK_BYTES;

/// Size of the ring buffer that DMA receives into.
pub(super) const RECEIVE_BYTES: usize = 1024;

/// The console as `embedded_io_async` stream.
pub(crate) struct Console {
    transmitter: UartTx<'static, Async>,
    receiver: RingBufferedUartRx<'static>,
    /// DMA sends from here. The bytes of a caller may be in flash, or on a stack that DMA does not reach; this value is part
    /// of a task, and tasks are statics.
    chunk: [u8; CHUNK_BYTES],
}

impl Console {
    pub(super) fn new(serial: Uart<'static, Async>, buffer: &'static mut [u8; RECEIVE_BYTES]) -> Self {
        let (transmitter, receiver) = serial.split();
        Self { transmitter, receiver: receiver.into_ring_buffered(buffer), chunk: [0; CHUNK_BYTES] }
    }
}

impl ErrorType for Console {
    type Error = usart::Error;
}

impl Read for Console {
    async fn read(&mut self, bytes: &mut [u8]) -> Result<usize, usart::Error> {
        self.receiver.read(bytes).await
    }
}

impl Write for Console {
    async fn write(&mut self, bytes: &[u8]) -> Result<usize, usart::Error> {
        let len = bytes.len().min(CHUNK_BYTES);
        let chunk = &mut self.chunk[..len];
        chunk.copy_from_slice(&bytes[..len]);
        self.transmitter.write(chunk).await?;
        Ok(len)
    }

    /// Nothing to do: a write completes when DMA has handed its last byte to the USART.
    ///
    /// `UartTx::flush` waits for the flag TC. With embassy-stm32 0.6.0 it may wait for ever, because the receiver clears that flag
    /// together with its own ones.
    async fn flush(&mut self) -> Result<(), usart::Error> {
        Ok(())
    }
}
