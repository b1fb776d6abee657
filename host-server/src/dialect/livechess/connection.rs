//! One client of LiveChess over a WebSocket.

use axum::body::Bytes;
use axum::extract::ws::{Message, WebSocket};
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use super::follower::Follower;
use super::message::{Call, FeedEvent, answer, decode, error, event};
use crate::boards::Serial;
use crate::server::{ClientContext, CloseReason, Keepalive, KeepaliveAction, close, send};

/// Feeds of one client.
const MAX_FEEDS: usize = 16;

/// Longest message, in bytes.
pub(super) const LONGEST: usize = 4_096;

struct Feed {
    id: Value,
    serial: Serial,
    /// The event that the client has received last.
    sent: FeedEvent,
}

struct Connection {
    follower: Follower,
    feeds: Vec<Feed>,
}

/// Serves a client until it disconnects. The connection counts until then.
pub(super) async fn serve(
    mut socket: WebSocket,
    client: ClientContext,
    mut follower: Follower,
    stop: CancellationToken,
) {
    let mut connection = Connection { follower: follower.clone(), feeds: Vec::new() };
    let (mut keepalive, rate) = (Keepalive::default(), client.messages());
    loop {
        let replies = tokio::select! {
            () = stop.cancelled() => return close(socket, CloseReason::Restart, None).await,
            changed = follower.shown.changed() => match changed {
                Ok(()) => connection.news(),
                Err(_) => return,
            },
            action = keepalive.next() => match action {
                KeepaliveAction::Ping => match send(&mut socket, Message::Ping(Bytes::new())).await {
                    Ok(()) => continue,
                    Err(_) => return,
                },
                KeepaliveAction::TimedOut => return close(socket, CloseReason::Dead, None).await,
            },
            message = socket.recv() => {
                keepalive.received();
                match message {
                    Some(Ok(_)) if rate.check().is_err() => return close(socket, CloseReason::Rate, None).await,
                    Some(Ok(Message::Text(text))) => connection.call(&text).await,
                    Some(Ok(Message::Binary(_))) => vec![error(&Value::Null, "messages are text")],
                    Some(Ok(Message::Ping(_) | Message::Pong(_))) => continue,
                    Some(Ok(Message::Close(_)) | Err(_)) | None => return,
                }
            }
        };
        for reply in replies {
            if send(&mut socket, Message::Text(reply.into())).await.is_err() {
                return;
            }
        }
    }
}

impl Connection {
    /// The events of all feeds that have changed.
    fn news(&mut self) -> Vec<String> {
        let shown = self.follower.shown.borrow_and_update().clone();
        let mut events = Vec::new();
        for feed in &mut self.feeds {
            if let Some(board) = shown.get(&feed.serial)
                && board.event.is_news(&feed.sent)
            {
                feed.sent = board.event.clone();
                events.push(event(&feed.id, &board.event));
            }
        }
        events
    }

    async fn call(&mut self, text: &str) -> Vec<String> {
        let (id, call) = match decode(text) {
            Ok(call) => call,
            Err(bad) => return vec![error(&bad.id, bad.message)],
        };
        let done = || vec![answer(&id, &Value::Null)];
        match call {
            Call::Boards => {
                let shown = self.follower.shown.borrow().clone();
                // lichess takes the first board without looking whether there is one, and asks again if there is no answer.
                if shown.values().any(|board| board.is_online) {
                    vec![answer(&id, &boards(&shown))]
                } else {
                    Vec::new()
                }
            }
            Call::Subscribe { feed, serial } => {
                let shown = self.follower.shown.borrow().clone();
                let Some((serial, board)) = shown.iter().find(|(known, _)| known.as_str() == serial) else {
                    return vec![error(&id, "no board has this serial number")];
                };
                self.feeds.retain(|known| known.id != feed);
                if self.feeds.len() >= MAX_FEEDS {
                    return vec![error(&id, "a client may have 16 feeds")];
                }
                let first = event(&feed, &board.event);
                self.feeds.push(Feed { id: feed, serial: serial.clone(), sent: board.event.clone() });
                vec![answer(&id, &Value::Null), first]
            }
            Call::Unsubscribe { feed } => {
                let before = self.feeds.len();
                self.feeds.retain(|known| known.id != feed);
                if self.feeds.len() < before { done() } else { vec![error(&id, "there is no such feed")] }
            }
            Call::SetUp { feed, fen } => match self.serial(&feed) {
                None => vec![error(&id, "there is no such feed")],
                Some(serial) => match self.follower.set_up(&serial, fen).await {
                    Ok(()) => done(),
                    Err(refused) => vec![error(&id, &refused.to_string())],
                },
            },
            Call::Flip { feed, is_flipped } => match self.serial(&feed) {
                None => vec![error(&id, "there is no such feed")],
                Some(serial) => {
                    self.follower.flip(&serial, is_flipped).await;
                    done()
                }
            },
        }
    }

