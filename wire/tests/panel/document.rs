use wire::panel::PanelFrame;

use crate::read;

const DOCUMENT: &str = include_str!("../../../docs/protocol.md");

#[test]
fn the_examples_match_the_code() {
    let mut count = 0;
    for rest in DOCUMENT.split("\n```panel\n").skip(1) {
        let (block, _) = rest.split_once("\n```\n").expect("a block that ends");
        for line in block.lines() {
            let bytes: Vec<u8> =
                line.split(' ').map(|byte| u8::from_str_radix(byte, 16).expect("two digits")).collect();
            let messages = read(&bytes);
            assert_eq!(messages.len(), 1, "{line}");
            assert_eq!(*PanelFrame::from(&messages[0]), *bytes, "{line}");
            count += 1;
        }
    }
    // Fails if a changed fence hides examples from the test.
    assert!(count >= 2);
}
