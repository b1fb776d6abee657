use anyhow::{Result, ensure};
use serde_json::json;
use tungstenite::Message;

use crate::hall::Hall;
use crate::window::Window;

/// Two windows show the same wood, and what one holds the other sees; who goes puts everything back.
#[test]
fn all_windows_show_the_same_wood() -> Result<()> {
    let Some(hall) = Hall::open(&["--virtual-board=local"])? else { return Ok(()) };
    let (mut one, mut other) = (Window::open(hall.relay.address())?, Window::open(hall.relay.address())?);
    one.lift("e2")?;
    let held = |mine| json!([{ "mine": mine, "hand": 0, "piece": "P", "from": "e2" }]);
    one.until("its own hand", |window| window.wood["hands"] == held(true))?;
    other.until("somebody else's hand", |window| window.wood["hands"] == held(false) && window.at("e2") == '.')?;
    // The other one cannot put down what it does not hold.
    other.put("e4")?;
    other.until("a complaint", |window| !window.errors.is_empty())?;
    ensure!(other.errors == ["hand 0 holds nothing"], "{:?}", other.errors);
    drop(one);
    other.until("the pawn back", |window| window.at("e2") == 'P' && window.wood["hands"] == json!([]))
}

/// Whatever makes no sense gets a sentence, and the window goes on.
#[test]
fn nonsense_is_answered_and_changes_nothing() -> Result<()> {
    let Some(mut hall) = Hall::open(&["--virtual-board=local"])? else { return Ok(()) };
    let mut window = Window::open(hall.relay.address())?;
    let before = window.wood.clone();
    let nonsense = [
        ("{", "the message makes no sense"),
        (r#"{"type":"throw","square":"e2"}"#, "throw"),
        (r#"{"type":"lift","square":"j9"}"#, "\"j9\" is not a square"),
        (r#"{"type":"lift","square":"e5"}"#, "nothing stands on e5"),
        (r#"{"type":"lift","hand":10,"square":"e2"}"#, "hands have numbers below 10"),
        (r#"{"type":"slide","from":"d1","to":"d2"}"#, "something stands on d2 already"),
        (r#"{"type":"take","piece":"K"}"#, "no white king lies beside the board"),
    ];
    for (text, words) in nonsense {
        window.errors.clear();
        window.say(text)?;
        window.until(text, |window| window.errors.iter().any(|error| error.contains(words)))?;
    }
    window.errors.clear();
    window.say(Message::Binary(vec![1; 9].into()))?;
    window.until("an answer to bytes", |window| window.errors == ["what a panel says here is text, as JSON"])?;
    ensure!(window.wood == before, "{}", window.wood);
    window.say("x".repeat(5_000))?;
    let gone = window.until("the end", |_| false).expect_err("a message that is too large ends it");
    ensure!(format!("{gone:#}").contains("too large"), "{gone:#}");
    hall.relay.check()
}

/// Everybody may look; only those at the machine may touch; and no page of a stranger may do either.
#[test]
fn who_may_touch_is_a_setting() -> Result<()> {
    let through_proxy = [("x-forwarded-for", "203.0.113.9")];
    let Some(hall) = Hall::open(&["--virtual-board=local"])? else { return Ok(()) };
    let mut window = Window::open_with(hall.relay.address(), &through_proxy)?;
    ensure!(window.state["touch"] == false, "{}", window.state);
    window.lift("e2")?;
    window.until("a complaint", |window| !window.errors.is_empty())?;
    ensure!(window.errors == ["only somebody at the machine of this board may touch it"], "{:?}", window.errors);
    ensure!(window.at("e2") == 'P', "{}", window.wood);
    let stranger = Window::open_with(hall.relay.address(), &[("origin", "https://evil.example")]);
    ensure!(stranger.is_err_and(|error| error.to_string().contains("403")), "a stranger's page was let in");

    let Some(hall) = Hall::open(&["--virtual-board=all"])? else { return Ok(()) };
    let mut window = Window::open_with(hall.relay.address(), &through_proxy)?;
    window.lift("e2")?;
    window.until("the pawn in the hand", |window| window.at("e2") == '.')?;

    let Some(hall) = Hall::open(&["--virtual-board=off"])? else { return Ok(()) };
    ensure!(Window::open(hall.relay.address()).is_err(), "there should be no board");
    ensure!(hall.ask("/boards")? == json!({ "boards": [] }), "{}", hall.ask("/boards")?);
    Ok(())
}
