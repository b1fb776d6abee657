//! Genomes and presets of GMO chess as texts: their names (hashes), their cipher, their explanation, and where they are stored.
//! The rules themselves are in [`rules::genome`].

pub(crate) mod case;
pub(crate) mod cipher;
mod deal;
pub(crate) mod explain;
mod hash;
pub(crate) mod laboratory;
mod library;
mod preset;

pub(crate) use deal::{Deal, DealError};
pub(crate) use hash::Hash;
pub(crate) use library::{Kind, Library, Put};
pub(crate) use preset::Preset;
