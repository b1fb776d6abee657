use std::net::SocketAddr;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use serde_json::{Value, json};
use tests::relay::{HttpResponse, post};
use tests::temp_dir::TempDir;

use crate::fixture::VirtualBoardFixture;
use crate::own_process::BoardProcess;
use crate::panel_client::PanelClient;

/// Timeout of every wait. It ends a test that hangs.
const TIMEOUT: Duration = Duration::from_mins(1);

/// Waits for the request of a board on the owner's page.
fn pending(fixture: &VirtualBoardFixture) -> Result<Value> {
    let deadline = Instant::now() + TIMEOUT;
    loop {
        let pairings = fixture.ask("/owner/pairings")?;
        if let Some([request, ..]) = pairings["pairings"].as_array().map(Vec::as_slice) {
            return Ok(request.clone());
        }
        if Instant::now() > deadline {
            bail!("no board asks to be paired");
        }
        thread::sleep(Duration::from_millis(20));
    }
}

/// Sends the owner's answer.
fn answer(fixture: &VirtualBoardFixture, request: &Value, answer: &Value) -> Result<HttpResponse> {
    let id = request["id"].as_str().context("a request has an id")?;
    let (path, relay) = (format!("/owner/pairings/{id}"), fixture.relay.address());
    fixture.block_on(post(relay, &path, "content-type: application/json\r\n", &answer.to_string()))
}

/// The names of the squares in a JSON list.
fn names(squares: &Value) -> Vec<&str> {
    squares.as_array().into_iter().flatten().filter_map(Value::as_str).collect()
}

/// A board without a key asks its relay to be paired. The lights of the board show the squares on the owner's page; after the owner has
/// accepted, the board connects, and finds its key in its journal at the next start.
#[test]
fn a_board_without_a_key_is_paired_through_the_owners_page() -> Result<()> {
    let Some(mut fixture) = VirtualBoardFixture::start(&[])? else { return Ok(()) };
    let relay = fixture.relay.address();
    let folder = TempDir::new()?;
    let Some(alone) = BoardProcess::start_without_key(relay, &folder)? else { return Ok(()) };
    let request = pending(&fixture)?;
    ensure!(request["name"] == "kitchen", "{request}");
    let mut window = PanelClient::open(alone.address())?;
    window.until_lit_alone(&names(&request["squares"]))?;

    let refused = answer(&fixture, &request, &json!({ "answer": "accept", "name": "" }))?;
    ensure!(refused.status == 400, "{}", refused.text());
    let accepted = answer(&fixture, &request, &json!({ "answer": "accept", "name": "cellar" }))?;
    ensure!(accepted.status == 200 && accepted.json()?["paired"] == "cellar", "{}", accepted.text());
    fixture.code_of("cellar")?;
    let again = answer(&fixture, &request, &json!({ "answer": "accept", "name": "cellar" }))?;
    ensure!(again.status == 404, "{}", again.text());

    // The journal has the key.
    drop(alone);
    let Some(alone) = BoardProcess::start_without_key(relay, &folder)? else { return Ok(()) };
    let mut window = PanelClient::open(alone.address())?;
    window.until_online()?;
    ensure!(fixture.ask("/owner/pairings")?["pairings"] == json!([]), "the board does not ask again");
    fixture.relay.check()
}

#[test]
fn a_declined_board_stays_unpaired() -> Result<()> {
    let Some(mut fixture) = VirtualBoardFixture::start(&[])? else { return Ok(()) };
    let folder = TempDir::new()?;
    let Some(alone) = BoardProcess::start_without_key(fixture.relay.address(), &folder)? else { return Ok(()) };
    let request = pending(&fixture)?;
    let mut window = PanelClient::open(alone.address())?;
    window.until_lit_alone(&names(&request["squares"]))?;
    let declined = answer(&fixture, &request, &json!({ "answer": "decline" }))?;
    ensure!(declined.status == 200, "{}", declined.text());
    window.until_lit_alone(&[])?;
    ensure!(fixture.ask("/owner/pairings")?["pairings"] == json!([]));
    let boards: Value = serde_json::from_str(&fixture.relay.command(&["boards", "list", "--json"])?)?;
    ensure!(boards == json!([]), "{boards}");
    fixture.relay.check()
}

