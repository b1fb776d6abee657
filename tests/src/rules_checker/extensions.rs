//! Compares the extension fields of a state, and moves in UCI and SAN, with cozy-chess.

use std::collections::BTreeSet;

use cozy_chess::util::{display_san_move, parse_uci_move};
use cozy_chess::{Color, Move, Piece, Rank, Square};
use serde_json::Value;

use super::RulesChecker;

impl RulesChecker {
    /// Plays a move in UCI notation, and returns it in SAN.
    pub(crate) fn play_uci(&mut self, uci: &str) -> Result<String, String> {
        let mv = parse_uci_move(&self.board, uci).map_err(|error| format!("{uci:?}: {error}"))?;
        if !self.board.is_legal(mv) {
            return Err(format!("{uci} is illegal in {}", self.board));
        }
        let san = display_san_move(&self.board, mv).to_string();
        self.play(mv);
        Ok(san)
    }

    /// One of the legal moves that do not end the game at once, if there is one.
    pub(crate) fn pick_quiet_move(&self, random: u64) -> Option<(Move, String)> {
        let moves = self.legal_moves();
        let goes_on = |mv: &&Move| {
            let mut after = self.board.clone();
            after.play_unchecked(**mv);
            after.generate_moves(|_| true)
        };
        let quiet: Vec<Move> = moves.iter().filter(goes_on).copied().collect();
        self.pick_among(if quiet.is_empty() { &moves } else { &quiet }, random)
    }

    /// The first difference between the extension fields of a state and this game.
    pub(crate) fn extension_contradiction(&self, state: &Value) -> Option<String> {
        let fen = self.fen();
        if state["fen"] != fen.as_str() {
            return Some(format!("the position is {fen}, not {}", state["fen"]));
        }
        let turn = name(self.board.side_to_move());
        if state["turn"] != turn {
            return Some(format!("{turn} is to move, not {}", state["turn"]));
        }
        let check = if self.board.checkers().is_empty() { Value::Null } else { turn.into() };
        if state["check"] != check {
            return Some(format!("in check is {check}, not {}", state["check"]));
        }
        if state["phase"] == "playing" && self.result().is_none() {
            let (expected, shown) = (self.legal_texts(), legal_texts_in(&state["legal_moves"]));
            if expected != shown {
                let difference: Vec<_> = expected.symmetric_difference(&shown).collect();
                return Some(format!("legal moves differ in {difference:?} at {fen}"));
            }
        }
        None
    }

    /// The FEN with an en passant square only if a legal move captures on it.
    pub(crate) fn fen(&self) -> String {
        let text = self.board.to_string();
        let fields: Vec<&str> = text.split(' ').collect();
        let en_passant = self.en_passant().map_or_else(|| "-".to_owned(), |square| square.to_string());
        let (halfmoves, number) = (self.halfmove_clock, self.board.fullmove_number());
        format!("{} {} {} {en_passant} {halfmoves} {number}", fields[0], fields[1], fields[2])
    }

    fn en_passant(&self) -> Option<Square> {
        let color = self.board.side_to_move();
        let square = Square::new(self.board.en_passant()?, Rank::Sixth.relative_to(color));
        let captures = |mv: &Move| {
            mv.to == square && mv.from.file() != square.file() && self.board.piece_on(mv.from) == Some(Piece::Pawn)
        };
        self.legal_moves().iter().any(captures).then_some(square)
    }

    fn legal_texts(&self) -> BTreeSet<String> {
        let promotion = |mv: &Move| match mv.promotion {
            Some(Piece::Queen) => "q",
            Some(Piece::Rook) => "r",
            Some(Piece::Bishop) => "b",
            Some(Piece::Knight) => "n",
            _ => "",
        };
        self.legal_moves().iter().map(|mv| format!("{}{}{}", mv.from, self.destination(*mv), promotion(mv))).collect()
    }
}

/// `{"e2":["e3","e4"],"a7":["a8=qrbn"]}` as `e2e3`, `e2e4`, `a7a8q` ..
fn legal_texts_in(shown: &Value) -> BTreeSet<String> {
    let mut texts = BTreeSet::new();
    for (from, targets) in shown.as_object().into_iter().flatten() {
        for target in targets.as_array().into_iter().flatten().filter_map(Value::as_str) {
            match target.split_once('=') {
                Some((to, letters)) => texts.extend(letters.chars().map(|letter| format!("{from}{to}{letter}"))),
                None => {
                    texts.insert(format!("{from}{target}"));
                }
            }
        }
    }
    texts
}

const fn name(color: Color) -> &'static str {
    match color {
        Color::White => "white",
        Color::Black => "black",
    }
}

#[cfg(test)]
mod tests {
    use cozy_chess::File;
    use serde_json::json;

    use super::*;

    fn after(moves: &str) -> RulesChecker {
        let mut rules = RulesChecker::new();
        for mv in moves.split_whitespace() {
            rules.play_uci(mv).unwrap();
        }
        rules
    }

    #[test]
    fn moves_have_their_notation() {
        let mut rules = after("e2e4 e7e5 g1f3 b8c6 f1c4 g8f6");
        assert_eq!(rules.play_uci("e1g1"), Ok("O-O".to_owned()));
        assert!(rules.play_uci("e1e8").is_err() && rules.play_uci("x").is_err());
        assert_eq!(after("f2f3 e7e5 g2g4").play_uci("d8h4"), Ok("Qh4#".to_owned()));
    }

    #[test]
    fn an_en_passant_square_is_shown_only_if_a_pawn_can_capture_there() {
        assert_eq!(after("e2e4").fen(), "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
        let fen = after("e2e4 a7a6 e4e5 d7d5").fen();
        assert_eq!(fen, "rnbqkbnr/1pp1pppp/p7/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3");
    }

    #[test]
    fn notices_every_wrong_extension_field() {
        let rules = after("e2e4 f7f5 d1h5");
        let right = json!({
            "fen": "rnbqkbnr/ppppp1pp/8/5p1Q/4P3/8/PPPP1PPP/RNB1KBNR b KQkq - 1 2", "turn": "black", "check": "black",
            "phase": "playing", "legal_moves": {"g7": ["g6"]},
        });
        assert_eq!(rules.extension_contradiction(&right), None);
        for (field, wrong) in [
            ("fen", json!("rnbqkbnr/ppppp1pp/8/5p1Q/4P3/8/PPPP1PPP/RNB1KBNR b KQkq - 2 2")),
            ("turn", json!("white")),
            ("check", Value::Null),
            ("legal_moves", json!({"g7": ["g5", "g6"]})),
            ("legal_moves", json!({})),
        ] {
            let mut state = right.clone();
            state[field] = wrong;
            assert!(rules.extension_contradiction(&state).is_some(), "{field}");
        }
    }

    #[test]
    fn a_quiet_move_does_not_end_the_game() {
        // Black could mate.
        let rules = after("f2f3 e7e5 g2g4");
        for number in 0..200 {
            let (_, text) = rules.pick_quiet_move(number).unwrap();
            assert!(!text.contains(r#""start":"d8","end":"h4""#), "{text}");
        }
    }

    #[test]
    fn the_files_of_en_passant_are_those_of_the_board() {
        assert_eq!(after("e2e4 a7a6 e4e5 d7d5").en_passant().map(Square::file), Some(File::D));
    }
}
