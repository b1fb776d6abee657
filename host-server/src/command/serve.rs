use std::io::Write;
use std::sync::Arc;

use clap::Args;
use tokio::runtime::Runtime;
use tokio_util::sync::CancellationToken;

use super::depot;
use crate::config::{self, Config, Sources, StoreConfig};
use crate::failure::Failure;
use crate::page::{self, Whereabouts};
use crate::relay::Relay;
use crate::room::Terms;
use crate::server::{self, ServeError, Server, Shutdown, StoreCheck};
use crate::tongue::board::House;
use crate::tongue::{chessata, games};
use crate::virtual_board::{self, Hands, Resident, VirtualBoard, loopback};

#[derive(Args, Debug)]
pub(super) struct Arguments {
    #[command(flatten)]
    settings: config::Arguments,
}

impl Arguments {
    pub(super) fn run(&self, output: &mut impl Write) -> Result<(), Failure> {
        let sources = Sources::of_process(&self.settings)?;
        let config = Config::read(&sources)?;
        if self.settings.only_print() {
            return Ok(output.write_all(sources.print()?.as_bytes())?);
        }
        server::begin_log(&config.log);
        if let Some(file) = sources.file() {
            tracing::info!(file = %file.display(), "settings were read");
        }
        let runtime = Runtime::new().map_err(Failure::Runtime)?;
        let result = runtime.block_on(relay(&config, output));
        // Whoever is still busy in there was given time to finish.
        runtime.shutdown_background();
        result
    }
}

/// Puts the parts together: the store, the relay on it, the tongues around that, and the shell around all.
async fn relay(config: &Config, output: &mut impl Write) -> Result<(), Failure> {
    let shutdown = Shutdown::new();
    shutdown.listen().map_err(ServeError::Signals)?;
    let server = Server::bind(config)?;
    let store = depot::open(&config.store, config.keep_games).await?;
    let relay = Relay::new(store.clone());
    relay.live().await.map_err(|error| Failure::Store(error.to_string()))?;
    let boards = House::new(relay.clone());
    let grace = config.grace.as_millis().try_into().unwrap_or(u64::MAX);
    let terms = Terms { grace, ..Terms::default() };
    let resident = resident(config, &boards).await?;
    let mut routes = chessata::routes(relay.clone(), terms.clone())
        .merge(games::routes(relay.clone(), terms))
        .merge(boards.routes())
        .merge(page::routes(page::House {
            origins: config.origins.clone(),
            listening: server.address().ok(),
            tls: config.tls.is_some(),
            has_board: resident.is_some(),
        }));
    let mut virtual_board = None;
    if let Some((resident, hands)) = resident {
        let way = loopback::way(boards.routes());
        let (board, panels) = VirtualBoard::new(resident.identity, resident.vault, way);
        routes = routes.merge(virtual_board::routes(panels, hands));
        // It stays until the relay has taken leave of it: then it has been told everything.
        let unplugged = CancellationToken::new();
        virtual_board = Some((tokio::spawn(board.live(unplugged.clone())), unplugged));
    }
    #[cfg(unix)]
    answer_commands(config, &boards, &shutdown)?;
    let check: StoreCheck = Arc::new(move || {
        let store = store.clone();
        Box::pin(async move { store.check().await.map_err(|error| error.to_string()) })
    });
    if let Ok(address) = server.address() {
        tracing::info!(%address, tls = config.tls.is_some(), "listening");
        // Who does not look has started it for others.
        let _ = write!(output, "{}", Whereabouts::of(address, config.tls.is_some()).with_board(config.virtual_board))
            .and_then(|()| output.flush());
    }
    let ended = server.run(routes, check, shutdown).await;
    // Everybody has been told. Now the store learns that nobody is here any more.
    boards.stop().await;
    if let Some((life, unplugged)) = virtual_board {
        unplugged.cancel();
        // Whatever ended it, it has ended.
        let _ = life.await;
    }
    relay.stop().await;
    Ok(ended?)
}

/// The virtual board that lives with this relay, if it is to have one. It has to be on the disk of this relay.
async fn resident(config: &Config, boards: &House) -> Result<Option<(Resident, Hands)>, Failure> {
    let (Some(hands), StoreConfig::Embedded { data }) = (config.virtual_board, &config.store) else { return Ok(None) };
    let found = Resident::find(boards.registry(), data).await;
    let resident = found.map_err(|error| Failure::Store(format!("the virtual board: {}: {error}", data.display())))?;
    Ok(Some((resident, hands)))
}

/// Lets other commands on this machine ask: while a relay runs on the embedded store, nobody else can open it.
#[cfg(unix)]
fn answer_commands(config: &Config, boards: &House, shutdown: &Shutdown) -> Result<(), Failure> {
    use crate::server::control::{self, Control, Handler};

    let StoreConfig::Embedded { data } = &config.store else { return Ok(()) };
    let control = Control::bind(&data.join(control::NAME)).map_err(|error| Failure::Store(error.to_string()))?;
    let boards = boards.clone();
    let handler: Handler = Arc::new(move |question| {
        let boards = boards.clone();
        Box::pin(async move { boards.answer(&question).await.unwrap_or_default() })
    });
    tokio::spawn(control.serve(handler, shutdown.stopping().clone()));
    Ok(())
}
