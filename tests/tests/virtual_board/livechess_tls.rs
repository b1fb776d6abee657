use std::fs::{self, File};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use tests::parts;
use tests::relay::get;
use tests::temp_dir::TempDir;

use crate::fixture::VirtualBoardFixture;

/// Timeout of every wait. It ends a test that hangs.
const TIMEOUT: Duration = Duration::from_mins(1);

/// `tabiya livechess` as a process. Dropping it kills the process.
struct LiveChess(Child);

impl LiveChess {
    /// Serves the virtual board of a relay behind TLS. Without a certificate it trusts those of the machine.
    fn start(relay: SocketAddr, key: &Path, certificate: Option<&Path>, folder: &Path) -> Result<Option<Self>> {
        let Some(program) = parts::tabiya() else { return Ok(None) };
        fs::create_dir(folder)?;
        let mut command = Command::new(program);
        command.args(["livechess", "--relay", &format!("wss://localhost:{}", relay.port()), "--board=virtual"]);
        command.args(["--listen=127.0.0.1:0", "--key-file"]).arg(key).current_dir(folder);
        if let Some(certificate) = certificate {
            command.env("SSL_CERT_FILE", certificate);
        }
        command.stdout(File::create(folder.join("output"))?).stderr(Stdio::from(File::create(folder.join("log"))?));
        Ok(Some(Self(command.spawn()?)))
    }
}

impl Drop for LiveChess {
    fn drop(&mut self) {
        // A destructor cannot report an error.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn until<T>(what: &str, mut found: impl FnMut() -> Result<Option<T>>) -> Result<T> {
    let deadline = Instant::now() + TIMEOUT;
    loop {
        if let Some(found) = found()? {
            return Ok(found);
        }
        ensure!(Instant::now() < deadline, "{what} is never seen");
        thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn livechess_reads_a_board_of_a_relay_behind_tls_and_checks_its_certificate() -> Result<()> {
    let folder = TempDir::new()?;
    let made = rcgen::generate_simple_self_signed(["localhost".to_owned()])?;
    let (certificate, key) = (folder.path().join("certificate.pem"), folder.path().join("key.pem"));
    fs::write(&certificate, made.cert.pem())?;
    fs::write(&key, made.signing_key.serialize_pem())?;
    let arguments = [
        "--virtual-board=local".to_owned(),
        format!("--tls-cert={}", certificate.display()),
        format!("--tls-key={}", key.display()),
    ];
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let Some(fixture) = VirtualBoardFixture::start(&arguments)? else { return Ok(()) };
    let board_key = fixture.relay.data().context("an embedded store")?.join("virtual-board.key");
    let address = fixture.relay.address();

    let strange = folder.path().join("strange");
    let Some(_livechess) = LiveChess::start(address, &board_key, None, &strange)? else { return Ok(()) };
    until("the error", || {
        let log = fs::read_to_string(strange.join("log"))?;
        Ok((log.contains("connecting to the relay failed, will retry") && log.contains("certificate")).then_some(()))
    })?;

    let trusted = folder.path().join("trusted");
    let Some(_livechess) = LiveChess::start(address, &board_key, Some(&certificate), &trusted)? else { return Ok(()) };
    let livechess: SocketAddr = until("the address", || {
        let output = fs::read_to_string(trusted.join("output"))?;
        let address = output.strip_prefix("LiveChess: ws://").and_then(|rest| rest.split('/').next());
        Ok(address.and_then(|address| address.parse().ok()))
    })?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    until("the board", || {
        let boards = runtime.block_on(get(livechess, "/api/v1.0/eboards"))?;
        Ok(boards.text().contains("ACTIVE").then_some(()))
    })?;
    ensure!(
        !fs::read_to_string(strange.join("log"))?.contains("connected to the relay"),
        "a strange certificate is trusted"
    );
    Ok(())
}
