use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use chess::{Color, Move, Position};
use rules::Ply;
use tests::random::Random;
use tests::random_moves;
use tests::relay::{RelayProcess, get};
use tests::simulated_board::SimulatedBoard;
use wire::link::Seat;

use crate::reconnecting_player::ReconnectingPlayer;

/// Timeout of every wait. It ends a test that hangs; the lease of a dead relay expires within it.
const TIMEOUT: Duration = Duration::from_secs(90);

/// A player of a match.
#[expect(clippy::large_enum_variant, reason = "there are two of them")]
pub(crate) enum Player {
    Board(Box<SimulatedBoard>),
    Client(ReconnectingPlayer),
}

impl Player {
    pub(crate) fn board(&mut self) -> &mut SimulatedBoard {
        match self {
            Self::Board(board) => board,
            Self::Client(_) => panic!("a guest is not a board"),
        }
    }

    pub(crate) fn guest(&mut self) -> &mut ReconnectingPlayer {
        match self {
            Self::Client(guest) => guest,
            Self::Board(_) => panic!("a board is not a guest"),
        }
    }

    async fn talk(&mut self) -> Result<()> {
        match self {
            Self::Board(board) => board.talk().await,
            Self::Client(guest) => guest.talk().await,
        }
    }

    fn color(&self) -> Option<Color> {
        match self {
            Self::Board(board) => match board.seat() {
                Seat::White => Some(Color::White),
                Seat::Black => Some(Color::Black),
                Seat::Both | Seat::Neither => None,
            },
            Self::Client(guest) => guest.color(),
        }
    }

    fn moves(&self) -> &[Move] {
        match self {
            Self::Board(board) => board.game().map(chess::Game::moves).unwrap_or_default(),
            Self::Client(guest) => guest.moves(),
        }
    }

    fn play(&mut self, mv: Move) -> Result<()> {
        match self {
            Self::Board(board) => board.play(Ply::of_move(mv)),
            Self::Client(guest) => {
                guest.play(mv);
                Ok(())
            }
        }
    }

    /// At a board, sets the pieces as the game has them.
    fn follow(&mut self) -> Result<()> {
        match self {
            Self::Board(board) => board.follow(),
            Self::Client(_) => Ok(()),
        }
    }
}

/// A game between two boards, or between a board and a client.
pub(crate) struct BoardMatch {
    pub(crate) players: [Player; 2],
    code: String,
    position: Position,
    moves: Vec<Move>,
    random: Random,
}

impl BoardMatch {
    /// Waits until both players have the same game.
    pub(crate) async fn begin(code: &str, players: [Player; 2]) -> Result<Self> {
        let mut board_match = Self {
            players,
            code: code.to_owned(),
            position: Position::start(),
            moves: Vec::new(),
            random: Random::new(7),
        };
        board_match
            .until("both have a seat", |[one, other]| one.color().is_some_and(|color| other.color() == Some(!color)))
            .await?;
        Ok(board_match)
    }

    /// Runs both players until a condition holds.
    pub(crate) async fn until(&mut self, what: &str, is_so: impl Fn(&[Player; 2]) -> bool) -> Result<()> {
        let deadline = Instant::now() + TIMEOUT;
        while !is_so(&self.players) {
            let known = self.players.each_ref().map(|player| player.moves().len());
            let total = self.moves.len();
            ensure!(Instant::now() < deadline, "it takes too long until {what}: {known:?} of {total} moves");
            for player in &mut self.players {
                player.talk().await?;
            }
        }
        Ok(())
    }

    /// Plays this many further moves; both players receive each of them.
    pub(crate) async fn go_on(&mut self, count: usize) -> Result<()> {
        for _ in 0..count {
            let turn = self.position.turn();
            let mv = random_moves::next_move(&self.position, &mut self.random).context("the game is over")?;
            self.position = self.position.play(mv).ok().context("the move is legal")?;
            self.moves.push(mv);
            let player = self.players.iter_mut().find(|player| player.color() == Some(turn));
            player.context("a side is to move")?.play(mv)?;
            let moves = self.moves.clone();
            self.until("both have seen a move", |players| players.iter().all(|player| player.moves() == moves)).await?;
            for player in &mut self.players {
                player.follow()?;
            }
        }
        Ok(())
    }

    /// Compares the stored game with the played one.
    pub(crate) async fn check(&self, relay: &RelayProcess) -> Result<()> {
        let answer = get(relay.address(), &format!("/games/{}.json", self.code)).await?;
        ensure!(answer.status == 200, "{} {}", answer.status, answer.text());
        let record = answer.json()?;
        let moves = record["moves"].as_array().context("a game has moves")?;
        let kept: Vec<&str> = moves.iter().filter_map(|mv| mv["uci"].as_str()).collect();
        let played: Vec<String> = self.moves.iter().map(ToString::to_string).collect();
        ensure!(kept == played, "{kept:?} is kept, and {played:?} was played");
        Ok(())
    }
}
