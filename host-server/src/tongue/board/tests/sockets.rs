//! The same over real sockets, with a relay around it.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::http::Request;
use chess::{Bitboard, Color, Move};
use futures_util::{SinkExt, StreamExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::{Instant, sleep, timeout};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{WebSocketStream, client_async};
use tower::ServiceExt;
use wire::link::{Call, Ephemeral, Goodbye, PairingKey, Refusal, Seat, VERSION, Wood};

use super::desk::Desk;
use super::table::name;
use crate::boards::{Answer, Order};
use crate::hex;
use crate::relay::{Attendance, Claim, Invitation, News, Relay, Visitor, Whisper};
use crate::room::{Code, Command, Phase, Reason, Terms, Wish};
use crate::store::memory::Memory;
use crate::tongue::board::House;

/// Long enough for anything here, and never waited for if all goes well.
const PATIENCE: Duration = Duration::from_secs(20);

/// A relay that listens.
struct Shop {
    store: Arc<Memory>,
    house: House,
    address: SocketAddr,
}

impl Shop {
    async fn open() -> Self {
        Self::open_on(Arc::new(Memory::default())).await
    }

    async fn open_on(store: Arc<Memory>) -> Self {
        let relay = Relay::new(store.clone());
        relay.live().await.unwrap();
        let house = House::new(relay);
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let routes = house.routes();
        tokio::spawn(async move { axum::serve(listener, routes).await });
        Self { store, house, address }
    }

    /// Pairs a board: its key, and its code.
    async fn pair(&self, name: &str) -> ([u8; 32], Code) {
        match self.house.obey(Order::Add { name: name.to_owned() }).await {
            Answer::Added { key, code, id, .. } => {
                let key: [u8; 32] = hex::parse(&key).unwrap().try_into().unwrap();
                assert_eq!(id, PairingKey::new(key).board_id().to_string());
                (key, code)
            }
            other => panic!("{other:?}"),
        }
    }

    async fn get(&self, path: &str) -> (u16, serde_json::Value) {
        // What is known is good for a second.
        sleep(Duration::from_millis(1100)).await;
        let request = Request::get(path).body(Body::empty()).unwrap();
        let response = self.house.routes().oneshot(request).await.unwrap();
        let status = response.status().as_u16();
        let bytes = axum::body::to_bytes(response.into_body(), 100_000).await.unwrap();
        (status, serde_json::from_slice(&bytes).unwrap())
    }

    /// Somebody sits down in a room.
    async fn visit(&self, code: &Code) -> Attendance {
        let begun = Instant::now();
        loop {
            let claim = Claim::Sit(Invitation::new(Wish::First));
            match self.house.relay().enter(code, Visitor::new(name("Vera")), claim, None).await {
                Ok(attendance) => return attendance,
                Err(error) => assert!(begun.elapsed() < PATIENCE, "{error}"),
            }
            sleep(Duration::from_millis(20)).await;
        }
    }
}

/// A board on the network.
struct Cable {
    desk: Desk,
    address: SocketAddr,
    socket: Option<WebSocketStream<TcpStream>>,
}

impl Cable {
    fn new(shop: &Shop, key: [u8; 32], random: u64) -> Self {
        Self { desk: Desk::new(key, random), address: shop.address, socket: None }
    }

    async fn connect(&mut self) {
        if self.desk.end.connect_at().is_none() {
            self.desk.cut();
        }
        self.socket = Some(dial(self.address).await);
        self.desk.connect();
    }

    /// Talks until something is so.
    #[track_caller]
    fn until(&mut self, what: impl Fn(&Desk) -> bool) -> impl Future<Output = ()> {
        let place = std::panic::Location::caller();
        async move {
            let begun = Instant::now();
            while !what(&self.desk) {
                assert!(begun.elapsed() < PATIENCE, "it never came to that: {place}");
                self.talk().await;
            }
            // What has been said is heard.
            self.talk().await;
        }
    }

    /// Sends all that there is, and takes what comes for a moment.
    async fn talk(&mut self) {
        loop {
            self.desk.keep();
            let Some(socket) = &mut self.socket else {
                self.connect().await;
                continue;
            };
            while let Ok(Some(frame)) = self.desk.transmit() {
                let _ = socket.send(Message::Binary(frame.into())).await;
            }
            match timeout(Duration::from_millis(30), socket.next()).await {
                Ok(Some(Ok(Message::Binary(frame)))) => {
                    if let Err(broken) = self.desk.receive(frame.into()) {
                        self.desk.broken.push(broken);
                        self.hang_up();
                        return;
                    }
                }
                Ok(Some(Ok(Message::Close(_)) | Err(_)) | None) => {
                    self.hang_up();
                    return;
                }
                Ok(Some(Ok(_))) => {}
                Err(_) => return,
            }
        }
    }

    fn hang_up(&mut self) {
        self.socket = None;
        self.desk.cut();
    }

    async fn play(&mut self, text: &str) {
        let mv: Move = text.parse().unwrap();
        let plies = self.desk.brain.game().moves().len();
        self.desk.follow();
        self.desk.play(mv);
        assert_eq!(self.desk.brain.game().moves().last(), Some(&mv), "the board has read the move");
        self.until(|desk| desk.brain.game().moves().len() > plies && desk.end.conversation().pending().count() == 0)
            .await;
    }

    async fn sees(&mut self, text: &str) {
        let mv: Move = text.parse().unwrap();
        self.until(|desk| !desk.is_busy() && desk.brain.game().moves().last() == Some(&mv)).await;
        self.desk.follow();
    }

    async fn is_given(&mut self, seat: Seat) {
        self.until(|desk| !desk.is_busy() && desk.card.game != 0 && desk.card.seat == seat).await;
        self.desk.follow();
    }
}

async fn dial(address: SocketAddr) -> WebSocketStream<TcpStream> {
    let stream = TcpStream::connect(address).await.unwrap();
    client_async(format!("ws://{address}/ws/board"), stream).await.unwrap().0
}

/// Sends frames, and returns the first that comes back.
async fn first_answer(address: SocketAddr, frames: &[Vec<u8>]) -> Option<Vec<u8>> {
    let mut socket = dial(address).await;
    for frame in frames {
        socket.send(Message::Binary(frame.clone().into())).await.unwrap();
    }
    match timeout(PATIENCE, socket.next()).await.unwrap() {
        Some(Ok(Message::Binary(frame))) => Some(frame.into()),
        _ => None,
    }
}

fn make(text: &str) -> impl FnOnce(Color) -> Command + Send + 'static {
    let mv: Move = text.parse().unwrap();
    move |color| Command::Move { color, mv, ply: None }
}

