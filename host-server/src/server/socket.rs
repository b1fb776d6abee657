//! `WebSocket` connections: small buffers, send timeout and close codes.

use std::borrow::Cow;
use std::time::Duration;

use axum::extract::ws::{CloseFrame, Message, WebSocket, WebSocketUpgrade};
use futures_util::{Sink, SinkExt};
use tokio::time::timeout;

use crate::metrics::{self, DropReason};

/// Read buffer in bytes, allocated also for idle connections; moves and chat lines are shorter. The library's default of
/// 128 KB would be more than a gigabyte for ten thousand idle players.
const READ_BUFFER: usize = 256;
/// Write buffer in bytes, allocated only while messages wait in it.
const WRITE_BUFFER: usize = 4_096;

/// A peer that accepts no data for this time is dropped.
const SEND_TIMEOUT: Duration = Duration::from_secs(10);
/// Time for the closing handshake.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(2);

/// Sets the buffer sizes and the largest message. A dialect may lower them further.
pub(super) fn upgrade(upgrade: WebSocketUpgrade, message: usize) -> WebSocketUpgrade {
    upgrade
        .read_buffer_size(READ_BUFFER)
        .write_buffer_size(WRITE_BUFFER)
        // No limit: the state of a game of 17,697 plies is one message of megabytes. A connection writes one update at a time, and
        // the send timeout ends it if the peer does not read.
        .max_write_buffer_size(usize::MAX)
        .max_message_size(message)
        .max_frame_size(message)
}

/// Why a message was not sent.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say it")]
pub enum SendError {
    #[error("send timeout: the peer does not read")]
    Slow,
    #[error("connection lost: {0}")]
    Gone(axum::Error),
}

/// Sends a message with a timeout. After an error the connection must be dropped: half of the message may be sent.
pub async fn send<S>(socket: &mut S, message: Message) -> Result<(), SendError>
where
    S: Sink<Message, Error = axum::Error> + Unpin,
{
    match timeout(SEND_TIMEOUT, socket.send(message)).await {
        Ok(result) => result.map_err(SendError::Gone),
        Err(_) => Err(SendError::Slow),
    }
}

/// Why the relay ends a connection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CloseReason {
    /// Normal end.
    Done,
    /// The relay shuts down; the client reconnects.
    Restart,
    /// Send timeout. No close frame is sent.
    Slow,
    /// Keepalive timeout. No close frame is sent.
    Dead,
    /// Message rate exceeded.
    Rate,
    /// Message too large.
    Size,
    /// Protocol violation.
    Protocol(Cow<'static, str>),
    /// Not allowed.
    Refused(Cow<'static, str>),
}

/// A control frame has 125 bytes, of which the close code takes two.
const MAX_REASON: usize = 123;

impl CloseReason {
    /// The close frame with its code and reason.
    #[must_use]
    pub fn frame(&self) -> CloseFrame {
        let (code, reason) = match self {
            Self::Done => (1000, "closed"),
            Self::Restart => (1012, "service restart, reconnect"),
            Self::Slow => (1008, "too slow"),
            Self::Dead => (1001, "keepalive timeout"),
            Self::Rate => (1008, "too many messages"),
            Self::Size => (1009, "message too large"),
            Self::Protocol(reason) => (1002, reason.as_ref()),
            Self::Refused(reason) => (1008, reason.as_ref()),
        };
        let end = reason.floor_char_boundary(MAX_REASON);
        CloseFrame { code, reason: reason.get(..end).unwrap_or_default().into() }
    }

    fn drop_reason(&self) -> Option<DropReason> {
        match self {
            Self::Done | Self::Restart | Self::Refused(_) => None,
            Self::Slow => Some(DropReason::Slow),
            Self::Dead => Some(DropReason::Dead),
            Self::Rate => Some(DropReason::Rate),
            Self::Size => Some(DropReason::Size),
            Self::Protocol(_) => Some(DropReason::Protocol),
        }
    }
}

/// Closes a connection and counts it: sends an optional last message of the dialect and the close frame, then waits for the
/// peer's close frame.
pub async fn close(mut socket: WebSocket, reason: CloseReason, last: Option<Message>) {
    if let Some(reason) = reason.drop_reason() {
        metrics::dropped(reason);
    }
    if matches!(reason, CloseReason::Slow | CloseReason::Dead) {
        return;
    }
    let handshake = async {
        if let Some(last) = last {
            socket.feed(last).await?;
        }
        socket.send(Message::Close(Some(reason.frame()))).await?;
        // Dropping the socket before the peer's close frame could discard data that is still on its way.
        while let Some(Ok(message)) = socket.recv().await {
            if matches!(message, Message::Close(_)) {
                break;
            }
        }
        Ok::<_, axum::Error>(())
    };
    // The connection is dropped either way.
    let _ = timeout(CLOSE_TIMEOUT, handshake).await;
}

/// The close reason for a read error, or `None` if the peer disconnected.
#[must_use]
pub fn close_reason(error: &axum::Error) -> Option<CloseReason> {
    // axum hides the type of the library's error, so only its text can be compared. A test over a real connection notices
    // when the text changes.
    let text = error.to_string();
    if text.contains("Space limit exceeded") {
        return Some(CloseReason::Size);
    }
    let is_violation = text.contains("UTF-8") || text.contains("protocol error");
    let is_closed = text.contains("closing");
    (is_violation && !is_closed).then(|| CloseReason::Protocol("WebSocket protocol error".into()))
}

#[cfg(test)]
mod tests {
    use std::pin::Pin;
    use std::task::{Context, Poll};

    use super::*;

    #[test]
    fn truncates_a_long_reason() {
        let frame = CloseReason::Protocol("ä".repeat(100).into()).frame();
        assert_eq!((frame.code, frame.reason.len()), (1002, 122));
        assert_eq!(CloseReason::Restart.frame().code, 1012);
    }

    /// A sink whose peer never reads.
    struct StalledSink;

    impl Sink<Message> for StalledSink {
        type Error = axum::Error;

        fn poll_ready(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Result<(), axum::Error>> {
            Poll::Pending
        }

        fn start_send(self: Pin<&mut Self>, _: Message) -> Result<(), axum::Error> {
            Ok(())
        }

        fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Result<(), axum::Error>> {
            Poll::Pending
        }

        fn poll_close(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Result<(), axum::Error>> {
            Poll::Pending
        }
    }

    #[tokio::test(start_paused = true)]
    async fn sending_to_a_stalled_peer_times_out() {
        let started = tokio::time::Instant::now();
        assert!(matches!(send(&mut StalledSink, Message::text("e2e4")).await, Err(SendError::Slow)));
        assert_eq!(started.elapsed().as_secs(), 10);
    }
}
