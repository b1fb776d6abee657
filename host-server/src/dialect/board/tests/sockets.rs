//! Boards over real sockets, against a whole relay.

mod absence;
mod challenges;
mod feed;
mod local_games;

use rules::Why;
use std::net::SocketAddr;
use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::extract::WebSocketUpgrade;
use axum::http::Request;
use axum::routing::get;
use axum::{Extension, Router};
use chess::{Color, Move, Square};
use futures_util::{SinkExt, StreamExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;
use tokio::time::{Instant, sleep, timeout};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{WebSocketStream, client_async};
use tower::ServiceExt;
use wire::link::{Ephemeral, Goodbye, Initiator, PairingKey, Refusal, Responder, Seat, VERSION};

use super::fixture::name;
use super::simulated_board::SimulatedBoard;
use crate::boards::{BoardsAnswer, BoardsRequest, ChallengePolicy};
use crate::config::LimitConfig;
use crate::dialect::board::BoardServer;
use crate::dialect::board::connection::BoardConnection;
use crate::dialect::board::server::Caller;
use crate::hex;
use crate::relay::{Claim, Relay, RoomHandle, SeatRequest, Transient, Update};
use crate::room::{Act, Code, Participant, Phase, SideChoice, Terms};
use crate::server::ClientContext;
use crate::store::memory::Memory;

/// Fails a test that hangs.
const PATIENCE: Duration = Duration::from_secs(20);

/// A relay that listens on a free port.
struct TestRelay {
    store: Arc<Memory>,
    server: BoardServer,
    address: SocketAddr,
}

impl TestRelay {
    async fn open() -> Self {
        Self::open_on(Arc::new(Memory::default())).await
    }

    async fn open_on(store: Arc<Memory>) -> Self {
        Self::open_for(store, ClientContext::for_tests()).await
    }

    async fn open_for(store: Arc<Memory>, client: ClientContext) -> Self {
        let relay = Relay::new(store.clone());
        relay.live().await.unwrap();
        let server = BoardServer::new(relay);
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let routes = server.routes().layer(Extension(client));
        tokio::spawn(async move { axum::serve(listener, routes).await });
        Self { store, server, address }
    }

    /// Pairs a board and returns its key and its code.
    async fn pair(&self, name: &str) -> ([u8; 32], Code) {
        match self.server.execute(BoardsRequest::Add { name: name.to_owned() }).await {
            BoardsAnswer::Added { key, code, id, .. } => {
                let key: [u8; 32] = hex::parse(&key).unwrap().try_into().unwrap();
                assert_eq!(id, PairingKey::new(key).board_id().to_string());
                (key, code)
            }
            other => panic!("{other:?}"),
        }
    }

    async fn get(&self, path: &str) -> (u16, serde_json::Value) {
        self.server.expire_lobby().await;
        let request = Request::get(path).body(Body::empty()).unwrap();
        let response = self.server.routes().oneshot(request).await.unwrap();
        let status = response.status().as_u16();
        let bytes = axum::body::to_bytes(response.into_body(), 100_000).await.unwrap();
        (status, serde_json::from_slice(&bytes).unwrap())
    }

    /// Takes a seat in a room as soon as one is free.
    async fn visit(&self, code: &Code) -> RoomHandle {
        let begun = Instant::now();
        loop {
            let claim = Claim::Sit(SeatRequest::new(SideChoice::First));
            match self.server.relay().enter(code, Participant::new(name("Vera")), claim, None).await {
                Ok(handle) => return handle,
                Err(error) => assert!(begun.elapsed() < PATIENCE, "{error}"),
            }
            sleep(Duration::from_millis(20)).await;
        }
    }
}

/// A board with a connection to a relay.
struct ConnectedBoard {
    board: SimulatedBoard,
    address: SocketAddr,
    socket: Option<WebSocketStream<TcpStream>>,
}

impl ConnectedBoard {
    fn new(relay: &TestRelay, key: [u8; 32], seed: u64) -> Self {
        Self { board: SimulatedBoard::new(key, seed), address: relay.address, socket: None }
    }

    async fn connect(&mut self) {
        if !self.board.is_disconnected() {
            self.board.cut();
        }
        self.board.store();
        self.socket = Some(open_socket(self.address).await);
        assert!(self.board.connect(), "a board without a connection connects");
    }

    /// Exchanges frames until a condition holds.
    #[track_caller]
    fn until(&mut self, is_so: impl Fn(&SimulatedBoard) -> bool) -> impl Future<Output = ()> {
        let caller = std::panic::Location::caller();
        async move {
            let begun = Instant::now();
            while !is_so(&self.board) {
                assert!(begun.elapsed() < PATIENCE, "the condition never holds: {caller}");
                self.talk().await;
            }
            // The last received events are acknowledged.
            self.talk().await;
        }
    }

    /// Sends all pending frames, and receives until the relay is silent for a moment.
    async fn talk(&mut self) {
        loop {
            self.board.store();
            let Some(socket) = &mut self.socket else {
                self.connect().await;
                continue;
            };
            while let Ok(Some(frame)) = self.board.transmit() {
                let _ = socket.send(Message::Binary(frame.into())).await;
            }
            match timeout(Duration::from_millis(30), socket.next()).await {
                Ok(Some(Ok(Message::Binary(frame)))) => {
                    if let Err(error) = self.board.receive(frame.into()) {
                        self.board.errors.push(error);
                        self.send_goodbye();
                        return;
                    }
                }
                Ok(Some(Ok(Message::Close(_)) | Err(_)) | None) => {
                    self.send_goodbye();
                    return;
                }
                Ok(Some(Ok(_))) => {}
                Err(_) => return,
            }
        }
    }

    fn send_goodbye(&mut self) {
        self.socket = None;
        self.board.cut();
    }

    async fn play(&mut self, text: &str) {
        let mv: Move = text.parse().unwrap();
        self.board.follow();
        self.board.play(mv);
        assert_eq!(self.last_move(), Some(mv), "the board has read the move");
        self.until(|board| board.pending() == 0).await;
    }

    fn last_move(&self) -> Option<Move> {
        self.board.moves().and_then(<[Move]>::last).copied()
    }

    fn plies(&self) -> Option<usize> {
        self.board.moves().map(<[Move]>::len)
    }

    async fn sees(&mut self, text: &str) {
        let mv: Move = text.parse().unwrap();
        self.until(|board| board.moves().is_some_and(|moves| moves.last() == Some(&mv))).await;
        self.board.follow();
    }

    /// Receives a game in which the board has this seat.
    async fn is_given(&mut self, seat: Seat) {
        self.until(|board| board.info().is_some_and(|info| info.game != 0 && info.seat == seat)).await;
        self.board.follow();
    }
}

async fn open_socket(address: SocketAddr) -> WebSocketStream<TcpStream> {
    let stream = TcpStream::connect(address).await.unwrap();
    client_async(format!("ws://{address}/ws/board"), stream).await.unwrap().0
}

/// Sends frames, and returns the first answer.
async fn first_answer(address: SocketAddr, frames: &[Vec<u8>]) -> Option<Vec<u8>> {
    let mut socket = open_socket(address).await;
    for frame in frames {
        socket.send(Message::Binary(frame.clone().into())).await.unwrap();
    }
    match timeout(PATIENCE, socket.next()).await.unwrap() {
        Some(Ok(Message::Binary(frame))) => Some(frame.into()),
        _ => None,
    }
}

fn make(text: &str) -> Act {
    Act::Move { ply: text.parse().unwrap(), number: None }
}

/// Waits until a condition holds for the room.
async fn until(handle: &RoomHandle, is_so: impl Fn(&crate::room::Room) -> bool) {
    let begun = Instant::now();
    while !is_so(&handle.look().await.unwrap()) {
        assert!(begun.elapsed() < PATIENCE, "the condition never holds");
        sleep(Duration::from_millis(10)).await;
    }
}

#[tokio::test]
async fn boards_are_paired_listed_and_removed() {
    let relay = TestRelay::open().await;
    let (key, code) = relay.pair("Kitchen").await;
    let again = relay.server.execute(BoardsRequest::Add { name: "Kitchen".to_owned() }).await;
    assert_eq!(again, BoardsAnswer::Failed("a board with the name Kitchen exists already".to_owned()));
    assert!(matches!(relay.server.execute(BoardsRequest::Add { name: " ".to_owned() }).await, BoardsAnswer::Failed(_)));
    assert_eq!(relay.get("/boards").await, (200, serde_json::json!({ "boards": [] })));
    assert_eq!(relay.get("/boards/Kitchen").await.0, 404);
    // Its games can be looked at all the same.
    let public = serde_json::json!({ "boards": [{ "name": "Kitchen", "code": code.as_str() }] });
    assert_eq!(relay.get("/boards?all").await, (200, public.clone()));

    let mut cable = ConnectedBoard::new(&relay, key, 3);
    cable.until(SimulatedBoard::is_online).await;
    let waiting = serde_json::json!({ "name": "Kitchen", "code": code.as_str(), "set_up": true });
    assert_eq!(relay.get("/boards").await, (200, serde_json::json!({ "boards": [waiting] })));
    assert_eq!(relay.get("/boards/Kitchen").await, (200, waiting));
    let BoardsAnswer::Boards(listed) = relay.server.execute(BoardsRequest::List).await else { panic!("a list") };
    assert_eq!((listed.len(), listed[0].online, listed[0].free, listed[0].playing), (1, true, true, false));

    // A board with a local game is not offered to opponents.
    cable.board.play("e2e4".parse().unwrap());
    cable.until(|board| board.pending() == 0).await;
    assert_eq!(relay.get("/boards").await, (200, serde_json::json!({ "boards": [] })));
    assert_eq!(relay.get("/boards?all").await, (200, public));
    relay.server.set_challenges("Kitchen", ChallengePolicy::Link).await.unwrap();
    assert_eq!(relay.get("/boards?all").await, (200, serde_json::json!({ "boards": [] })));

    let removed = relay.server.execute(BoardsRequest::Remove { name: "Kitchen".to_owned() }).await;
    assert!(matches!(removed, BoardsAnswer::Removed { .. }));
    cable.until(|board| board.goodbyes.contains(&Goodbye::Unpaired)).await;
    let (_, first_frame) = Initiator::new(&PairingKey::new(key), Ephemeral::new([9; 32]));
    assert_eq!(
        first_answer(relay.address, &[first_frame.to_vec()]).await,
        Some(Refusal::UnknownBoard.frame().to_vec())
    );
    let gone = relay.server.execute(BoardsRequest::Remove { name: "Kitchen".to_owned() }).await;
    assert_eq!(gone, BoardsAnswer::Failed("there is no board with the name Kitchen".to_owned()));
}

/// It counts for the address of the board, like any other room.
#[tokio::test]
async fn the_room_that_a_board_opens_under_its_code_is_charged() {
    let limits = LimitConfig { joins_per_minute: NonZeroU32::new(1), ..LimitConfig::unlimited(65_536) };
    let relay = TestRelay::open_for(Arc::default(), ClientContext::for_tests_with(limits)).await;
    let (first, second) = (relay.pair("Kitchen").await, relay.pair("Cellar").await);
    for ((key, code), is_opened) in [(first, true), (second, false)] {
        let mut cable = ConnectedBoard::new(&relay, key, 3);
        cable.until(SimulatedBoard::is_online).await;
        assert_eq!(relay.server.relay().find(&code).await.unwrap().is_some(), is_opened);
    }
}

#[tokio::test]
async fn unknown_boards_and_versions_are_refused() {
    let relay = TestRelay::open().await;
    let (key, _) = relay.pair("Kitchen").await;
    let unknown = Some(Refusal::UnknownBoard.frame().to_vec());
    let (_, first_frame) = Initiator::new(&PairingKey::new([1; 32]), Ephemeral::new([9; 32]));
    assert_eq!(first_answer(relay.address, &[first_frame.to_vec()]).await, unknown);
    // The id of the board with another key.
    let (_, mut first_frame) = Initiator::new(&PairingKey::new([1; 32]), Ephemeral::new([9; 32]));
    first_frame[1..9].copy_from_slice(&PairingKey::new(key).board_id().0);
    assert_eq!(first_answer(relay.address, &[first_frame.to_vec()]).await, unknown);
    let (_, mut first_frame) = Initiator::new(&PairingKey::new(key), Ephemeral::new([9; 32]));
    first_frame[0] = 2;
    let version = Refusal::Version { lowest: VERSION, highest: VERSION };
    assert_eq!(first_answer(relay.address, &[first_frame.to_vec()]).await, Some(version.frame().to_vec()));
    // First frames of a wrong length.
    assert_eq!(first_answer(relay.address, &[vec![1; 56]]).await, None);
    assert_eq!(first_answer(relay.address, &[vec![1; 600]]).await, None);
}

#[tokio::test]
async fn a_replayed_first_frame_does_not_disturb_the_board() {
    let relay = TestRelay::open().await;
    let (key, code) = relay.pair("Kitchen").await;
    let mut cable = ConnectedBoard::new(&relay, key, 3);
    cable.until(SimulatedBoard::is_online).await;
    let (_, first_frame) = Initiator::new(&PairingKey::new(key), Ephemeral::new([9; 32]));
    for second in [vec![], vec![vec![0; 40]], vec![first_frame.to_vec()]] {
        let frames: Vec<Vec<u8>> = [first_frame.to_vec()].into_iter().chain(second).collect();
        assert!(first_answer(relay.address, &frames).await.is_some(), "the first frame is answered");
    }
    cable.talk().await;
    let vera = relay.visit(&code).await;
    cable.is_given(Seat::White).await;
    cable.play("e2e4").await;
    until(&vera, |room| room.game().len() == 1).await;
    assert!(cable.board.errors.is_empty());
    // The board itself may reconnect at any time.
    cable.connect().await;
    cable.until(SimulatedBoard::is_online).await;
    vera.act(make("e7e5")).await.unwrap();
    cable.sees("e7e5").await;
    assert_eq!(cable.plies(), Some(2));
}

/// The old key stays valid until the new one has been used. The game goes on with it.
#[tokio::test]
async fn a_new_key_replaces_the_old_one_when_it_is_used() {
    let relay = TestRelay::open().await;
    let (old, code) = relay.pair("Kitchen").await;
    let mut cable = ConnectedBoard::new(&relay, old, 3);
    cable.until(SimulatedBoard::is_online).await;
    let vera = relay.visit(&code).await;
    cable.is_given(Seat::White).await;
    cable.play("e2e4").await;
    until(&vera, |room| room.game().len() == 1).await;

    let rekeyed = relay.server.execute(BoardsRequest::Rekey { name: "Kitchen".to_owned() }).await;
    let BoardsAnswer::Rekeyed { key, id, code: same, .. } = rekeyed else { panic!("{rekeyed:?}") };
    let new: [u8; 32] = hex::parse(&key).unwrap().try_into().unwrap();
    assert_eq!((id, same), (PairingKey::new(new).board_id().to_string(), code.clone()));
    let listed = async || match relay.server.execute(BoardsRequest::List).await {
        BoardsAnswer::Boards(boards) => (boards.len(), boards[0].id.clone(), boards[0].rekeyed),
        other => panic!("{other:?}"),
    };
    assert_eq!(listed().await, (1, PairingKey::new(old).board_id().to_string(), true));

    // The old key is still good for a connection, and a replayed first frame of the new key changes nothing.
    cable.connect().await;
    cable.until(SimulatedBoard::is_online).await;
    let (_, first_frame) = Initiator::new(&PairingKey::new(new), Ephemeral::new([9; 32]));
    assert!(first_answer(relay.address, &[first_frame.to_vec(), vec![0; 40]]).await.is_some());
    vera.act(make("e7e5")).await.unwrap();
    cable.sees("e7e5").await;
    assert!(listed().await.2);

    let mut renewed = ConnectedBoard::new(&relay, new, 4);
    renewed.until(SimulatedBoard::is_online).await;
    cable.until(|board| board.goodbyes.contains(&Goodbye::Replaced)).await;
    assert_eq!(listed().await, (1, PairingKey::new(new).board_id().to_string(), false));
    let (_, first_frame) = Initiator::new(&PairingKey::new(old), Ephemeral::new([9; 32]));
    assert_eq!(
        first_answer(relay.address, &[first_frame.to_vec()]).await,
        Some(Refusal::UnknownBoard.frame().to_vec())
    );
    renewed.until(|board| board.moves().is_some_and(|moves| moves.len() == 2)).await;
    assert_eq!(vera.look().await.unwrap().phase(), Phase::Playing, "the game goes on");
    let unknown = relay.server.execute(BoardsRequest::Rekey { name: "Attic".to_owned() }).await;
    assert_eq!(unknown, BoardsAnswer::Failed("there is no board with the name Attic".to_owned()));
}

/// A replayed handshake is rejected without the connection of the board that waits behind it.
#[tokio::test]
async fn a_replayed_handshake_does_not_drop_the_connection_behind_it() {
    let relay = TestRelay::open().await;
    let (key, _) = relay.pair("Kitchen").await;
    let board = relay.server.registry().read("Kitchen").await.unwrap().unwrap().0;
    let (sockets, mut accepted) = mpsc::channel(1);
    let accept = move |upgrade: WebSocketUpgrade| {
        let sockets = sockets.clone();
        async move { upgrade.on_upgrade(async move |socket| sockets.send(socket).await.unwrap_or_default()) }
    };
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move { axum::serve(listener, Router::new().route("/ws/board", get(accept))).await });
    let answer = |first_frame: &[u8]| {
        let responder = Responder::read(first_frame).ok().unwrap();
        responder.answer(&PairingKey::new(key), Ephemeral::new([7; 32])).ok().unwrap()
    };
    let (queue, mailbox) = mpsc::channel(4);

    let _replayer = open_socket(address).await;
    let (_, first_frame) = Initiator::new(&PairingKey::new(key), Ephemeral::new([9; 32]));
    let (_, channel) = answer(&first_frame);
    let socket = accepted.recv().await.unwrap();
    queue.send(Caller { channel, hello: vec![0; 40], socket, client: None }).await.ok().unwrap();

    let mut cable = ConnectedBoard::new(&relay, key, 3);
    cable.address = address;
    cable.connect().await;
    let mut socket = accepted.recv().await.unwrap();
    let mut channel = None;
    let hello = loop {
        while let Ok(Some(frame)) = cable.board.transmit() {
            cable.socket.as_mut().unwrap().send(Message::Binary(frame.into())).await.unwrap();
        }
        let Some(Ok(axum::extract::ws::Message::Binary(frame))) = socket.recv().await else { panic!("no frame") };
        if channel.is_some() {
            break frame.to_vec();
        }
        let (answer, opened) = answer(&frame);
        channel = Some(opened);
        cable.board.receive(answer.to_vec()).unwrap();
    };
    queue.send(Caller { channel: channel.unwrap(), hello, socket, client: None }).await.ok().unwrap();
    tokio::spawn(BoardConnection::serve(relay.server.clone(), board, mailbox));
    cable.until(SimulatedBoard::is_online).await;
    assert!(cable.board.errors.is_empty() && cable.socket.is_some(), "the first connection of the board is served");
}

