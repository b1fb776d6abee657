//! A WebSocket client, as far as the link needs one (RFC 6455), with no socket in it: bytes in, bytes out.
//!
//! A relay sends binary messages of one frame that are no longer than a frame of the link. Whatever else comes, be it text,
//! a message in fragments or one that is too long, is refused, and the connection with it.

mod base64;
mod frame;
mod handshake;
mod reader;

pub use frame::{FRAME_OVERHEAD, Opcode, write};
pub use handshake::{HandshakeError, Nonce, REQUEST_BYTES, Upgrade, request};
pub use reader::{FrameError, Reader, Received};
