//! From a WebSocket to a board that has proved who it is, or nearly: whether the frame that comes last is its hello is for
//! the agent to find out.

use std::time::Duration;

use axum::extract::ws::{CloseFrame, Message, WebSocket, close_code};
use tokio::time::timeout;
use wire::link::{Ephemeral, Knock, KnockError, Refusal, VERSION};

use super::house::{Caller, House};
use crate::server::Door;

/// How long a board may take for each of its first two frames.
const WITHIN: Duration = Duration::from_secs(10);

/// How long a frame may take to be sent.
pub(super) const SEND_WITHIN: Duration = Duration::from_secs(10);

/// Lets a board in, or not.
pub(super) async fn answer(house: House, mut socket: WebSocket, door: Option<Door>) {
    let Some(knock) = next_frame(&mut socket).await else { return close(socket, close_code::PROTOCOL).await };
    let knock = match Knock::read(&knock) {
        Ok(knock) => knock,
        Err(KnockError::Version(_)) => {
            return refuse(socket, Refusal::Version { lowest: VERSION, highest: VERSION }).await;
        }
        Err(KnockError::Length(_)) => return close(socket, close_code::PROTOCOL).await,
    };
    if house.stopping().is_cancelled() {
        return refuse(socket, Refusal::Busy).await;
    }
    let board = match house.index().find(knock.board(), house.registry()).await {
        Ok(Some(board)) => board,
        Ok(None) => return refuse(socket, Refusal::UnknownBoard).await,
        Err(error) => {
            tracing::warn!(board = %knock.board(), %error, "a board cannot be looked up");
            return refuse(socket, Refusal::Busy).await;
        }
    };
    // Who has another key is told the same as who is not known.
    let Ok((answer, channel)) = knock.answer(&board.key(), Ephemeral::new(crate::dice::bytes())) else {
        return refuse(socket, Refusal::UnknownBoard).await;
    };
    if !send(&mut socket, &answer).await {
        return;
    }
    // A knock can be recorded, and sent again by anybody. Whoever did that has nothing to say from here on.
    let Some(hello) = next_frame(&mut socket).await else { return close(socket, close_code::PROTOCOL).await };
    house.hand_over(board, Caller { channel, hello, socket, door }).await;
}

/// The next frame of the link, if one comes in time.
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
    timeout(WITHIN, next).await.ok()?
}

/// Sends a frame, in time. Returns whether it was taken.
pub(super) async fn send(socket: &mut WebSocket, frame: &[u8]) -> bool {
    let message = Message::Binary(frame.to_vec().into());
    matches!(timeout(SEND_WITHIN, socket.send(message)).await, Ok(Ok(())))
}

async fn refuse(mut socket: WebSocket, refusal: Refusal) {
    if send(&mut socket, &refusal.frame()).await {
        close(socket, close_code::POLICY).await;
    }
}

/// Closes a connection, and gives the other side a moment to do so, too: its last frames are lost otherwise.
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
    // It is a courtesy.
    let _ = timeout(Duration::from_secs(2), part).await;
}
