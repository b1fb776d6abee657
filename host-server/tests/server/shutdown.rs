//! Graceful shutdown.

use std::time::{Duration, Instant};

use futures_util::StreamExt;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;

use crate::client::{connect, get, parts};
use crate::test_server::TestServer;

#[tokio::test]
async fn clients_are_asked_to_reconnect_before_the_relay_ends() {
    let server = TestServer::start(&[("TABIYA_STOP_WITHIN", "10")]);
    let mut good = connect(server.address).await;
    let mut late = connect(server.address).await;
    server.shutdown.stop();
    assert_eq!(good.next().await.unwrap().unwrap(), Message::text("farewell"));
    let Message::Close(Some(frame)) = good.next().await.unwrap().unwrap() else { panic!("not a close frame") };
    assert_eq!((u16::from(frame.code), frame.reason.as_str()), (1012, "service restart, reconnect"));

    // While connections are open, new requests get 503.
    let response = get(server.address, "/healthz").await;
    assert_eq!(parts(&response).0, 503);
    assert!(response.contains(r#""status":"stopping""#), "{response}");
    let response = get(server.address, "/who").await;
    assert_eq!(parts(&response).0, 503);
    assert!(response.contains("\r\nretry-after: 1\r\n"), "{response}");

    assert!(good.next().await.is_none());
    while late.next().await.is_some_and(|message| message.is_ok()) {}
    tokio::time::timeout(Duration::from_mins(1), server.task).await.expect("the relay ends").unwrap();
    assert!(TcpStream::connect(server.address).await.is_err());
}

#[tokio::test]
async fn the_shutdown_timeout_cuts_open_connections() {
    let server = TestServer::start(&[("TABIYA_STOP_WITHIN", "1")]);
    // An incomplete request. Connections are accepted in their order, so it has arrived when the next one is served.
    let mut half = TcpStream::connect(server.address).await.unwrap();
    half.write_all(b"GET /who HT").await.unwrap();
    let _silent = connect(server.address).await;
    let started = Instant::now();
    server.shutdown.stop();
    server.task.await.unwrap();
    assert!(started.elapsed() >= Duration::from_millis(900), "{:?}", started.elapsed());
}

#[tokio::test]
async fn a_second_signal_ends_the_relay_immediately() {
    let server = TestServer::start(&[("TABIYA_STOP_WITHIN", "600")]);
    let _silent = connect(server.address).await;
    server.shutdown.stop_now();
    tokio::time::timeout(Duration::from_mins(1), server.task).await.expect("the relay ends").unwrap();
}

/// The command itself, with real signals.
#[cfg(target_os = "linux")]
mod command {
    use std::io::{BufRead, BufReader};
    use std::process::{Child, Command, Stdio};

    use super::*;

    /// Starts a relay and waits until it listens.
    fn serve(arguments: &[&str]) -> (Child, std::net::SocketAddr) {
        let mut child = Command::new(env!("CARGO_BIN_EXE_tabiya"))
            .args(["serve", "--listen", "127.0.0.1:0", "--log-format", "json"])
            .args(arguments)
            .current_dir(std::env::temp_dir())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let log = BufReader::new(child.stderr.take().unwrap());
        let address = log.lines().map_while(Result::ok).find_map(|line| {
            let line: serde_json::Value = serde_json::from_str(&line).expect("a line of JSON");
            line["address"].as_str().map(|address| address.parse().unwrap())
        });
        (child, address.expect("it listens"))
    }

    fn send_signal(child: &Child, signal: &str) {
        assert!(Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success());
    }

    #[tokio::test]
    async fn a_signal_stops_the_relay_gracefully() {
        let data = std::env::temp_dir().join(format!("tabiya-serve-{}", std::process::id()));
        for signal in ["-TERM", "-INT"] {
            let (mut child, address) = serve(&["--data", data.to_str().unwrap()]);
            assert_eq!(parts(&get(address, "/healthz").await).0, 200);
            send_signal(&child, signal);
            let status = tokio::task::spawn_blocking(move || child.wait()).await.unwrap().unwrap();
            assert!(status.success(), "{status}");
        }
        let _ = std::fs::remove_dir_all(data);
    }
}
