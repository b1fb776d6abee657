//! Clients that take their time.

use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::client::{get, parts};
use crate::house::House;

/// Reads until the other side hangs up, and says how long that took.
async fn wait_until_cut(mut stream: TcpStream, begun: Instant) -> Duration {
    let mut nothing = Vec::new();
    let _ = tokio::time::timeout(Duration::from_secs(20), stream.read_to_end(&mut nothing)).await.expect("it is cut");
    begun.elapsed()
}

#[tokio::test]
async fn half_a_request_is_not_waited_for() {
    let house = House::open(&[]);
    let begun = Instant::now();
    let silent = TcpStream::connect(house.address).await.unwrap();
    let dripping = tokio::spawn(async move {
        let mut stream = TcpStream::connect(house.address).await.unwrap();
        stream.write_all(b"GET /who HTTP/1.1\r\nhost: relay\r\n").await.unwrap();
        // A line a second would go on for ever.
        while stream.write_all(b"x: y\r\n").await.is_ok() && begun.elapsed() < Duration::from_secs(18) {
            tokio::time::sleep(Duration::from_millis(500)).await;
        }
        begun.elapsed()
    });
    let mut kept = TcpStream::connect(house.address).await.unwrap();
    kept.write_all(b"GET /who HTTP/1.1\r\nhost: relay\r\n\r\n").await.unwrap();
    // Meanwhile others are answered.
    assert_eq!(parts(&get(house.address, "/who").await).0, 200);
    let about_ten_seconds = Duration::from_secs(9)..Duration::from_secs(14);
    assert!(about_ten_seconds.contains(&wait_until_cut(silent, begun).await));
    assert!(about_ten_seconds.contains(&wait_until_cut(kept, begun).await));
    assert!(about_ten_seconds.contains(&dripping.await.unwrap()));
}
