//! Random games and positions.
//!
//! They are made by proptest, so that a failing case is shrunk, and is then printed as the FEN
//! it starts from and the moves that lead to the fault.

use std::fmt;

use chess::{CastlingRights, CastlingSide, Color, File, Game, Move, Piece, Position, Rank, Role, Setup, Square};
use proptest::array::uniform2;
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::any;
use proptest::sample::select;
use proptest::strategy::{Just, Strategy};
use proptest::test_runner::{Config, RngSeed, TestRunner};

use crate::table;

/// Checks this many cases of a property, the same ones in each run unless the environment asks for others.
pub(crate) fn check<S: Strategy>(cases: u32, strategy: &S, test: impl Fn(S::Value)) {
    // What the environment asks for is in the default already.
    let mut config = Config::default();
    if std::env::var_os("PROPTEST_CASES").is_none() {
        config.cases = cases;
    }
    if config.rng_seed == RngSeed::Random {
        config.rng_seed = RngSeed::Fixed(2026);
    }
    // Random boards are often no positions, which is no reason to give up.
    config.max_local_rejects = u32::MAX;
    // The seed is fixed and the failure is printed in full: there is nothing to keep in a file.
    config.failure_persistence = None;
    let seed = config.rng_seed;
    let result = TestRunner::new(config).run(strategy, |value| {
        test(value);
        Ok(())
    });
    // The text is made before the panic, since it plays a game, and a panic within a panic would abort without a message.
    let failure = result.err().map(|error| format!("{error}\nseed: PROPTEST_RNG_SEED={seed}"));
    assert_eq!(failure, None);
}

/// A random game: where it starts, and numbers that choose its moves.
#[derive(Clone)]
pub(crate) struct RandomGame {
    pub(crate) start: Position,
    /// How many moves in sixteen take a piece back to where it came from. Without them, no position would come again.
    undo_share: u16,
    choices: Vec<u16>,
}

impl RandomGame {
    /// Plays the game until it ends or the choices do. `step` sees every position, together with the move that will be
    /// played from it, or with nothing for the last one.
    pub(crate) fn play(&self, mut step: impl FnMut(&Game, Option<Move>)) -> Box<Game> {
        let mut game = new_game(self.start);
        for &choice in &self.choices {
            let Some(mv) = self.choose(&game, choice) else { break };
            step(&game, Some(mv));
            game.play(mv).expect("a legal move can be played");
        }
        step(&game, None);
        game
    }

    /// The move that a number stands for: its lowest bits choose a kind of move, the others one of that kind.
    fn choose(&self, game: &Game, choice: u16) -> Option<Move> {
        if game.outcome().is_some() {
            return None;
        }
        let position = game.position();
        let legal = position.legal_moves();
        let back = game.moves().iter().rev().nth(1).map(|mv| Move::new(mv.to(), mv.from()));
        if choice % 16 < self.undo_share && back.is_some_and(|back| legal.contains(&back)) {
            return back;
        }
        // What is rare but goes wrong easily is played more often than it would be by mere chance.
        let leads_to = |mv: Move, wanted: &dyn Fn(Position) -> bool| position.play(mv).is_ok_and(wanted);
        let wanted: Vec<Move> = match choice / 16 % 8 {
            0 | 1 => legal.iter().copied().filter(|&mv| is_rare(position, mv)).collect(),
            2 => legal.iter().copied().filter(|&mv| leads_to(mv, &|next| next.en_passant().is_some())).collect(),
            3 => legal.iter().copied().filter(|&mv| leads_to(mv, &|next| next.is_check())).collect(),
            _ => Vec::new(),
        };
        let moves = if wanted.is_empty() { &legal[..] } else { &wanted[..] };
        moves.get(usize::from(choice / 128) % moves.len().max(1)).copied()
    }
}

fn is_rare(position: &Position, mv: Move) -> bool {
    let in_passing = position.victim(mv).is_some_and(|victim| victim != mv.to());
    in_passing || mv.promotion().is_some() || position.castling_rook(mv).is_some()
}

/// What is needed to see a failure again: also of rules that are broken enough to refuse their own moves.
impl fmt::Debug for RandomGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} moves", self.start.fen())?;
        let mut game = new_game(self.start);
        for mv in self.choices.iter().map_while(|&choice| {
            let mv = self.choose(&game, choice)?;
            game.play(mv).map_or(None, |()| Some(mv))
        }) {
            write!(f, " {mv}")?;
        }
        Ok(())
    }
}

pub(crate) fn new_game(start: Position) -> Box<Game> {
    let mut game = Box::new(Game::new());
    game.restart(start);
    game
}

/// Games of at most this many plies, half of them from the start position.
pub(crate) fn random_games(plies: usize) -> impl Strategy<Value = RandomGame> {
    let random_game = (starts(), select(&[0, 3, 12][..]), vec(any::<u16>(), 1..=plies));
    random_game.prop_map(|(start, undo_share, choices)| RandomGame { start, undo_share, choices })
}

