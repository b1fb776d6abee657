//! Where the tests play.

use chess::{Move, Position};

/// Positions that have every kind of move between them, for both sides.
const ALL: [&str; 15] = [
    // All pieces, captures of every kind, both castlings.
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    // Castling on an empty board, where every rook has a long way to go.
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
    "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1",
    // En passant: to one side, from both sides, and beside captures on the same squares.
    "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
    "4k3/8/8/2PpP3/8/8/8/4K3 w - d6 0 1",
    "4k3/2n1n3/8/2PpP3/8/8/8/4K3 w - d6 0 1",
    "4k3/8/8/8/pPp5/B1N5/8/4K3 b - b3 0 1",
    // Promotion, straight and with captures to both sides.
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N w - - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    // Promotion in answer to a slide.
    "3nk3/8/8/8/8/R2Q4/2p2p1K/2R1N3 w - - 0 1",
    // Endings, with much room to slide.
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "8/k7/3q4/8/4Q3/2B5/1R3K2/7r w - - 0 1",
    // Check: only some squares of a line are legal.
    "3rk3/8/8/3b4/1B6/8/3K4/R6Q w - - 0 1",
];

pub(crate) fn all() -> impl Iterator<Item = Position> {
    ALL.into_iter().map(|fen| fen.parse().expect(fen))
}

/// Every legal move of every position.
pub(crate) fn moves() -> impl Iterator<Item = (Position, Move)> {
    all().flat_map(|position| {
        let moves: Vec<Move> = position.legal_moves().to_vec();
        moves.into_iter().map(move |mv| (position, mv))
    })
}

/// The same without promotions, which are only complete with an answer.
pub(crate) fn plain_moves() -> impl Iterator<Item = (Position, Move)> {
    moves().filter(|(_, mv)| mv.promotion().is_none())
}