/// Waits until the room is so.
async fn until(attendance: &Attendance, what: impl Fn(&crate::room::Room) -> bool) {
    let begun = Instant::now();
    while !what(&attendance.look().await.unwrap()) {
        assert!(begun.elapsed() < PATIENCE, "the room is never so");
        sleep(Duration::from_millis(10)).await;
    }
}

#[tokio::test]
async fn boards_are_paired_found_and_forgotten() {
    let shop = Shop::open().await;
    let (key, code) = shop.pair("Kitchen").await;
    let again = shop.house.obey(Order::Add { name: "Kitchen".to_owned() }).await;
    assert_eq!(again, Answer::Failed("there is a board with the name Kitchen already".to_owned()));
    assert!(matches!(shop.house.obey(Order::Add { name: " ".to_owned() }).await, Answer::Failed(_)));
    assert_eq!(shop.get("/boards").await, (200, serde_json::json!({ "boards": [] })));
    assert_eq!(shop.get("/boards/Kitchen").await.0, 404);

    let mut cable = Cable::new(&shop, key, 3);
    cable.until(|desk| desk.end.conversation().is_online()).await;
    let waiting = serde_json::json!({ "name": "Kitchen", "code": code.as_str() });
    assert_eq!(shop.get("/boards").await, (200, serde_json::json!({ "boards": [waiting] })));
    assert_eq!(shop.get("/boards/Kitchen").await, (200, waiting));
    let Answer::Boards(listed) = shop.house.obey(Order::List).await else { panic!("a list") };
    assert_eq!((listed.len(), listed[0].online, listed[0].free, listed[0].playing), (1, true, true, false));

    // Whoever plays on it alone is not to be disturbed.
    cable.desk.play("e2e4".parse().unwrap());
    cable.until(|desk| desk.end.conversation().pending().count() == 0).await;
    assert_eq!(shop.get("/boards").await, (200, serde_json::json!({ "boards": [] })));

    let removed = shop.house.obey(Order::Remove { name: "Kitchen".to_owned() }).await;
    assert!(matches!(removed, Answer::Removed { .. }));
    cable.until(|desk| desk.goodbyes.contains(&Goodbye::Unpaired)).await;
    let (_, knock) = Call::new(&PairingKey::new(key), Ephemeral::new([9; 32]));
    assert_eq!(first_answer(shop.address, &[knock.to_vec()]).await, Some(Refusal::UnknownBoard.frame().to_vec()));
    let gone = shop.house.obey(Order::Remove { name: "Kitchen".to_owned() }).await;
    assert_eq!(gone, Answer::Failed("there is no board with the name Kitchen".to_owned()));
}

