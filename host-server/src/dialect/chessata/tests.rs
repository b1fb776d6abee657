//! The connection loop, with this dialect.

use std::io;
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::extract::ws::WebSocketUpgrade;
use axum::routing::any;
use axum::serve::Listener;
use futures_util::StreamExt;
use tokio::io::{DuplexStream, duplex};
use tokio_tungstenite::client_async;
use tokio_tungstenite::tungstenite::Message as Frame;

use super::adapter::Chessata;
use crate::dialect::connection::participant::{Entered, idle_size, serve};
use crate::relay::{Claim, Relay, SeatRequest};
use crate::room::{Act, Participant, SideChoice, Terms};
use crate::server::ClientContext;
use crate::store::memory::Memory;

/// A relay has tens of thousands of connections, nearly all of which are idle.
#[test]
fn an_idle_connection_is_small() {
    let size = idle_size::<Chessata>();
    assert!(size <= 1_280, "{size} bytes");
}

/// A listener with one connection, over a pipe with a small buffer.
struct Pipe(Option<DuplexStream>);

impl Listener for Pipe {
    type Io = DuplexStream;
    type Addr = ();

    async fn accept(&mut self) -> (DuplexStream, ()) {
        match self.0.take() {
            Some(stream) => (stream, ()),
            None => std::future::pending().await,
        }
    }

    fn local_addr(&self) -> io::Result<()> {
        Ok(())
    }
}

#[tokio::test]
async fn a_client_that_reads_too_slowly_is_asked_to_reconnect() {
    let relay = Relay::new(Arc::new(Memory::default()));
    let (code, participant) = ("ROOM".parse().unwrap(), |name: &str| Participant::new(name.parse().unwrap()));
    let claim = Claim::Play(SeatRequest::new(SideChoice::First));
    let ann = relay.enter(&code, participant("ann"), claim, Some(&Terms::default())).await.unwrap();
    let handle = relay.enter(&code, participant("sam"), Claim::Watch, None).await.unwrap();
    let handle = Arc::new(Mutex::new(Some(handle)));
    let routes = Router::new().fallback(any(async move |upgrade: WebSocketUpgrade| {
        upgrade.on_upgrade(async move |socket| {
            let handle = handle.lock().unwrap().take().unwrap();
            let dialect = Chessata { extras: true, token: None };
            let entered = Entered { client: ClientContext::for_tests(), handle, can_return: false, dialect };
            serve(socket, Box::new(entered)).await;
        })
    }));
    let (near, far) = duplex(1024);
    tokio::spawn(async move { axum::serve(Pipe(Some(far)), routes).await });
    let (mut socket, _) = client_async("ws://relay/", near).await.unwrap();
    for number in 0..200 {
        ann.act(Act::Chat { text: format!("{number} {}", "x".repeat(250)) }).await.unwrap();
    }
    // The client has received the first messages, and not the last.
    let mut received = 0;
    let close = loop {
        match socket.next().await.unwrap().unwrap() {
            Frame::Text(text) if text.contains("xxxx") => received += 1,
            Frame::Close(close) => break close.unwrap(),
            _ => {}
        }
    };
    assert_eq!((u16::from(close.code), close.reason.as_str()), (1013, "too slow, connect again"));
    assert!(received < 100, "{received} of 200");
}
