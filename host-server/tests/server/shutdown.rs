//! How it all ends.

use std::time::{Duration, Instant};

use futures_util::StreamExt;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;

use crate::client::{connect, get, parts};
use crate::house::House;

#[tokio::test]
async fn everybody_is_told_and_has_time_to_go() {
    let house = House::open(&[("TABIYA_STOP_WITHIN", "10")]);
    let mut good = connect(house.address).await;
    let mut late = connect(house.address).await;
    house.shutdown.stop();
    assert_eq!(good.next().await.unwrap().unwrap(), Message::text("farewell"));
    let Message::Close(Some(frame)) = good.next().await.unwrap().unwrap() else { panic!("not a goodbye") };
    assert_eq!((u16::from(frame.code), frame.reason.as_str()), (1012, "service restart, reconnect"));

    // Until all have gone, whoever comes is told to come back.
    let answer = get(house.address, "/healthz").await;
    assert_eq!(parts(&answer).0, 503);
    assert!(answer.contains(r#""status":"stopping""#), "{answer}");
    let answer = get(house.address, "/who").await;
    assert_eq!(parts(&answer).0, 503);
    assert!(answer.contains("\r\nretry-after: 1\r\n"), "{answer}");

    assert!(good.next().await.is_none());
    while late.next().await.is_some_and(|message| message.is_ok()) {}
    tokio::time::timeout(Duration::from_secs(5), house.task).await.expect("the relay ends").unwrap();
    assert!(TcpStream::connect(house.address).await.is_err());
}

#[tokio::test]
async fn nobody_is_waited_for_for_ever() {
    let house = House::open(&[("TABIYA_STOP_WITHIN", "1")]);
    // It has asked for half a page.
    let mut half = TcpStream::connect(house.address).await.unwrap();
    half.write_all(b"GET /who HT").await.unwrap();
    let _silent = connect(house.address).await;
    tokio::time::sleep(Duration::from_millis(100)).await;
    let begun = Instant::now();
    house.shutdown.stop();
    house.task.await.unwrap();
    assert!((Duration::from_millis(900)..Duration::from_secs(5)).contains(&begun.elapsed()), "{:?}", begun.elapsed());
}

#[tokio::test]
async fn at_once_is_at_once() {
    let house = House::open(&[("TABIYA_STOP_WITHIN", "600")]);
    let _silent = connect(house.address).await;
    house.shutdown.stop_at_once();
    tokio::time::timeout(Duration::from_secs(2), house.task).await.expect("the relay ends").unwrap();
}

/// The command itself, with real signals.
#[cfg(target_os = "linux")]
mod command {
    use std::io::{BufRead, BufReader};
    use std::process::{Child, Command, Stdio};

    use super::*;

    /// Starts a relay, and waits until it listens.
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

    fn tell(child: &Child, signal: &str) {
        assert!(Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success());
    }

    #[tokio::test]
    async fn a_signal_ends_it_in_order() {
        let data = std::env::temp_dir().join(format!("tabiya-serve-{}", std::process::id()));
        for signal in ["-TERM", "-INT"] {
            let (mut child, address) = serve(&["--data", data.to_str().unwrap()]);
            assert_eq!(parts(&get(address, "/healthz").await).0, 200);
            tell(&child, signal);
            let status = tokio::task::spawn_blocking(move || child.wait()).await.unwrap().unwrap();
            assert!(status.success(), "{status}");
        }
        let _ = std::fs::remove_dir_all(data);
    }
}