#[tokio::test]
async fn strangers_are_refused() {
    let shop = Shop::open().await;
    let (key, _) = shop.pair("Kitchen").await;
    let unknown = Some(Refusal::UnknownBoard.frame().to_vec());
    let (_, knock) = Call::new(&PairingKey::new([1; 32]), Ephemeral::new([9; 32]));
    assert_eq!(first_answer(shop.address, &[knock.to_vec()]).await, unknown);
    // The name of the board, but not its key.
    let (_, mut knock) = Call::new(&PairingKey::new([1; 32]), Ephemeral::new([9; 32]));
    knock[1..9].copy_from_slice(&PairingKey::new(key).board_id().0);
    assert_eq!(first_answer(shop.address, &[knock.to_vec()]).await, unknown);
    let (_, mut knock) = Call::new(&PairingKey::new(key), Ephemeral::new([9; 32]));
    knock[0] = 2;
    let version = Refusal::Version { lowest: VERSION, highest: VERSION };
    assert_eq!(first_answer(shop.address, &[knock.to_vec()]).await, Some(version.frame().to_vec()));
    // Neither too short nor too long.
    assert_eq!(first_answer(shop.address, &[vec![1; 56]]).await, None);
    assert_eq!(first_answer(shop.address, &[vec![1; 600]]).await, None);
}

#[tokio::test]
async fn a_recorded_knock_does_not_disturb_the_board() {
    let shop = Shop::open().await;
    let (key, code) = shop.pair("Kitchen").await;
    let mut cable = Cable::new(&shop, key, 3);
    cable.until(|desk| desk.end.conversation().is_online()).await;
    let (_, knock) = Call::new(&PairingKey::new(key), Ephemeral::new([9; 32]));
    for second in [vec![], vec![vec![0; 40]], vec![knock.to_vec()]] {
        let frames: Vec<Vec<u8>> = [knock.to_vec()].into_iter().chain(second).collect();
        assert!(first_answer(shop.address, &frames).await.is_some(), "it is answered, and that is all");
    }
    cable.talk().await;
    let vera = shop.visit(&code).await;
    cable.is_given(Seat::White).await;
    cable.play("e2e4").await;
    until(&vera, |room| room.game().moves().len() == 1).await;
    assert!(cable.desk.broken.is_empty());
    // The board itself may call again at any time.
    cable.connect().await;
    cable.until(|desk| desk.end.conversation().is_online()).await;
    vera.play(make("e7e5")).await.unwrap();
    cable.sees("e7e5").await;
    assert_eq!(cable.desk.brain.game().moves().len(), 2);
}

#[tokio::test]
async fn whoever_knows_the_code_plays_with_whoever_sits_at_the_board() {
    let shop = Shop::open().await;
    let (key, code) = shop.pair("Kitchen").await;
    let mut cable = Cable::new(&shop, key, 3);
    cable.until(|desk| desk.end.conversation().is_online()).await;
    let vera = shop.visit(&code).await;
    cable.is_given(Seat::White).await;
    assert_eq!(cable.desk.card.names, ["Kitchen", "Vera"]);
    cable.until(|desk| desk.live.is_some_and(|live| live.opponent)).await;
    cable.play("f2f3").await;
    until(&vera, |room| room.game().moves().len() == 1).await;
    vera.play(make("e7e5")).await.unwrap();
    cable.sees("e7e5").await;
    cable.play("g2g4").await;
    until(&vera, |room| room.game().moves().len() == 3).await;
    vera.play(make("d8h4")).await.unwrap();
    cable.sees("d8h4").await;
    until(&vera, |room| room.ending().is_some_and(|ending| ending.reason == Reason::Checkmate)).await;

    // Another one: the other asks, and setting up the pieces is the answer.
    vera.play(|color| Command::OfferRematch { color, dice: 99 }).await.unwrap();
    cable.talk().await;
    assert_eq!(vera.look().await.unwrap().phase(), Phase::Over);
    cable.desk.set_up();
    cable.is_given(Seat::Black).await;
    vera.play(make("e2e4")).await.unwrap();
    cable.sees("e2e4").await;
    cable.play("e7e5").await;
    until(&vera, |room| room.game().moves().len() == 2).await;

    // The other leaves for good. The board is told, and waits for the next.
    vera.play(Command::Leave).await.unwrap();
    drop(vera);
    cable.until(|desk| desk.brain.game().outcome().is_some()).await;
    let next = shop.visit(&code).await;
    cable.until(|desk| desk.card.game != 0 && desk.brain.game().outcome().is_none()).await;
    assert_eq!(next.look().await.unwrap().phase(), Phase::Playing);
}

