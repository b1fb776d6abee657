use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use chess::Color;
use tests::relay::get;
use tokio::task::JoinSet;
use tokio::time::sleep;

use crate::witness::Witness;

/// What takes longer than this hangs. It is long, since a relay that has died is missed only after a while, and the machine
/// may have other things to do.
const PATIENCE: Duration = Duration::from_secs(90);

const POLL: Duration = Duration::from_millis(20);

/// Games that are played at the same time, each by two players and watched by somebody.
pub(crate) struct Hall {
    tables: Vec<Table>,
    playing: Arc<AtomicBool>,
    _tasks: JoinSet<()>,
}

struct Table {
    code: String,
    witnesses: [Arc<Witness>; 3],
}

impl Hall {
    /// Opens so many tables. The players of each come in at different places, if there are several.
    pub(crate) async fn open(relays: &[SocketAddr], count: usize) -> Result<Self> {
        let playing = Arc::new(AtomicBool::new(true));
        let mut tasks = JoinSet::new();
        let mut tables = Vec::new();
        for number in 0..count {
            let code = format!("table_{number}");
            let seats = [Some(Color::White), Some(Color::Black), None];
            let witnesses = [0, 1, 2].map(|place| {
                let think = Duration::from_millis(15 + number as u64 % 7);
                Witness::new(&code, seats[place], relays, number + place, think, &playing)
            });
            for witness in &witnesses {
                tasks.spawn(witness.clone().live());
                until("somebody comes in", || Ok(witness.notes().arrivals > 0)).await?;
            }
            tables.push(Table { code, witnesses });
        }
        Ok(Self { tables, playing, _tasks: tasks })
    }

    /// Waits until everybody has heard of so many more moves in their game.
    pub(crate) async fn go_on(&self, moves: usize) -> Result<()> {
        let goals: Vec<usize> = self.tables.iter().map(|table| table.longest() + moves).collect();
        let went_on = until("all games go on", || {
            self.check()?;
            Ok(self.tables.iter().zip(&goals).all(|(table, goal)| table.is_over() || table.shortest() >= *goal))
        });
        went_on.await.with_context(|| self.standing())
    }

    /// How often people were told that there was no store to write to.
    pub(crate) fn unwritten(&self) -> u32 {
        self.tables.iter().flat_map(|table| &table.witnesses).map(|witness| witness.notes().unwritten).sum()
    }

    /// How often people came in.
    pub(crate) fn arrivals(&self) -> u32 {
        self.tables.iter().flat_map(|table| &table.witnesses).map(|witness| witness.notes().arrivals).sum()
    }

    fn check(&self) -> Result<()> {
        let wrongs: Vec<String> =
            self.tables.iter().flat_map(|table| &table.witnesses).flat_map(|one| one.notes().wrongs.clone()).collect();
        ensure!(wrongs.is_empty(), "{}", wrongs.join("\n"));
        Ok(())
    }

    fn standing(&self) -> String {
        let lines = self.tables.iter().map(|table| {
            let known = table.witnesses.each_ref().map(|witness| witness.notes().moves.len());
            format!("{}: {known:?} moves", table.code)
        });
        lines.collect::<Vec<_>>().join("\n")
    }

    /// Ends the play, and holds what everybody has been told against each other and against what the relay shows.
    pub(crate) async fn finish(&self, relay: SocketAddr) -> Result<Vec<(String, Vec<String>)>> {
        self.playing.store(false, Ordering::Relaxed);
        let mut games = Vec::new();
        for table in &self.tables {
            games.push((table.code.clone(), table.finish(relay).await.with_context(|| self.standing())?));
        }
        self.check()?;
        Ok(games)
    }
}

impl Table {
    fn lengths(&self) -> impl Iterator<Item = usize> {
        self.witnesses.iter().map(|witness| witness.notes().moves.len())
    }

    fn longest(&self) -> usize {
        self.lengths().max().unwrap_or(0)
    }

    fn shortest(&self) -> usize {
        self.lengths().min().unwrap_or(0)
    }

    fn is_over(&self) -> bool {
        self.witnesses.iter().all(|witness| witness.notes().is_over)
    }

