//! From a socket to requests.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::time::timeout;
use tokio_rustls::TlsAcceptor;
use tower::ServiceExt;

use super::door::{Connection, Entrance};
use super::guard::Peer;
use super::limits::Wait;
use super::{address, listener, metrics, refusal};

/// So long may it take to agree on how to encrypt.
const HANDSHAKE_WITHIN: Duration = Duration::from_secs(10);
/// So long may it take until a request is there, the first or the next.
const REQUEST_WITHIN: Duration = Duration::from_secs(10);
/// So long somebody who is turned away has to hear why, and so many at a time: there may be many more.
const COURTESY: Duration = Duration::from_secs(1);
const COURTESIES: usize = 64;
/// So large may the head of a request be.
const LARGEST_HEAD: usize = 16 * 1_024;

/// What there is to connect to.
#[derive(Clone)]
pub(super) struct House {
    pub(super) app: Router,
    pub(super) entrance: Arc<Entrance>,
    pub(super) tls: Option<TlsAcceptor>,
}

/// Accepts connections until it is dropped. Each is looked after in a task of its own, so nobody waits for anybody.
pub(super) async fn accept(listener: TcpListener, house: House) {
    let courtesies = Arc::new(Semaphore::new(COURTESIES));
    loop {
        let (stream, peer) = listener::accept(&listener).await;
        let is_proxy = address::is_proxy(peer.ip(), &house.entrance.proxies);
        match house.entrance.limits.connect(peer.ip(), is_proxy) {
            Ok(permit) => {
                let connection = Connection::new(permit, &house.entrance.shutdown);
                tokio::spawn(house.clone().welcome(stream, peer, connection));
            }
            // Whoever wants to speak TLS would not understand it.
            Err(wait) if house.tls.is_none() => turn_away(stream, wait, &courtesies),
            Err(_) => {}
        }
    }
}

/// Tells somebody that there is no place for them.
fn turn_away(mut stream: TcpStream, wait: Wait, courtesies: &Arc<Semaphore>) {
    // The buffer of a new socket is empty, so it takes this.
    let said = stream.try_write(refusal::unread(wait).as_bytes());
    let Ok(permit) = courtesies.clone().try_acquire_owned() else { return };
    if said.is_ok() {
        // Who hangs up before everything was read that the other side has sent takes back the last words.
        tokio::spawn(timeout(COURTESY, async move {
            let _permit = permit;
            let mut unread = [0; 512];
            let _ = stream.shutdown().await;
            while stream.read(&mut unread).await.is_ok_and(|len| len > 0) {}
        }));
    }
}

impl House {
    async fn welcome(self, stream: TcpStream, peer: SocketAddr, connection: Arc<Connection>) {
        let peer = Peer { address: peer.ip().to_canonical(), connection };
        match self.tls.clone() {
            None => self.converse(stream, peer).await,
            Some(tls) => match timeout(HANDSHAKE_WITHIN, tls.accept(stream)).await {
                Ok(Ok(stream)) => self.converse(stream, peer).await,
                Ok(Err(error)) => {
                    tracing::debug!(client = %peer.address, %error, "no TLS");
                    metrics::handshake_failed();
                }
                Err(_) => {
                    tracing::debug!(client = %peer.address, "no TLS in time");
                    metrics::handshake_failed();
                }
            },
        }
    }

    async fn converse(self, stream: impl AsyncRead + AsyncWrite + Send + Unpin + 'static, peer: Peer) {
        let Self { app, entrance, .. } = self;
        let service = service_fn(move |request: hyper::Request<Incoming>| {
            let (app, peer) = (app.clone(), peer.clone());
            async move {
                let mut request = request.map(Body::new);
                request.extensions_mut().insert(peer);
                let Ok(response) = app.oneshot(request).await;
                Ok::<_, Infallible>(response)
            }
        });
        let conversation = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(REQUEST_WITHIN)
            .max_buf_size(LARGEST_HEAD)
            .serve_connection(TokioIo::new(stream), service)
            .with_upgrades();
        let mut conversation = pin!(conversation);
        // Whoever comes while the relay stops gets one answer, which says so. To be told now would be to be cut.
        let mut told = entrance.shutdown.is_stopping();
        loop {
            tokio::select! {
                result = &mut conversation => {
                    if let Err(error) = result {
                        tracing::trace!(%error, "a connection ended in the middle of something");
                    }
                    return;
                }
                () = entrance.shutdown.stopping().cancelled(), if !told => {
                    // What was asked is still answered.
                    conversation.as_mut().graceful_shutdown();
                    told = true;
                }
            }
        }
    }
}