fn starts() -> impl Strategy<Value = Position> {
    let known: Vec<Position> = table::lines().iter().map(table::Line::position).collect();
    proptest::prop_oneof![2 => Just(Position::start()), 1 => select(known), 1 => positions()]
}

/// Positions from which a game can be played, with few pieces or many.
pub(crate) fn positions() -> impl Strategy<Value = Position> {
    setups().prop_filter_map("no position can be made of it", |setup| repair(setup).position().ok())
}

/// Positions with few pieces, none of which can give mate alone.
pub(crate) fn bare_positions() -> impl Strategy<Value = Position> {
    let men = vec((squares(), select(&[Role::Knight, Role::Bishop][..]), any::<bool>()), 0..=3);
    let other = option::of((squares(), select(&Role::ALL[..5]), any::<bool>()));
    (uniform2(squares()), men, other).prop_filter_map("no position can be made of it", |(kings, mut men, other)| {
        men.extend(other);
        let mut setup = Setup::EMPTY;
        place(&mut setup, kings, &men);
        repair(setup).position().ok()
    })
}

/// A crowd of one role asks other questions than a mixed one: which of five knights goes there?
const CROWDS: [&[Role]; 6] = [
    &[Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen],
    &[Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen],
    &[Role::Knight],
    &[Role::Queen, Role::Rook, Role::Bishop],
    &[Role::Pawn],
    &[Role::Pawn, Role::Rook],
];

/// Random set-ups, most of which are not legal positions.
pub(crate) fn setups() -> impl Strategy<Value = Setup> {
    let man = |crowd| (squares(), select(crowd), any::<bool>());
    let men = select(&CROWDS[..]).prop_flat_map(move |crowd| vec(man(crowd), 0..=18)).boxed();
    let rest = (any::<[bool; 6]>(), option::of(squares()), 0..=160_u8, any::<u16>());
    (uniform2(squares()), men, rest).prop_map(|(kings, men, (flags, en_passant, halfmoves, fullmoves))| {
        let [black, at_home, rights @ ..] = flags;
        let mut setup = Setup::EMPTY;
        place(&mut setup, kings, &men);
        if at_home {
            setup.board = setup.board.map(|piece| piece.filter(|piece| piece.role() != Role::King));
            for (color, rank) in [(Color::White, Rank::First), (Color::Black, Rank::Eighth)] {
                for (file, role) in [(File::A, Role::Rook), (File::E, Role::King), (File::H, Role::Rook)] {
                    set(&mut setup, Square::new(file, rank), color, role);
                }
            }
        }
        let ways = Color::ALL.into_iter().flat_map(|color| CastlingSide::ALL.map(|side| (color, side)));
        for ((color, side), _) in ways.zip(rights).filter(|&(_, right)| at_home && right) {
            setup.castling = setup.castling.with(CastlingRights::of(color, side));
        }
        if black {
            setup.turn = Color::Black;
        }
        setup.en_passant = en_passant;
        setup.halfmoves = halfmoves;
        setup.fullmoves = fullmoves;
        setup
    })
}

fn squares() -> impl Strategy<Value = Square> + Clone {
    (0..64_u8).prop_map(Square::from_index)
}

fn place(setup: &mut Setup, kings: [Square; 2], men: &[(Square, Role, bool)]) {
    for &(square, role, black) in men {
        set(setup, square, if black { Color::Black } else { Color::White }, role);
    }
    for (color, square) in Color::ALL.into_iter().zip(kings) {
        set(setup, square, color, Role::King);
    }
}

fn set(setup: &mut Setup, square: Square, color: Color, role: Role) {
    setup.board[usize::from(square.index())] = Some(Piece::new(color, role));
}

/// Repairs what is easily repaired, so that more boards become positions.
fn repair(mut setup: Setup) -> Setup {
    for (square, piece) in Square::all().zip(&mut setup.board) {
        let is_pawn = piece.is_some_and(|piece| piece.role() == Role::Pawn);
        if is_pawn && matches!(square.rank(), Rank::First | Rank::Eighth) {
            *piece = None;
        }
    }
    // Far enough from where the counters end for a game to be played.
    setup.halfmoves = setup.halfmoves.min(140);
    setup.fullmoves = setup.fullmoves.min(60_000);
    setup.en_passant = None;
    if setup.position().is_err() {
        setup.turn = !setup.turn;
    }
    // Some pawn that may just have passed a square.
    let rank = if setup.turn == Color::White { Rank::Sixth } else { Rank::Third };
    let mut passed = File::ALL.map(|file| Setup { en_passant: Some(Square::new(file, rank)), ..setup }).into_iter();
    let passed = passed.find(|setup| setup.position().is_ok_and(|position| position.en_passant().is_some()));
    passed.unwrap_or(setup)
}
