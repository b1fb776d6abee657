//! The other machine on the board's emulated network: a DNS server, an mDNS responder, and a host that forwards one TCP port and
//! pings the board.

use std::io::{ErrorKind, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpStream, UdpSocket};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread;
use std::time::Duration;

use anyhow::Result;
use smoltcp::iface::{Config, Interface, SocketSet};
use smoltcp::phy::{self, ChecksumCapabilities, DeviceCapabilities, Medium};
use smoltcp::socket::{icmp, tcp, udp};
use smoltcp::time::Instant;
use smoltcp::wire::{EthernetAddress, Icmpv4Packet, Icmpv4Repr, IpCidr, Ipv4Cidr};

pub(crate) const DNS_ADDRESS: Ipv4Addr = Ipv4Addr::new(10, 0, 2, 53);

const HOST_ADDRESS: Ipv4Addr = Ipv4Addr::new(10, 0, 2, 2);

/// The only name that the DNS server resolves: `relay.club`, the host.
const KNOWN_NAME: &[u8] = b"\x05relay\x04club\x00";

/// The only name that the mDNS responder resolves: `relay.local`, the host.
const KNOWN_LOCAL_NAME: &[u8] = b"\x05relay\x05local\x00";

/// A query for the PTR records of `_tabiya._tcp.local`.
const SERVICE_QUESTION: &[u8] = b"\x07_tabiya\x04_tcp\x05local\0\0\x0c\0\x01";

const DNS_PORT: u16 = 53;
const MDNS_PORT: u16 = 5353;
const MDNS_GROUP: Ipv4Addr = Ipv4Addr::new(224, 0, 0, 251);

const PING_IDENT: u16 = 0x7ab1;

/// A running network. Dropping it stops it.
pub(crate) struct Lan {
    port: u16,
    is_over: Arc<AtomicBool>,
    counters: Arc<Counters>,
}

#[derive(Default)]
struct Counters {
    dns_queries: AtomicU32,
    mdns_queries: AtomicU32,
    ping_replies: AtomicU32,
}

impl Lan {
    /// Forwards connections to this TCP port of the host to the same port of the loopback address, and pings this address until
    /// it replies.
    pub(crate) fn new(forwarded: u16, board: Ipv4Addr) -> Result<Self> {
        let frames = UdpSocket::bind(("127.0.0.1", 0))?;
        frames.set_nonblocking(true)?;
        let port = frames.local_addr()?.port();
        let is_over = Arc::new(AtomicBool::new(false));
        let counters = Arc::new(Counters::default());
        let (over, counted) = (Arc::clone(&is_over), Arc::clone(&counters));
        thread::spawn(move || run(EmulatedLan { frames, board: None }, forwarded, board, &over, &counted));
        Ok(Self { port, is_over, counters })
    }

    /// Number of DNS queries so far.
    pub(crate) fn dns_queries(&self) -> u32 {
        self.counters.dns_queries.load(Ordering::Relaxed)
    }

    /// Number of mDNS queries so far.
    pub(crate) fn mdns_queries(&self) -> u32 {
        self.counters.mdns_queries.load(Ordering::Relaxed)
    }

    /// Number of pings that the board has answered.
    pub(crate) fn ping_replies(&self) -> u32 {
        self.counters.ping_replies.load(Ordering::Relaxed)
    }

    /// The UDP port for QEMU's network socket.
    pub(crate) fn port(&self) -> u16 {
        self.port
    }
}

impl Drop for Lan {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
    }
}

