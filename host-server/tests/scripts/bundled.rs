//! The scripts that come with a relay, played in the sandbox.

use chess::{Color, Game, Move, Outcome, Piece, Promotion, Role, Square};
use host_server::scripts::{BUNDLED, Bundled, ScriptAnswer, ScriptError, ScriptMove, Scripts, Status};
use tokio::task::JoinSet;

use crate::harness::{Dice, has_python, scripts};

/// The relay ends a game as a draw then.
const MAX_MOVES: usize = 200;

/// How often a call is made that misses its deadline.
const MAX_TRIES: usize = 5;

pub(crate) fn bundled(name: &str) -> &'static Bundled {
    BUNDLED.iter().find(|script| script.name == name).unwrap_or_else(|| panic!("there is no {name}"))
}

/// Makes a move in the sandbox. On a machine with other load a call may miss its deadline, which other tests check: it is repeated.
async fn make_move(
    scripts: &Scripts,
    text: &str,
    state: &ScriptAnswer,
    played: ScriptMove,
    turn: Color,
) -> Result<ScriptAnswer, ScriptError> {
    let mut tries = 0;
    loop {
        let answer = scripts.make_move(text, &state.pieces, played, turn, &state.additional_data).await;
        tries += 1;
        if tries == MAX_TRIES || !matches!(answer, Err(ScriptError::Timeout { .. } | ScriptError::Busy)) {
            return answer;
        }
    }
}

/// Plays from a state to the end, or to the limit of moves. Returns the number of moves and the last state.
async fn play_on(scripts: &Scripts, text: &str, dice: &mut Dice) -> (usize, ScriptAnswer) {
    let mut state = scripts.starting_state(text).await.unwrap();
    let mut turn = Color::White;
    for number in 0..MAX_MOVES {
        if state.status != Status::Running {
            return (number, state);
        }
        let played = state.possible_moves[dice.below(state.possible_moves.len())];
        turn = !turn;
        let after = make_move(scripts, text, &state, played, turn).await;
        state = after.unwrap_or_else(|error| panic!("{played:?} after {number} moves: {error}\n{state:?}"));
    }
    (MAX_MOVES, state)
}

#[tokio::test(flavor = "multi_thread")]
async fn every_bundled_script_is_played_through() {
    let scripts = scripts(2);
    if !has_python(&scripts).await {
        return;
    }
    for script in BUNDLED {
        let mut dice = Dice(7);
        let (moves, last) = play_on(&scripts, script.text, &mut dice).await;
        println!("{}: {moves} moves, {}", script.title, last.status.text());
        assert!(moves > 10, "{}", script.title);
    }
}

/// Games that are compared at the same time.
const PROCESSES: usize = 2;

/// Number of games in which the script of chess is compared with the crate `chess`. `cargo xtask bench scripts` compares a thousand.
fn games() -> usize {
    std::env::var("TABIYA_SCRIPT_GAMES").ok().and_then(|games| games.parse().ok()).unwrap_or(4)
}

#[tokio::test(flavor = "multi_thread")]
async fn the_script_of_chess_agrees_with_the_rules_of_chess() {
    let scripts = scripts(PROCESSES);
    if !has_python(&scripts).await {
        return;
    }
    let mut special = [0; 3];
    let mut running = JoinSet::new();
    for seed in 0..games() {
        let scripts = scripts.clone();
        running.spawn(async move { compare(&scripts, seed as u64).await });
        if running.len() == PROCESSES || seed + 1 == games() {
            while let Some(found) = running.join_next().await {
                let found = found.unwrap_or_else(|error| panic!("{error}"));
                special.iter_mut().zip(found).for_each(|(sum, found)| *sum += found);
            }
        }
    }
    let [castled, en_passant, promoted] = special;
    println!("{} games: castled {castled}, en passant {en_passant}, promoted {promoted}", games());
    assert!(castled > 0 && en_passant > 0 && promoted > 0, "a kind of move was not played");
}

/// Plays a random game by both. Returns how often each special kind of move was played.
async fn compare(scripts: &Scripts, seed: u64) -> [usize; 3] {
    let text = bundled("chess").text;
    let mut dice = Dice(seed);
    let mut game = Box::new(Game::new());
    let mut state = scripts.starting_state(text).await.unwrap();
    let mut special = [0; 3];
    for _ in 0..MAX_MOVES {
        let expected = match game.outcome() {
            None => Status::Running,
            Some(outcome) => match outcome.winner() {
                Some(Color::White) => Status::WhiteWon,
                Some(Color::Black) => Status::BlackWon,
                None => Status::Draw,
            },
        };
        let moves: Vec<Move> = game.moves().to_vec();
        assert_eq!(state.status, expected, "seed {seed} after {moves:?}");
        if expected != Status::Running {
            assert!(game.outcome().is_some_and(Outcome::is_automatic));
            break;
        }
        let legal = game.position().legal_moves();
        let mut listed: Vec<ScriptMove> = legal.iter().map(|played| in_script(*played)).collect();
        let mut possible = state.possible_moves.clone();
        listed.sort_unstable();
        possible.sort_unstable();
        assert_eq!(possible, listed, "seed {seed} after {moves:?}");
        let kind_of = |played: Move| kind(&game, played);
        let kinds: Vec<Move> = legal.iter().copied().filter(|played| kind_of(*played).is_some()).collect();
        // Half of the special moves are played when they are possible, since random ones are rare.
        let played = if !kinds.is_empty() && dice.below(2) == 0 {
            kinds[dice.below(kinds.len())]
        } else {
            legal[dice.below(legal.len())]
        };
        if let Some(kind) = kind_of(played) {
            special[kind] += 1;
        }
        game.play(played).unwrap();
        let turn = game.position().turn();
        let answer = make_move(scripts, text, &state, in_script(played), turn).await;
        state = answer.unwrap_or_else(|error| panic!("seed {seed} after {moves:?} and {played:?}: {error}"));
        for square in Square::all() {
            let piece = state.pieces.iter().find(|piece| piece.square == square).map(|piece| (piece.color, piece.role));
            let expected = game.position().piece_at(square).map(|piece| (piece.color(), piece.role()));
            assert_eq!(piece, expected, "seed {seed}: {square} after {moves:?} and {played:?}");
        }
    }
    special
}

/// 0 for castling, 1 for en passant, 2 for a promotion.
fn kind(game: &Game, played: Move) -> Option<usize> {
    let role = game.position().piece_at(played.from()).map(Piece::role)?;
    let columns = played.from().file().index().abs_diff(played.to().file().index());
    match role {
        Role::King if columns > 1 => Some(0),
        Role::Pawn if columns == 1 && game.position().piece_at(played.to()).is_none() => Some(1),
        Role::Pawn if played.promotion().is_some() => Some(2),
        _ => None,
    }
}

/// The two squares of a move in the script: those of a promotion say which piece it is.
fn in_script(played: Move) -> ScriptMove {
    let back = match played.promotion().map(Promotion::role) {
        None | Some(Role::Queen) => 0,
        Some(Role::Knight) => 2,
        Some(Role::Rook) => 3,
        Some(_) => 4,
    };
    let end = played.to().index();
    let to = if end >= 56 { end - 8 * back } else { end + 8 * back };
    ScriptMove { from: played.from(), to: Square::from_index(to) }
}
