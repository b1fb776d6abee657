//! The WebSocket connection to the relay: connects on request of the main loop, and carries frames.

use core::convert::Infallible;
use core::fmt;
use core::net::Ipv4Addr;
use core::pin::pin;

use board::RelayAddress;
use defmt::{Display2Format, info, unwrap};
use embassy_futures::select::{Either, Either3, select, select3};
use embassy_net::dns::DnsQueryType;
use embassy_net::tcp::TcpSocket;
use embassy_net::udp::{PacketMetadata, UdpSocket};
use embassy_net::{IpAddress, Stack};
use embassy_time::{Duration, with_timeout};
use embedded_io_async::Write as _;
use heapless::Vec;
use wire::link::MAX_FRAME;

use super::channels::{
    CONNECT, ConnectRequest, DISCONNECT, LINK_EVENTS, LinkEvent, NETWORK, RELAY_FRAMES, RelayFrame, RelayUrl,
};
use super::liveness::check_in_during;
use crate::discovery::{FoundRelay, MDNS, QUERY_BYTES, query, read_answer};
use crate::hal::Rng;
use crate::liveness::TaskId;
use crate::websocket::{
    FRAME_OVERHEAD, FrameError, HandshakeError, Nonce, Opcode, Reader, Received, Upgrade, request, write,
};

/// Timeout of each step of connecting: DNS, TCP, WebSocket.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// TCP user timeout: the connection fails if sent data is not acknowledged for this long.
const SEND_TIMEOUT: Duration = Duration::from_secs(30);

/// How often a relay is searched for at a time, and how long each query waits for an answer.
const DISCOVERY_QUERIES: u32 = 3;
const DISCOVERY_TIMEOUT: Duration = Duration::from_millis(1500);

/// Time for a close frame or a reset to leave.
const CLOSE_TIMEOUT: Duration = Duration::from_millis(100);
/// WebSocket status code 1000, normal closure.
const NORMAL_CLOSURE: u16 = 1000;

/// Size of the TCP buffer in each direction: a few frames.
const SOCKET_BYTES: usize = 2048;

/// Why a connection ended or could not be made.
enum ConnectionError {
    NoRelay,
    NoSuchHost,
    Unreachable,
    Timeout,
    Lost,
    Closed,
    Handshake(HandshakeError),
    Frame(FrameError),
}

impl fmt::Display for ConnectionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoRelay => "no relay found in the network",
            Self::NoSuchHost => "no such host",
            Self::Unreachable => "host unreachable or connection refused",
            Self::Timeout => "timeout",
            Self::Lost => "connection lost",
            Self::Closed => "closed by the relay",
            Self::Handshake(error) => return error.fmt(f),
            Self::Frame(error) => return error.fmt(f),
        })
    }
}

pub(crate) async fn link(stack: Stack<'static>, mut rng: impl Rng) -> ! {
    let mut buffers = ([0; SOCKET_BYTES], [0; SOCKET_BYTES]);
    // NETWORK has one receiver, and this is the only task that takes it.
    let mut network = unwrap!(NETWORK.receiver());
    loop {
        let connect_request = check_in_during(TaskId::Link, CONNECT.wait()).await;
        let connection_id = connect_request.connection_id;
        let (incoming, outgoing) = &mut buffers;
        let session = async {
            let mut disconnect = pin!(async { while DISCONNECT.wait().await != connection_id {} });
            if let Either::Second(()) = select(network.get_and(|is_up| *is_up), disconnect.as_mut()).await {
                return;
            }
            let found = match &connect_request.relay {
                Some(_) => None,
                None => match select3(
                    find_relay(stack, incoming, &mut rng),
                    disconnect.as_mut(),
                    network.get_and(|is_up| !*is_up),
                )
                .await
                {
                    Either3::First(found) => found,
                    Either3::Second(()) | Either3::Third(_) => return,
                },
            };
            let mut socket = TcpSocket::new(stack, incoming, outgoing);
            socket.set_timeout(Some(SEND_TIMEOUT));
            let carry = carry(&mut socket, stack, &connect_request, found, &mut rng);
            let sends_close = match select3(carry, disconnect, network.get_and(|is_up| !*is_up)).await {
                Either3::First(Err(reason)) => {
                    info!("relay connection failed: {}", Display2Format(&reason));
                    matches!(reason, ConnectionError::Closed)
                }
                Either3::Second(()) => true,
                Either3::Third(_) => false,
            };
            if sends_close {
                let close = async {
                    let _ = send(&mut socket, Opcode::Close, &NORMAL_CLOSURE.to_be_bytes(), &mut rng).await;
                    let _ = socket.flush().await;
                };
                let _ = with_timeout(CLOSE_TIMEOUT, close).await;
            }
            // Reset instead of the TCP closing handshake, so that the next connection need not wait for it.
            socket.abort();
            let _ = with_timeout(CLOSE_TIMEOUT, socket.flush()).await;
        };
        check_in_during(TaskId::Link, session).await;
        LINK_EVENTS.send(LinkEvent::Disconnected { connection_id }).await;
    }
}

