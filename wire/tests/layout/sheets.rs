//! What a game is written down on makes no difference to its bytes, as long as there is room.

use chess::{Game, Move, Scoresheet, SheetFull};
use proptest::prelude::*;
use wire::layout::{self, DecodeError, Reason};

use super::{any_game, encode, game};

/// A sheet with room for so many plies.
#[derive(Debug)]
struct Paper {
    moves: Vec<Move>,
    room: usize,
}

impl Scoresheet for Paper {
    fn moves(&self) -> &[Move] {
        &self.moves
    }

    fn write(&mut self, mv: Move) -> Result<(), SheetFull> {
        if self.moves.len() >= self.room {
            return Err(SheetFull);
        }
        self.moves.push(mv);
        Ok(())
    }

    fn truncate(&mut self, plies: usize) {
        self.moves.truncate(plies);
    }
}

fn on_paper(room: usize) -> Game<Paper> {
    Game::on(Paper { moves: Vec::new(), room })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(50))]

    #[test]
    fn bytes_are_the_same_from_any_sheet(game in any_game(200)) {
        let bytes = encode(&game);
        let mut copy = on_paper(game.moves().len());
        prop_assert!(layout::decode(&bytes, &mut copy).is_ok());
        prop_assert_eq!(&copy, &*game);
        let mut written = vec![0; bytes.len()];
        prop_assert_eq!(layout::encode(&copy, &mut written), Ok(bytes.len()));
        prop_assert_eq!(written, bytes);
    }
}

#[test]
fn a_game_for_which_there_is_no_room_is_refused() {
    let bytes = encode(&game("e2e4 e7e5 g1f3"));
    let mut small = on_paper(2);
    let refused = layout::decode(&bytes, &mut small).map(|_| ());
    let error = DecodeError { offset: layout::MIN_LEN + 4, reason: Reason::TooLong };
    assert_eq!(refused, Err(error));
    assert_eq!(error.to_string(), "byte 73: the game has no room for this move");
    assert_eq!(small, Game::new(), "what is refused leaves nothing behind");
}
