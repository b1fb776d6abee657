use std::net::IpAddr;
use std::sync::Arc;

use board::pairing::Decision;
use chess::Bitboard;

use super::requests::{AnswerError, PairingRequests};
use crate::boards::{BoardError, Registry};
use crate::config::PairingPolicy;
use crate::dialect::board::BoardServer;
use crate::relay::Relay;
use crate::server::ClientAddress;
use crate::store::memory::Memory;

const SQUARES: Bitboard = Bitboard(0x8001_0200_0400_2181);

fn requests(policy: PairingPolicy) -> (PairingRequests, Registry) {
    let store = Arc::new(Memory::default());
    let boards = BoardServer::new(Relay::new(store.clone()));
    (PairingRequests::new(boards, policy), Registry::new(store))
}

fn client(address: &str) -> ClientAddress {
    ClientAddress::from(address.parse::<IpAddr>().unwrap())
}

#[tokio::test]
async fn an_accepted_board_is_stored_and_gets_its_key() {
    let (requests, registry) = requests(PairingPolicy::Local);
    let mut ticket = requests.open(client("192.168.1.7"), "", "tabiya-board 0.1.0", SQUARES).unwrap();
    let [request] = &requests.list()[..] else { panic!("one request") };
    assert_eq!(request.squares, ["a1", "h1", "a2", "f2", "c4", "b6", "a7", "h8"]);
    assert_eq!(request.address, "192.168.1.7");
    let name = requests.accept(&request.id, " kitchen ").await.unwrap();
    assert_eq!(name.as_str(), "kitchen");
    let (board, _) = registry.read("kitchen").await.unwrap().expect("the board is stored");
    let Decision::Accept { key, name } = (&mut ticket.decision).await.unwrap() else { panic!("it is accepted") };
    assert_eq!((key, name.as_str()), (board.key_bytes(), "kitchen"));
    assert!(requests.list().is_empty());
    assert!(matches!(requests.accept(&request.id, "again").await, Err(AnswerError::Gone)));
}

#[tokio::test]
async fn a_name_that_is_taken_leaves_the_request_pending() {
    let (requests, registry) = requests(PairingPolicy::Local);
    registry.add("kitchen").await.unwrap();
    let mut ticket = requests.open(client("192.168.1.7"), "", "", SQUARES).unwrap();
    let id = requests.list()[0].id.clone();
    let refused = requests.accept(&id, "kitchen").await;
    assert!(matches!(refused, Err(AnswerError::Board(BoardError::Exists(_)))));
    assert!(matches!(requests.accept(&id, "").await, Err(AnswerError::Board(BoardError::Name(_)))));
    requests.accept(&id, "cellar").await.unwrap();
    assert!(matches!((&mut ticket.decision).await, Ok(Decision::Accept { .. })));
}

#[tokio::test]
async fn a_declined_board_is_not_stored() {
    let (requests, registry) = requests(PairingPolicy::Local);
    let mut ticket = requests.open(client("192.168.1.7"), "", "", SQUARES).unwrap();
    requests.decline(&requests.list()[0].id).unwrap();
    assert_eq!((&mut ticket.decision).await, Ok(Decision::Decline));
    assert!(registry.list().await.unwrap().is_empty());
}

#[tokio::test]
async fn a_board_that_disconnects_takes_its_request_with_it() {
    let (requests, registry) = requests(PairingPolicy::Local);
    let ticket = requests.open(client("192.168.1.7"), "", "", SQUARES).unwrap();
    let id = requests.list()[0].id.clone();
    drop(ticket);
    assert!(requests.list().is_empty());
    assert!(matches!(requests.accept(&id, "kitchen").await, Err(AnswerError::Gone)));
    assert!(registry.list().await.unwrap().is_empty());
}

#[tokio::test]
async fn requests_are_bounded_in_number_and_for_each_address() {
    let (requests, _) = requests(PairingPolicy::Local);
    let mut tickets: Vec<_> = (0..2).map(|_| requests.open(client("10.0.0.1"), "", "", SQUARES).unwrap()).collect();
    assert!(requests.open(client("10.0.0.1"), "", "", SQUARES).is_none(), "two of one address");
    for host in 2..8 {
        tickets.push(requests.open(client(&format!("10.0.0.{host}")), "", "", SQUARES).unwrap());
    }
    assert!(requests.open(client("10.0.0.9"), "", "", SQUARES).is_none(), "eight in all");
    tickets.clear();
    assert!(requests.admits(client("10.0.0.1")));
    let of_network = |host| requests.open(client(&format!("fd00:0:0:1::{host}")), "", "", SQUARES);
    tickets.extend((1..9).filter_map(of_network));
    assert_eq!(tickets.len(), 2, "a network of IPv6 addresses is one client");
    assert!(requests.admits(client("fd00:0:0:2::1")));
}

#[tokio::test]
async fn the_policy_decides_who_may_ask() {
    let addresses = ["127.0.0.1", "192.168.1.7", "169.254.3.4", "fd00::1", "fe80::1", "8.8.8.8", "2001:db8::1"];
    for (policy, expected) in [
        (PairingPolicy::Local, [true, true, true, true, true, false, false]),
        (PairingPolicy::All, [true; 7]),
        (PairingPolicy::Off, [false; 7]),
    ] {
        let (requests, _) = requests(policy);
        assert_eq!(addresses.map(|address| requests.admits(client(address))), expected, "{policy:?}");
        assert_eq!(requests.admits(ClientAddress::Unknown), policy == PairingPolicy::All);
    }
}
