//! The serial console: reads lines, and writes the answers.

use board::console::{Command, HELP};
use embassy_futures::select::{Either, select};
use embedded_io_async::{Read, Write};

use super::channels::{ANSWERS, CONSOLE_LINES, Line, NOTICES};
use super::liveness::check_in_during;
use crate::banner::Banner;
use crate::console::{Editor, Typed, write_chunked};
use crate::liveness::TaskId;

const PROMPT: &[u8] = b"> ";

/// Serves the console. After an I/O error it retries every second.
pub(crate) async fn console(mut serial: impl Read + Write, banner: Banner) -> ! {
    let mut editor = Editor::default();
    let mut text = Line::new();
    // The banner is shorter than a line.
    let _ = core::fmt::write(&mut text, format_args!("\r\n{banner}\r\n> "));
    let _ = write_chunked(&mut serial, text.as_bytes()).await;
    loop {
        // Output that was lost is not repeated; the next line is served.
        let _ = serve(&mut serial, &mut editor).await;
        check_in_during(TaskId::Console, embassy_time::Timer::after_secs(1)).await;
    }
}

async fn serve<C: Read + Write>(serial: &mut C, editor: &mut Editor) -> Result<(), C::Error> {
    loop {
        let mut byte = [0];
        // Both are cancel-safe.
        let input = select(serial.read(&mut byte), NOTICES.receive());
        match check_in_during(TaskId::Console, input).await {
            Either::First(count) => {
                if count? == 0 {
                    return Ok(());
                }
            }
            Either::Second(notice) => {
                write_chunked(serial, b"\r\n").await?;
                write_line(serial, notice).await?;
                write_chunked(serial, PROMPT).await?;
                continue;
            }
        }
        match editor.feed(byte[0]) {
            Typed::Echo(echo) => write_chunked(serial, echo).await?,
            Typed::Unreadable => write_line(serial, "invalid line: too long, or not UTF-8").await?,
            Typed::Line(line) => {
                write_chunked(serial, b"\r\n").await?;
                match Command::parse(line) {
                    Ok(None) => {}
                    Ok(Some(Command::Help)) => write_chunked(serial, HELP.as_bytes()).await?,
                    Ok(Some(_)) => {
                        CONSOLE_LINES.send(Line::try_from(line).unwrap_or_default()).await;
                        let answer = ANSWERS.wait().await;
                        write_chunked(serial, answer.as_bytes()).await?;
                    }
                    Err(error) => {
                        let mut text = Line::new();
                        // Every error message is shorter than a line.
                        let _ = core::fmt::write(&mut text, format_args!("{error}"));
                        write_line(serial, &text).await?;
                    }
                }
                write_chunked(serial, PROMPT).await?;
            }
        }
    }
}

async fn write_line<C: Write>(serial: &mut C, text: &str) -> Result<(), C::Error> {
    write_chunked(serial, text.as_bytes()).await?;
    write_chunked(serial, b"\r\n").await
}
