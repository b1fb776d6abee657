//! Perft: the number of ways to play N plies. A single wrong move anywhere below a position changes it.

use std::collections::HashSet;

use chess::{CastlingRights, CastlingSide, Color, Piece, Position, Setup, Square};
use cozy_chess::Board;

use crate::table;

/// Counts up to this are checked in every run. The bigger ones of the table are for `cargo xtask bench rules`.
fn max_nodes() -> u64 {
    std::env::var("PERFT_NODES").map_or(20_000_000, |nodes| nodes.parse().expect("PERFT_NODES is a number"))
}

#[test]
fn table_entries_have_unique_names_and_increasing_depths() {
    let mut names = HashSet::new();
    for line in table::lines() {
        assert!(names.insert(line.name), "{} is there twice", line.name);
        assert!(line.counts.iter().zip(1..).all(|(&(depth, _), expected)| depth == expected), "{}", line.name);
    }
    assert!(names.len() > 80);
}

#[test]
fn counts_match_the_table() {
    for line in table::lines() {
        let position = line.position();
        for (depth, nodes) in line.counts_within(max_nodes()) {
            assert_eq!(position.perft(depth), nodes, "{} at depth {depth}: {}", line.name, line.fen);
        }
    }
}

/// The rules treat both sides alike, but the code that moves pawns up and down need not.
#[test]
fn counts_are_the_same_with_colours_swapped() {
    for line in table::lines() {
        let exchanged = exchange_sides(&line.position());
        for (depth, nodes) in line.counts_within(max_nodes() / 10) {
            assert_eq!(exchanged.perft(depth), nodes, "{} at depth {depth}: {}", line.name, exchanged.fen());
        }
    }
}

/// The table is only worth something if its counts are not our own.
#[test]
fn counts_match_cozy_chess() {
    for line in table::lines() {
        let board = line.fen.parse().unwrap_or_else(|error| panic!("{}: {error}", line.name));
        for (depth, nodes) in line.counts_within(max_nodes() / 100) {
            assert_eq!(cozy_perft(&board, depth), nodes, "{} at depth {depth}: {}", line.name, line.fen);
        }
    }
}

#[test]
fn depth_0_counts_one() {
    assert_eq!(Position::start().perft(0), 1);
}

fn cozy_perft(board: &Board, depth: u32) -> u64 {
    let mut nodes = 0;
    board.generate_moves(|moves| {
        if depth == 1 {
            nodes += moves.len() as u64;
        } else {
            for mv in moves {
                let mut next = board.clone();
                next.play_unchecked(mv);
                nodes += cozy_perft(&next, depth - 1);
            }
        }
        false
    });
    nodes
}

/// The same position seen by the other player, with the pieces painted over.
fn exchange_sides(position: &Position) -> Position {
    let mut setup = Setup { turn: !position.turn(), ..Setup::EMPTY };
    for square in Square::all() {
        let piece = position.piece_at(square).map(|piece| Piece::new(!piece.color(), piece.role()));
        setup.board[usize::from(square.flip_rank().index())] = piece;
    }
    for color in Color::ALL {
        for side in CastlingSide::ALL {
            if position.castling().has(color, side) {
                setup.castling = setup.castling.with(CastlingRights::of(!color, side));
            }
        }
    }
    setup.en_passant = position.en_passant().map(Square::flip_rank);
    setup.position().expect("the rules treat both sides alike")
}