#[tokio::test]
async fn a_player_with_the_code_plays_against_the_board() {
    let relay = TestRelay::open().await;
    let (key, code) = relay.pair("Kitchen").await;
    let mut cable = ConnectedBoard::new(&relay, key, 3);
    cable.until(SimulatedBoard::is_online).await;
    let vera = relay.visit(&code).await;
    cable.is_given(Seat::White).await;
    let info = cable.board.info().unwrap();
    assert_eq!([info.white.as_str(), &info.black], ["Kitchen", "Vera"]);
    cable.until(|board| board.live.is_some_and(|live| live.opponent)).await;
    cable.play("f2f3").await;
    until(&vera, |room| room.game().len() == 1).await;
    vera.act(make("e7e5")).await.unwrap();
    cable.sees("e7e5").await;
    cable.play("g2g4").await;
    until(&vera, |room| room.game().len() == 3).await;
    vera.act(make("d8h4")).await.unwrap();
    cable.sees("d8h4").await;
    until(&vera, |room| room.verdict().is_some_and(|verdict| verdict.why() == Some(Why::Checkmate))).await;

    // The opponent offers a rematch, and setting up the pieces accepts it.
    vera.act(Act::OfferRematch).await.unwrap();
    cable.talk().await;
    assert_eq!(vera.look().await.unwrap().phase(), Phase::Over);
    cable.board.set_up();
    cable.is_given(Seat::Black).await;
    vera.act(make("e2e4")).await.unwrap();
    cable.sees("e2e4").await;
    cable.play("e7e5").await;
    until(&vera, |room| room.game().len() == 2).await;

    // The opponent leaves. The board receives the end of the game, and is free for the next opponent.
    vera.act(Act::Leave).await.unwrap();
    drop(vera);
    cable.until(|board| board.outcome().is_some()).await;
    let next = relay.visit(&code).await;
    cable.until(|board| board.info().is_some_and(|info| info.game != 0) && board.outcome().is_none()).await;
    assert_eq!(next.look().await.unwrap().phase(), Phase::Playing);
}

