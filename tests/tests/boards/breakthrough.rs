//! A whole game of Breakthrough between a simulated board and a JSON client, through a relay process.
//!
//! Only tests have this rule set. Nothing between the reeds of the board and the JSON of the client knows its rules, apart from its own
//! file in the crate `rules`; the client plays by what the relay says.

use anyhow::{Context, Result, ensure};
use board::Meaning;
use chess::{Bitboard, Color, Square};
use rules::{Ply, Start, Verdict, Why};
use serde_json::{Value, json};
use tests::json_client::JsonClient;
use tests::relay::{RelayProcess, get, post};
use tests::simulated_board::SimulatedBoard;
use tests::temp_dir::TempDir;
use wire::link::Seat;

use crate::{Pairing, embedded, pair};

/// The board has White, and wins by a capture on the last rank. Both sides capture before.
const GAME: [&str; 19] = [
    "d2d3", "e7e6", "d3d4", "e6e5", "d4e5", "d7d6", "e5e6", "f7e6", "a2a3", "e6e5", "a3a4", "e5e4", "a4a5", "e4e3",
    "a5a6", "e3f2", "a6b7", "h7h6", "b7a8",
];

/// After this many plies the relay is killed, and the board loses its power.
const BREAK: usize = 9;

const PAWNS: &str = "PPPPPPPPPPPPPPPP................................pppppppppppppppp";

/// The remote player.
struct Client {
    line: JsonClient,
    code: String,
    token: String,
}

impl Client {
    /// Opens a game of Breakthrough over HTTP, and takes Black.
    async fn open(relay: &RelayProcess) -> Result<Self> {
        let order = json!({ "rules": "breakthrough", "name": "Vera", "color": "black" });
        let answer = post(relay.address(), "/games", "", &order.to_string()).await?;
        ensure!(answer.status == 201, "{} {}", answer.status, answer.text());
        let opened = answer.json()?;
        let text = |field: &str| Ok::<_, anyhow::Error>(opened[field].as_str().context("a field")?.to_owned());
        let (code, token) = (text("code")?, text("token")?);
        let line = connect(relay, &code, &token).await?;
        Ok(Self { line, code, token })
    }

    async fn reconnect(&mut self, relay: &RelayProcess) -> Result<()> {
        self.line = connect(relay, &self.code, &self.token).await?;
        Ok(())
    }

    /// The state after this many plies.
    async fn state(&mut self, plies: usize) -> Result<Value> {
        loop {
            let state = self.line.receive_type("game_state").await?;
            if state["ply"] == plies && state["phase"] == "playing" {
                return Ok(state);
            }
        }
    }
}

async fn connect(relay: &RelayProcess, code: &str, token: &str) -> Result<JsonClient> {
    let path = format!("/ws/api/Vera/{code}/?extras=1");
    JsonClient::connect_with_token(relay.address(), &path, token).await
}

/// The squares to which a piece may go, by the word of the relay.
fn targets(state: &Value, from: Square) -> Bitboard {
    let squares = state["legal_moves"][from.to_string()].as_array().into_iter().flatten();
    squares.filter_map(|square| square.as_str()?.parse::<Square>().ok()).collect()
}

