//! Serves the page of one board, without a relay and a store.

use std::io::Write;
use std::net::SocketAddr;
use std::sync::Arc;

use clap::Args;
use tokio_util::sync::CancellationToken;

use crate::config::{Config, EnvironmentSetting, TouchPolicy, Variables};
use crate::failure::Failure;
use crate::page;
use crate::server::{self, ServeError, Server, Shutdown, StoreCheck};
use crate::virtual_board::{self, Panels};

#[derive(Args, Debug)]
pub(super) struct BoardPage {
    /// Address to listen on. The default does not collide with a relay on the same machine
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8081")]
    listen: SocketAddr,
    /// Let all clients move the pieces, and not only those on this machine
    #[arg(long)]
    open: bool,
    #[command(flatten)]
    environment: EnvironmentSetting,
}

impl BoardPage {
    /// Settings of the HTTP server from the variables, such as TLS and limits. Starts logging.
    pub(super) fn config(&self, variables: &Variables) -> Result<Config, Failure> {
        let config = Config { listen: self.listen, ..Config::without_flags(variables)? };
        server::init_logging(&config.log);
        Ok(config)
    }

    /// Serves the page and runs the board until a signal stops the process.
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
        let hands = if self.open { TouchPolicy::All } else { TouchPolicy::Local };
        let routes = virtual_board::standalone_routes(panels, hands);
        if let Ok(address) = server.address() {
            tracing::info!(%address, tls = config.tls.is_some(), "listening");
            let page = page::PageAddresses::of_board(address, config.tls.is_some(), hands);
            // A service has no standard output to write to.
            let _ = write!(output, "{page}").and_then(|()| output.flush());
        }
        let stop_board = CancellationToken::new();
        let running = tokio::spawn(live(stop_board.clone()));
        let check: StoreCheck = Arc::new(|| Box::pin(async { Ok(()) }));
        let ended = server.run(routes, check, shutdown).await;
        stop_board.cancel();
        // An error is a panic of the task, which is already printed.
        let _ = running.await;
        Ok(ended?)
    }
}
