//! `tabiya serve`: builds the relay from its parts and runs it.

use std::io::{self, Write};
use std::net::SocketAddr;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use tokio::runtime::{Builder, Runtime};
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;
use wire::link::PairingKey;

use super::open_store;
use crate::boards::Serial;
use crate::computer::Computers;
use crate::config::{Config, ConfigError, PairingPolicy, Settings, StoreConfig, TouchPolicy, Variables};
use crate::dialect::board::BoardServer;
use crate::dialect::{self, Services, livechess};
use crate::discovery::Announcement;
use crate::failure::Failure;
use crate::owner::{self, Owner};
use crate::page::{self, PageAddresses};
use crate::pairing::{self, PairingRequests};
use crate::relay::Relay;
use crate::room::Terms;
use crate::scripts::Scripts;
use crate::server::{self, ServeError, Server, Shutdown, StoreCheck};
use crate::virtual_board::{self, EmbeddedBoard, VirtualBoard, loopback};

/// Minimum time for the store to record that the relay stops, also with a short `--stop-within`.
const SHORTEST_RELEASE: Duration = Duration::from_secs(5);

/// Maximum number of threads that read from the store and replay logs. Without this limit hundreds of clients who enter at the same
/// moment would start hundreds of threads, each with a stack.
const BLOCKING_THREADS: usize = 32;

#[derive(Args, Debug)]
pub(super) struct Arguments {
    #[command(flatten)]
    settings: Settings,
}

impl Arguments {
    pub(super) const fn print_config(&self) -> bool {
        self.settings.print_config()
    }

    pub(super) fn config(self, variables: &Variables) -> Result<Config, ConfigError> {
        self.settings.config(variables)
    }

    pub(super) fn run(self, variables: &Variables, output: &mut impl Write) -> Result<(), Failure> {
        let config = self.config(variables)?;
        server::init_logging(&config.log);
        if let Some(file) = variables.file_name() {
            tracing::info!(file = %file.display(), "settings file loaded");
        }
        let runtime = runtime().map_err(Failure::Runtime)?;
        let shutdown = Shutdown::new();
        let result = runtime.block_on(async {
            shutdown.listen().map_err(ServeError::Signals)?;
            tokio::select! {
                result = relay(&config, &shutdown, output) => result,
                // Also while the store does not answer, at the start or at the end.
                () = shutdown.immediate().cancelled() => Ok(()),
            }
        });
        // Connections had their shutdown timeout; tasks that still run are dropped.
        runtime.shutdown_background();
        result
    }
}

/// The async runtime of the relay.
fn runtime() -> io::Result<Runtime> {
    Builder::new_multi_thread().max_blocking_threads(BLOCKING_THREADS).enable_all().build()
}