/// A board that disconnects takes its request with it.
#[test]
fn a_board_that_is_switched_off_is_no_longer_listed() -> Result<()> {
    let Some(mut fixture) = VirtualBoardFixture::start(&[])? else { return Ok(()) };
    let folder = TempDir::new()?;
    let Some(alone) = BoardProcess::start_without_key(fixture.relay.address(), &folder)? else { return Ok(()) };
    let request = pending(&fixture)?;
    drop(alone);
    let deadline = Instant::now() + TIMEOUT;
    while fixture.ask("/owner/pairings")?["pairings"] != json!([]) {
        ensure!(Instant::now() < deadline, "the request stays");
        thread::sleep(Duration::from_millis(20));
    }
    let gone = answer(&fixture, &request, &json!({ "answer": "accept", "name": "cellar" }))?;
    ensure!(gone.status == 404, "{}", gone.text());
    fixture.relay.check()
}

/// A client elsewhere needs the password of the owner, and without one there is no access.
#[test]
fn the_owners_data_is_for_the_owner() -> Result<()> {
    let forwarded =
        "GET /owner/pairings HTTP/1.1\r\nhost: localhost\r\nx-forwarded-for: 203.0.113.9\r\nconnection: close\r\n";
    let status = |fixture: &VirtualBoardFixture, headers: &str| -> Result<u16> {
        let relay: SocketAddr = fixture.relay.address();
        Ok(fixture.block_on(tests::relay::request(relay, &format!("{forwarded}{headers}\r\n")))?.status)
    };
    let Some(fixture) = VirtualBoardFixture::start(&[])? else { return Ok(()) };
    ensure!(status(&fixture, "")? == 403);
    ensure!(status(&fixture, "authorization: Bearer anything\r\n")? == 403);
    let token = "a long password of the owner";
    let Some(fixture) = VirtualBoardFixture::start_with(&[], &[("TABIYA_OWNER_TOKEN", token)])? else { return Ok(()) };
    ensure!(status(&fixture, "")? == 401);
    ensure!(status(&fixture, "authorization: Bearer a long password of the guest\r\n")? == 401);
    ensure!(status(&fixture, &format!("authorization: Bearer {token}\r\n"))? == 200);
    Ok(())
}

#[test]
fn a_relay_without_pairing_refuses_requests() -> Result<()> {
    let Some(mut fixture) = VirtualBoardFixture::start(&["--pairing=off"])? else { return Ok(()) };
    let folder = TempDir::new()?;
    let Some(alone) = BoardProcess::start_without_key(fixture.relay.address(), &folder)? else { return Ok(()) };
    fixture.relay.wait_for_log("pairing request refused")?;
    let mut window = PanelClient::open(alone.address())?;
    window.until_lit_alone(&["h8"])?;
    fixture.relay.check()
}

/// A board whose key is no longer valid shows that, and the relay's log names the board and its address.
#[test]
fn a_refused_key_is_shown_and_logged_with_the_name_of_the_board() -> Result<()> {
    let Some(mut fixture) = VirtualBoardFixture::start(&[])? else { return Ok(()) };
    let folder = TempDir::new()?;
    let Some(alone) = BoardProcess::start_without_key(fixture.relay.address(), &folder)? else { return Ok(()) };
    let request = pending(&fixture)?;
    answer(&fixture, &request, &json!({ "answer": "accept", "name": "cellar" }))?;
    fixture.code_of("cellar")?;
    fixture.relay.command(&["boards", "remove", "cellar"])?;
    fixture.relay.wait_for_log(r#"address="127.0.0.1" last_board_there="cellar""#)?;
    let mut window = PanelClient::open(alone.address())?;
    window.until_lit_alone(&["h8"])?;
    fixture.relay.check()
}
