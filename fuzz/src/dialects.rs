use chess::Color;
use host_server::dialect::socketio::{Effect, FuzzedClient};
use host_server::dialect::{chezz, socketio};
use host_server::room::Act;

use crate::table::Table;

/// Decodes each line as the arguments of every Socket.IO event, and as an event with its arguments of either player in a game. Checks that
/// the room accepts the move of a promotion whose piece is chosen, and that it equals the replay of its log.
pub fn socketio(data: &[u8]) {
    let mut table = Table::new();
    let mut clients = Color::ALL.map(|color| (color, FuzzedClient::default()));
    for line in data.split(|&byte| byte == b'\n') {
        let Ok(text) = std::str::from_utf8(line) else { continue };
        for event in ["roomCreate", "roomJoin", "reJoin", "coutdownFinished", "makeMove", "promotePawn", "offerDraw"] {
            let _ = socketio::is_request(event, text);
        }
        let _ = socketio::is_request(text, "[]");
        let Some((event, arguments)) = text.split_once(' ') else { continue };
        for by in Color::ALL {
            let effects: Vec<_> = clients
                .iter_mut()
                .filter(|(color, _)| *color == by)
                .filter_map(|(_, client)| client.event(event, arguments, &table.room, by))
                .collect();
            for effect in effects {
                match effect {
                    Effect::Promoting(ply) => {
                        for (color, client) in &mut clients {
                            let sent = client.announced(by, ply, &table.room, *color);
                            assert!(
                                *color == by || sent > 0,
                                "{text:?}: the opponent receives no message of a promotion"
                            );
                        }
                    }
                    Effect::Act { act, is_certain } => {
                        let mut room = table.room.clone();
                        let known = table.len();
                        let is_accepted = table.act(by, act);
                        assert!(is_accepted || !is_certain, "{text:?}: the room refuses a promotion");
                        for entry in table.since(known) {
                            let before = room.clone();
                            room.apply(entry);
                            for (color, client) in &mut clients {
                                client.entry(&before, entry, &room, *color);
                            }
                        }
                    }
                }
            }
        }
    }
    table.check();
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
