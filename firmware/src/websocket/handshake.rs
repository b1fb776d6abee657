use core::fmt::{self, Write as _};

use board::Relay;
use heapless::String;
use sha1_smol::Sha1;

use super::base64;

/// What the standard has both sides add to the nonce, so that only a WebSocket server gives the right answer.
const GUID: &[u8] = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

/// The longest request: an address twice, and what is around it.
pub const REQUEST_BYTES: usize = 384;

/// More than any server has to say to this.
const RESPONSE_BYTES: usize = 1024;

/// A number that the server has to answer to.
#[derive(Clone, Copy, Debug)]
pub struct Nonce([u8; 24]);

impl Nonce {
    /// Made of random bytes.
    #[must_use]
    pub fn new(random: [u8; 16]) -> Self {
        let mut text = [0; 24];
        base64::encode(&random, &mut text);
        Self(text)
    }

    fn as_str(&self) -> &str {
        str::from_utf8(&self.0).unwrap_or_default()
    }

    /// What a server answers to it.
    fn answer(&self) -> [u8; 28] {
        let mut hash = Sha1::new();
        hash.update(&self.0);
        hash.update(GUID);
        let mut text = [0; 28];
        base64::encode(&hash.digest().bytes(), &mut text);
        text
    }
}

/// The request that turns a connection into a WebSocket.
#[must_use]
pub fn request(relay: &Relay<'_>, nonce: &Nonce) -> String<REQUEST_BYTES> {
    let mut text = String::new();
    // It has room for the longest address there can be, so this never fails.
    let _ = write!(
        text,
        "GET {} HTTP/1.1\r\nHost: {}:{}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
         Sec-WebSocket-Key: {}\r\nSec-WebSocket-Version: 13\r\n\r\n",
        relay.path,
        relay.host,
        relay.port,
        nonce.as_str()
    );
    text
}

/// Why a server does not count as one that speaks WebSocket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HandshakeError {
    /// Its answer is too long.
    TooLong,
    /// It does not speak HTTP/1.1.
    NotHttp,
    /// It answers with this status.
    Status(u16),
    /// It does not say that it speaks WebSocket from here on.
    NoUpgrade,
    /// It has not understood the question.
    WrongAnswer,
}

impl fmt::Display for HandshakeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLong => write!(f, "the server answers with more than {RESPONSE_BYTES} bytes"),
            Self::NotHttp => f.write_str("the server does not speak HTTP"),
            Self::Status(status) => write!(f, "the server answers with status {status}"),
            Self::NoUpgrade => f.write_str("the server does not speak WebSocket"),
            Self::WrongAnswer => f.write_str("the server gives the wrong answer to the handshake"),
        }
    }
}

impl core::error::Error for HandshakeError {}

/// Waits for the end of the server's answer, and judges it.
#[derive(Debug)]
pub struct Upgrade {
    answer: [u8; 28],
    buffer: [u8; RESPONSE_BYTES],
    len: usize,
}

impl Upgrade {
    /// For the answer to this nonce.
    #[must_use]
    pub fn new(nonce: &Nonce) -> Self {
        Self { answer: nonce.answer(), buffer: [0; RESPONSE_BYTES], len: 0 }
    }

    /// Takes bytes that came. When the answer is complete and good, returns how many of these belong to it; what comes
    /// after them is the first frame.
    pub fn feed(&mut self, bytes: &[u8]) -> Result<Option<usize>, HandshakeError> {
        for (count, &byte) in (1..).zip(bytes) {
            *self.buffer.get_mut(self.len).ok_or(HandshakeError::TooLong)? = byte;
            self.len += 1;
            let so_far = &self.buffer[..self.len];
            // Whoever is no HTTP server at all may never come to the end of a line.
            if !so_far.iter().zip(b"HTTP/1.1 ").all(|(found, expected)| found == expected) {
                return Err(HandshakeError::NotHttp);
            }
            if so_far.ends_with(b"\r\n\r\n") {
                return self.judge().map(|()| Some(count));
            }
        }
        Ok(None)
    }

