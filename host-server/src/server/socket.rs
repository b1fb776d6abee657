//! Connections that cost little while nothing happens, and that nobody can hold up.

use std::borrow::Cow;
use std::fmt;
use std::time::Duration;

use axum::extract::ws::{CloseFrame, Message, WebSocket, WebSocketUpgrade};
use futures_util::{Sink, SinkExt};
use tokio::time::timeout;

use super::metrics::{self, Drop};

/// What is read at a time, and kept for every connection while it is idle: a move and a line of chat are shorter. The default
/// of the library is 128 KB, which ten thousand idle players would make more than a gigabyte of.
const READ_BUFFER: usize = 1_024;
/// Messages are put together up to this before they are sent. It is only there while there is something in it.
const WRITE_BUFFER: usize = 4_096;
/// What may wait for somebody to read it, beyond the message that is being written.
const MOST_UNREAD: usize = 256 * 1_024;

/// Somebody who does not take what is sent for so long does not read, or is not there.
const SEND_WITHIN: Duration = Duration::from_secs(10);
/// Saying goodbye is a courtesy.
const PART_WITHIN: Duration = Duration::from_secs(2);

/// Sets the sizes of a WebSocket. A tongue with shorter messages may ask for less after it.
pub(super) fn upgrade(upgrade: WebSocketUpgrade, message: usize) -> WebSocketUpgrade {
    upgrade
        .read_buffer_size(READ_BUFFER)
        .write_buffer_size(WRITE_BUFFER)
        .max_write_buffer_size(WRITE_BUFFER + MOST_UNREAD.max(message))
        .max_message_size(message)
        .max_frame_size(message)
}

/// Why nothing more can be sent.
#[derive(Debug)]
pub enum SendError {
    /// It was not taken in time.
    Slow,
    /// The connection is gone.
    Gone(axum::Error),
}

impl fmt::Display for SendError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Slow => f.write_str("the other side does not read"),
            Self::Gone(error) => write!(f, "the connection is gone: {error}"),
        }
    }
}

impl std::error::Error for SendError {}

/// Sends a message, in time. After an error the connection is of no use any more; half a message may be on its way.
pub async fn send<S>(socket: &mut S, message: Message) -> Result<(), SendError>
where
    S: Sink<Message, Error = axum::Error> + Unpin,
{
    match timeout(SEND_WITHIN, socket.send(message)).await {
        Ok(result) => result.map_err(SendError::Gone),
        Err(_) => Err(SendError::Slow),
    }
}

/// Why the relay ends a connection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Goodbye {
    /// All is done.
    Done,
    /// The relay stops, and another one will be there.
    Restart,
    /// The other side does not read. Nothing can be said to it.
    Slow,
    /// The other side is not there any more. Nothing can be said to it.
    Dead,
    /// The other side talks too much.
    Rate,
    /// A message is too large.
    Size,
    /// Nobody understands what the other side says, for this reason.
    Protocol(Cow<'static, str>),
    /// The other side may not be here, for this reason.
    Refused(Cow<'static, str>),
}

/// A reason must fit into a frame of 125 bytes with its code.
const LONGEST_REASON: usize = 123;

impl Goodbye {
    /// The close code and the reason that go with it.
    #[must_use]
    pub fn frame(&self) -> CloseFrame {
        let (code, reason) = match self {
            Self::Done => (1000, "goodbye"),
            Self::Restart => (1012, "service restart, reconnect"),
            Self::Slow => (1008, "too slow"),
            Self::Dead => (1001, "nobody is there"),
            Self::Rate => (1008, "too many messages"),
            Self::Size => (1009, "the message is too large"),
            Self::Protocol(reason) => (1002, reason.as_ref()),
            Self::Refused(reason) => (1008, reason.as_ref()),
        };
        let end = reason.floor_char_boundary(LONGEST_REASON);
        CloseFrame { code, reason: reason.get(..end).unwrap_or_default().into() }
    }

    fn drop(&self) -> Option<Drop> {
        match self {
            Self::Done | Self::Restart | Self::Refused(_) => None,
            Self::Slow => Some(Drop::Slow),
            Self::Dead => Some(Drop::Dead),
            Self::Rate => Some(Drop::Rate),
            Self::Size => Some(Drop::Size),
            Self::Protocol(_) => Some(Drop::Protocol),
        }
    }
}

/// Ends a connection: first with words of the tongue's own, then with the code. It is counted, and takes no longer than a
/// courtesy may.
pub async fn part(mut socket: WebSocket, goodbye: Goodbye, words: Option<Message>) {
    if let Some(reason) = goodbye.drop() {
        metrics::dropped(reason);
    }
    if matches!(goodbye, Goodbye::Slow | Goodbye::Dead) {
        return;
    }
    let say = async {
        if let Some(words) = words {
            socket.feed(words).await?;
        }
        socket.send(Message::Close(Some(goodbye.frame()))).await?;
        // The other side says goodbye, too. Whoever hangs up before it has, may cut off its own last words.
        while let Some(Ok(message)) = socket.recv().await {
            if matches!(message, Message::Close(_)) {
                break;
            }
        }
        Ok::<_, axum::Error>(())
    };
    // Nobody is left to care if it fails.
    let _ = timeout(PART_WITHIN, say).await;
}

/// What to say when reading has failed. There is nothing to say if the other side has just gone, which is its right.
#[must_use]
pub fn reading_failed(error: &axum::Error) -> Option<Goodbye> {
    // The library's errors are not part of axum's promises, so all there is to go by is what they say. A test over a real
    // connection notices if that changes.
    let text = error.to_string();
    if text.contains("Space limit exceeded") {
        return Some(Goodbye::Size);
    }
    let is_nonsense = text.contains("UTF-8") || text.contains("protocol error");
    let is_gone = text.contains("closing");
    (is_nonsense && !is_gone).then(|| Goodbye::Protocol("this is not WebSocket".into()))
}

#[cfg(test)]
mod tests {
    use std::pin::Pin;
    use std::task::{Context, Poll};

    use super::*;

    #[test]
    fn a_reason_fits_into_its_frame() {
        let frame = Goodbye::Protocol("ä".repeat(100).into()).frame();
        assert_eq!((frame.code, frame.reason.len()), (1002, 122));
        assert_eq!(Goodbye::Restart.frame().code, 1012);
    }

    /// Somebody who never reads.
    struct Deaf;

    impl Sink<Message> for Deaf {
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
    async fn whoever_does_not_read_is_slow() {
        let begun = tokio::time::Instant::now();
        assert!(matches!(send(&mut Deaf, Message::text("e2e4")).await, Err(SendError::Slow)));
        assert_eq!(begun.elapsed().as_secs(), 10);
    }
}
