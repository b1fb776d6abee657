//! The relay's side of the Noise handshake with a board. The session verifies the board's first encrypted frame.

use std::time::{Duration, Instant};

use axum::extract::ws::{CloseFrame, Message, WebSocket, close_code};
use parking_lot::Mutex;
use tokio::time::timeout;
use wire::link::{BoardId, Ephemeral, Refusal, Responder, ResponderError, VERSION};

use super::server::{BoardServer, Caller};
use crate::server::ClientContext;

/// Timeout of each of the first two frames of a board.
const FRAME_TIMEOUT: Duration = Duration::from_secs(10);

/// Minimum interval between two log lines about unknown boards.
const REPORT_INTERVAL: Duration = Duration::from_secs(10);

/// Timeout of sending a frame.
const SEND_TIMEOUT: Duration = Duration::from_secs(10);

/// Answers the handshake, and passes the connection to the task of the board.
pub(super) async fn answer(server: BoardServer, mut socket: WebSocket, client: Option<ClientContext>) {
    let Some(first_frame) = next_frame(&mut socket).await else { return close(socket, close_code::PROTOCOL).await };
    let first_frame = match Responder::read(&first_frame) {
        Ok(first_frame) => first_frame,
        Err(ResponderError::Version(_)) => {
            return refuse(socket, Refusal::Version { lowest: VERSION, highest: VERSION }).await;
        }
        Err(ResponderError::Length(_)) => return close(socket, close_code::PROTOCOL).await,
    };
    if server.stopping().is_cancelled() {
        return refuse(socket, Refusal::Busy).await;
    }
    let board = match server.index().find(first_frame.board(), server.registry()).await {
        Ok(Some(board)) => board,
        Ok(None) => {
            report_unknown(&server, first_frame.board(), client.as_ref());
            return refuse(socket, Refusal::UnknownBoard).await;
        }
        Err(error) => {
            tracing::warn!(board = %first_frame.board(), %error, "looking up a board failed, connection refused");
            return refuse(socket, Refusal::Busy).await;
        }
    };
    // A wrong key gets the same answer as an unknown board.
    let Ok((answer, channel)) = first_frame.answer(&board.key(), Ephemeral::new(crate::random::bytes())) else {
        report_wrong_key(board.name.as_str(), client.as_ref());
        return refuse(socket, Refusal::UnknownBoard).await;
    };
    if !send(&mut socket, &answer).await {
        return;
    }
    // The first frame may be a replay. Only the board can encrypt the next one.
    let Some(hello) = next_frame(&mut socket).await else { return close(socket, close_code::PROTOCOL).await };
    server.note_address(&board, client.as_ref());
    server.hand_over(board, Caller { channel, hello, socket, client }).await;
}

/// Logs a board that has the id of a paired one, and another key.
fn report_wrong_key(board: &str, client: Option<&ClientContext>) {
    static LAST: Mutex<Option<Instant>> = Mutex::new(None);
    if is_due(&LAST) {
        let address = address_of(client);
        tracing::warn!(
            board,
            address,
            "connection refused: wrong key, pair the board again or enter its key on its console"
        );
    }
}

/// At most one line in each interval, because a stranger could fill the log.
fn is_due(last: &Mutex<Option<Instant>>) -> bool {
    let mut last = last.lock();
    let is_due = last.is_none_or(|last| last.elapsed() >= REPORT_INTERVAL);
    if is_due {
        *last = Some(Instant::now());
    }
    is_due
}

fn address_of(client: Option<&ClientContext>) -> String {
    client.map(|client| client.address().to_string()).unwrap_or_default()
}

/// Logs a board whose key is not paired, which is the usual mistake of a first pairing. It sends no name, so the log has the name of the board
/// that was connected last from the same address.
fn report_unknown(server: &BoardServer, board: BoardId, client: Option<&ClientContext>) {
    static LAST: Mutex<Option<Instant>> = Mutex::new(None);
    if !is_due(&LAST) {
        return;
    }
    let address = address_of(client);
    let name = client.and_then(|client| server.last_board_at(client.address())).map(|name| name.to_string());
    let last_board_there = name.as_deref().unwrap_or("none");
    tracing::warn!(%board, address, last_board_there, "connection refused: no board is paired with this key, compare the id with `tabiya boards list`");
}

/// The next frame of the link, within the timeout.
async fn next_frame(socket: &mut WebSocket) -> Option<Vec<u8>> {
    let next = async {
        loop {
            match socket.recv().await?.ok()? {
                Message::Binary(frame) => return Some(frame.into()),
                Message::Ping(_) | Message::Pong(_) => {}
                Message::Text(_) | Message::Close(_) => return None,
            }
        }
    };
    timeout(FRAME_TIMEOUT, next).await.ok()?
}

/// Sends a frame within the timeout. Returns whether that succeeded.
pub(super) async fn send(socket: &mut WebSocket, frame: &[u8]) -> bool {
    let message = Message::Binary(frame.to_vec().into());
    matches!(timeout(SEND_TIMEOUT, socket.send(message)).await, Ok(Ok(())))
}

async fn refuse(mut socket: WebSocket, refusal: Refusal) {
    if send(&mut socket, &refusal.frame()).await {
        close(socket, close_code::POLICY).await;
    }
}

/// Closes a connection and waits briefly for the peer's close frame, since frames on their way would be lost otherwise.
pub(super) async fn close(mut socket: WebSocket, code: u16) {
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
