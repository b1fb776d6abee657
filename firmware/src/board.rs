//! The boards this firmware runs on. A new one is one more file here, one feature and one bin.

#[cfg(any(all(feature = "mps2", feature = "nucleo-144"), all(feature = "nucleo", feature = "nucleo-f429")))]
compile_error!("an image is for one board: choose one of the features `mps2`, `nucleo` and `nucleo-f429`");

#[cfg(feature = "mps2")]
pub(crate) use self::mps2_an386 as here;
#[cfg(any(feature = "nucleo", feature = "nucleo-f429"))]
pub(crate) use self::nucleo_144 as here;

#[cfg(feature = "mps2")]
pub mod mps2_an386;
#[cfg(any(feature = "nucleo", feature = "nucleo-f429"))]
pub(crate) mod nucleo_144;
#[cfg(feature = "nucleo-f429")]
pub mod nucleo_f429zi;
#[cfg(feature = "nucleo")]
pub mod nucleo_f767zi;
