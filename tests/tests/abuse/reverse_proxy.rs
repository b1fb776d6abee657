//! A relay behind nginx, with the configuration and the flags of docs/operations.md.

use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use std::{fs, thread};

use anyhow::{Context, Result, bail, ensure};
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tests::json_client::{TIMEOUT, token_header};
use tests::parts;
use tests::temp_dir::TempDir;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio::time::timeout;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::{Error, Message};

const OPERATIONS: &str = include_str!("../../../docs/operations.md");

/// The address of a client that is not on the relay's machine. Only 127.0.0.1 is a trusted proxy.
const STRANGER: Ipv4Addr = Ipv4Addr::new(127, 0, 0, 2);

/// The documented configuration and flags.
fn documented() -> Result<(&'static str, Vec<&'static str>)> {
    let (before, rest) = OPERATIONS.split_once("```nginx\n").context("operations.md has no nginx configuration")?;
    let (configuration, _) = rest.split_once("```").context("the nginx configuration does not end")?;
    let line = before.lines().rfind(|line| line.starts_with("nginx, with `")).context("no flags for nginx")?;
    let flags = line.split('`').nth(1).context("no flags for nginx")?;
    Ok((configuration, flags.split_whitespace().collect()))
}

/// Replaces a text that must occur.
fn replaced(text: &str, from: &str, to: &str) -> Result<String> {
    ensure!(text.contains(from), "the documented configuration has no {from:?}");
    Ok(text.replace(from, to))
}

/// An nginx process. Dropping it ends the process.
struct Nginx {
    process: Child,
    /// The addresses of the ports 443, without TLS, and 80.
    pages: SocketAddr,
    boards: SocketAddr,
}

impl Nginx {
    fn start(program: &Path, folder: &Path, relay: SocketAddr) -> Result<Self> {
        let free = || anyhow::Ok(TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?);
        let (pages, boards) = (free()?, free()?);
        let (configuration, _) = documented()?;
        let mut configuration = replaced(configuration, "listen 443 ssl;", &format!("listen {pages};"))?;
        configuration = replaced(&configuration, "listen 80;", &format!("listen {boards};"))?;
        configuration = replaced(&configuration, "http://127.0.0.1:8080", &format!("http://{relay}"))?;
        configuration = replaced(&configuration, "/var/log/nginx/", &format!("{}/", folder.display()))?;
        configuration =
            configuration.lines().filter(|line| !line.contains("ssl_certificate")).collect::<Vec<_>>().join("\n");
        let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
            .map(|kind| format!("{kind}_temp_path {}/{kind};\n", folder.display()))
            .concat();
        let path = folder.join("nginx.conf");
        let text = format!(
            "daemon off;\nmaster_process off;\npid {folder}/nginx.pid;\nerror_log {folder}/nginx-error.log;\nevents {{}}\n\
             http {{\n{temporary}{configuration}\n}}\n",
            folder = folder.display()
        );
        fs::write(&path, text)?;
        let mut command = Command::new(program);
        command.arg("-p").arg(folder).arg("-e").arg(folder.join("nginx-error.log")).arg("-c").arg(&path);
        let process = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
        let mut nginx = Self { process, pages, boards };
        let deadline = Instant::now() + TIMEOUT;
        while std::net::TcpStream::connect(pages).is_err() || std::net::TcpStream::connect(boards).is_err() {
            if let Some(status) = nginx.process.try_wait()? {
                bail!("nginx has ended, {status}: {}", fs::read_to_string(folder.join("nginx-error.log"))?);
            }
            ensure!(Instant::now() < deadline, "nginx does not listen");
            thread::sleep(Duration::from_millis(10));
        }
        Ok(nginx)
    }
}

