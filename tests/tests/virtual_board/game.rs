use anyhow::{Result, ensure};
use serde_json::json;

use crate::hall::Hall;
use crate::window::Window;

/// Captures, a promotion, a network plug that is pulled and a power cut in mid-move: nothing is lost, and nothing comes twice.
#[test]
fn a_game_goes_on_through_pulled_plugs() -> Result<()> {
    let Some(mut hall) = Hall::open(&["--virtual-board=local"])? else { return Ok(()) };
    let (mut window, mut guest, code) = hall.seat_guest()?;
    window.carry("e2e4")?;
    guest.hear_ply(1)?;
    guest.play("d7d5", 1)?;
    window.until_lit(&["d7", "d5"])?;
    window.carry("d7d5")?;
    window.until_settled()?;
    window.carry("e4d5")?;
    guest.hear_ply(3)?;
    window.until("what was taken beside the board", |window| window.wood["beside"] == "p")?;

    // Without a cable neither side hears of the other, and both play on.
    window.touch(&json!({ "type": "network", "plugged": false }))?;
    window.until("the plug out", |window| window.state["network"] == false)?;
    guest.play("c7c6", 3)?;
    guest.hear_ply(4)?;
    window.touch(&json!({ "type": "network", "plugged": true }))?;
    window.until_lit(&["c7", "c6"])?;
    window.carry("c7c6")?;
    window.until_settled()?;
    window.touch(&json!({ "type": "network", "plugged": false }))?;
    window.carry("d5c6")?;
    window.until_ply(5)?;
    ensure!(hall.moves(&code)?.len() == 4, "the cable is out, and the move is only here");
    window.touch(&json!({ "type": "network", "plugged": true }))?;
    guest.hear_ply(5)?;

    // The power goes while a piece is in the air.
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
    guest.hear_ply(7)?;
    guest.play("b8d7", 7)?;
    window.until_lit(&["b8", "d7"])?;
    window.carry("b8d7")?;
    window.until_settled()?;

    // A pawn takes and becomes a queen, which is put where the pawn has come to.
    window.carry("b7a8")?;
    window.until("the choice", |window| {
        window.state["sentence"].as_str().is_some_and(|words| words.contains("what the pawn becomes"))
    })?;
    window.take_off("a8")?;
    window.touch(&json!({ "type": "take", "piece": "Q" }))?;
    window.put("a8")?;
    let state = guest.hear_ply(9)?;
    ensure!(state["last_move"]["san"] == "bxa8=Q", "{state}");
    window.until_settled()?;
    ensure!(window.state["mistaken"].is_null() && window.at("a8") == 'Q', "{} {}", window.state, window.wood);

    let expected = ["e2e4", "d7d5", "e4d5", "c7c6", "d5c6", "g8f6", "c6b7", "b8d7", "b7a8q"];
    ensure!(hall.moves(&code)? == expected, "{:?}", hall.moves(&code)?);
    ensure!(window.errors.is_empty(), "{:?}", window.errors);
    hall.relay.check()
}

/// The relay is killed in mid-game: it comes back with its board, and the board with its game and its pieces.
#[test]
fn a_game_goes_on_when_the_relay_is_killed() -> Result<()> {
    let Some(mut hall) = Hall::open(&["--virtual-board=local"])? else { return Ok(()) };
    let (mut window, mut guest, code) = hall.seat_guest()?;
    window.carry("g1f3")?;
    guest.hear_ply(1)?;
    guest.play("g8f6", 1)?;
    window.until_lit(&["g8", "f6"])?;

    hall.relay.restart()?;
    guest.come_back()?;
    let mut window = Window::open(hall.relay.address())?;
    window.until("the game", |window| window.state["plies"] == 2 && window.state["online"] == true)?;
    ensure!(window.state["code"] == code.as_str(), "the board has another code: {}", window.state);
    ensure!(window.at("f3") == 'N', "{}", window.wood);
    // The process was killed, so the pieces stand as the board knows them: maybe with the last move made.
    if window.at("g8") == 'n' {
        window.carry("g8f6")?;
    }
    window.until_settled()?;
    window.carry("f3e5")?;
    guest.hear_ply(3)?;
    ensure!(hall.moves(&code)? == ["g1f3", "g8f6", "f3e5"], "{:?}", hall.moves(&code)?);
    hall.relay.check()
}