/// Connects the parts: store, relay, dialects, pages, virtual board, HTTP server.
async fn relay(config: &Config, shutdown: &Shutdown, output: &mut impl Write) -> Result<(), Failure> {
    let server = Server::bind(config)?;
    let store = open_store::open(&config.store, config.keep_games).await?;
    let relay = Relay::new(store.clone());
    relay.limit_store(config.max_store.map_or(0, |megabytes| u64::from(megabytes.get()) << 20));
    relay.execute_scripts(Scripts::start(&config.scripts));
    relay.use_computers(computers(config));
    relay.live().await.map_err(|error| Failure::Store(error.to_string()))?;
    let boards = BoardServer::new(relay.clone());
    let grace = config.grace.as_millis().try_into().unwrap_or(u64::MAX);
    let longest_absence = config.keep_games.as_millis().try_into().unwrap_or(u64::MAX);
    let terms = Terms { grace, longest_absence, ..Terms::default() };
    let embedded = embedded_board(config, &boards).await?;
    let services = Services {
        relay: relay.clone(),
        terms,
        boards: boards.clone(),
        tls: config.tls.is_some(),
        stopping: shutdown.stopping().clone(),
    };
    let key = embedded.as_ref().and_then(|(embedded, _)| embedded.identity.key);
    let virtual_serial = key.map(|key| Serial::of(PairingKey::new(key).board_id()));
    let follow = livechess::remote::routes(boards.registry().clone(), boards.feed().clone());
    let pairing = PairingRequests::new(boards.clone(), config.pairing);
    let owner = Owner::new(pairing.clone(), boards.clone(), config.owner_token.clone());
    let mut routes =
        dialect::routes(&services).merge(pairing::routes(pairing)).merge(owner::routes(owner)).merge(follow).merge(
            page::routes(page::PageState {
                origins: config.origins.clone(),
                listening: server.address().ok(),
                tls: config.tls.is_some(),
                board: embedded.as_ref().map(|(_, touch)| *touch),
            }),
        );
    let mut virtual_board = None;
    if let Some((embedded, hands)) = embedded {
        let connector = loopback::connector(boards.routes());
        let (board, panels) = VirtualBoard::new(embedded.identity, embedded.flash_file, Some(connector));
        routes = routes.merge(virtual_board::routes(panels, hands));
        // It runs until the relay has closed the board's connection, so that it receives the last events.
        let stop_board = CancellationToken::new();
        virtual_board = Some((tokio::spawn(board.run(stop_board.clone())), stop_board));
    }
    let live = config.livechess.map(server::Listener::bind).transpose()?;
    let live = live.map(|listener| {
        tracing::info!(address = %listener.address(), "LiveChess available");
        let origins = config.livechess_origins.clone();
        let stopping = shutdown.stopping().clone();
        let routes = livechess::routes(boards.feed(), Some(store.clone()), virtual_serial, origins, stopping);
        let (limits, shutdown) = (config.limits, shutdown.clone());
        tokio::spawn(async move { listener.run(routes, &limits, shutdown).await })
    });
    // Boards connect without TLS.
    #[cfg(unix)]
    answer_commands(config, &boards, server.address().ok().filter(|_| config.tls.is_none()), shutdown)?;
    let checked = store.clone();
    let check: StoreCheck = Arc::new(move || {
        let store = checked.clone();
        Box::pin(async move { store.check().await.map_err(|error| error.to_string()) })
    });
    if let Ok(address) = server.address() {
        tracing::info!(%address, tls = config.tls.is_some(), "listening");
        // A service has no standard output to write to.
        let _ = write!(output, "{}", PageAddresses::of(address, config.tls.is_some()).with_board(config.virtual_board))
            .and_then(|()| output.flush());
    }
    let announced = server.address().ok().filter(|_| config.mdns && config.tls.is_none());
    let announced = announced.filter(|_| config.pairing != PairingPolicy::Off);
    let _announcement = announced.and_then(Announcement::new);
    let ended = tokio::select! {
        ended = server.run(routes, check, shutdown.clone()) => ended,
        _ = store.ended() => {
            let problem = "the store thread has ended after an internal error; check the file with tabiya store check";
            return Err(Failure::Store(problem.to_owned()));
        }
    };
    if let Some(live) = live {
        live.abort();
    }
    let stopping = async {
        boards.stop().await;
        if let Some((task, stop_board)) = virtual_board {
            stop_board.cancel();
            // An error is a panic of the task, which is already printed.
            let _ = task.await;
        }
        relay.stop().await;
    };
    if timeout(config.stop_within.max(SHORTEST_RELEASE), stopping).await.is_err() {
        tracing::warn!("shutdown timeout: the store did not confirm that the players are disconnected");
    }
    Ok(ended?)
}

/// The computers that play in the rooms of this relay.
fn computers(config: &Config) -> Computers {
    let threads = config.computer_threads.and_then(|threads| NonZeroUsize::try_from(threads).ok());
    for engine in &config.engines {
        tracing::info!(engine = %engine.name, path = %engine.path.display(), "external engine available");
    }
    Computers::new(threads, config.engines.clone())
}

/// The virtual board of this relay, if it is enabled. Its key and journal are in the directory of the embedded store.
async fn embedded_board(
    config: &Config,
    boards: &BoardServer,
) -> Result<Option<(EmbeddedBoard, TouchPolicy)>, Failure> {
    let (Some(hands), StoreConfig::Embedded { data }) = (config.virtual_board, &config.store) else { return Ok(None) };
    let found = EmbeddedBoard::find(boards.registry(), data).await;
    let embedded = found.map_err(|error| Failure::Store(format!("virtual board: {}: {error}", data.display())))?;
    Ok(Some((embedded, hands)))
}

/// Serves the control socket for `tabiya boards`, which cannot open the embedded store while the relay has it open.
#[cfg(unix)]
fn answer_commands(
    config: &Config,
    boards: &BoardServer,
    address: Option<SocketAddr>,
    shutdown: &Shutdown,
) -> Result<(), Failure> {
    use crate::server::control::{self, Control, Handler};

    let StoreConfig::Embedded { data } = &config.store else { return Ok(()) };
    let control = Control::bind(&data.join(control::NAME)).map_err(|error| Failure::Store(error.to_string()))?;
    let (boards, port) = (boards.clone(), address.map(|address| address.port()));
    let handler: Handler = Arc::new(move |request| {
        let boards = boards.clone();
        Box::pin(async move { boards.answer(&request, port).await.unwrap_or_default() })
    });
    tokio::spawn(control.serve(handler, shutdown.stopping().clone()));
    Ok(())
}
