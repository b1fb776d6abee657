//! A game is the same on every kind of scoresheet, as long as there is room.

use chess::{Color, FixedSheet, Game, MAX_PLIES, Move, Outcome, PlayError, Position, Scoresheet, SheetFull, WinReason};

use crate::random_games::{check, random_games};
use crate::script::{game, mv, play};

/// Paper without an end.
#[derive(Clone, Default)]
struct Roll(Vec<Move>);

impl Scoresheet for Roll {
    fn moves(&self) -> &[Move] {
        &self.0
    }

    fn write(&mut self, mv: Move) -> Result<(), SheetFull> {
        self.0.push(mv);
        Ok(())
    }

    fn truncate(&mut self, plies: usize) {
        self.0.truncate(plies);
    }
}

/// Paper with room for four plies.
#[derive(Clone, Default)]
struct Slip(Roll);

impl Scoresheet for Slip {
    fn moves(&self) -> &[Move] {
        self.0.moves()
    }

    fn write(&mut self, mv: Move) -> Result<(), SheetFull> {
        if self.moves().len() < 4 { self.0.write(mv) } else { Err(SheetFull) }
    }

    fn truncate(&mut self, plies: usize) {
        self.0.truncate(plies);
    }
}

#[test]
fn games_on_different_scoresheets_are_equal() {
    check(200, &random_games(200), |random_game| {
        let mut rolled = Game::on(Roll::default());
        rolled.restart(random_game.start);
        let mut game = random_game.play(|game, mv| {
            assert_eq!(rolled, *game);
            assert_eq!(*game, rolled);
            if let Some(mv) = mv {
                assert_eq!(rolled.play(mv), Ok(()));
            }
        });
        assert_eq!(format!("{rolled:?}"), format!("{game:?}"));
        assert_eq!(rolled.clone(), rolled);
        while let Some(mv) = game.take_back() {
            assert_eq!(rolled.take_back(), Some(mv));
            assert_eq!(rolled, *game);
        }
        assert_eq!(rolled.take_back(), None);
    });
}

#[test]
fn games_with_different_moves_differ() {
    let mut rolled = Game::on(Roll::default());
    assert_eq!(rolled, Game::default());
    rolled.play(mv("e2e4")).expect("it is legal");
    assert_ne!(rolled, Game::default());
    rolled.restart(Position::start());
    assert_eq!(rolled, Game::default());
}

#[test]
fn a_full_scoresheet_rejects_a_move_without_a_change() {
    let mut slip = Game::on(Slip::default());
    for text in ["g1f3", "g8f6", "f3g1", "f6g8"] {
        assert_eq!(slip.play(mv(text)), Ok(()));
    }
    let full = slip.clone();
    assert_eq!(slip.play(mv("g1f3")), Err(PlayError::Full));
    assert_eq!(PlayError::Full.to_string(), "the scoresheet is full");
    // A move that cannot be played in any case is refused for that.
    assert!(matches!(slip.play(mv("g1g3")), Err(PlayError::Illegal(_))));
    assert_eq!(slip, full);
    assert_eq!((slip.moves().len(), slip.repetitions(), slip.outcome()), (4, 2, None));

    // What is taken back makes room.
    assert_eq!(slip.take_back(), Some(mv("f6g8")));
    assert_eq!(slip.play(mv("e7e5")), Ok(()));
    assert_eq!(slip.play(mv("g1f3")), Err(PlayError::Full));
    slip.restart(Position::start());
    assert_eq!(slip.play(mv("g1f3")), Ok(()));
}

#[test]
fn the_last_move_that_fits_can_end_the_game() {
    let mut slip = Game::on(Slip::default());
    for text in ["f2f3", "e7e5", "g2g4", "d8h4"] {
        assert_eq!(slip.play(mv(text)), Ok(()));
    }
    let mate = Outcome::Win { winner: Color::Black, by: WinReason::Checkmate };
    assert_eq!(slip.outcome(), Some(mate));
    assert_eq!(slip.play(mv("e2e4")), Err(PlayError::Over(mate)));
}

#[test]
fn a_game_starts_with_an_empty_scoresheet() {
    let mut used = game();
    play(&mut used, "e2e4 e7e5");
    let begun = Game::on(Roll(used.moves().to_vec()));
    assert_eq!(begun, Game::new());
    assert!(begun.moves().is_empty());
}

#[test]
fn a_fixed_scoresheet_fits_the_longest_game_exactly() {
    let mut sheet = Box::new(FixedSheet::new());
    for ply in 0..MAX_PLIES {
        assert_eq!(sheet.moves().len(), ply);
        assert_eq!(sheet.write(mv("e2e4")), Ok(()));
    }
    assert_eq!(sheet.write(mv("d2d4")), Err(SheetFull));
    assert!(sheet.moves().len() == MAX_PLIES && sheet.moves().iter().all(|&written| written == mv("e2e4")));

    for beyond in [MAX_PLIES, 1 << 16, usize::MAX] {
        sheet.truncate(beyond);
        assert_eq!(sheet.moves().len(), MAX_PLIES);
    }
    sheet.truncate(1);
    assert_eq!(sheet.write(mv("e7e5")), Ok(()));
    assert_eq!(sheet.moves(), [mv("e2e4"), mv("e7e5")]);
    sheet.truncate(0);
    assert_eq!(sheet.moves(), []);
}

#[test]
fn a_game_is_smaller_than_its_scoresheet() {
    assert_eq!(size_of::<Game>(), 38_504);
    assert!(size_of::<Game<Roll>>() < 3200, "{} bytes", size_of::<Game<Roll>>());
}
