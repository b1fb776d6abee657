//! Checks the `setup` blocks of `docs/protocol.md` against the code.

use rules::genome::Setup;
use wire::setup::{SetupReader, write_setup};

const DOCUMENT: &str = include_str!("../../docs/protocol.md");

#[test]
fn the_examples_match_the_code() {
    let mut examples = 0;
    for rest in DOCUMENT.split("\n```setup\n").skip(1) {
        let (block, _) = rest.split_once("\n```\n").expect("a block that ends");
        let value = |key: &'static str| block.lines().filter_map(move |line| line.strip_prefix(key)).map(str::trim);
        let setup: Setup = value("setup:").next().expect("a setup").parse().expect("a valid one");
        let hex = value("hex:").flat_map(|line| line.split(' '));
        let bytes: Vec<u8> = hex.map(|byte| u8::from_str_radix(byte, 16).expect("hex")).collect();
        assert_eq!(write_setup(&setup).as_slice(), bytes);
        let mut reader = SetupReader::default();
        let read = bytes.iter().map(|&byte| reader.push(byte).expect("valid"));
        assert_eq!(read.last().flatten(), Some(setup));
        examples += 1;
    }
    // Fails if a changed fence hides examples from the test.
    assert!(examples >= 1);
}
