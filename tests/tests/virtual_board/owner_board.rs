//! The owner's page of a board: what the relay answers to it, with the console of a virtual board behind it.

use std::net::SocketAddr;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};
use tests::relay::{HttpResponse, post};

use crate::fixture::VirtualBoardFixture;
use crate::panel_client::PanelClient;

/// Timeout of every wait. It ends a test that hangs.
const TIMEOUT: Duration = Duration::from_mins(1);

const JSON: &str = "content-type: application/json\r\n";

/// The owner of the relay, at the page of one board.
struct OwnerClient<'a> {
    fixture: &'a VirtualBoardFixture,
    board: String,
}

impl<'a> OwnerClient<'a> {
    /// Waits until the board is connected.
    fn of(fixture: &'a VirtualBoardFixture) -> Result<Self> {
        let client = Self { fixture, board: "virtual".to_owned() };
        client.wait_for("a connected board", |state| !state["live"].is_null())?;
        Ok(client)
    }

    fn post(&self, part: &str, body: &Value) -> Result<HttpResponse> {
        let path = format!("/owner/boards/{}/{part}", self.board);
        self.fixture.block_on(post(self.fixture.relay.address(), &path, JSON, &body.to_string()))
    }

    /// What the console of the board answers.
    fn run(&self, line: &str) -> Result<String> {
        let answered = self.post("console", &json!({ "line": line }))?;
        ensure!(answered.status == 200, "{line}: {}", answered.text());
        Ok(answered.json()?["answer"].as_str().context("an answer is text")?.to_owned())
    }

    fn state(&self) -> Result<Value> {
        self.fixture.ask(&format!("/owner/boards/{}/state", self.board))
    }

    fn wait_for(&self, what: &str, is_so: impl Fn(&Value) -> bool) -> Result<()> {
        let deadline = Instant::now() + TIMEOUT;
        loop {
            let state = self.state()?;
            if is_so(&state) {
                return Ok(());
            }
            ensure!(Instant::now() < deadline, "{what}: {state}");
            thread::sleep(Duration::from_millis(20));
        }
    }

    fn wait_for_line(&self, line: &str, answer: &str) -> Result<()> {
        let deadline = Instant::now() + TIMEOUT;
        loop {
            let found = self.run(line)?;
            if found.contains(answer) {
                return Ok(());
            }
            ensure!(Instant::now() < deadline, "{line} answers {found}, not {answer}");
            thread::sleep(Duration::from_millis(20));
        }
    }
}

fn has(state: &Value, square: &str) -> bool {
    state["live"]["occupied"].as_array().is_some_and(|squares| squares.iter().any(|name| name == square))
}

#[test]
fn the_owner_changes_settings_and_sees_the_switches_live() -> Result<()> {
    let Some(mut fixture) = VirtualBoardFixture::start(&["--virtual-board=local"])? else { return Ok(()) };
    {
        let owner = OwnerClient::of(&fixture)?;
        ensure!(fixture.ask("/owner/boards")? == json!({ "boards": [{ "name": "virtual", "connected": true }] }));
        ensure!(owner.state()?["live"]["software"].as_str().is_some_and(|text| text.starts_with("tabiya-virtual ")));
        ensure!(owner.run("set brightness 40")? == "done\r\n");
        ensure!(owner.run("set pace careful")? == "done\r\n");
        let shown = owner.run("show")?;
        ensure!(shown.contains("brightness 40\r\n") && shown.contains("pace careful\r\n"), "{shown}");
        let stats = owner.run("stats")?;
        ensure!(stats.contains("connections 1\r\n") && stats.contains("weak magnets none\r\n"), "{stats}");
        let frames =
            stats.split("link frames ").nth(1).and_then(|rest| rest.split(", sent again 0 (0.0 %)\r\n").next());
        ensure!(frames.and_then(|count| count.parse::<u32>().ok()).is_some_and(|count| count > 0), "{stats}");

        let selftest = owner.run("selftest")?;
        ensure!(selftest.contains("rng good") && selftest.contains("journal good"), "{selftest}");
        let mut window = PanelClient::open(fixture.relay.address())?;
        owner.wait_for("a piece on g1", |state| has(state, "g1"))?;
        window.lift("g1")?;
        owner.wait_for("no piece on g1", |state| !has(state, "g1") && has(state, "h1"))?;
        window.put("g1")?;
        owner.wait_for("a piece on g1 again", |state| has(state, "g1"))?;

        let refused = owner.run("set relay ws://elsewhere:1")?;
        ensure!(refused.starts_with("refused: "), "{refused}");
        ensure!(owner.post("console", &json!({ "line": "x".repeat(161) }))?.status == 400);
        ensure!(owner.post("console", &json!({ "line": "show\r\nreboot" }))?.status == 400);
        let unknown = OwnerClient { fixture: &fixture, board: "hall".to_owned() };
        ensure!(unknown.post("console", &json!({ "line": "show" }))?.status == 404);

        // Without power no line is executed, and none waits.
        window.touch(&json!({ "type": "power", "plugged": false }))?;
        owner.wait_for("a board that is gone", |state| state["live"].is_null())?;
        let offline = owner.post("console", &json!({ "line": "show" }))?;
        ensure!(offline.status == 409 && offline.text().contains("not connected"), "{}", offline.text());
        window.touch(&json!({ "type": "power", "plugged": true }))?;
        owner.wait_for("a board that is back", |state| !state["live"].is_null())?;
        ensure!(owner.run("show")?.contains("brightness 40\r\n"), "the journal has the setting");
    }
    fixture.relay.check()
}

