use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use chess::{Color, Move, Position};
use tests::relay::{Relay, get};
use tests::stroll;
use tests::wood::Wood;
use wire::link::Seat;

use crate::guest::Guest;

/// Long enough for a slow and busy machine: a relay that has died is missed only after a while.
const PATIENCE: Duration = Duration::from_secs(90);

/// One of the two.
#[expect(clippy::large_enum_variant, reason = "there are two of them")]
pub(crate) enum Player {
    Board(Box<Wood>),
    Guest(Guest),
}

impl Player {
    pub(crate) fn board(&mut self) -> &mut Wood {
        match self {
            Self::Board(wood) => wood,
            Self::Guest(_) => panic!("a guest is not a board"),
        }
    }

    pub(crate) fn guest(&mut self) -> &mut Guest {
        match self {
            Self::Guest(guest) => guest,
            Self::Board(_) => panic!("a board is not a guest"),
        }
    }

    async fn talk(&mut self) -> Result<()> {
        match self {
            Self::Board(wood) => wood.talk().await,
            Self::Guest(guest) => guest.talk().await,
        }
    }

    fn color(&self) -> Option<Color> {
        match self {
            Self::Board(wood) => match wood.seat() {
                Seat::White => Some(Color::White),
                Seat::Black => Some(Color::Black),
                Seat::Both | Seat::Nobody => None,
            },
            Self::Guest(guest) => guest.color(),
        }
    }

    fn moves(&self) -> &[Move] {
        match self {
            Self::Board(wood) => wood.game().map(chess::Game::moves).unwrap_or_default(),
            Self::Guest(guest) => guest.moves(),
        }
    }

    fn play(&mut self, mv: Move) -> Result<()> {
        match self {
            Self::Board(wood) => wood.play(mv),
            Self::Guest(guest) => {
                guest.play(mv);
                Ok(())
            }
        }
    }

    /// Whoever has wood before them makes it look like the game.
    fn follow(&mut self) -> Result<()> {
        match self {
            Self::Board(wood) => wood.follow(),
            Self::Guest(_) => Ok(()),
        }
    }
}

/// A game between two, each of them at a board or not.
pub(crate) struct Bout {
    pub(crate) players: [Player; 2],
    code: String,
    position: Position,
    moves: Vec<Move>,
    seed: u64,
}

impl Bout {
    /// Waits until both sit in the same game.
    pub(crate) async fn begin(code: &str, players: [Player; 2]) -> Result<Self> {
        let mut bout = Self { players, code: code.to_owned(), position: Position::start(), moves: Vec::new(), seed: 7 };
        bout.until("both have a seat", |[one, other]| one.color().is_some_and(|color| other.color() == Some(!color)))
            .await?;
        Ok(bout)
    }

    /// Everybody talks until something is so.
    pub(crate) async fn until(&mut self, what: &str, is_so: impl Fn(&[Player; 2]) -> bool) -> Result<()> {
        let deadline = Instant::now() + PATIENCE;
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

    /// So many more moves are made, and both see each of them.
    pub(crate) async fn go_on(&mut self, count: usize) -> Result<()> {
        for _ in 0..count {
            let turn = self.position.turn();
            let mv = stroll::next_move(&self.position, &mut self.seed).context("the game is over")?;
            self.position = self.position.play(mv).ok().context("the move is legal")?;
            self.moves.push(mv);
            let player = self.players.iter_mut().find(|player| player.color() == Some(turn));
            player.context("somebody is to move")?.play(mv)?;
            let moves = self.moves.clone();
            self.until("both have seen a move", |players| players.iter().all(|player| player.moves() == moves)).await?;
            for player in &mut self.players {
                player.follow()?;
            }
        }
        Ok(())
    }

    /// What a relay finds in the store is what was played.
    pub(crate) async fn check(&self, relay: &Relay) -> Result<()> {
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
