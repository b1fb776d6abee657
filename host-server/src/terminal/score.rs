use chess::{Color, Game, Move, Position};

/// The score sheet: the moves as players write them, a line for each of White's.
///
/// It is written anew only when the moves are others than before, since each needs the position it was made in.
#[derive(Debug, Default)]
pub(super) struct Score {
    start: Option<Position>,
    moves: Vec<Move>,
    lines: Vec<String>,
}

impl Score {
    /// The lines of this game.
    pub(super) fn of(&mut self, game: &Game) -> &[String] {
        if self.start.as_ref() != Some(game.start()) || self.moves != game.moves() {
            self.start = Some(*game.start());
            self.moves = game.moves().to_vec();
            self.lines = write(game);
        }
        &self.lines
    }
}

fn write(game: &Game) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut position = *game.start();
    for &mv in game.moves() {
        // A game only has legal moves, and a legal move has a notation and leads somewhere.
        let (Ok(san), Ok(next)) = (position.san(mv), position.play(mv)) else { break };
        let (number, san) = (position.fullmoves(), san.to_string());
        match (position.turn(), lines.last_mut()) {
            (Color::White, _) => lines.push(format!("{number}. {san:<8}")),
            (Color::Black, Some(line)) => line.push_str(&san),
            (Color::Black, None) => lines.push(format!("{number}. {:<8}{san}", "...")),
        }
        position = next;
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_stand_in_pairs_and_follow_the_game() {
        let mut game = Box::new(Game::new());
        let mut score = Score::default();
        assert!(score.of(&game).is_empty());
        for text in ["e2e4", "e7e5", "g1f3"] {
            game.play(text.parse().unwrap()).unwrap();
        }
        assert_eq!(score.of(&game), ["1. e4      e5", "2. Nf3     "]);
        game.take_back();
        assert_eq!(score.of(&game), ["1. e4      e5"]);
    }

    #[test]
    fn black_may_begin() {
        let mut game = Box::new(Game::new());
        game.restart("4k3/8/8/8/8/8/8/R3K3 b Q - 0 12".parse().unwrap());
        for text in ["e8d8", "e1c1"] {
            game.play(text.parse().unwrap()).unwrap();
        }
        assert_eq!(Score::default().of(&game), ["12. ...     Kd8", "13. O-O-O+  "]);
    }
}
