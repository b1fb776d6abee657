//! Memory of idle connections.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::SocketAddr;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use futures_util::StreamExt;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio_tungstenite::WebSocketStream;

use crate::client::{connect, connect_over, get};
use crate::test_server::TestServer;
use crate::tls::Certificate;

/// The server runs in its own process, so that the client ends of the connections are not measured.
const CHILD: &str = "TABIYA_TEST_IDLE_SERVER";

/// Memory budget of an idle connection in bytes.
const BUDGET: u64 = 16 * 1_024;
/// The same with TLS, mostly for keys and record buffers.
const TLS_BUDGET: u64 = 32 * 1_024;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn server_for_idle_connections() {
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
    let server = TestServer::start(&variables);
    let mut output = std::io::stdout();
    writeln!(output, "\nlistening {} {}", server.address, server.metrics_address.unwrap()).unwrap();
    output.flush().unwrap();
    server.task.await.unwrap();
}

/// The last value keeps the child's output open: its test harness writes a line when the test takes long.
fn start(certificate: Option<&Certificate>) -> (Child, SocketAddr, SocketAddr, impl Sized) {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "idle::server_for_idle_connections", "--nocapture"]).env(CHILD, "1");
    if let Some(certificate) = certificate {
        command.env("TABIYA_TLS_CERT", certificate.path("cert.pem")).env("TABIYA_TLS_KEY", certificate.path("key.pem"));
    }
    let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    let mut lines = output.by_ref().lines().map_while(Result::ok);
    let line = lines.find_map(|line| line.strip_prefix("listening ").map(str::to_owned)).unwrap();
    let (address, metrics) = line.split_once(' ').unwrap();
    (child, address.parse().unwrap(), metrics.parse().unwrap(), output)
}

/// Resident memory of a process in bytes.
fn memory(child: &Child) -> u64 {
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() * 1_024
}

/// Connects and answers pings until the test ends.
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

/// Waits until this many connections are served.
async fn are_served(metrics: SocketAddr, connections: u64) {
    let all = format!("tabiya_connections{{dialect=\"echo\"}} {connections}\n");
    let waiting = async {
        while !get(metrics, "/metrics").await.contains(&all) {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(Duration::from_mins(1), waiting).await.expect("no connection is lost");
}

async fn cost(connections: u64, certificate: Option<&Certificate>) -> u64 {
    let (mut child, address, metrics, _output) = start(certificate);
    // The first connections allocate what is shared by all.
    for _ in 0..100 {
        stay(address, certificate).await;
    }
    are_served(metrics, 100).await;
    let before = memory(&child);
    for _ in 0..connections {
        stay(address, certificate).await;
    }
    are_served(metrics, connections + 100).await;
    let each = memory(&child).saturating_sub(before) / connections;
    child.kill().unwrap();
    child.wait().unwrap();
    println!("an idle connection costs {each} bytes");
    each
}

#[tokio::test]
async fn an_idle_connection_stays_within_its_memory_budget() {
    assert!(cost(900, None).await < BUDGET);
}

#[tokio::test]
#[ignore = "it needs more than 10,000 open files on each side"]
async fn ten_thousand_idle_connections_stay_within_their_memory_budget() {
    assert!(cost(9_800, None).await < BUDGET);
}

#[tokio::test]
#[ignore = "it needs more than 10,000 open files on each side"]
async fn ten_thousand_idle_tls_connections_stay_within_their_memory_budget() {
    let certificate = Certificate::new("idle");
    assert!(cost(9_800, Some(&certificate)).await < TLS_BUDGET);
}
