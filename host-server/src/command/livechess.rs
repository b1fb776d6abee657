//! `tabiya livechess`: serves LiveChess on this machine for a board that is connected to a relay elsewhere.

use std::io::Write;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use tokio::runtime::Runtime;

use super::{open_store, pairing_key};
use crate::boards::BoardFeed;
use crate::config::{
    AllowedOrigins, Config, EnvironmentSetting, LIVECHESS_ADDRESS, OriginPattern, StoreConfig, Variables,
};
use crate::dialect::livechess::{self, remote};
use crate::failure::Failure;
use crate::server::{self, ServeError, Shutdown};

#[derive(Args, Debug)]
pub(super) struct Arguments {
    /// Address of the relay
    #[arg(
        long,
        value_name = "URL",
        help = "Address of the relay: ws://HOST:PORT, or wss://HOST if it is behind https"
    )]
    relay: String,
    /// Name under which the board is paired
    #[arg(long, value_name = "NAME")]
    board: String,
    /// File with the pairing key: 64 hexadecimal digits, from `tabiya boards add`
    #[arg(long, value_name = "FILE")]
    key_file: Option<PathBuf>,
    /// Pairing key. Other users of this machine can read it in the list of processes: prefer the file or the variable
    #[arg(long, env = "TABIYA_BOARD_KEY", value_name = "HEX", conflicts_with = "key_file")]
    key: Option<String>,
    /// Address to listen on
    #[arg(long, value_name = "ADDRESS", default_value = LIVECHESS_ADDRESS)]
    listen: SocketAddr,
    /// Origins whose pages may use LiveChess, instead of those of the settings
    #[arg(long, value_name = "ORIGIN", value_delimiter = ',')]
    livechess_origins: Vec<OriginPattern>,
    /// Folder in which the set-ups of the page are stored, so that they survive a restart
    #[arg(long, value_name = "FOLDER", default_value = "tabiya-livechess")]
    data: PathBuf,
    #[command(flatten)]
    environment: EnvironmentSetting,
}

impl Arguments {
    pub(super) fn run(&self, variables: &Variables, output: &mut impl Write) -> Result<(), Failure> {
        let (tls, address) = scheme(&self.relay);
        let relay = board::RelayAddress::parse(&address)?;
        let remote = remote::RemoteBoard {
            host: relay.host.to_owned(),
            port: relay.port,
            tls,
            name: self.board.clone(),
            key: pairing_key::read(self.key_file.as_deref(), self.key.as_deref())?,
        };
        let config = Config::without_flags(variables)?;
        server::init_logging(&config.log);
        let runtime = Runtime::new().map_err(Failure::Runtime)?;
        let result = runtime.block_on(async {
            let shutdown = Shutdown::new();
            shutdown.listen().map_err(ServeError::Signals)?;
            let feed = BoardFeed::default();
            // Set-ups are no finished games, so they are kept for ever.
            let store = open_store::open(&StoreConfig::Embedded { data: self.data.clone() }, Duration::MAX).await?;
            let stopping = shutdown.stopping().clone();
            let routes = livechess::routes(&feed, Some(store), None, self.origins(&config), stopping);
            let listener = server::Listener::bind(self.listen)?;
            tracing::info!(address = %listener.address(), "LiveChess available");
            let _ = writeln!(output, "LiveChess: ws://{}/api/v1.0", listener.address()).and_then(|()| output.flush());
            tokio::select! {
                () = remote::copy(remote, feed) => {}
                () = listener.run(routes, &config.limits, shutdown.clone()) => {}
                () = shutdown.stopping().cancelled() => {}
            }
            // The clients are closed meanwhile, so that they reconnect.
            shutdown.finish(config.stop_within).await;
            Ok(())
        });
        runtime.shutdown_background();
        result
    }

    fn origins(&self, config: &Config) -> AllowedOrigins {
        match self.livechess_origins.as_slice() {
            [] => config.livechess_origins.clone(),
            listed => AllowedOrigins::from(listed.to_vec()),
        }
    }
}

/// Whether an address asks for TLS, and the same address without it. The usual port of https is named in it.
fn scheme(relay: &str) -> (bool, String) {
    let Some(rest) = relay.strip_prefix("wss://") else { return (false, relay.to_owned()) };
    let (authority, path) = rest.find('/').map_or((rest, ""), |at| rest.split_at(at));
    let port = if authority.contains(':') { "" } else { ":443" };
    (true, format!("ws://{authority}{port}{path}"))
}

#[cfg(test)]
mod tests {
    use clap::{Command, FromArgMatches};

    use super::*;

    #[test]
    fn the_flag_for_origins_replaces_the_variable() {
        let config = Config::from_variables([("TABIYA_LIVECHESS_ORIGINS", "https://lichess.org")]).unwrap();
        let origins = |flags: &str| {
            let command = Arguments::augment_args(Command::new("livechess"));
            let words = format!("livechess --relay ws://pi.local:8080 --board kitchen {flags}");
            let matches = command.try_get_matches_from(words.split_whitespace()).unwrap();
            Arguments::from_arg_matches(&matches).unwrap().origins(&config)
        };
        assert_eq!(origins(""), config.livechess_origins);
        let listed = ["https://one.example", "two.example"].map(|origin| origin.parse().unwrap()).to_vec();
        assert_eq!(
            origins("--livechess-origins https://one.example,two.example --key 00"),
            AllowedOrigins::from(listed)
        );
    }

    #[test]
    fn a_relay_behind_https_has_its_usual_port() {
        for (relay, tls, plain) in [
            ("ws://pi.local:8080", false, "ws://pi.local:8080"),
            ("wss://chess.example", true, "ws://chess.example:443"),
            ("wss://chess.example/", true, "ws://chess.example:443/"),
            ("wss://chess.example:8443", true, "ws://chess.example:8443"),
        ] {
            assert_eq!(scheme(relay), (tls, plain.to_owned()));
        }
    }
}
