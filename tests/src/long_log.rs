//! The longest logs that a relay may have to load: games of thousands of plies, with takebacks.

use chess::{Game, MAX_PLIES, Move, Position, Role};
use host_server::room::{Ability, Code, Entry, Fact, GameId, Player, RelayId, RoomId, Terms, Time, TokenHash};
use rules::{Ply, Start};

use crate::random::Random;

/// A start position whose pawns can all pass each other, for games of nearly [`MAX_PLIES`] plies.
const START: &str = "rnbqkbnr/4pppp/4pppp/8/8/PPPP4/PPPP4/RNBQKBNR w KQkq - 0 1";

/// A position from which games of nearly [`MAX_PLIES`] plies are possible.
///
/// # Panics
///
/// Never: the position is valid.
#[must_use]
pub fn long_start() -> Position {
    START.parse().expect("it is a position")
}

/// Moves of a long game from a position: without progress for as long as the seventy-five-move rule allows it, then one pawn
/// move or capture, and so on.
#[must_use]
pub fn long_game(start: Position, seed: u64) -> Vec<Move> {
    let mut random = Random::new(seed);
    let mut game = Box::new(Game::new());
    game.restart(start);
    while game.outcome().is_none() && game.moves().len() < MAX_PLIES {
        for attempt in 0..40 {
            let mv = choose(&game, &mut random);
            if game.play(mv).is_err() {
                return game.moves().to_vec();
            }
            if game.outcome().is_none() || attempt == 39 {
                break;
            }
            game.take_back();
        }
    }
    game.moves().to_vec()
}

fn choose(game: &Game, random: &mut Random) -> Move {
    let position = game.position();
    let is_due = position.halfmoves() >= 148;
    let rank = |mv: Move| {
        let is_pawn = position.of_role(Role::Pawn).has(mv.from());
        let is_single_step = mv.from().index().abs_diff(mv.to().index()) == 8;
        match (is_pawn, position.is_capture(mv)) {
            (false, false) if is_due => 3,
            (false, false) => 0,
            (true, false) if is_single_step => 1,
            (false, true) => 2,
            _ => 4,
        }
    };
    let legal = position.legal_moves();
    let least = legal.iter().map(|&mv| rank(mv)).min();
    let moves: Vec<Move> = legal.iter().copied().filter(|&mv| Some(rank(mv)) == least).collect();
    moves[random.number() as usize % moves.len()]
}

/// The log of a room with one long game, after `padding` other entries, with `takebacks` at its end. `is_closed` closes the room.
///
/// # Panics
///
/// Never: the names are valid, and a long game has more than 255 plies.
#[must_use]
pub fn long_log(room: RoomId, code: &Code, padding: usize, takebacks: usize, is_closed: bool) -> Vec<Entry> {
    let start = long_start();
    let moves = long_game(start, 7);
    let terms = Terms { start: Some(Start::Chess(start).into()), ..Terms::default() };
    let mut facts = vec![Fact::Opened { room, code: code.clone(), terms, on: 0 }];
    for (color, name) in chess::Color::ALL.into_iter().zip(["ann", "bob"]) {
        let id = format!("{name:_<12}").parse().expect("it is an id");
        let player = Player {
            id,
            name: name.parse().expect("it is a name"),
            token: TokenHash::of(name),
            ability: Ability::Documented,
        };
        facts.push(Fact::Sat { color, player });
        facts.push(Fact::Connected { color, relay: RelayId(1) });
    }
    facts.extend((0..padding).map(|number| Fact::Hints { color: chess::Color::White, on: number % 2 == 0 }));
    facts.push(Fact::Began { game: GameId(1), swapped: false, start: None });
    let played = |mv: &Move| Fact::Moved { ply: Ply::of_move(*mv), took: 0, ruling: None };
    // The last ply may end the game, so it is left out.
    let kept = &moves[..moves.len() - 1];
    facts.extend(kept.iter().map(played));
    for _ in 0..takebacks {
        facts.push(Fact::TakenBack { plies: 255, took: 0 });
        facts.extend(kept[kept.len() - 255..].iter().map(played));
    }
    if is_closed {
        facts.push(Fact::Closed);
    }
    let entry = |(number, fact)| Entry { at: Time(number), write_id: number, from: None, fact };
    (0..).zip(facts).map(entry).collect()
}
