//! The same attacks in the moves of running games. The players are told, the game keeps its state, and they can go on, resign or come back later.

use std::sync::Arc;

use chess::Color;
use host_server::relay::{ActError, Claim, PutError, Relay, RoomHandle, RulingError, SeatRequest};
use host_server::room::{Act, Code, Participant, Room, ScriptTerms, SideChoice, Terms};
use host_server::scripts::Scripts;
use host_server::store::memory::Memory;
use rules::{Verdict, Why};

use crate::attacks::{ATTACKS, FALSE_ANSWERS, Stop, TOOLS, is_stopped};
use crate::harness::{STATE, has_python, scripts};

/// A king each. The white king attacks by moving to e2, and does not by moving to d1.
fn game(lines: &str) -> String {
    game_with("(move[\"to_x\"], move[\"to_y\"]) == (4, 1)", lines)
}

/// The same, where the answer to the first move of black is false.
fn game_of_answer(answer: &str) -> String {
    game_with("next_turn == \"white\"", &format!("STATE = {STATE}\nreturn {answer}"))
}

/// A king each. A move for which this holds executes these lines.
fn game_with(condition: &str, lines: &str) -> String {
    let indented = lines.replace('\n', "\n        ");
    format!(
        r#"{TOOLS}
def state(turn, white, black):
    pieces = [dict(color=color, name="king", x=x, y=y) for color, (x, y) in (("white", white), ("black", black))]
    x, y = white if turn == "white" else black
    targets = [(4, 1), (3, 0)] if turn == "white" else [(x, 13 - y)]
    moves = [dict(from_x=x, from_y=y, to_x=to_x, to_y=to_y) for to_x, to_y in targets if (to_x, to_y) != (x, y)]
    return dict(pieces=pieces, possible_moves=moves, additional_data=[1], status="running")

def get_starting_state():
    return state("white", (4, 0), (4, 7))

def make_move(pieces, move, next_turn, additional_data):
    if {condition}:
        {indented}
    at = {{piece["color"]: (piece["x"], piece["y"]) for piece in pieces}}
    at["black" if next_turn == "white" else "white"] = (move["to_x"], move["to_y"])
    return state(next_turn, at["white"], at["black"])
"#
    )
}

struct Table {
    relay: Relay,
    code: Code,
    players: [RoomHandle; 2],
    tokens: [String; 2],
}

impl Table {
    async fn set(relay: &Relay, number: usize, text: &str) -> Self {
        let id = relay.script_library().put(text, |_| Ok::<_, PutError>(())).await.unwrap();
        let start = relay.try_script(text).await.unwrap();
        let code: Code = format!("game{number}").parse().unwrap();
        relay
            .open(&code, Terms::default().by_script(ScriptTerms { id, name: "Attack".to_owned(), start }))
            .await
            .unwrap();
        let sit = async |name: &str, side| {
            let claim = Claim::Sit(SeatRequest::new(side));
            relay.enter(&code, Participant::new(name.parse().unwrap()), claim, None).await.unwrap()
        };
        let players = [sit("ann", SideChoice::White).await, sit("bob", SideChoice::Black).await];
        let tokens = [0, 1].map(|player: usize| players[player].token().unwrap().to_owned());
        Self { relay: relay.clone(), code, players, tokens }
    }

    async fn plays(&self, color: Color, text: &str) -> Result<(), ActError> {
        let player = usize::from(color == Color::Black);
        self.players[player].act(Act::Move { ply: text.parse().unwrap(), number: None }).await
    }

    async fn room(&self) -> Arc<Room> {
        self.players[0].look().await.unwrap()
    }

    /// Both players leave, and come back with their tokens.
    async fn adjourn(self) -> Self {
        let Self { relay, code, players, tokens } = self;
        drop(players);
        let come = async |token: &str| {
            let claim = Claim::Resume { token: token.to_owned() };
            relay.enter(&code, Participant::new("player".parse().unwrap()), claim, None).await.unwrap()
        };
        let players = [come(&tokens[0]).await, come(&tokens[1]).await];
        Self { relay, code, players, tokens }
    }
}

fn relay(scripts: &Scripts) -> Relay {
    let relay = Relay::new(Arc::new(Memory::default()));
    relay.execute_scripts(scripts.clone());
    relay
}

#[tokio::test(flavor = "multi_thread")]
async fn an_attack_in_a_move_leaves_the_game_as_it_was_and_it_can_be_adjourned_and_resigned() {
    let scripts = scripts(2);
    if !has_python(&scripts).await {
        return;
    }
    let relay = relay(&scripts);
    let mut wrong = Vec::new();
    let attacks = ATTACKS.iter().map(|(name, stop, lines)| (name, stop, game(lines), true));
    let answers = FALSE_ANSWERS.iter().map(|(name, stop, answer)| (name, stop, game_of_answer(answer), false));
    for (number, (name, stop, text, is_of_white)) in attacks.chain(answers).enumerate() {
        let table = Table::set(&relay, number, &text).await;
        if !is_of_white {
            table.plays(Color::White, "e1d1").await.unwrap();
        }
        let before = table.room().await;
        let (color, ply) = if is_of_white { (Color::White, "e1e2") } else { (Color::Black, "e8e7") };
        let attacked = table.plays(color, ply).await;
        let (error, message) = match &attacked {
            Ok(()) => (None, String::new()),
            Err(ActError::Script(error)) => match &**error {
                RulingError::Script(of_script) => (Some(of_script), error.to_string()),
                other => panic!("{name}: {other}"),
            },
            Err(other) => panic!("{name}: {other}"),
        };
        let is_told = *stop == Stop::Isolation || message.starts_with("The script of this game failed: ");
        if !is_stopped(*stop, error) || !is_told || message.contains(char::is_control) {
            wrong.push(format!("{name}: expected {stop:?}, found {attacked:?}"));
        }
        let after = table.room().await;
        let plies = before.game().len() + usize::from(attacked.is_ok());
        if after.game().len() != plies || (attacked.is_err() && after.ruling() != before.ruling()) {
            wrong.push(format!("{name}: the game has changed"));
        }
        let table = table.adjourn().await;
        let later = table.room().await;
        if (later.game().len(), later.ruling(), later.verdict()) != (plies, after.ruling(), None) {
            wrong.push(format!("{name}: the game is another one when its players come back"));
        }
        table.players[1].act(Act::Resign).await.unwrap();
        let won = Verdict::Won { winner: Color::White, why: Why::Resignation };
        assert_eq!(table.room().await.verdict(), Some(won), "{name}");
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), ATTACKS.len() + FALSE_ANSWERS.len(), wrong.join("\n"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_goes_on_after_attacks_and_when_its_players_come_back_later() {
    let scripts = scripts(2);
    if !has_python(&scripts).await {
        return;
    }
    let relay = relay(&scripts);
    let mut table = Table::set(&relay, 0, &game("while True: pass")).await;
    for _ in 0..2 {
        assert!(table.plays(Color::White, "e1e2").await.is_err());
        table = table.adjourn().await;
    }
    table.plays(Color::White, "e1d1").await.unwrap();
    table.plays(Color::Black, "e8e7").await.unwrap();
    table = table.adjourn().await;
    assert!(table.plays(Color::White, "d1e2").await.is_err());
    assert_eq!(table.room().await.game().len(), 2);
    assert_eq!(table.room().await.verdict(), None);
}
