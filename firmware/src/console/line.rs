use heapless::Vec;

/// Maximum length of a line. The longest command has a value of 64 bytes in hexadecimal digits.
const LINE_BYTES: usize = 160;

/// Characters after this prefix are a secret, and are echoed as asterisks.
const SECRET: &[u8] = b"set key ";

/// A line editor: collects bytes from a terminal to lines, with echo and backspace.
#[derive(Debug, Default)]
pub struct Editor {
    line: Vec<u8, LINE_BYTES>,
    /// The line is complete; the next character begins a new one.
    done: bool,
    /// The line exceeds its maximum length.
    overlong: bool,
}

/// The effect of a character.
#[derive(Debug, PartialEq, Eq)]
pub enum Typed<'a> {
    /// Bytes to send back to the terminal.
    Echo(&'a [u8]),
    /// A complete line, without its line end.
    Line(&'a str),
    /// A line that is not UTF-8, or is too long.
    Unreadable,
}

impl Editor {
    /// Processes a received byte.
    pub fn feed(&mut self, byte: u8) -> Typed<'_> {
        if core::mem::take(&mut self.done) {
            self.line.clear();
            self.overlong = false;
        }
        match byte {
            b'\r' | b'\n' => {
                self.done = true;
                match str::from_utf8(&self.line) {
                    Ok(line) if !self.overlong => Typed::Line(line),
                    _ => Typed::Unreadable,
                }
            }
            // Terminals send one or the other for backspace.
            0x08 | 0x7f => Typed::Echo(if self.line.pop().is_some() { b"\x08 \x08" } else { b"" }),
            0x00..=0x1f => Typed::Echo(b""),
            _ => {
                self.overlong |= self.line.push(byte).is_err();
                let secret = self.line.len() > SECRET.len() && self.line.starts_with(SECRET);
                Typed::Echo(match self.line.last() {
                    _ if self.overlong => b"",
                    Some(_) if secret => b"*",
                    Some(last) => core::slice::from_ref(last),
                    None => b"",
                })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The echo, and the lines.
    fn type_in(text: &[u8]) -> (Vec<u8, 512>, std::vec::Vec<String>) {
        let mut editor = Editor::default();
        let (mut shown, mut lines) = (Vec::new(), std::vec::Vec::new());
        for &byte in text {
            match editor.feed(byte) {
                Typed::Echo(echo) => shown.extend_from_slice(echo).expect("there is room"),
                Typed::Line(line) => lines.push(line.to_owned()),
                Typed::Unreadable => lines.push("?".to_owned()),
            }
        }
        (shown, lines)
    }

    #[test]
    fn backspace_deletes_the_last_character() {
        let (shown, lines) = type_in(b"shoq\x7fw\r\x08help\n");
        assert_eq!(lines, ["show", "help"]);
        assert_eq!(shown, b"shoq\x08 \x08whelp");
    }

    #[test]
    fn a_key_is_echoed_as_asterisks() {
        let (shown, lines) = type_in(b"set key 00ff\r");
        assert_eq!(lines, ["set key 00ff"]);
        assert_eq!(shown, b"set key ****");
    }

    #[test]
    fn an_invalid_line_does_not_affect_the_next_one() {
        let mut text = vec![b'x'; 1000];
        text.extend(b"\rhelp\r\xff\r");
        let (_, lines) = type_in(&text);
        assert_eq!(lines, ["?", "help", "?"]);
    }
}
