//! Checks the `turn` blocks of `docs/protocol.md` against the code.

use rules::told::Position;
use wire::turn::{TurnReader, write_turn};

const DOCUMENT: &str = include_str!("../../docs/protocol.md");

#[test]
fn the_examples_match_the_code() {
    let mut examples = 0;
    for rest in DOCUMENT.split("\n```turn\n").skip(1) {
        let (block, _) = rest.split_once("\n```\n").expect("a block that ends");
        let values = |key: &'static str| block.lines().filter_map(move |line| line.strip_prefix(key)).map(str::trim);
        let text = values("turn:").collect::<Vec<_>>().join(" ");
        let turn: Position = text.parse().expect("a valid turn");
        let hex = values("hex:").flat_map(|line| line.split(' '));
        let bytes: Vec<u8> = hex.map(|byte| u8::from_str_radix(byte, 16).expect("hex")).collect();
        assert_eq!(write_turn(&turn).as_slice(), bytes);
        let mut reader = TurnReader::default();
        let read = bytes.iter().map(|&byte| reader.push(byte).expect("valid"));
        assert_eq!(read.last().flatten(), Some(turn));
        examples += 1;
    }
    // Fails if a changed fence hides examples from the test.
    assert!(examples >= 1);
}
