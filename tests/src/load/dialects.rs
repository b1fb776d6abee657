//! Compares the throughput of other dialects with Chessata's: the same number of games at full speed, in alternating time slices.
//!
//! Each dialect is one file with a player that joins, moves and waits for moves. Every move that arrives is checked.

mod chessata;
mod chezz;
mod socketio;

use std::net::SocketAddr;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use cozy_chess::{Move, Piece, Square};
use futures_util::future::try_join_all;
use tokio::task::JoinSet;
use tokio::time::Instant;

use super::process_metrics::ProcessMetrics;
use super::relay_url::RelayUrl;
use crate::random::Random;
use crate::rules_checker::RulesChecker;

/// Length of a time slice. Other load on the machine lasts longer than this, so it disturbs both dialects alike.
const SLICE: Duration = Duration::from_millis(500);

/// The dialects that are compared with Chessata.
pub const DIALECTS: [&str; 2] = ["chezz", "socketio"];

/// The throughput of a dialect and of Chessata in the same slices.
#[derive(Clone, Copy, Debug)]
#[expect(missing_docs, reason = "the names say it")]
pub struct DialectComparison {
    pub moves_per_second: f64,
    pub chessata_moves_per_second: f64,
    /// CPU time of the relay for one move, in microseconds.
    pub cpu_us_per_move: f64,
    pub chessata_cpu_us_per_move: f64,
}

/// A move, as the dialects need it.
pub(super) struct PlayedMove {
    pub(super) from: Square,
    /// Where the moving piece ends.
    pub(super) to: Square,
    /// In UCI notation, with a small letter for a promotion.
    pub(super) uci: String,
    /// The message of a Chessata client.
    pub(super) chessata: String,
}

/// A player of one dialect.
pub(super) trait DialectPlayer: Send + Sized + 'static {
    /// Two players of a new game that has begun: White and Black.
    fn join(relay: SocketAddr) -> impl Future<Output = Result<[Self; 2]>> + Send;

    fn send(&mut self, mv: &PlayedMove) -> impl Future<Output = Result<()>> + Send;

    /// Waits until this player receives the move, and checks the message; `rules` is the game after it.
    fn receive(&mut self, mv: &PlayedMove, rules: &RulesChecker) -> impl Future<Output = Result<()>> + Send;
}

/// Compares one of the [`DIALECTS`] with Chessata, with this many games of each, for about this time in all.
pub async fn compare_dialect(
    dialect: &str,
    relay: SocketAddr,
    games: usize,
    time: Duration,
) -> Result<DialectComparison> {
    match dialect {
        "chezz" => compare::<chezz::ChezzPlayer>(relay, games, time).await,
        "socketio" => compare::<socketio::SocketIoPlayer>(relay, games, time).await,
        other => anyhow::bail!("there is no dialect {other}"),
    }
}

async fn compare<P: DialectPlayer>(relay: SocketAddr, games: usize, time: Duration) -> Result<DialectComparison> {
    let url = RelayUrl { authority: relay.to_string() };
    let mut chessata = Side::<chessata::ChessataPlayer>::join(relay, games).await?;
    let mut other = Side::<P>::join(relay, games).await?;
    let until = Instant::now() + time;
    while Instant::now() < until {
        chessata.play_slice(&url).await?;
        other.play_slice(&url).await?;
    }
    Ok(DialectComparison {
        moves_per_second: other.moves_per_second(),
        chessata_moves_per_second: chessata.moves_per_second(),
        cpu_us_per_move: other.cpu_us_per_move(),
        chessata_cpu_us_per_move: chessata.cpu_us_per_move(),
    })
}

/// All games of one dialect.
struct Side<P> {
    games: Vec<Game<P>>,
    moves: u32,
    time: Duration,
    cpu_seconds: f64,
}

impl<P: DialectPlayer> Side<P> {
    async fn join(relay: SocketAddr, games: usize) -> Result<Self> {
        let seat = async |number: usize| {
            let players = P::join(relay).await?;
            anyhow::Ok(Game { players, rules: RulesChecker::new(), random: Random::new(number as u64) })
        };
        let games = try_join_all((0..games).map(seat)).await.context("players cannot join")?;
        Ok(Self { games, moves: 0, time: Duration::ZERO, cpu_seconds: 0.0 })
    }

    /// All games move as fast as they can for one slice.
    async fn play_slice(&mut self, relay: &RelayUrl) -> Result<()> {
        let before = ProcessMetrics::scrape(relay).await?;
        let begin = Instant::now();
        let mut tasks = JoinSet::new();
        for game in self.games.drain(..) {
            tasks.spawn(game.play_until(begin + SLICE));
        }
        while let Some(played) = tasks.join_next().await {
            let (game, moves) = played??;
            self.moves += moves;
            self.games.push(game);
        }
        self.time += begin.elapsed();
        self.cpu_seconds += ProcessMetrics::scrape(relay).await?.cpu_seconds - before.cpu_seconds;
        Ok(())
    }

    fn moves_per_second(&self) -> f64 {
        f64::from(self.moves) / self.time.as_secs_f64()
    }

    fn cpu_us_per_move(&self) -> f64 {
        self.cpu_seconds * 1e6 / f64::from(self.moves)
    }
}

struct Game<P> {
    players: [P; 2],
    rules: RulesChecker,
    random: Random,
}

impl<P: DialectPlayer> Game<P> {
    async fn play_until(mut self, until: Instant) -> Result<(Self, u32)> {
        let mut count = 0;
        while Instant::now() < until && self.rules.result().is_none() {
            let mover = usize::from(!self.rules.is_white_to_move());
            let Some((mv, chessata)) = self.pick() else { break };
            let (from, to) = (mv.from, self.rules.destination(mv));
            let promotion = mv.promotion.map_or("", |_| "q");
            let played = PlayedMove { from, to, uci: format!("{from}{to}{promotion}"), chessata };
            self.rules.play(mv);
            self.players[mover].send(&played).await?;
            self.players[1 - mover].receive(&played, &self.rules).await?;
            self.players[mover].receive(&played, &self.rules).await?;
            count += 1;
        }
        Ok((self, count))
    }

    /// A random move that does not end the game. Promotions take two steps in Socket.IO, so they are avoided as well: a
    /// game in which nothing else is possible stops here.
    fn pick(&mut self) -> Option<(Move, String)> {
        let mut picks = (0..200).map_while(|_| self.rules.pick_quiet_move(self.random.number()));
        picks.find(|(mv, _)| mv.promotion.is_none_or(|piece| piece == Piece::Pawn))
    }
}

/// Fails unless what a client was told is what it should be.
fn expect(told: &str, expected: &str) -> Result<()> {
    ensure!(told == expected, "a client was told {told}, and not {expected}");
    Ok(())
}