/// The wood is whispered when it changes, and who comes later has not heard it.
#[tokio::test]
async fn whoever_comes_sees_the_wood() {
    let shop = Shop::open().await;
    let (key, code) = shop.pair("Kitchen").await;
    let mut board = Cable::new(&shop, key, 5);
    board.until(|desk| desk.end.conversation().is_online()).await;
    let wood = Wood { occupied: Bitboard(0xffff), in_hand: Bitboard(1 << 12), astray: Bitboard(1 << 20) };
    board.desk.end.conversation_mut().show_wood(wood);
    let mut vera = shop.visit(&code).await;
    let sees = async |attendance: &mut Attendance, board: &mut Cable| {
        let begun = Instant::now();
        loop {
            assert!(begun.elapsed() < PATIENCE, "nobody shows the wood");
            board.talk().await;
            while let Ok(happening) = timeout(Duration::from_millis(5), attendance.next()).await {
                if matches!(&happening.unwrap().news, News::Whisper(Whisper::Wood { wood: seen, .. }) if *seen == wood)
                {
                    return;
                }
            }
        }
    };
    sees(&mut vera, &mut board).await;
    // Nothing on the board has changed since, and somebody comes to watch.
    let watcher = Visitor::new(name("Sam"));
    let mut sam = shop.house.relay().enter(&code, watcher, Claim::Watch, None).await.unwrap();
    sees(&mut sam, &mut board).await;
}

#[tokio::test]
async fn two_boards_play_each_other_through_restarts_of_everything() {
    let store = Arc::new(Memory::default());
    let mut shop = Shop::open_on(store.clone()).await;
    let mut cables = Vec::new();
    for (name, random) in [("Kitchen", 3), ("Attic", 4)] {
        let (key, _) = shop.pair(name).await;
        let mut cable = Cable::new(&shop, key, random);
        cable.until(|desk| desk.end.conversation().is_online()).await;
        cables.push(cable);
    }
    let order = |name: &str, with: &str| Order::Play {
        name: name.to_owned(),
        with: with.to_owned(),
        clock: Some(wire::link::ClockRule { base_ms: 600_000, increment_ms: 0 }),
        wish: Wish::First,
    };
    let fails = [("Kitchen", "Kitchen"), ("Garage", "Kitchen"), ("Kitchen", "no such code!")];
    for (name, with) in fails {
        assert!(matches!(shop.house.obey(order(name, with)).await, Answer::Failed(_)), "{name} {with}");
    }
    let Answer::Playing { boards, .. } = shop.house.obey(order("Kitchen", "Attic")).await else { panic!("they play") };
    assert_eq!(boards, [name("Kitchen"), name("Attic")]);
    let [kitchen, attic] = &mut cables[..] else { panic!("two boards") };
    tokio::join!(kitchen.is_given(Seat::White), attic.is_given(Seat::Black));
    let moves = ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6", "b5a4", "g8f6", "e1g1", "f8e7"];
    for (ply, text) in moves.into_iter().enumerate() {
        match ply {
            // A cable is pulled, and put in again.
            2 => kitchen.hang_up(),
            // A board restarts.
            5 => {
                attic.hang_up();
                attic.desk.restart(true);
            }
            // The relay restarts, and had no time to say so.
            6 => {
                let next = Shop::open_on(store.clone()).await;
                shop.house.stop().await;
                shop = next;
                (kitchen.address, attic.address) = (shop.address, shop.address);
            }
            // A board loses its memory.
            8 => {
                kitchen.hang_up();
                kitchen.desk.forget();
                kitchen.is_given(Seat::White).await;
            }
            _ => {}
        }
        let (player, waiter) = if ply % 2 == 0 { (&mut *kitchen, &mut *attic) } else { (&mut *attic, &mut *kitchen) };
        player.until(|desk| desk.brain.game().moves().len() == ply && desk.turn().is_some()).await;
        player.play(text).await;
        waiter.sees(text).await;
    }
    for cable in [&*kitchen, &*attic] {
        assert_eq!(cable.desk.brain.game().moves().len(), moves.len());
        assert!(cable.desk.broken.is_empty(), "{:?}", cable.desk.broken);
    }
    assert!(kitchen.desk.live.is_some_and(|live| live.clocks.is_some()));
    // Pawns stand where the kings would have to.
    kitchen.desk.lie(wire::link::Event::Resigned { color: Color::White });
    kitchen.talk().await;
    attic.until(|desk| desk.brain.game().outcome().is_some_and(|end| end.winner() == Some(Color::Black))).await;
}

