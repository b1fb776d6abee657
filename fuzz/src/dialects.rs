use chess::Color;
use host_server::dialect::{chezz, socketio};
use host_server::room::{Entry, Fact, Room, RoomId, Terms, Time};

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

/// Decodes each line as a text of a chezz client, for both sides.
pub fn chezz(data: &[u8]) {
    let fact = Fact::Opened { room: RoomId(1), code: "fuzz".parse().expect("a code"), terms: Terms::default(), on: 0 };
    let entry = Entry { at: Time(0), write_id: 1, from: None, fact };
    let room = Room::from_log(&[entry]).expect("a room is opened");
    for line in data.split(|&byte| byte == b'\n') {
        let Ok(text) = std::str::from_utf8(line) else { continue };
        for color in Color::ALL {
            let _ = chezz::is_request(text, &room, color);
        }
    }
}

/// Decodes the first line as the feed of a board, and the others as calls of a LiveChess client.
pub fn livechess(data: &[u8]) {
    if let Ok(text) = std::str::from_utf8(data) {
        host_server::dialect::livechess::decode_lines(text);
    }
}
