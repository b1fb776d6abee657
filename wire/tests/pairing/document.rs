use chess::Square;
use wire::link::Ephemeral;
use wire::pairing::{BoardOpening, Message, RelayOpening};

use crate::{from_board, from_relay};

const DOCUMENT: &str = include_str!("../../../docs/protocol.md");

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().join(" ")
}

fn bytes<const N: usize>(hex: &str) -> [u8; N] {
    let bytes: Vec<u8> = hex.split(' ').map(|byte| u8::from_str_radix(byte, 16).expect(hex)).collect();
    bytes.try_into().expect(hex)
}

#[test]
fn the_example_matches_the_code() {
    let (_, rest) = DOCUMENT.split_once("\n```pairing\n").expect("an example");
    let (block, _) = rest.split_once("\n```\n").expect("a block that ends");
    let lines: Vec<(&str, &str)> = block.lines().map(|line| line.split_once(": ").expect(line)).collect();
    let value = |name: &str| lines.iter().find(|line| line.0 == name).expect(name).1;

    let (opening, frame) = BoardOpening::new(Ephemeral::new(bytes(value("ephemeral key of the board"))));
    let relay = RelayOpening::read(&frame).unwrap();
    let nonce = bytes(value("nonce of the relay"));
    let (answer, mut relay) = relay.answer(Ephemeral::new(bytes(value("ephemeral key of the relay"))), nonce).unwrap();
    let mut board = opening.answered(&answer).unwrap();
    let board_nonce = bytes(value("nonce of the board"));
    let request = Message::Request { nonce: board_nonce, name: "", software: "tabiya-board 0.1.0" };
    let accepted = Message::Accepted { key: bytes(value("pairing key")), name: "kitchen" };
    let mut found = vec![
        ("opening", hex(&frame)),
        ("answer", hex(&answer)),
        ("request", hex(&from_board(&mut board, &request))),
        ("reveal", hex(&from_relay(&mut relay, &Message::Reveal { nonce }))),
    ];
    let squares = board.squares(&nonce, &board_nonce).unwrap();
    assert_eq!(relay.squares(&board_nonce), squares);
    found.push(("squares", squares.into_iter().map(|square: Square| square.to_string()).collect::<Vec<_>>().join(" ")));
    found.push(("accepted", hex(&from_relay(&mut relay, &accepted))));
    found.push(("received", hex(&from_board(&mut board, &Message::Received))));
    let documented: Vec<_> = found.iter().map(|&(name, _)| (name, value(name).to_owned())).collect();
    assert_eq!(found, documented);
}