/// Occupancy is transient and sent when it changes. A participant who enters later must receive it all the same.
#[tokio::test]
async fn a_participant_who_enters_later_receives_the_occupancy() {
    let relay = TestRelay::open().await;
    let (key, code) = relay.pair("Kitchen").await;
    let mut cable = ConnectedBoard::new(&relay, key, 5);
    cable.until(SimulatedBoard::is_online).await;
    let mut vera = relay.visit(&code).await;
    cable.is_given(Seat::White).await;
    cable.board.lift(Square::E2);
    let occupancy = cable.board.occupancy();
    assert!(occupancy.in_hand.has(Square::E2) && !occupancy.occupied.has(Square::E2));
    let receives = async |handle: &mut RoomHandle, cable: &mut ConnectedBoard| {
        let begun = Instant::now();
        loop {
            assert!(begun.elapsed() < PATIENCE, "no occupancy is received");
            cable.talk().await;
            while let Ok(update) = timeout(Duration::from_millis(5), handle.next()).await {
                if matches!(&update.unwrap().update, Update::Transient(Transient::Occupancy { occupancy: seen, .. }) if *seen == occupancy)
                {
                    return;
                }
            }
        }
    };
    receives(&mut vera, &mut cable).await;
    // The board does not change, and a spectator enters.
    let watcher = Participant::new(name("Sam"));
    let mut sam = relay.server.relay().enter(&code, watcher, Claim::Watch, None).await.unwrap();
    receives(&mut sam, &mut cable).await;
}

