//! The boards this firmware runs on. A new one is one more file here, one feature and one bin.

#[cfg(all(feature = "mps2", feature = "nucleo"))]
compile_error!("an image is for one board: choose either the feature `mps2` or the feature `nucleo`");

#[cfg(feature = "mps2")]
pub mod mps2_an386;
#[cfg(feature = "nucleo")]
pub mod nucleo_f767zi;
