//! The longest logs that a relay may have to load: games of thousands of plies, with takebacks.

use std::iter;
use std::sync::{Arc, LazyLock};

use chess::{Color, Game, MAX_PLIES, Move, Piece, Position, Role};
use host_server::room::{
    Ability, Act, Code, Command, Entry, Fact, GameId, Participant, Player, RelayId, Room, RoomId, SideChoice, Stamp,
    Terms, Time, TokenHash,
};
use rules::{Ply, Start};

use crate::random::Random;

/// A start position whose pawns can all pass each other, for games of up to [`MAX_PLIES`] plies.
const START: &str = "rnbqkbnr/4pppp/4pppp/8/8/PPPP4/PPPP4/RNBQKBNR w KQkq - 0 1";

/// A position from which games of [`MAX_PLIES`] plies are possible.
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

/// Which side makes the progress of a part of the longest game.
#[derive(Clone, Copy)]
struct Part {
    side: Color,
    /// How many pawn moves and captures, in this order. Each resets the count of the seventy-five-move rule.
    pawn_moves: usize,
    captures: usize,
}

/// The longest game begins with [`START`]. Each of its 118 pawn moves and captures is the last possible ply before the seventy-five-move rule ends
/// the game, and the side that makes them changes three times, which costs a ply each.
const PARTS: [Part; 4] = [
    Part { side: Color::Black, pawn_moves: 44, captures: 0 },
    Part { side: Color::White, pawn_moves: 44, captures: 14 },
    Part { side: Color::Black, pawn_moves: 0, captures: 15 },
    Part { side: Color::White, pawn_moves: 0, captures: 1 },
];

/// Plies without progress, after which the seventy-five-move rule ends a game.
const WITHOUT_PROGRESS: u8 = 150;

/// A game of [`MAX_PLIES`] plies from [`long_start`], which ends with the last of them.
#[must_use]
pub fn longest_game() -> &'static [Move] {
    static MOVES: LazyLock<Vec<Move>> = LazyLock::new(|| {
        let progress = PARTS.iter().flat_map(|part| {
            let pawn_moves = iter::repeat_n((part.side, Kind::PawnMove), part.pawn_moves);
            pawn_moves.chain(iter::repeat_n((part.side, Kind::Capture), part.captures))
        });
        play(&progress.collect::<Vec<_>>())
    });
    &MOVES
}

/// Plays quiet moves for as long as possible, then the next progress, and so on. What cannot go on is taken back, further with every failure.
fn play(progress: &[(Color, Kind)]) -> Vec<Move> {
    let mut random = Random::new(1);
    let mut game = Box::new(Game::new());
    game.restart(long_start());
    // The number of plies before each progress.
    let mut made: Vec<usize> = Vec::new();
    let (mut failures, mut furthest) = (0, 0);
    while let Some(&(side, kind)) = progress.get(made.len()) {
        let position = game.position();
        let left = WITHOUT_PROGRESS - position.halfmoves();
        // The last of them may be a ply of the other side.
        let is_due = position.turn() == side && left <= 2;
        let kind = if is_due { kind } else { Kind::Quiet };
        let legal = position.legal_moves();
        let fitting = legal.iter().filter(|&&mv| kind_of(position, mv) == Some(kind));
        // Shortly before a capture any move may be the one that allows it.
        let ranked: Vec<(u8, Move)> = fitting.map(|&mv| (rank(position, mv, left > 3 || is_due), mv)).collect();
        let least = ranked.iter().map(|&(rank, _)| rank).min();
        let best: Vec<Move> = ranked.into_iter().filter(|&(rank, _)| Some(rank) == least).map(|(_, mv)| mv).collect();
        let chosen = (!best.is_empty()).then(|| best[random.number() as usize % best.len()]);
        let is_played = chosen.is_some_and(|mv| game.play(mv).is_ok());
        if is_played && is_due {
            made.push(game.moves().len() - 1);
        }
        if is_played && (game.outcome().is_none() || made.len() == progress.len()) {
            if made.len() > furthest {
                (failures, furthest) = (0, made.len());
            }
            continue;
        }
        failures += 1;
        for _ in 0..random.within(1..=1 + failures) {
            game.take_back();
        }
        made.retain(|&plies| plies < game.moves().len());
    }
    game.moves().to_vec()
}

/// The kind of a ply in the longest game.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Quiet,
    PawnMove,
    Capture,
}

/// `None` for the pawn moves that the longest game cannot have: captures, and double steps, which are one move less.
fn kind_of(position: &Position, mv: Move) -> Option<Kind> {
    let is_pawn = position.of_role(Role::Pawn).has(mv.from());
    let is_single_step = mv.from().index().abs_diff(mv.to().index()) == 8;
    match (is_pawn, position.is_capture(mv)) {
        (false, false) => Some(Kind::Quiet),
        (false, true) => Some(Kind::Capture),
        (true, false) if is_single_step => Some(Kind::PawnMove),
        (true, _) => None,
    }
}