#[tokio::test]
async fn who_is_away_for_too_long_is_told_how_it_ended() {
    let shop = Shop::open().await;
    let (key, code) = shop.pair("Kitchen").await;
    // Somebody was there before the board, and has less patience.
    let terms = Terms { grace: 300, ..Terms::default() };
    let claim = Claim::Sit(Invitation::new(Wish::White));
    let vera = shop.house.relay().enter(&code, Visitor::new(name("Vera")), claim, Some(&terms)).await.unwrap();
    let mut cable = Cable::new(&shop, key, 3);
    cable.is_given(Seat::Black).await;
    vera.play(make("e2e4")).await.unwrap();
    cable.sees("e2e4").await;
    cable.hang_up();
    until(&vera, |room| room.ending().is_some() && room.seat(Color::Black).is_none()).await;
    assert_eq!(vera.look().await.unwrap().ending().unwrap().winner, Some(Color::White));
    vera.play(Command::Leave).await.unwrap();
    drop(vera);
    cable.until(|desk| desk.brain.game().outcome().is_some()).await;
    assert_eq!(cable.desk.brain.game().outcome().unwrap().winner(), Some(Color::White));
    // And then it is there again for whoever comes to its code.
    let next = shop.visit(&code).await;
    cable.until(|desk| !desk.is_busy() && desk.brain.game().outcome().is_none()).await;
    assert!(cable.desk.brain.game().moves().is_empty());
    assert_eq!(next.look().await.unwrap().games(), 1);
}

#[tokio::test]
async fn a_board_on_which_two_people_play_is_left_alone_and_its_game_is_kept() {
    let shop = Shop::open().await;
    let (key, code) = shop.pair("Kitchen").await;
    let mut cable = Cable::new(&shop, key, 3);
    cable.until(|desk| desk.end.conversation().is_online()).await;
    for text in ["e2e4", "e7e5", "g1f3"] {
        cable.play(text).await;
    }
    // Nobody can sit down with them.
    let claim = Claim::Sit(Invitation::new(Wish::First));
    assert!(shop.house.relay().enter(&code, Visitor::new(name("Vera")), claim, None).await.is_err());
    cable.hang_up();
    cable.desk.forget();
    cable.until(|desk| !desk.is_busy() && desk.brain.game().moves().len() == 3).await;
    assert_eq!((cable.desk.card.seat, cable.desk.card.game), (Seat::Both, 0));
    cable.desk.follow();
    cable.play("b8c6").await;
    assert_eq!(cable.desk.brain.game().moves().len(), 4);
}

#[tokio::test]
async fn a_relay_that_stops_says_goodbye_and_the_board_comes_to_the_next() {
    let store = Arc::new(Memory::default());
    let shop = Shop::open_on(store.clone()).await;
    let (key, code) = shop.pair("Kitchen").await;
    let mut cable = Cable::new(&shop, key, 3);
    cable.until(|desk| desk.end.conversation().is_online()).await;
    shop.house.stop().await;
    shop.house.relay().stop().await;
    cable.until(|desk| desk.goodbyes.contains(&Goodbye::Closing)).await;
    let next = Shop::open_on(store).await;
    cable.address = next.address;
    cable.until(|desk| desk.end.conversation().is_online()).await;
    let _vera = next.visit(&code).await;
    cable.is_given(Seat::White).await;
}

#[tokio::test]
async fn a_store_that_is_away_costs_a_board_nothing_but_time() {
    let shop = Shop::open().await;
    let (key, code) = shop.pair("Kitchen").await;
    let mut cable = Cable::new(&shop, key, 3);
    cable.until(|desk| desk.end.conversation().is_online()).await;
    let vera = shop.visit(&code).await;
    cable.is_given(Seat::White).await;
    shop.store.go_away(true);
    cable.desk.play("e2e4".parse().unwrap());
    cable.talk().await;
    sleep(Duration::from_millis(300)).await;
    cable.talk().await;
    shop.store.go_away(false);
    cable.until(|desk| desk.end.conversation().is_online() && desk.end.conversation().pending().count() == 0).await;
    until(&vera, |room| room.game().moves().len() == 1).await;
}