impl Drop for Nginx {
    fn drop(&mut self) {
        // A destructor cannot report an error.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// A connection from an address of the loopback network.
async fn dial(from: Ipv4Addr, to: SocketAddr) -> Result<TcpStream> {
    let socket = TcpSocket::new_v4()?;
    socket.bind((from, 0).into())?;
    Ok(socket.connect(to).await?)
}

/// Sends a request with one more header, and returns the response.
async fn ask(to: SocketAddr, path: &str, header: &[u8]) -> Result<String> {
    let mut stream = dial(STRANGER, to).await?;
    let head = format!("GET {path} HTTP/1.1\r\nhost: chess.example\r\nconnection: close\r\n");
    stream.write_all(&[head.as_bytes(), header, b"\r\n"].concat()).await?;
    let mut response = Vec::new();
    timeout(TIMEOUT, stream.read_to_end(&mut response)).await??;
    Ok(String::from_utf8_lossy(&response).into_owned())
}

/// Opens a WebSocket with one more header, as a page of the documented domain does.
async fn connect(to: SocketAddr, path: &str, name: &'static str, value: &[u8]) -> Result<WebSocketStream<TcpStream>> {
    let mut request = format!("ws://chess.example{path}").into_client_request()?;
    request.headers_mut().insert("origin", "https://chess.example".parse()?);
    request.headers_mut().insert(name, value.try_into()?);
    let stream = dial(STRANGER, to).await?;
    match timeout(TIMEOUT, tokio_tungstenite::client_async(request, stream)).await? {
        Ok((socket, _)) => Ok(socket),
        Err(Error::Http(response)) => bail!("refused with {}", response.status()),
        Err(error) => Err(error.into()),
    }
}

/// The next JSON message of a type.
async fn receive(socket: &mut WebSocketStream<TcpStream>, kind: &str) -> Result<Value> {
    loop {
        let message = timeout(TIMEOUT, socket.next()).await?.context("the connection has ended")??;
        if let Message::Text(text) = message {
            let value: Value = serde_json::from_str(&text)?;
            if value["type"] == kind {
                return Ok(value);
            }
        }
    }
}

/// No header makes a client behind the documented proxy local, and none hides its address from the limits.
#[tokio::test(flavor = "multi_thread")]
async fn a_client_behind_nginx_is_not_local() -> Result<()> {
    let Some(program) = parts::nginx() else { return Ok(()) };
    let folder = TempDir::new()?;
    let (_, flags) = documented()?;
    ensure!(flags[..2] == ["--listen", "127.0.0.1:8080"], "{flags:?}");
    let arguments = [&flags[2..], &["--virtual-board=local", "--joins-per-minute=3"]].concat();
    let Some(mut relay) = crate::relay(&folder, &arguments)? else { return Ok(()) };
    let nginx = Nginx::start(&program, folder.path(), relay.address())?;
    ensure!(ask(nginx.pages, "/healthz", b"").await?.starts_with("HTTP/1.1 200"));
    ensure!(ask(nginx.pages, "/metrics", b"").await?.starts_with("HTTP/1.1 404"));
    for forged in [&b"127.0.0.1"[..], b"\xff", b"127.0.0.1, \xff", b"unknown", b"::1"] {
        let mut panel = connect(nginx.pages, "/ws/panel", "x-forwarded-for", forged).await?;
        let state = receive(&mut panel, "board").await?;
        ensure!(state["touch"] == false, "{}: {state}", forged.escape_ascii());
        panel.send(Message::text(json!({"type": "lift", "hand": 0, "square": "e2"}).to_string())).await?;
        let refused = receive(&mut panel, "error").await?;
        ensure!(refused["message"].as_str().is_some_and(|text| text.contains("may move its pieces")), "{refused}");
    }
    // The relay sees the address that nginx appended: the limit of the client is used up, also with forged headers.
    let mut statuses = Vec::new();
    for number in 0..8 {
        let header: &[u8] =
            if number % 2 == 0 { b"x-forwarded-for: \xff\r\n" } else { b"x-forwarded-for: 127.0.0.1\r\n" };
        let response = ask(nginx.pages, &format!("/games/guess{number}.json"), header).await?;
        statuses.push(response.get(9..12).unwrap_or_default().to_owned());
    }
    ensure!(statuses == ["404", "404", "404", "429", "429", "429", "429", "429"], "{statuses:?}");
    // Boards connect on port 80, and pages are redirected.
    let redirect = ask(nginx.boards, "/g/abc", b"").await?;
    ensure!(redirect.contains("\r\nLocation: https://chess.example/g/abc\r\n"), "{redirect}");
    let mut board = connect(nginx.boards, "/ws/board", "accept-language", b"en").await?;
    board.send(Message::binary(vec![0])).await?;
    relay.check()
}

/// Tokens are neither in the access log nor in the error log of the documented proxy.
#[tokio::test(flavor = "multi_thread")]
async fn nginx_does_not_log_tokens() -> Result<()> {
    let Some(program) = parts::nginx() else { return Ok(()) };
    let folder = TempDir::new()?;
    let (_, flags) = documented()?;
    let Some(mut relay) = crate::relay(&folder, &flags[2..])? else { return Ok(()) };
    let nginx = Nginx::start(&program, folder.path(), relay.address())?;
    let mut player = connect(nginx.pages, "/ws/api/anna/abc/?extras=1", "accept-language", b"en").await?;
    let init = receive(&mut player, "init").await?;
    let token = init["token"].as_str().context("a player has a token")?.to_owned();
    player.close(None).await?;
    let (name, value) = token_header(&token);
    let mut again = connect(nginx.pages, "/ws/api/anna/abc/?extras=1", name, value.as_bytes()).await?;
    ensure!(receive(&mut again, "init").await?["user_id"] == init["user_id"]);
    again.close(None).await?;
    // An older client has the token in its URL.
    let old = format!("/ws/api/anna/abc/?extras=1&token={token}");
    let mut again = connect(nginx.pages, &old, "accept-language", b"en").await?;
    ensure!(receive(&mut again, "init").await?["user_id"] == init["user_id"]);
    // A client of the chess board game builder has the secret of its seat in the path.
    let secret = "7305912480163924";
    let state = format!("/get_game_state/4242/{secret}");
    ensure!(ask(nginx.pages, &state, b"").await?.starts_with("HTTP/1.1 200"));
    ensure!(ask(nginx.pages, &state.replace("get_game", "GET_game"), b"").await?.starts_with("HTTP/1.1 404"));
    ensure!(ask(nginx.boards, &state, b"").await?.starts_with("HTTP/1.1 301"));
    relay.kill9()?;
    ensure!(ask(nginx.pages, &state, b"").await?.starts_with("HTTP/1.1 502"));
    // The connection to the relay fails, which nginx reports as an error with the request.
    ensure!(ask(nginx.pages, &old, b"").await?.starts_with("HTTP/1.1 502"));
    ensure!(ask(nginx.boards, &old, b"").await?.starts_with("HTTP/1.1 301"));
    drop((again, nginx));
    let log = fs::read_to_string(folder.path().join("tabiya.log"))?;
    ensure!(log.contains("\"GET /ws/api/anna/abc/\"") && log.contains("\"GET /get_game_state/\""), "{log}");
    for entry in fs::read_dir(folder.path())? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "log") {
            let log = fs::read_to_string(&path)?;
            ensure!(!log.contains(&token) && !log.contains(secret), "{}: {log}", path.display());
        }
    }
    Ok(())
}
