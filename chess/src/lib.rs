#![doc = include_str!("../README.md")]
#![no_std]
#![forbid(unsafe_code)]
// This crate must not panic on any input: it runs on a device without an operator.
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

pub mod attacks;
mod bitboard;
mod castling;
mod color;
mod fen;
mod game;
mod generate;
mod history;
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
