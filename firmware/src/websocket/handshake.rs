use core::fmt::{self, Write as _};

use base64ct::{Base64, Encoding as _};
use board::RelayAddress;
use heapless::String;
use sha1_smol::Sha1;

/// The constant of RFC 6455 that is hashed with the key, so that only a WebSocket server gives the right answer.
const GUID: &[u8] = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

/// Size of the longest request.
pub const REQUEST_BYTES: usize = 384;

/// Maximum size of the response header.
const RESPONSE_BYTES: usize = 1024;

/// The `Sec-WebSocket-Key` of the request, in Base64.
#[derive(Clone, Copy, Debug)]
pub struct Nonce([u8; 24]);

impl Nonce {
    /// Encodes random bytes.
    #[must_use]
    pub fn new(random: [u8; 16]) -> Self {
        let mut text = [0; 24];
        encode(&random, &mut text);
        Self(text)
    }

    fn as_str(&self) -> &str {
        str::from_utf8(&self.0).unwrap_or_default()
    }

    /// The expected `Sec-WebSocket-Accept`.
    fn accept(&self) -> [u8; 28] {
        let mut hash = Sha1::new();
        hash.update(&self.0);
        hash.update(GUID);
        let mut text = [0; 28];
        encode(&hash.digest().bytes(), &mut text);
        text
    }
}

/// Writes bytes in Base64 to a buffer of exactly the right size.
fn encode(bytes: &[u8], text: &mut [u8]) {
    let is_encoded = Base64::encode(bytes, text).is_ok();
    debug_assert!(is_encoded, "the buffer is too short");
}

/// The HTTP request that upgrades a connection to WebSocket.
#[must_use]
pub fn request(relay: &RelayAddress<'_>, nonce: &Nonce) -> String<REQUEST_BYTES> {
    let mut text = String::new();
    // The buffer has room for the longest address, so this never fails.
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

/// Why the handshake failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HandshakeError {
    /// The response header is too long.
    TooLong,
    /// The response is not HTTP/1.1.
    NotHttp,
    /// The status is not 101.
    Status(u16),
    /// The response has no upgrade to WebSocket.
    NoUpgrade,
    /// `Sec-WebSocket-Accept` is wrong, or the server chose an extension that was not offered.
    WrongAccept,
}

impl fmt::Display for HandshakeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLong => write!(f, "the response is longer than {RESPONSE_BYTES} bytes"),
            Self::NotHttp => f.write_str("the response is not HTTP/1.1"),
            Self::Status(status) => write!(f, "the server responded with HTTP status {status}"),
            Self::NoUpgrade => f.write_str("the server did not upgrade to WebSocket"),
            Self::WrongAccept => {
                f.write_str("the server sent a wrong Sec-WebSocket-Accept or an extension that was not requested")
            }
        }
    }
}

impl core::error::Error for HandshakeError {}

/// Collects the response of the server, and checks it when it is complete.
#[derive(Debug)]
pub struct Upgrade {
    accept: [u8; 28],
    buffer: [u8; RESPONSE_BYTES],
    len: usize,
}

impl Upgrade {
    /// For the response to a request with this key.
    #[must_use]
    pub fn new(nonce: &Nonce) -> Self {
        Self { accept: nonce.accept(), buffer: [0; RESPONSE_BYTES], len: 0 }
    }

    /// Processes received bytes. When the response is complete and valid, returns how many of these bytes belong to it;
    /// the rest is the first frame.
    pub fn feed(&mut self, bytes: &[u8]) -> Result<Option<usize>, HandshakeError> {
        for (count, &byte) in (1..).zip(bytes) {
            *self.buffer.get_mut(self.len).ok_or(HandshakeError::TooLong)? = byte;
            self.len += 1;
            let so_far = &self.buffer[..self.len];
            // Checked early, because another protocol may never send the end of a header.
            if !so_far.iter().zip(b"HTTP/1.1 ").all(|(found, expected)| found == expected) {
                return Err(HandshakeError::NotHttp);
            }
            if so_far.ends_with(b"\r\n\r\n") {
                return self.check().map(|()| Some(count));
            }
        }
        Ok(None)
    }

