use chess::{Color, DrawReason, Outcome, Piece, SetupError, Square, WinReason};
use wire::layout::{DecodeError, DecodeErrorKind};

use super::{decode, encode, game, game_from};

#[track_caller]
fn assert_error(bytes: &[u8], offset: usize, kind: DecodeErrorKind) {
    assert_eq!(decode(bytes).err(), Some(DecodeError { offset, kind }));
}

/// The state of these moves with some of its bytes replaced.
fn changed(moves: &str, changes: &[(usize, u8)]) -> Vec<u8> {
    change(encode(&game(moves)), changes)
}

/// The state of this set-up position with some of its bytes replaced.
fn changed_from(fen: &str, changes: &[(usize, u8)]) -> Vec<u8> {
    change(encode(&game_from(fen)), changes)
}

fn change(mut bytes: Vec<u8>, changes: &[(usize, u8)]) -> Vec<u8> {
    for &(offset, byte) in changes {
        bytes[offset] = byte;
    }
    bytes
}

fn mismatch(found: u8, expected: u8) -> DecodeErrorKind {
    DecodeErrorKind::Mismatch { found, expected }
}

#[test]
fn rejects_invalid_byte_values() {
    for (offset, byte, kind) in [
        (0, 2, DecodeErrorKind::Turn(2)),
        (1, 3, DecodeErrorKind::Checked(3)),
        (2, 2, DecodeErrorKind::Mate(2)),
        (3, 0x10, DecodeErrorKind::Rights(0x10)),
        (4, 25, DecodeErrorKind::Piece(25)),
        (67, 255, DecodeErrorKind::Piece(255)),
        (68, 25, DecodeErrorKind::Piece(25)),
        (68, 6, DecodeErrorKind::CapturedKing(Color::White)),
        (68, 24, DecodeErrorKind::CapturedKing(Color::Black)),
        (69, 64, DecodeErrorKind::Square(64)),
        (70, 64, DecodeErrorKind::Square(64)),
        (70, 0xff, DecodeErrorKind::Square(0x7f)),
    ] {
        assert_error(&changed("e2e4 e7e5", &[(offset, byte)]), offset, kind);
    }
    let promotion = "a2a4 b7b5 a4b5 a7a6 b5a6 c8b7 a6b7 b8c6 b7a8q";
    let last = encode(&game(promotion)).len() - 1;
    assert_error(&changed(promotion, &[(last, 0)]), last, DecodeErrorKind::Tag(0));
    assert_error(&changed(promotion, &[(last, 5)]), last, DecodeErrorKind::Tag(5));
}

/// Header bytes are checked before the moves are played.
#[test]
fn names_the_first_of_several_wrong_bytes() {
    assert_error(&[7], 0, DecodeErrorKind::Turn(7));
    assert_error(&changed("e2e4", &[(1, 9), (2, 9), (70, 99)]), 1, DecodeErrorKind::Checked(9));
    assert_error(&changed("e2e4 e7e5", &[(70, 0x1d), (72, 64)]), 69, DecodeErrorKind::Illegal("e2f4".parse().unwrap()));
    assert_error(&changed("e2e4", &[(1, 1), (2, 1)]), 1, mismatch(1, 2));
}

#[test]
fn rejects_truncated_states() {
    let bytes = encode(&game("a2a4 b7b5 a4b5 a7a6 b5a6 c8b7 a6b7 b8c6 b7a8q"));
    let terminator = 68 + bytes[68..].iter().position(|&byte| byte == 0).unwrap();
    for len in 0..68 {
        assert_error(&bytes[..len], len, DecodeErrorKind::EndsInBoard);
    }
    for len in 68..=terminator {
        assert_error(&bytes[..len], len, DecodeErrorKind::EndsInCaptured);
    }
    for len in (terminator + 2..bytes.len()).step_by(2) {
        assert_error(&bytes[..len], len, DecodeErrorKind::EndsInMove);
    }
    // The promotion is there, but not its tag.
    assert_error(&bytes[..bytes.len() - 1], bytes.len() - 1, DecodeErrorKind::EndsInMove);
}

#[test]
fn rejects_illegal_moves() {
    let illegal = |text: &str| DecodeErrorKind::Illegal(text.parse().unwrap());
    assert_error(&changed("e2e4", &[(70, 36)]), 69, illegal("e2e5"));
    assert_error(&changed("e2e4 e7e5", &[(71, 12), (72, 20)]), 71, illegal("e2e3"));
    // A promotion by a piece that cannot promote, and a missing promotion.
    let mut tagged = changed("e2e4", &[(70, 0x9c)]);
    tagged.push(1);
    assert_error(&tagged, 69, illegal("e2e4q"));
    let mut untagged = encode(&game("a2a4 b7b5 a4b5 a7a6 b5a6 c8b7 a6b7 b8c6 b7a8q"));
    untagged.pop();
    let last = untagged.len() - 1;
    untagged[last] &= 0x7f;
    assert_error(&untagged, last - 1, illegal("b7a8"));
    // En passant is only possible at once.
    let late = "e2e4 a7a6 e4e5 d7d5 h2h3 h7h6";
    let mut bytes = encode(&game(late));
    bytes.extend([36, 43]);
    assert_error(&bytes, 81, illegal("e5d6"));
}

