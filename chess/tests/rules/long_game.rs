//! Games that last as long as the rules allow.

use chess::{DrawReason, Game, MAX_PLIES, Move, Outcome, PlayError, Role};

use crate::random_games::new_game;
use crate::script::game;

/// Pseudo-random numbers with a fixed seed.
pub(crate) struct Numbers(pub(crate) u64);

impl Numbers {
    pub(crate) fn next(&mut self) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).expect("31 bits")
    }
}

/// Plays without progress for as long as the seventy-five-move rule lets it, makes one step of progress if it is meant
/// to, and so on. What would end the game at once is only played if there is nothing else.
pub(crate) fn dawdle(numbers: &mut Numbers, makes_progress: bool) -> Box<Game> {
    let mut game = game();
    while game.outcome().is_none() {
        for attempt in 0..40 {
            let mv = dawdling_move(&game, numbers, makes_progress && game.position().halfmoves() == 149);
            game.play(mv).expect("it is legal");
            if game.outcome().is_none() || attempt == 39 {
                break;
            }
            game.take_back();
        }
    }
    game
}

/// A quiet move, or a step of progress: pawns go one square at a time, and nothing is taken while one of them can go.
fn dawdling_move(game: &Game, numbers: &mut Numbers, makes_progress: bool) -> Move {
    let position = game.position();
    let waste = |mv: Move| {
        let is_pawn = position.of_role(Role::Pawn).has(mv.from());
        match (is_pawn, position.is_capture(mv)) {
            (false, false) if makes_progress => 3,
            (false, false) => 0,
            (true, false) if mv.from().index().abs_diff(mv.to().index()) == 8 => 1,
            (true, true) => 2,
            _ => 4,
        }
    };
    let legal = position.legal_moves();
    let least = legal.iter().map(|&mv| waste(mv)).min();
    let moves: Vec<Move> = legal.iter().copied().filter(|&mv| Some(waste(mv)) == least).collect();
    moves[numbers.next() % moves.len()]
}

#[test]
fn a_game_without_pawn_moves_and_captures_ends_by_the_seventy_five_move_rule() {
    for seed in 0..20 {
        let game = dawdle(&mut Numbers(seed), false);
        assert_eq!(game.outcome(), Some(Outcome::Draw(DrawReason::SeventyFiveMoves)), "seed {seed}: {game:?}");
        // A check may have forced a capture, so there may be more moves than those of the counter.
        assert_eq!(game.position().halfmoves(), 150, "seed {seed}: {game:?}");
        assert!(game.moves().len() >= 150, "seed {seed}: {game:?}");
    }
}

#[test]
fn the_longest_games_fit_into_a_fixed_sheet() {
    let mut game = dawdle(&mut Numbers(7), true);
    let plies = game.moves().len();
    assert!((4000..=MAX_PLIES).contains(&plies), "{plies} plies");
    let outcome = game.outcome().expect("it is over");
    assert_eq!(game.play(game.moves()[0]), Err(PlayError::Over(outcome)));

    // It is the game that its moves make, also after the last of them has been taken back and played again.
    let moves = game.moves().to_vec();
    let mut replayed = new_game(*game.start());
    for (ply, &mv) in moves.iter().enumerate() {
        assert_eq!(replayed.outcome(), None, "at ply {ply}");
        replayed.play(mv).unwrap_or_else(|error| panic!("ply {ply}: {error}"));
    }
    assert_eq!(replayed, game);
    let last = game.take_back().expect("there are thousands");
    assert_eq!(game.moves(), &moves[..plies - 1]);
    game.play(last).expect("it was legal");
    assert_eq!(replayed, game);
    // The number of the move counts them all.
    assert_eq!(usize::from(game.position().fullmoves()), plies / 2 + 1);
}
