//! A sans-IO WebSocket client (RFC 6455), reduced to what the link uses.
//!
//! A relay sends binary messages in one frame each, no longer than a frame of the link. Anything else, such as text,
//! fragments or a longer message, is an error that closes the connection.

mod frame;
mod handshake;
mod reader;

pub use frame::{FRAME_OVERHEAD, Opcode, write};
pub use handshake::{HandshakeError, Nonce, REQUEST_BYTES, Upgrade, request};
pub use reader::{FrameError, Reader, Received};