#[tokio::test]
async fn two_boards_play_across_restarts_of_boards_and_relay() {
    let store = Arc::new(Memory::default());
    let mut relay = TestRelay::open_on(store.clone()).await;
    let mut cables = Vec::new();
    for (name, random) in [("Kitchen", 3), ("Attic", 4)] {
        let (key, _) = relay.pair(name).await;
        let mut cable = ConnectedBoard::new(&relay, key, random);
        cable.until(SimulatedBoard::is_online).await;
        cables.push(cable);
    }
    let order = |name: &str, with: &str| BoardsRequest::Play {
        name: name.to_owned(),
        with: with.to_owned(),
        clock: Some(wire::link::ClockRule { base_ms: 600_000, increment_ms: 0 }),
        side: SideChoice::First,
    };
    let own_code = relay.server.registry().list().await.unwrap().remove(1).code;
    let fails = [
        ("Kitchen", "Kitchen", "with itself"),
        ("Kitchen", own_code.as_str(), "with itself"),
        ("Garage", "Kitchen", "no board with the name Garage"),
        ("Kitchen", "no such code!", "no board with the name"),
        ("Kitchen", "Atic", "no open game with this code"),
    ];
    for (name, with, why) in fails {
        let BoardsAnswer::Failed(problem) = relay.server.execute(order(name, with)).await else {
            panic!("{name} {with}")
        };
        assert!(problem.contains(why), "{name} {with}: {problem}");
    }
    let BoardsAnswer::Playing { boards, .. } = relay.server.execute(order("Kitchen", "Attic")).await else {
        panic!("they play")
    };
    assert_eq!(boards, [name("Kitchen"), name("Attic")]);
    let [kitchen, attic] = &mut cables[..] else { panic!("two boards") };
    tokio::join!(kitchen.is_given(Seat::White), attic.is_given(Seat::Black));
    let moves = ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6", "b5a4", "g8f6", "e1g1", "f8e7"];
    for (ply, text) in moves.into_iter().enumerate() {
        match ply {
            // A connection is cut.
            2 => kitchen.send_goodbye(),
            // A board restarts.
            5 => {
                attic.send_goodbye();
                attic.board.restart(true);
            }
            // The relay restarts without a goodbye.
            6 => {
                let next = TestRelay::open_on(store.clone()).await;
                relay.server.stop().await;
                relay = next;
                (kitchen.address, attic.address) = (relay.address, relay.address);
            }
            // A board loses its flash.
            8 => {
                kitchen.send_goodbye();
                kitchen.board.forget();
                kitchen.is_given(Seat::White).await;
            }
            _ => {}
        }
        let (player, waiter) = if ply % 2 == 0 { (&mut *kitchen, &mut *attic) } else { (&mut *attic, &mut *kitchen) };
        player.until(|board| board.moves().is_some_and(|moves| moves.len() == ply) && board.turn().is_some()).await;
        player.play(text).await;
        waiter.sees(text).await;
    }
    for cable in [&*kitchen, &*attic] {
        assert_eq!(cable.plies(), Some(moves.len()));
        assert!(cable.board.errors.is_empty(), "{:?}", cable.board.errors);
    }
    assert!(kitchen.board.live.is_some_and(|live| live.clocks.is_some()));
    // Pawns are in the way of the kings.
    kitchen.board.queue_false_event(wire::link::Event::Resigned { color: Color::White });
    kitchen.talk().await;
    attic.until(|board| board.outcome().is_some_and(|end| end.winner() == Some(Color::Black))).await;
}