/// The wires of the files are in reverse order, so the owner, who is asked for a1, puts the piece where the board reads h1.
#[test]
fn the_owner_calibrates_a_board_with_mirrored_files() -> Result<()> {
    let Some(mut fixture) = VirtualBoardFixture::start(&["--virtual-board=local"])? else { return Ok(()) };
    {
        let owner = OwnerClient::of(&fixture)?;
        let mut window = PanelClient::open(fixture.relay.address())?;
        window.touch(&json!({ "type": "clear" }))?;
        ensure!(owner.run("calibrate switches")?.starts_with("started"));
        let asked = ["a1", "b2", "c3", "d4", "e5", "f6", "g7", "h8", "h1"];
        let touched = ["h1", "g2", "f3", "e4", "d5", "c6", "b7", "a8", "a1"];
        let nexts = asked.iter().skip(1).copied().chain(["done, and stored"]);
        for ((asked, square), next) in asked.iter().zip(touched).zip(nexts) {
            owner.wait_for_line("calibrate status", &format!("on {asked}"))?;
            window.touch(&json!({ "type": "take", "piece": "K" }))?;
            window.put(square)?;
            owner.wait_for_line("calibrate status", next)?;
            window.take_off(square)?;
        }
        owner.wait_for("an empty board", |state| state["live"]["occupied"] == json!([]))?;
        window.touch(&json!({ "type": "take", "piece": "K" }))?;
        window.put("b1")?;
        owner.wait_for("the piece on g1", |state| state["live"]["occupied"] == json!(["g1"]))?;
        // After a power cut the calibration is in the journal.
        window.touch(&json!({ "type": "power", "plugged": false }))?;
        owner.wait_for("a board that is gone", |state| state["live"].is_null())?;
        window.touch(&json!({ "type": "power", "plugged": true }))?;
        owner.wait_for("the piece on g1", |state| state["live"]["occupied"] == json!(["g1"]))?;
        ensure!(owner.run("calibrate reset")? == "done\r\n");
        owner.wait_for("the piece on b1", |state| state["live"]["occupied"] == json!(["b1"]))?;
    }
    fixture.relay.check()
}

#[test]
fn a_board_is_renamed_and_leaves_the_lobby_without_losing_its_connection() -> Result<()> {
    let Some(mut fixture) = VirtualBoardFixture::start(&["--virtual-board=local"])? else { return Ok(()) };
    {
        let mut owner = OwnerClient::of(&fixture)?;
        let code = fixture.code_of("virtual")?;
        let added = fixture.relay.command(&["boards", "add", "hall"])?;
        let port = fixture.relay.address().port();
        ensure!(added.contains(&format!(":{port}\n")), "the lines for the console name the port of the relay: {added}");
        ensure!(owner.post("settings", &json!({ "name": "hall" }))?.status == 409);
        ensure!(owner.post("settings", &json!({ "name": "" }))?.status == 400);
        ensure!(owner.post("settings", &json!({ "key": "00" }))?.status == 422);
        let renamed = owner.post("settings", &json!({ "name": "cellar" }))?;
        ensure!(renamed.status == 200 && renamed.json()?["name"] == "cellar", "{}", renamed.text());
        owner.board = "cellar".to_owned();
        ensure!(fixture.code_of("cellar")? == code, "the link of the board stays");
        let challenge = json!({ "name": "Vera", "board": "cellar" });
        let open = |fixture: &VirtualBoardFixture| {
            fixture.block_on(post(fixture.relay.address(), "/games", JSON, &challenge.to_string()))
        };
        let hidden = owner.post("settings", &json!({ "challenges": "link" }))?;
        ensure!(hidden.status == 200, "{}", hidden.text());
        ensure!(owner.state()?["challenges"] == "link");
        let refused = open(&fixture)?;
        ensure!(refused.status == 404, "{} {}", refused.status, refused.text());
        let deadline = Instant::now() + TIMEOUT;
        while fixture.ask("/boards")?["boards"] != json!([]) {
            ensure!(Instant::now() < deadline, "the board stays in the lobby");
            thread::sleep(Duration::from_millis(20));
        }
        owner.post("settings", &json!({ "challenges": "everyone" }))?;
        fixture.code_of("cellar")?;
        let opened = open(&fixture)?;
        ensure!(opened.status == 201, "{} {}", opened.status, opened.text());
        ensure!(owner.run("stats")?.contains("connections 1\r\n"), "the board stays connected");
    }
    fixture.relay.check()
}

