//! Sixteen emulated boards on one relay: eight games, with a hand at every board.

use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use chess::{Game, Move};
use tests::emulated::EmulatedBoard;
use tests::panel::Panel;
use tests::parts;
use tests::random::Random;
use tests::random_moves;
use tests::relay_fixture::RelayFixture;

use tests::scenes;

const PAIRS: usize = 8;

/// Number of moves in each game.
const PLIES: usize = 8;

/// Timeout of every wait. It ends a test that hangs.
const TIMEOUT: Duration = Duration::from_mins(2);

/// A game between two boards.
struct Pair {
    names: [String; 2],
    boards: [EmulatedBoard; 2],
    code: String,
}

impl Pair {
    /// Plays the game with a hand at each board.
    fn play(&mut self, seed: u64) -> Result<Box<Game>> {
        let mut game = Box::new(Game::new());
        let mut random = Random::new(seed);
        for board in &mut self.boards {
            board.log()?.wait_for("game snapshot received, 0 plies")?;
        }
        for ply in 0..PLIES {
            let (play_at_board, play_remotely) = (&self.boards[ply % 2], &self.boards[1 - ply % 2]);
            let mv = random_moves::next_move(game.position(), &mut random).context("there are moves")?;
            let before = *game.position();
            let [us, them] = [ply % 2, 1 - ply % 2].map(|side| &self.names[side]);
            play_at_board
                .panel
                .wait_for_scene("a still board", scenes::still(&game))
                .with_context(|| format!("{mv} at {us}"))?;
            make(&play_at_board.panel, &before, mv)?;
            game.play(mv)?;
            let scene = scenes::opponents(&before, mv, &game);
            play_remotely
                .panel
                .wait_for_scene("the move from elsewhere", scene)
                .with_context(|| format!("{mv} at {them}"))?;
            make(&play_remotely.panel, &before, mv.promoting(None))?;
            for board in [play_at_board, play_remotely] {
                board.panel.wait_for_scene("that it is made", scenes::still(&game)).with_context(|| mv.to_string())?;
            }
        }
        Ok(game)
    }
}

/// Makes a move: the captured piece first, then the piece, then its rook.
fn make(panel: &Panel, position: &chess::Position, mv: Move) -> Result<()> {
    if let Some(victim) = position.victim(mv) {
        panel.lift(victim)?;
        panel.pause()?;
    }
    panel.move_piece(mv.from(), mv.to())?;
    match position.castling_rook(mv) {
        Some((from, to)) => panel.move_piece(from, to),
        None => Ok(()),
    }
}

#[test]
fn sixteen_boards_play_in_parallel() -> Result<()> {
    let (Some(image), Some(mut relay_fixture)) = (parts::mps2_image(), RelayFixture::start()?) else { return Ok(()) };
    let mut pairs = Vec::new();
    for number in 0..PAIRS {
        let names = ["white", "black"].map(|side| format!("{side} {number}"));
        let mut boards = Vec::new();
        for name in &names {
            let mut board = EmulatedBoard::new(&image, Panel::new()?)?
                .at(relay_fixture.relay.address(), &relay_fixture.pair(name)?.key);
            board.power_up()?;
            boards.push(board);
        }
        let boards = boards.try_into().ok().context("two boards")?;
        pairs.push(Pair { names, boards, code: String::new() });
    }
    for pair in &mut pairs {
        for (name, board) in pair.names.iter().zip(&mut pair.boards) {
            board.log()?.wait_for("relay online").with_context(|| name.clone())?;
        }
        pair.code = start_match(&relay_fixture, &pair.names)?;
    }

    let games: Vec<Result<Box<Game>>> = thread::scope(|scope| {
        let playing: Vec<_> =
            pairs.iter_mut().zip(1..).map(|(pair, seed)| scope.spawn(move || pair.play(seed))).collect();
        playing.into_iter().map(|game| game.join().map_err(|_| anyhow::anyhow!("a hand panicked"))?).collect()
    });
    for (pair, game) in pairs.iter().zip(games) {
        let (played, kept) = (game?, relay_fixture.game(&pair.code)?);
        ensure!(played.moves() == kept.moves(), "{:?}: {:?} and {:?}", pair.names, played.moves(), kept.moves());
    }
    relay_fixture.relay.check()
}

/// Retries until the relay knows that both boards are free.
fn start_match(relay_fixture: &RelayFixture, [one, other]: &[String; 2]) -> Result<String> {
    let deadline = Instant::now() + TIMEOUT;
    loop {
        match relay_fixture.start_match(one, other) {
            Err(_) if Instant::now() < deadline => thread::sleep(Duration::from_millis(100)),
            result => return result,
        }
    }
}
