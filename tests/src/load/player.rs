use std::convert::Infallible;

use super::connection::{Connection, ConnectionError};
use super::load_test::LoadTest;
use super::report::Counters;
use crate::relay_message::RelayMessage;

/// One of the two players of a game.
pub(super) struct LoadPlayer {
    name: String,
    pub(super) code: String,
    /// Index of the relay for the next connection, modulo the number of relays.
    relay: usize,
    pub(super) connection: Option<Connection>,
    pub(super) id: String,
    token: Option<String>,
    /// Number of plies in the state that this player received last.
    pub(super) plies: Option<usize>,
    /// The result, once this player has received it.
    pub(super) result: Option<String>,
}

impl LoadPlayer {
    pub(super) fn new(number: usize, side: usize, code: &str) -> Self {
        Self {
            name: format!("p{number}s{side}"),
            code: code.to_owned(),
            relay: number + side,
            connection: None,
            id: String::new(),
            token: None,
            plies: None,
            result: None,
        }
    }

    /// Connects to the next relay and takes the seat, for the first time or again.
    pub(super) async fn join(&mut self, test: &LoadTest, counters: &mut Counters) -> Result<(), ConnectionError> {
        self.connection = None;
        let relay = &test.relays[self.relay % test.relays.len()];
        self.relay += 1;
        let (name, code) = (&self.name, &self.code);
        let path = match (&self.token, test.resume) {
            (Some(token), _) => format!("/ws/api/{name}/{code}/?extras=1&token={token}"),
            (None, true) => format!("/ws/api/{name}/{code}/?extras=1"),
            (None, false) => format!("/ws/api/{name}/{code}/"),
        };
        let mut connection = Connection::open(relay, &path).await?;
        let frame = connection.receive().await?;
        counters.received += 1;
        match serde_json::from_str::<RelayMessage<'_>>(&frame) {
            Ok(message) if message.kind == "init" && message.role.as_deref() == Some("player") => {
                self.id = message.user_id.unwrap_or_default().into();
                if let Some(token) = message.token {
                    self.token = Some(token.into());
                }
            }
            _ => {
                let frame = frame.as_str();
                counters.add_inconsistency(format!("{code}: the first message is not `init` of a player: {frame}"));
                return Err(ConnectionError::Closed);
            }
        }
        self.connection = Some(connection);
        Ok(())
    }

    /// Answers pings while the player waits for the start, or thinks, until it is cancelled.
    pub(super) async fn answer_pings(&mut self) -> Infallible {
        match &mut self.connection {
            Some(connection) => connection.answer_pings().await,
            None => std::future::pending().await,
        }
    }
}
