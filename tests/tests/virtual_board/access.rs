use anyhow::{Result, ensure};
use serde_json::json;
use tungstenite::Message;

use crate::fixture::VirtualBoardFixture;
use crate::panel_client::PanelClient;

/// Two windows show the same pieces, and pieces in hand; closing a window puts its pieces back.
#[test]
fn all_windows_show_the_same_pieces() -> Result<()> {
    let Some(fixture) = VirtualBoardFixture::start(&["--virtual-board=local"])? else { return Ok(()) };
    let (mut one, mut other) =
        (PanelClient::open(fixture.relay.address())?, PanelClient::open(fixture.relay.address())?);
    one.lift("e2")?;
    let held = |mine| json!([{ "mine": mine, "hand": 0, "piece": "P", "from": "e2" }]);
    one.until("its own hand", |window| window.pieces["hands"] == held(true))?;
    other.until("the hand of another window", |window| {
        window.pieces["hands"] == held(false) && window.at("e2") == '.'
    })?;
    // A window cannot put down a piece that another one holds.
    other.put("e4")?;
    other.until("a complaint", |window| !window.errors.is_empty())?;
    ensure!(other.errors == ["hand 0 is empty"], "{:?}", other.errors);
    drop(one);
    other.until("the pawn back", |window| window.at("e2") == 'P' && window.pieces["hands"] == json!([]))
}

/// An invalid message is answered with an error, and the connection stays open.
#[test]
fn rejects_invalid_messages_without_changes() -> Result<()> {
    let Some(mut fixture) = VirtualBoardFixture::start(&["--virtual-board=local"])? else { return Ok(()) };
    let mut window = PanelClient::open(fixture.relay.address())?;
    let before = window.pieces.clone();
    let nonsense = [
        ("{", "invalid message"),
        (r#"{"type":"throw","square":"e2"}"#, "throw"),
        (r#"{"type":"lift","square":"j9"}"#, "\"j9\" is not a square"),
        (r#"{"type":"lift","square":"e5"}"#, "e5 is empty"),
        (r#"{"type":"lift","hand":10,"square":"e2"}"#, "the number of a hand must be below 10"),
        (r#"{"type":"slide","from":"d1","to":"d2"}"#, "d2 is occupied"),
        (r#"{"type":"take","piece":"K"}"#, "no white king beside the board"),
    ];
    for (text, words) in nonsense {
        window.errors.clear();
        window.say(text)?;
        window.until(text, |window| window.errors.iter().any(|error| error.contains(words)))?;
    }
    window.errors.clear();
    window.say(Message::Binary(vec![1; 9].into()))?;
    window.until("an answer to bytes", |window| window.errors == ["commands must be JSON in text messages"])?;
    ensure!(window.pieces == before, "{}", window.pieces);
    window.say("x".repeat(5_000))?;
    let gone = window.until("the end", |_| false).expect_err("a message that is too large ends it");
    ensure!(format!("{gone:#}").contains("too large"), "{gone:#}");
    fixture.relay.check()
}

/// Remote clients may look, only local ones may touch, and foreign origins are refused.
#[test]
fn only_permitted_clients_may_touch() -> Result<()> {
    let through_proxy = [("x-forwarded-for", "203.0.113.9")];
    let Some(fixture) = VirtualBoardFixture::start(&["--virtual-board=local"])? else { return Ok(()) };
    let mut window = PanelClient::open_with(fixture.relay.address(), &through_proxy)?;
    ensure!(window.state["touch"] == false, "{}", window.state);
    window.lift("e2")?;
    window.until("a complaint", |window| !window.errors.is_empty())?;
    ensure!(window.errors == ["only clients on the machine of this board may move its pieces"], "{:?}", window.errors);
    ensure!(window.at("e2") == 'P', "{}", window.pieces);
    let stranger = PanelClient::open_with(fixture.relay.address(), &[("origin", "https://evil.example")]);
    ensure!(stranger.is_err_and(|error| error.to_string().contains("403")), "a stranger's page was let in");

    let Some(fixture) = VirtualBoardFixture::start(&["--virtual-board=all"])? else { return Ok(()) };
    let mut window = PanelClient::open_with(fixture.relay.address(), &through_proxy)?;
    window.lift("e2")?;
    window.until("the pawn in the hand", |window| window.at("e2") == '.')?;

    let Some(fixture) = VirtualBoardFixture::start(&["--virtual-board=off"])? else { return Ok(()) };
    ensure!(PanelClient::open(fixture.relay.address()).is_err(), "there should be no board");
    ensure!(fixture.ask("/boards")? == json!({ "boards": [] }), "{}", fixture.ask("/boards")?);
    Ok(())
}
