//! Checks the `link` and `handshake` blocks of `docs/protocol.md` against the code.

use wire::link::{Ephemeral, Initiator, MAX_FRAME, MAX_MESSAGE, Message, PairingKey, Responder};

const DOCUMENT: &str = include_str!("../../../docs/protocol.md");

/// The blocks of this mark, each as its lines of names and values.
fn blocks(mark: &str) -> Vec<Vec<(&'static str, &'static str)>> {
    let fence = format!("\n```{mark}\n");
    let blocks = DOCUMENT.split(&fence[..]).skip(1);
    let lines = blocks.map(|rest| rest.split_once("\n```\n").expect("a block that ends").0.lines());
    lines.map(|lines| lines.map(|line| line.split_once(": ").expect(line)).collect()).collect()
}

fn bytes(hex: &str) -> Vec<u8> {
    hex.split(' ').map(|byte| u8::from_str_radix(byte, 16).expect(hex)).collect()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().join(" ")
}

#[test]
fn the_message_examples_match_the_code() {
    let mut count = 0;
    for block in blocks("link") {
        // A block has several examples, each with its bytes on one line or on several.
        for example in block.chunk_by(|_, next| next.0 == "hex") {
            let [(name, text), lines @ ..] = example else { panic!("an example without lines") };
            let bytes: Vec<u8> = lines.iter().flat_map(|(_, hex)| bytes(hex)).collect();
            match *name {
                "message" => {
                    let message = Message::read(&bytes).expect(text);
                    assert_eq!(format!("{message:?}"), *text);
                    let mut buffer = [0; MAX_MESSAGE];
                    let len = message.write(&mut buffer).expect(text);
                    assert_eq!(hex(&buffer[..len]), hex(&bytes), "{text}");
                }
                "refused" => assert_eq!(Message::read(&bytes).expect_err(text).to_string(), *text),
                _ => panic!("no example has this: {name}"),
            }
            count += 1;
        }
    }
    // Fails if a changed fence hides examples from the test.
    assert!(count >= 30, "{count} examples");
}

#[test]
fn the_handshake_example_matches_the_code() {
    let [block] = &blocks("handshake")[..] else { panic!("there is one handshake") };
    let value = |name| block.iter().find(|line| line.0 == name).expect(name).1;
    let key = |name| <[u8; 32]>::try_from(bytes(value(name))).expect(name);

    let pairing = PairingKey::new(key("pairing key"));
    assert_eq!(hex(&pairing.board_id().0), value("board id"));
    let (call, first_frame) = Initiator::new(&pairing, Ephemeral::new(key("ephemeral key of the board")));
    assert_eq!(hex(&first_frame), value("first frame"));
    let first_frame = Responder::read(&first_frame).unwrap();
    let (answer, mut relay) = first_frame.answer(&pairing, Ephemeral::new(key("ephemeral key of the relay"))).unwrap();
    assert_eq!(hex(&answer), value("answer"));
    let mut board = call.answered(&answer).unwrap();

    let mut buffer = [0; MAX_FRAME];
    let spoken = block.iter().skip_while(|line| line.0 != "answer").skip(1).collect::<Vec<_>>();
    for pair in spoken.chunks(3) {
        let [(who, text), ("message", message), ("frame", frame)] = pair else { panic!("{pair:?}") };
        let (from, to) = if *who == "board" { (&mut board, &mut relay) } else { (&mut relay, &mut board) };
        let message = bytes(message);
        let message = Message::read(&message).expect(text);
        assert_eq!(format!("{message:?}"), *text);
        let len = from.send(&message, &mut buffer).unwrap();
        assert_eq!(hex(&buffer[..len]), *frame);
        assert_eq!(to.receive(&mut buffer[..len]), Ok(message));
    }
    assert!(spoken.len() >= 9, "three frames, with both directions among them");
}
