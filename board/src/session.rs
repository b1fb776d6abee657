//! The link between a board and its relay, from both ends.
//!
//! `wire::link` has the bytes; here is what they are for. Like the rest of this crate it does no input or output: it is
//! told what came in and what time it is, and asked what goes out.
//!
//! Each side says numbered [events](wire::link::Event) in a stream of its own, keeps them until the other side has
//! acknowledged them, and after any break goes on where the other side stopped listening. So no event is lost and none
//! comes twice, whatever happens to connections, and to either side. What an event is good for ends when it can be had
//! in another way: a side that cannot say everything again, because its queue was full or the other side has forgotten
//! too much, sends the game as it is instead, which has everything in it. That is also how a game begins.
//!
//! - [`Conversation`] is either end of that, over a connection that is there or not.
//! - [`BoardEnd`] adds what a board does about connections: it calls, and calls again.
//! - A relay [accepts](Conversation::accept) what [`wire::link::Knock`] has let in.
//!
//! Two rules hold it together. **What is said is in the journal before it is sent, and what is heard is in the journal
//! before it is acknowledged**: see [`Conversation::kept`]. And **the game is what was said and heard**: whoever gets
//! [news](News) changes the game before the next call.

mod board_end;
mod broken;
mod conversation;
mod inbox;
mod line;
mod listening;
mod loading;
mod memory;
mod news;
mod outbox;
mod redial;
mod speaking;
mod telling;
mod watch;

pub use board_end::{BoardEnd, BoardSession};
pub use broken::Broken;
pub use conversation::{Conversation, End};
pub use memory::Memory;
pub use news::{Basis, News};
pub use outbox::Full;