/// Lifts a piece on the board and puts it back: the lights show the targets that the relay names.
fn look_at_targets(board: &mut SimulatedBoard, from: Square, state: &Value) -> Result<()> {
    let enemies = board.any_game().context("there is a game")?.turn().black;
    board.lift(from);
    let scene = board.scene();
    let (free, taken) = (scene.squares(Meaning::VariantTarget), scene.squares(Meaning::CaptureTarget));
    let expected = targets(state, from);
    ensure!(expected.any() && (free | taken) == expected, "{free:?} and {taken:?} are lit, not {expected:?}");
    ensure!(taken == expected & enemies, "{taken:?} are shown as captures");
    board.place(from);
    board.rest();
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_board_and_a_client_play_a_whole_game_of_other_rules() -> Result<()> {
    let folder = TempDir::new()?;
    let Some(mut relay) = embedded(&folder)? else { return Ok(()) };
    let Pairing { key, .. } = pair(&relay, "Kitchen")?;
    let mut board = SimulatedBoard::new(key, &[relay.address()], 3);
    board.until("the board is there", SimulatedBoard::is_online).await?;

    let mut client = Client::open(&relay).await?;
    let init = client.line.receive_type("init").await?;
    ensure!(init["rules"] == "breakthrough", "{init}");
    relay.command(&["boards", "play", "Kitchen", &client.code])?;
    let has_game = |board: &SimulatedBoard| {
        board.seat() == Seat::White && board.any_game().is_some_and(|game| game.start() == Start::Breakthrough)
    };
    board.until("the board has the game", has_game).await?;
    client.line.send_json(&json!({ "type": "hints", "on": true })).await?;
    board.agree_to_hints();
    board.until("both agree to hints", SimulatedBoard::has_hints).await?;
    let mut state = client.state(0).await?;
    ensure!(state["placement"] == PAWNS && state.get("fen").is_none(), "{state}");
    let pawn = json!({ "name": "pawn", "color": "black", "drawing": "P" });
    ensure!(state["pieces"]["p"] == pawn && state["turn"] == "white", "{state}");

    for (number, text) in GAME.into_iter().enumerate() {
        if number == BREAK {
            relay.kill9()?;
            board.restart();
            relay.restart()?;
            client.reconnect(&relay).await?;
            state = client.state(number).await?;
            let moves = state["moves"].as_array().context("a client that returns gets all moves")?;
            let texts: Vec<&str> = moves.iter().filter_map(|one| one["uci"].as_str()).collect();
            ensure!(texts == GAME[..number] && state["start_placement"] == PAWNS, "{state}");
            ensure!(moves.iter().all(|one| one["placement"].as_str().is_some_and(|text| text.len() == 64)), "{state}");
            board.until("the board is back", |board| board.is_online() && board.has_hints()).await?;
            ensure!(has_game(&board) && board.plies() == Some(number), "the board has lost its game");
        }
        let ply: Ply = text.parse()?;
        ensure!(targets(&state, ply.from()).has(ply.to()), "{text} is not among {}", state["legal_moves"]);
        if number % 2 == 0 {
            look_at_targets(&mut board, ply.from(), &state)?;
            board.play(ply)?;
            board.talk().await?;
        } else {
            let message = json!({ "type": "move", "start": text[..2], "end": text[2..], "ply": number });
            client.line.send_json(&message).await?;
            board.until("the board has the move", |board| board.plies() == Some(number + 1)).await?;
            let scene = board.scene();
            let shown = [Meaning::OpponentFrom, Meaning::OpponentTo].map(|meaning| scene.squares(meaning).first());
            let is_capture = board.any_game().and_then(rules::Play::before_last).is_some_and(|before| {
                before.situation().footprint(ply).is_some_and(|footprint| footprint.is_capture())
            });
            let taken = scene.squares(Meaning::Remove);
            ensure!(shown[0] == Some(ply.from()), "{text}: {scene:?}");
            ensure!(if is_capture { taken.has(ply.to()) } else { shown[1] == Some(ply.to()) }, "{text}: {scene:?}");
            board.follow()?;
        }
        if number + 1 < GAME.len() {
            state = client.state(number + 1).await?;
        }
    }

    let end = client.line.receive_type("end_of_game").await?;
    ensure!(end["reason"] == "rules" && end["result_text"] == "1-0" && end["result"] == "white_win", "{end}");
    let won = Verdict::Won { winner: Color::White, why: Why::Rules };
    let is_over = |board: &SimulatedBoard| board.any_game().is_some_and(|game| game.verdict() == Some(won));
    board.until("the board knows the end", is_over).await?;
    let scene = board.scene();
    ensure!(scene.squares(Meaning::Winner).has(Square::A8) && scene.squares(Meaning::Loser).any(), "{scene:?}");

    let record = get(relay.address(), &format!("/games/{}.json", client.code)).await?.json()?;
    let moves = record["moves"].as_array().context("a game has moves")?;
    ensure!(moves.iter().filter_map(|one| one["uci"].as_str()).eq(GAME), "{record}");
    ensure!(record["rules"] == "breakthrough" && record["result"] == "1-0", "{record}");
    ensure!(record["ending"] == json!({ "reason": "rules", "winner": "white" }), "{record}");
    ensure!(record["placement"].as_str().is_some_and(|text| text.as_bytes().get(56) == Some(&b'P')), "{record}");
    for format in ["pgn", "bin"] {
        let answer = get(relay.address(), &format!("/games/{}.{format}", client.code)).await?;
        ensure!(answer.status == 409 && answer.text().contains("breakthrough"), "{} {}", answer.status, answer.text());
    }
    relay.check()
}
