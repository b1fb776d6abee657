use std::error::Error;
use std::fmt;

use chess::{Game, PlayError, Unexpected};

/// A text among many that is not a move, or not one that can be played there.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct LineError {
    /// Which of them, counted from 1.
    ply: usize,
    text: String,
    reason: Reason,
}

#[derive(Debug, PartialEq, Eq)]
enum Reason {
    /// It is not written as a move is.
    Unexpected(Unexpected),
    /// It is, but it cannot be played.
    Play(PlayError),
}

impl fmt::Display for LineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ply {}, {:?}: ", self.ply, self.text)?;
        match self.reason {
            Reason::Unexpected(unexpected) => write!(f, "not a move in UCI notation, {unexpected}"),
            Reason::Play(error) => error.fmt(f),
        }
    }
}

impl Error for LineError {}

/// The game of these moves in UCI notation, from the start position.
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
    fn a_wrong_move_is_named_with_its_place() {
        assert_eq!(error("e2e4 e7e4"), r#"ply 2, "e7e4": e7e4 is not a legal move here"#);
        assert_eq!(error("e2e4 Nf6"), r#"ply 2, "Nf6": not a move in UCI notation, unexpected 'N' at character 1"#);
        assert_eq!(error("f2f3 e7e5 g2g4 d8h4 a2a3"), r#"ply 5, "a2a3": the game is over: black wins by checkmate"#);
    }
}