#[test]
fn rejects_moves_after_the_end_of_the_game() {
    let mated = "f2f3 e7e5 g2g4 d8h4";
    let mut bytes = encode(&game(mated));
    bytes.extend([8, 16]);
    let over = Outcome::Win { winner: Color::Black, by: WinReason::Checkmate };
    assert_error(&bytes, 77, DecodeErrorKind::Over(over));

    let fivefold = "g1f3 g8f6 f3g1 f6g8 ".repeat(4);
    let mut bytes = encode(&game(&fivefold));
    bytes.extend([8, 16]);
    assert_error(&bytes, 101, DecodeErrorKind::Over(Outcome::Draw(DrawReason::FivefoldRepetition)));
}

#[test]
fn rejects_a_header_that_disagrees_with_the_moves() {
    for (moves, offset, found, expected) in [
        ("e2e4", 0, 0, 1),
        ("e2e4", 1, 1, 2),
        ("e2e4 f7f6 d1h5", 1, 2, 1),
        ("e2e4", 2, 1, 0),
        ("f2f3 e7e5 g2g4 d8h4", 2, 0, 1),
        ("e2e4", 3, 0x0e, 0x0f),
        // A moved flag, another piece, a missing piece, an extra piece.
        ("e2e4", 4 + 28, 1, 7),
        ("e2e4", 4 + 1, 9, 3),
        ("e2e4", 4 + 28, 8, 7),
        ("e2e4", 4 + 60, 0, 18),
        ("e2e4", 4 + 36, 19, 0),
        // Another captured piece, or the same piece with another moved flag.
        ("e2e4 d7d5 e4d5", 68, 21, 19),
        ("e2e4 d7d5 e4d5", 68, 13, 19),
    ] {
        assert_error(&changed(moves, &[(offset, found)]), offset, mismatch(found, expected));
    }
    let taken = "e2e4 d7d5 e4d5";
    let mut more = encode(&game(taken));
    more.insert(69, 19);
    assert_error(&more, 69, mismatch(19, 0));
    let mut fewer = encode(&game(taken));
    fewer.remove(68);
    assert_error(&fewer, 68, mismatch(0, 19));
}

#[test]
fn the_start_position_has_one_encoding() {
    assert_error(&changed("", &[(4 + 1, 9)]), 5, mismatch(9, 3));
    assert_error(&changed("", &[(4 + 59, 23)]), 63, mismatch(23, 17));
    let pawn = DecodeErrorKind::CannotHaveMoved(Piece::WhitePawn, Square::E2);
    assert_error(&changed("", &[(4 + 12, 7)]), 16, pawn);
    assert_error(&changed("", &[(3, 7)]), 3, mismatch(7, 15));
    assert_error(&changed("", &[(4 + 4, 12)]), 3, mismatch(15, 12));
    let mut bytes = encode(&game(""));
    bytes.insert(68, 7);
    assert_error(&bytes, 68, DecodeErrorKind::SetUp(SetupError::TooManyPieces(Color::White)));
}

#[test]
fn rejects_impossible_set_up_positions() {
    let kings = "4k3/8/8/8/8/8/8/4K3 w - - 0 1";
    let set_up = DecodeErrorKind::SetUp;
    assert_error(&changed_from(kings, &[(4 + 4, 0)]), 4, set_up(SetupError::NoKing(Color::White)));
    assert_error(&changed_from(kings, &[(4 + 63, 24)]), 67, set_up(SetupError::SeveralKings(Color::Black)));
    assert_error(&changed_from(kings, &[(4, 7)]), 4, set_up(SetupError::PawnOnBackRank(Square::A1)));
    assert_error(&changed_from(kings, &[(4 + 58, 7)]), 62, set_up(SetupError::PawnOnBackRank(Square::C8)));
    assert_error(&changed_from(kings, &[(4 + 56, 10)]), 64, set_up(SetupError::KingCanBeTaken(Color::Black)));
    let three = [(4 + 3, 24 - 2), (4 + 12, 22), (4 + 19, 21), (4 + 60, 0), (4 + 63, 24)];
    assert_error(&changed_from(kings, &three), 8, set_up(SetupError::TooManyCheckers));
    // The error names the ninth pawn.
    let pawns: Vec<(usize, u8)> = (16..25).map(|square| (4 + square, 7)).collect();
    assert_error(&changed_from(kings, &pawns), 28, set_up(SetupError::TooManyPieces(Color::White)));
}

