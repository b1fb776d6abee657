//! Boards that are paired with a relay: which there are, what they are called, and how to find them.
//!
//! A board is added by name on the relay's side, which gives it a pairing key and a standing code. The key goes into the
//! board; the code is for everybody who wants to play with whoever sits there. What is said between the board and the relay
//! is kept apart from this, by those who talk to it ([`tongue::board`](crate::tongue::board)).
//!
//! - `registry.rs`: the boards in the store; `index.rs`: a board by its id.
//! - `lobby.rs`: what everybody may know of them.
//! - `order.rs`: what `tabiya boards` can ask for, of a relay that runs or of the store itself.

mod index;
mod invitation;
mod lobby;
mod order;
mod paired;
mod registry;

pub(crate) use index::Index;
pub use invitation::Invitation;
pub(crate) use invitation::terms;
pub(crate) use lobby::Lobby;
pub(crate) use order::{Answer, Listed, Order};
pub use paired::Paired;
pub use registry::{BoardError, Registry};
