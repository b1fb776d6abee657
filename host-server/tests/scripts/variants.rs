//! What is special in the rules of each bundled script, played in the sandbox.

use chess::{Color, Role, Square};
use host_server::scripts::{ScriptAnswer, ScriptMove, Scripts, Status};

use crate::bundled::bundled;
use crate::harness::{Dice, has_python, scripts};

/// Longer than any of these games.
const MAX_MOVES: usize = 600;

/// Seeds of random games that are tried until everything that a test looks for has happened.
const SEEDS: std::ops::Range<u64> = 0..40;

fn script_move(text: &str) -> ScriptMove {
    let square = |text: &str| text.parse().unwrap_or_else(|_| panic!("{text} is not a square"));
    ScriptMove { from: square(&text[..2]), to: square(&text[2..]) }
}

async fn make(scripts: &Scripts, name: &str, state: &ScriptAnswer, played: ScriptMove, next: Color) -> ScriptAnswer {
    assert!(state.possible_moves.contains(&played), "{played:?} is not possible in {state:?}");
    let after = scripts.make_move(bundled(name).text, &state.pieces, played, next, &state.additional_data).await;
    after.unwrap_or_else(|error| panic!("{name}: {played:?} in {state:?}: {error}"))
}

/// Plays these moves from the start. The last move must be the first one that ends the game, if any does.
async fn play(scripts: &Scripts, name: &str, moves: &str) -> ScriptAnswer {
    let mut state = scripts.starting_state(bundled(name).text).await.unwrap();
    let mut turn = Color::White;
    for played in moves.split(' ') {
        assert_eq!(state.status, Status::Running, "{name}: before {played}");
        turn = !turn;
        state = make(scripts, name, &state, script_move(played), turn).await;
    }
    state
}

/// Plays random games until `look` has seen what it looks for. It gets every move with the states before and after it.
async fn until(
    scripts: &Scripts,
    name: &str,
    mut look: impl FnMut(&ScriptAnswer, ScriptMove, Color, &ScriptAnswer) -> bool,
) -> Option<u64> {
    for seed in SEEDS {
        let mut dice = Dice(seed);
        let mut state = scripts.starting_state(bundled(name).text).await.unwrap();
        let mut turn = Color::White;
        for _ in 0..MAX_MOVES {
            if state.status != Status::Running {
                break;
            }
            let played = state.possible_moves[dice.below(state.possible_moves.len())];
            let after = make(scripts, name, &state, played, !turn).await;
            if look(&state, played, turn, &after) {
                return Some(seed);
            }
            (state, turn) = (after, !turn);
        }
    }
    None
}

fn count(state: &ScriptAnswer, color: Color) -> usize {
    state.pieces.iter().filter(|piece| piece.color == color).count()
}

const fn won(color: Color) -> Status {
    match color {
        Color::White => Status::WhiteWon,
        Color::Black => Status::BlackWon,
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn three_check_is_won_with_the_third_check() {
    let scripts = scripts(1);
    if has_python(&scripts).await {
        let last = play(&scripts, "three-check", "e2e4 e7e5 f1c4 a7a6 c4f7 e8f7 d1h5 g7g6 h5g6").await;
        assert_eq!(last.status, Status::WhiteWon);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn king_of_the_hill_is_won_by_a_king_in_the_centre() {
    let scripts = scripts(1);
    if has_python(&scripts).await {
        let last = play(&scripts, "king-of-the-hill", "e2e3 a7a6 e1e2 b7b6 e2d3 c7c6 d3d4").await;
        assert_eq!(last.status, Status::WhiteWon);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn antichess_forces_captures_and_is_won_without_moves() {
    let scripts = scripts(1);
    if !has_python(&scripts).await {
        return;
    }
    let forced = play(&scripts, "antichess", "e2e3 b7b5").await;
    assert_eq!(forced.possible_moves, [script_move("f1b5")]);
    let found = until(&scripts, "antichess", |_, _, turn, after| {
        // The side that is to move and cannot has won.
        after.status == won(!turn) && count(after, !turn) == 0
    });
    assert!(found.await.is_some(), "no game was won by losing all pieces");
}

#[tokio::test(flavor = "multi_thread")]
async fn horde_is_won_by_black_when_all_white_pieces_are_captured() {
    let scripts = scripts(1);
    if !has_python(&scripts).await {
        return;
    }
    let start = scripts.starting_state(bundled("horde").text).await.unwrap();
    assert_eq!((count(&start, Color::White), count(&start, Color::Black)), (36, 16));
    let found = until(&scripts, "horde", |_, _, _, after| {
        let is_captured = count(after, Color::White) == 0;
        assert!(!is_captured || after.status == Status::BlackWon, "{after:?}");
        is_captured
    });
    assert!(found.await.is_some(), "no horde was captured");
}

#[tokio::test(flavor = "multi_thread")]
async fn breakthrough_is_won_on_the_last_row() {
    let scripts = scripts(1);
    if !has_python(&scripts).await {
        return;
    }
    let found = until(&scripts, "breakthrough", |_, played, turn, after| {
        let last = if turn == Color::White { 7 } else { 0 };
        let is_there = played.to.rank().index() == last;
        assert_eq!(after.status == won(turn), is_there || count(after, !turn) == 0, "{after:?}");
        is_there
    });
    assert!(found.await.is_some());
}

#[tokio::test(flavor = "multi_thread")]
async fn checkers_has_forced_series_of_jumps_and_kings() {
    let scripts = scripts(1);
    if !has_python(&scripts).await {
        return;
    }
    let (mut series, mut crowned, mut blocked) = (false, false, false);
    let found = until(&scripts, "checkers", |before, played, turn, after| {
        let taken = count(before, !turn) - count(after, !turn);
        let distance = played.from.rank().index().abs_diff(played.to.rank().index());
        assert!(taken > 0 || distance == 1, "a man moves one square: {played:?}");
        series |= taken > 1;
        let kings = |state: &ScriptAnswer| state.pieces.iter().filter(|piece| piece.role == Role::King).count();
        crowned |= kings(after) > kings(before);
        blocked |= after.status == won(turn) && after.possible_moves.is_empty();
        series && crowned && blocked
    });
    assert!(found.await.is_some(), "series {series}, crowned {crowned}, blocked {blocked}");
}

#[tokio::test(flavor = "multi_thread")]
async fn chess960_castles_by_taking_the_own_rook() {
    let scripts = scripts(1);
    if !has_python(&scripts).await {
        return;
    }
    let at = |state: &ScriptAnswer, square: Square| {
        state.pieces.iter().find(|piece| piece.square == square).map(|piece| (piece.color, piece.role))
    };
    let found = until(&scripts, "chess960", |before, played, turn, after| {
        let is_castling =
            at(before, played.from) == Some((turn, Role::King)) && at(before, played.to) == Some((turn, Role::Rook));
        if is_castling {
            assert_eq!(before.pieces.len(), after.pieces.len());
            let king = after.pieces.iter().find(|piece| (piece.color, piece.role) == (turn, Role::King));
            let file = king.expect("there is a king").square.file().index();
            assert!(file == 2 || file == 6, "the king is on the c-file or on the g-file: {after:?}");
        }
        is_castling
    });
    assert!(found.await.is_some(), "no game had castling");
}
