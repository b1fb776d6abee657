//! Which boards a game can be played from.

use chess::{CastlingRights, CastlingSide, Color, FenError, Piece, Position, Rank, Role, Setup, SetupError, Square};
use shakmaty::{CastlingMode, Chess, FromSetup, PositionErrorKinds};

use crate::random_games::{check, setups};

/// The same board for shakmaty, which keeps castling rights as the squares of the rooks.
fn for_shakmaty(setup: &Setup) -> shakmaty::Setup {
    let mut theirs = shakmaty::Setup::empty();
    for (square, piece) in Square::all().zip(setup.board) {
        if let Some(piece) = piece.and_then(|piece| shakmaty::Piece::from_char(piece.letter())) {
            theirs.board.set_piece_at(shakmaty::Square::new(square.index().into()), piece);
        }
    }
    theirs.turn = shakmaty::Color::from_white(setup.turn == Color::White);
    for (color, side, rook) in [
        (Color::White, CastlingSide::King, shakmaty::Square::H1),
        (Color::White, CastlingSide::Queen, shakmaty::Square::A1),
        (Color::Black, CastlingSide::King, shakmaty::Square::H8),
        (Color::Black, CastlingSide::Queen, shakmaty::Square::A8),
    ] {
        if setup.castling.has(color, side) {
            theirs.castling_rights.add(rook);
        }
    }
    theirs.ep_square = setup.en_passant.map(|square| shakmaty::Square::new(square.index().into()));
    theirs
}

/// What shakmaty finds wrong with a board that we refuse for this reason.
fn kind(error: SetupError) -> PositionErrorKinds {
    match error {
        SetupError::NoKing(_) => PositionErrorKinds::MISSING_KING,
        SetupError::SeveralKings(_) => PositionErrorKinds::TOO_MANY_KINGS,
        SetupError::PawnOnBackRank(_) => PositionErrorKinds::PAWNS_ON_BACKRANK,
        SetupError::TooManyPieces(_) => PositionErrorKinds::TOO_MUCH_MATERIAL,
        SetupError::KingCanBeTaken(_) => PositionErrorKinds::OPPOSITE_CHECK,
        SetupError::TooManyCheckers => PositionErrorKinds::IMPOSSIBLE_CHECK,
        SetupError::Castling(..) => PositionErrorKinds::INVALID_CASTLING_RIGHTS,
        SetupError::EnPassant(_) => PositionErrorKinds::INVALID_EP_SQUARE,
        // It does not look at the counter.
        SetupError::Halfmoves(_) => PositionErrorKinds::empty(),
    }
}

#[test]
fn shakmaty_agrees_on_valid_positions() {
    check(5000, &setups(), |setup| {
        let theirs = match Chess::from_setup(for_shakmaty(&setup), CastlingMode::Standard) {
            Ok(_) => PositionErrorKinds::empty(),
            Err(error) => error.kinds(),
        };
        match setup.position() {
            Ok(_) => {
                // It also refuses checks that no last move can have given, which does not make the position unplayable.
                let refused = theirs.difference(PositionErrorKinds::IMPOSSIBLE_CHECK);
                assert!(refused.is_empty(), "shakmaty refuses: {refused:?}");
            }
            Err(SetupError::Halfmoves(count)) => assert!(count > 150 && count == setup.halfmoves),
            Err(error) => assert!(theirs.contains(kind(error)), "refused by us: {error}; shakmaty: {theirs:?}"),
        }
    });
}

#[test]
fn a_position_returns_its_setup() {
    check(4000, &setups(), |setup| {
        let Ok(position) = setup.position() else { return };
        let parts = Setup::from(&position);
        assert_eq!(parts.board, setup.board);
        assert_eq!((parts.turn, parts.castling), (setup.turn, setup.castling));
        assert_eq!((parts.halfmoves, parts.fullmoves), (setup.halfmoves, setup.fullmoves.max(1)));
        // A passed square on which no pawn can capture is dropped.
        assert!(parts.en_passant.is_none() || parts.en_passant == setup.en_passant);
        assert_eq!(parts.position(), Ok(position));
    });
}