#[tokio::test]
async fn a_local_game_is_not_disturbed_and_is_stored_by_the_relay() {
    let relay = TestRelay::open().await;
    let (key, code) = relay.pair("Kitchen").await;
    let mut cable = ConnectedBoard::new(&relay, key, 3);
    cable.until(SimulatedBoard::is_online).await;
    for text in ["e2e4", "e7e5", "g1f3"] {
        cable.play(text).await;
    }
    // No opponent can take a seat.
    let claim = Claim::Sit(SeatRequest::new(SideChoice::First));
    assert!(relay.server.relay().enter(&code, Participant::new(name("Vera")), claim, None).await.is_err());
    cable.send_goodbye();
    cable.board.forget();
    cable.until(|board| board.moves().is_some_and(|moves| moves.len() == 3)).await;
    let info = cable.board.info().unwrap();
    assert_eq!((info.seat, info.game), (Seat::Both, 0));
    cable.board.follow();
    cable.play("b8c6").await;
    assert_eq!(cable.plies(), Some(4));
}

#[tokio::test]
async fn a_stopping_relay_sends_goodbye_and_the_board_reconnects_to_another() {
    let store = Arc::new(Memory::default());
    let relay = TestRelay::open_on(store.clone()).await;
    let (key, code) = relay.pair("Kitchen").await;
    let mut cable = ConnectedBoard::new(&relay, key, 3);
    cable.until(SimulatedBoard::is_online).await;
    relay.server.stop().await;
    relay.server.relay().stop().await;
    cable.until(|board| board.goodbyes.contains(&Goodbye::Closing)).await;
    let next = TestRelay::open_on(store).await;
    cable.address = next.address;
    cable.until(SimulatedBoard::is_online).await;
    let _vera = next.visit(&code).await;
    cable.is_given(Seat::White).await;
}

#[tokio::test]
async fn no_move_is_lost_while_the_store_is_unavailable() {
    let relay = TestRelay::open().await;
    let (key, code) = relay.pair("Kitchen").await;
    let mut cable = ConnectedBoard::new(&relay, key, 3);
    cable.until(SimulatedBoard::is_online).await;
    let vera = relay.visit(&code).await;
    cable.is_given(Seat::White).await;
    relay.store.set_unavailable(true);
    cable.board.play("e2e4".parse().unwrap());
    cable.until(|_| relay.store.refused_appends() > 0).await;
    relay.store.set_unavailable(false);
    cable.until(|board| board.is_online() && board.pending() == 0).await;
    until(&vera, |room| room.game().len() == 1).await;
}
