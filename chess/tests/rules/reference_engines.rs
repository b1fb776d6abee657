//! The other engines, who follow a game of ours and are asked about everything that they know.

use chess::{Color, Game, Move, Piece, Position, Promotion, Role, Square};
use cozy_chess::{Board, GameStatus};
use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, EnPassantMode, FromSetup, Position as _, PositionError};

/// cozy-chess, with what makes the positions of the game so far the same or not: it does not count repetitions itself.
pub(crate) struct Cozy {
    board: Board,
    history: Vec<String>,
}

impl Cozy {
    /// It refuses a position in which the last move was a double step of a pawn that cannot have given this check, as a
    /// random set-up may have it.
    pub(crate) fn from_position(position: &Position) -> Option<Self> {
        let mut board = Board::from_fen(&cozy_fen(position), false).ok()?;
        board.set_halfmove_clock(position.halfmoves().min(100));
        let history = vec![identity(&board)];
        Some(Self { board, history })
    }

    pub(crate) fn play(&mut self, mv: Move) {
        let theirs = self.moves().into_iter().find(|&(ours, _)| ours == mv);
        let (_, theirs) = theirs.unwrap_or_else(|| panic!("cozy-chess does not know {mv} on {}", self.board));
        self.board.play(theirs);
        self.history.push(identity(&self.board));
    }

    /// The legal moves, as we write them and as it does.
    fn moves(&self) -> Vec<(Move, cozy_chess::Move)> {
        let board = &self.board;
        let mut moves = Vec::new();
        board.generate_moves(|set| {
            moves.extend(set.into_iter().map(|mv| (from_cozy(board, mv), mv)));
            false
        });
        moves
    }

    pub(crate) fn agrees(&self, game: &Game) {
        let (board, position) = (&self.board, game.position());
        let theirs: Vec<Move> = self.moves().into_iter().map(|(ours, _)| ours).collect();
        assert_eq!(sorted(&position.legal_moves()), sorted(&theirs), "legal moves");
        assert_eq!(position.fen().to_string(), our_fen(board, position), "FEN");
        assert_eq!(position.checkers().0, board.checkers().0, "pieces that give check");
        for role in Role::ALL {
            for color in Color::ALL {
                let theirs = board.colored_pieces(cozy_color(color), cozy_piece(role));
                assert_eq!(position.of(Piece::new(color, role)).0, theirs.0, "squares of {color} {role}");
            }
        }

        let status = match (position.is_checkmate(), position.is_stalemate()) {
            (true, false) => GameStatus::Won,
            (false, true) => GameStatus::Drawn,
            (false, false) if position.halfmoves() >= 100 => GameStatus::Drawn,
            (false, false) => GameStatus::Ongoing,
            (true, true) => panic!("both mate and stalemate"),
        };
        assert_eq!(status, board.status(), "status");
        let now = self.history.last();
        let repetitions = self.history.iter().filter(|&earlier| Some(earlier) == now).count();
        assert_eq!(game.repetitions(), repetitions, "repetitions");
    }
}

/// Castling is the king's own move with us, as in UCI; there the king takes its rook.
fn from_cozy(board: &Board, mv: cozy_chess::Move) -> Move {
    let castles = board.color_on(mv.from) == board.color_on(mv.to);
    let to = match (castles, mv.from < mv.to) {
        (false, _) => mv.to,
        (true, true) => cozy_chess::Square::new(cozy_chess::File::G, mv.to.rank()),
        (true, false) => cozy_chess::Square::new(cozy_chess::File::C, mv.to.rank()),
    };
    let promotion = mv.promotion.map(|piece| match piece {
        cozy_chess::Piece::Knight => Promotion::Knight,
        cozy_chess::Piece::Bishop => Promotion::Bishop,
        cozy_chess::Piece::Rook => Promotion::Rook,
        cozy_chess::Piece::Queen => Promotion::Queen,
        cozy_chess::Piece::Pawn | cozy_chess::Piece::King => panic!("no pawn becomes a {piece}"),
    });
    Move::new(Square::from_index(mv.from as u8), Square::from_index(to as u8)).promoting(promotion)
}

fn cozy_color(color: Color) -> cozy_chess::Color {
    match color {
        Color::White => cozy_chess::Color::White,
        Color::Black => cozy_chess::Color::Black,
    }
}

fn cozy_piece(role: Role) -> cozy_chess::Piece {
    match role {
        Role::Pawn => cozy_chess::Piece::Pawn,
        Role::Knight => cozy_chess::Piece::Knight,
        Role::Bishop => cozy_chess::Piece::Bishop,
        Role::Rook => cozy_chess::Piece::Rook,
        Role::Queen => cozy_chess::Piece::Queen,
        Role::King => cozy_chess::Piece::King,
    }
}

/// Our FEN for cozy-chess, whose counter of plies ends at the fifty-move rule.
fn cozy_fen(position: &Position) -> String {
    with_fields(&position.fen().to_string(), |fields| fields[4] = "0".into())
}

