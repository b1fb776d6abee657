use anyhow::{Result, ensure};
use serde_json::json;

use crate::fixture::VirtualBoardFixture;
use crate::panel_client::PanelClient;

/// Captures, a promotion, a network cut and a power cut during a move: no move is lost or repeated.
#[test]
fn a_game_continues_across_network_and_power_cuts() -> Result<()> {
    let Some(mut fixture) = VirtualBoardFixture::start(&["--virtual-board=local"])? else { return Ok(()) };
    let (mut window, mut guest, code) = fixture.start_game()?;
    window.carry("e2e4")?;
    guest.wait_for_ply(1)?;
    guest.play("d7d5", 1)?;
    window.until_lit(&["d7", "d5"])?;
    window.carry("d7d5")?;
    window.until_settled()?;
    window.carry("e4d5")?;
    guest.wait_for_ply(3)?;
    window.until("what was taken beside the board", |window| window.pieces["beside"] == "p")?;

    // Without a network connection both sides play on.
    window.touch(&json!({ "type": "network", "plugged": false }))?;
    window.until("the plug out", |window| window.state["network"] == false)?;
    guest.play("c7c6", 3)?;
    guest.wait_for_ply(4)?;
    window.touch(&json!({ "type": "network", "plugged": true }))?;
    window.until_lit(&["c7", "c6"])?;
    window.carry("c7c6")?;
    window.until_settled()?;
    window.touch(&json!({ "type": "network", "plugged": false }))?;
    window.carry("d5c6")?;
    window.until_ply(5)?;
    ensure!(fixture.moves(&code)?.len() == 4, "the cable is out, and the move is only here");
    window.touch(&json!({ "type": "network", "plugged": true }))?;
    guest.wait_for_ply(5)?;

    // A power cut while a piece is lifted.
    guest.play("g8f6", 5)?;
    window.until_lit(&["g8", "f6"])?;
    window.lift("g8")?;
    window.touch(&json!({ "type": "power", "plugged": false }))?;
    window.until("a dead board", |window| {
        window.state["power"] == false && window.state["sentence"].is_null() && window.lights == [[0; 3]; 64]
    })?;
    window.touch(&json!({ "type": "power", "plugged": true }))?;
    window.until("the game as it was", |window| window.state["plies"] == 6 && window.state["online"] == true)?;
    window.put("f6")?;
    window.until_settled()?;
    window.carry("c6b7")?;
    guest.wait_for_ply(7)?;
    guest.play("b8d7", 7)?;
    window.until_lit(&["b8", "d7"])?;
    window.carry("b8d7")?;
    window.until_settled()?;

    // A pawn captures and promotes to a queen, which replaces it on the board.
    window.carry("b7a8")?;
    window.until("the choice", |window| {
        window.state["sentence"].as_str().is_some_and(|words| words.contains("Choose the promotion"))
    })?;
    window.take_off("a8")?;
    window.touch(&json!({ "type": "take", "piece": "Q" }))?;
    window.put("a8")?;
    let state = guest.wait_for_ply(9)?;
    ensure!(state["last_move"]["san"] == "bxa8=Q", "{state}");
    window.until_settled()?;
    ensure!(window.state["mistaken"].is_null() && window.at("a8") == 'Q', "{} {}", window.state, window.pieces);

    let expected = ["e2e4", "d7d5", "e4d5", "c7c6", "d5c6", "g8f6", "c6b7", "b8d7", "b7a8q"];
    ensure!(fixture.moves(&code)? == expected, "{:?}", fixture.moves(&code)?);
    ensure!(window.errors.is_empty(), "{:?}", window.errors);
    fixture.relay.check()
}

/// The relay is killed in mid-game; afterwards its virtual board has its game and its pieces.
#[test]
fn a_game_continues_when_the_relay_is_killed() -> Result<()> {
    let Some(mut fixture) = VirtualBoardFixture::start(&["--virtual-board=local"])? else { return Ok(()) };
    let (mut window, mut guest, code) = fixture.start_game()?;
    window.carry("g1f3")?;
    guest.wait_for_ply(1)?;
    guest.play("g8f6", 1)?;
    window.until_lit(&["g8", "f6"])?;

    fixture.relay.restart()?;
    guest.rejoin()?;
    let mut window = PanelClient::open(fixture.relay.address())?;
    window.until("the game", |window| window.state["plies"] == 2 && window.state["online"] == true)?;
    ensure!(window.state["code"] == code.as_str(), "the board has another code: {}", window.state);
    ensure!(window.at("f3") == 'N', "{}", window.pieces);
    // After the kill, the pieces stand as in the board's journal: possibly with the last move made.
    if window.at("g8") == 'n' {
        window.carry("g8f6")?;
    }
    window.until_settled()?;
    window.carry("f3e5")?;
    guest.wait_for_ply(3)?;
    ensure!(fixture.moves(&code)? == ["g1f3", "g8f6", "f3e5"], "{:?}", fixture.moves(&code)?);
    fixture.relay.check()
}
