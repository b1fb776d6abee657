//! Checks the `state` blocks of `docs/protocol.md` against the code.

use chess::Game;
use wire::layout;

const DOCUMENT: &str = include_str!("../../docs/protocol.md");

/// One block of the document. Its bytes may take several lines.
#[derive(Default)]
struct Example {
    moves: Option<String>,
    fen: Option<String>,
    bytes: Vec<u8>,
    refused: Option<String>,
}

fn examples() -> Vec<Example> {
    let blocks = DOCUMENT.split("\n```state\n").skip(1);
    blocks
        .map(|rest| {
            let (block, _) = rest.split_once("\n```\n").expect("a block that ends");
            let mut example = Example::default();
            for line in block.lines() {
                let (key, value) = line.split_once(':').expect(line);
                let value = value.trim();
                match key {
                    "moves" => example.moves = Some(value.to_owned()),
                    "fen" => example.fen = Some(value.to_owned()),
                    "hex" => {
                        example.bytes.extend(value.split(' ').map(|byte| u8::from_str_radix(byte, 16).expect(line)));
                    }
                    "refused" => example.refused = Some(value.to_owned()),
                    _ => panic!("no example has this: {line}"),
                }
            }
            example
        })
        .collect()
}

#[test]
fn the_examples_match_the_code() {
    let (mut accepted, mut refused) = (0, 0);
    for example in examples() {
        let mut read = Box::new(Game::new());
        let result = layout::decode(&example.bytes, &mut read).map(|_| ());
        if let Some(sentence) = example.refused {
            assert_eq!(result.map_err(|error| error.to_string()), Err(sentence));
            refused += 1;
            continue;
        }
        let fen = example.fen.expect("an example that is not refused has a position");
        let mut game = Box::new(Game::new());
        match example.moves {
            Some(moves) => moves.split_whitespace().for_each(|text| game.play(text.parse().expect(text)).expect(text)),
            None => game.restart(fen.parse().expect("a position")),
        }
        assert_eq!(game.position().fen().to_string(), fen);
        assert_eq!(result, Ok(()), "{fen}");
        assert_eq!(*read, *game, "{fen}");
        let mut buffer = vec![0; layout::MAX_LEN];
        let len = layout::encode(&game, &mut buffer).expect(&fen);
        assert_eq!(buffer[..len], example.bytes, "{fen}");
        accepted += 1;
    }
    // Fails if a changed fence hides examples from the test.
    assert!(accepted >= 5 && refused >= 2);
}
