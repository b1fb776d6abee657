//! Reads lines from a cable, and answers them.

use embedded_io_async::{Read, Write};

use super::meeting::{ANSWERS, Answer, CHECK_WIRES, LINES, Line, WIRES};
use super::roll::patiently;
use crate::console::{Command, Editor, HELP, Typed};
use crate::roll_call::Who;

const PROMPT: &[u8] = b"> ";

/// Works the console for as long as the cable does; one that fails is tried again.
pub(crate) async fn console(mut cable: impl Read + Write) -> ! {
    let mut editor = Editor::default();
    loop {
        // What could not be shown is not worth more than trying again with the next line.
        let _ = serve(&mut cable, &mut editor).await;
        patiently(Who::Console, embassy_time::Timer::after_secs(1)).await;
    }
}

async fn serve<C: Read + Write>(cable: &mut C, editor: &mut Editor) -> Result<(), C::Error> {
    loop {
        let mut byte = [0];
        if patiently(Who::Console, cable.read(&mut byte)).await? == 0 {
            return Ok(());
        }
        match editor.feed(byte[0]) {
            Typed::Echo(echo) => cable.write_all(echo).await?,
            Typed::Unreadable => say(cable, "that is no line of text that a command could be").await?,
            Typed::Line(line) => {
                cable.write_all(b"\r\n").await?;
                match Command::parse(line) {
                    Ok(None) => {}
                    Ok(Some(Command::Help)) => cable.write_all(HELP.as_bytes()).await?,
                    Ok(Some(command)) => {
                        let wires_too = command == Command::Selftest;
                        LINES.send(Line::try_from(line).unwrap_or_default()).await;
                        let answer = ANSWERS.wait().await;
                        cable.write_all(answer.as_bytes()).await?;
                        if wires_too {
                            tell_wires(cable).await?;
                        }
                    }
                    Err(error) => {
                        let mut text = Line::new();
                        // Every sentence of it is shorter than a line.
                        let _ = core::fmt::write(&mut text, format_args!("{error}"));
                        say(cable, &text).await?;
                    }
                }
                cable.write_all(PROMPT).await?;
            }
        }
    }
}

/// Has the wires of the switches looked at, and says what was found, one fault a line.
async fn tell_wires<C: Write>(cable: &mut C) -> Result<(), C::Error> {
    CHECK_WIRES.signal(());
    if let Some(wiring) = WIRES.wait().await {
        let mut text = Answer::new();
        // What does not fit is left out: by then there is enough to do.
        let _ = core::fmt::write(&mut text, format_args!("{wiring}"));
        for line in text.lines() {
            say(cable, line).await?;
        }
    }
    Ok(())
}

async fn say<C: Write>(cable: &mut C, text: &str) -> Result<(), C::Error> {
    cable.write_all(text.as_bytes()).await?;
    cable.write_all(b"\r\n").await
}