fn run(mut lan: EmulatedLan, forwarded: u16, board: Ipv4Addr, is_over: &AtomicBool, counters: &Counters) {
    let mut config = Config::new(EthernetAddress([0x52, 0x55, 0, 0, 0, 0x53]).into());
    config.random_seed = 53;
    let mut interface = Interface::new(config, &mut lan, Instant::now());
    interface.update_ip_addrs(|addresses| {
        for address in [DNS_ADDRESS, HOST_ADDRESS] {
            // The list has room for two addresses.
            let _ = addresses.push(IpCidr::Ipv4(Ipv4Cidr::new(address, 24)));
        }
    });
    interface.join_multicast_group(MDNS_GROUP).expect("the interface has room for a group");
    let packets = || udp::PacketBuffer::new(vec![udp::PacketMetadata::EMPTY; 8], vec![0; 4096]);
    let pings = || icmp::PacketBuffer::new(vec![icmp::PacketMetadata::EMPTY; 8], vec![0; 1024]);
    let bytes = || tcp::SocketBuffer::new(vec![0; 8192]);
    let mut sockets = SocketSet::new(Vec::new());
    let dns = sockets.add(udp::Socket::new(packets(), packets()));
    let mdns = sockets.add(udp::Socket::new(packets(), packets()));
    let echo = sockets.add(icmp::Socket::new(pings(), pings()));
    let host = sockets.add(tcp::Socket::new(bytes(), bytes()));
    let mut stream = None;
    while !is_over.load(Ordering::Relaxed) {
        interface.poll(Instant::now(), &mut lan, &mut sockets);
        resolve(sockets.get_mut(dns), DNS_PORT, KNOWN_NAME, forwarded, &counters.dns_queries);
        resolve(sockets.get_mut(mdns), MDNS_PORT, KNOWN_LOCAL_NAME, forwarded, &counters.mdns_queries);
        ping(sockets.get_mut(echo), board, &counters.ping_replies);
        forward(sockets.get_mut(host), forwarded, &mut stream);
        thread::sleep(Duration::from_millis(1));
    }
}

/// Answers a DNS query; one for the service of relays with this port.
fn resolve(socket: &mut udp::Socket<'_>, port: u16, known_name: &[u8], service_port: u16, queries: &AtomicU32) {
    if !socket.is_open() {
        // No other socket uses the port.
        let _ = socket.bind(port);
    }
    let query = socket.recv().ok().and_then(|(query, from)| {
        let answer = service_answer(query, service_port).or_else(|| answer(query, known_name))?;
        Some((answer, from))
    });
    if let Some((answer, from)) = query {
        queries.fetch_add(1, Ordering::Relaxed);
        // The board repeats a lost query.
        let _ = socket.send_slice(&answer, from.endpoint);
    }
}

/// Pings the board until it has replied.
fn ping(socket: &mut icmp::Socket<'_>, board: Ipv4Addr, replies: &AtomicU32) {
    if !socket.is_open() {
        // No other socket uses the identifier.
        let _ = socket.bind(icmp::Endpoint::Ident(PING_IDENT));
    }
    if socket.recv().is_ok() {
        replies.fetch_add(1, Ordering::Relaxed);
    }
    // Address resolution holds the first ping back until the board is there.
    if replies.load(Ordering::Relaxed) == 0 && socket.can_send() && socket.send_queue() == 0 {
        let request = Icmpv4Repr::EchoRequest { ident: PING_IDENT, seq_no: 1, data: b"tabiya" };
        if let Ok(buffer) = socket.send(request.buffer_len(), board.into()) {
            request.emit(&mut Icmpv4Packet::new_unchecked(buffer), &ChecksumCapabilities::default());
        }
    }
}

/// Copies bytes between the board's connection and the loopback port. Either end closes both.
fn forward(socket: &mut tcp::Socket<'_>, port: u16, stream: &mut Option<TcpStream>) {
    if !socket.is_open() {
        *stream = None;
        // The socket is closed, and the port is not 0.
        let _ = socket.listen(port);
    }
    if !socket.may_send() {
        return;
    }
    if stream.is_none() {
        let connected = TcpStream::connect(("127.0.0.1", port));
        *stream = connected.and_then(|stream| stream.set_nonblocking(true).map(|()| stream)).ok();
    }
    let is_alive = stream.as_mut().is_some_and(|stream| copy(socket, stream).is_ok());
    if !is_alive || (!socket.may_recv() && !socket.can_recv()) {
        *stream = None;
        socket.abort();
    }
}

/// An error ends the connection.
fn copy(socket: &mut tcp::Socket<'_>, stream: &mut TcpStream) -> std::io::Result<()> {
    while socket.can_recv() {
        let sent = socket.recv(|bytes| match stream.write(bytes) {
            Ok(count) => (count, Ok(count)),
            Err(error) => (0, Err(error)),
        });
        match sent {
            Ok(Ok(_)) => {}
            Ok(Err(error)) if error.kind() == ErrorKind::WouldBlock => break,
            Ok(Err(error)) => return Err(error),
            Err(_) => return Err(ErrorKind::ConnectionReset.into()),
        }
    }
    while socket.can_send() {
        let received = socket.send(|room| match stream.read(room) {
            Ok(count) => (count, Ok(count)),
            Err(error) => (0, Err(error)),
        });
        match received {
            Ok(Ok(0)) => return Err(ErrorKind::UnexpectedEof.into()),
            Ok(Ok(_)) => {}
            Ok(Err(error)) if error.kind() == ErrorKind::WouldBlock => break,
            Ok(Err(error)) => return Err(error),
            Err(_) => return Err(ErrorKind::ConnectionReset.into()),
        }
    }
    Ok(())
}

