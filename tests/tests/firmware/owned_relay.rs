use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};
use tests::qemu::Board;
use tests::relay::{RelayProcess, StoreLocation, get, post};
use tests::temp_dir::TempDir;
use tokio::runtime::{Builder, Runtime};

/// Timeout of every wait. It ends a test that hangs.
const TIMEOUT: Duration = Duration::from_mins(1);

/// A relay whose owner answers pairing requests.
pub(crate) struct OwnedRelay {
    pub(crate) process: RelayProcess,
    runtime: Runtime,
    _folder: TempDir,
}

impl OwnedRelay {
    pub(crate) fn start() -> Result<Option<Self>> {
        let folder = TempDir::new()?;
        let process = RelayProcess::start(StoreLocation::Folder(folder.path().to_owned()), &[])?;
        let runtime = Builder::new_current_thread().enable_all().build()?;
        Ok(process.map(|process| Self { process, runtime, _folder: folder }))
    }

    pub(crate) fn port(&self) -> u16 {
        self.process.address().port()
    }

    /// Waits for a request.
    pub(crate) fn pending(&self) -> Result<Value> {
        let deadline = Instant::now() + TIMEOUT;
        loop {
            let answer = self.runtime.block_on(get(self.process.address(), "/owner/pairings"))?.json()?;
            if let Some([request, ..]) = answer["pairings"].as_array().map(Vec::as_slice) {
                return Ok(request.clone());
            }
            ensure!(Instant::now() < deadline, "no board asks to be paired");
            thread::sleep(Duration::from_millis(20));
        }
    }

    pub(crate) fn answer(&self, request: &Value, answer: &Value) -> Result<()> {
        let path = format!("/owner/pairings/{}", request["id"].as_str().context("a request has an id")?);
        let header = "content-type: application/json\r\n";
        let answered = self.runtime.block_on(post(self.process.address(), &path, header, &answer.to_string()))?;
        ensure!(answered.status == 200, "{}", answered.text());
        Ok(())
    }

    /// What the console of the board answers to the owner.
    pub(crate) fn run_line(&self, line: &str) -> Result<String> {
        let (path, header) = ("/owner/boards/kitchen/console", "content-type: application/json\r\n");
        let body = json!({ "line": line }).to_string();
        let answered = self.runtime.block_on(post(self.process.address(), path, header, &body))?;
        ensure!(answered.status == 200, "{line}: {}", answered.text());
        Ok(answered.json()?["answer"].as_str().context("an answer is text")?.to_owned())
    }

    /// Repeats a line until its answer contains this.
    pub(crate) fn wait_for_line(&self, line: &str, expected: &str) -> Result<()> {
        let deadline = Instant::now() + TIMEOUT;
        loop {
            let answer = self.run_line(line)?;
            if answer.contains(expected) {
                return Ok(());
            }
            ensure!(Instant::now() < deadline, "{line} answers {answer}, not {expected}");
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// Waits until the owner's page shows exactly these closed switches.
    pub(crate) fn wait_for_switches(&self, squares: &[&str]) -> Result<()> {
        let deadline = Instant::now() + TIMEOUT;
        loop {
            let state = self.runtime.block_on(get(self.process.address(), "/owner/boards/kitchen/state"))?.json()?;
            if state["live"]["occupied"] == json!(squares) {
                return Ok(());
            }
            ensure!(Instant::now() < deadline, "{state}, not {squares:?}");
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// Pairs the board that asks, after its squares were compared with those in its log.
    pub(crate) fn pair(&mut self, board: &mut Board) -> Result<()> {
        let request = self.pending().with_context(|| board.transcript())?;
        let squares: Vec<&str> =
            request["squares"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        ensure!(squares.len() == 8, "{request}");
        board.wait_for(&format!("pairing: compare the squares {}", squares.join(" ")))?;
        self.answer(&request, &json!({ "answer": "accept", "name": "kitchen" }))?;
        board.wait_for("pairing: accepted by the relay")?;
        board.wait_for("relay online")?;
        let listed: Value = serde_json::from_str(&self.process.command(&["boards", "list", "--json"])?)?;
        ensure!(listed[0]["name"] == "kitchen", "{listed}");
        self.process.check()
    }
}
