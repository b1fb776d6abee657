//! A relay for one test.

use std::net::SocketAddr;
use std::sync::Arc;

use host_server::config::{Config, Sources};
use host_server::relay::Relay;
use host_server::room::Terms;
use host_server::server::{Server, Shutdown};
use host_server::store::memory::Memory;
use host_server::tongue::{chessata, games};
use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::client::{Client, Refused};

/// A relay that keeps everything in memory. It ends with its test.
pub(crate) struct House {
    pub(crate) address: SocketAddr,
    pub(crate) store: Arc<Memory>,
    pub(crate) shutdown: Shutdown,
}

impl House {
    /// Starts one as usual, except that players who are away are not waited for.
    pub(crate) fn open() -> Self {
        Self::with(Terms { grace: 300, ..Terms::default() }, &[])
    }

    /// Starts one whose players may be away for as long as a test can take.
    pub(crate) fn patient() -> Self {
        Self::with(Terms { grace: 600_000, ..Terms::default() }, &[])
    }

    pub(crate) fn with(terms: Terms, variables: &[(&str, &str)]) -> Self {
        // One machine plays everybody here.
        let usual =
            [("TABIYA_LISTEN", "127.0.0.1:0"), ("TABIYA_JOINS_PER_MINUTE", "0"), ("TABIYA_MESSAGES_PER_SECOND", "0")];
        let sources = Sources::of_variables(variables.iter().copied().chain(usual));
        let server = Server::bind(&Config::read(&sources).unwrap()).unwrap();
        let address = server.address().unwrap();
        let store = Arc::new(Memory::default());
        let relay = Relay::new(store.clone());
        let routes = chessata::routes(relay.clone(), terms.clone()).merge(games::routes(relay, terms));
        let shutdown = Shutdown::new();
        let running = server.run(routes, Arc::new(|| Box::pin(async { Ok(()) })), shutdown.clone());
        tokio::spawn(async move { running.await.unwrap() });
        Self { address, store, shutdown }
    }

    /// Somebody comes, and is let in.
    #[track_caller]
    pub(crate) fn client(&self, path: &str) -> impl Future<Output = Client> + use<> {
        let connecting = self.try_client(path);
        async { connecting.await.unwrap_or_else(|refused| panic!("{refused:?}")) }
    }

    /// Somebody comes.
    pub(crate) fn try_client(&self, path: &str) -> impl Future<Output = Result<Client, Refused>> + use<> {
        Client::connect(self.address, path.to_owned(), None)
    }

    /// Two players, and everything that they hear until the game has begun.
    pub(crate) async fn players(&self, query: &str) -> [Client; 2] {
        let mut white = self.client(&format!("/ws/api/anna/game/{query}")).await;
        white.hear_until("game_state").await;
        let mut black = self.client(&format!("/ws/api/billy/game/{query}")).await;
        black.hear_until("game_state").await;
        white.hear_until("game_state").await;
        [white, black]
    }

    pub(crate) async fn get(&self, path: &str) -> Answer {
        self.ask(format!("GET {path} HTTP/1.1\r\nhost: relay\r\nconnection: close\r\n\r\n")).await
    }

    pub(crate) async fn post(&self, path: &str, body: &str) -> Answer {
        let length = body.len();
        let head = format!("POST {path} HTTP/1.1\r\nhost: relay\r\nconnection: close\r\ncontent-length: {length}");
        self.ask(format!("{head}\r\n\r\n{body}")).await
    }

    async fn ask(&self, request: String) -> Answer {
        let mut stream = TcpStream::connect(self.address).await.unwrap();
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).await.unwrap();
        let end = answer.windows(4).position(|bytes| bytes == b"\r\n\r\n").expect("an answer has a head");
        let head = String::from_utf8(answer[..end].to_vec()).unwrap();
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
        Answer { status, head, body: answer[end + 4..].to_vec() }
    }
}

/// What comes back over HTTP.
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.body).unwrap()
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap()
    }
}
