//! The position in the document's form: 64 numbers, and which pieces have moved.

use chess::{Color, Game, Piece, Role, Scoresheet, Square};
use rules::{Look, Situation};
use serde::{Serialize, Serializer};

/// The board, from a8 to h1: White's pieces are positive, Black's negative.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Board(pub(super) [i8; 64]);

/// Which pawns have just made a double step: Black's on the files a to h, then White's.
pub(super) type EnPassant = [bool; 16];

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub(super) struct Kings {
    pub(super) white: bool,
    pub(super) black: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[expect(clippy::struct_excessive_bools, reason = "the document has them")]
pub(super) struct Rooks {
    pub(super) a1: bool,
    pub(super) h1: bool,
    pub(super) a8: bool,
    pub(super) h8: bool,
}

impl Serialize for Board {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.as_slice().serialize(serializer)
    }
}

impl Board {
    pub(super) fn of(here: Situation<'_>) -> Self {
        let mut numbers = [0; 64];
        for (number, square) in numbers.iter_mut().zip(Square::all()) {
            // The document starts at Black's side.
            *number = here.look(square.flip_rank()).map_or(0, |look| number_of(&look));
        }
        Self(numbers)
    }
}

const fn number_of(look: &Look<'_>) -> i8 {
    let number = match look.drawing {
        Some(Role::Pawn) => 1,
        Some(Role::Rook) => 2,
        Some(Role::Knight) => 3,
        Some(Role::Bishop) => 4,
        Some(Role::Queen) => 5,
        Some(Role::King) => 6,
        // The document has no number for a piece that chess does not have.
        None => 7,
    };
    match look.color {
        Color::White => number,
        Color::Black => -number,
    }
}

/// Also if no pawn can capture it: the document says "exposed".
pub(super) fn en_passant(game: &Game<impl Scoresheet>) -> EnPassant {
    let mut exposed = [false; 16];
    let stepped = game.moves().last().filter(|mv| {
        let is_pawn = game.position().piece_at(mv.to()).is_some_and(|piece| piece.role() == Role::Pawn);
        is_pawn && mv.from().rank().index().abs_diff(mv.to().rank().index()) == 2
    });
    if let Some(mv) = stepped {
        let side = if game.position().turn() == Color::White { 0 } else { 8 };
        exposed[side + usize::from(mv.to().file().index())] = true;
    }
    exposed
}

/// Which kings have moved since the game began, and which rooks have left the corner where they stood then. A rook that was
/// captured there has left it, too.
pub(super) fn moved(game: &Game<impl Scoresheet>) -> (Kings, Rooks) {
    let start = game.start();
    let mut kings = [start.king(Color::White), start.king(Color::Black)];
    let mut have_kings_moved = [false; 2];
    let mut touched = chess::Bitboard::EMPTY;
    let mut side = usize::from(start.turn() == Color::Black);
    for mv in game.moves() {
        if kings[side] == mv.from() {
            kings[side] = mv.to();
            have_kings_moved[side] = true;
        }
        touched |= chess::Bitboard::of(mv.from()) | chess::Bitboard::of(mv.to());
        side = 1 - side;
    }
    let left = |corner, color| {
        let rook = Some(Piece::new(color, Role::Rook));
        // A rook that has castled has left its corner without a move of its own.
        let is_gone = touched.has(corner) || game.position().piece_at(corner) != rook;
        start.piece_at(corner) == rook && is_gone
    };
    let rooks = Rooks {
        a1: left(Square::A1, Color::White),
        h1: left(Square::H1, Color::White),
        a8: left(Square::A8, Color::Black),
        h8: left(Square::H8, Color::Black),
    };
    (Kings { white: have_kings_moved[0], black: have_kings_moved[1] }, rooks)
}

#[cfg(test)]
mod tests {
    use chess::Game;

    use super::*;

    fn after(moves: &str) -> Box<Game> {
        from(chess::Position::start(), moves)
    }

    fn from(start: chess::Position, moves: &str) -> Box<Game> {
        let mut game = Box::new(Game::new());
        game.restart(start);
        for mv in moves.split_whitespace() {
            game.play(mv.parse().expect(mv)).expect(mv);
        }
        game
    }

    fn board(moves: &str) -> Board {
        Board::of(Situation::Chess(after(moves).position()))
    }

    #[test]
    fn the_board_matches_the_document() {
        let document = "-2, -3, -4, -5, -6, -4, -3, -2, -1, -1, -1, -1, -1, -1, -1, -1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, \
            0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 2, 3, 4, 5, 6, 4, 3, 2";
        let first = serde_json::to_string(&board("")).unwrap();
        assert_eq!(first, format!("[{}]", document.replace(' ', "")));
        assert_eq!(serde_json::to_value(board("e2e4")).unwrap()[36], 1);
    }

    #[test]
    fn a_double_step_exposes_its_square_until_the_next_move() {
        let exposed = |moves: &str| en_passant(&after(moves)).iter().position(|&exposed| exposed);
        assert_eq!(exposed(""), None);
        assert_eq!(exposed("a2a4"), Some(8));
        assert_eq!(exposed("h2h4"), Some(15));
        assert_eq!(exposed("h2h4 a7a5"), Some(0));
        assert_eq!(exposed("h2h4 h7h5"), Some(7));
        assert_eq!(exposed("e2e3"), None);
        assert_eq!(exposed("e2e4 g8f6"), None);
        // A rook goes two ranks as well.
        assert_eq!(exposed("a2a4 e7e5 a1a3"), None);
    }

    #[test]
    fn moved_flags_of_kings_and_rooks_follow_their_moves() {
        let facts = |moves: &str| {
            let (Kings { white, black }, Rooks { a1, h1, a8, h8 }) = moved(&after(moves));
            [white, black, a1, h1, a8, h8].map(u8::from)
        };
        assert_eq!(facts("e2e4 e7e5"), [0, 0, 0, 0, 0, 0]);
        // And back again.
        assert_eq!(facts("e2e4 e7e5 e1e2 e8e7 e2e1 e7e8"), [1, 1, 0, 0, 0, 0]);
        assert_eq!(facts("a2a4 h7h5 a1a3 h8h6 a3a1 h6h8"), [0, 0, 1, 0, 0, 1]);
        assert_eq!(facts("e2e4 e7e5 g1f3 g8f6 f1c4 f8c5 e1g1 e8g8"), [1, 1, 0, 1, 0, 1]);
        assert_eq!(facts("d2d4 d7d5 b1c3 b8c6 c1f4 c8f5 d1d2 d8d7 e1c1 e8c8"), [1, 1, 1, 0, 1, 0]);
        // Captured where it stood: the bishop takes the rook on h8, and the queen recaptures nothing.
        assert_eq!(facts("g2g3 b7b6 f1g2 g7g6 g2a8"), [0, 0, 0, 0, 1, 0]);
    }

    /// A set-up without castling rights has moved nothing, and a corner that was empty holds no rook that could have.
    #[test]
    fn moved_flags_do_not_follow_from_castling_rights() {
        let start = "4k3/8/8/8/8/8/8/R3K3 w - - 0 1".parse().unwrap();
        assert_eq!(moved(&from(start, "")), (Kings::default(), Rooks::default()));
        let (kings, rooks) = moved(&from(start, "a1a8 e8e7 a8h8"));
        assert_eq!((kings.black, rooks), (true, Rooks { a1: true, ..Rooks::default() }));
    }
}
