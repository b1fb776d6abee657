//! Whole games, as players and spectators receive them.

use chess::{Color, Position};
use serde_json::{Value, json};

use crate::client::ChessataClient;
use crate::in_process_relay::InProcessRelay;

/// Plays moves in UCI notation, and checks every state against the rules. Returns the last state.
async fn play(players: &mut [ChessataClient; 2], start: &str, moves: &str) -> Value {
    let mut position: Position = start.parse().unwrap();
    let mut state = Value::Null;
    for mv in moves.split_whitespace() {
        let side = usize::from(position.turn() == Color::Black);
        players[side].play(mv).await;
        position = position.play(mv.parse().unwrap()).expect(mv);
        state = players[0].expect_type("game_state").await;
        assert_eq!(players[1].expect_type("game_state").await, state);
        let next = usize::from(position.turn() == Color::Black);
        assert_eq!(state["player_turn_id"], players[next].id, "{mv}");
        assert_eq!(state["board"], board(&position), "{mv}");
        if position.is_check() {
            let what = if position.is_checkmate() { "checkmate" } else { "check" };
            let note = format!("The {} king is in {what}!", position.turn());
            for player in players.iter_mut() {
                assert_eq!(player.receive().await, json!({"type": "note", "message": note}));
            }
        }
    }
    state
}

