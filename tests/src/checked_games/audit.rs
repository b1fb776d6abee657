//! Compares what the clients of a game have seen with every record of it.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;
use tokio::time::sleep;

use super::{CheckedGame, POLL, TIMEOUT};
use crate::relay::get;
use crate::rules_checker::RulesChecker;

/// The clocks of a game may be this far from the clock of this machine, in milliseconds: relays estimate the time of the store.
const CLOCK_MARGIN_MS: u64 = 3_000;

/// A game whose records agree with what its clients saw.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditedGame {
    /// The code of its room.
    pub code: String,
    /// The moves in UCI notation.
    pub moves: Vec<String>,
    /// `1-0` and so on, or `*`.
    pub result: String,
}

impl CheckedGame {
    /// Waits until all clients have seen the moves that are stored, and compares all records of all relays with them.
    pub async fn audit(&self, relays: &[SocketAddr]) -> Result<AuditedGame> {
        let &first = relays.first().context("there is no relay")?;
        let deadline = Instant::now() + TIMEOUT;
        // A move may still be under way.
        let moves = loop {
            let stored = self.stored(first).await?;
            let seen = self.clients.each_ref().map(|client| client.observations().moves.clone());
            if seen.iter().all(|seen| *seen == stored) {
                sleep(Duration::from_millis(100)).await;
                if self.stored(first).await? == stored {
                    break stored;
                }
            }
            for seen in &seen {
                let common = seen.len().min(stored.len());
                ensure!(seen[..common] == stored[..common], "{}: seen {seen:?}, stored {stored:?}", self.code);
            }
            let count = stored.len();
            ensure!(Instant::now() < deadline, "{}: {count} moves are stored, and clients did not see them", self.code);
            sleep(POLL).await;
        };
        let mut rules = RulesChecker::new();
        let sans: Result<Vec<String>, String> = moves.iter().map(|mv| rules.play_uci(mv)).collect();
        let sans = sans.map_err(|error| anyhow::anyhow!("{}: {error}", self.code))?;
        let result = result_text(&rules);
        for &relay in relays {
            self.compare_records(relay, &moves, &sans, result)
                .await
                .with_context(|| format!("{} at {relay}", self.code))?;
        }
        Ok(AuditedGame { code: self.code.clone(), moves, result: result.to_owned() })
    }

    /// The moves of the game in the store, as a relay reads them.
    async fn stored(&self, relay: SocketAddr) -> Result<Vec<String>> {
        let record = self.record(relay).await?;
        let moves = record["moves"].as_array().context("a game has moves")?;
        Ok(moves.iter().map(|mv| mv["uci"].as_str().unwrap_or_default().to_owned()).collect())
    }

    async fn record(&self, relay: SocketAddr) -> Result<Value> {
        let answer = get(relay, &format!("/games/{}.json", self.code)).await?;
        ensure!(answer.status == 200, "{}: {} {}", self.code, answer.status, answer.text());
        answer.json()
    }

    /// JSON, PGN and bytes have these moves, and this result.
    async fn compare_records(&self, relay: SocketAddr, moves: &[String], sans: &[String], result: &str) -> Result<()> {
        let record = self.record(relay).await?;
        let field = |name: &str| -> Vec<&str> {
            record["moves"].as_array().into_iter().flatten().filter_map(|mv| mv[name].as_str()).collect()
        };
        ensure!(field("uci") == moves && field("san") == sans, "{record} is not {sans:?}");
        ensure!(record["result"] == result, "the result is {}, not {result}", record["result"]);
        self.check_clocks(&record)?;

        let pgn = get(relay, &format!("/games/{}.pgn", self.code)).await?;
        let (_, text) = pgn.text().split_once("\n\n").context("PGN has tags and moves")?;
        let (written, end) = read_movetext(text);
        ensure!(written == sans && end == result, "{text} is not {sans:?} {result}");

        let bytes = get(relay, &format!("/games/{}.bin", self.code)).await?;
        let mut game = Box::new(chess::Game::new());
        wire::layout::decode(&bytes.body, &mut game).map_err(|error| anyhow::anyhow!("{error}"))?;
        let decoded: Vec<String> = game.moves().iter().map(ToString::to_string).collect();
        ensure!(decoded == moves, "{decoded:?} in bytes, and {moves:?}");
        Ok(())
    }

    /// Both players together have not used more time than has passed.
    fn check_clocks(&self, record: &Value) -> Result<()> {
        let Some(base) = record["clock"]["base_ms"].as_u64() else { return Ok(()) };
        let increment = record["clock"]["increment_ms"].as_u64().unwrap_or_default();
        let left: Vec<u64> =
            record["moves"].as_array().into_iter().flatten().filter_map(|mv| mv["clock_ms"].as_u64()).collect();
        let used = |side: usize| {
            let turns = left.iter().skip(side).step_by(2).count() as u64;
            let last = left.iter().skip(side).step_by(2).next_back().copied().unwrap_or(base);
            (base + turns * increment).saturating_sub(last)
        };
        let passed = u64::try_from(self.began.elapsed().as_millis())? + CLOCK_MARGIN_MS;
        let used = used(0) + used(1);
        ensure!(used <= passed, "{}: the players have used {used} ms, and {passed} ms have passed", self.code);
        Ok(())
    }
}

