use chess::Color;
use host_server::scripts::{Status, read_reply};

/// Reads the bytes as the reply of a rule script. What is accepted must be a state that can be played, and must be read again as the same.
pub fn scripts(data: &[u8]) {
    for turn in [Color::White, Color::Black] {
        let answer = match read_reply(data, "make_move", turn) {
            Ok(answer) => answer,
            Err(error) => {
                let text = error.to_string();
                assert!(!text.contains(char::is_control) && text.chars().count() < 600, "{text:?}");
                continue;
            }
        };
        assert_eq!(answer.status == Status::Running, !answer.possible_moves.is_empty());
        let mut owners = [None; 64];
        for piece in &answer.pieces {
            let owner = &mut owners[usize::from(piece.square.index())];
            assert!(owner.replace(piece.color).is_none(), "two pieces on {}", piece.square);
        }
        for (index, played) in answer.possible_moves.iter().enumerate() {
            assert_eq!(owners[usize::from(played.from.index())], Some(turn));
            assert_ne!(played.from, played.to);
            assert!(!answer.possible_moves[..index].contains(played));
        }
        let text = serde_json::to_string(&answer).expect("an answer is JSON");
        let again = read_reply(format!("{{\"answer\":{text}}}").as_bytes(), "make_move", turn);
        assert_eq!(again.as_ref(), Ok(&answer));
    }
}
