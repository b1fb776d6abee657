//! Timeouts for slow clients.

use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::client::{get, parts};
use crate::test_server::TestServer;

/// The time that the server gives for the head of a request, less what its clock may be off.
const HEAD_TIMEOUT: Duration = Duration::from_secs(9);

/// Reads until the server closes the connection, and returns the time since `started`.
async fn time_until_closed(mut stream: TcpStream, started: Instant) -> Duration {
    let mut nothing = Vec::new();
    let _ = timeout(Duration::from_mins(1), stream.read_to_end(&mut nothing)).await.expect("the server closes it");
    started.elapsed()
}

#[tokio::test]
async fn an_incomplete_request_times_out() {
    let server = TestServer::start(&[]);
    let started = Instant::now();
    let silent = TcpStream::connect(server.address).await.unwrap();
    let dripping = tokio::spawn(async move {
        let mut stream = TcpStream::connect(server.address).await.unwrap();
        stream.write_all(b"GET /who HTTP/1.1\r\nhost: localhost\r\n").await.unwrap();
        // Each line comes in time, the whole head does not.
        while stream.write_all(b"x: y\r\n").await.is_ok() {
            tokio::time::sleep(Duration::from_millis(500)).await;
        }
        started.elapsed()
    });
    let mut kept = TcpStream::connect(server.address).await.unwrap();
    kept.write_all(b"GET /who HTTP/1.1\r\nhost: localhost\r\n\r\n").await.unwrap();
    // Other clients are served meanwhile.
    assert_eq!(parts(&get(server.address, "/who").await).0, 200);
    assert!(time_until_closed(silent, started).await >= HEAD_TIMEOUT);
    assert!(time_until_closed(kept, started).await >= HEAD_TIMEOUT);
    let dripped = timeout(Duration::from_mins(1), dripping).await.expect("the server closes it").unwrap();
    assert!(dripped >= HEAD_TIMEOUT);
}
