//! Genomes and presets over HTTP, on both stores, and a game with them.

mod game;

use std::net::SocketAddr;

use anyhow::{Context, Result, ensure};
use tests::parts;
use tests::redis::Redis;
use tests::relay::{HttpResponse, RelayProcess, StoreLocation, get, post};
use tests::temp_dir::TempDir;

use tests::genome_text::{colliding_dna, colliding_pairs, decipher, encipher, hash};

/// The built-in rook, and its name in the original game.
const ROOK: (&str, &str) = ("veza", "AHHHSHHAACHACHACHAHHASASAAAAAAAAA");

const STEPPER: &str = "AHHHSHHSHCHACHACHAHHASAS";

async fn store(relay: SocketAddr, kind: &str, text: &str) -> Result<HttpResponse> {
    post(relay, &format!("/{kind}/{}", hash(text)), "", &encipher(text)).await
}

/// The plain text that is stored under a hash.
async fn load(relay: SocketAddr, kind: &str, hash: &str) -> Result<String> {
    let answer = get(relay, &format!("/{kind}/{hash}")).await?;
    ensure!(answer.status == 200, "{}: {}", answer.status, answer.text());
    Ok(decipher(answer.text()))
}

/// Texts are written through one relay and read through another on the same store, or after a restart.
async fn stores_and_loads(writer: SocketAddr, reader: SocketAddr) -> Result<()> {
    let answer = store(writer, "genome", STEPPER).await?;
    ensure!((answer.status, answer.text()) == (201, &*format!("{}\n", hash(STEPPER))), "{answer:?}");
    ensure!(store(writer, "genome", STEPPER).await?.status == 200, "writing it again changes nothing");
    ensure!(load(reader, "genome", &hash(STEPPER)).await? == STEPPER);

    let preset = format!("{}-{}", hash(STEPPER), hash(ROOK.1));
    ensure!(store(reader, "preset", &preset).await?.status == 201);
    ensure!(load(writer, "preset", &hash(&preset)).await? == preset);
    ensure!(get(writer, &format!("/genome/{}", hash(&preset))).await?.status == 404, "kinds are apart");

    let [first, second] = colliding_dna();
    ensure!(store(writer, "genome", &first).await?.status == 201);
    let refused = store(reader, "genome", &second).await?;
    ensure!(refused.status == 409 && refused.text().contains("was stored first"), "{refused:?}");
    ensure!(load(reader, "genome", &hash(&second)).await? == first, "the first write wins");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn the_embedded_store_keeps_texts_over_a_restart() -> Result<()> {
    let folder = TempDir::new()?;
    let location = StoreLocation::Folder(folder.path().join("data"));
    let Some(mut relay) = RelayProcess::start(location, &[])? else { return Ok(()) };
    let address = relay.address();
    stores_and_loads(address, address).await?;
    relay.kill9()?;
    relay.restart()?;
    ensure!(load(relay.address(), "genome", &hash(STEPPER)).await? == STEPPER);
    relay.check()
}

#[tokio::test(flavor = "multi_thread")]
async fn relays_on_one_redis_share_texts() -> Result<()> {
    if !parts::redis_server() {
        return Ok(());
    }
    let redis = Redis::start()?;
    let relays = [(), ()].map(|()| RelayProcess::start(StoreLocation::Redis(redis.port()), &[]));
    let [Some(mut one), Some(mut other)] = relays.map(|relay| relay.expect("it starts")) else { return Ok(()) };
    stores_and_loads(one.address(), other.address()).await?;
    one.check()?;
    other.check()
}

#[tokio::test(flavor = "multi_thread")]
async fn of_two_texts_that_are_written_at_once_one_is_stored() -> Result<()> {
    if !parts::redis_server() {
        return Ok(());
    }
    let redis = Redis::start()?;
    let options = ["--joins-per-minute=0"];
    let relays = [(), ()].map(|()| RelayProcess::start(StoreLocation::Redis(redis.port()), &options));
    let [Some(mut one), Some(mut other)] = relays.map(|relay| relay.expect("it starts")) else { return Ok(()) };
    let mut winners = [0; 2];
    for [first, second] in colliding_pairs().take(50) {
        let answers =
            tokio::try_join!(store(one.address(), "genome", &first), store(other.address(), "genome", &second))?;
        let statuses = [answers.0.status, answers.1.status];
        let winner = usize::from(statuses[1] == 201);
        winners[winner] += 1;
        ensure!(statuses[winner] == 201 && statuses[1 - winner] == 409, "{statuses:?}");
        let stored = if winner == 0 { &first } else { &second };
        for relay in [one.address(), other.address()] {
            ensure!(load(relay, "genome", &hash(&first)).await? == *stored);
        }
    }
    ensure!(winners.iter().sum::<u32>() == 50, "{winners:?}");
    one.check()?;
    other.check()
}

#[tokio::test(flavor = "multi_thread")]
async fn built_in_pieces_and_the_default_preset_are_there_from_the_start() -> Result<()> {
    let folder = TempDir::new()?;
    let Some(mut relay) = RelayProcess::start(StoreLocation::Folder(folder.path().join("data")), &[])? else {
        return Ok(());
    };
    let address = relay.address();
    for name in ["veza", "kon", "strelec", "kral", "kralovna", "pesiak"] {
        let dna = load(address, "genome", name).await?;
        ensure!(load(address, "genome", &hash(&dna)).await? == dna, "{name} has a hash, too");
        ensure!(store(address, "genome", &dna).await?.status == 200);
    }
    ensure!(load(address, "genome", ROOK.0).await? == ROOK.1);
    let preset = load(address, "preset", "default").await?;
    ensure!(load(address, "preset", &hash(&preset)).await? == preset);
    let rook = hash(ROOK.1);
    ensure!(preset.starts_with(&rook) && preset.ends_with(&rook) && preset.split('-').count() == 8, "{preset}");
    for hash in preset.split('-') {
        load(address, "genome", hash).await.with_context(|| hash.to_owned())?;
    }
    relay.check()
}

#[tokio::test(flavor = "multi_thread")]
async fn refuses_a_body_with_the_reason() -> Result<()> {
    let folder = TempDir::new()?;
    let Some(mut relay) = RelayProcess::start(StoreLocation::Folder(folder.path().join("data")), &[])? else {
        return Ok(());
    };
    let address = relay.address();
    let long = "AHHHSHHSHCHACHACHAHHA".repeat(24);
    let invalid = "AHHHSHHSHCHACHACHAHHASAX";
    for (path, body, status, reason) in [
        (format!("/genome/{}", hash(ROOK.1)), encipher(STEPPER), 422, "deciphers to a text with the hash"),
        (format!("/genome/{}", hash(STEPPER)), "A+B".to_owned(), 400, "character 2: '+' is none of"),
        (format!("/genome/{}", hash(invalid)), encipher(invalid), 422, "character 24: 'X' is not a letter of DNA"),
        (format!("/preset/{}", hash(STEPPER)), encipher(STEPPER), 422, "piece 1: a hash is six digits"),
        (format!("/genome/{}", hash(&long)), encipher(&long), 413, "at most 500 letters"),
        (format!("/genome/{}", hash(STEPPER)), "A".repeat(100_000), 413, "at most 500 letters"),
        ("/genome/veza".to_owned(), encipher(ROOK.1), 400, "a hash is six digits of 0-9 and a-f"),
        ("/genome/ABCDEF".to_owned(), encipher(ROOK.1), 400, "a hash is six digits of 0-9 and a-f"),
    ] {
        let answer = post(address, &path, "", &body).await?;
        ensure!(
            answer.status == status && answer.text().contains(reason),
            "{path}: {} {}",
            answer.status,
            answer.text()
        );
    }
    ensure!(get(address, "/genome/000000").await?.status == 404);
    ensure!(get(address, "/preset/nothing").await?.status == 404);
    relay.check()
}

#[tokio::test(flavor = "multi_thread")]
async fn limits_the_rate_of_new_texts_per_address() -> Result<()> {
    let folder = TempDir::new()?;
    let location = StoreLocation::Folder(folder.path().join("data"));
    let Some(mut relay) = RelayProcess::start(location, &["--joins-per-minute=2"])? else { return Ok(()) };
    let address = relay.address();
    let texts = ["SAS", "SAC", "CAS"].map(|step| format!("AHHHSHHSHCHACHACHAHHA{step}"));
    for text in &texts[..2] {
        ensure!(store(address, "genome", text).await?.status == 201);
    }
    let refused = store(address, "genome", &texts[2]).await?;
    ensure!(refused.status == 429 && refused.head.to_lowercase().contains("retry-after"), "{refused:?}");
    ensure!(store(address, "genome", &texts[0]).await?.status == 200, "a known text is not limited");
    relay.check()
}
