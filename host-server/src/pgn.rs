use std::fmt::{self, Write};

use chess::{Color, Game, Outcome, Position, Scoresheet};

/// A game in Portable Game Notation, in the form that the standard has for export.
pub(crate) struct Pgn<'a, S> {
    /// What is known about the game apart from its moves.
    pub(crate) tags: &'a Tags,
    /// The game itself.
    pub(crate) game: &'a Game<S>,
    /// How it ended: the rules do not know everything that can end a game.
    pub(crate) result: &'static str,
    /// What the mover had left after each move, in milliseconds, as far as it is known.
    pub(crate) clocks: &'a [u32],
}

impl<'a, S: Scoresheet> Pgn<'a, S> {
    /// A game whose outcome is the result.
    pub(crate) fn new(tags: &'a Tags, game: &'a Game<S>) -> Self {
        Self { tags, game, result: game.outcome().map_or("*", Outcome::result), clocks: &[] }
    }
}

/// The tags that each game has, except for the result, which is the game's. Whatever is not known is a question mark.
pub(crate) struct Tags {
    pub(crate) event: String,
    pub(crate) site: String,
    /// As in `2026.11.16`.
    pub(crate) date: String,
    pub(crate) round: String,
    pub(crate) white: String,
    pub(crate) black: String,
    /// Tags that not every game has, in the order of their names.
    pub(crate) others: Vec<(&'static str, String)>,
}

impl Default for Tags {
    fn default() -> Self {
        let unknown = || "?".to_owned();
        Self {
            event: unknown(),
            site: unknown(),
            date: "????.??.??".to_owned(),
            round: unknown(),
            white: unknown(),
            black: unknown(),
            others: Vec::new(),
        }
    }
}

impl<S: Scoresheet> fmt::Display for Pgn<'_, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let result = self.result;
        let Tags { event, site, date, round, white, black, others } = self.tags;
        // The seven have to be there, in this order.
        write_tag(f, "Event", event)?;
        write_tag(f, "Site", site)?;
        write_tag(f, "Date", date)?;
        write_tag(f, "Round", round)?;
        write_tag(f, "White", white)?;
        write_tag(f, "Black", black)?;
        write_tag(f, "Result", result)?;
        let mut position = *self.game.start();
        if position != Position::start() {
            write_tag(f, "FEN", &position.fen().to_string())?;
            write_tag(f, "SetUp", "1")?;
        }
        for (name, value) in others {
            write_tag(f, name, value)?;
        }
        f.write_char('\n')?;

        let mut text = Movetext { f, column: 0 };
        let mut clocks = self.clocks.iter();
        // Behind a comment, as at the beginning, a reader does not know whose move it is.
        let mut is_unclear = true;
        for &mv in self.game.moves() {
            match position.turn() {
                Color::White => text.write_token(&format!("{}.", position.fullmoves()))?,
                Color::Black if is_unclear => text.write_token(&format!("{}...", position.fullmoves()))?,
                Color::Black => {}
            }
            // A game only has legal moves, and a legal move has a notation.
            text.write_token(&position.san(mv).map_err(|_| fmt::Error)?.to_string())?;
            position = position.play(mv).map_err(|_| fmt::Error)?;
            let clock = clocks.next();
            is_unclear = clock.is_some();
            if let Some(left) = clock {
                let seconds = left / 1_000;
                let (hours, minutes, seconds) = (seconds / 3_600, seconds / 60 % 60, seconds % 60);
                text.write_token("{")?;
                text.write_token(&format!("[%clk {hours}:{minutes:02}:{seconds:02}]"))?;
                text.write_token("}")?;
            }
        }
        text.write_token(result)?;
        f.write_char('\n')
    }
}

/// A value goes between quotes, so quotes in it are marked; a line break cannot be in it at all.
fn write_tag(f: &mut fmt::Formatter<'_>, name: &str, value: &str) -> fmt::Result {
    write!(f, "[{name} \"")?;
    for c in value.chars() {
        match c {
            '"' | '\\' => write!(f, "\\{c}")?,
            _ if c.is_control() => f.write_char(' ')?,
            _ => f.write_char(c)?,
        }
    }
    f.write_str("\"]\n")
}

/// Words on lines of less than 80 characters, as many on each as there is room for.
struct Movetext<'a, 'b> {
    f: &'a mut fmt::Formatter<'b>,
    column: usize,
}