    async fn finish(&self, relay: SocketAddr) -> Result<Vec<String>> {
        let deadline = Instant::now() + PATIENCE;
        // A move may still be on its way.
        loop {
            let kept = self.kept(relay).await?;
            let told = self.witnesses.each_ref().map(|witness| witness.notes().moves.clone());
            if told.iter().all(|told| *told == kept) {
                sleep(Duration::from_millis(100)).await;
                if self.kept(relay).await? == kept {
                    self.compare_files(relay, &kept).await?;
                    return Ok(kept);
                }
            }
            for told in &told {
                let common = told.len().min(kept.len());
                ensure!(told[..common] == kept[..common], "{}: told {told:?}, kept {kept:?}", self.code);
            }
            ensure!(Instant::now() < deadline, "{}: {} moves are kept, and not told", self.code, kept.len());
            sleep(POLL).await;
        }
    }

    /// The moves that a relay finds in the store.
    async fn kept(&self, relay: SocketAddr) -> Result<Vec<String>> {
        let answer = get(relay, &format!("/games/{}.json", self.code)).await?;
        ensure!(answer.status == 200, "{}: {} {}", self.code, answer.status, answer.text());
        let record = answer.json()?;
        let moves = record["moves"].as_array().context("a game has moves")?;
        Ok(moves.iter().map(|mv| mv["uci"].as_str().unwrap_or_default().to_owned()).collect())
    }

    /// The other forms of a game say the same.
    async fn compare_files(&self, relay: SocketAddr, kept: &[String]) -> Result<()> {
        let bytes = get(relay, &format!("/games/{}.bin", self.code)).await?;
        let mut game = Box::new(chess::Game::new());
        wire::layout::decode(&bytes.body, &mut game).map_err(|error| anyhow::anyhow!("{}: {error}", self.code))?;
        let decoded: Vec<String> = game.moves().iter().map(ToString::to_string).collect();
        ensure!(decoded == kept, "{}: {decoded:?} in bytes, and {kept:?}", self.code);

        let pgn = get(relay, &format!("/games/{}.pgn", self.code)).await?;
        let (_, text) = pgn.text().split_once("\n\n").context("PGN has tags and moves")?;
        let is_move = |word: &&str| !word.ends_with('.') && !["*", "1-0", "0-1", "1/2-1/2"].contains(word);
        let count = text.split_whitespace().filter(is_move).count();
        ensure!(count == kept.len(), "{}: {count} moves in PGN, and {} in all:\n{text}", self.code, kept.len());
        Ok(())
    }
}

/// Holds what a Redis has in it against the games as they were told: every line once, in order, and no move more. It is asked
/// by its own client.
pub(crate) fn compare_streams(cli: impl Fn(&[&str]) -> Result<String>, games: &[(String, Vec<String>)]) -> Result<()> {
    for (code, moves) in games {
        let claim = cli(&["get", &format!("test:code:{code}")])?;
        let room = claim.rsplit(' ').next().unwrap_or_default();
        let listing = cli(&["xrange", &format!("test:{{{room}}}:log"), "-", "+"])?;
        let lines: Vec<&str> = listing.lines().collect();
        let mut told = Vec::new();
        for (index, line) in lines.chunks(3).enumerate() {
            let [id, "line", text] = line else { bail!("{code}: {line:?} is not a line of a log") };
            ensure!(*id == format!("{}-0", index + 1), "{code}: line {} is {id}", index + 1);
            let entry: serde_json::Value = serde_json::from_str(text)?;
            told.extend(move_in(&entry));
        }
        ensure!(told == *moves, "{code}: {told:?} in the stream, and {moves:?} were told");
    }
    Ok(())
}

fn move_in(entry: &serde_json::Value) -> Option<String> {
    entry["fact"]["moved"]["mv"].as_str().map(str::to_owned)
}

async fn until(what: &str, mut is_so: impl FnMut() -> Result<bool>) -> Result<()> {
    let deadline = Instant::now() + PATIENCE;
    while !is_so()? {
        ensure!(Instant::now() < deadline, "it takes too long until {what}");
        sleep(POLL).await;
    }
    Ok(())
}
