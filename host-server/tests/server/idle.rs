//! What a connection costs while nothing happens.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::SocketAddr;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use futures_util::StreamExt;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio_tungstenite::WebSocketStream;

use crate::client::{connect, connect_over, get};
use crate::house::House;
use crate::tls::Certificate;

/// The relay is in a process of its own, so that the other ends of the connections are not counted.
const CHILD: &str = "TABIYA_TEST_IDLE_HOUSE";

/// An idle connection may cost so much, in all that the relay has.
const BUDGET: u64 = 16 * 1_024;
/// And so much with TLS, of which most is for keys and records.
const TLS_BUDGET: u64 = 32 * 1_024;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn house_for_idle_connections() {
    if std::env::var_os(CHILD).is_none() {
        return;
    }
    let mut variables = vec![
        ("TABIYA_MAX_CONNECTIONS_PER_ADDRESS", "0"),
        ("TABIYA_CONNECTIONS_PER_MINUTE", "0"),
        ("TABIYA_REQUESTS_PER_MINUTE", "0"),
        ("TABIYA_METRICS_LISTEN", "127.0.0.1:0"),
    ];
    let files = ["TABIYA_TLS_CERT", "TABIYA_TLS_KEY"].map(|name| (name, std::env::var(name).unwrap_or_default()));
    variables.extend(files.iter().map(|(name, file)| (*name, file.as_str())));
    let house = House::open(&variables);
    let mut output = std::io::stdout();
    writeln!(output, "\nlistening {} {}", house.address, house.metrics_address.unwrap()).unwrap();
    output.flush().unwrap();
    house.task.await.unwrap();
}

/// The last is where it talks to: the test around it says when it takes long, and must be able to.
fn start(certificate: Option<&Certificate>) -> (Child, SocketAddr, SocketAddr, impl Sized) {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "idle::house_for_idle_connections", "--nocapture"]).env(CHILD, "1");
    if let Some(certificate) = certificate {
        command.env("TABIYA_TLS_CERT", certificate.path("cert.pem")).env("TABIYA_TLS_KEY", certificate.path("key.pem"));
    }
    let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    let mut lines = output.by_ref().lines().map_while(Result::ok);
    let line = lines.find_map(|line| line.strip_prefix("listening ").map(str::to_owned)).unwrap();
    let (address, figures) = line.split_once(' ').unwrap();
    (child, address.parse().unwrap(), figures.parse().unwrap(), output)
}

/// What a process has in memory, in bytes.
fn memory(child: &Child) -> u64 {
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() * 1_024
}

/// Connects, and answers when it is asked whether it is there.
async fn stay(address: SocketAddr, certificate: Option<&Certificate>) {
    async fn listen<S: AsyncRead + AsyncWrite + Unpin>(mut socket: WebSocketStream<S>) {
        while socket.next().await.is_some() {}
    }

    match certificate {
        None => {
            tokio::spawn(listen(connect(address).await));
        }
        Some(certificate) => {
            let stream = certificate.connect(address).await.unwrap();
            tokio::spawn(listen(connect_over(stream, address, &[]).await.unwrap()));
        }
    }
}

async fn cost(connections: u64, certificate: Option<&Certificate>) -> u64 {
    let (mut child, address, figures, _output) = start(certificate);
    // The first ones bring in what is there once.
    for _ in 0..100 {
        stay(address, certificate).await;
    }
    tokio::time::sleep(Duration::from_millis(200)).await;
    let before = memory(&child);
    for _ in 0..connections {
        stay(address, certificate).await;
    }
    tokio::time::sleep(Duration::from_millis(500)).await;
    let each = memory(&child).saturating_sub(before) / connections;
    let page = get(figures, "/metrics").await;
    child.kill().unwrap();
    child.wait().unwrap();
    let all = format!("tabiya_connections{{tongue=\"chessata\"}} {}\n", connections + 100);
    assert!(page.contains(&all), "some have gone: {page}");
    println!("an idle connection costs {each} bytes");
    each
}

#[tokio::test]
async fn an_idle_connection_costs_little() {
    assert!(cost(900, None).await < BUDGET);
}

/// The same with as many as a relay is made for. It needs more than 10,000 open files on each side, and time.
#[tokio::test]
#[ignore = "it takes a while"]
async fn ten_thousand_idle_connections_cost_little() {
    assert!(cost(9_800, None).await < BUDGET);
}

#[tokio::test]
#[ignore = "it takes a while"]
async fn ten_thousand_idle_connections_with_tls_cost_little() {
    let certificate = Certificate::new("idle");
    assert!(cost(9_800, Some(&certificate)).await < TLS_BUDGET);
}
