//! A client of a game whose room is closed: it sees how the game ended, and every move is refused.

use std::future;

use axum::extract::ws::{Message, WebSocket};
use chess::Color;

use super::adapter::Chezz;
use crate::dialect::connection::{Checked, ConnectionProtocol, End, Peer, Rate, run};
use crate::dialect::{Dialect, Refused, Request, View};
use crate::room::{Participant, Room};
use crate::server::ClientContext;

/// Serves a client until its connection ends. `past` is the side that it had in the game.
pub(super) fn serve(
    socket: WebSocket,
    client: ClientContext,
    room: Room,
    past: Option<Color>,
) -> impl Future<Output = ()> + Send {
    let session = ClosedGame {
        participant: Participant::new(super::name()),
        chezz: Chezz::of_past_player(past),
        room,
        is_welcomed: false,
    };
    let (rate, stop) = (Rate::refuse(client.messages()), client.stopping().clone());
    run(Peer::new::<ClosedGame>(socket, Some(client), rate, stop), session)
}

struct ClosedGame {
    room: Room,
    participant: Participant,
    chezz: Chezz,
    is_welcomed: bool,
}

/// Nothing happens in a closed room.
enum Never {}

impl ClosedGame {
    /// The clocks have stopped, so the time does not matter.
    fn view(&self) -> View<'_> {
        View { room: &self.room, participant: &self.participant, color: None, now: self.room.last_at() }
    }
}

impl ConnectionProtocol for ClosedGame {
    const DIALECT: &'static str = Chezz::NAME;
    const KEEPALIVE: bool = true;
    type Event = Never;
    type End = End;

    async fn advance(&mut self, peer: &mut Peer) -> Result<(), End> {
        if std::mem::replace(&mut self.is_welcomed, true) {
            return Ok(());
        }
        let mut chezz = std::mem::take(&mut self.chezz);
        let welcome = chezz.welcome(&self.view(), 0);
        self.chezz = chezz;
        peer.send(welcome).await
    }

    async fn next(&mut self) -> Never {
        future::pending().await
    }

    fn is_ready(&self) -> bool {
        true
    }

    async fn handle(&mut self, event: Never, _peer: &mut Peer) -> Result<(), End> {
        match event {}
    }

    async fn receive(&mut self, message: Message, peer: &mut Peer) -> Result<(), End> {
        let checked = peer.rate.count()?;
        if matches!(message, Message::Ping(_) | Message::Pong(_)) {
            return Ok(());
        }
        let mut chezz = std::mem::take(&mut self.chezz);
        let reply = match checked {
            Checked::Exceeded(wait) => chezz.refuse(Refused::Rate(wait)),
            Checked::Within => match chezz.decode(&message, &self.view()) {
                Ok(Request::Act(_) | Request::Disconnect) => Chezz::over(),
                Ok(Request::Reply(reply)) | Err(reply) => reply,
            },
        };
        self.chezz = chezz;
        peer.send([reply]).await
    }

    async fn close(self, peer: Peer, end: End) {
        peer.close(end, None).await;
    }
}
