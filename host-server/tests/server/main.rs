//! The HTTP server from outside: real sockets, real certificates, and misbehaving clients.

mod client;
#[cfg(target_os = "linux")]
mod idle;
mod requests;
#[cfg(target_os = "linux")]
mod scripts;
mod shutdown;
mod slow;
mod sockets;
mod test_server;
mod tls;
