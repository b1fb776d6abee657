//! A client of the chessata dialect whose methods panic with the message that they did not expect.

use std::net::SocketAddr;

use serde_json::{Value, json};
use tests::json_client::{JsonClient, TIMEOUT, UpgradeRefused};
use tokio_tungstenite::tungstenite::Message;

pub(crate) struct ChessataClient {
    client: JsonClient,
    /// The user id and the token of the last `init`.
    pub(crate) id: String,
    pub(crate) token: Option<String>,
    /// The `player_turn_id` of the last message that has one.
    pub(crate) turn: String,
}

impl ChessataClient {
    pub(crate) async fn connect(
        address: SocketAddr,
        path: String,
        headers: Vec<(&'static str, String)>,
    ) -> Result<Self, UpgradeRefused> {
        match JsonClient::connect_with(address, &path, &headers).await {
            Ok(client) => Ok(Self { client, id: String::new(), token: None, turn: String::new() }),
            Err(error) => Err(error.downcast().unwrap_or_else(|error| panic!("{path}: {error:#}"))),
        }
    }

    /// Limits what the kernel receives while nothing is read, to a few kilobytes.
    pub(crate) fn shrink_receive_buffer(&self) {
        self.client.shrink_receive_buffer().unwrap();
    }

    /// Resets the TCP connection, without a close frame.
    pub(crate) fn break_connection(self) {
        let stream = self.client.into_stream();
        // Does not fail on an open socket; without it the relay would see an orderly end.
        let _ = stream.set_zero_linger();
    }

    pub(crate) async fn send(&mut self, message: Value) {
        self.send_text(message.to_string()).await;
    }

    pub(crate) async fn send_text(&mut self, text: impl Into<String>) {
        self.send_frame(Message::text(text.into())).await;
    }

    pub(crate) async fn send_frame(&mut self, message: Message) {
        self.client.send(message).await.unwrap();
    }

    /// Sends a move in UCI notation, as the protocol documents moves.
    pub(crate) async fn play(&mut self, mv: &str) {
        let (start, end) = (&mv[..2], &mv[2..4]);
        let mut message = json!({"type": "move", "start": start, "end": end});
        let promotion = match &mv[4..] {
            "q" => Some("queen"),
            "r" => Some("rook"),
            "b" => Some("bishop"),
            "n" => Some("knight"),
            _ => None,
        };
        if let Some(promotion) = promotion {
            message["promotion"] = promotion.into();
        }
        self.send(message).await;
    }

    pub(crate) async fn receive_text(&mut self) -> String {
        match self.client.receive_text_within(TIMEOUT).await.expect("a message within the timeout") {
            Ok(text) => text.to_string(),
            Err(code) => panic!("the relay closed the connection with {code:?}"),
        }
    }

    pub(crate) async fn receive(&mut self) -> Value {
        let text = self.receive_text().await;
        let message: Value = serde_json::from_str(&text).expect(&text);
        if message["type"] == "init" {
            message["user_id"].as_str().unwrap().clone_into(&mut self.id);
            self.token = message["token"].as_str().map(str::to_owned);
        }
        if let Some(turn) = message["player_turn_id"].as_str() {
            turn.clone_into(&mut self.turn);
        }
        message
    }

    /// The next message, which must be of this type.
    pub(crate) async fn expect_type(&mut self, kind: &str) -> Value {
        let message = self.receive().await;
        assert_eq!(message["type"], kind, "{message}");
        message
    }

    /// The next message of this type; others before it are skipped, except errors.
    pub(crate) async fn receive_type(&mut self, kind: &str) -> Value {
        loop {
            let message = self.receive().await;
            if message["type"] == kind {
                return message;
            }
            assert_ne!(message["type"], "error", "while waiting for {kind}: {message}");
        }
    }

    /// Waits for the next state; returns whether `leave` of this user came before it.
    pub(crate) async fn leave_comes_before_state(&mut self, id: &str) -> bool {
        loop {
            let message = self.receive().await;
            match message["type"].as_str() {
                Some("leave") if message["user_id"] == id => return true,
                Some("game_state") => return false,
                _ => {}
            }
        }
    }

    /// The types of the next `count` messages.
    pub(crate) async fn receive_types(&mut self, count: usize) -> Vec<String> {
        let mut kinds = Vec::new();
        for _ in 0..count {
            kinds.push(self.receive().await["type"].as_str().unwrap().to_owned());
        }
        kinds
    }

    /// No message is waiting, and a ping is answered.
    pub(crate) async fn expect_silence(&mut self) {
        self.send(json!({"type": "ping"})).await;
        self.expect_type("pong").await;
    }

    /// The next message is an error with this status, nothing follows, and the connection stays open.
    pub(crate) async fn expect_error(&mut self, status: u16) -> String {
        let error = self.expect_type("error").await;
        assert_eq!(error["status_code"], status, "{error}");
        self.expect_silence().await;
        error["message"].as_str().unwrap().to_owned()
    }

    /// The connection is closed with this code, and no message comes before.
    pub(crate) async fn expect_close(mut self, code: u16) {
        match self.client.receive_text_within(TIMEOUT).await.expect("a close frame within the timeout") {
            Err(closed) => assert_eq!(closed, Some(code)),
            Ok(text) => panic!("no close frame but {text}"),
        }
    }

    /// Waits until the relay closes the connection; messages before it are skipped.
    pub(crate) async fn wait_for_close(mut self) {
        while self.client.receive_text_within(TIMEOUT).await.expect("a close frame within the timeout").is_ok() {}
    }

    /// Closes the connection, and waits until the relay has closed it as well.
    pub(crate) async fn close(self) {
        self.client.close().await;
    }
}