    fn judge(&self) -> Result<(), HandshakeError> {
        let text = str::from_utf8(&self.buffer[..self.len]).map_err(|_| HandshakeError::NotHttp)?;
        let mut lines = text.split("\r\n");
        let status = lines.next().and_then(|line| line.split(' ').nth(1)).and_then(|status| status.parse().ok());
        match status {
            Some(101) => {}
            Some(other) => return Err(HandshakeError::Status(other)),
            None => return Err(HandshakeError::NotHttp),
        }
        let header = |name: &str| {
            text.split("\r\n")
                .filter_map(|line| line.split_once(':'))
                .find_map(|(found, value)| found.eq_ignore_ascii_case(name).then_some(value.trim()))
        };
        let has = |name, word: &str| {
            header(name).is_some_and(|value| value.split(',').any(|part| part.trim().eq_ignore_ascii_case(word)))
        };
        if !has("upgrade", "websocket") || !has("connection", "upgrade") {
            return Err(HandshakeError::NoUpgrade);
        }
        // The board asks for no extension and no protocol, so a server that has chosen one has not read the request.
        let asked_for_nothing =
            header("sec-websocket-extensions").is_none() && header("sec-websocket-protocol").is_none();
        let right = header("sec-websocket-accept").is_some_and(|value| value.as_bytes() == self.answer);
        if right && asked_for_nothing { Ok(()) } else { Err(HandshakeError::WrongAnswer) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The nonce and the answer of the standard's example.
    fn example() -> Nonce {
        Nonce::new(*b"the sample nonce")
    }

    const GOOD: &str = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
                        Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n";

    fn judged(response: &str) -> Result<Option<usize>, HandshakeError> {
        Upgrade::new(&example()).feed(response.as_bytes())
    }

    #[test]
    fn asks_as_the_standard_says() {
        let relay = Relay::parse("ws://example.com/ws/board").expect("an address");
        let text = request(&relay, &example());
        assert!(text.starts_with("GET /ws/board HTTP/1.1\r\nHost: example.com:80\r\n"), "{text}");
        assert!(text.contains("Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"), "{text}");
        assert!(text.ends_with("\r\n\r\n"));
    }

    #[test]
    fn the_longest_address_fits() {
        let address = format!("ws://{}:65535/{}", "h".repeat(30), "p".repeat(20));
        let text = request(&Relay::parse(&address).expect("an address"), &example());
        assert!(text.ends_with("Sec-WebSocket-Version: 13\r\n\r\n"));
    }

    #[test]
    fn a_good_answer_is_accepted_however_it_comes() {
        assert_eq!(judged(GOOD), Ok(Some(GOOD.len())));
        assert_eq!(judged(&(GOOD.to_owned() + "\u{2}more")), Ok(Some(GOOD.len())));
        let mut upgrade = Upgrade::new(&example());
        let (last, before) = GOOD.as_bytes().split_last().expect("bytes");
        for &byte in before {
            assert_eq!(upgrade.feed(&[byte]), Ok(None));
        }
        assert_eq!(upgrade.feed(&[*last]), Ok(Some(1)));
        let other =
            GOOD.replace("Upgrade: websocket", "upgrade:WebSocket").replace(": Upgrade", ": keep-alive, upgrade");
        assert_eq!(judged(&other), Ok(Some(other.len())));
    }

    #[test]
    fn any_other_answer_is_refused() {
        let refused = |response: &str| judged(response).expect_err("it must be refused");
        assert_eq!(refused("SSH-2.0-OpenSSH_9.2\r\n"), HandshakeError::NotHttp);
        assert_eq!(refused("\0"), HandshakeError::NotHttp);
        assert_eq!(refused("HTTP/1.1 nonsense\r\n\r\n"), HandshakeError::NotHttp);
        assert_eq!(refused("HTTP/1.1 404 Not Found\r\n\r\n"), HandshakeError::Status(404));
        assert_eq!(refused(&GOOD.replace("101", "200")), HandshakeError::Status(200));
        assert_eq!(refused(&GOOD.replace("websocket", "h2c")), HandshakeError::NoUpgrade);
        assert_eq!(refused(&GOOD.replace("Connection: Upgrade", "Connection: close")), HandshakeError::NoUpgrade);
        assert_eq!(refused(&GOOD.replace("s3pP", "S3pP")), HandshakeError::WrongAnswer);
        assert_eq!(refused(&GOOD.replace("Sec-WebSocket-Accept", "X")), HandshakeError::WrongAnswer);
        let extended = GOOD.replace("Upgrade: w", "Sec-WebSocket-Extensions: permessage-deflate\r\nUpgrade: w");
        assert_eq!(refused(&extended), HandshakeError::WrongAnswer);
        assert_eq!(refused(&format!("HTTP/1.1 {}", "1".repeat(2000))), HandshakeError::TooLong);
    }
}
