//! Unit tests of the pure room: commands with a time go in, entries and refusals come out.

mod absence;
mod board_game;
mod boards;
mod chat;
mod claims;
mod clocks;
mod computer;
mod copies;
mod endings;
mod forms;
mod genome;
mod offers;
mod properties;
mod rules;
mod seats;
mod table;
mod told;
