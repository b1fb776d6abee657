//! The WebSocket of a board that asks to be paired. The protocol is in `board::pairing`.

use std::time::Duration;

use axum::extract::State;
use axum::extract::ws::{CloseFrame, Message, WebSocket, WebSocketUpgrade, close_code};
use axum::response::Response;
use axum::routing::get;
use axum::{Extension, Router};
use board::Instant;
use board::pairing::{Decision, RelayPairing, RequestEvent};
use tokio::time::{Instant as TokioInstant, sleep_until, timeout};
use wire::link::{Ephemeral, MAX_FRAME, Refusal};
use wire::pairing::{PairingError, VERSION};

use super::requests::{EXPIRY, PairingRequests, Ticket};
use crate::server::{ClientAddress, ClientContext, LogSafe};

/// Timeout of the first frame, and of sending any frame.
const FRAME_TIMEOUT: Duration = Duration::from_secs(10);

/// How long the relay waits for the board's confirmation of its key.
const CONFIRMATION: Duration = Duration::from_secs(10);

/// The endpoint of boards that ask to be paired.
pub(crate) fn routes(requests: PairingRequests) -> Router {
    Router::new().route("/ws/pair", get(connect)).with_state(requests)
}

async fn connect(
    State(requests): State<PairingRequests>,
    client: Option<Extension<ClientContext>>,
    upgrade: WebSocketUpgrade,
) -> Response {
    let client = client.map(|Extension(client)| client);
    let upgrade = match &client {
        Some(client) => client.upgrade(upgrade),
        None => upgrade,
    };
    let upgrade = upgrade.max_message_size(MAX_FRAME).max_frame_size(MAX_FRAME);
    upgrade.on_upgrade(move |socket| serve(requests, socket, client))
}

async fn serve(requests: PairingRequests, mut socket: WebSocket, client: Option<ClientContext>) {
    let address = client.as_ref().map_or(ClientAddress::Unknown, ClientContext::address);
    // Each request is work for the owner, so it counts like a wrong code.
    let is_limited = client.as_ref().is_some_and(|client| client.try_code().is_err());
    if is_limited || !requests.admits(address) {
        tracing::info!(%address, "pairing request refused: too many requests, or not from the local network");
        return refuse(socket, Refusal::Busy).await;
    }
    let Ok(Some(opening)) = timeout(FRAME_TIMEOUT, next_frame(&mut socket)).await else { return };
    let clock = Clock(TokioInstant::now());
    let secret = Ephemeral::new(crate::random::bytes());
    let (answer, pairing) = match RelayPairing::answer(&opening, secret, crate::random::bytes(), clock.now()) {
        Ok(answered) => answered,
        Err(PairingError::Version(_)) => {
            return refuse(socket, Refusal::Version { lowest: VERSION, highest: VERSION }).await;
        }
        Err(_) => return close(socket, close_code::PROTOCOL).await,
    };
    if !send(&mut socket, &answer).await {
        return;
    }
    let mut exchange = Exchange { requests, address, pairing, clock, ticket: None, deadline: None };
    let code = match exchange.run(&mut socket, client.as_ref()).await {
        Ok(()) => close_code::NORMAL,
        Err(error) => {
            tracing::info!(%address, error, "pairing request ended");
            close_code::PROTOCOL
        }
    };
    close(socket, code).await;
}

/// The time of the protocol: milliseconds since the connection was opened.
#[derive(Clone, Copy)]
struct Clock(TokioInstant);

impl Clock {
    fn now(self) -> Instant {
        Instant::at(u64::try_from(self.0.elapsed().as_millis()).unwrap_or(u64::MAX))
    }

    fn at(self, at: Instant) -> TokioInstant {
        self.0 + Duration::from_millis(at.milliseconds())
    }
}

struct Exchange {
    requests: PairingRequests,
    address: ClientAddress,
    pairing: RelayPairing,
    clock: Clock,
    /// The request that the owner sees.
    ticket: Option<Ticket>,
    /// When the request expires, or when the confirmation is overdue.
    deadline: Option<TokioInstant>,
}