/// The answer to a query for relays: one at `relay.local`, without its address, which the board asks for next.
fn service_answer(question: &[u8], port: u16) -> Option<Vec<u8>> {
    let (head, rest) = question.split_at_checked(12)?;
    if rest != SERVICE_QUESTION {
        return None;
    }
    let mut answer = head.get(..2)?.to_vec();
    // A response with one question, one answer and one additional record.
    answer.extend([0x84, 0, 0, 1, 0, 1, 0, 0, 0, 1]);
    answer.extend(rest);
    // PTR from the name of the service, at offset 12, to an instance, whose name is then at offset 48.
    answer.extend(b"\xc0\x0c\0\x0c\0\x01\0\0\0\x0a\0\x05\x02pi\xc0\x0c");
    // SRV with priority, weight and port, and the name of the host.
    answer.extend(b"\xc0\x30\0\x21\0\x01\0\0\0\x0a\0\x13\0\0\0\0");
    answer.extend(port.to_be_bytes());
    answer.extend(KNOWN_LOCAL_NAME);
    Some(answer)
}

/// The answer to a query: the address of the known name, or NXDOMAIN.
fn answer(question: &[u8], known_name: &[u8]) -> Option<Vec<u8>> {
    let (head, rest) = question.split_at_checked(12)?;
    let name_len = rest.iter().position(|&byte| byte == 0)? + 1;
    let (name, kind) = (rest.get(..name_len)?, rest.get(name_len..name_len + 4)?);
    let is_known = name == known_name;
    let mut answer = head.get(..2)?.to_vec();
    answer.extend(if is_known { [0x81, 0x80] } else { [0x81, 0x83] });
    answer.extend([0, 1, 0, u8::from(is_known), 0, 0, 0, 0]);
    answer.extend(name.iter().chain(kind));
    if is_known {
        // A pointer to the name in the query, type A, class IN, 60 seconds, 4 bytes.
        answer.extend([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4]);
        answer.extend(HOST_ADDRESS.octets());
    }
    Some(answer)
}

/// The emulated network: QEMU sends each Ethernet frame as one UDP packet.
struct EmulatedLan {
    frames: UdpSocket,
    /// QEMU's address, known after its first packet.
    board: Option<SocketAddr>,
}

struct Packet(Vec<u8>);

struct Transmit<'a>(&'a EmulatedLan);

impl phy::RxToken for Packet {
    fn consume<R, F: FnOnce(&[u8]) -> R>(self, action: F) -> R {
        action(&self.0)
    }
}

impl phy::TxToken for Transmit<'_> {
    fn consume<R, F: FnOnce(&mut [u8]) -> R>(self, len: usize, action: F) -> R {
        let mut packet = vec![0; len];
        let result = action(&mut packet);
        if let Some(board) = self.0.board {
            // The board repeats a query whose answer is lost.
            let _ = self.0.frames.send_to(&packet, board);
        }
        result
    }
}

impl phy::Device for EmulatedLan {
    type RxToken<'a> = Packet;
    type TxToken<'a> = Transmit<'a>;

    fn receive(&mut self, _: Instant) -> Option<(Packet, Transmit<'_>)> {
        let mut packet = vec![0; 2048];
        let (len, from) = self.frames.recv_from(&mut packet).ok()?;
        packet.truncate(len);
        self.board = Some(from);
        Some((Packet(packet), Transmit(self)))
    }

    fn transmit(&mut self, _: Instant) -> Option<Transmit<'_>> {
        Some(Transmit(self))
    }

    fn capabilities(&self) -> DeviceCapabilities {
        let mut capabilities = DeviceCapabilities::default();
        capabilities.medium = Medium::Ethernet;
        capabilities.max_transmission_unit = 1514;
        capabilities
    }
}