/// The result by the rules, as PGN writes it.
fn result_text(rules: &RulesChecker) -> &'static str {
    match rules.result() {
        None => "*",
        Some("white_win") => "1-0",
        Some("black_win") => "0-1",
        Some(_) => "1/2-1/2",
    }
}

/// The moves of a PGN, without numbers and comments, and its result.
fn read_movetext(text: &str) -> (Vec<String>, String) {
    let mut moves = Vec::new();
    let (mut end, mut is_comment) = (String::new(), false);
    for word in text.split_whitespace() {
        is_comment |= word.starts_with('{');
        if is_comment {
            is_comment = !word.ends_with('}');
        } else if ["*", "1-0", "0-1", "1/2-1/2"].contains(&word) {
            word.clone_into(&mut end);
        } else if !word.ends_with('.') {
            moves.push(word.to_owned());
        }
    }
    (moves, end)
}

/// Compares the streams in Redis, read with redis-cli, with the moves that clients saw: every entry once, in order and with times
/// that never go back, no further move, and one end if there is one.
pub fn compare_streams(cli: impl Fn(&[&str]) -> Result<String>, games: &[AuditedGame]) -> Result<()> {
    for AuditedGame { code, moves, result } in games {
        let claim = cli(&["get", &format!("test:code:{code}")])?;
        let room = claim.rsplit(' ').next().unwrap_or_default();
        let listing = cli(&["xrange", &format!("test:{{{room}}}:log"), "-", "+"])?;
        let lines: Vec<&str> = listing.lines().collect();
        let (mut stored, mut ends, mut last_at) = (Vec::new(), 0, 0);
        for (index, line) in lines.chunks(3).enumerate() {
            let [id, "line", text] = line else { bail!("{code}: {line:?} is not a line of a log") };
            ensure!(*id == format!("{}-0", index + 1), "{code}: line {} is {id}", index + 1);
            let entry: Value = serde_json::from_str(text)?;
            let at = entry["at"].as_u64().with_context(|| format!("{code}: {text} has no time"))?;
            ensure!(at >= last_at, "{code}: time goes back from {last_at} to {at} in line {}", index + 1);
            last_at = at;
            let fact = &entry["fact"];
            stored.extend(fact["moved"]["mv"].as_str().map(str::to_owned));
            ends += usize::from(!fact["ended"].is_null());
        }
        ensure!(stored == *moves, "{code}: {stored:?} in the stream, and {moves:?} were seen");
        ensure!(ends == usize::from(result != "*"), "{code}: {ends} ends in the stream, and the result is {result}");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_moves_among_numbers_and_comments() {
        let text = "1. e4 {[%clk 0:05:00]} 1... e5 { two words } 2. Nf3 1/2-1/2\n";
        assert_eq!(read_movetext(text), (vec!["e4".into(), "e5".into(), "Nf3".into()], "1/2-1/2".into()));
    }

    #[test]
    fn a_stream_with_a_repeated_or_missing_move_is_found() {
        let game = |moves: &[&str]| AuditedGame {
            code: "table".into(),
            moves: moves.iter().map(|&mv| mv.to_owned()).collect(),
            result: "*".into(),
        };
        let entry = |number: u64, at: u64, mv: &str| {
            format!(
                "{number}-0\nline\n{{\"at\":{at},\"write_id\":1,\"fact\":{{\"moved\":{{\"mv\":\"{mv}\",\"took\":0}}}}}}"
            )
        };
        let compare = |stream: String, moves: &[&str]| {
            compare_streams(
                |words| Ok(if words[0] == "get" { "open 1".into() } else { stream.clone() }),
                &[game(moves)],
            )
        };
        let right = format!("{}\n{}", entry(1, 5, "e2e4"), entry(2, 5, "e7e5"));
        compare(right.clone(), &["e2e4", "e7e5"]).unwrap();
        compare(right.clone(), &["e2e4"]).unwrap_err();
        compare(right, &["e2e4", "e7e5", "g1f3"]).unwrap_err();
        let gap = format!("{}\n{}", entry(1, 5, "e2e4"), entry(3, 5, "e7e5"));
        compare(gap, &["e2e4", "e7e5"]).unwrap_err();
        let back = format!("{}\n{}", entry(1, 5, "e2e4"), entry(2, 4, "e7e5"));
        compare(back, &["e2e4", "e7e5"]).unwrap_err();
    }
}
