//! Calls the relay when the referee says so, and carries frames.

use core::convert::Infallible;
use core::fmt;
use core::net::Ipv4Addr;
use core::pin::pin;

use board::Relay;
use defmt::{Display2Format, info, unwrap};
use embassy_futures::select::{Either, Either3, select, select3};
use embassy_net::dns::DnsQueryType;
use embassy_net::tcp::TcpSocket;
use embassy_net::{IpAddress, Stack};
use embassy_time::{Duration, with_timeout};
use embedded_io_async::Write as _;
use heapless::Vec;
use wire::link::MAX_FRAME;

use super::meeting::{DIAL, FROM_RELAY, HANG_UP, Letter, NETWORK, Report, TO_RELAY};
use super::roll::patiently;
use crate::parts::Dice;
use crate::roll_call::Who;
use crate::websocket::{
    FRAME_OVERHEAD, FrameError, HandshakeError, Nonce, Opcode, Reader, Received, Upgrade, request, write,
};

/// How long a relay may take for each step until there is a connection.
const PATIENCE: Duration = Duration::from_secs(10);
/// How long what was sent may go without a sign that it has arrived.
const DEAD_AFTER: Duration = Duration::from_secs(30);

/// How long a connection that is given up may take to say so.
const MOMENT: Duration = Duration::from_millis(100);
/// Why a WebSocket is closed, if nothing is wrong.
const NORMAL: u16 = 1000;

/// Room for what waits to be read or sent: some frames each.
const SOCKET_BYTES: usize = 2048;

/// Why a connection is gone.
enum Gone {
    NoSuchHost,
    Unreachable,
    Slow,
    Broken,
    Closed,
    Handshake(HandshakeError),
    Frame(FrameError),
}

impl fmt::Display for Gone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoSuchHost => "there is no such host",
            Self::Unreachable => "nobody answers there",
            Self::Slow => "it takes too long",
            Self::Broken => "the connection broke",
            Self::Closed => "the relay closed it",
            Self::Handshake(error) => return error.fmt(f),
            Self::Frame(error) => return error.fmt(f),
        })
    }
}

pub(crate) async fn link(stack: Stack<'static>, mut dice: impl Dice) -> ! {
    let mut buffers = ([0; SOCKET_BYTES], [0; SOCKET_BYTES]);
    // There is a place for one, and this is the only task that takes it.
    let mut network = unwrap!(NETWORK.receiver());
    loop {
        let dial = patiently(Who::Link, DIAL.wait()).await;
        let call = dial.call;
        let (incoming, outgoing) = &mut buffers;
        let conversation = async {
            let mut hang_up = pin!(async { while HANG_UP.wait().await != call {} });
            if let Either::Second(()) = select(network.get_and(|is_up| *is_up), hang_up.as_mut()).await {
                return;
            }
            let mut socket = TcpSocket::new(stack, incoming, outgoing);
            socket.set_timeout(Some(DEAD_AFTER));
            let talk = talk(&mut socket, stack, &dial.relay, call, &mut dice);
            let is_polite = match select3(talk, hang_up, network.get_and(|is_up| !*is_up)).await {
                Either3::First(Err(reason)) => {
                    info!("no relay: {}", Display2Format(&reason));
                    matches!(reason, Gone::Closed)
                }
                Either3::Second(()) => true,
                Either3::Third(_) => false,
            };
            if is_polite {
                let part = async {
                    let _ = send(&mut socket, Opcode::Close, &NORMAL.to_be_bytes(), &mut dice).await;
                    let _ = socket.flush().await;
                };
                let _ = with_timeout(MOMENT, part).await;
            }
            // There is nothing more to say, and the next call must not have to wait for this one to be settled.
            socket.abort();
            let _ = with_timeout(MOMENT, socket.flush()).await;
        };
        patiently(Who::Link, conversation).await;
        FROM_RELAY.send(Report::Gone { call }).await;
    }
}

