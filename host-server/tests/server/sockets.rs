//! WebSocket messages, limits and close codes.

use futures_util::{SinkExt, StreamExt};
use tokio_tungstenite::tungstenite::{Error, Message};

use crate::client::{connect, get};
use crate::test_server::TestServer;

/// Code and reason of the server's close frame.
async fn close_frame(socket: &mut (impl StreamExt<Item = Result<Message, Error>> + Unpin)) -> (u16, String) {
    while let Some(Ok(message)) = socket.next().await {
        if let Message::Close(Some(frame)) = message {
            return (frame.code.into(), frame.reason.to_string());
        }
    }
    panic!("closed without a close frame");
}

#[tokio::test]
async fn messages_of_all_sizes_are_echoed() {
    let server = TestServer::start(&[]);
    let mut socket = connect(server.address).await;
    for length in [0, 1, 125, 1_023, 1_024, 1_025, 4_096, 65_535, 65_536] {
        let message = Message::text("x".repeat(length));
        socket.send(message.clone()).await.unwrap();
        assert!(socket.next().await.unwrap().unwrap() == message, "{length}");
    }
}

#[tokio::test]
async fn a_message_that_is_too_large_closes_the_connection() {
    let server = TestServer::start(&[]);
    let mut socket = connect(server.address).await;
    socket.send(Message::text("x".repeat(65_537))).await.unwrap();
    assert_eq!(close_frame(&mut socket).await, (1009, "message too large".to_owned()));
    let page = get(server.address, "/metrics").await;
    assert!(page.contains(r#"tabiya_drops_total{reason="size"}"#), "{page}");
}

#[tokio::test]
async fn too_many_messages_close_the_connection() {
    let server = TestServer::start(&[("TABIYA_MESSAGES_PER_SECOND", "2")]);
    let mut socket = connect(server.address).await;
    for _ in 0..20 {
        socket.feed(Message::text("e2e4")).await.unwrap();
    }
    socket.flush().await.unwrap();
    assert_eq!(close_frame(&mut socket).await, (1008, "too many messages".to_owned()));
}

#[tokio::test]
async fn connections_are_counted_by_dialect() {
    let server = TestServer::start(&[]);
    let socket = connect(server.address).await;
    let page = get(server.address, "/metrics").await;
    assert!(page.contains(r#"tabiya_connections{dialect="echo"}"#), "{page}");
    drop(socket);
}
