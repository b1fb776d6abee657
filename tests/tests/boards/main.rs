//! Simulated boards at relay processes: against a JSON client and against each other, through one relay and through two on
//! one Redis, while relays are killed and cables are pulled.
//!
//! The boards run the core of the firmware (`tests::simulated_board`). Both players are compared after each move
//! (`board_match.rs`), and with the store at the end.

#![cfg(unix)]

mod board_match;
mod breakthrough;
mod other_rules;
mod reconnecting_player;
mod scripts;

use std::net::SocketAddr;

use anyhow::{Context, Result, ensure};
use chess::Color;
use tests::json_client::{JsonClient, UpgradeRefused};
use tests::parts;
use tests::proxy::{NetworkFaults, Proxy};
use tests::random::Random;
use tests::redis::Redis;
use tests::relay::{RelayProcess, StoreLocation};
use tests::simulated_board::SimulatedBoard;
use tests::temp_dir::TempDir;
use wire::link::Goodbye;

use board_match::{BoardMatch, Player};
use reconnecting_player::ReconnectingPlayer;

/// The pairing of a board.
struct Pairing {
    key: [u8; 32],
    code: String,
}

fn pair(relay: &RelayProcess, name: &str) -> Result<Pairing> {
    let added: serde_json::Value = serde_json::from_str(&relay.command(&["boards", "add", name, "--json"])?)?;
    let digits = added["key"].as_str().context("a board has a key")?;
    let byte = |at: usize| u8::from_str_radix(digits.get(at..at + 2).unwrap_or_default(), 16);
    let bytes = (0..digits.len()).step_by(2).map(byte).collect::<Result<Vec<u8>, _>>()?;
    let key = bytes.try_into().ok().context("a key has 32 bytes")?;
    Ok(Pairing { key, code: added["code"].as_str().context("a board has a code")?.to_owned() })
}

/// A board, and a client that joins with its code.
async fn board_and_client(
    relay: &RelayProcess,
    board_at: &[SocketAddr],
    guest_at: &[SocketAddr],
) -> Result<BoardMatch> {
    let Pairing { key, code } = pair(relay, "Kitchen")?;
    let mut board = SimulatedBoard::new(key, board_at, 3);
    board.until("the board is there", SimulatedBoard::is_online).await?;
    let guest = ReconnectingPlayer::new(&code, guest_at);
    BoardMatch::begin(&code, [Player::Board(Box::new(board)), Player::Client(guest)]).await
}

/// Two boards in a match against each other.
async fn two_boards(relay: &RelayProcess, at: [&[SocketAddr]; 2]) -> Result<BoardMatch> {
    let mut boards = Vec::new();
    for (name, at, seed) in [("Kitchen", at[0], 3), ("Attic", at[1], 4)] {
        let mut board = SimulatedBoard::new(pair(relay, name)?.key, at, seed);
        board.until("the board is there", SimulatedBoard::is_online).await?;
        boards.push(Player::Board(Box::new(board)));
    }
    let said = relay.command(&["boards", "play", "Kitchen", "Attic", "--clock", "60+0"])?;
    let code = said.trim_end_matches('.').rsplit(' ').next().unwrap_or_default().to_owned();
    let players = boards.try_into().ok().context("there are two")?;
    BoardMatch::begin(&code, players).await
}

fn embedded(folder: &TempDir) -> Result<Option<RelayProcess>> {
    RelayProcess::start(StoreLocation::Folder(folder.path().join("data")), &[])
}