fn board(position: &Position) -> Value {
    let numbers = chess::Square::all().map(|square| {
        let letter = position.piece_at(square.flip_rank()).map_or('.', chess::Piece::letter);
        let number = ".PRNBQK".find(letter.to_ascii_uppercase()).and_then(|index| i8::try_from(index).ok()).unwrap();
        if letter.is_ascii_lowercase() { -number } else { number }
    });
    numbers.collect()
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

async fn expect_both(players: &mut [ChessataClient; 2], message: Value) {
    for player in players {
        assert_eq!(player.receive().await, message);
        player.expect_silence().await;
    }
}

#[tokio::test]
async fn checkmate_ends_the_game() {
    let relay = InProcessRelay::start();
    let mut players = relay.players("").await;
    play(&mut players, START, "f2f3 e7e5 g2g4 d8h4").await;
    let winner = players[1].id.clone();
    expect_both(&mut players, json!({"type": "end_of_game", "result": "black_win", "winner_id": winner})).await;
    players[0].play("a2a3").await;
    assert_eq!(players[0].expect_error(409).await, "The game is over: black wins by checkmate.");
}

#[tokio::test]
async fn white_can_win_by_checkmate() {
    let relay = InProcessRelay::start();
    let mut players = relay.players("").await;
    play(&mut players, START, "e2e4 e7e5 f1c4 b8c6 d1h5 g8f6 h5f7").await;
    let winner = players[0].id.clone();
    expect_both(&mut players, json!({"type": "end_of_game", "result": "white_win", "winner_id": winner})).await;
}

/// The shortest known stalemate.
#[tokio::test]
async fn stalemate_is_a_draw() {
    let relay = InProcessRelay::start();
    let mut players = relay.players("").await;
    let moves = "e2e3 a7a5 d1h5 a8a6 h5a5 h7h5 h2h4 a6h6 a5c7 f7f6 c7d7 e8f7 d7b7 d8d3 b7b8 d3h7 b8c8 f7g6 c8e6";
    play(&mut players, START, moves).await;
    expect_both(&mut players, json!({"type": "end_of_game", "result": "stalemate", "winner_id": null})).await;
}

#[tokio::test]
async fn reports_castling_rights_and_en_passant() {
    let relay = InProcessRelay::start();
    let mut players = relay.players("").await;
    let state = play(&mut players, START, "e2e4 a7a6 e4e5 d7d5").await;
    let mut exposed = [false; 16];
    exposed[3] = true;
    assert_eq!(state["allow_en_passant"], json!(exposed));
    let state = play(&mut players, &after("e2e4 a7a6 e4e5 d7d5"), "e5d6").await;
    assert_eq!(state["allow_en_passant"], json!(vec![false; 16]));
    assert_eq!(state["board"][27], 0, "the pawn on d5 is gone");
    let past = "e2e4 a7a6 e4e5 d7d5 e5d6";
    let state = play(&mut players, &after(past), "b8c6 g1f3 c8g4 f1e2 d8d6 e1g1 e8c8").await;
    assert_eq!(state["has_king_moved"], json!({"white": true, "black": true}));
    assert_eq!(state["has_rook_moved"], json!({"a1": false, "h1": true, "a8": true, "h8": false}));
    assert_eq!((&state["board"][2], &state["board"][3]), (&json!(-6), &json!(-2)));
    assert_eq!((&state["board"][62], &state["board"][61]), (&json!(6), &json!(2)));
}

fn after(moves: &str) -> String {
    let mut position = Position::start();
    for mv in moves.split_whitespace() {
        position = position.play(mv.parse().unwrap()).unwrap();
    }
    position.fen().to_string()
}

#[tokio::test]
async fn promotes_to_every_piece_and_to_a_queen_by_default() {
    let start = "8/PPPPP2k/8/8/8/8/ppppp2K/8 w - - 0 1";
    let relay = InProcessRelay::start();
    let opened = relay.post("/games", &json!({"start": start}).to_string()).await.json().unwrap();
    let code = opened["code"].as_str().unwrap();
    let mut white = relay.client(&format!("/ws/api/anna/{code}/")).await;
    white.receive_type("game_state").await;
    let mut black = relay.client(&format!("/ws/api/billy/{code}/")).await;
    black.receive_type("game_state").await;
    white.receive_type("game_state").await;
    let mut players = [white, black];
    let moves = "a7a8q a2a1q b7b8r b2b1r c7c8b c2c1b d7d8n d2d1n";
    let state = play(&mut players, start, moves).await;
    assert_eq!(state["board"].as_array().unwrap()[..4], [json!(5), json!(2), json!(4), json!(3)]);
    assert_eq!(state["board"].as_array().unwrap()[56..60], [json!(-5), json!(-2), json!(-4), json!(-3)]);

    players[0].send(json!({"type": "move", "start": "e7", "end": "e8", "promotion": "king"})).await;
    players[0].expect_error(400).await;
    players[0].send(json!({"type": "move", "start": "e7", "end": "e8"})).await;
    assert_eq!(players[1].expect_type("game_state").await["board"][4], 5);
    players[0].expect_type("game_state").await;
    // `promotion` is ignored where no pawn promotes.
    players[1].send(json!({"type": "move", "start": "h7", "end": "g7", "promotion": "rook"})).await;
    assert_eq!(players[0].expect_type("game_state").await["board"][14], -6);
}

#[tokio::test]
async fn resignation_ends_the_game() {
    let relay = InProcessRelay::start();
    let mut players = relay.players("").await;
    play(&mut players, START, "e2e4").await;
    players[0].send(json!({"type": "resign"})).await;
    let winner = players[1].id.clone();
    expect_both(&mut players, json!({"type": "end_of_game", "result": "surrender", "winner_id": winner})).await;
}

#[tokio::test]
async fn an_early_game_can_be_aborted() {
    let relay = InProcessRelay::start();
    let mut players = relay.players("").await;
    play(&mut players, START, "e2e4").await;
    players[1].send(json!({"type": "abort"})).await;
    expect_both(&mut players, json!({"type": "end_of_game", "result": "disconnect", "winner_id": null})).await;
}

#[tokio::test]
async fn a_draw_offer_is_accepted() {
    let relay = InProcessRelay::start();
    let mut players = relay.players("?extras=1").await;
    play_extras(&mut players, "e2e4 e7e5").await;
    players[0].send(json!({"type": "draw", "action": "accept"})).await;
    assert_eq!(players[0].expect_error(409).await, "There is no offer to answer.");
    for (answer, expected) in [("decline", "offer_declined"), ("accept", "end_of_game")] {
        players[0].send(json!({"type": "draw", "action": "offer"})).await;
        for player in &mut players {
            assert_eq!(player.receive().await, json!({"type": "offer", "kind": "draw", "color": "white"}));
        }
        players[1].send(json!({"type": "draw", "action": answer})).await;
        for player in &mut players {
            let message = player.expect_type(expected).await;
            if expected == "end_of_game" {
                let end = json!({"type": "end_of_game", "result": "stalemate", "winner_id": null, "reason": "agreement",
                    "result_text": "1/2-1/2", "clock": null});
                assert_eq!(message, end);
            }
        }
        if answer == "decline" {
            // A further offer needs a move in between.
            players[0].send(json!({"type": "draw", "action": "offer"})).await;
            assert_eq!(players[0].expect_error(409).await, "A draw has been offered already.");
            play_extras(&mut players, "g1f3 b8c6").await;
        }
    }
}

/// Plays moves, skipping other messages, and returns the last state.
async fn play_extras(players: &mut [ChessataClient; 2], moves: &str) -> Value {
    let mut state = Value::Null;
    for mv in moves.split_whitespace() {
        let side = usize::from(players[0].turn != players[0].id);
        players[side].play(mv).await;
        for player in players.iter_mut() {
            state = player.receive_type("game_state").await;
        }
    }
    state
}

#[tokio::test]
async fn threefold_repetition_must_be_claimed() {
    let relay = InProcessRelay::start();
    let mut players = relay.players("?extras=1").await;
    let back_and_forth = "g1f3 g8f6 f3g1 f6g8";
    play_extras(&mut players, back_and_forth).await;
    players[0].send(json!({"type": "draw", "action": "claim_threefold"})).await;
    assert_eq!(players[0].expect_error(409).await, "There is no draw by threefold repetition.");
    play_extras(&mut players, "g1f3 g8f6 f3g1").await;
    // A claim with an intended move.
    players[1].send(json!({"type": "draw", "action": "claim_threefold", "move": "Ng8"})).await;
    for player in &mut players {
        let end = player.expect_type("end_of_game").await;
        assert_eq!((&end["result"], &end["reason"]), (&json!("stalemate"), &json!("threefold_repetition")));
    }
}

#[tokio::test]
async fn takes_moves_back_if_both_agree() {
    let relay = InProcessRelay::start();
    let mut players = relay.players("?extras=1").await;
    play_extras(&mut players, "e2e4 e7e5").await;
    players[0].send(json!({"type": "takeback", "action": "ask"})).await;
    for player in &mut players {
        let offer = json!({"type": "offer", "kind": "takeback", "color": "white", "plies": 2});
        assert_eq!(player.receive().await, offer);
    }
    players[1].send(json!({"type": "takeback", "action": "accept"})).await;
    for player in &mut players {
        let state = player.expect_type("game_state").await;
        assert_eq!((&state["ply"], &state["last_move"]), (&json!(0), &Value::Null));
    }
    players[0].send(json!({"type": "takeback", "action": "ask"})).await;
    assert_eq!(players[0].expect_error(409).await, "There are not that many moves to take back.");
}

#[tokio::test]
async fn a_rematch_swaps_colours() {
    let relay = InProcessRelay::start();
    let mut players = relay.players("?extras=1").await;
    let mut spectator = relay.client("/ws/api/sam/game/?extras=1").await;
    spectator.receive_type("watching").await;
    players[1].send(json!({"type": "rematch", "action": "offer"})).await;
    players[1].receive_type("watching").await;
    assert_eq!(players[1].expect_type("error").await["message"], "The game is not over yet.");
    players[1].send(json!({"type": "resign"})).await;
    spectator.receive_type("end_of_game").await;
    players[1].send(json!({"type": "rematch", "action": "offer"})).await;
    players[0].receive_type("offer").await;
    players[0].send(json!({"type": "rematch", "action": "accept"})).await;
    let ids = [players[0].id.clone(), players[1].id.clone()];
    let [white, black] = &mut players;
    for (client, color) in [(white, "black"), (black, "white"), (&mut spectator, "undefined")] {
        let start = client.receive_type("start").await;
        assert_eq!((&start["color"], &start["game"]), (&json!(color), &json!(2)));
        assert_eq!(start["players"]["white"]["user_id"], ids[1]);
        assert_eq!(client.expect_type("game_state").await["player_turn_id"], ids[1]);
    }
    players[0].play("e2e4").await;
    assert_eq!(players[0].expect_error(405).await, "It is not your turn.");
    players[1].play("e2e4").await;
    assert_eq!(players[0].expect_type("game_state").await["player_turn_id"], ids[0]);
}

#[tokio::test]
async fn a_player_loses_on_time() {
    let relay = InProcessRelay::start();
    let mut players = relay.players("?extras=1&clock=0.4%2B0").await;
    // The clocks do not run before the first move.
    let state = play_extras(&mut players, "e2e4").await;
    assert_eq!((&state["clock"]["running"], &state["clock"]["white_ms"]), (&json!("black"), &json!(400)));
    let winner = players[0].id.clone();
    for player in &mut players {
        let end = player.expect_type("end_of_game").await;
        assert_eq!((&end["result"], &end["winner_id"]), (&json!("white_win"), &json!(winner)));
        assert_eq!((&end["reason"], &end["clock"]["black_ms"]), (&json!("time"), &json!(0)));
    }
}

#[tokio::test]
async fn accepts_san_and_rejects_a_stale_ply() {
    let relay = InProcessRelay::start();
    let mut players = relay.players("?extras=1").await;
    players[0].send(json!({"type": "move", "san": "Nf3", "ply": 0})).await;
    for player in &mut players {
        let state = player.receive_type("game_state").await;
        assert_eq!(state["last_move"], json!({"uci": "g1f3", "san": "Nf3", "color": "white"}));
    }
    players[1].send(json!({"type": "move", "start": "e7", "end": "e5", "ply": 0})).await;
    assert_eq!(players[1].expect_error(409).await, "The position has changed since.");
    players[1].send(json!({"type": "move", "san": "e4"})).await;
    assert_eq!(players[1].expect_error(405).await, "Illegal move.");
    players[0].send(json!({"type": "move", "san": "e4"})).await;
    assert_eq!(players[0].expect_error(405).await, "It is not your turn.");
    players[1].send(json!({"type": "move", "san": "??"})).await;
    players[1].expect_error(400).await;
}

#[tokio::test]
async fn the_state_lists_claimable_draws() {
    let relay = InProcessRelay::start();
    let mut players = relay.players("?extras=1").await;
    let state = play_extras(&mut players, "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1").await;
    assert!(state.get("claims").is_none());
    let state = play_extras(&mut players, "f6g8").await;
    assert_eq!(state["claims"], json!(["threefold"]));
    players[0].send(json!({"type": "draw", "action": "claim_threefold"})).await;
    assert_eq!(players[0].expect_type("end_of_game").await["reason"], "threefold_repetition");
}

#[tokio::test]
async fn a_late_client_receives_the_start_position() {
    let relay = InProcessRelay::start();
    let fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
    let opened = relay.post("/games", &json!({"start": fen}).to_string()).await;
    let code = opened.json().unwrap()["code"].as_str().unwrap().to_owned();
    let mut anna = relay.client(&format!("/ws/api/anna/{code}/?extras=1")).await;
    let state = anna.receive_type("game_state").await;
    assert_eq!((&state["start"], &state["moves"]), (&json!(fen), &json!([])));
}

#[tokio::test]
async fn the_state_has_the_documented_extras() {
    let relay = InProcessRelay::start();
    let mut players = relay.players("?extras=1").await;
    play_extras(&mut players, "e2e4 d7d5 e4d5 e7e5 d5d6 e5e4 d6c7 a7a6 c7b8q").await;
    let mut spectator = relay.client("/ws/api/sam/game/?extras=1").await;
    let state = spectator.receive_type("game_state").await;
    assert_eq!(state["fen"], "rQbqkbnr/1p3ppp/p7/8/4p3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 5");
    assert_eq!((&state["ply"], &state["phase"], &state["game"]), (&json!(9), &json!("playing"), &json!(1)));
    let last = json!({"uci": "c7b8q", "san": "cxb8=Q", "color": "white"});
    assert_eq!((&state["last_move"], &state["check"], &state["turn"]), (&last, &Value::Null, &json!("black")));
    let [uci, san] = [&last["uci"], &last["san"]];
    assert_eq!(state["moves"][8], json!({"uci": uci, "san": san, "color": "white", "fen": state["fen"]}));
    assert_eq!(state["moves"][0]["fen"], "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
    assert_eq!(state["start"], Position::start().fen().to_string());
    assert!(state.get("checked").is_none() && state.get("claims").is_none());
    assert_eq!(state["legal_moves"]["a8"], json!(["a7", "b8"]));
    let state = play_extras(&mut players, "a8b8 g1f3").await;
    assert!(state.get("moves").is_none() && state["last_move"]["san"] == "Nf3");
}

#[tokio::test]
async fn the_state_and_past_positions_list_squares_in_check() {
    let relay = InProcessRelay::start();
    let mut players = relay.players("?extras=1").await;
    let state = play_extras(&mut players, "e2e4 f7f6 d1h5").await;
    assert_eq!((&state["check"], &state["checked"]), (&json!("black"), &json!(["e8"])));
    play_extras(&mut players, "g7g6").await;
    let mut spectator = relay.client("/ws/api/sam/game/?extras=1").await;
    let state = spectator.receive_type("game_state").await;
    assert!(state.get("checked").is_none());
    let checked: Vec<_> = state["moves"].as_array().unwrap().iter().map(|mv| mv.get("checked").cloned()).collect();
    assert_eq!(checked, [None, None, Some(json!(["e8"])), None]);
}
