use rules::AnyPosition;
use rules::told::Position;
use wire::turn::{TurnReader, write_turn};

/// Reads the bytes as the turn of a told game, as a board does. What is read is written in the same bytes and as text, and every ply of it can be
/// played.
pub fn turn(data: &[u8]) {
    let mut reader = TurnReader::default();
    for (at, &byte) in data.iter().enumerate() {
        match reader.push(byte) {
            Ok(None) => {}
            Ok(Some(turn)) => {
                assert_eq!(write_turn(&turn).as_slice(), &data[..=at]);
                return play(&turn);
            }
            Err(error) => return assert!(!error.to_string().is_empty()),
        }
    }
}

fn play(turn: &Position) {
    assert_eq!(turn.to_string().parse::<Position>().expect("what was written can be read"), *turn);
    let here = AnyPosition::Told(*turn);
    assert_eq!(*here.situation().plies(), *turn.told_plies());
    for &ply in turn.told_plies() {
        let footprint = here.situation().footprint(ply).expect("a listed ply has a footprint");
        let occupied = here.situation().occupied().without(footprint.lifts | footprint.captured) | footprint.places;
        assert_eq!(footprint.after, occupied);
        let Some(next) = here.after(ply) else {
            assert!(turn.verdict().is_some());
            continue;
        };
        assert_eq!(next.situation().occupied(), footprint.after);
        assert!(next.situation().plies().is_empty(), "the next turn is awaited");
    }
}