/// Prefers moves that give no check, which leave the other side its choice; promotions to knights, which give few; and captures of lesser pieces,
/// so that a queen is left to capture with.
fn rank(position: &Position, mv: Move, avoids_check: bool) -> u8 {
    let captured = position.victim(mv).and_then(|square| position.piece_at(square));
    let value = match captured.map(Piece::role) {
        Some(Role::Queen) => 2,
        Some(Role::Rook) => 1,
        _ => 0,
    };
    let promotes = u8::from(mv.promotion().is_some_and(|promotion| promotion.role() != Role::Knight));
    let checks = u8::from(avoids_check && position.after(mv).is_check());
    value * 4 + promotes * 2 + checks
}

/// The players of the logs.
fn players() -> [Player; 2] {
    ["ann", "bob"].map(|name| Player {
        id: format!("{name:_<12}").parse().expect("it is an id"),
        name: name.parse().expect("it is a name"),
        token: TokenHash::of(name),
        ability: Ability::Documented,
    })
}

/// The longest game without its last ply, which ends it.
fn unended_game() -> &'static [Move] {
    longest_game().split_last().map_or(&[], |(_, others)| others)
}

fn opened(room: RoomId, code: &Code) -> Fact {
    let terms = Terms { start: Some(Start::Chess(long_start()).into()), ..Terms::default() };
    Fact::Opened { room, code: code.clone(), terms, on: 0 }
}

/// The log of a room with the longest game, but for its last ply. `is_closed` closes the room.
///
/// # Panics
///
/// Never: the names are valid.
#[must_use]
pub fn long_log(room: RoomId, code: &Code, is_closed: bool) -> Vec<Entry> {
    let mut facts = vec![opened(room, code)];
    for (color, player) in Color::ALL.into_iter().zip(players()) {
        facts.push(Fact::Sat { color, player });
        facts.push(Fact::Connected { color, relay: RelayId(1) });
    }
    facts.push(Fact::Began { game: GameId(1), swapped: false, start: None });
    facts.extend(unended_game().iter().map(|&mv| Fact::Moved { ply: Ply::of_move(mv), took: 0, ruling: None }));
    if is_closed {
        facts.push(Fact::Closed);
    }
    let entry = |(number, fact)| Entry { at: Time(number), write_id: number, from: None, fact };
    (0..).zip(facts).map(entry).collect()
}

/// The longest log of one game that a room accepts, except for players who come and go: as many large takebacks as it allows, entries without a ply
/// until the log is too long for them, and then the longest game.
///
/// # Panics
///
/// If the room refuses a move.
#[must_use]
pub fn longest_log(room: RoomId, code: &Code, is_closed: bool) -> Vec<Entry> {
    let first = Entry { at: Time(0), write_id: 0, from: None, fact: opened(room, code) };
    let mut log = vec![first];
    let mut room = Arc::new(Room::from_log(&log).expect("the first entry opens it"));
    let mut attempt = |command: Command| {
        let now = Time(log.len() as u64);
        let draft = room.attempt(&command, Stamp { received: now, now, write_id: now.0 });
        log.extend(draft.entries);
        room = draft.after;
        draft.refused
    };
    let players = players();
    for (player, side) in players.iter().zip([SideChoice::White, SideChoice::Black]) {
        assert_eq!(attempt(Command::Sit { player: player.clone(), side }), None);
        assert_eq!(attempt(Command::Connect { user: player.id.clone(), relay: RelayId(1) }), None);
    }
    let mut act = |color: usize, act: Act| {
        let Player { id, name, .. } = players[color].clone();
        attempt(Command::Act { by: Participant { id, name }, act, game: None, event: None })
    };
    let moved = |mv: Move| Act::Move { ply: Ply::of_move(mv), number: None };
    let taken_back = &unended_game()[..usize::from(u8::MAX)];
    loop {
        for (ply, &mv) in taken_back.iter().enumerate() {
            assert_eq!(act(ply % 2, moved(mv)), None);
        }
        let refused = act(0, Act::AskTakeback { plies: u8::MAX });
        if refused.is_some() {
            break;
        }
        assert_eq!(act(1, Act::AcceptTakeback { plies: u8::MAX }), None);
    }
    let mut on = true;
    while act(0, Act::Hints { on }).is_none() {
        on = !on;
    }
    for (ply, &mv) in unended_game().iter().enumerate().skip(taken_back.len()) {
        assert_eq!(act(ply % 2, moved(mv)), None);
    }
    if is_closed {
        let closed = Entry { fact: Fact::Closed, ..log[log.len() - 1].clone() };
        log.push(closed);
    }
    log
}
