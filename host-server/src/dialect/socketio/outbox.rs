//! Sends events to a client, and disconnects it.

use std::time::Duration;

use serde::ser::{Serialize, SerializeTuple, Serializer};
use serde_json::Value;
use socketioxide::extract::SocketRef;
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use super::event::ServerEvent;

/// How often the relay tries to disconnect a client whose send buffer is full.
const DISCONNECT_INTERVAL: Duration = Duration::from_millis(500);

/// The sending side of one client, which its tasks share.
#[derive(Clone)]
pub(super) struct Outbox {
    socket: SocketRef,
    /// Cancelled when the client is to be disconnected.
    ending: CancellationToken,
}

impl Outbox {
    pub(super) const fn new(socket: SocketRef, ending: CancellationToken) -> Self {
        Self { socket, ending }
    }

    /// Sends events. A client that does not read them is disconnected, and receives none after the first one that is lost.
    pub(super) fn send(&self, events: impl IntoIterator<Item = ServerEvent>) {
        for event in events {
            if self.ending.is_cancelled() {
                return;
            }
            if self.socket.emit(event.name(), &Positional(event.arguments())).is_err() {
                self.end();
            }
        }
    }

    /// Has the client disconnected, by [`until_end`](Self::until_end) in its own task.
    pub(super) fn end(&self) {
        self.ending.cancel();
    }

    /// Runs the tasks of the client until they have ended or [`end`](Self::end) is called, and then disconnects it.
    pub(super) async fn until_end(self, serving: impl Future<Output = ()>) {
        self.ending.run_until_cancelled_owned(serving).await;
        // The packet of the disconnect does not fit into a full send buffer. The heartbeat ends a client that never reads.
        while self.socket.connected() && self.socket.clone().disconnect().is_err() {
            sleep(DISCONNECT_INTERVAL).await;
        }
    }
}

/// Serialises as a tuple, of which each element is an argument.
struct Positional([Option<Value>; 2]);

impl Serialize for Positional {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut tuple = serializer.serialize_tuple(self.0.iter().flatten().count())?;
        for argument in self.0.iter().flatten() {
            tuple.serialize_element(argument)?;
        }
        tuple.end()
    }
}
