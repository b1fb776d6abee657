//! Sixteen boards on one relay: eight games, with a hand at every board.

use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use chess::{Game, Move};
use tests::club::Club;
use tests::emulated::EmulatedBoard;
use tests::panel::Panel;
use tests::parts;
use tests::stroll;

use tests::scenes;

const PAIRS: usize = 8;

/// So many moves are made in each game.
const PLIES: usize = 8;

/// Ends what hangs. It says nothing about speed.
const PATIENCE: Duration = Duration::from_mins(2);

/// A game between two boards.
struct Pair {
    names: [String; 2],
    boards: [EmulatedBoard; 2],
    code: String,
}

impl Pair {
    /// Both hands play, one move each in turn.
    fn play(&mut self, seed: u64) -> Result<Box<Game>> {
        let mut game = Box::new(Game::new());
        let mut seed = seed;
        for board in &mut self.boards {
            board.log()?.wait_for("a game has come, after 0 plies")?;
        }
        for ply in 0..PLIES {
            let (ours, theirs) = (&self.boards[ply % 2], &self.boards[1 - ply % 2]);
            let mv = stroll::next_move(game.position(), &mut seed).context("there are moves")?;
            let before = *game.position();
            let [us, them] = [ply % 2, 1 - ply % 2].map(|side| &self.names[side]);
            ours.panel.shows("a still board", scenes::still(&game)).with_context(|| format!("{mv} at {us}"))?;
            make(&ours.panel, &before, mv)?;
            game.play(mv)?;
            let scene = scenes::opponents(&before, mv, &game);
            theirs.panel.shows("the move from elsewhere", scene).with_context(|| format!("{mv} at {them}"))?;
            make(&theirs.panel, &before, mv.promoting(None))?;
            for board in [ours, theirs] {
                board.panel.shows("that it is made", scenes::still(&game)).with_context(|| mv.to_string())?;
            }
        }
        Ok(game)
    }
}

/// What is taken goes first; then the piece, and then its rook.
fn make(panel: &Panel, position: &chess::Position, mv: Move) -> Result<()> {
    if let Some(victim) = position.victim(mv) {
        panel.lift(victim)?;
        panel.hesitate()?;
    }
    panel.carry(mv.from(), mv.to())?;
    match position.castling_rook(mv) {
        Some((from, to)) => panel.carry(from, to),
        None => Ok(()),
    }
}

#[test]
fn sixteen_boards_play_at_once() -> Result<()> {
    let (Some(image), Some(mut club)) = (parts::mps2_image(), Club::open()?) else { return Ok(()) };
    let mut pairs = Vec::new();
    for number in 0..PAIRS {
        let names = ["white", "black"].map(|side| format!("{side} {number}"));
        let mut boards = Vec::new();
        for name in &names {
            let mut board = EmulatedBoard::new(&image, Panel::new()?)?.at(club.relay.address(), &club.pair(name)?.key);
            board.power_up()?;
            boards.push(board);
        }
        let boards = boards.try_into().ok().context("two boards")?;
        pairs.push(Pair { names, boards, code: String::new() });
    }
    for pair in &mut pairs {
        for (name, board) in pair.names.iter().zip(&mut pair.boards) {
            board.log()?.wait_for("the relay is there").with_context(|| name.clone())?;
        }
        pair.code = set_against(&club, &pair.names)?;
    }

    let games: Vec<Result<Box<Game>>> = thread::scope(|scope| {
        let playing: Vec<_> =
            pairs.iter_mut().zip(1..).map(|(pair, seed)| scope.spawn(move || pair.play(seed))).collect();
        playing.into_iter().map(|game| game.join().map_err(|_| anyhow::anyhow!("a hand panicked"))?).collect()
    });
    for (pair, game) in pairs.iter().zip(games) {
        let (played, kept) = (game?, club.game(&pair.code)?);
        ensure!(played.moves() == kept.moves(), "{:?}: {:?} and {:?}", pair.names, played.moves(), kept.moves());
    }
    club.relay.check()
}

/// The relay may take a moment to know that both are free.
fn set_against(club: &Club, [one, other]: &[String; 2]) -> Result<String> {
    let deadline = Instant::now() + PATIENCE;
    loop {
        match club.set_against(one, other) {
            Err(_) if Instant::now() < deadline => thread::sleep(Duration::from_millis(100)),
            result => return result,
        }
    }
}
