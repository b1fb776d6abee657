//! Talking, and those at the other end.

use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use tokio_tungstenite::tungstenite::{Error, Message};

use crate::client::{connect, get};
use crate::house::House;

/// What the relay says last.
async fn goodbye(socket: &mut (impl StreamExt<Item = Result<Message, Error>> + Unpin)) -> (u16, String) {
    while let Some(Ok(message)) = socket.next().await {
        if let Message::Close(Some(frame)) = message {
            return (frame.code.into(), frame.reason.to_string());
        }
    }
    panic!("it went without a word");
}

#[tokio::test]
async fn messages_go_there_and_back() {
    let house = House::open(&[]);
    let mut socket = connect(house.address).await;
    for length in [0, 1, 125, 1_023, 1_024, 1_025, 4_096, 65_535, 65_536] {
        let message = Message::text("x".repeat(length));
        socket.send(message.clone()).await.unwrap();
        assert!(socket.next().await.unwrap().unwrap() == message, "{length}");
    }
}

#[tokio::test]
async fn a_message_may_be_too_large() {
    let house = House::open(&[]);
    let mut socket = connect(house.address).await;
    socket.send(Message::text("x".repeat(65_537))).await.unwrap();
    assert_eq!(goodbye(&mut socket).await, (1009, "the message is too large".to_owned()));
    let page = get(house.address, "/metrics").await;
    assert!(page.contains(r#"tabiya_drops_total{reason="size"}"#), "{page}");
}

#[tokio::test]
async fn messages_may_be_too_many() {
    let house = House::open(&[("TABIYA_MESSAGES_PER_SECOND", "2")]);
    let mut socket = connect(house.address).await;
    for _ in 0..20 {
        socket.feed(Message::text("e2e4")).await.unwrap();
    }
    socket.flush().await.unwrap();
    assert_eq!(goodbye(&mut socket).await, (1008, "too many messages".to_owned()));
}

#[tokio::test]
async fn connections_are_counted_by_their_tongue() {
    let house = House::open(&[]);
    let socket = connect(house.address).await;
    let page = get(house.address, "/metrics").await;
    assert!(page.contains(r#"tabiya_connections{tongue="chessata"}"#), "{page}");
    drop(socket);
    tokio::time::sleep(Duration::from_millis(100)).await;
}
