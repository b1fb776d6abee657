use chess::Color;
use host_server::dialect::chessata::act;

use crate::table::Table;

/// Sends each line of the data to a room with two players, White and Black in turn. Checks that the room equals the replay of
/// its log, and that a refusal changes nothing.
pub fn chessata(data: &[u8]) {
    let mut table = Table::new();
    for (line, color) in data.split(|&byte| byte == b'\n').zip([Color::White, Color::Black].into_iter().cycle()) {
        // The WebSocket library rejects text frames that are not UTF-8.
        let Ok(text) = std::str::from_utf8(line) else { continue };
        if let Some(act) = act(text, &table.room, color) {
            table.act(color, act);
        }
    }
    table.check();
}