impl Exchange {
    /// Runs until the board has its key, or was declined.
    async fn run(&mut self, socket: &mut WebSocket, client: Option<&ClientContext>) -> Result<(), String> {
        let mut key_sent = false;
        loop {
            let mut buffer = [0; MAX_FRAME];
            while let Some(len) =
                self.pairing.transmit(&mut buffer, self.clock.now()).map_err(|error| error.to_string())?
            {
                if !send(socket, &buffer[..len]).await {
                    return Err("the board has disconnected".to_owned());
                }
            }
            if self.pairing.is_decided() && !key_sent {
                return Ok(());
            }
            let wake_at = self.clock.at(self.pairing.wake_at());
            let wake_at = self.deadline.map_or(wake_at, |deadline| wake_at.min(deadline));
            let decision = async {
                match &mut self.ticket {
                    Some(ticket) => (&mut ticket.decision).await.unwrap_or(Decision::Decline),
                    None => std::future::pending().await,
                }
            };
            let stopping = async {
                match client {
                    Some(client) => client.stopping().cancelled().await,
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                frame = next_frame(socket) => {
                    let mut frame = frame.ok_or("the board has disconnected")?;
                    if self.receive(&mut frame)? {
                        return Ok(());
                    }
                }
                decision = decision => {
                    key_sent = matches!(decision, Decision::Accept { .. });
                    self.ticket = None;
                    self.deadline = Some(TokioInstant::now() + CONFIRMATION);
                    self.pairing.decide(decision);
                }
                () = sleep_until(wake_at) => {
                    if self.deadline.is_some_and(|deadline| deadline <= TokioInstant::now()) {
                        self.expire()?;
                    }
                }
                () = stopping => return Err("the relay stops".to_owned()),
            }
        }
    }

    /// Takes a frame. Returns whether the board has confirmed its key.
    fn receive(&mut self, frame: &mut [u8]) -> Result<bool, String> {
        match self.pairing.receive(frame, self.clock.now()).map_err(|error| error.to_string())? {
            None => Ok(false),
            Some(RequestEvent::Received) => Ok(true),
            Some(RequestEvent::Requested { squares, name, software }) => {
                let ticket = self.requests.open(self.address, &name, software, squares);
                self.ticket = Some(ticket.ok_or("too many requests")?);
                self.deadline = Some(TokioInstant::now() + EXPIRY);
                let squares = crate::discovery::square_names(squares);
                let (address, name, software) = (self.address, LogSafe(&name), LogSafe(software));
                tracing::info!(%address, %name, %software, squares, "a board asks to be paired: see the page /owner");
                Ok(false)
            }
        }
    }

    fn expire(&mut self) -> Result<(), String> {
        self.deadline = None;
        if self.ticket.take().is_some() {
            self.pairing.decide(Decision::Decline);
            return Ok(());
        }
        Err("the board has not confirmed its key; if it does not connect, remove it and pair it again".to_owned())
    }
}

async fn next_frame(socket: &mut WebSocket) -> Option<Vec<u8>> {
    loop {
        match socket.recv().await?.ok()? {
            Message::Binary(frame) => return Some(frame.into()),
            Message::Ping(_) | Message::Pong(_) => {}
            Message::Text(_) | Message::Close(_) => return None,
        }
    }
}

async fn send(socket: &mut WebSocket, frame: &[u8]) -> bool {
    let message = Message::Binary(frame.to_vec().into());
    matches!(timeout(FRAME_TIMEOUT, socket.send(message)).await, Ok(Ok(())))
}

async fn refuse(mut socket: WebSocket, refusal: Refusal) {
    if send(&mut socket, &refusal.frame()).await {
        close(socket, close_code::POLICY).await;
    }
}

/// Closes a connection and waits briefly for the board's close frame, since frames on their way would be lost otherwise.
async fn close(mut socket: WebSocket, code: u16) {
    let part = async {
        let frame = CloseFrame { code, reason: "".into() };
        if socket.send(Message::Close(Some(frame))).await.is_ok() {
            while let Some(Ok(message)) = socket.recv().await {
                if matches!(message, Message::Close(_)) {
                    return;
                }
            }
        }
    };
    let _ = timeout(Duration::from_secs(2), part).await;
}
