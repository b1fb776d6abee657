//! Somebody between a board and its relay, who carries what they say, or says something else instead.

use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use anyhow::Result;
use wire::link::{Refusal, VERSION};

/// What is said to a board instead of what the relay would say.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Lie {
    /// Before there is a WebSocket.
    Http(&'static [u8]),
    /// In bytes, where frames of a WebSocket are expected.
    Bytes(&'static [u8]),
    /// In a frame of the right kind.
    Frame(&'static [u8]),
    /// The relay speaks only versions that this board does not.
    Version,
    /// Nothing at all, and the connection ends.
    Silence,
}

/// All that an imposter can say.
pub(crate) const LIES: [Lie; 12] = [
    Lie::Http(b"\x16\x03\x03\x00\x7a\x02\x00\x00\x76\x03\x03 this is TLS"),
    Lie::Http(b"HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhello"),
    Lie::Http(b"HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-accept: bm90IHlvdXIga2V5IGF0IGFsbCE=\r\n\r\n"),
    Lie::Http(&[b'x'; 20_000]),
    Lie::Version,
    Lie::Silence,
    // A text.
    Lie::Bytes(b"\x81\x05hello"),
    // A frame that is masked, which only those of a client are.
    Lie::Bytes(b"\x82\x85\x01\x02\x03\x04abcde"),
    // A frame as long as the world, with bits that mean nothing.
    Lie::Bytes(b"\xf2\x7f\x7f\xff\xff\xff\xff\xff\xff\xff"),
    // The rest of a message that never began.
    Lie::Bytes(b"\x80\x01a"),
    // A handshake of the right length, made of nothing.
    Lie::Frame(&[0x5a; 48]),
    // One that is no handshake.
    Lie::Frame(b"nonsense"),
];

/// A door in front of a relay.
pub(crate) struct Imposter {
    address: SocketAddr,
    shared: Arc<Mutex<Shared>>,
}

#[derive(Default)]
struct Shared {
    /// What is said to those who come next, the last first.
    lies: Vec<Lie>,
    /// Connections that are carried through now.
    through: Vec<TcpStream>,
}

impl Imposter {
    /// Stands in front of a relay, and is honest.
    pub(crate) fn new(relay: SocketAddr) -> Result<Self> {
        let listener = TcpListener::bind(("127.0.0.1", 0))?;
        let address = listener.local_addr()?;
        let shared = Arc::new(Mutex::new(Shared::default()));
        let theirs = Arc::clone(&shared);
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let shared = Arc::clone(&theirs);
                thread::spawn(move || serve(stream, relay, &shared));
            }
        });
        Ok(Self { address, shared })
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    /// Cuts all connections, and says this to those who come next. After that it is honest again.
    pub(crate) fn lie(&self, lies: &[Lie]) {
        let mut shared = lock(&self.shared);
        shared.lies = lies.iter().rev().copied().collect();
        for stream in shared.through.drain(..) {
            // One that is gone already is as good.
            let _ = stream.shutdown(Shutdown::Both);
        }
    }

    /// Whether everything was said.
    pub(crate) fn has_lied(&self) -> bool {
        lock(&self.shared).lies.is_empty()
    }
}

fn lock(shared: &Mutex<Shared>) -> MutexGuard<'_, Shared> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

fn serve(board: TcpStream, relay: SocketAddr, shared: &Mutex<Shared>) {
    let lie = lock(shared).lies.pop();
    // Whatever goes wrong here is one more connection that has ended.
    let _ = match lie {
        Some(lie) => tell(board, lie),
        None => carry(board, relay, shared),
    };
}

fn tell(mut board: TcpStream, lie: Lie) -> Result<()> {
    board.set_read_timeout(Some(Duration::from_secs(10)))?;
    let refusal = Refusal::Version { lowest: VERSION + 1, highest: VERSION + 2 }.frame();
    let (bytes, is_frame): (&[u8], bool) = match lie {
        Lie::Silence => return Ok(()),
        Lie::Http(bytes) => {
            // Its request is all that it says before it is answered.
            if board.read(&mut [0; 1024])? > 0 {
                board.write_all(bytes)?;
            }
            return wait(&mut board);
        }
        Lie::Bytes(bytes) => (bytes, false),
        Lie::Frame(bytes) => (bytes, true),
        Lie::Version => (&refusal, true),
    };
    let mut socket = tungstenite::accept(board).map_err(|_| anyhow::anyhow!("the board does not speak WebSocket"))?;
    // Its knock comes first.
    socket.read()?;
    if is_frame {
        socket.send(tungstenite::Message::binary(bytes.to_vec()))?;
    } else {
        socket.get_mut().write_all(bytes)?;
    }
    wait(socket.get_mut())
}

/// Lets the board end it.
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
