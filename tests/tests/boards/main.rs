//! Wooden boards at real relays: against somebody in a browser and against each other, through one relay and through two on
//! one Redis, while relays are killed and cables are pulled.
//!
//! The boards have the mind of the firmware and no wood (`tests::wood`). Everybody is held against everybody after each move
//! (`bout.rs`), and against the store at the end.

#![cfg(unix)]

mod bout;
mod guest;

use std::net::SocketAddr;

use anyhow::{Context, Result, ensure};
use chess::Color;
use tests::parts;
use tests::proxy::{Proxy, Weather};
use tests::redis::{Folder, Redis};
use tests::relay::{Keeping, Relay};
use tests::stroll::next_number;
use tests::wood::Wood;
use wire::link::Goodbye;

use bout::{Bout, Player};
use guest::Guest;

/// A board that is paired.
struct Pairing {
    key: [u8; 32],
    code: String,
}

fn pair(relay: &Relay, name: &str) -> Result<Pairing> {
    let added: serde_json::Value = serde_json::from_str(&relay.command(&["boards", "add", name, "--json"])?)?;
    let digits = added["key"].as_str().context("a board has a key")?;
    let byte = |at: usize| u8::from_str_radix(digits.get(at..at + 2).unwrap_or_default(), 16);
    let bytes = (0..digits.len()).step_by(2).map(byte).collect::<Result<Vec<u8>, _>>()?;
    let key = bytes.try_into().ok().context("a key has 32 bytes")?;
    Ok(Pairing { key, code: added["code"].as_str().context("a board has a code")?.to_owned() })
}

/// A board, and somebody who has heard its code.
async fn board_and_guest(relay: &Relay, board_at: &[SocketAddr], guest_at: &[SocketAddr]) -> Result<Bout> {
    let Pairing { key, code } = pair(relay, "Kitchen")?;
    let mut wood = Wood::new(key, board_at, 3);
    wood.until("the board is there", Wood::is_online).await?;
    let guest = Guest::new(&code, guest_at);
    Bout::begin(&code, [Player::Board(Box::new(wood)), Player::Guest(guest)]).await
}

/// Two boards that have been asked to play each other.
async fn two_boards(relay: &Relay, at: [&[SocketAddr]; 2]) -> Result<Bout> {
    let mut boards = Vec::new();
    for (name, at, seed) in [("Kitchen", at[0], 3), ("Attic", at[1], 4)] {
        let mut wood = Wood::new(pair(relay, name)?.key, at, seed);
        wood.until("the board is there", Wood::is_online).await?;
        boards.push(Player::Board(Box::new(wood)));
    }
    let said = relay.command(&["boards", "play", "Kitchen", "Attic", "--clock", "60+0"])?;
    let code = said.trim_end_matches('.').rsplit(' ').next().unwrap_or_default().to_owned();
    let players = boards.try_into().ok().context("there are two")?;
    Bout::begin(&code, players).await
}

fn embedded(folder: &Folder) -> Result<Option<Relay>> {
    Relay::start(Keeping::Folder(folder.path().join("data")), &[])
}

