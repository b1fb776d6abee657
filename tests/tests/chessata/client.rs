//! A client that says and hears JSON.

use std::net::SocketAddr;
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::{Error, Message};

/// Nothing takes so long on the busiest machine. What does will never come.
const PATIENCE: Duration = Duration::from_secs(30);

pub(crate) struct Client {
    socket: WebSocketStream<TcpStream>,
    /// Who this is, once it was said.
    pub(crate) id: String,
    pub(crate) token: Option<String>,
    /// Whose turn it is, as far as was said.
    pub(crate) turn: String,
}

/// An answer that is not a WebSocket.
#[derive(Debug)]
pub(crate) struct Refused {
    pub(crate) status: u16,
    pub(crate) error: Value,
}

impl Client {
    pub(crate) async fn connect(address: SocketAddr, path: String, origin: Option<&str>) -> Result<Self, Refused> {
        let stream = TcpStream::connect(address).await.unwrap();
        let mut request = format!("ws://{address}{path}").into_client_request().unwrap();
        if let Some(origin) = origin {
            request.headers_mut().insert("origin", origin.parse().unwrap());
        }
        match timeout(PATIENCE, tokio_tungstenite::client_async(request, stream)).await.expect("an answer") {
            Ok((socket, _)) => Ok(Self { socket, id: String::new(), token: None, turn: String::new() }),
            Err(Error::Http(response)) => {
                let status = response.status().as_u16();
                let body = response.into_body().unwrap_or_default();
                Err(Refused { status, error: serde_json::from_slice(&body).unwrap_or_default() })
            }
            Err(error) => panic!("{path}: {error}"),
        }
    }

    pub(crate) async fn say(&mut self, message: Value) {
        self.say_text(message.to_string()).await;
    }

    pub(crate) async fn say_text(&mut self, text: impl Into<String>) {
        self.send(Message::text(text.into())).await;
    }

    pub(crate) async fn send(&mut self, message: Message) {
        timeout(PATIENCE, self.socket.send(message)).await.expect("it is taken").unwrap();
    }

    /// A move in UCI notation, said as the document has it.
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
        self.say(message).await;
    }

    /// The next text.
    pub(crate) async fn hear_text(&mut self) -> String {
        loop {
            match timeout(PATIENCE, self.socket.next()).await.expect("something is said") {
                Some(Ok(Message::Text(text))) => return text.to_string(),
                Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
                other => panic!("no text but {other:?}"),
            }
        }
    }

    /// The next message.
    pub(crate) async fn hear(&mut self) -> Value {
        let text = self.hear_text().await;
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

    /// The next message, which is of this type.
    pub(crate) async fn hear_only(&mut self, kind: &str) -> Value {
        let message = self.hear().await;
        assert_eq!(message["type"], kind, "{message}");
        message
    }

    /// The next message of this type, whatever comes before it.
    pub(crate) async fn hear_until(&mut self, kind: &str) -> Value {
        loop {
            let message = self.hear().await;
            if message["type"] == kind {
                return message;
            }
            assert_ne!(message["type"], "error", "while waiting for {kind}: {message}");
        }
    }

    /// Waits for the next state, and says whether that somebody has left was heard first.
    pub(crate) async fn hear_word_of(&mut self, id: &str) -> bool {
        loop {
            let message = self.hear().await;
            match message["type"].as_str() {
                Some("leave") if message["user_id"] == id => return true,
                Some("game_state") => return false,
                _ => {}
            }
        }
    }

    /// The types of the next so many messages.
    pub(crate) async fn hear_kinds(&mut self, count: usize) -> Vec<String> {
        let mut kinds = Vec::new();
        for _ in 0..count {
            kinds.push(self.hear().await["type"].as_str().unwrap().to_owned());
        }
        kinds
    }

    /// Nothing more has been said, and what is asked is answered.
    pub(crate) async fn hear_nothing(&mut self) {
        self.say(json!({"type": "ping"})).await;
        self.hear_only("pong").await;
    }

    /// An error, and nothing else; the connection lives.
    pub(crate) async fn hear_error(&mut self, status: u16) -> String {
        let error = self.hear_only("error").await;
        assert_eq!(error["status_code"], status, "{error}");
        self.hear_nothing().await;
        error["message"].as_str().unwrap().to_owned()
    }

    /// The connection is closed, with this code, and nothing is said before.
    pub(crate) async fn hear_goodbye(mut self, code: u16) {
        match timeout(PATIENCE, self.socket.next()).await.expect("a goodbye") {
            Some(Ok(Message::Close(Some(frame)))) => assert_eq!(u16::from(frame.code), code, "{frame:?}"),
            other => panic!("no goodbye but {other:?}"),
        }
    }

    /// Goes as a page does that is closed.
    pub(crate) async fn go(mut self) {
        let _ = self.socket.close(None).await;
        while let Ok(Some(Ok(_))) = timeout(PATIENCE, self.socket.next()).await {}
    }
}
