//! Serves HTTP on accepted sockets: TLS handshake, timeouts, graceful shutdown.

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

use super::client::{AccessControl, ConnectionGuard};
use super::guard::Peer;
use super::limits::RetryAfter;
use super::{address, listener, refusal};
use crate::metrics;

/// Timeout of the TLS handshake.
const HANDSHAKE_TIMEOUT: Duration = Duration::from_secs(10);
/// Timeout for the head of each request.
const HEAD_TIMEOUT: Duration = Duration::from_secs(10);
/// Time for a refused client to read the refusal, and the number of refusals in progress; above it, sockets are just closed.
const REFUSAL_TIMEOUT: Duration = Duration::from_secs(1);
const MAX_REFUSALS: usize = 64;
/// Largest request head in bytes.
const MAX_HEAD: usize = 16 * 1_024;

/// State shared by all connections of one listener.
#[derive(Clone)]
pub(super) struct ServerState {
    pub(super) app: Router,
    pub(super) access: Arc<AccessControl>,
    pub(super) tls: Option<TlsAcceptor>,
}

/// Accepts connections until it is dropped, and spawns one task for each.
pub(super) async fn accept(listener: TcpListener, state: ServerState) {
    let refusals = Arc::new(Semaphore::new(MAX_REFUSALS));
    loop {
        let (stream, peer) = listener::accept(&listener).await;
        let is_proxy = address::is_proxy(peer.ip(), &state.access.proxies);
        match state.access.limits.connect(peer.ip().into(), is_proxy) {
            Ok(permit) => {
                let guard = ConnectionGuard::new(permit, &state.access.shutdown);
                tokio::spawn(state.clone().serve(stream, peer, guard));
            }
            // A TLS client cannot read a plain-text response.
            Err(retry) if state.tls.is_none() => refuse(stream, retry, &refusals),
            Err(_) => {}
        }
    }
}

/// Sends 429 without reading the request.
fn refuse(mut stream: TcpStream, retry: RetryAfter, refusals: &Arc<Semaphore>) {
    // The send buffer of a new socket is empty, so one write takes all of it.
    let sent = stream.try_write(refusal::too_many_connections(retry).as_bytes());
    let Ok(permit) = refusals.clone().try_acquire_owned() else { return };
    if sent.is_ok() {
        // Closing a socket with unread data sends a reset, which discards the response on the client's side.
        tokio::spawn(timeout(REFUSAL_TIMEOUT, async move {
            let _permit = permit;
            let mut unread = [0; 512];
            let _ = stream.shutdown().await;
            while stream.read(&mut unread).await.is_ok_and(|len| len > 0) {}
        }));
    }
}

impl ServerState {
    async fn serve(self, stream: TcpStream, peer: SocketAddr, guard: Arc<ConnectionGuard>) {
        let peer = Peer { address: peer.ip().to_canonical(), guard };
        match self.tls.clone() {
            None => self.serve_http(stream, peer).await,
            Some(tls) => match timeout(HANDSHAKE_TIMEOUT, tls.accept(stream)).await {
                Ok(Ok(stream)) => self.serve_http(stream, peer).await,
                Ok(Err(error)) => {
                    tracing::debug!(client = %peer.address, %error, "TLS handshake failed");
                    metrics::handshake_failed();
                }
                Err(_) => {
                    tracing::debug!(client = %peer.address, "TLS handshake timed out");
                    metrics::handshake_failed();
                }
            },
        }
    }

    async fn serve_http(self, stream: impl AsyncRead + AsyncWrite + Send + Unpin + 'static, peer: Peer) {
        let Self { app, access, .. } = self;
        let service = service_fn(move |request: hyper::Request<Incoming>| {
            let (app, peer) = (app.clone(), peer.clone());
            async move {
                let mut request = request.map(Body::new);
                request.extensions_mut().insert(peer);
                let Ok(response) = app.oneshot(request).await;
                Ok::<_, Infallible>(response)
            }
        });
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(HEAD_TIMEOUT)
            .max_buf_size(MAX_HEAD)
            .serve_connection(TokioIo::new(stream), service)
            .with_upgrades();
        let mut connection = pin!(connection);
        // A connection accepted during shutdown gets one 503 response; an immediate graceful shutdown would close it unanswered.
        let mut notified = access.shutdown.is_stopping();
        loop {
            tokio::select! {
                result = &mut connection => {
                    if let Err(error) = result {
                        tracing::trace!(%error, "connection ended with an error");
                    }
                    return;
                }
                () = access.shutdown.stopping().cancelled(), if !notified => {
                    // The request in progress is still answered.
                    connection.as_mut().graceful_shutdown();
                    notified = true;
                }
            }
        }
    }
}
