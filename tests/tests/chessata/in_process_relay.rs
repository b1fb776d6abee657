//! A relay in the process of the test, with a store in memory.

use std::net::SocketAddr;
use std::sync::Arc;

use host_server::config::Config;
use host_server::dialect::board::BoardServer;
use host_server::dialect::{self, Services};
use host_server::relay::Relay;
use host_server::room::Terms;
use host_server::server::{Server, Shutdown};
use host_server::store::memory::Memory;
use tests::json_client::{UpgradeRefused, token_header};
use tests::relay::{HttpResponse, get, post};

use crate::client::ChessataClient;

/// A relay with a store in memory. It ends with the runtime of its test.
pub(crate) struct InProcessRelay {
    pub(crate) address: SocketAddr,
    pub(crate) store: Arc<Memory>,
    pub(crate) shutdown: Shutdown,
}

impl InProcessRelay {
    /// Starts a relay with a short grace period for absent players.
    pub(crate) fn start() -> Self {
        Self::with(Terms { grace: 300, ..Terms::default() }, &[])
    }

    /// Starts a relay with a grace period longer than any test.
    pub(crate) fn with_long_grace() -> Self {
        Self::with(Terms { grace: 600_000, ..Terms::default() }, &[])
    }

    pub(crate) fn with(terms: Terms, variables: &[(&str, &str)]) -> Self {
        // All clients of a test have the same address.
        let usual =
            [("TABIYA_LISTEN", "127.0.0.1:0"), ("TABIYA_JOINS_PER_MINUTE", "0"), ("TABIYA_MESSAGES_PER_SECOND", "0")];
        let config = Config::from_variables(variables.iter().copied().chain(usual)).unwrap();
        let server = Server::bind(&config).unwrap();
        let address = server.address().unwrap();
        let store = Arc::new(Memory::default());
        let relay = Relay::new(store.clone());
        let shutdown = Shutdown::new();
        let (boards, stopping) = (BoardServer::new(relay.clone()), shutdown.stopping().clone());
        let routes = dialect::routes(&Services { boards, relay, terms, tls: false, stopping });
        let running = server.run(routes, Arc::new(|| Box::pin(async { Ok(()) })), shutdown.clone());
        tokio::spawn(async move { running.await.unwrap() });
        Self { address, store, shutdown }
    }

    /// Connects a client, which must be accepted.
    #[track_caller]
    pub(crate) fn client(&self, path: &str) -> impl Future<Output = ChessataClient> + use<> {
        let connecting = self.try_client(path);
        async { connecting.await.unwrap_or_else(|refused| panic!("{refused:?}")) }
    }

    /// Connects a client.
    pub(crate) fn try_client(
        &self,
        path: &str,
    ) -> impl Future<Output = Result<ChessataClient, UpgradeRefused>> + use<> {
        ChessataClient::connect(self.address, path.to_owned(), Vec::new())
    }

    /// Connects a client with the token of a seat.
    pub(crate) fn try_client_with_token(
        &self,
        path: &str,
        token: &str,
    ) -> impl Future<Output = Result<ChessataClient, UpgradeRefused>> + use<> {
        ChessataClient::connect(self.address, path.to_owned(), vec![token_header(token)])
    }

    /// Connects two players, and skips their messages up to the first state of the game.
    pub(crate) async fn players(&self, query: &str) -> [ChessataClient; 2] {
        let mut white = self.client(&format!("/ws/api/anna/game/{query}")).await;
        white.receive_type("game_state").await;
        let mut black = self.client(&format!("/ws/api/billy/game/{query}")).await;
        black.receive_type("game_state").await;
        white.receive_type("game_state").await;
        [white, black]
    }

    pub(crate) async fn get(&self, path: &str) -> HttpResponse {
        get(self.address, path).await.unwrap()
    }

    pub(crate) async fn post(&self, path: &str, body: &str) -> HttpResponse {
        post(self.address, path, "", body).await.unwrap()
    }
}
