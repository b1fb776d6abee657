use core::fmt;

use embedded_io_async::Write;

/// Bytes that are written at once. A serial driver rejects a write that is longer than its buffer.
pub const CHUNK_BYTES: usize = 128;

/// Writes bytes in chunks of [`CHUNK_BYTES`], each after a flush.
///
/// The flush comes first, because it empties the driver's buffer: the driver of embassy-stm32 0.6.0 registers no waker when
/// a write finds its buffer full, so a task that waits there waits for ever.
pub async fn write_chunked<W: Write>(serial: &mut W, bytes: &[u8]) -> Result<(), W::Error> {
    for chunk in bytes.chunks(CHUNK_BYTES) {
        serial.flush().await?;
        serial.write_all(chunk).await?;
    }
    Ok(())
}

/// Ends each line as terminals expect it, with a carriage return and a line feed.
pub struct Lines<'a, W>(pub &'a mut W);

impl<W: fmt::Write> fmt::Write for Lines<'_, W> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for (index, line) in text.split('\n').enumerate() {
            if index > 0 {
                self.0.write_str("\r\n")?;
            }
            self.0.write_str(line)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use core::future::{pending, poll_fn};
    use core::pin::pin;
    use core::task::{Context, Poll, Waker};

    use board::console::HELP;
    use embedded_io_async::{ErrorKind, ErrorType};

    use super::*;

    const BUFFER_BYTES: usize = 256;

    /// A serial driver with the faults of embassy-stm32 0.6.0: it rejects writes that are longer than its buffer, and never
    /// completes a write that finds the buffer full.
    #[derive(Default)]
    struct FaultySerial {
        buffer: Vec<u8>,
        sent: Vec<u8>,
    }

    impl ErrorType for FaultySerial {
        type Error = ErrorKind;
    }

    impl Write for FaultySerial {
        async fn write(&mut self, bytes: &[u8]) -> Result<usize, ErrorKind> {
            if bytes.len() > BUFFER_BYTES {
                return Err(ErrorKind::OutOfMemory);
            }
            if self.buffer.len() + bytes.len() > BUFFER_BYTES {
                pending::<()>().await;
            }
            self.buffer.extend(bytes);
            Ok(bytes.len())
        }

        /// Takes a few polls, as on real hardware.
        async fn flush(&mut self) -> Result<(), ErrorKind> {
            poll_fn(|_| {
                let count = self.buffer.len().min(50);
                self.sent.extend(self.buffer.drain(..count));
                if self.buffer.is_empty() { Poll::Ready(()) } else { Poll::Pending }
            })
            .await;
            Ok(())
        }
    }

    #[test]
    fn lines_end_with_carriage_returns() {
        let mut text = String::new();
        fmt::Write::write_fmt(
            &mut Lines(&mut text),
            format_args!("{}\n", "file g touches file h\nrank 1 touches ground"),
        )
        .expect("a string takes it");
        assert_eq!(text, "file g touches file h\r\nrank 1 touches ground\r\n");
    }

    #[test]
    fn long_answers_in_a_row_pass_a_driver_that_never_wakes() {
        let answers = [HELP, "done\r\n", &"x".repeat(1024), HELP, HELP];
        let mut serial = FaultySerial::default();
        {
            let mut work = pin!(async {
                for answer in answers {
                    write_chunked(&mut serial, answer.as_bytes()).await.expect("no write is rejected");
                }
            });
            let mut context = Context::from_waker(Waker::noop());
            let is_done = (0..1000).any(|_| work.as_mut().poll(&mut context).is_ready());
            assert!(is_done, "a write waits for ever");
        }
        serial.sent.append(&mut serial.buffer);
        assert_eq!(serial.sent, answers.concat().as_bytes());
    }
}
