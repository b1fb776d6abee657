//! The shell around the relay, from outside: real sockets, real certificates, and clients that behave badly.

mod client;
mod house;
#[cfg(target_os = "linux")]
mod idle;
mod requests;
mod shutdown;
mod slow;
mod sockets;
mod tls;