/// Connects, and carries frames until the connection ends.
async fn carry(
    socket: &mut TcpSocket<'_>,
    stack: Stack<'_>,
    connect_request: &ConnectRequest,
    found: Option<FoundRelay>,
    rng: &mut impl Rng,
) -> Result<Infallible, ConnectionError> {
    let connection_id = connect_request.connection_id;
    let url = connect_request.relay.as_ref().or(found.as_ref().map(|found| &found.url));
    let relay = RelayAddress::parse(url.ok_or(ConnectionError::NoRelay)?).map_err(|_| ConnectionError::NoSuchHost)?;
    let mut pairing_path = RelayUrl::new();
    let (before, end) = relay.pairing_path();
    // It is shorter than the URL.
    let _ = pairing_path.push_str(before).and_then(|()| pairing_path.push_str(end));
    let relay = if connect_request.to_pair { RelayAddress { path: &pairing_path, ..relay } } else { relay };
    let address = match found.as_ref().and_then(|found| found.address) {
        Some(address) => address.into(),
        None => resolve(stack, relay.host).await?,
    };
    let connect = with_timeout(CONNECT_TIMEOUT, socket.connect((address, relay.port))).await;
    connect.map_err(|_| ConnectionError::Timeout)?.map_err(|_| ConnectionError::Unreachable)?;
    let mut reader = Reader::default();
    with_timeout(CONNECT_TIMEOUT, upgrade(socket, &relay, rng, &mut reader))
        .await
        .map_err(|_| ConnectionError::Timeout)??;
    let found = found.map(|found| found.url);
    LINK_EVENTS.send(LinkEvent::Connected { connection_id, found }).await;
    loop {
        while let Some(received) = reader.next().map_err(ConnectionError::Frame)? {
            match received {
                Received::Message(bytes) => {
                    let frame = Vec::from_slice(bytes).map_err(|_| ConnectionError::Frame(FrameError::TooLong))?;
                    LINK_EVENTS.send(LinkEvent::Received(RelayFrame { connection_id, frame })).await;
                }
                Received::Ping(bytes) => send(socket, Opcode::Pong, bytes, rng).await?,
                Received::Pong => {}
                Received::Close(_) => return Err(ConnectionError::Closed),
            }
        }
        // Both are cancel-safe.
        match select(socket.read(reader.room()), RELAY_FRAMES.receive()).await {
            Either::First(Ok(0)) => return Err(ConnectionError::Closed),
            Either::First(Ok(count)) => reader.filled(count),
            Either::First(Err(_)) => return Err(ConnectionError::Lost),
            Either::Second(relay_frame) if relay_frame.connection_id == connection_id => {
                send(socket, Opcode::Binary, &relay_frame.frame, rng).await?;
            }
            // It is for an earlier connection.
            Either::Second(_) => {}
        }
    }
}

/// Asks for a relay in the local network, a few times.
async fn find_relay(stack: Stack<'_>, buffer: &mut [u8], rng: &mut impl Rng) -> Option<FoundRelay> {
    let (mut receive_meta, mut send_meta, mut send_buffer) =
        ([PacketMetadata::EMPTY; 2], [PacketMetadata::EMPTY], [0; QUERY_BYTES]);
    let mut socket = UdpSocket::new(stack, &mut receive_meta, buffer, &mut send_meta, &mut send_buffer);
    // A dynamic port: answers to other ports than that of mDNS come by unicast.
    socket.bind(0).ok()?;
    for _ in 0..DISCOVERY_QUERIES {
        let id = rng.next_u32() as u16;
        socket.send_to(&query(id), MDNS).await.ok()?;
        let answer = async {
            loop {
                let found = socket.recv_from_with(|bytes, _| read_answer(bytes, id)).await;
                if found.is_some() {
                    return found;
                }
            }
        };
        if let Ok(found) = with_timeout(DISCOVERY_TIMEOUT, answer).await {
            return found;
        }
    }
    None
}

async fn resolve(stack: Stack<'_>, host: &str) -> Result<IpAddress, ConnectionError> {
    if let Ok(address) = host.parse::<Ipv4Addr>() {
        return Ok(address.into());
    }
    let found = with_timeout(CONNECT_TIMEOUT, stack.dns_query(host, DnsQueryType::A))
        .await
        .map_err(|_| ConnectionError::Timeout)?;
    found.ok().and_then(|addresses| addresses.first().copied()).ok_or(ConnectionError::NoSuchHost)
}

/// The WebSocket handshake. Bytes after the response go to the reader.
async fn upgrade(
    socket: &mut TcpSocket<'_>,
    relay: &RelayAddress<'_>,
    rng: &mut impl Rng,
    reader: &mut Reader,
) -> Result<(), ConnectionError> {
    let mut random = [0; 16];
    rng.fill(&mut random);
    let nonce = Nonce::new(random);
    socket.write_all(request(relay, &nonce).as_bytes()).await.map_err(|_| ConnectionError::Lost)?;
    let mut response = Upgrade::new(&nonce);
    loop {
        let mut bytes = [0; 256];
        let count = match socket.read(&mut bytes).await {
            Ok(0) => return Err(ConnectionError::Closed),
            Ok(count) => count,
            Err(_) => return Err(ConnectionError::Lost),
        };
        if let Some(own) = response.feed(&bytes[..count]).map_err(ConnectionError::Handshake)? {
            let rest = &bytes[own..count];
            // The reader has room for more than one read.
            reader.room()[..rest.len()].copy_from_slice(rest);
            reader.filled(rest.len());
            return Ok(());
        }
    }
}

async fn send(
    socket: &mut TcpSocket<'_>,
    opcode: Opcode,
    payload: &[u8],
    rng: &mut impl Rng,
) -> Result<(), ConnectionError> {
    let mut frame = [0; MAX_FRAME + FRAME_OVERHEAD];
    // No payload is longer than a frame of the link, so it fits.
    let len = write(opcode, payload, rng.next_u32().to_le_bytes(), &mut frame).unwrap_or(0);
    socket.write_all(&frame[..len]).await.map_err(|_| ConnectionError::Lost)
}
