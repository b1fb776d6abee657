//! Speaking in light.
//!
//! The referee says what each square means, a [`Scene`]; time is added only here. A [`Frame`] is a pure function of the
//! scene, of how long it has been shown, and of the settings, and a scene knows when its next different frame is due: the
//! body sleeps until then, and for ever if nothing moves.
//!
//! Every meaning is a colour and a rhythm. The rhythm is what a player who sees colours differently goes by, and what
//! tells two meanings apart at the edge of the eye. `docs/lights.md` lists them all, and a test keeps it true.

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
