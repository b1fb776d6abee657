//! Measures the memory of games in Redis and the growth of its append-only file, for docs/operations.md.
//!
//! ```text
//! cargo run --release --package tests --example redis-size [games] [plies]
//! ```

use std::env;
use std::sync::Arc;

use anyhow::{Context, Result, anyhow};
use chess::Position;
use host_server::relay::{Claim, Relay, RoomHandle, SeatRequest};
use host_server::room::{Act, Participant, SideChoice, Terms};
use host_server::store::redis::{Redis as Store, RedisSettings};
use rules::Ply;
use tests::random::Random;
use tests::random_moves;
use tests::redis::Redis;

/// Number of games in parallel.
const AT_ONCE: usize = 50;

#[tokio::main]
async fn main() -> Result<()> {
    let mut numbers = env::args().skip(1).map(|text| text.parse::<usize>());
    let games = numbers.next().transpose()?.unwrap_or(1_000);
    let plies = numbers.next().transpose()?.unwrap_or(80);
    let redis = Redis::start()?;
    let settings = RedisSettings { port: redis.port(), ..RedisSettings::default() };
    let relay = Relay::new(Arc::new(Store::connect(&settings).await?));
    relay.live().await.map_err(|error| anyhow!("{error}"))?;
    let empty = Size::of(&redis)?;
    let mut tables = Vec::new();
    for number in 0..games {
        let code = format!("{number:010}").parse().map_err(|error| anyhow!("{error}"))?;
        let mut table = Vec::new();
        for name in ["Anderssen", "Kieseritzky"] {
            let participant = Participant::new(name.parse().map_err(|error| anyhow!("{error}"))?);
            let claim = Claim::Play(SeatRequest::new(SideChoice::First));
            table.push(relay.enter(&code, participant, claim, Some(&Terms::default())).await?);
        }
        tables.push(table);
    }
    let open = Size::of(&redis)?;
    for tables in tables.chunks(AT_ONCE) {
        let played = tables.iter().enumerate().map(|(seed, table)| play(table, plies, seed as u64));
        futures_util::future::try_join_all(played).await?;
    }
    let played = Size::of(&redis)?;
    for table in &tables {
        table.first().context("there is White")?.act(Act::Resign).await?;
        for player in table {
            player.act(Act::Leave).await?;
        }
    }
    drop(tables);
    let over = Size::of(&redis)?;
    let per = |bytes: u64, count: usize| bytes / count.max(1) as u64;
    println!("{games} games of {plies} plies, Redis {}", redis.cli(&["info", "server"])?.lines().nth(1).unwrap_or(""));
    println!("memory of a game that has just begun: {} bytes", per(open.memory - empty.memory, games));
    println!("memory of a game in play after {plies} plies: {} bytes", per(played.memory - empty.memory, games));
    println!("memory of a finished game: {} bytes", per(over.memory - empty.memory, games));
    println!("append-only file for a game that begins: {} bytes", per(open.file - empty.file, games));
    println!("append-only file for a move: {} bytes", per(played.file - open.file, games * plies));
    println!("append-only file for a game that ends: {} bytes", per(over.file - played.file, games));
    let claim = redis.cli(&["get", "tabiya:code:0000000000"])?;
    let room = claim.rsplit(' ').next().unwrap_or_default();
    for key in ["code:0000000000".to_owned(), format!("{{{room}}}:log"), format!("{{{room}}}:state")] {
        let size = redis.cli(&["memory", "usage", &format!("tabiya:{key}"), "samples", "0"])?;
        println!("the first game, {key}: {size} bytes");
    }
    Ok(())
}

/// Memory and file size of a Redis, in bytes.
struct Size {
    memory: u64,
    file: u64,
}

impl Size {
    fn of(redis: &Redis) -> Result<Self> {
        let figure = |section: &str, name: &str| -> Result<u64> {
            let info = redis.cli(&["info", section])?;
            let line =
                info.lines().find_map(|line| line.trim().strip_prefix(name)?.strip_prefix(':')).map(str::to_owned);
            Ok(line.with_context(|| format!("Redis does not say {name}"))?.parse()?)
        };
        Ok(Self { memory: figure("memory", "used_memory")?, file: figure("persistence", "aof_current_size")? })
    }
}

async fn play(players: &[RoomHandle], plies: usize, seed: u64) -> Result<()> {
    let mut random = Random::new(seed);
    let mut position = Position::start();
    for number in 0..plies {
        let mv = random_moves::next_move(&position, &mut random).context("the game is over")?;
        position = position.play(mv).ok().context("the move is legal")?;
        let mover = players.get(number % 2).context("there are two")?;
        mover.act(Act::Move { ply: Ply::of_move(mv), number: Some(number) }).await?;
    }
    Ok(())
}
