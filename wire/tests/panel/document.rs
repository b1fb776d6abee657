use wire::panel::PanelFrame;

use crate::read;

const DOCUMENT: &str = include_str!("../../../docs/protocol.md");

#[test]
fn the_examples_are_true() {
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
    // A change of the fences must not make the test pass for want of examples.
    assert!(count >= 2);
}
