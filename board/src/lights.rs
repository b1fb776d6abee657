//! Renders the meanings of squares as LED frames.
//!
//! The referee assigns a meaning to each square, a [`Scene`], which is independent of time. A [`Frame`] is a pure
//! function of the scene, of the time since the scene began, and of the settings. A scene also returns the time of its
//! next different frame, so the caller sleeps until then, or indefinitely if nothing changes.
//!
//! Every meaning is a colour and a rhythm. The rhythm distinguishes meanings for players with colour blindness and in
//! peripheral vision. `docs/lights.md` lists all meanings, and a test compares it with the code.

mod budget;
mod colour;
mod frame;
mod meaning;
mod rhythm;
mod scene;
mod settings;
mod show;

pub use colour::{Colour, Rgb};
pub use frame::Frame;
pub use meaning::Meaning;
pub use rhythm::Rhythm;
pub use scene::Scene;
pub use settings::LightSettings;
pub use show::Show;
