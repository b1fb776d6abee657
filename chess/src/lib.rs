#![doc = include_str!("../README.md")]
#![no_std]
#![forbid(unsafe_code)]
// Nothing in this crate may panic, on any input: it runs where there is nobody to restart it.
#![cfg_attr(
    not(test),
    deny(
        clippy::arithmetic_side_effects,
        clippy::expect_used,
        clippy::indexing_slicing,
        clippy::panic,
        clippy::string_slice,
        clippy::unreachable,
        clippy::unwrap_used
    )
)]

#[cfg(test)]
extern crate std;

mod attacks;
mod bitboard;
mod castling;
mod color;
mod fen;
mod game;
mod generate;
mod key;
mod legal;
mod material;
mod moves;
mod outcome;
mod perft;
mod piece;
mod position;
mod san;
mod setup;
mod sheet;
mod square;
mod table;
mod text;
mod uci;

pub use bitboard::{Bitboard, Squares};
pub use castling::{CastlingRights, CastlingSide};
pub use color::Color;
pub use fen::{Fen, FenError, FenField};
pub use game::{ClaimError, EndError, Game, PlayError};
pub use key::Key;
pub use legal::LegalMoves;
pub use moves::{MAX_LEGAL_MOVES, Move, MoveList};
pub use outcome::{DrawClaim, DrawReason, Outcome, WinReason};
pub use piece::{Piece, Promotion, Role};
pub use position::{IllegalMove, Position};
pub use san::{San, SanError};
pub use setup::{Setup, SetupError};
pub use sheet::{FixedSheet, MAX_PLIES, Scoresheet, SheetFull};
pub use square::{File, Rank, Square};
pub use text::Unexpected;
