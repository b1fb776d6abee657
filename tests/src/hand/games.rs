//! Sources of moves.

use std::sync::LazyLock;

use anyhow::{Context, Result, bail};
use chess::{Game, Move, Position, Rank, Role, Square};

use crate::random::Random;

/// A historical game.
#[derive(Clone, Debug)]
pub struct FamousGame {
    /// Players, place and year.
    pub name: String,
    /// Its legal moves.
    pub moves: Vec<Move>,
}

/// The famous games.
///
/// # Panics
///
/// If the data file has an illegal move.
pub static FAMOUS: LazyLock<Vec<FamousGame>> =
    LazyLock::new(|| parse(include_str!("../../data/famous-games.txt")).expect("the famous games are legal"));

/// Reads games: for each a line with its name and a colon, then its moves in SAN until the next empty line.
pub fn parse(text: &str) -> Result<Vec<FamousGame>> {
    let mut games: Vec<FamousGame> = Vec::new();
    let mut position = Position::start();
    for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        if let Some(name) = line.strip_suffix(':') {
            games.push(FamousGame { name: name.to_owned(), moves: Vec::new() });
            position = Position::start();
            continue;
        }
        let Some(game) = games.last_mut() else { bail!("moves without a name: {line}") };
        for san in line.split_whitespace() {
            let place = || format!("{}, move {}: {san}", game.name, game.moves.len() / 2 + 1);
            let mv = position.parse_san(san).with_context(place)?;
            position = position.play(mv).with_context(place)?;
            game.moves.push(mv);
        }
    }
    Ok(games)
}

/// The source of the moves of a game.
#[derive(Clone, Copy, Debug)]
pub enum Source {
    /// Uniformly random legal moves.
    Random,
    /// Random legal moves, with a preference for castling, en passant, promotions and moves that lead to them.
    Rich,
    /// The moves of a historical game.
    Famous(&'static FamousGame),
}

impl Source {
    /// The next move, unless the game is over.
    pub fn next(self, game: &Game, random: &mut Random) -> Option<Move> {
        if game.outcome().is_some() {
            return None;
        }
        let legal = game.position().legal_moves();
        match self {
            Self::Random => Some(random.one_of(&legal)),
            Self::Rich => {
                legal.iter().copied().max_by_key(|mv| interest(game.position(), *mv) + random.within(0..=100))
            }
            Self::Famous(famous) => famous.moves.get(game.moves().len()).copied(),
        }
    }
}

/// The preference for a move that random games lack.
fn interest(position: &Position, mv: Move) -> u64 {
    let is = |role| position.of_role(role).has(mv.from());
    let takes_in_passing = position.victim(mv).is_some_and(|victim| victim != mv.to());
    if position.castling_rook(mv).is_some() || takes_in_passing {
        return 300;
    }
    if mv.promotion().is_some() {
        return 150;
    }
    let rights = |position: &Position| position.castling();
    let next = position.play(mv);
    if next.is_ok_and(|next| next.en_passant().is_some()) {
        return 100;
    }
    let keeps_rights = next.is_ok_and(|next| rights(&next) == rights(position));
    let pawn = if is(Role::Pawn) { 30 } else { 0 };
    // Developing pieces clears the way to castle.
    let minor = is(Role::Bishop) || is(Role::Knight) || is(Role::Queen);
    let at_home = |square: Square| square.rank() == Rank::First || square.rank() == Rank::Eighth;
    let back = at_home(mv.from()) && !at_home(mv.to());
    let develops = if minor && back { 60 } else { 0 };
    pawn + develops + if keeps_rights { 40 } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn famous_games_are_legal() {
        assert!(FAMOUS.len() >= 4);
        for famous in FAMOUS.iter() {
            let mut game = Box::new(Game::new());
            for &mv in &famous.moves {
                game.play(mv).unwrap_or_else(|error| panic!("{}: {mv}: {error}", famous.name));
            }
        }
        let mates = FAMOUS.iter().filter(|famous| {
            let last = famous.moves.iter().try_fold(Position::start(), |position, &mv| position.play(mv));
            last.is_ok_and(|position| position.is_checkmate())
        });
        assert_eq!(mates.count(), 4, "the ones that were played to the end");
    }

    #[test]
    fn rejects_an_illegal_game() {
        let error = parse("Anna against Bernd:\ne4 e5 Ke3\n").expect_err("it is not legal");
        assert_eq!(error.to_string(), "Anna against Bernd, move 2: Ke3");
    }

    #[test]
    fn rich_games_have_rare_moves() {
        let mut random = Random::new(1);
        let (mut castled, mut promoted, mut passed) = (0, 0, 0);
        for _ in 0..20 {
            let mut game = Box::new(Game::new());
            while game.moves().len() < 200
                && let Some(mv) = Source::Rich.next(&game, &mut random)
            {
                castled += u32::from(game.position().castling_rook(mv).is_some());
                passed += u32::from(game.position().victim(mv).is_some_and(|victim| victim != mv.to()));
                promoted += u32::from(mv.promotion().is_some());
                game.play(mv).expect("a legal move");
            }
        }
        assert!(castled > 20 && promoted > 20 && passed > 10, "{castled}, {promoted}, {passed}");
    }
}
