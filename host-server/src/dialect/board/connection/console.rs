//! The console of the board, for the owner of the relay.

use tokio::sync::oneshot;

use super::BoardConnection;
use crate::boards::{ConsoleEndpoint, ConsoleError};

/// The console of a connection: the lines that wait, and the one that is being executed.
#[derive(Debug)]
pub(super) struct ConsoleService {
    pub(super) endpoint: ConsoleEndpoint,
    current: Option<oneshot::Sender<Result<String, ConsoleError>>>,
}

/// What the owner does.
#[derive(Debug)]
pub(in crate::dialect::board) enum ConsoleEvent {
    Line(crate::boards::ConsoleRequest),
    /// The owner no longer waits for the answer.
    GivenUp,
}

impl ConsoleService {
    pub(super) const fn new(endpoint: ConsoleEndpoint) -> Self {
        Self { endpoint, current: None }
    }

    /// The next line, if none is being executed. Cancel-safe.
    pub(super) async fn next(&mut self) -> ConsoleEvent {
        match &mut self.current {
            Some(current) => {
                current.closed().await;
                ConsoleEvent::GivenUp
            }
            None => match self.endpoint.lines.recv().await {
                Some(request) => ConsoleEvent::Line(request),
                // The console of a newer connection has replaced this one.
                None => std::future::pending().await,
            },
        }
    }
}

impl BoardConnection {
    pub(super) fn handle_console(&mut self, event: ConsoleEvent) {
        match event {
            ConsoleEvent::GivenUp => self.console.current = None,
            ConsoleEvent::Line(request) if self.relay_session.has_console() => {
                // The words after the name of a setting may be a secret, although the board refuses those.
                let command = request.line.split_whitespace().take(2).collect::<Vec<_>>().join(" ");
                tracing::info!(board = %self.board.name, command, "console line of the owner");
                self.relay_session.send_line(request.line);
                self.console.current = Some(request.answer);
            }
            ConsoleEvent::Line(request) => {
                // The owner may have left.
                let _ = request.answer.send(Err(ConsoleError::TooOld));
            }
        }
    }

    /// Passes the answer of the board on, or that the connection with it is gone.
    pub(super) fn settle_console(&mut self) {
        let answered = match self.relay_session.console_answer() {
            Some(answer) => Ok(answer),
            None if self.relay_session.awaits_console() => return,
            None => Err(ConsoleError::Disconnected),
        };
        if let Some(current) = self.console.current.take() {
            let _ = current.send(answered);
        }
    }

    /// Shows the owner what the switches read.
    pub(super) fn show_live(&self) {
        let occupancy = self.last_occupancy;
        self.console.endpoint.live.send_if_modified(|live| {
            let is_new = live.occupancy != occupancy;
            live.occupancy = occupancy;
            is_new
        });
    }
}
