//! The examples in docs/protocol.md are true: each block marked `players` is played against a relay.
//!
//! A line is `name connects to path`, `name connects to path with the token token`, `name sends text`, `name receives json`,
//! `name disconnects`, `name is closed with code`, or `name is refused at path with status json`. A long message continues in lines that begin with
//! a space.

use std::collections::HashMap;

use tests::json_client::UpgradeRefused;

use crate::client::ChessataClient;
use crate::in_process_relay::InProcessRelay;
use crate::json::Json;

const DOCUMENT: &str = include_str!("../../../docs/protocol.md");

fn blocks() -> impl Iterator<Item = Vec<String>> {
    DOCUMENT.split("\n```players\n").skip(1).map(|rest| {
        let (block, _) = rest.split_once("\n```\n").expect("a block that ends");
        let mut lines: Vec<String> = Vec::new();
        for line in block.lines() {
            match lines.last_mut() {
                Some(last) if line.starts_with(' ') => last.push_str(line.trim_start()),
                _ => lines.push(line.to_owned()),
            }
        }
        lines
    })
}

#[tokio::test]
async fn every_documented_example_is_true() {
    let mut count = 0;
    for block in blocks() {
        play(&block).await;
        count += 1;
    }
    assert!(count >= 5, "{count} examples");
}

async fn play(block: &[String]) {
    let relay = InProcessRelay::with_long_grace();
    let mut clients: HashMap<String, ChessataClient> = HashMap::new();
    let mut known = HashMap::new();
    for line in block {
        println!("{line}");
        let (name, rest) = line.split_once(' ').expect(line);
        if let Some(path) = rest.strip_prefix("connects to ") {
            clients.insert(name.to_owned(), try_connect(&relay, &filled(path, &known)).await.expect(line));
        } else if let Some(rest) = rest.strip_prefix("is refused at ") {
            let (head, error) = rest.split_once(" {").expect(line);
            let (path, status) = head.rsplit_once(" with ").expect(line);
            let error = format!("{{{error}");
            let Err(refused) = try_connect(&relay, &filled(path, &known)).await else { panic!("let in: {line}") };
            assert_eq!(refused.status.to_string(), status);
            assert_eq!(refused.error, serde_json::from_str::<serde_json::Value>(&error).expect(line));
        } else if rest == "disconnects" {
            clients.remove(name).expect(line).close().await;
        } else if let Some(code) = rest.strip_prefix("is closed with ") {
            clients.remove(name).expect(line).expect_close(code.parse().expect(line)).await;
        } else {
            let client = clients.get_mut(name).unwrap_or_else(|| panic!("no client has this name: {line}"));
            if let Some(text) = rest.strip_prefix("sends ") {
                client.send_text(text).await;
            } else if let Some(expected) = rest.strip_prefix("receives ") {
                let received = client.receive_text().await;
                let fits = Json::read(&received).fits(&Json::read(expected), &mut known);
                assert!(fits, "{name} receives {received}\nand not   {expected}\nwith {known:?}");
            } else {
                panic!("no such action: {line}");
            }
        }
    }
    for (name, client) in &mut clients {
        println!("{name} receives nothing more");
        client.expect_silence().await;
    }
}

async fn try_connect(relay: &InProcessRelay, words: &str) -> Result<ChessataClient, UpgradeRefused> {
    match words.split_once(" with the token ") {
        Some((path, token)) => relay.try_client_with_token(path, token).await,
        None => relay.try_client(words).await,
    }
}

/// Replaces the known placeholders of a text.
fn filled(text: &str, known: &HashMap<String, String>) -> String {
    known.iter().fold(text.to_owned(), |text, (name, value)| text.replace(name, value))
}
