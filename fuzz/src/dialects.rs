use host_server::dialect::{chezz, socketio};
use host_server::room::Act;

use crate::table::Table;

/// Decodes each line as the arguments of every Socket.IO event.
pub fn socketio(data: &[u8]) {
    for line in data.split(|&byte| byte == b'\n') {
        let Ok(text) = std::str::from_utf8(line) else { continue };
        for event in ["roomCreate", "roomJoin", "reJoin", "coutdownFinished", "makeMove", "promotePawn", "offerDraw"] {
            let _ = socketio::is_request(event, text);
        }
        let _ = socketio::is_request(text, "[]");
    }
}

/// Plays a game with each line as a text of a chezz client: first of the player who is not to move, then of the other. Checks that a move is
/// decoded only if the room accepts it, and that the room equals the replay of its log.
pub fn chezz(data: &[u8]) {
    let mut table = Table::new();
    for line in data.split(|&byte| byte == b'\n') {
        let Ok(text) = std::str::from_utf8(line) else { continue };
        let to_move = table.room.game().to_move();
        for color in [!to_move, to_move] {
            let Some(act) = chezz::act(text, &table.room, color) else { continue };
            let is_move = matches!(act, Act::Move { .. });
            let is_accepted = table.act(color, act);
            assert!(is_accepted || !is_move, "{text:?} is decoded as a move, and the room refuses it");
        }
    }
    table.check();
}

/// Decodes the first line as the feed of a board, and the others as calls of a LiveChess client.
pub fn livechess(data: &[u8]) {
    if let Ok(text) = std::str::from_utf8(data) {
        host_server::dialect::livechess::decode_lines(text);
    }
}