impl Movetext<'_, '_> {
    fn write_token(&mut self, token: &str) -> fmt::Result {
        let end = self.column + 1 + token.len();
        if self.column == 0 {
            self.column = token.len();
        } else if end < 80 {
            self.f.write_char(' ')?;
            self.column = end;
        } else {
            self.f.write_char('\n')?;
            self.column = token.len();
        }
        self.f.write_str(token)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(start: Position, moves: &str) -> Box<Game> {
        let mut game = Box::new(Game::new());
        game.restart(start);
        for text in moves.split_whitespace() {
            game.play(text.parse().expect(text)).expect(text);
        }
        game
    }

    fn write(game: &Game) -> String {
        let tags = Tags::default();
        Pgn::new(&tags, game).to_string()
    }

    const UNKNOWN: &str =
        "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n";

    #[test]
    fn a_game_without_moves_is_all_tags() {
        let pgn = write(&game(Position::start(), ""));
        assert_eq!(pgn, format!("{UNKNOWN}[Result \"*\"]\n\n*\n"));
    }

    #[test]
    fn the_result_stands_in_both_places() {
        let mated = game(Position::start(), "f2f3 e7e5 g2g4 d8h4");
        let pgn = write(&mated);
        assert_eq!(pgn, format!("{UNKNOWN}[Result \"0-1\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n"));

        let mut drawn = game(Position::start(), "e2e4");
        drawn.agree_draw().unwrap();
        assert!(write(&drawn).ends_with("[Result \"1/2-1/2\"]\n\n1. e4 1/2-1/2\n"));
    }

    #[test]
    fn a_set_up_position_is_in_the_tags_and_black_may_begin() {
        let fen = "4k3/8/8/8/8/8/8/R3K3 b Q - 0 12";
        let pgn = write(&game(fen.parse().unwrap(), "e8d8 e1c1"));
        let tags = format!("[Result \"*\"]\n[FEN \"{fen}\"]\n[SetUp \"1\"]\n");
        assert_eq!(pgn, format!("{UNKNOWN}{tags}\n12... Kd8 13. O-O-O+ *\n"));
    }

    #[test]
    fn a_name_cannot_break_out_of_its_tag() {
        let tags = Tags { white: "O\"Hara \\ \n[Result \"1-0\"]".to_owned(), ..Tags::default() };
        let game = game(Position::start(), "");
        let pgn = Pgn::new(&tags, &game).to_string();
        assert!(pgn.contains("[White \"O\\\"Hara \\\\  [Result \\\"1-0\\\"]\"]\n"), "{pgn}");
        assert_eq!(pgn.lines().count(), 9);
    }

    #[test]
    fn clocks_are_comments_and_the_number_is_said_again_behind_them() {
        let game = game(Position::start(), "e2e4 e7e5 g1f3");
        let tags = Tags { others: vec![("TimeControl", "300+2".to_owned())], ..Tags::default() };
        let pgn = Pgn { tags: &tags, game: &game, result: "0-1", clocks: &[302_000, 3_600_999] }.to_string();
        let movetext = "1. e4 { [%clk 0:05:02] } 1... e5 { [%clk 1:00:00] } 2. Nf3 0-1\n";
        assert_eq!(pgn, format!("{UNKNOWN}[Result \"0-1\"]\n[TimeControl \"300+2\"]\n\n{movetext}"));
    }

    /// The movetext of a long game fills its lines, stays within them, and is read as the same moves.
    #[test]
    fn long_games_are_wrapped() {
        let shuffle = "g1f3 g8f6 f3g1 f6g8 ".repeat(3);
        let game = game(Position::start(), &format!("{shuffle} e2e4 e7e5 {shuffle} d2d4 d7d5 {shuffle}"));
        let pgn = write(&game);
        let (_, movetext) = pgn.split_once("\n\n").unwrap();
        let lines: Vec<&str> = movetext.lines().collect();
        assert!(lines.len() > 2);
        for pair in lines.windows(2) {
            let next = pair[1].split(' ').next().unwrap();
            assert!(pair[0].len() < 80 && pair[0].len() + 1 + next.len() >= 80, "{movetext}");
        }
        let mut position = Position::start();
        let words = movetext.split_whitespace().filter(|word| !word.ends_with('.') && *word != "*");
        for (word, &mv) in words.zip(game.moves()) {
            assert_eq!(position.parse_san(word), Ok(mv));
            position = position.play(mv).unwrap();
        }
        assert_eq!(position, *game.position());
    }
}