    fn serial(&self, feed: &Value) -> Option<Serial> {
        self.feeds.iter().find(|known| known.id == *feed).map(|known| known.serial.clone())
    }
}

/// All boards, in the order in which they are listed. Pages like lichess take the first one: a connected board, and a wooden one rather than
/// the virtual board of the relay.
pub(super) fn boards(shown: &super::follower::ShownBoards) -> Vec<super::message::Board> {
    let mut boards: Vec<_> = shown.values().collect();
    boards.sort_by_key(|board| (!board.is_online, board.is_last));
    boards.into_iter().map(|board| board.board.clone()).collect()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use serde_json::json;

    use super::*;
    use crate::boards::{BoardFeed, BoardView};
    use crate::store::memory::Memory;

    /// A board after these moves, with all pieces on their squares.
    fn view(serial: &str, moves: &str) -> BoardView {
        let view = json!({
            "name": "kitchen", "serial": serial, "online": true, "moves": moves, "occupied": "0", "settled": true,
            "start": "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        });
        let view: BoardView = serde_json::from_value(view).unwrap();
        BoardView { occupied: view.position.occupied(), ..view }
    }

    fn virtual_serial() -> Serial {
        view("0000000001", "").serial
    }

    async fn connect(feed: &BoardFeed, store: &Arc<Memory>) -> Connection {
        let mut follower = Follower::start(feed, Some(store.clone()), Some(virtual_serial()));
        follower.shown.wait_for(|shown| shown.len() == 2).await.unwrap();
        Connection { follower, feeds: Vec::new() }
    }

    async fn call(connection: &mut Connection, call: Value) -> Vec<Value> {
        let replies = connection.call(&call.to_string()).await;
        replies.iter().map(|reply| serde_json::from_str(reply).unwrap()).collect()
    }

    async fn subscribe(connection: &mut Connection, feed: u32, serial: &str) -> Value {
        let param = json!({"feed": "eboardevent", "id": feed, "param": {"serialnr": serial}});
        let mut replies = call(connection, json!({"id": 9, "call": "subscribe", "param": param})).await;
        replies.pop().unwrap()
    }

    /// The only event of the next change.
    async fn next_event(connection: &mut Connection) -> Value {
        loop {
            connection.follower.shown.changed().await.unwrap();
            match connection.news().as_slice() {
                [] => {}
                [event] => return serde_json::from_str(event).unwrap(),
                events => panic!("more than one event: {events:?}"),
            }
        }
    }

    /// lichess takes the first board, and a relay with default settings always has a virtual one.
    #[tokio::test]
    async fn a_connected_wooden_board_is_listed_before_the_virtual_board() {
        let (feed, store) = (BoardFeed::default(), Arc::<Memory>::default());
        feed.publish(view("0000000001", ""));
        feed.publish(view("0000000002", ""));
        let mut connection = connect(&feed, &store).await;
        let listed = async |connection: &mut Connection| {
            let answer = call(connection, json!({"id": 1, "call": "eboards"})).await;
            answer[0]["param"].as_array().unwrap().iter().map(|board| board["serialnr"].clone()).collect::<Vec<_>>()
        };
        assert_eq!(listed(&mut connection).await, ["0000000002", "0000000001"]);
        feed.disconnected(&view("0000000002", "").serial);
        connection.follower.shown.wait_for(|shown| shown.values().any(|board| !board.is_online)).await.unwrap();
        assert_eq!(listed(&mut connection).await, ["0000000001", "0000000002"]);
    }

    #[tokio::test(start_paused = true)]
    async fn boards_are_distinguished_by_their_serial_numbers_also_after_a_restart() {
        let (feed, store) = (BoardFeed::default(), Arc::<Memory>::default());
        feed.publish(view("0000000001", ""));
        feed.publish(view("0000000002", ""));
        let mut connection = connect(&feed, &store).await;
        for (id, serial) in [(1, "0000000001"), (2, "0000000002")] {
            assert_eq!(subscribe(&mut connection, id, serial).await["param"]["serialnr"], serial);
        }
        let flip = json!({"id": 3, "call": "call", "param": {"id": 2, "method": "flip", "param": {"flip": true}}});
        assert_eq!(call(&mut connection, flip).await[0]["response"], "call");
        let event = next_event(&mut connection).await;
        assert_eq!((&event["id"], &event["param"]["flipped"]), (&json!(2), &json!(true)));
        feed.publish(view("0000000002", "e2e4"));
        let event = next_event(&mut connection).await;
        assert_eq!((&event["id"], &event["param"]["san"]), (&json!(2), &json!(["e4"])));

        let mut again = connect(&feed, &store).await;
        assert_eq!(subscribe(&mut again, 1, "0000000001").await["param"]["flipped"], false);
        assert_eq!(subscribe(&mut again, 1, "0000000002").await["param"]["flipped"], true);
    }
}