/// Makes a connection and carries frames over it, until it ends.
async fn talk(
    socket: &mut TcpSocket<'_>,
    stack: Stack<'_>,
    relay: &str,
    call: u32,
    dice: &mut impl Dice,
) -> Result<Infallible, Gone> {
    let relay = Relay::parse(relay).map_err(|_| Gone::NoSuchHost)?;
    let address = find(stack, relay.host).await?;
    let connect = with_timeout(PATIENCE, socket.connect((address, relay.port))).await;
    connect.map_err(|_| Gone::Slow)?.map_err(|_| Gone::Unreachable)?;
    let mut reader = Reader::default();
    with_timeout(PATIENCE, shake_hands(socket, &relay, dice, &mut reader)).await.map_err(|_| Gone::Slow)??;
    FROM_RELAY.send(Report::Connected { call }).await;
    loop {
        while let Some(received) = reader.next().map_err(Gone::Frame)? {
            match received {
                Received::Message(bytes) => {
                    let frame = Vec::from_slice(bytes).map_err(|_| Gone::Frame(FrameError::TooLong))?;
                    FROM_RELAY.send(Report::Letter(Letter { call, frame })).await;
                }
                Received::Ping(bytes) => send(socket, Opcode::Pong, bytes, dice).await?,
                Received::Pong => {}
                Received::Close(_) => return Err(Gone::Closed),
            }
        }
        // Neither loses anything if the other is first.
        match select(socket.read(reader.room()), TO_RELAY.receive()).await {
            Either::First(Ok(0)) => return Err(Gone::Closed),
            Either::First(Ok(count)) => reader.filled(count),
            Either::First(Err(_)) => return Err(Gone::Broken),
            Either::Second(letter) if letter.call == call => send(socket, Opcode::Binary, &letter.frame, dice).await?,
            // It was for a connection that is gone.
            Either::Second(_) => {}
        }
    }
}

async fn find(stack: Stack<'_>, host: &str) -> Result<IpAddress, Gone> {
    if let Ok(address) = host.parse::<Ipv4Addr>() {
        return Ok(address.into());
    }
    let found = with_timeout(PATIENCE, stack.dns_query(host, DnsQueryType::A)).await.map_err(|_| Gone::Slow)?;
    found.ok().and_then(|addresses| addresses.first().copied()).ok_or(Gone::NoSuchHost)
}

/// Makes a WebSocket of a connection. What comes behind the answer is for the reader.
async fn shake_hands(
    socket: &mut TcpSocket<'_>,
    relay: &Relay<'_>,
    dice: &mut impl Dice,
    reader: &mut Reader,
) -> Result<(), Gone> {
    let mut random = [0; 16];
    dice.fill(&mut random);
    let nonce = Nonce::new(random);
    socket.write_all(request(relay, &nonce).as_bytes()).await.map_err(|_| Gone::Broken)?;
    let mut upgrade = Upgrade::new(&nonce);
    loop {
        let mut bytes = [0; 256];
        let count = match socket.read(&mut bytes).await {
            Ok(0) => return Err(Gone::Closed),
            Ok(count) => count,
            Err(_) => return Err(Gone::Broken),
        };
        if let Some(own) = upgrade.feed(&bytes[..count]).map_err(Gone::Handshake)? {
            let rest = &bytes[own..count];
            // It has room for more than was read at once.
            reader.room()[..rest.len()].copy_from_slice(rest);
            reader.filled(rest.len());
            return Ok(());
        }
    }
}

async fn send(socket: &mut TcpSocket<'_>, opcode: Opcode, payload: &[u8], dice: &mut impl Dice) -> Result<(), Gone> {
    let mut frame = [0; MAX_FRAME + FRAME_OVERHEAD];
    // No payload is longer than a frame of the link, so there is always room.
    let len = write(opcode, payload, dice.word().to_le_bytes(), &mut frame).unwrap_or(0);
    socket.write_all(&frame[..len]).await.map_err(|_| Gone::Broken)
}
