//! The command `tabiya serve` and rule scripts: with loops in them, and on machines that lack something.

use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;

use crate::client::{get, parts, request_over};

/// A relay that ends, with its data, when this is dropped.
struct Relay {
    child: Child,
    address: SocketAddr,
    log: BufReader<std::process::ChildStderr>,
    data: PathBuf,
}

impl Relay {
    fn start(mut command: Command, name: &str) -> Self {
        let data = std::env::temp_dir().join(format!("tabiya-without-{name}-{}", std::process::id()));
        let mut child = command
            .args(["serve", "--listen", "127.0.0.1:0", "--log-format", "json", "--data"])
            .arg(&data)
            .current_dir(std::env::temp_dir())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let log = BufReader::new(child.stderr.take().unwrap());
        let mut relay = Self { child, address: SocketAddr::from(([127, 0, 0, 1], 0)), log, data };
        let listens = relay.logged(|line| line["address"].is_string());
        relay.address = listens["address"].as_str().unwrap().parse().unwrap();
        relay
    }

    /// Waits for a line of the log.
    fn logged(&mut self, is_wanted: impl Fn(&Value) -> bool) -> Value {
        loop {
            let mut line = String::new();
            assert_ne!(self.log.read_line(&mut line).unwrap(), 0, "the relay has ended");
            let line = serde_json::from_str(&line).expect("a line of JSON");
            if is_wanted(&line) {
                return line;
            }
        }
    }

    /// Tries a script, and returns status code and body.
    async fn try_script(&self, text: &str) -> (u16, String) {
        self.post("/scripts/try", text).await
    }

    async fn post(&self, path: &str, text: &str) -> (u16, String) {
        let stream = TcpStream::connect(self.address).await.unwrap();
        // As it is sent.
        let length = text.replace('\n', "\r\n").len();
        let head = format!("POST {path} HTTP/1.1\nhost: localhost\ncontent-length: {length}");
        let response = request_over(stream, &head, text).await;
        let (status, body) = parts(&response);
        (status, body.to_owned())
    }

    async fn player(&self, name: &str, code: &str) -> WebSocketStream<TcpStream> {
        let request = format!("ws://{}/ws/api/{name}/{code}/?extras=1", self.address).into_client_request().unwrap();
        let stream = TcpStream::connect(self.address).await.unwrap();
        tokio_tungstenite::client_async(request, stream).await.unwrap().0
    }
}

impl Drop for Relay {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = std::fs::remove_dir_all(&self.data);
    }
}

/// The next message of this type.
async fn next(player: &mut WebSocketStream<TcpStream>, kind: &str) -> Value {
    loop {
        let message = player.next().await.unwrap().unwrap();
        let message: Value = serde_json::from_str(message.to_text().unwrap()).unwrap();
        if message["type"] == kind {
            return message;
        }
    }
}

const SCRIPT: &str = "def make_move(*_): pass\ndef get_starting_state():\n    return {'pieces': [], 'possible_moves': [], 'status': 'draw'}\n";

#[tokio::test]
async fn without_python_chess_is_played_and_a_script_says_what_to_install() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tabiya"));
    command.env("TABIYA_PYTHON", "/nowhere/python3");
    let mut relay = Relay::start(command, "python");
    let (status, body) = relay.try_script(SCRIPT).await;
    assert!(status == 503 && body.contains("/nowhere/python3 was not found"), "{status} {body}");
    assert!(body.contains("apt install python3"), "{body}");
    relay.logged(|line| line["problem"].as_str().is_some_and(|problem| problem.contains("apt install python3")));

    let mut anna = relay.player("anna", "abc").await;
    let id = next(&mut anna, "init").await["user_id"].clone();
    let mut billy = relay.player("billy", "abc").await;
    next(&mut billy, "start").await;
    next(&mut anna, "start").await;
    next(&mut anna, "game_state").await;
    let state = next(&mut billy, "game_state").await;
    assert_eq!(state["player_turn_id"], id);
    anna.send(Message::text(json!({ "type": "move", "start": "e2", "end": "e4" }).to_string())).await.unwrap();
    for player in [&mut anna, &mut billy] {
        let state = next(player, "game_state").await;
        assert_eq!((&state["board"][36], &state["board"][52]), (&json!(1), &json!(0)), "{state}");
    }
}

