use heapless::Vec;

/// No command is longer: a value of 64 bytes, written as hexadecimal digits, and what comes before it.
const LINE_BYTES: usize = 160;

/// What is typed after this is a secret, and is not shown.
const SECRET: &[u8] = b"set key ";

/// A line that is being typed.
#[derive(Debug, Default)]
pub struct Editor {
    line: Vec<u8, LINE_BYTES>,
    /// The line is over, and the next character begins another.
    done: bool,
    /// There was more than there is room for.
    overlong: bool,
}

/// What comes of a character that was typed.
#[derive(Debug, PartialEq, Eq)]
pub enum Typed<'a> {
    /// This is to be shown.
    Echo(&'a [u8]),
    /// A line, without its end.
    Line(&'a str),
    /// A line that is no text, or too long.
    Unreadable,
}

impl Editor {
    /// Takes a character.
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
            // Backspace is one or the other, depending on the terminal.
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

    /// What is shown, and the lines that come out.
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
    fn lines_come_out_as_they_were_meant() {
        let (shown, lines) = type_in(b"shoq\x7fw\r\x08help\n");
        assert_eq!(lines, ["show", "help"]);
        assert_eq!(shown, b"shoq\x08 \x08whelp");
    }

    #[test]
    fn a_secret_is_never_shown() {
        let (shown, lines) = type_in(b"set key 00ff\r");
        assert_eq!(lines, ["set key 00ff"]);
        assert_eq!(shown, b"set key ****");
    }

    #[test]
    fn what_is_no_line_is_said_so_and_the_next_one_is_good() {
        let mut text = vec![b'x'; 1000];
        text.extend(b"\rhelp\r\xff\r");
        let (_, lines) = type_in(&text);
        assert_eq!(lines, ["?", "help", "?"]);
    }
}