/// The FEN that we should write for a board of cozy-chess, whose counter of plies ends at 100, as ours does not.
fn our_fen(board: &Board, position: &Position) -> String {
    with_fields(&board.to_string(), |fields| {
        forget_useless_en_passant(board, fields);
        if fields[4] == "100" {
            fields[4] = position.halfmoves().max(100).to_string();
        }
    })
}

/// The four fields of a FEN that decide whether a position is the same.
///
/// cozy-chess can compare positions as well, but takes a queen or a king beside the pawn that has just passed for one
/// that could capture it.
fn identity(board: &Board) -> String {
    with_fields(&board.to_string(), |fields| {
        forget_useless_en_passant(board, fields);
        fields.truncate(4);
    })
}

/// cozy-chess notes the passed square after each double step; we do so only if a legal move captures there.
fn forget_useless_en_passant(board: &Board, fields: &mut [String]) {
    let captures_on = |to: cozy_chess::Square| {
        let pawns = board.colored_pieces(board.side_to_move(), cozy_chess::Piece::Pawn);
        pawns.into_iter().any(|from| board.is_legal(cozy_chess::Move { from, to, promotion: None }))
    };
    if fields[3] != "-" && !captures_on(fields[3].parse().expect("a square")) {
        fields[3] = "-".into();
    }
}

fn with_fields(fen: &str, change: impl FnOnce(&mut Vec<String>)) -> String {
    let mut fields: Vec<String> = fen.split(' ').map(str::to_owned).collect();
    change(&mut fields);
    fields.join(" ")
}

/// shakmaty, with the position it is in.
pub(crate) struct Shakmaty(pub(crate) Chess);

impl Shakmaty {
    pub(crate) fn from_position(position: &Position) -> Self {
        let fen: Fen = position.fen().to_string().parse().expect("our FEN is a FEN");
        let chess = Chess::from_setup(fen.into_setup(), CastlingMode::Standard);
        // It would refuse checks that no move can have given. They are no trouble for either of us.
        Self(chess.or_else(PositionError::ignore_impossible_check).expect("a position of ours is one of theirs"))
    }

    pub(crate) fn play(&mut self, mv: Move) {
        let theirs = self.moves().into_iter().find(|&(ours, _)| ours == mv);
        let (_, theirs) = theirs.unwrap_or_else(|| panic!("shakmaty does not know {mv}"));
        self.0.play_unchecked(theirs);
    }

    /// The legal moves, as we write them and as it does.
    pub(crate) fn moves(&self) -> Vec<(Move, shakmaty::Move)> {
        self.0.legal_moves().iter().map(|&mv| (from_shakmaty(mv), mv)).collect()
    }

    pub(crate) fn agrees(&self, position: &Position) {
        let theirs: Vec<Move> = self.moves().into_iter().map(|(ours, _)| ours).collect();
        assert_eq!(sorted(&position.legal_moves()), sorted(&theirs), "legal moves");
        let fen = Fen::from_position(&self.0, EnPassantMode::Legal);
        assert_eq!(position.fen().to_string(), fen.to_string(), "FEN");
        assert_eq!(position.is_check(), self.0.is_check(), "check");
        assert_eq!(position.is_checkmate(), self.0.is_checkmate(), "mate");
        assert_eq!(position.is_stalemate(), self.0.is_stalemate(), "stalemate");
        self.agrees_on_material(position);
    }

    pub(crate) fn agrees_on_material(&self, position: &Position) {
        for (color, theirs) in [(Color::White, shakmaty::Color::White), (Color::Black, shakmaty::Color::Black)] {
            let insufficient = self.0.has_insufficient_material(theirs);
            assert_eq!(position.can_mate(color), !insufficient, "whether {color} can mate");
        }
        assert_eq!(position.is_insufficient_material(), self.0.is_insufficient_material());
    }
}

fn from_shakmaty(mv: shakmaty::Move) -> Move {
    let UciMove::Normal { from, to, promotion } = UciMove::from_standard(mv) else {
        panic!("{mv} is no move of chess");
    };
    let promotion = promotion.map(|role| match role {
        shakmaty::Role::Knight => Promotion::Knight,
        shakmaty::Role::Bishop => Promotion::Bishop,
        shakmaty::Role::Rook => Promotion::Rook,
        shakmaty::Role::Queen => Promotion::Queen,
        shakmaty::Role::Pawn | shakmaty::Role::King => panic!("no pawn becomes a {role:?}"),
    });
    Move::new(Square::from_index(from as u8), Square::from_index(to as u8)).promoting(promotion)
}

/// The same moves in an order that does not depend on who found them.
pub(crate) fn sorted(moves: &[Move]) -> Vec<Move> {
    let mut moves = moves.to_vec();
    moves.sort_unstable();
    moves
}