/// A king that can move to e2, and a move that never ends.
const LOOP: &str = "def make_move(*_):\n    while True: pass\ndef get_starting_state():\n    \
    return {'pieces': [{'color': 'white', 'name': 'king', 'x': 4, 'y': 0}], 'status': 'running', \
    'possible_moves': [{'from_x': 4, 'from_y': 0, 'to_x': 4, 'to_y': 1}]}\n";

#[tokio::test]
async fn a_client_whose_moves_end_in_loops_may_ask_for_fewer_of_them() {
    if !has_python() {
        return;
    }
    let mut command = Command::new(env!("CARGO_BIN_EXE_tabiya"));
    command.env("TABIYA_REQUESTS_PER_MINUTE", "60");
    let relay = Relay::start(command, "loops");
    let (status, stored) = relay.post("/scripts", LOOP).await;
    assert_eq!(status, 201, "{stored}");
    let stored: Value = serde_json::from_str(&stored).unwrap();
    let (status, opened) =
        relay.post("/games", &json!({ "rules": "script", "script": stored["id"] }).to_string()).await;
    assert_eq!(status, 201, "{opened}");
    let opened: Value = serde_json::from_str(&opened).unwrap();
    let code = opened["code"].as_str().unwrap();
    let mut anna = relay.player("anna", code).await;
    let mut billy = relay.player("billy", code).await;
    next(&mut billy, "start").await;
    let mut errors = Vec::new();
    for _ in 0..12 {
        let played = json!({ "type": "move", "start": "e1", "end": "e2" });
        anna.send(Message::text(played.to_string())).await.unwrap();
        let error = next(&mut anna, "error").await;
        errors.push(error["status_code"].as_u64().unwrap());
    }
    let looped = errors.iter().take_while(|status| **status != 429).count();
    assert!((2..=8).contains(&looped), "{errors:?}");
}

fn has_python() -> bool {
    let has_python = Command::new("python3").args(["-c", "import ctypes"]).status().is_ok_and(|found| found.success());
    if !has_python {
        assert!(std::env::var_os("TABIYA_REQUIRE_PARTS").is_none(), "there is no Python");
        println!("skipped: there is no Python");
    }
    has_python
}

/// Starts another program with a system call filter that refuses Landlock as a kernel without it does.
const WITHOUT_LANDLOCK: &str = r#"
import ctypes, os, struct, sys
LANDLOCK_CREATE_RULESET, ENOSYS = 444, 38
filters = [(0x20, 0, 0, 0), (0x15, 0, 1, LANDLOCK_CREATE_RULESET), (0x06, 0, 0, 0x50000 | ENOSYS), (0x06, 0, 0, 0x7fff0000)]
code = ctypes.create_string_buffer(b"".join(struct.pack("<HBBI", *filter) for filter in filters))
class Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("filter", ctypes.c_void_p)]
libc = ctypes.CDLL(None, use_errno=True)
for arguments in (38, 1, 0, 0, 0), (22, 2, ctypes.byref(Program(len(filters), ctypes.addressof(code))), 0, 0):
    if libc.prctl(*arguments) != 0:
        raise OSError(ctypes.get_errno(), "prctl")
os.execv(sys.argv[1], sys.argv[1:])
"#;

#[tokio::test]
async fn without_landlock_scripts_are_executed_and_the_log_and_a_metric_say_so() {
    if !has_python() {
        return;
    }
    let mut command = Command::new("python3");
    command.args(["-c", WITHOUT_LANDLOCK, env!("CARGO_BIN_EXE_tabiya")]);
    let mut relay = Relay::start(command, "landlock");
    let (status, body) = relay.try_script(SCRIPT).await;
    assert!(status == 200 && body.contains("\"is_over\":true"), "{status} {body}");
    let started = relay.logged(|line| line["message"] == "rule scripts can be executed");
    assert_eq!(started["landlock"], false, "{started}");
    let warning = relay.logged(|line| line["message"].as_str().is_some_and(|text| text.contains("no Landlock")));
    assert_eq!(warning["level"], "WARN", "{warning}");
    let metrics = get(relay.address, "/metrics").await;
    assert!(metrics.contains("tabiya_script_sandbox{layer=\"landlock\"} 0\n"), "{metrics}");
    let (status, body) = relay.try_script(&SCRIPT.replace("    return", "    open('/etc/passwd')\n    return")).await;
    assert!(status == 200 && body.contains("PermissionError"), "{status} {body}");
}
