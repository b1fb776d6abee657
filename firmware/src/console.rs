//! The serial console: line editor, and output in chunks. `board::console` has the commands.

mod line;
mod output;

pub use line::{Editor, Typed};
pub use output::{CHUNK_BYTES, Lines, write_chunked};
