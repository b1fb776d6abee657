//! A page for one board, by itself: no relay, no store.

use std::io::Write;
use std::net::SocketAddr;
use std::sync::Arc;

use axum::Router;
use axum::response::Redirect;
use axum::routing::get;
use clap::Args;
use tokio_util::sync::CancellationToken;

use crate::config::{self, Config, Sources};
use crate::failure::Failure;
use crate::page;
use crate::server::{self, ServeError, Server, Shutdown, StoreCheck};
use crate::virtual_board::{self, Hands, Panels};

#[derive(Args, Debug)]
pub(super) struct Exhibit {
    /// Show the board here. It is chosen to be out of the way of a relay on the same machine.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8081")]
    listen: SocketAddr,
    /// Let everybody who sees the board touch it, and not only this machine.
    #[arg(long)]
    open: bool,
}

impl Exhibit {
    /// Begins to log, and finds out what else the environment says.
    pub(super) fn config(&self) -> Result<Config, Failure> {
        let sources = Sources::of_process(&config::Arguments::default())?;
        let config = Config { listen: self.listen, ..Config::read(&sources)? };
        server::begin_log(&config.log);
        Ok(config)
    }

    /// Shows a board until the process is told to stop. `live` is what it does meanwhile.
    pub(super) async fn show<L: Future<Output = ()> + Send + 'static>(
        &self,
        config: &Config,
        panels: Panels,
        live: impl FnOnce(CancellationToken) -> L,
        output: &mut impl Write,
    ) -> Result<(), Failure> {
        let shutdown = Shutdown::new();
        shutdown.listen().map_err(ServeError::Signals)?;
        let server = Server::bind(config)?;
        let hands = if self.open { Hands::All } else { Hands::Local };
        let routes = Router::new()
            .route("/", get(async || Redirect::temporary("/board")))
            .merge(page::files())
            .merge(virtual_board::routes(panels, hands));
        if let Ok(address) = server.address() {
            tracing::info!(%address, tls = config.tls.is_some(), "listening");
            let page = page::Whereabouts::of_board(address, config.tls.is_some(), hands);
            // Who does not look has started it for others.
            let _ = write!(output, "{page}").and_then(|()| output.flush());
        }
        let unplugged = CancellationToken::new();
        let running = tokio::spawn(live(unplugged.clone()));
        let check: StoreCheck = Arc::new(|| Box::pin(async { Ok(()) }));
        let ended = server.run(routes, check, shutdown).await;
        unplugged.cancel();
        // Whatever ended it, it has ended.
        let _ = running.await;
        Ok(ended?)
    }
}
