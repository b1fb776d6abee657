//! Answers the questions of a room as a script with the rules of chess would. A pawn becomes a queen.

use chess::{Color, Position, Square};
use rules::told::footprint_between;
use rules::{Ply, Situation};
use serde_json::json;

use crate::room::{Answered, Ask, Footprints, Reply, Ruling, ScriptId, ScriptQuestion, ScriptTerms, Terms};

/// The terms of a game by this script.
pub(super) fn terms() -> Terms {
    let script = ScriptTerms { id: ScriptId(5), name: "Chess".to_owned(), start: ruling(&Position::start()) };
    Terms::default().by_script(script)
}

/// The state of a game. The position is in the data of the script.
fn ruling(position: &Position) -> Ruling {
    let pieces = Square::all().filter_map(|square| Some(format!("{}{square}", position.piece_at(square)?.letter())));
    let moves: std::collections::BTreeSet<Ply> =
        Situation::Chess(position).plies().iter().map(|ply| ply.choosing(0)).collect();
    let status = match (moves.is_empty(), Situation::Chess(position).turn().checked.any(), position.turn()) {
        (false, ..) => "running",
        (true, true, Color::White) => "black won",
        (true, true, Color::Black) => "white won",
        (true, false, _) => "draw",
    };
    let moves: Vec<String> = moves.iter().map(ToString::to_string).collect();
    let value = json!({
        "pieces": pieces.collect::<Vec<_>>().join(" "),
        "moves": moves.join(" "),
        "data": position.fen().to_string(),
        "status": status,
    });
    serde_json::from_value(value).unwrap()
}

fn after(before: &Ruling, ply: Ply) -> Ruling {
    let fen: String = serde_json::from_str(before.answer().additional_data.json()).unwrap();
    let position: Position = fen.parse().unwrap();
    let chosen = Situation::Chess(&position).with_choice(ply, None);
    ruling(&position.play(chosen.to_move().unwrap()).unwrap())
}

pub(super) fn answer(question: &ScriptQuestion) -> Answered {
    let reply = match &question.ask {
        Ask::Start => Reply::Ruling(ruling(&Position::start())),
        Ask::Move { before, played, .. } => Reply::Ruling(after(before, Ply::new(played.from, played.to))),
        Ask::Footprints { before, number } => {
            let mut turn = before.turn(*number);
            for ply in turn.told_plies().to_vec() {
                let next = after(before, ply).turn(number + 1);
                turn.add_footprint(&footprint_between(turn.pieces(), next.pieces(), ply)).unwrap();
            }
            Reply::Footprints(Footprints(turn.changes().into()))
        }
    };
    Answered { question: question.clone(), reply }
}
