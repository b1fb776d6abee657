//! A bad line: a proxy between two parts that can hold back, slow down and cut what goes through it.

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::time::sleep;

/// How a line is in one direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// Everything goes through at once.
    Free,
    /// At most so many bytes go through, and then none for a while.
    Slow(usize, Duration),
    /// Nothing goes through. It is kept, and goes on its way when the line is better.
    Held,
}

/// How a line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Weather {
    /// To those who were connected to.
    pub forth: Flow,
    /// To those who connect.
    pub back: Flow,
}

impl Weather {
    /// As it should be.
    pub const FINE: Self = Self { forth: Flow::Free, back: Flow::Free };
    /// As if a cable were pulled.
    pub const SILENT: Self = Self { forth: Flow::Held, back: Flow::Held };
    /// What is asked arrives, and no answer comes back.
    pub const UNANSWERED: Self = Self { forth: Flow::Free, back: Flow::Held };
}

/// A proxy. It ends with this, and its connections with it.
#[derive(Debug)]
pub struct Proxy {
    address: SocketAddr,
    weather: watch::Sender<Weather>,
    /// How often all connections were cut.
    cuts: watch::Sender<u32>,
}

impl Proxy {
    /// Begins to listen for those who want to connect to an address.
    pub async fn start(to: SocketAddr) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let address = listener.local_addr()?;
        let weather = watch::Sender::new(Weather::FINE);
        let cuts = watch::Sender::new(0);
        let (watched, mut cut) = (weather.subscribe(), cuts.subscribe());
        tokio::spawn(async move {
            loop {
                tokio::select! {
                    accepted = listener.accept() => {
                        let Ok((near, _)) = accepted else { return };
                        // Cuts before this one do not concern it.
                        let mut cuts = cut.clone();
                        cuts.mark_unchanged();
                        tokio::spawn(connect(near, to, watched.clone(), cuts));
                    }
                    changed = cut.changed() => if changed.is_err() { return },
                }
            }
        });
        Ok(Self { address, weather, cuts })
    }

    /// Where it listens.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// From now on the line is like this, for those who are connected and for those who come.
    pub fn set(&self, weather: Weather) {
        self.weather.send_replace(weather);
    }

    /// Resets all connections that there are. Others may come at once.
    pub fn cut(&self) {
        self.cuts.send_modify(|cuts| *cuts += 1);
    }
}

async fn connect(near: TcpStream, to: SocketAddr, weather: watch::Receiver<Weather>, mut cuts: watch::Receiver<u32>) {
    let Ok(far) = TcpStream::connect(to).await else { return };
    for stream in [&near, &far] {
        // Neither can fail on a socket that is there. What is held back must not be sent when the line is cut.
        let _ = (stream.set_nodelay(true), stream.set_zero_linger());
    }
    let ((near_out, near_in), (far_out, far_in)) = (near.into_split(), far.into_split());
    let forth = carry(near_out, far_in, weather.clone(), |weather| weather.forth);
    let back = carry(far_out, near_in, weather, |weather| weather.back);
    tokio::select! {
        // It ends when one of both has ended it: nobody here goes on listening after that.
        _ = forth => {}
        _ = back => {}
        _ = cuts.changed() => {}
    }
}

async fn carry(
    mut from: OwnedReadHalf,
    mut to: OwnedWriteHalf,
    mut weather: watch::Receiver<Weather>,
    direction: fn(&Weather) -> Flow,
) -> io::Result<()> {
    let mut buffer = vec![0; 16 << 10];
    loop {
        // Nothing is taken out of a line that is held, so that whoever sends too much notices it.
        if weather.wait_for(|weather| direction(weather) != Flow::Held).await.is_err() {
            return Ok(());
        }
        let (most, pause) = match direction(&weather.borrow()) {
            Flow::Slow(most, pause) => (most.clamp(1, buffer.len()), Some(pause)),
            Flow::Free | Flow::Held => (buffer.len(), None),
        };
        let Some(part) = buffer.get_mut(..most) else { return Ok(()) };
        let len = from.read(part).await?;
        if len == 0 {
            return Ok(());
        }
        if weather.wait_for(|weather| direction(weather) != Flow::Held).await.is_err() {
            return Ok(());
        }
        to.write_all(part.get(..len).unwrap_or_default()).await?;
        if let Some(pause) = pause {
            sleep(pause).await;
        }
    }
}
