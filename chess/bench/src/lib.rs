//! One perft function for whichever engine the build has, each written with the best that the engine's API offers.
//! With no engine there is nothing to count: that build shows what the image around an engine costs.
#![no_std]

#[cfg(target_os = "none")]
pub mod counter;

/// The engine in this build.
pub const ENGINE: &str = if cfg!(feature = "tabiya") {
    "tabiya"
} else if cfg!(feature = "cozy") {
    "cozy-chess"
} else if cfg!(feature = "shakmaty-magics") {
    "shakmaty with magics"
} else if cfg!(feature = "shakmaty") {
    "shakmaty"
} else {
    "none"
};

/// The number of leaves at a depth below a position, the last ply counted in bulk.
#[cfg(feature = "tabiya")]
#[must_use]
pub fn perft(fen: &str, depth: u32) -> u64 {
    fen.parse::<chess::Position>().map_or(0, |position| position.perft(depth))
}

/// The number of leaves at a depth below a position, the last ply counted in bulk.
#[cfg(all(feature = "cozy", not(feature = "tabiya")))]
#[must_use]
pub fn perft(fen: &str, depth: u32) -> u64 {
    use cozy_chess::Board;

    fn count(board: &Board, depth: u32) -> u64 {
        let mut nodes = 0;
        board.generate_moves(|moves| {
            if depth == 1 {
                nodes += moves.len() as u64;
            } else {
                for mv in moves {
                    let mut next = board.clone();
                    next.play_unchecked(mv);
                    nodes += count(&next, depth - 1);
                }
            }
            false
        });
        nodes
    }

    fen.parse().map_or(0, |board: Board| count(&board, depth))
}

/// The number of leaves at a depth below a position, the last ply counted in bulk.
#[cfg(all(feature = "shakmaty", not(any(feature = "tabiya", feature = "cozy"))))]
#[must_use]
pub fn perft(fen: &str, depth: u32) -> u64 {
    use shakmaty::fen::Fen;
    use shakmaty::{CastlingMode, Chess};

    let position = fen.parse::<Fen>().ok().and_then(|fen| fen.into_position::<Chess>(CastlingMode::Standard).ok());
    position.map_or(0, |position| shakmaty::perft(&position, depth))
}

/// There is nothing to count.
#[cfg(not(any(feature = "tabiya", feature = "cozy", feature = "shakmaty")))]
#[must_use]
pub fn perft(_fen: &str, _depth: u32) -> u64 {
    0
}
