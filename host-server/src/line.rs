//! Plays a line of moves in UCI notation.

use chess::{Game, PlayError, Unexpected};

/// A move that cannot be played.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("ply {ply}, {text:?}: {reason}")]
pub(crate) struct LineError {
    /// Counted from 1.
    ply: usize,
    text: String,
    reason: Reason,
}

#[derive(Debug, PartialEq, Eq, thiserror::Error)]
enum Reason {
    #[error("not a move in UCI notation, {0}")]
    Unexpected(Unexpected),
    #[error("{0}")]
    Play(PlayError),
}

/// Plays moves in UCI notation from the start position.
pub(crate) fn play(moves: &[String]) -> Result<Box<Game>, LineError> {
    let mut game = Box::new(Game::new());
    for (ply, text) in (1..).zip(moves) {
        let played = text.parse().map_err(Reason::Unexpected).and_then(|mv| game.play(mv).map_err(Reason::Play));
        played.map_err(|reason| LineError { ply, text: text.clone(), reason })?;
    }
    Ok(game)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(moves: &str) -> String {
        let moves: Vec<String> = moves.split(' ').map(str::to_owned).collect();
        play(&moves).unwrap_err().to_string()
    }

    #[test]
    fn an_error_names_the_ply_and_the_move() {
        assert_eq!(error("e2e4 e7e4"), r#"ply 2, "e7e4": e7e4 is not a legal move here"#);
        assert_eq!(error("e2e4 Nf6"), r#"ply 2, "Nf6": not a move in UCI notation, unexpected 'N' at character 1"#);
        assert_eq!(error("f2f3 e7e5 g2g4 d8h4 a2a3"), r#"ply 5, "a2a3": the game is over: black wins by checkmate"#);
    }
}