#[test]
fn castling_rights_need_king_and_rook_on_their_squares() {
    for (color, side, rook, king, others_rook) in [
        (Color::White, CastlingSide::King, Square::H1, Square::E1, Square::A1),
        (Color::White, CastlingSide::Queen, Square::A1, Square::E1, Square::H1),
        (Color::Black, CastlingSide::King, Square::H8, Square::E8, Square::A8),
        (Color::Black, CastlingSide::Queen, Square::A8, Square::E8, Square::H8),
    ] {
        let start = Setup { castling: CastlingRights::of(color, side), ..Setup::from(&Position::start()) };
        assert!(start.position().is_ok());
        let index = |square: Square| usize::from(square.index());

        let mut without_rook = start;
        without_rook.board[index(rook)] = None;
        assert_eq!(without_rook.position(), Err(SetupError::Castling(color, side)));

        let mut with_their_rook = start;
        with_their_rook.board[index(rook)] = start.board[index(others_rook.flip_rank())];
        with_their_rook.board[index(others_rook.flip_rank())] = None;
        assert_eq!(with_their_rook.position(), Err(SetupError::Castling(color, side)));

        let mut with_king_aside = start;
        with_king_aside.board.swap(index(king), index(king) - 1);
        assert_eq!(with_king_aside.position(), Err(SetupError::Castling(color, side)));

        let mut without_other_rook = start;
        without_other_rook.board[index(others_rook)] = None;
        assert!(without_other_rook.position().is_ok());
    }
}

#[test]
fn an_en_passant_square_needs_its_pawn_and_an_empty_path() {
    for (fen, possible) in [
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", true),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d5 0 1", false),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - e6 0 1", false),
        ("4k3/8/8/3PP3/8/8/8/4K3 w - d6 0 1", false),
        ("4k3/8/3n4/3pP3/8/8/8/4K3 w - d6 0 1", false),
        ("4k3/3n4/8/3pP3/8/8/8/4K3 w - d6 0 1", false),
        ("4k3/8/8/3nP3/8/8/8/4K3 w - d6 0 1", false),
        ("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1", true),
        ("4k3/8/8/8/3pP3/8/8/4K3 w - e3 0 1", false),
        ("4k3/8/8/8/3pP3/8/4N3/4K3 b - e3 0 1", false),
        ("4k3/8/8/8/3pP3/4N3/8/4K3 b - e3 0 1", false),
    ] {
        let position = fen.parse::<Position>();
        assert_eq!(position.is_ok(), possible, "{fen}: {position:?}");
        assert_eq!(position.is_ok_and(|position| position.en_passant().is_some()), possible, "{fen}");
    }
}

/// Eight pawns can become eight pieces, and no more: a bishop keeps the colour of its squares, so there is one of each.
#[test]
fn promoted_pieces_are_limited_by_missing_pawns() {
    let kinds = [
        (Role::Knight, None, 2),
        (Role::Bishop, Some(true), 1),
        (Role::Bishop, Some(false), 1),
        (Role::Rook, None, 2),
        (Role::Queen, None, 1),
    ];
    for (role, light, at_first) in kinds {
        for (pawns, pieces) in (0..=8).flat_map(|pawns| (0..=11).map(move |pieces| (pawns, pieces))) {
            for color in Color::ALL {
                let setup = crowd(color, pawns, role, light, pieces);
                let too_many = setup.position() == Err(SetupError::TooManyPieces(color));
                let grown = pieces.saturating_sub(at_first);
                assert_eq!(too_many, pawns + grown > 8, "{color} has {pawns} pawns and {pieces} {role}s");
            }
        }
    }
}

/// Numbers of pawns and of pieces of one role, all on light squares or all on dark ones if it says so.
fn crowd(color: Color, pawns: usize, role: Role, light: Option<bool>, pieces: usize) -> Setup {
    let mut setup = Setup::EMPTY;
    let mut put = |square: Square, color, role| {
        setup.board[usize::from(square.index())] = Some(Piece::new(color, role));
    };
    put(Square::A1, color, Role::King);
    put(Square::H8, !color, Role::King);
    for square in Square::all().filter(|square| square.rank() == Rank::Third).take(pawns) {
        put(square, color, Role::Pawn);
    }
    let free = Square::all().filter(|&square| square.rank() > Rank::Third && square != Square::H8);
    for square in free.filter(|square| light.is_none_or(|light| square.is_light() == light)).take(pieces) {
        put(square, color, role);
    }
    setup
}

#[test]
fn rejects_a_triple_check() {
    for (fen, possible) in [
        ("4k3/8/3N4/8/8/8/4R3/4K3 b - - 0 1", true),
        ("4k3/8/3N4/1B6/8/8/4R3/4K3 b - - 0 1", false),
        ("4k3/3P4/3N1N2/8/8/8/8/4K3 b - - 0 1", false),
    ] {
        let refused = fen.parse::<Position>() == Err(FenError::Setup(SetupError::TooManyCheckers));
        assert_eq!(refused, !possible, "{fen}");
    }
}
