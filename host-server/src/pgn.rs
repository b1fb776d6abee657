//! Writes games as PGN (Portable Game Notation), in export format.

use std::fmt::{self, Write};

use chess::{Color, Game, Outcome, Position, Scoresheet};

/// Displays a game as PGN.
pub(crate) struct Pgn<'a, S> {
    pub(crate) tags: &'a Tags,
    pub(crate) game: &'a Game<S>,
    /// `1-0`, `0-1`, `1/2-1/2` or `*`. It is separate from the game, since a game can also be aborted or forfeited.
    pub(crate) result: &'static str,
    /// Clock of the player who moved after each ply, in milliseconds, as far as known.
    pub(crate) clocks: &'a [u32],
}

impl<'a, S: Scoresheet> Pgn<'a, S> {
    /// PGN with the result of the game's outcome.
    pub(crate) fn new(tags: &'a Tags, game: &'a Game<S>) -> Self {
        Self { tags, game, result: game.outcome().map_or("*", Outcome::result), clocks: &[] }
    }
}

/// The seven tag roster without the result, and further tags. Unknown values are question marks.
pub(crate) struct Tags {
    pub(crate) event: String,
    pub(crate) site: String,
    /// As in `2026.11.16`.
    pub(crate) date: String,
    pub(crate) round: String,
    pub(crate) white: String,
    pub(crate) black: String,
    /// Further tags, in alphabetical order.
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
        // The seven tag roster, in the order of the standard.
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
        // At the start and after a comment, Black's move needs its number.
        let mut needs_number = true;
        for &mv in self.game.moves() {
            match position.turn() {
                Color::White => text.write_token(&format!("{}.", position.fullmoves()))?,
                Color::Black if needs_number => text.write_token(&format!("{}...", position.fullmoves()))?,
                Color::Black => {}
            }
            // All moves of a game are legal, so both calls succeed.
            text.write_token(&position.san(mv).map_err(|_| fmt::Error)?.to_string())?;
            position = position.play(mv).map_err(|_| fmt::Error)?;
            let clock = clocks.next();
            needs_number = clock.is_some();
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

/// Writes a tag pair: escapes quotes and backslashes, and replaces control characters.
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

/// Wraps tokens into lines of less than 80 characters.
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
    fn a_game_without_moves_has_tags_and_a_result() {
        let pgn = write(&game(Position::start(), ""));
        assert_eq!(pgn, format!("{UNKNOWN}[Result \"*\"]\n\n*\n"));
    }

    #[test]
    fn the_result_is_in_the_tag_and_after_the_moves() {
        let mated = game(Position::start(), "f2f3 e7e5 g2g4 d8h4");
        let pgn = write(&mated);
        assert_eq!(pgn, format!("{UNKNOWN}[Result \"0-1\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n"));

        let mut drawn = game(Position::start(), "e2e4");
        drawn.agree_draw().unwrap();
        assert!(write(&drawn).ends_with("[Result \"1/2-1/2\"]\n\n1. e4 1/2-1/2\n"));
    }

    #[test]
    fn a_start_position_is_in_the_fen_tag() {
        let fen = "4k3/8/8/8/8/8/8/R3K3 b Q - 0 12";
        let pgn = write(&game(fen.parse().unwrap(), "e8d8 e1c1"));
        let tags = format!("[Result \"*\"]\n[FEN \"{fen}\"]\n[SetUp \"1\"]\n");
        assert_eq!(pgn, format!("{UNKNOWN}{tags}\n12... Kd8 13. O-O-O+ *\n"));
    }

    #[test]
    fn quotes_in_names_are_escaped() {
        let tags = Tags { white: "O\"Hara \\ \n[Result \"1-0\"]".to_owned(), ..Tags::default() };
        let game = game(Position::start(), "");
        let pgn = Pgn::new(&tags, &game).to_string();
        assert!(pgn.contains("[White \"O\\\"Hara \\\\  [Result \\\"1-0\\\"]\"]\n"), "{pgn}");
        assert_eq!(pgn.lines().count(), 9);
    }

    #[test]
    fn after_a_clock_comment_the_move_number_is_repeated() {
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
