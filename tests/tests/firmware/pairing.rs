use std::net::Ipv4Addr;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};
use tests::parts;
use tests::qemu::{Board, Qemu};
use tests::relay::{RelayProcess, StoreLocation, get, post};
use tests::temp_dir::TempDir;
use tokio::runtime::{Builder, Runtime};

use crate::lan::Lan;

/// Timeout of every wait. It ends a test that hangs.
const TIMEOUT: Duration = Duration::from_mins(1);

const BOARD_ADDRESS: Ipv4Addr = Ipv4Addr::new(10, 0, 2, 77);

/// A relay whose owner answers pairing requests.
struct OwnedRelay {
    process: RelayProcess,
    runtime: Runtime,
    _folder: TempDir,
}

impl OwnedRelay {
    fn start() -> Result<Option<Self>> {
        let folder = TempDir::new()?;
        let process = RelayProcess::start(StoreLocation::Folder(folder.path().to_owned()), &[])?;
        let runtime = Builder::new_current_thread().enable_all().build()?;
        Ok(process.map(|process| Self { process, runtime, _folder: folder }))
    }

    fn port(&self) -> u16 {
        self.process.address().port()
    }

    /// Waits for a request.
    fn pending(&self) -> Result<Value> {
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

    fn answer(&self, request: &Value, answer: &Value) -> Result<()> {
        let path = format!("/owner/pairings/{}", request["id"].as_str().context("a request has an id")?);
        let header = "content-type: application/json\r\n";
        let answered = self.runtime.block_on(post(self.process.address(), &path, header, &answer.to_string()))?;
        ensure!(answered.status == 200, "{}", answered.text());
        Ok(())
    }

    /// Pairs the board that asks, after its squares were compared with those in its log.
    fn pair(&mut self, board: &mut Board) -> Result<()> {
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

/// A board with the address of its relay and without a key asks this relay to be paired; after a restart it has its key in the journal.
#[test]
fn a_board_with_a_relay_and_without_a_key_is_paired() -> Result<()> {
    let Some(image) = parts::mps2_image() else { return Ok(()) };
    let Some(mut relay) = OwnedRelay::start()? else { return Ok(()) };
    let folder = TempDir::new()?;
    let journal = format!("journal={}", folder.path().join("journal").display());
    let address = format!("relay=ws://10.0.2.2:{}", relay.port());
    let mut board = Qemu::new(&image).network().argument(&journal).argument(&address).boot()?;
    relay.pair(&mut board)?;
    drop(board);
    let mut board = Qemu::new(&image).network().argument(&journal).boot()?;
    board.wait_for("relay online")?;
    relay.process.check()
}

/// A board without a relay finds one in its network, is paired with it, and connects to it by its name.
#[test]
fn a_board_finds_a_relay_and_is_paired() -> Result<()> {
    let Some(image) = parts::mps2_image() else { return Ok(()) };
    let Some(mut relay) = OwnedRelay::start()? else { return Ok(()) };
    let lan = Lan::new(relay.port(), BOARD_ADDRESS)?;
    let mut board = Qemu::new(&image).lan_peer(lan.port()).argument("ip=10.0.2.77/24").boot()?;
    relay.pair(&mut board)?;
    ensure!(
        lan.mdns_queries() >= 3,
        "{} queries: for the service, and for the host at each connection",
        lan.mdns_queries()
    );
    Ok(())
}

/// A declined board plays on, and does not ask again.
#[test]
fn a_declined_board_stops_asking() -> Result<()> {
    let Some(image) = parts::mps2_image() else { return Ok(()) };
    let Some(mut relay) = OwnedRelay::start()? else { return Ok(()) };
    let address = format!("relay=ws://10.0.2.2:{}", relay.port());
    let mut board = Qemu::new(&image).network().argument(&address).boot()?;
    let request = relay.pending()?;
    relay.answer(&request, &json!({ "answer": "decline" }))?;
    board.wait_for("pairing: declined by the relay, no further request until the next start")?;
    relay.process.check()
}