/// Two relays on a Redis.
fn shared() -> Result<Option<(Redis, [RelayProcess; 2])>> {
    if !parts::redis_server() {
        return Ok(None);
    }
    let redis = Redis::start()?;
    let start = || RelayProcess::start(StoreLocation::Redis(redis.port()), &[]);
    let (Some(one), Some(other)) = (start()?, start()?) else { return Ok(None) };
    Ok(Some((redis, [one, other])))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_board_and_a_client_play_across_a_relay_restart() -> Result<()> {
    let folder = TempDir::new()?;
    let Some(mut relay) = embedded(&folder)? else { return Ok(()) };
    let at = [relay.address()];
    let mut board_match = Box::pin(board_and_client(&relay, &at, &at)).await?;
    board_match.go_on(6).await?;
    relay.kill9()?;
    relay.restart()?;
    board_match.go_on(6).await?;
    // The board restarts, too.
    board_match.players[0].board().restart();
    board_match.go_on(6).await?;
    board_match.check(&relay).await?;
    board_match.players[1].guest().resign().await?;
    board_match
        .until("both know the end", |players| match players {
            [Player::Board(board), Player::Client(guest)] => {
                let won = board.game().and_then(chess::Game::outcome).and_then(chess::Outcome::winner);
                won == Some(Color::White) && guest.result().is_some_and(|end| end["reason"] == "resignation")
            }
            _ => false,
        })
        .await?;
    // The metrics show it.
    let at_least = [("tabiya_rooms", "", 1.0), ("tabiya_connections", "board", 1.0), ("tabiya_moves_total", "", 6.0)];
    let ended = ("tabiya_games_ended_total", "resignation", 1.0);
    for (name, label, least) in at_least.into_iter().chain([ended, ("tabiya_move_delivered_seconds_count", "", 6.0)]) {
        let figure = relay.figure(name, label).await?;
        ensure!(figure >= least, "{name} is {figure}");
    }
    // After setting up the pieces the board is free again.
    board_match.players[0].board().set_up();
    let listed = relay.command(&["boards", "list"])?;
    ensure!(listed.contains("Kitchen"), "{listed}");
    relay.check()
}

/// A visitor who comes before the board gets an error, and does not take its code.
#[tokio::test(flavor = "multi_thread")]
async fn a_visitor_waits_for_a_board_that_is_not_connected() -> Result<()> {
    let folder = TempDir::new()?;
    let Some(mut relay) = embedded(&folder)? else { return Ok(()) };
    let Pairing { key, code } = pair(&relay, "Kitchen")?;
    let path = format!("/ws/api/Kitchen/{code}/");
    let refused = JsonClient::connect(relay.address(), &path).await.err().context("the code was opened")?;
    let refused = refused.downcast::<UpgradeRefused>()?;
    let is_explained = refused.error["message"] == "The board Kitchen is not connected. Its game opens when it is.";
    ensure!(refused.status == 503 && is_explained, "{refused}");
    let at = [relay.address()];
    let mut board = SimulatedBoard::new(key, &at, 3);
    board.until("the board is there", SimulatedBoard::is_online).await?;
    let guest = ReconnectingPlayer::new(&code, &at);
    let mut board_match = BoardMatch::begin(&code, [Player::Board(Box::new(board)), Player::Client(guest)]).await?;
    board_match.go_on(2).await?;
    relay.check()
}

#[tokio::test(flavor = "multi_thread")]
async fn two_boards_play_across_a_relay_restart() -> Result<()> {
    let folder = TempDir::new()?;
    let Some(mut relay) = embedded(&folder)? else { return Ok(()) };
    let at = [relay.address()];
    let mut board_match = two_boards(&relay, [&at, &at]).await?;
    board_match.go_on(6).await?;
    relay.kill9()?;
    // Moves made meanwhile are sent afterwards.
    relay.restart()?;
    board_match.go_on(6).await?;
    board_match.players[1].board().restart();
    board_match.go_on(6).await?;
    board_match.check(&relay).await?;
    relay.check()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_board_moves_to_another_relay_when_its_own_is_killed() -> Result<()> {
    let Some((_redis, mut relays)) = shared()? else { return Ok(()) };
    let [one, other] = relays.each_ref().map(RelayProcess::address);
    let mut board_match = Box::pin(board_and_client(&relays[0], &[one, other], &[other, one])).await?;
    board_match.go_on(6).await?;
    relays[0].kill9()?;
    board_match.go_on(6).await?;
    relays[0].restart()?;
    // Now the other relay is killed.
    relays[1].kill9()?;
    board_match.go_on(6).await?;
    relays[1].restart()?;
    board_match.players[0].board().move_to(&[other]);
    board_match.players[0].board().pull_cable();
    board_match.players[1].guest().move_to(&[one]);
    board_match.go_on(6).await?;
    for relay in &mut relays {
        board_match.check(relay).await?;
        relay.check()?;
    }
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn two_boards_play_through_two_relays() -> Result<()> {
    let Some((_redis, mut relays)) = shared()? else { return Ok(()) };
    let [one, other] = relays.each_ref().map(RelayProcess::address);
    let mut board_match = two_boards(&relays[0], [&[one, other], &[other, one]]).await?;
    board_match.go_on(6).await?;
    for victim in [0, 1] {
        relays[victim].kill9()?;
        board_match.go_on(4).await?;
        board_match.players[victim].board().restart();
        relays[victim].restart()?;
        board_match.go_on(4).await?;
    }
    // The boards swap relays.
    for (player, at) in [(0, other), (1, one)] {
        let board = board_match.players[player].board();
        board.move_to(&[at]);
        board.pull_cable();
    }
    board_match.go_on(6).await?;
    for relay in &mut relays {
        board_match.check(relay).await?;
        relay.check()?;
    }
    Ok(())
}

/// The first relay does not notice that the connection is dead, and still counts the board as online.
#[tokio::test(flavor = "multi_thread")]
async fn a_relay_with_a_dead_connection_does_not_disturb_the_board() -> Result<()> {
    let Some((_redis, mut relays)) = shared()? else { return Ok(()) };
    let [one, other] = relays.each_ref().map(RelayProcess::address);
    let proxy = Proxy::start(one).await?;
    let mut board_match = Box::pin(board_and_client(&relays[0], &[proxy.address()], &[one])).await?;
    board_match.go_on(5).await?;
    proxy.set(NetworkFaults::HELD);
    let board = board_match.players[0].board();
    board.move_to(&[other]);
    board.pull_cable();
    board_match.go_on(5).await?;
    // What the first relay sent meanwhile is lost.
    proxy.set(NetworkFaults::NONE);
    board_match.go_on(6).await?;
    // Back to the first relay, while the second one counts the board as online.
    let board = board_match.players[0].board();
    board.move_to(&[one]);
    board.pull_cable();
    board_match.go_on(6).await?;
    ensure!(!board_match.players[0].board().goodbyes().contains(&Goodbye::Unpaired));
    for relay in &mut relays {
        board_match.check(relay).await?;
        relay.check()?;
    }
    Ok(())
}

/// Before each move a random fault: a connection is cut or held, a board is restarted, a relay is killed.
#[tokio::test(flavor = "multi_thread")]
async fn boards_move_between_relays_under_random_faults() -> Result<()> {
    let Some((_redis, mut relays)) = shared()? else { return Ok(()) };
    let addresses = relays.each_ref().map(RelayProcess::address);
    // Each board has its own proxy to each relay.
    let mut lines = Vec::new();
    for _ in 0..2 {
        lines.push([Proxy::start(addresses[0]).await?, Proxy::start(addresses[1]).await?]);
    }
    let ways: Vec<[SocketAddr; 2]> = lines.iter().map(|lines| lines.each_ref().map(Proxy::address)).collect();
    let mut board_match = two_boards(&relays[0], [&ways[0], &ways[1]]).await?;
    let mut random = Random::new(11);
    for _ in 0..40 {
        let number = random.number();
        let (board, relay) = (number as usize % 2, number as usize / 2 % 2);
        match number / 4 % 6 {
            // The relay does not notice that the connection is dead.
            0 => {
                lines[board][relay].set(NetworkFaults::NONE);
                lines[board][1 - relay].set(NetworkFaults::HELD);
                board_match.players[board].board().move_to(&[ways[board][relay]]);
                board_match.players[board].board().pull_cable();
            }
            1 => {
                for line in &lines[board] {
                    line.set(NetworkFaults::NONE);
                }
                board_match.players[board].board().move_to(&[ways[board][relay], ways[board][1 - relay]]);
            }
            2 => lines[board][relay].cut(),
            3 => board_match.players[board].board().restart(),
            4 => {
                relays[relay].kill9()?;
                relays[relay].restart()?;
            }
            _ => {}
        }
        board_match.go_on(1).await?;
    }
    for relay in &mut relays {
        board_match.check(relay).await?;
        relay.check()?;
    }
    Ok(())
}
