//! A function that stands for Python in tests.

use std::collections::VecDeque;
use std::future;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use chess::Color;
use parking_lot::Mutex;
use serde_json::{Value, json};
use tokio::time::sleep;

use super::{Call, Caller, Execute, Reply, ScriptError, Urgency};

pub(crate) const RACE: &str = "# A pawn each. It goes one square ahead, and reaching the last rank wins.";

/// Plays by the script above. It fails on a black move to h5, and counts its calls.
#[derive(Clone, Default)]
pub(crate) struct Race {
    calls: Arc<AtomicUsize>,
    faults: Arc<Mutex<VecDeque<Fault>>>,
}

/// What the next call meets instead of the script.
pub(crate) enum Fault {
    /// It is never answered.
    Stuck,
    Error(ScriptError),
}

impl Race {
    /// How often the script was called.
    pub(crate) fn calls(&self) -> usize {
        self.calls.load(Ordering::Relaxed)
    }

    /// The next call fails.
    pub(crate) fn fail(&self, fault: Fault) {
        self.faults.lock().push_back(fault);
    }
}

impl Execute for Race {
    fn execute(&self, _: Arc<str>, call: Call, _: Caller, _: Urgency) -> Reply {
        self.calls.fetch_add(1, Ordering::Relaxed);
        let fault = self.faults.lock().pop_front();
        Box::pin(async move {
            match fault {
                Some(Fault::Stuck) => return future::pending().await,
                Some(Fault::Error(error)) => return Err(error),
                None => {}
            }
            sleep(Duration::from_millis(20)).await;
            Ok(reply(&call).to_string().into_bytes())
        })
    }
}

fn reply(call: &Call) -> Value {
    let (white, black, turn) = match call {
        Call::StartingState => (1, 6, Color::White),
        Call::MakeMove { pieces, played, next_turn, .. } => {
            let rank = |color| {
                let piece = pieces.iter().find(|piece| piece.color == color);
                let moved = piece.filter(|piece| piece.square == played.from).map(|_| played.to);
                moved.or(piece.map(|piece| piece.square)).map_or(0, |square| i32::from(square.rank().index()))
            };
            if *next_turn == Color::White && rank(Color::Black) == 4 {
                return json!({ "error": { "kind": "exception", "text": "ValueError: h5", "line": 7 } });
            }
            (rank(Color::White), rank(Color::Black), *next_turn)
        }
    };
    let pawn = |color, x, y| json!({ "color": color, "name": "pawn", "x": x, "y": y });
    let step = |x: i32, from: i32, to: i32| json!({ "from_x": x, "from_y": from, "to_x": x, "to_y": to });
    let moves = if turn == Color::White { step(0, white, white + 1) } else { step(7, black, black - 1) };
    let status = if white == 7 { "white won" } else { "running" };
    let moves = if white == 7 { json!([]) } else { json!([moves]) };
    let pieces = json!([pawn("white", 0, white), pawn("black", 7, black)]);
    json!({ "answer": { "pieces": pieces, "possible_moves": moves, "additional_data": null, "status": status } })
}