#[test]
fn rejects_a_set_up_header_that_disagrees_with_the_board() {
    let rooks = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    assert_error(&changed_from(rooks, &[(3, 0)]), 3, mismatch(0, 15));
    assert_error(&changed_from(rooks, &[(4 + 7, 10)]), 3, mismatch(15, 13));
    assert_error(&changed_from(rooks, &[(4 + 60, 24)]), 3, mismatch(15, 3));
    assert_error(&changed_from(rooks, &[(1, 0)]), 1, mismatch(0, 2));
    assert_error(&changed_from(rooks, &[(2, 1)]), 2, mismatch(1, 0));
    let bishop = DecodeErrorKind::MustHaveMoved(Piece::BlackBishop, Square::E4);
    assert_error(&changed_from(rooks, &[(4 + 28, 14)]), 32, bishop);
    let pawn = DecodeErrorKind::MustHaveMoved(Piece::WhitePawn, Square::E7);
    assert_error(&changed_from(rooks, &[(4 + 52, 1)]), 56, pawn);
    let pawn = DecodeErrorKind::CannotHaveMoved(Piece::BlackPawn, Square::E7);
    assert_error(&changed_from(rooks, &[(4 + 52, 19)]), 56, pawn);
    // The right disappears with its rook.
    assert_error(&changed_from(rooks, &[(4 + 63, 0)]), 3, mismatch(15, 7));
}

#[test]
fn rejects_captured_pieces_that_the_board_leaves_no_room_for() {
    let board = "4k3/pppppppp/8/8/8/8/8/3QK3 w - - 0 1";
    let with = |captured: &[u8]| {
        let mut bytes = encode(&game_from(board));
        bytes.splice(68..68, captured.iter().copied());
        bytes
    };
    // With eight black pawns on the board no black pawn was promoted: at most two of a kind, one queen and no pawn can be captured.
    assert!(decode(&with(&[14, 20, 15, 21, 16, 22, 17])).is_ok());
    let black = DecodeErrorKind::SetUp(SetupError::TooManyPieces(Color::Black));
    assert_error(&with(&[17, 23]), 69, black);
    assert_error(&with(&[14, 20, 20]), 70, black);
    assert_error(&with(&[13]), 68, black);
    // All eight white pawns are captured, some after promotion to a queen. One more would be a ninth.
    assert!(decode(&with(&[11, 11, 11, 7, 1, 1, 1, 1])).is_ok());
    let white = DecodeErrorKind::SetUp(SetupError::TooManyPieces(Color::White));
    assert_error(&with(&[11, 11, 11, 7, 1, 1, 1, 1, 1]), 76, white);
    // The queen on d1 is unmoved, so no unmoved queen was captured.
    assert_error(&with(&[5]), 68, DecodeErrorKind::TooManyUnmoved(Piece::WhiteQueen));
    assert_error(&with(&[3, 3, 3]), 70, DecodeErrorKind::TooManyUnmoved(Piece::WhiteKnight));
}

/// At most thirty pieces can be captured. The thirty-first is an error before any move is played.
#[test]
fn rejects_more_than_thirty_captured_pieces() {
    let with = |captured: usize| {
        let mut bytes = encode(&game("e2e4"));
        bytes.splice(68..68, std::iter::repeat_n(7, captured));
        bytes
    };
    assert_error(&with(30), 68, mismatch(7, 0));
    assert_error(&with(31), 98, DecodeErrorKind::TooManyCaptured);
    assert_error(&with(400), 98, DecodeErrorKind::TooManyCaptured);
    assert_error(&with(31)[..99], 98, DecodeErrorKind::TooManyCaptured);
    assert_error(&with(31)[..98], 98, DecodeErrorKind::EndsInCaptured);
    let error = decode(&with(31)).unwrap_err();
    assert_eq!(error.to_string(), "byte 98: no more than 30 pieces can be captured");
}

#[test]
fn errors_are_readable_sentences() {
    for (bytes, sentence) in [
        (vec![], "byte 0: the state ends here, but its board goes on to byte 67"),
        (changed("", &[(0, 2)]), "byte 0: the player to move is 0 or 1, not 2"),
        (changed("e2e4", &[(70, 36)]), "byte 69: e2e5 is not a legal move here"),
        (changed("e2e4", &[(1, 1)]), "byte 1: the player in check is 1, but the game makes it 2"),
        (changed("e2e4", &[(32, 1)]), "byte 32: the piece on e4 is 1, but the game makes it 7"),
        (changed("e2e4 d7d5 e4d5", &[(68, 13)]), "byte 68: captured piece 1 is 13, but the game makes it 19"),
        (changed("", &[(32, 14)]), "byte 32: a black bishop on e4 must have moved"),
        (changed("", &[(8, 0)]), "byte 4: white has no king"),
    ] {
        assert_eq!(decode(&bytes).unwrap_err().to_string(), sentence);
    }
}
