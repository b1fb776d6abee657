//! Measures the engine on the host: speed, tactics and strength. `cargo xtask bench engine` runs it.

mod arena;
mod openings;
mod player;
mod selfplay;
mod speed;
mod tactics;

use anyhow::{Context, Result, bail};

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["selfplay", games, nodes, seed] => selfplay::run(games.parse()?, nodes.parse()?, seed.parse()?),
        ["match", one, other, games] => {
            let results = arena::play(one, other, games.parse().context("number of games")?)?;
            println!("{}", results.json());
            Ok(())
        }
        ["speed"] => {
            println!("{}", speed::run()?);
            Ok(())
        }
        ["tactics", nodes] => {
            println!("{}", tactics::run(nodes.parse().context("number of nodes")?)?);
            Ok(())
        }
        _ => bail!("usage: engine-host selfplay GAMES NODES SEED | match PLAYER PLAYER GAMES | speed | tactics NODES"),
    }
}
