//! Rate and size limits.

use std::net::SocketAddr;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use host_server::store::embedded::Embedded;
use host_server::store::{Collection, Store};
use serde_json::json;
use tests::json_client::{JsonClient, Received, UpgradeRefused};
use tests::relay::{get, post};
use tests::temp_dir::TempDir;
use tokio_tungstenite::tungstenite::Message;

use crate::two_players::TwoPlayers;

/// The refusal of a connection, which must not be accepted.
async fn refusal(relay: SocketAddr, path: &str, origin: Option<&str>) -> Result<UpgradeRefused> {
    let headers: Vec<_> = origin.map(|origin| ("origin", origin)).into_iter().collect();
    let error =
        JsonClient::connect_with(relay, path, &headers).await.err().with_context(|| format!("let in at {path}"))?;
    error.downcast::<UpgradeRefused>()
}

#[tokio::test(flavor = "multi_thread")]
async fn limits_connections_per_address() -> Result<()> {
    check_connection_limit("--max-connections-per-address=6").await
}

#[tokio::test(flavor = "multi_thread")]
async fn limits_connections_in_total() -> Result<()> {
    check_connection_limit("--max-connections=6").await
}

/// Six connections are accepted, and a seventh as soon as one of them is closed.
async fn check_connection_limit(limit: &str) -> Result<()> {
    let folder = TempDir::new()?;
    let Some(mut relay) = crate::relay(&folder, &[limit])? else { return Ok(()) };
    let mut pair = TwoPlayers::sit(relay.address(), "hall").await?;
    let mut lines = Vec::new();
    for number in 0..4 {
        let mut line = JsonClient::connect(relay.address(), &format!("/ws/api/w{number}/hall/?watch=1")).await?;
        line.receive_type("game_state").await?;
        lines.push(line);
    }
    let refused = refusal(relay.address(), "/ws/api/one/hall/?watch=1", None).await?;
    ensure!(refused.status == 429 && refused.retry_after.is_some(), "{refused:?}");
    pair.play(4).await?;
    lines.pop();
    // The relay notices the closed connection asynchronously.
    let mut again = None;
    for _ in 0..200 {
        again = JsonClient::connect(relay.address(), "/ws/api/one/hall/?watch=1").await.ok();
        if again.is_some() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    again.context("no connection is accepted although one was closed")?;
    pair.play(4).await?;
    relay.check()
}

#[tokio::test(flavor = "multi_thread")]
async fn limits_new_connections_and_requests_per_address() -> Result<()> {
    for limit in ["--connections-per-minute=8", "--requests-per-minute=8"] {
        let folder = TempDir::new()?;
        let Some(mut relay) = crate::relay(&folder, &[limit])? else { return Ok(()) };
        let mut pair = TwoPlayers::sit(relay.address(), "hall").await?;
        let mut statuses = Vec::new();
        for _ in 0..12 {
            statuses.push(get(relay.address(), "/boards").await?.status);
        }
        ensure!(statuses.first() == Some(&200) && statuses.last() == Some(&429), "{limit}: {statuses:?}");
        pair.play(4).await?;
        relay.check()?;
    }
    Ok(())
}

/// Sends a chat message many times at once. Returns how often it was said, and how often refused.
async fn flood(client: &mut JsonClient, text: &str) -> Result<(usize, usize)> {
    const LINES: usize = 40;
    for _ in 0..LINES {
        client.send_json(&json!({"type": "chat", "message": text})).await?;
    }
    let (mut said, mut refused) = (0, 0);
    while said + refused < LINES {
        match client.receive().await? {
            Received::Message(message) if message["type"] == "chat" && message["message"] == text => said += 1,
            Received::Message(message) if message["type"] == "error" => {
                ensure!(message["status_code"] == 429, "{message}");
                refused += 1;
            }
            Received::Message(_) => {}
            Received::Closed(code) => anyhow::bail!("closed with {code:?}"),
        }
    }
    Ok((said, refused))
}

/// All spectators of one address share a limit of chat messages. Players do not.
#[tokio::test(flavor = "multi_thread")]
async fn limits_the_chat_of_spectators() -> Result<()> {
    let folder = TempDir::new()?;
    let Some(mut relay) = crate::relay(&folder, &["--messages-per-second=100"])? else { return Ok(()) };
    let mut player = JsonClient::connect(relay.address(), "/ws/api/anna/hall/?extras=1").await?;
    player.receive_type("init").await?;
    let mut spectator = JsonClient::connect(relay.address(), "/ws/api/sam/hall/?extras=1&watch=1").await?;
    spectator.receive_type("init").await?;
    let (said, refused) = flood(&mut spectator, "from the gallery").await?;
    // One more is allowed every three seconds.
    ensure!(said >= 20 && refused > 0, "{said} said, {refused} refused");
    let (_, refused) = flood(&mut player, "from the table").await?;
    ensure!(refused == 0, "a player was refused {refused} times");
    relay.check()
}

/// After the allowed number of guesses, a right code is answered like a wrong one.
#[tokio::test(flavor = "multi_thread")]
async fn limits_guesses_of_codes() -> Result<()> {
    let folder = TempDir::new()?;
    let Some(mut relay) = crate::relay(&folder, &["--joins-per-minute=5"])? else { return Ok(()) };
    let address = relay.address();
    let opened = post(address, "/games", "", r#"{"name":"Anna"}"#).await?.json()?;
    let code = opened["code"].as_str().context("a game has a code")?.to_owned();
    let token = opened["token"].as_str().context("a seat has a token")?.to_owned();
    ensure!(code.len() >= 10, "{code} is short");
    let _anna = JsonClient::connect(address, "/ws/api/anna/hall/").await?;
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
    // A right code is refused as well now, on every route.
    for path in
        ["/ws/api/eve/hall/?watch=1".to_owned(), "/ws/api/eve/hall/".to_owned(), format!("/ws/api/eve/{code}/?token=x")]
    {
        let refused = refusal(address, &path, None).await?;
        ensure!(refused.status == 429, "{path}: {refused}");
    }
    for extension in ["json", "pgn", "bin"] {
        ensure!(get(address, &format!("/games/hall.{extension}")).await?.status == 429, "{extension}");
    }
    // A random code of the relay cannot be guessed, so it is accepted in spite of the limit.
    let mut watcher = JsonClient::connect(address, &format!("/ws/api/sam/{code}/?extras=1&watch=1")).await?;
    watcher.receive_type("init").await?;
    // No game has begun in that room.
    ensure!(get(address, &format!("/games/{code}.json")).await?.status == 404);
    // A player reconnects with the token in spite of the limit.
    let mut line = JsonClient::connect(address, &format!("/ws/api/anna/{code}/?extras=1&token={token}")).await?;
    line.receive_type("init").await?;
    relay.check()
}

#[tokio::test(flavor = "multi_thread")]
async fn limits_the_message_size() -> Result<()> {
    let folder = TempDir::new()?;
    let Some(mut relay) = crate::relay(&folder, &[])? else { return Ok(()) };
    let mut pair = TwoPlayers::sit(relay.address(), "hall").await?;
    let mut line = JsonClient::connect(relay.address(), "/ws/api/sam/hall/?watch=1").await?;
    line.receive_type("game_state").await?;
    line.send(Message::text(json!({"type": "chat", "message": "x".repeat(9_000)}).to_string())).await?;
    ensure!(line.receive_type("error").await?["status_code"] == 413);
    line.send(Message::text("[".repeat(60_000))).await?;
    ensure!(line.receive_type("error").await?["status_code"] == 413);
    line.send_json(&json!({"type": "ping"})).await?;
    line.receive_type("pong").await?;
    line.send(Message::text("x".repeat(65_537))).await?;
    ensure!(line.receive_type("error").await?["status_code"] == 413);
    ensure!(line.receive_close().await? == Some(1009));
    let answer = post(relay.address(), "/games", "", &" ".repeat(70_000)).await?;
    ensure!(answer.status == 413, "{}", answer.text());
    pair.play(4).await?;
    relay.check()
}

#[tokio::test(flavor = "multi_thread")]
async fn warns_and_then_disconnects_a_flooding_client() -> Result<()> {
    let folder = TempDir::new()?;
    let Some(mut relay) = crate::relay(&folder, &["--messages-per-second=20"])? else { return Ok(()) };
    let mut pair = TwoPlayers::sit(relay.address(), "hall").await?;
    for message in [
        Message::text(r#"{"type":"ping"}"#),
        Message::text("nonsense"),
        Message::binary(vec![0; 10]),
        Message::Ping(vec![0; 10].into()),
        Message::Pong(vec![0; 10].into()),
    ] {
        let is_answered = matches!(message, Message::Text(_) | Message::Binary(_));
        let mut line = JsonClient::connect(relay.address(), "/ws/api/sam/hall/?watch=1").await?;
        for _ in 0..400 {
            // The relay may close the connection before all messages were sent.
            if line.send(message.clone()).await.is_err() {
                break;
            }
        }
        let mut warnings = 0;
        let code = loop {
            match line.receive().await? {
                Received::Message(received) if received["status_code"] == 429 => warnings += 1,
                Received::Message(_) => {}
                Received::Closed(code) => break code,
            }
        };
        // Closing a connection with unread input may reset it, and the close frame is lost.
        ensure!(matches!(code, Some(1008) | None), "{message:?}: {code:?}");
        ensure!(!is_answered || warnings > 0 || code.is_none(), "{message:?} was not warned of");
        pair.play(2).await?;
    }
    let dropped = relay.figure("tabiya_drops_total", "rate").await?;
    ensure!(dropped > 4.5, "{dropped} connections were closed by the rate limit");
    relay.check()
}

#[tokio::test(flavor = "multi_thread")]
async fn refuses_foreign_origins() -> Result<()> {
    let folder = TempDir::new()?;
    let Some(mut relay) = crate::relay(&folder, &["--allowed-domain=https://chess.example"])? else { return Ok(()) };
    let address = relay.address();
    let (path, own) = ("/ws/api/eve/hall/", format!("http://{address}"));
    for origin in ["https://evil.example", "null", "http://chess.example", "https://chess.example.evil.example", &own] {
        let refused = refusal(address, path, Some(origin)).await?;
        ensure!(refused.status == 403, "{origin}: {refused}");
        let answer = post(address, "/games", &format!("origin: {origin}\r\n"), "{}").await?;
        ensure!(answer.status == 403, "{origin}: {}", answer.text());
    }
    JsonClient::connect_with(address, path, &[("origin", "https://chess.example")]).await?;
    // Boards and scripts send no Origin.
    JsonClient::connect(address, path).await?;
    relay.check()
}

/// Names and chat messages stay text in every format.
#[tokio::test(flavor = "multi_thread")]
async fn names_and_chat_are_never_markup() -> Result<()> {
    let folder = TempDir::new()?;
    let Some(mut relay) = crate::relay(&folder, &["--log=trace"])? else { return Ok(()) };
    let address = relay.address();
    let name = r#"<img src=x onerror="x">"]\"#;
    let path = "/ws/api/x/hall/?extras=1&name=%3Cimg%20src%3Dx%20onerror%3D%22x%22%3E%22%5D%5C";
    let mut line = JsonClient::connect(address, path).await?;
    ensure!(line.receive_type("init").await?["name"] == name);
    let mut other = JsonClient::connect(address, "/ws/api/billy/hall/?extras=1").await?;
    other.receive_type("start").await?;
    let words = "</script><script>alert(1)</script>\u{2028}\r\nINFO forged";
    line.send_json(&json!({"type": "chat", "message": words})).await?;
    let received = other.receive_type("chat").await?;
    // Line breaks are the only remaining special characters.
    ensure!(received["message"] == words.replace(['\u{2028}', '\r'], ""), "{received}");
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

#[tokio::test(flavor = "multi_thread")]
async fn charges_every_room_that_is_opened_also_under_a_known_code() -> Result<()> {
    let folder = TempDir::new()?;
    let Some(relay) = crate::relay(&folder, &["--joins-per-minute=5"])? else { return Ok(()) };
    let mut opened = 0;
    let refused = loop {
        match JsonClient::connect(relay.address(), "/ws/api/ann/again/").await {
            // A player without a token who closes the connection leaves, which closes the room.
            Ok(client) => client.close().await,
            Err(error) => break error.downcast::<UpgradeRefused>()?,
        }
        opened += 1;
        ensure!(opened < 50, "the same code can be opened for ever");
    };
    ensure!(refused.status == 429 && refused.retry_after.is_some(), "{refused:?}");
    ensure!(opened >= 5, "{opened} rooms");
    Ok(())
}

/// A room counts against `--store-per-day` in whichever dialect it is opened.
#[tokio::test(flavor = "multi_thread")]
async fn limits_what_an_address_adds_to_the_store_in_every_dialect() -> Result<()> {
    let folder = TempDir::new()?;
    let Some(relay) = crate::relay(&folder, &["--store-per-day=1"])? else { return Ok(()) };
    let mut opened = 0;
    while post(relay.address(), "/game", "", "").await?.status == 201 {
        opened += 1;
        ensure!(opened < 1_000, "an address opens rooms without end");
    }
    ensure!((200..600).contains(&opened), "{opened} rooms of two kilobytes");
    let response = post(relay.address(), "/games", "", "{}").await?;
    ensure!(response.status == 429, "{}", response.head);
    Ok(())
}

/// Coming back to a seat counts against `--store-per-day` as well.
#[tokio::test(flavor = "multi_thread")]
async fn charges_a_player_who_comes_back() -> Result<()> {
    let folder = TempDir::new()?;
    let Some(relay) = crate::relay(&folder, &["--store-per-day=1"])? else { return Ok(()) };
    let mut ann = JsonClient::connect(relay.address(), "/ws/api/ann/hall/?extras=1").await?;
    let token = ann.receive_type("init").await?["token"].as_str().context("a player has a token")?.to_owned();
    drop(ann);
    let mut returns = 0;
    let refused = loop {
        match JsonClient::connect_with_token(relay.address(), "/ws/api/ann/hall/?extras=1", &token).await {
            Ok(client) => drop(client),
            Err(error) => break error.downcast::<UpgradeRefused>()?,
        }
        returns += 1;
        ensure!(returns < 3_000, "a player comes back without end");
    };
    ensure!(refused.status == 429 && refused.retry_after.is_some(), "{refused:?}");
    ensure!(returns > 1_000, "{returns} returns");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn limits_what_an_address_adds_to_the_store_and_the_size_of_the_store() -> Result<()> {
    let folder = TempDir::new()?;
    let Some(relay) = crate::relay(&folder, &["--store-per-day=1"])? else { return Ok(()) };
    let mut talker = JsonClient::connect(relay.address(), "/ws/api/ann/hall/?extras=1").await?;
    let text = "🐎".repeat(450);
    let mut accepted = 0;
    let status = 'refused: loop {
        // The chat of a room is limited, too, so each room gets a few messages.
        for _ in 0..30 {
            talker.send_json(&json!({"type": "chat", "message": text})).await?;
            match talker.receive().await? {
                Received::Message(message) if message["type"] == "error" => {
                    break 'refused message["status_code"].clone();
                }
                Received::Message(message) => accepted += usize::from(message["type"] == "chat"),
                Received::Closed(code) => anyhow::bail!("closed with {code:?}"),
            }
        }
        ensure!(accepted < 2_000, "an address adds without end");
        let path = format!("/ws/api/ann/hall{accepted}/?extras=1");
        match JsonClient::connect(relay.address(), &path).await {
            Ok(next) => talker = next,
            Err(error) => break json!(error.downcast::<UpgradeRefused>()?.status),
        }
    };
    ensure!(status == 429, "{status}");
    ensure!((200..700).contains(&accepted), "{accepted} messages of 1,800 bytes");
    ensure!(relay.figure("tabiya_store_bytes", "").await? > 100_000.0);
    drop(relay);
    // Chat is deleted when its room closes, so the store gets something that stays.
    let store = Embedded::open(folder.path().join("data/tabiya.redb"), Duration::from_hours(1))?;
    store.write(Collection::LiveChess, "large", 0, &vec![b'x'; 2 << 20]).await?;
    drop(store);
    let relay = crate::relay(&folder, &["--max-store=1"])?.context("the program was there a moment ago")?;
    let refused = refusal(relay.address(), "/ws/api/ann/new/", None).await?;
    ensure!(refused.status == 503, "{refused:?}");
    Ok(())
}

/// Two kings that step to and fro, with as much data as a script may keep.
const LARGE_DATA: &str = r#"
DATA = "x" * 16_000
def state(turn, white, black):
    pieces = [{"color": "white", "name": "king", "x": 0, "y": white}, {"color": "black", "name": "king", "x": 7, "y": black}]
    x, y, other = (0, white, 1 - white) if turn == "white" else (7, black, 13 - black)
    moves = [{"from_x": x, "from_y": y, "to_x": x, "to_y": other}]
    return {"pieces": pieces, "possible_moves": moves, "additional_data": DATA, "status": "running"}
def get_starting_state():
    return state("white", 0, 7)
def make_move(pieces, move, next_turn, additional_data):
    y = {piece["color"]: piece["y"] for piece in pieces}
    y["black" if next_turn == "white" else "white"] = move["to_y"]
    return state(next_turn, y["white"], y["black"])
"#;

/// What a script returns is stored with each move, and counts for the player who has moved, over HTTP and over a WebSocket.
#[tokio::test(flavor = "multi_thread")]
async fn the_answers_of_a_script_count_as_what_they_take() -> Result<()> {
    let folder = TempDir::new()?;
    let Some(relay) = crate::relay(&folder, &["--store-per-day=1"])? else { return Ok(()) };
    let ask = async |path: &str, body: serde_json::Value| post(relay.address(), path, "", &body.to_string()).await;
    let script = ask("/load_script/", json!({ "script": LARGE_DATA })).await?.json()?["result"]["script_id"].clone();
    let order = json!({ "script_id": script, "play_as": "white", "user_id": 11 });
    let game = ask("/create_game/", order).await?.json()?["result"].clone();
    let link = game["link"].as_str().context("a game has a link")?;
    let mut black = JsonClient::connect(relay.address(), &format!("/ws/api/bea/{link}/?extras=1")).await?;
    black.receive_type("start").await?;
    let mut accepted = 0;
    loop {
        let row = u8::from(accepted % 4 != 0);
        let step = json!({ "from_x": 0, "from_y": row, "to_x": 0, "to_y": 1 - row });
        let moved = ask("/make_move/", json!({ "game_id": game["id"], "user_id": 11, "move": step })).await?;
        if moved.status == 429 {
            break;
        }
        ensure!(moved.json()?["status"] == true, "{}", moved.text());
        accepted += 1;
        let text = if accepted % 4 == 1 { "h8h7" } else { "h7h8" };
        black.play(text, accepted).await?;
        let answer = loop {
            match black.receive().await? {
                Received::Message(message) if message["type"] == "error" => break message,
                Received::Message(message) if message["type"] == "game_state" && message["ply"] == accepted + 1 => {
                    break message;
                }
                Received::Message(_) => {}
                Received::Closed(code) => anyhow::bail!("closed with {code:?}"),
            }
        };
        if answer["type"] == "error" {
            ensure!(answer["status_code"] == 429, "{answer}");
            break;
        }
        accepted += 1;
    }
    ensure!((50..70).contains(&accepted), "{accepted} moves of 16 kilobytes");
    Ok(())
}