    fn check(&self) -> Result<(), HandshakeError> {
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
        // The request offers no extension and no protocol, so the server must not choose one.
        let chose_nothing = header("sec-websocket-extensions").is_none() && header("sec-websocket-protocol").is_none();
        let is_accepted = header("sec-websocket-accept").is_some_and(|value| value.as_bytes() == self.accept);
        if is_accepted && chose_nothing { Ok(()) } else { Err(HandshakeError::WrongAccept) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The key of the example in RFC 6455.
    fn example() -> Nonce {
        Nonce::new(*b"the sample nonce")
    }

    const GOOD: &str = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
                        Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n";

    fn feed(response: &str) -> Result<Option<usize>, HandshakeError> {
        Upgrade::new(&example()).feed(response.as_bytes())
    }

    #[test]
    fn the_request_is_that_of_rfc_6455() {
        let relay = RelayAddress::parse("ws://example.com/ws/board").expect("an address");
        let text = request(&relay, &example());
        assert!(text.starts_with("GET /ws/board HTTP/1.1\r\nHost: example.com:80\r\n"), "{text}");
        assert!(text.contains("Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"), "{text}");
        assert!(text.ends_with("\r\n\r\n"));
    }

    #[test]
    fn the_longest_address_fits() {
        let address = format!("ws://{}:65535/{}", "h".repeat(30), "p".repeat(20));
        let text = request(&RelayAddress::parse(&address).expect("an address"), &example());
        assert!(text.ends_with("Sec-WebSocket-Version: 13\r\n\r\n"));
    }

    #[test]
    fn accepts_a_valid_response_however_it_is_split() {
        assert_eq!(feed(GOOD), Ok(Some(GOOD.len())));
        assert_eq!(feed(&(GOOD.to_owned() + "\u{2}more")), Ok(Some(GOOD.len())));
        let mut upgrade = Upgrade::new(&example());
        let (last, before) = GOOD.as_bytes().split_last().expect("bytes");
        for &byte in before {
            assert_eq!(upgrade.feed(&[byte]), Ok(None));
        }
        assert_eq!(upgrade.feed(&[*last]), Ok(Some(1)));
        let other =
            GOOD.replace("Upgrade: websocket", "upgrade:WebSocket").replace(": Upgrade", ": keep-alive, upgrade");
        assert_eq!(feed(&other), Ok(Some(other.len())));
    }

    #[test]
    fn rejects_any_other_response() {
        let refused = |response: &str| feed(response).expect_err("the response is invalid");
        assert_eq!(refused("SSH-2.0-OpenSSH_9.2\r\n"), HandshakeError::NotHttp);
        assert_eq!(refused("\0"), HandshakeError::NotHttp);
        assert_eq!(refused("HTTP/1.1 nonsense\r\n\r\n"), HandshakeError::NotHttp);
        assert_eq!(refused("HTTP/1.1 404 Not Found\r\n\r\n"), HandshakeError::Status(404));
        assert_eq!(refused(&GOOD.replace("101", "200")), HandshakeError::Status(200));
        assert_eq!(refused(&GOOD.replace("websocket", "h2c")), HandshakeError::NoUpgrade);
        assert_eq!(refused(&GOOD.replace("Connection: Upgrade", "Connection: close")), HandshakeError::NoUpgrade);
        assert_eq!(refused(&GOOD.replace("s3pP", "S3pP")), HandshakeError::WrongAccept);
        assert_eq!(refused(&GOOD.replace("Sec-WebSocket-Accept", "X")), HandshakeError::WrongAccept);
        let extended = GOOD.replace("Upgrade: w", "Sec-WebSocket-Extensions: permessage-deflate\r\nUpgrade: w");
        assert_eq!(refused(&extended), HandshakeError::WrongAccept);
        assert_eq!(refused(&format!("HTTP/1.1 {}", "1".repeat(2000))), HandshakeError::TooLong);
    }
}