/// A player who asks for a seat at the board of this code, with the protocol of players.
fn join(fixture: &VirtualBoardFixture, code: &str) -> Result<HttpResponse> {
    let upgrade = "upgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-version: 13\r\n\
                   sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
    let head = format!("GET /ws/api/vera/{code}/ HTTP/1.1\r\nhost: localhost\r\n{upgrade}\r\n");
    fixture.block_on(tests::relay::request(fixture.relay.address(), &head))
}

#[test]
fn a_board_that_accepts_no_challenges_says_so_to_the_challenger() -> Result<()> {
    let Some(mut fixture) = VirtualBoardFixture::start(&["--virtual-board=local"])? else { return Ok(()) };
    {
        let owner = OwnerClient::of(&fixture)?;
        let code = fixture.code_of("virtual")?;
        let challenge = json!({ "name": "Vera", "board": "virtual" }).to_string();
        let said = fixture.relay.command(&["boards", "challenges", "virtual", "off"])?;
        ensure!(said.trim_end() == "Board virtual: No player may challenge it.", "{said}");
        ensure!(owner.state()?["challenges"] == "off");
        let by_name = fixture.block_on(post(fixture.relay.address(), "/games", JSON, &challenge))?;
        for refused in [by_name, join(&fixture, &code)?] {
            let text = refused.text();
            ensure!(refused.status == 409, "{} {text}", refused.status);
            ensure!(text.contains("The board virtual accepts no challenges."), "{text}");
        }
        ensure!(fixture.ask(&format!("/games/{code}.table"))?["state"] == "refuses");
        let deadline = Instant::now() + TIMEOUT;
        while fixture.ask("/boards")?["boards"] != json!([]) {
            ensure!(Instant::now() < deadline, "the board stays in the lobby");
            thread::sleep(Duration::from_millis(20));
        }
        let said = fixture.relay.command(&["boards", "challenges", "virtual", "everyone"])?;
        ensure!(said.trim_end() == "Board virtual: All players may challenge it, in the lobby.", "{said}");
        ensure!(fixture.ask(&format!("/games/{code}.table"))?["state"] == "free");
        let opened = fixture.block_on(post(fixture.relay.address(), "/games", JSON, &challenge))?;
        ensure!(opened.status == 201, "{} {}", opened.status, opened.text());
    }
    fixture.relay.check()
}

#[test]
fn only_the_owner_reaches_the_console_of_a_board() -> Result<()> {
    let Some(mut fixture) = VirtualBoardFixture::start(&["--virtual-board=local"])? else { return Ok(()) };
    OwnerClient::of(&fixture)?;
    let relay: SocketAddr = fixture.relay.address();
    let ask = |method: &str, path: &str, body: &str| {
        let head = format!("{method} {path} HTTP/1.1\r\nhost: localhost\r\nx-forwarded-for: 203.0.113.9\r\n");
        let rest = format!("{JSON}content-length: {}\r\nconnection: close\r\n\r\n{body}", body.len());
        fixture.block_on(tests::relay::request(relay, &format!("{head}{rest}")))
    };
    for (method, path, body) in [
        ("GET", "/owner/boards", ""),
        ("GET", "/owner/boards/virtual/state", ""),
        ("POST", "/owner/boards/virtual/settings", r#"{"name":"mine"}"#),
        ("POST", "/owner/boards/virtual/console", r#"{"line":"set brightness 0"}"#),
    ] {
        let answered = ask(method, path, body)?;
        ensure!(answered.status == 403, "{path}: {}", answered.status);
    }
    fixture.code_of("virtual")?;
    fixture.relay.check()
}
