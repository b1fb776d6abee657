//! Asks a relay elsewhere for the code of a board, which the page of the board shows to its opponents.

use std::io;
use std::time::Duration;

use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::{sleep, timeout};

/// Timeout of a request.
const TIMEOUT: Duration = Duration::from_secs(10);

/// The response is a JSON object of two fields.
const MAX_RESPONSE: u64 = 16 << 10;

/// Pause before the next request: the relay lists a board while it is connected and free. It doubles up to the longest.
const FIRST_PAUSE: Duration = Duration::from_secs(1);
const LONGEST_PAUSE: Duration = Duration::from_mins(1);

/// Where a relay lists its boards.
#[derive(Clone, Debug)]
pub(crate) struct BoardList {
    pub(crate) host: String,
    pub(crate) port: u16,
}

impl BoardList {
    /// Asks until the relay lists a free board with this name, and returns its code.
    pub(super) async fn code_of(&self, name: &str) -> String {
        let mut pause = FIRST_PAUSE;
        loop {
            match timeout(TIMEOUT, self.ask()).await {
                Ok(Ok(response)) => {
                    if let Some(code) = code_in(&response, name) {
                        return code;
                    }
                }
                Ok(Err(error)) => {
                    tracing::debug!(relay = self.host, %error, "asking for the board's code failed, will retry");
                }
                Err(_) => tracing::debug!(relay = self.host, "asking for the board's code timed out, will retry"),
            }
            sleep(pause).await;
            pause = LONGEST_PAUSE.min(pause * 2);
        }
    }

    async fn ask(&self) -> io::Result<Vec<u8>> {
        let Self { host, port } = self;
        let mut stream = TcpStream::connect((host.as_str(), *port)).await?;
        // Version 1.0: the response is not chunked, and ends with the connection.
        stream.write_all(format!("GET /boards HTTP/1.0\r\nHost: {host}:{port}\r\n\r\n").as_bytes()).await?;
        let mut response = Vec::new();
        stream.take(MAX_RESPONSE).read_to_end(&mut response).await?;
        Ok(response)
    }
}

/// The code of a board in the response of a relay.
fn code_in(response: &[u8], name: &str) -> Option<String> {
    let (head, body) = std::str::from_utf8(response).ok()?.split_once("\r\n\r\n")?;
    head.split(' ').nth(1).filter(|&status| status == "200")?;
    let list: Value = serde_json::from_str(body).ok()?;
    let board = list["boards"].as_array()?.iter().find(|board| board["name"] == name)?;
    // It becomes part of a link.
    let code = board["code"].as_str().filter(|code| code.bytes().all(|byte| byte.is_ascii_alphanumeric()))?;
    Some(code.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_code_of_a_board() {
        let response = |status: &str, code: &str| {
            format!(
                "HTTP/1.0 {status}\r\ncontent-type: application/json\r\n\r\n{{\"boards\":[{{\"code\":\"{code}\",\"name\":\"kitchen\"}}]}}"
            )
        };
        let good = response("200 OK", "6C4YUMPLM6");
        assert_eq!(code_in(good.as_bytes(), "kitchen").as_deref(), Some("6C4YUMPLM6"));
        assert_eq!(code_in(good.as_bytes(), "hall"), None);
        assert_eq!(code_in(response("503 Service Unavailable", "6C4YUMPLM6").as_bytes(), "kitchen"), None);
        assert_eq!(code_in(response("200 OK", "a/../b").as_bytes(), "kitchen"), None);
        assert_eq!(code_in(b"HTTP/1.0 200 OK\r\n\r\nnonsense", "kitchen"), None);
        assert_eq!(code_in(b"\xff", "kitchen"), None);
    }
}
