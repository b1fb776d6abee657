//! Another machine on the board's network, which knows names.

use std::net::{Ipv4Addr, SocketAddr, UdpSocket};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread;
use std::time::Duration;

use anyhow::Result;
use smoltcp::iface::{Config, Interface, SocketSet};
use smoltcp::phy::{self, DeviceCapabilities, Medium};
use smoltcp::socket::udp;
use smoltcp::time::Instant;
use smoltcp::wire::{EthernetAddress, IpCidr, Ipv4Cidr};

/// Where it is on that network.
pub(crate) const ADDRESS: Ipv4Addr = Ipv4Addr::new(10, 0, 2, 53);

/// What it says of every name that it is asked for and knows.
const KNOWN: (&[u8], [u8; 4]) = (b"\x05relay\x04club\x00", [10, 0, 2, 2]);

/// It is there until it is dropped.
pub(crate) struct Neighbour {
    port: u16,
    is_over: Arc<AtomicBool>,
    questions: Arc<AtomicU32>,
}

impl Neighbour {
    pub(crate) fn new() -> Result<Self> {
        let wire = UdpSocket::bind(("127.0.0.1", 0))?;
        wire.set_nonblocking(true)?;
        let port = wire.local_addr()?.port();
        let is_over = Arc::new(AtomicBool::new(false));
        let questions = Arc::new(AtomicU32::new(0));
        let (over, asked) = (Arc::clone(&is_over), Arc::clone(&questions));
        thread::spawn(move || live(Wire { wire, board: None }, &over, &asked));
        Ok(Self { port, is_over, questions })
    }

    /// How often it was asked for a name.
    pub(crate) fn questions(&self) -> u32 {
        self.questions.load(Ordering::Relaxed)
    }

    /// Where the network ends on this side.
    pub(crate) fn port(&self) -> u16 {
        self.port
    }
}

impl Drop for Neighbour {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
    }
}

fn live(mut wire: Wire, is_over: &AtomicBool, questions: &AtomicU32) {
    let mut config = Config::new(EthernetAddress([0x52, 0x55, 0, 0, 0, 0x53]).into());
    config.random_seed = 53;
    let mut interface = Interface::new(config, &mut wire, Instant::now());
    interface.update_ip_addrs(|addresses| {
        // There is room for one.
        let _ = addresses.push(IpCidr::Ipv4(Ipv4Cidr::new(ADDRESS, 24)));
    });
    let buffer = || udp::PacketBuffer::new(vec![udp::PacketMetadata::EMPTY; 8], vec![0; 4096]);
    let mut sockets = SocketSet::new(Vec::new());
    let handle = sockets.add(udp::Socket::new(buffer(), buffer()));
    while !is_over.load(Ordering::Relaxed) {
        interface.poll(Instant::now(), &mut wire, &mut sockets);
        let socket = sockets.get_mut::<udp::Socket<'_>>(handle);
        if !socket.is_open() {
            // Nobody else is there to have it.
            let _ = socket.bind(53);
        }
        let asked = socket.recv().ok().and_then(|(question, from)| Some((answer(question)?, from)));
        if let Some((answer, from)) = asked {
            questions.fetch_add(1, Ordering::Relaxed);
            // Who does not get it asks again.
            let _ = socket.send_slice(&answer, from.endpoint);
        }
        thread::sleep(Duration::from_millis(1));
    }
}

/// The answer to a question for an address: the one of the name that is known, or that there is no such name.
fn answer(question: &[u8]) -> Option<Vec<u8>> {
    let (head, rest) = question.split_at_checked(12)?;
    let name_len = rest.iter().position(|&byte| byte == 0)? + 1;
    let (name, kind) = (rest.get(..name_len)?, rest.get(name_len..name_len + 4)?);
    let is_known = name == KNOWN.0;
    let mut answer = head.get(..2)?.to_vec();
    answer.extend(if is_known { [0x81, 0x80] } else { [0x81, 0x83] });
    answer.extend([0, 1, 0, u8::from(is_known), 0, 0, 0, 0]);
    answer.extend(name.iter().chain(kind));
    if is_known {
        // The name is the one of the question; an address, for a minute.
        answer.extend([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4]);
        answer.extend(KNOWN.1);
    }
    Some(answer)
}

/// The network, as the emulator hands it over: a packet of it is a packet here.
struct Wire {
    wire: UdpSocket,
    /// Where the emulator is, as soon as it has said something.
    board: Option<SocketAddr>,
}

struct Packet(Vec<u8>);

struct Room<'a>(&'a Wire);

impl phy::RxToken for Packet {
    fn consume<R, F: FnOnce(&[u8]) -> R>(self, action: F) -> R {
        action(&self.0)
    }
}

impl phy::TxToken for Room<'_> {
    fn consume<R, F: FnOnce(&mut [u8]) -> R>(self, len: usize, action: F) -> R {
        let mut packet = vec![0; len];
        let result = action(&mut packet);
        if let Some(board) = self.0.board {
            // What is lost on the way is asked for again.
            let _ = self.0.wire.send_to(&packet, board);
        }
        result
    }
}

impl phy::Device for Wire {
    type RxToken<'a> = Packet;
    type TxToken<'a> = Room<'a>;

    fn receive(&mut self, _: Instant) -> Option<(Packet, Room<'_>)> {
        let mut packet = vec![0; 2048];
        let (len, from) = self.wire.recv_from(&mut packet).ok()?;
        packet.truncate(len);
        self.board = Some(from);
        Some((Packet(packet), Room(self)))
    }

    fn transmit(&mut self, _: Instant) -> Option<Room<'_>> {
        Some(Room(self))
    }

    fn capabilities(&self) -> DeviceCapabilities {
        let mut capabilities = DeviceCapabilities::default();
        capabilities.medium = Medium::Ethernet;
        capabilities.max_transmission_unit = 1514;
        capabilities
    }
}
