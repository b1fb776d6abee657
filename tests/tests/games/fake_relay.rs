//! A proxy between a board and its relay that can answer in the relay's place with invalid data.

use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use anyhow::Result;
use wire::link::{Refusal, VERSION};

/// An invalid answer to a board.
#[derive(Clone, Copy, Debug)]
pub(crate) enum FakeAnswer {
    /// As the answer to the WebSocket upgrade.
    Http(&'static [u8]),
    /// As raw bytes after the upgrade.
    Bytes(&'static [u8]),
    /// As a binary WebSocket frame after the upgrade.
    Frame(&'static [u8]),
    /// A refusal because of an unsupported protocol version.
    Version,
    /// No answer; the connection is closed.
    Silence,
}

/// All invalid answers of the tests.
pub(crate) const FAKE_ANSWERS: [FakeAnswer; 12] = [
    FakeAnswer::Http(b"\x16\x03\x03\x00\x7a\x02\x00\x00\x76\x03\x03 this is TLS"),
    FakeAnswer::Http(b"HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhello"),
    FakeAnswer::Http(b"HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-accept: bm90IHlvdXIga2V5IGF0IGFsbCE=\r\n\r\n"),
    FakeAnswer::Http(&[b'x'; 20_000]),
    FakeAnswer::Version,
    FakeAnswer::Silence,
    // A text frame.
    FakeAnswer::Bytes(b"\x81\x05hello"),
    // A masked frame, which only a client may send.
    FakeAnswer::Bytes(b"\x82\x85\x01\x02\x03\x04abcde"),
    // A frame with reserved bits and the largest length.
    FakeAnswer::Bytes(b"\xf2\x7f\x7f\xff\xff\xff\xff\xff\xff\xff"),
    // A continuation frame without a first frame.
    FakeAnswer::Bytes(b"\x80\x01a"),
    // A handshake of the right length with zero bytes.
    FakeAnswer::Frame(&[0x5a; 48]),
    // A frame that is not a handshake.
    FakeAnswer::Frame(b"nonsense"),
];

/// The proxy in front of a relay.
pub(crate) struct FakeRelay {
    address: SocketAddr,
    shared: Arc<Mutex<Shared>>,
}

#[derive(Default)]
struct Shared {
    /// Answers for the next connections, the last first.
    lies: Vec<FakeAnswer>,
    /// Connections that are forwarded now.
    through: Vec<TcpStream>,
}

impl FakeRelay {
    /// Starts a proxy that forwards connections.
    pub(crate) fn new(relay: SocketAddr) -> Result<Self> {
        let listener = TcpListener::bind(("127.0.0.1", 0))?;
        let address = listener.local_addr()?;
        let shared = Arc::new(Mutex::new(Shared::default()));
        let play_remotely = Arc::clone(&shared);
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let shared = Arc::clone(&play_remotely);
                thread::spawn(move || serve(stream, relay, &shared));
            }
        });
        Ok(Self { address, shared })
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    /// Cuts all connections, and answers the next connections with these. After that it forwards again.
    pub(crate) fn lie(&self, lies: &[FakeAnswer]) {
        let mut shared = lock(&self.shared);
        shared.lies = lies.iter().rev().copied().collect();
        for stream in shared.through.drain(..) {
            // The connection may be closed already.
            let _ = stream.shutdown(Shutdown::Both);
        }
    }

    /// Whether all answers were sent.
    pub(crate) fn has_lied(&self) -> bool {
        lock(&self.shared).lies.is_empty()
    }
}

fn lock(shared: &Mutex<Shared>) -> MutexGuard<'_, Shared> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

fn serve(board: TcpStream, relay: SocketAddr, shared: &Mutex<Shared>) {
    let lie = lock(shared).lies.pop();
    // An error ends the connection, as the test intends.
    let _ = match lie {
        Some(lie) => send_answer(board, lie),
        None => carry(board, relay, shared),
    };
}

fn send_answer(mut board: TcpStream, lie: FakeAnswer) -> Result<()> {
    board.set_read_timeout(Some(Duration::from_secs(10)))?;
    let refusal = Refusal::Version { lowest: VERSION + 1, highest: VERSION + 2 }.frame();
    let (bytes, is_frame): (&[u8], bool) = match lie {
        FakeAnswer::Silence => return Ok(()),
        FakeAnswer::Http(bytes) => {
            // The board sends nothing after its request until it is answered.
            if board.read(&mut [0; 1024])? > 0 {
                board.write_all(bytes)?;
            }
            return wait(&mut board);
        }
        FakeAnswer::Bytes(bytes) => (bytes, false),
        FakeAnswer::Frame(bytes) => (bytes, true),
        FakeAnswer::Version => (&refusal, true),
    };
    let mut socket = tungstenite::accept(board).map_err(|_| anyhow::anyhow!("the board does not speak WebSocket"))?;
    // The board sends its handshake first.
    socket.read()?;
    if is_frame {
        socket.send(tungstenite::Message::binary(bytes.to_vec()))?;
    } else {
        socket.get_mut().write_all(bytes)?;
    }
    wait(socket.get_mut())
}

/// Waits until the board closes the connection.
fn wait(board: &mut TcpStream) -> Result<()> {
    while board.read(&mut [0; 1024])? > 0 {}
    Ok(())
}

fn carry(board: TcpStream, relay: SocketAddr, shared: &Mutex<Shared>) -> Result<()> {
    let far = TcpStream::connect(relay)?;
    for stream in [&board, &far] {
        stream.set_nodelay(true)?;
        lock(shared).through.push(stream.try_clone()?);
    }
    let (mut near, mut out) = (board.try_clone()?, far.try_clone()?);
    thread::spawn(move || {
        let _ = std::io::copy(&mut near, &mut out);
        let _ = out.shutdown(Shutdown::Both);
    });
    let (mut far, mut back) = (far, board);
    let _ = std::io::copy(&mut far, &mut back);
    back.shutdown(Shutdown::Both)?;
    Ok(())
}
