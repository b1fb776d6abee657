//! How much is too much, and what then.

use std::net::SocketAddr;

use anyhow::{Context, Result, ensure};
use serde_json::json;
use tests::redis::Folder;
use tests::relay::{Heard, Line, Refused, get, post};
use tokio_tungstenite::tungstenite::Message;

use crate::pair::Pair;

/// Why somebody was not let in.
async fn refusal(relay: SocketAddr, path: &str, origin: Option<&str>) -> Result<Refused> {
    let error = Line::connect_from(relay, path, origin).await.err().with_context(|| format!("let in at {path}"))?;
    error.downcast::<Refused>()
}

#[tokio::test(flavor = "multi_thread")]
async fn connections_are_counted_for_each_address() -> Result<()> {
    connections_are_counted("--max-connections-per-address=6").await
}

#[tokio::test(flavor = "multi_thread")]
async fn connections_are_counted_for_all_addresses_together() -> Result<()> {
    connections_are_counted("--max-connections=6").await
}

/// Six are let in, of whom two play; another one is, when one of them has gone.
async fn connections_are_counted(limit: &str) -> Result<()> {
    let folder = Folder::new()?;
    let Some(mut relay) = crate::relay(&folder, &[limit])? else { return Ok(()) };
    let mut pair = Pair::sit(relay.address(), "hall").await?;
    let mut lines = Vec::new();
    for number in 0..4 {
        let mut line = Line::connect(relay.address(), &format!("/ws/api/w{number}/hall/?watch=1")).await?;
        line.hear_until("game_state").await?;
        lines.push(line);
    }
    let refused = refusal(relay.address(), "/ws/api/one/hall/?watch=1", None).await?;
    ensure!(refused.status == 429 && refused.retry_after.is_some(), "{refused:?}");
    pair.play(4).await?;
    lines.pop();
    // It is gone as soon as the relay has noticed.
    let mut again = None;
    for _ in 0..200 {
        again = Line::connect(relay.address(), "/ws/api/one/hall/?watch=1").await.ok();
        if again.is_some() {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    again.context("nobody is let in although somebody has left")?;
    pair.play(4).await?;
    relay.check()
}

#[tokio::test(flavor = "multi_thread")]
async fn new_connections_and_requests_are_counted_for_each_address() -> Result<()> {
    for limit in ["--connections-per-minute=8", "--requests-per-minute=8"] {
        let folder = Folder::new()?;
        let Some(mut relay) = crate::relay(&folder, &[limit])? else { return Ok(()) };
        let mut pair = Pair::sit(relay.address(), "hall").await?;
        let mut statuses = Vec::new();
        for _ in 0..12 {
            statuses.push(get(relay.address(), "/games/hall.json").await?.status);
        }
        ensure!(statuses.first() == Some(&200) && statuses.last() == Some(&429), "{limit}: {statuses:?}");
        pair.play(4).await?;
        relay.check()?;
    }
    Ok(())
}

/// A guess that is right is told from one that is not only as often as guesses are allowed.
#[tokio::test(flavor = "multi_thread")]
async fn codes_cannot_be_guessed() -> Result<()> {
    let folder = Folder::new()?;
    let Some(mut relay) = crate::relay(&folder, &["--joins-per-minute=5"])? else { return Ok(()) };
    let address = relay.address();
    let opened = post(address, "/games", "", r#"{"name":"Anna"}"#).await?.json()?;
    let code = opened["code"].as_str().context("a game has a code")?.to_owned();
    let token = opened["token"].as_str().context("a seat has a token")?.to_owned();
    ensure!(code.len() >= 10, "{code} is short");
    let _anna = Line::connect(address, "/ws/api/anna/hall/").await?;
    let mut first_refusal = None;
    for number in 0..10 {
        let refused = refusal(address, &format!("/ws/api/eve/guess{number}/?watch=1"), None).await?;
        match refused.status {
            404 => ensure!(first_refusal.is_none(), "guess {number} is answered although {first_refusal:?} was not"),
            429 => first_refusal = first_refusal.or(Some(number)),
            _ => anyhow::bail!("{refused}"),
        }
    }
    ensure!(first_refusal == Some(3), "two codes were opened, and then {first_refusal:?} could be guessed");
    // The right one does not look any different now, on any way in.
    for path in
        ["/ws/api/eve/hall/?watch=1".to_owned(), "/ws/api/eve/hall/".to_owned(), format!("/ws/api/eve/{code}/?token=x")]
    {
        let refused = refusal(address, &path, None).await?;
        ensure!(refused.status == 429, "{path}: {refused}");
    }
    for extension in ["json", "pgn", "bin"] {
        ensure!(get(address, &format!("/games/hall.{extension}")).await?.status == 429, "{extension}");
    }
    // But nobody can have guessed a code that the relay has drawn, so whoever was told one comes in beside those who guess.
    let mut watcher = Line::connect(address, &format!("/ws/api/sam/{code}/?extras=1&watch=1")).await?;
    watcher.hear_until("init").await?;
    // No game has begun there yet, and that is what is said.
    ensure!(get(address, &format!("/games/{code}.json")).await?.status == 404);
    // Who has a seat comes back to it, whatever the neighbours do.
    let mut line = Line::connect(address, &format!("/ws/api/anna/{code}/?extras=1&token={token}")).await?;
    line.hear_until("init").await?;
    relay.check()
}

#[tokio::test(flavor = "multi_thread")]
async fn messages_have_a_size() -> Result<()> {
    let folder = Folder::new()?;
    let Some(mut relay) = crate::relay(&folder, &[])? else { return Ok(()) };
    let mut pair = Pair::sit(relay.address(), "hall").await?;
    let mut line = Line::connect(relay.address(), "/ws/api/sam/hall/?watch=1").await?;
    line.hear_until("game_state").await?;
    line.send(Message::text(json!({"type": "chat", "message": "x".repeat(9_000)}).to_string())).await?;
    ensure!(line.hear_until("error").await?["status_code"] == 413);
    line.send(Message::text("[".repeat(60_000))).await?;
    ensure!(line.hear_until("error").await?["status_code"] == 413);
    line.say(&json!({"type": "ping"})).await?;
    line.hear_until("pong").await?;
    line.send(Message::text("x".repeat(65_537))).await?;
    ensure!(line.hear_until("error").await?["status_code"] == 413);
    ensure!(line.hear_end().await? == Some(1009));
    let answer = post(relay.address(), "/games", "", &" ".repeat(70_000)).await?;
    ensure!(answer.status == 413, "{}", answer.text());
    pair.play(4).await?;
    relay.check()
}

#[tokio::test(flavor = "multi_thread")]
async fn who_talks_too_much_is_told_so_and_then_let_go() -> Result<()> {
    let folder = Folder::new()?;
    let Some(mut relay) = crate::relay(&folder, &["--messages-per-second=20"])? else { return Ok(()) };
    let mut pair = Pair::sit(relay.address(), "hall").await?;
    for message in [
        Message::text(r#"{"type":"ping"}"#),
        Message::text("nonsense"),
        Message::binary(vec![0; 10]),
        Message::Ping(vec![0; 10].into()),
        Message::Pong(vec![0; 10].into()),
    ] {
        let is_answered = matches!(message, Message::Text(_) | Message::Binary(_));
        let mut line = Line::connect(relay.address(), "/ws/api/sam/hall/?watch=1").await?;
        for _ in 0..400 {
            // It may be closed before all of it was sent.
            if line.send(message.clone()).await.is_err() {
                break;
            }
        }
        let mut warnings = 0;
        let code = loop {
            match line.hear().await? {
                Heard::Message(heard) if heard["status_code"] == 429 => warnings += 1,
                Heard::Message(_) => {}
                Heard::End(code) => break code,
            }
        };
        // Whoever hangs up on somebody who is still talking may take back the last words.
        ensure!(matches!(code, Some(1008) | None), "{message:?}: {code:?}");
        ensure!(!is_answered || warnings > 0 || code.is_none(), "{message:?} was not warned of");
        pair.play(2).await?;
    }
    let dropped = relay.figure("tabiya_drops_total", "rate").await?;
    ensure!(dropped > 4.5, "{dropped} were let go");
    relay.check()
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_of_strangers_stay_outside() -> Result<()> {
    let folder = Folder::new()?;
    let Some(mut relay) = crate::relay(&folder, &["--allowed-domain=https://chess.example"])? else { return Ok(()) };
    let address = relay.address();
    let (path, own) = ("/ws/api/eve/hall/", format!("http://{address}"));
    for origin in ["https://evil.example", "null", "http://chess.example", "https://chess.example.evil.example", &own] {
        let refused = refusal(address, path, Some(origin)).await?;
        ensure!(refused.status == 403, "{origin}: {refused}");
        let answer = post(address, "/games", &format!("origin: {origin}\r\n"), "{}").await?;
        ensure!(answer.status == 403, "{origin}: {}", answer.text());
    }
    Line::connect_from(address, path, Some("https://chess.example")).await?;
    // Boards and scripts have no page.
    Line::connect(address, path).await?;
    relay.check()
}

/// What people call themselves and say is never anything but text, wherever it comes out.
#[tokio::test(flavor = "multi_thread")]
async fn names_and_words_stay_text() -> Result<()> {
    let folder = Folder::new()?;
    let Some(mut relay) = crate::relay(&folder, &["--log=trace"])? else { return Ok(()) };
    let address = relay.address();
    let name = r#"<img src=x onerror="x">"]\"#;
    let path = "/ws/api/x/hall/?extras=1&name=%3Cimg%20src%3Dx%20onerror%3D%22x%22%3E%22%5D%5C";
    let mut line = Line::connect(address, path).await?;
    ensure!(line.hear_until("init").await?["name"] == name);
    let mut other = Line::connect(address, "/ws/api/billy/hall/?extras=1").await?;
    other.hear_until("start").await?;
    let words = "</script><script>alert(1)</script>\u{2028}\r\nINFO forged";
    line.say(&json!({"type": "chat", "message": words})).await?;
    let heard = other.hear_until("chat").await?;
    // All that is left of what could look like something else is the end of a line.
    ensure!(heard["message"] == words.replace(['\u{2028}', '\r'], ""), "{heard}");
    let pgn = get(address, "/games/hall.pgn").await?;
    let tag = r#"[White "<img src=x onerror=\"x\">\"]\\"]"#;
    ensure!(pgn.text().lines().any(|line| line == tag), "{}", pgn.text());
    ensure!(get(address, "/games/hall.json").await?.json()?["white"] == name);
    for extension in ["pgn", "json", "bin"] {
        let answer = get(address, &format!("/games/hall.{extension}")).await?;
        let is_safe = answer.head.contains("x-content-type-options: nosniff") && !answer.head.contains("text/html");
        ensure!(is_safe, "{}", answer.head);
    }
    let log = relay.log();
    ensure!(!log.iter().any(|line| line.contains("alert(1)") || line.starts_with("INFO forged")), "{log:?}");
    relay.check()
}
