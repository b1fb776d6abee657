//! The encoding does not depend on the [`Scoresheet`] implementation.

use chess::{Game, Move, Scoresheet, SheetFull};
use proptest::prelude::*;
use wire::layout::{self, DecodeError, DecodeErrorKind};

use super::{any_game, encode, game};

/// A scoresheet with a capacity in plies.
#[derive(Debug)]
struct VecSheet {
    moves: Vec<Move>,
    capacity: usize,
}

impl Scoresheet for VecSheet {
    fn moves(&self) -> &[Move] {
        &self.moves
    }

    fn write(&mut self, mv: Move) -> Result<(), SheetFull> {
        if self.moves.len() >= self.capacity {
            return Err(SheetFull);
        }
        self.moves.push(mv);
        Ok(())
    }

    fn truncate(&mut self, plies: usize) {
        self.moves.truncate(plies);
    }
}

fn with_capacity(capacity: usize) -> Game<VecSheet> {
    Game::on(VecSheet { moves: Vec::new(), capacity })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(50))]

    #[test]
    fn the_encoding_is_the_same_for_any_scoresheet(game in any_game(200)) {
        let bytes = encode(&game);
        let mut copy = with_capacity(game.moves().len());
        prop_assert!(layout::decode(&bytes, &mut copy).is_ok());
        prop_assert_eq!(&copy, &*game);
        let mut written = vec![0; bytes.len()];
        prop_assert_eq!(layout::encode(&copy, &mut written), Ok(bytes.len()));
        prop_assert_eq!(written, bytes);
    }
}

#[test]
fn rejects_a_game_that_is_longer_than_the_scoresheet() {
    let bytes = encode(&game("e2e4 e7e5 g1f3"));
    let mut small = with_capacity(2);
    let result = layout::decode(&bytes, &mut small).map(|_| ());
    let error = DecodeError { offset: layout::MIN_LEN + 4, kind: DecodeErrorKind::TooLong };
    assert_eq!(result, Err(error));
    assert_eq!(error.to_string(), "byte 73: the game has no room for this move");
    assert_eq!(small, Game::new(), "an error leaves a new game");
}
