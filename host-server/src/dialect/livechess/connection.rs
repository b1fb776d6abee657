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
    /// The last event for the client.
    sent: FeedEvent,
    /// Whether the client receives the list. A page that reconnects sends a set-up with its subscription, and would take an older list for
    /// the moves since.
    has_list: bool,
}

impl Feed {
    /// The messages that bring the client to this event.
    fn advance(&mut self, next: &FeedEvent) -> Vec<String> {
        let steps = if self.has_list { next.steps(&self.sent) } else { Vec::new() };
        self.has_list |= next.has_other_list(&self.sent);
        self.sent = next.clone();
        let last = if self.has_list { next.clone() } else { next.without_list() };
        steps.iter().chain([&last]).map(|one| event(&self.id, one)).collect()
    }

    /// The same for a client that has just set the board up: the list is sent even if it is the same as before.
    fn begin(&mut self, next: &FeedEvent) -> Vec<String> {
        (self.has_list, self.sent) = (true, next.emptied());
        self.advance(next)
    }
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
                events.append(&mut feed.advance(&board.event));
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
                let mut feed = Feed { id: feed, serial: serial.clone(), sent: board.event.clone(), has_list: false };
                let mut replies = vec![answer(&id, &Value::Null)];
                replies.append(&mut feed.advance(&board.event));
                self.feeds.push(feed);
                replies
            }
            Call::Unsubscribe { feed } => {
                let before = self.feeds.len();
                self.feeds.retain(|known| known.id != feed);
                if self.feeds.len() < before { done() } else { vec![error(&id, "there is no such feed")] }
            }
            Call::SetUp { feed, fen } => match self.serial(&feed) {
                None => vec![error(&id, "there is no such feed")],
                Some(serial) => match self.follower.set_up(&serial, fen).await {
                    Ok(()) => {
                        let shown = self.follower.shown.borrow().clone();
                        let feed = self.feeds.iter_mut().find(|known| known.id == feed);
                        let events = feed.zip(shown.get(&serial)).map(|(feed, board)| feed.begin(&board.event));
                        [done(), events.unwrap_or_default()].concat()
                    }
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

    /// The events of the next change.
    async fn next_events(connection: &mut Connection) -> Vec<Value> {
        loop {
            connection.follower.shown.changed().await.unwrap();
            let events: Vec<_> = connection.news().iter().map(|event| serde_json::from_str(event).unwrap()).collect();
            if !events.is_empty() {
                return events;
            }
        }
    }

    /// The only event of the next change.
    async fn next_event(connection: &mut Connection) -> Value {
        let mut events = next_events(connection).await;
        assert_eq!(events.len(), 1, "{events:?}");
        events.remove(0)
    }

    async fn set_up(connection: &mut Connection, feed: u32, moves: &str) -> Vec<Value> {
        let fen = view("0000000001", moves).position.fen().to_string();
        let param = json!({"id": feed, "method": "setup", "param": {"fen": fen}});
        call(connection, json!({"id": 8, "call": "call", "param": param})).await
    }

    fn sans(replies: &[Value]) -> Vec<String> {
        let moves = |list: &Value| serde_json::from_value::<Vec<String>>(list.clone()).unwrap().join(" ");
        replies.iter().map(|reply| moves(&reply["param"]["san"])).collect()
    }

    /// A page that reconnects has already sent its set-up, and takes any list for the moves since.
    #[tokio::test(start_paused = true)]
    async fn the_list_is_not_sent_before_it_changes() {
        let (feed, store) = (BoardFeed::default(), Arc::<Memory>::default());
        feed.publish(view("0000000001", "e2e4 e7e5"));
        feed.publish(view("0000000002", ""));
        let mut connection = connect(&feed, &store).await;
        let first = subscribe(&mut connection, 1, "0000000001").await;
        let board = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR";
        let expected = json!({"serialnr": "0000000001", "flipped": false, "board": board, "clock": null});
        assert_eq!(first["param"], expected);
        let flip = json!({"id": 3, "call": "call", "param": {"id": 1, "method": "flip", "param": {"flip": true}}});
        call(&mut connection, flip).await;
        let event = next_event(&mut connection).await;
        assert_eq!((&event["param"]["flipped"], event["param"].get("san")), (&json!(true), None));
        feed.publish(view("0000000001", "e2e4 e7e5 g1f3"));
        assert_eq!(next_event(&mut connection).await["param"]["san"], json!(["e4", "e5", "Nf3"]));
    }

    /// The page has emptied its own list.
    #[tokio::test(start_paused = true)]
    async fn a_set_up_is_followed_by_its_list_even_if_that_is_the_same_as_before() {
        let (feed, store) = (BoardFeed::default(), Arc::<Memory>::default());
        feed.publish(view("0000000001", "e2e4"));
        feed.publish(view("0000000002", ""));
        let mut connection = connect(&feed, &store).await;
        subscribe(&mut connection, 1, "0000000001").await;
        for _ in 0..2 {
            let replies = set_up(&mut connection, 1, "").await;
            let [answer, event] = replies.as_slice() else { panic!("{replies:?}") };
            assert_eq!((&answer["response"], &answer["id"]), (&json!("call"), &json!(8)));
            assert_eq!((&event["response"], &event["param"]["san"]), (&json!("feed"), &json!([])));
            assert_eq!(next_event(&mut connection).await["param"]["san"], json!(["e4"]));
        }
        let replies = set_up(&mut connection, 1, "e2e4 e7e5").await;
        let event = &replies[1]["param"];
        assert_eq!((&event["san"], &event["match"]), (&json!([]), &json!(false)));
    }

    /// On the player's own turn lichess waits for 2.5 s when two moves come together, and loses what comes meanwhile.
    #[tokio::test(start_paused = true)]
    async fn moves_that_are_new_together_are_sent_one_after_the_other() {
        let (feed, store) = (BoardFeed::default(), Arc::<Memory>::default());
        feed.publish(view("0000000001", ""));
        feed.publish(view("0000000002", ""));
        let mut connection = connect(&feed, &store).await;
        subscribe(&mut connection, 1, "0000000001").await;
        set_up(&mut connection, 1, "").await;
        feed.publish(view("0000000001", "e2e4 e7e5 g1f3"));
        assert_eq!(sans(&next_events(&mut connection).await), ["e4", "e4 e5"]);
        assert_eq!(next_event(&mut connection).await["param"]["san"], json!(["e4", "e5", "Nf3"]));
        let replies = set_up(&mut connection, 1, "").await;
        assert_eq!(sans(&replies[1..]), ["e4", "e4 e5"]);
        // A long list is sent at once.
        let long = format!("e2e4 e7e5 {}", "g1f3 g8f6 f3g1 f6g8 ".repeat(10));
        feed.publish(view("0000000001", &long));
        let mut again = connect(&feed, &store).await;
        subscribe(&mut again, 1, "0000000001").await;
        let replies = set_up(&mut again, 1, "").await;
        assert_eq!(replies.len(), 2);
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
