use std::fmt::Display;

use chess::{FenError, Move, Position, SanError, Square, Unexpected};

/// Parses the bytes as every kind of notation. Accepted text must round-trip; an error must name a character of the text, or
/// its end.
pub fn notation(data: &[u8]) {
    let Ok(text) = str::from_utf8(data) else { return };
    match text.parse::<Position>() {
        Ok(position) => {
            reads_back(&position.fen(), &position);
            san(&position, text);
        }
        Err(FenError::Unexpected(_, unexpected)) => points_into(text, unexpected),
        Err(FenError::Setup(error)) => assert!(!error.to_string().is_empty()),
    }
    match text.parse::<Move>() {
        Ok(mv) => reads_back(&mv, &mv),
        Err(unexpected) => points_into(text, unexpected),
    }
    match text.parse::<Square>() {
        Ok(square) => reads_back(&square, &square),
        Err(unexpected) => points_into(text, unexpected),
    }
    // The first line may be a position, and the rest a move in it.
    if let Some((fen, san_text)) = text.split_once('\n')
        && let Ok(position) = fen.parse()
    {
        san(&position, san_text);
    }
    san(&Position::start(), text);
}

fn san(position: &Position, text: &str) {
    match position.parse_san(text) {
        Ok(mv) => {
            let san = position.san(mv).expect("what was read is legal").to_string();
            assert_eq!(position.parse_san(&san), Ok(mv));
        }
        Err(SanError::Unexpected(unexpected)) => points_into(text, unexpected),
        Err(SanError::Ambiguous(one, other)) => assert!(position.is_legal(one) && position.is_legal(other)),
        Err(SanError::NoSuchMove) => {}
    }
}

fn reads_back<T: std::str::FromStr + PartialEq>(written: &impl Display, value: &T) {
    assert!(written.to_string().parse::<T>().is_ok_and(|read| read == *value), "{written}");
}

fn points_into(text: &str, unexpected: Unexpected) {
    assert_eq!(text.chars().nth(unexpected.at), unexpected.found);
    assert!(unexpected.at <= text.chars().count());
}
