//! Relays on a store that does what it is told to, in a time that passes when nobody has anything to do.

mod absence;
mod crowds;
mod entering;
mod relays;
mod trouble;
mod world;