/// Two relays on a Redis.
fn shared() -> Result<Option<(Redis, [Relay; 2])>> {
    if !parts::redis_server() {
        return Ok(None);
    }
    let redis = Redis::start()?;
    let start = || Relay::start(Keeping::Redis(redis.port()), &[]);
    let (Some(one), Some(other)) = (start()?, start()?) else { return Ok(None) };
    Ok(Some((redis, [one, other])))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_board_and_a_guest_play_through_a_restart_of_the_relay() -> Result<()> {
    let folder = Folder::new()?;
    let Some(mut relay) = embedded(&folder)? else { return Ok(()) };
    let at = [relay.address()];
    let mut bout = board_and_guest(&relay, &at, &at).await?;
    bout.go_on(6).await?;
    relay.kill9()?;
    relay.restart()?;
    bout.go_on(6).await?;
    // The board restarts, too.
    bout.players[0].board().restart();
    bout.go_on(6).await?;
    bout.check(&relay).await?;
    bout.players[1].guest().resign().await?;
    bout.until("both know the end", |players| match players {
        [Player::Board(wood), Player::Guest(guest)] => {
            let won = wood.game().and_then(chess::Game::outcome).and_then(chess::Outcome::winner);
            won == Some(Color::White) && guest.result().is_some_and(|end| end["reason"] == "resignation")
        }
        _ => false,
    })
    .await?;
    // It all shows in the figures.
    let at_least = [("tabiya_rooms", "", 1.0), ("tabiya_connections", "board", 1.0), ("tabiya_moves_total", "", 6.0)];
    let ended = ("tabiya_games_ended_total", "resignation", 1.0);
    for (name, label, least) in at_least.into_iter().chain([ended, ("tabiya_move_told_seconds_count", "", 6.0)]) {
        let figure = relay.figure(name, label).await?;
        ensure!(figure >= least, "{name} is {figure}");
    }
    // The pieces are set up, and the next one may come.
    bout.players[0].board().set_up();
    let listed = relay.command(&["boards", "list"])?;
    ensure!(listed.contains("Kitchen"), "{listed}");
    relay.check()
}

#[tokio::test(flavor = "multi_thread")]
async fn two_boards_play_through_a_restart_of_the_relay() -> Result<()> {
    let folder = Folder::new()?;
    let Some(mut relay) = embedded(&folder)? else { return Ok(()) };
    let at = [relay.address()];
    let mut bout = two_boards(&relay, [&at, &at]).await?;
    bout.go_on(6).await?;
    relay.kill9()?;
    // Moves that are made meanwhile are told afterwards.
    relay.restart()?;
    bout.go_on(6).await?;
    bout.players[1].board().restart();
    bout.go_on(6).await?;
    bout.check(&relay).await?;
    relay.check()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_board_goes_to_another_relay_when_its_own_is_killed() -> Result<()> {
    let Some((_redis, mut relays)) = shared()? else { return Ok(()) };
    let [one, other] = relays.each_ref().map(Relay::address);
    let mut bout = board_and_guest(&relays[0], &[one, other], &[other, one]).await?;
    bout.go_on(6).await?;
    relays[0].kill9()?;
    bout.go_on(6).await?;
    relays[0].restart()?;
    // Now it is the other one.
    relays[1].kill9()?;
    bout.go_on(6).await?;
    relays[1].restart()?;
    bout.players[0].board().move_to(&[other]);
    bout.players[0].board().pull_cable();
    bout.players[1].guest().move_to(&[one]);
    bout.go_on(6).await?;
    for relay in &mut relays {
        bout.check(relay).await?;
        relay.check()?;
    }
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn two_boards_on_two_relays_play_each_other() -> Result<()> {
    let Some((_redis, mut relays)) = shared()? else { return Ok(()) };
    let [one, other] = relays.each_ref().map(Relay::address);
    let mut bout = two_boards(&relays[0], [&[one, other], &[other, one]]).await?;
    bout.go_on(6).await?;
    for victim in [0, 1] {
        relays[victim].kill9()?;
        bout.go_on(4).await?;
        bout.players[victim].board().restart();
        relays[victim].restart()?;
        bout.go_on(4).await?;
    }
    // They change places.
    for (player, at) in [(0, other), (1, one)] {
        let board = bout.players[player].board();
        board.move_to(&[at]);
        board.pull_cable();
    }
    bout.go_on(6).await?;
    for relay in &mut relays {
        bout.check(relay).await?;
        relay.check()?;
    }
    Ok(())
}

/// The cable is pulled so that the first relay does not notice, and goes on believing that the board is there.
#[tokio::test(flavor = "multi_thread")]
async fn a_relay_that_a_board_has_left_without_a_word_does_not_disturb_it() -> Result<()> {
    let Some((_redis, mut relays)) = shared()? else { return Ok(()) };
    let [one, other] = relays.each_ref().map(Relay::address);
    let proxy = Proxy::start(one).await?;
    let mut bout = board_and_guest(&relays[0], &[proxy.address()], &[one]).await?;
    bout.go_on(5).await?;
    proxy.set(Weather::SILENT);
    let board = bout.players[0].board();
    board.move_to(&[other]);
    board.pull_cable();
    bout.go_on(5).await?;
    // What the first one has had to say all the time arrives nowhere.
    proxy.set(Weather::FINE);
    bout.go_on(6).await?;
    // Back to where it came from, while the second one believes that it is there.
    let board = bout.players[0].board();
    board.move_to(&[one]);
    board.pull_cable();
    bout.go_on(6).await?;
    ensure!(!bout.players[0].board().goodbyes().contains(&Goodbye::Unpaired));
    for relay in &mut relays {
        bout.check(relay).await?;
        relay.check()?;
    }
    Ok(())
}

/// Before each move something happens to somebody: a cable is pulled or only dead, a plug is pulled, a relay is killed.
#[tokio::test(flavor = "multi_thread")]
async fn boards_wander_between_relays() -> Result<()> {
    let Some((_redis, mut relays)) = shared()? else { return Ok(()) };
    let addresses = relays.each_ref().map(Relay::address);
    // Each board has a line of its own to each relay.
    let mut lines = Vec::new();
    for _ in 0..2 {
        lines.push([Proxy::start(addresses[0]).await?, Proxy::start(addresses[1]).await?]);
    }
    let ways: Vec<[SocketAddr; 2]> = lines.iter().map(|lines| lines.each_ref().map(Proxy::address)).collect();
    let mut bout = two_boards(&relays[0], [&ways[0], &ways[1]]).await?;
    let mut seed = 11;
    for _ in 0..40 {
        let number = next_number(&mut seed);
        let (board, relay) = (number as usize % 2, number as usize / 2 % 2);
        match number / 4 % 6 {
            // The relay does not notice that the board has gone.
            0 => {
                lines[board][relay].set(Weather::FINE);
                lines[board][1 - relay].set(Weather::SILENT);
                bout.players[board].board().move_to(&[ways[board][relay]]);
                bout.players[board].board().pull_cable();
            }
            1 => {
                for line in &lines[board] {
                    line.set(Weather::FINE);
                }
                bout.players[board].board().move_to(&[ways[board][relay], ways[board][1 - relay]]);
            }
            2 => lines[board][relay].cut(),
            3 => bout.players[board].board().restart(),
            4 => {
                relays[relay].kill9()?;
                relays[relay].restart()?;
            }
            _ => {}
        }
        bout.go_on(1).await?;
    }
    for relay in &mut relays {
        bout.check(relay).await?;
        relay.check()?;
    }
    Ok(())
}
