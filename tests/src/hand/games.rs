//! Which moves hands make.

use std::sync::LazyLock;

use anyhow::{Context, Result, bail};
use chess::{Game, Move, Position, Rank, Role, Square};

use super::chance::Chance;

/// A game that was really played.
#[derive(Clone, Debug)]
pub struct Famous {
    /// Who played it, where and when.
    pub name: String,
    /// Its moves, each of them legal.
    pub moves: Vec<Move>,
}

/// The famous games.
///
/// # Panics
///
/// If the file that they are in is not what it should be.
pub static FAMOUS: LazyLock<Vec<Famous>> =
    LazyLock::new(|| parse(include_str!("../../data/famous-games.txt")).expect("the famous games are legal"));

/// Reads games: for each a line with its name and a colon, then its moves in SAN until the next empty line.
pub fn parse(text: &str) -> Result<Vec<Famous>> {
    let mut games: Vec<Famous> = Vec::new();
    let mut position = Position::start();
    for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        if let Some(name) = line.strip_suffix(':') {
            games.push(Famous { name: name.to_owned(), moves: Vec::new() });
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

/// Where the moves of a game come from.
#[derive(Clone, Copy, Debug)]
pub enum Source {
    /// Any legal move.
    Random,
    /// Any legal move, but rather one that castles, takes in passing, promotes, or leads there.
    Rich,
    /// A game that was played before.
    Famous(&'static Famous),
}

impl Source {
    /// The next move, unless the game is over.
    pub fn next(self, game: &Game, chance: &mut Chance) -> Option<Move> {
        if game.outcome().is_some() {
            return None;
        }
        let legal = game.position().legal_moves();
        match self {
            Self::Random => Some(chance.one_of(&legal)),
            Self::Rich => {
                legal.iter().copied().max_by_key(|mv| interest(game.position(), *mv) + chance.within(0..=100))
            }
            Self::Famous(famous) => famous.moves.get(game.moves().len()).copied(),
        }
    }
}

/// How much a move has of what random games lack.
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
    // Pieces between king and rook make room.
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
    fn the_famous_games_are_legal_to_the_end() {
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
    fn a_game_that_is_not_legal_is_refused() {
        let error = parse("Somebody against nobody:\ne4 e5 Ke3\n").expect_err("it is not legal");
        assert_eq!(error.to_string(), "Somebody against nobody, move 2: Ke3");
    }

    #[test]
    fn rich_games_castle_and_promote_and_take_in_passing() {
        let mut chance = Chance::new(1);
        let (mut castled, mut promoted, mut passed) = (0, 0, 0);
        for _ in 0..20 {
            let mut game = Box::new(Game::new());
            while game.moves().len() < 200
                && let Some(mv) = Source::Rich.next(&game, &mut chance)
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
