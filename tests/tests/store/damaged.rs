//! A damaged file of the embedded store, and other users of the machine.

#![cfg(unix)]

use std::fs;
use std::net::SocketAddr;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use futures_util::FutureExt;
use host_server::room::{Entry, Fact, RoomId, Speaker};
use host_server::store::embedded::{Checked, Embedded, OpenError, check};
use host_server::store::{Collection, Store};
use tests::parts;
use tests::random::Random;
use tests::relay::{RelayProcess, StoreLocation, post};
use tests::temp_dir::TempDir;

use crate::DAY;
use crate::entries::{batch, close_room, fresh, fresh_code, head, line, open_room, opening};

/// Number of damaged copies.
const COPIES: u64 = 60;

/// Number of damaged copies among which one makes the store thread panic.
const FATAL_SEEDS: u64 = 2_000;

/// Timeout of every wait. It ends a test that hangs.
const TIMEOUT: Duration = Duration::from_mins(1);

const POLL: Duration = Duration::from_millis(10);

/// A file with a few rooms and boards.
async fn make(path: &Path) -> Result<()> {
    let store: Arc<dyn Store> = Arc::new(Embedded::open(path, DAY)?);
    for number in 0..20_u64 {
        let (room, _) = open_room(&*store).await?;
        let lines = (0..40).map(|line_number| line(1 + line_number)).collect();
        store.append(room, batch(head(1, 0), lines)).await?;
        store.write(Collection::Boards, &format!("board {number}"), 0, b"{}").await?;
    }
    Ok(())
}

/// Overwrites or truncates a part of the file.
fn damage(bytes: &mut Vec<u8>, seed: u64) {
    let mut random = Random::new(seed);
    let length = bytes.len() as u64;
    if seed.is_multiple_of(10) {
        bytes.truncate(usize::try_from(random.within(0..=length - 1)).unwrap_or_default());
        return;
    }
    for _ in 0..=random.within(0..=20) {
        // Half of it in the first pages, which describe the rest.
        let span = if random.within(0..=1) == 0 { length.min(64 << 10) } else { length };
        let at = usize::try_from(random.within(0..=span - 1)).unwrap_or_default();
        let end = bytes.len().min(at + 1 + usize::try_from(random.within(0..=63)).unwrap_or_default());
        for byte in &mut bytes[at..end] {
            *byte = u8::try_from(random.within(0..=255)).unwrap_or_default();
        }
    }
}

/// Runs `tabiya` with the store in this folder.
fn run(program: &Path, words: &[&str], folder: &Path) -> Result<(Option<i32>, String, String)> {
    let output = Command::new(program).args(words).arg("--data").arg(folder).current_dir(folder).output()?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Ok((output.status.code(), text(&output.stdout), text(&output.stderr)))
}

/// A damaged file is refused in one sentence, never with a panic.
#[tokio::test(flavor = "multi_thread")]
async fn a_damaged_file_is_reported_in_one_sentence() -> Result<()> {
    let folder = TempDir::new()?;
    let whole = folder.path().join("whole.redb");
    make(&whole).await?;
    let checked = check(&whole)?;
    ensure!(
        checked == Checked { rooms: 20, open_rooms: 20, entries: 820, boards: 20, is_repaired: false },
        "{checked:?}"
    );
    let bytes = fs::read(&whole)?;
    let (mut found, mut panicked) = (0, None);
    for seed in 0..COPIES {
        let copy = folder.path().join(format!("{seed}.redb"));
        let mut damaged = bytes.clone();
        damage(&mut damaged, seed);
        fs::write(&copy, &damaged)?;
        // Neither call may panic.
        let opened = Embedded::open(&copy, DAY).map(drop);
        fs::write(&copy, &damaged)?;
        let checked = check(&copy);
        found += u64::from(checked.is_err());
        if let Err(OpenError::Damaged(..)) = opened {
            panicked = Some(damaged);
        }
        fs::remove_file(&copy)?;
    }
    ensure!(found > COPIES / 2, "only {found} of {COPIES} damaged files were found");

    let Some(program) = parts::tabiya() else { return Ok(()) };
    let data = folder.path().join("data");
    fs::create_dir(&data)?;
    let file = data.join("tabiya.redb");
    fs::copy(&whole, &file)?;
    let (code, text, errors) = run(&program, &["store", "check"], &data)?;
    let expected = "no damage. Rooms: 20, of which open: 20. Log entries: 820. Boards: 20.\n";
    ensure!(code == Some(0) && text.ends_with(expected) && errors.is_empty(), "{text}{errors}");
    fs::write(&file, panicked.context("no copy makes the library panic")?)?;
    for words in [&["store", "check"][..], &["serve", "--listen", "127.0.0.1:0", "--log", "error"]] {
        let (code, text, errors) = run(&program, words, &data)?;
        let is_sentence = errors.starts_with("tabiya: ") && errors.lines().count() == 1;
        ensure!(code == Some(1) && text.is_empty() && is_sentence, "{words:?}: {code:?} {text}{errors}");
        ensure!(errors.contains("tabiya.redb is damaged, restore a backup"), "{errors}");
    }
    fs::remove_file(&file)?;
    let (code, _, errors) = run(&program, &["store", "check"], &data)?;
    ensure!(code == Some(1) && errors.contains("tabiya.redb cannot be opened"), "{errors}");
    Ok(())
}

/// The chat of a closed room is deleted, which leaves gaps in the numbers of its log.
#[tokio::test(flavor = "multi_thread")]
async fn a_closed_room_without_its_chat_is_not_damaged() -> Result<()> {
    let folder = TempDir::new()?;
    let path = folder.path().join("tabiya.redb");
    {
        let store = Embedded::open(&path, DAY)?;
        let (room, code) = open_room(&store).await?;
        let speaker = Speaker { id: "u".repeat(12).parse()?, name: "Ann".parse()?, color: None };
        let chat = Entry { fact: Fact::Said { speaker, text: "hello".to_owned() }, ..line(1) };
        store.append(room, batch(head(1, 0), vec![chat, line(2)])).await?;
        close_room(&store, room, &code, head(3, 2)).await?;
    }
    let checked = check(&path)?;
    ensure!(checked == Checked { rooms: 1, entries: 3, ..Checked::default() }, "{checked:?}");
    Ok(())
}

/// A copy of the file that can be opened, and on which the thread that writes panics.
async fn fails_when_written(bytes: &[u8], folder: &Path) -> Result<Option<Vec<u8>>> {
    let copy = folder.join("copy.redb");
    for seed in 0..FATAL_SEEDS {
        let mut damaged = bytes.to_vec();
        damage(&mut damaged, seed);
        fs::write(&copy, &damaged)?;
        let Ok(store) = Embedded::open(&copy, DAY) else { continue };
        let store: Arc<dyn Store> = Arc::new(store);
        for _ in 0..3 {
            let (room, code) = (RoomId(fresh()), fresh_code());
            // Errors are expected.
            let _ = store.create(room, &code, &[opening(room, &code)]).await;
        }
        if store.ended().now_or_never().is_some() {
            return Ok(Some(damaged));
        }
    }
    Ok(None)
}

/// A relay whose store thread has failed exits with an error, so that its supervisor restarts it.
#[tokio::test(flavor = "multi_thread")]
async fn a_relay_exits_when_its_store_thread_has_failed() -> Result<()> {
    let folder = TempDir::new()?;
    let whole = folder.path().join("whole.redb");
    make(&whole).await?;
    let damaged = fails_when_written(&fs::read(&whole)?, folder.path()).await?;
    let damaged = damaged.context("no copy makes the store thread panic")?;
    let Some(program) = parts::tabiya() else { return Ok(()) };
    let data = folder.path().join("data");
    fs::create_dir(&data)?;
    fs::write(data.join("tabiya.redb"), damaged)?;
    let log = folder.path().join("log");
    let mut relay = Command::new(program)
        .args(["serve", "--listen=127.0.0.1:0", "--virtual-board=off", "--log-format=json", "--data"])
        .arg(&data)
        .current_dir(&data)
        .stdout(Stdio::null())
        .stderr(fs::File::create(&log)?)
        .spawn()?;
    let deadline = Instant::now() + TIMEOUT;
    let status = loop {
        if let Some(status) = relay.try_wait()? {
            break status;
        }
        if Instant::now() > deadline {
            relay.kill()?;
            relay.wait()?;
            bail!("the relay does not exit:\n{}", fs::read_to_string(&log)?);
        }
        // Creates games until one of them makes the store thread panic. Errors are expected.
        match listening_at(&fs::read_to_string(&log)?) {
            Some(address) => drop(post(address, "/games", "content-type: application/json\r\n", "{}").await),
            None => tokio::time::sleep(POLL).await,
        }
    };
    let log = fs::read_to_string(&log)?;
    let last = log.lines().last().unwrap_or_default();
    ensure!(status.code() == Some(1) && last.starts_with("tabiya: "), "{status}\n{log}");
    ensure!(last.contains("the store thread has ended after an internal error"), "{log}");
    Ok(())
}

/// The address in the log of a relay that listens.
fn listening_at(log: &str) -> Option<SocketAddr> {
    log.lines().filter(|line| line.contains("\"listening\"")).find_map(|line| {
        let line: serde_json::Value = serde_json::from_str(line).ok()?;
        line.pointer("/fields/address").or_else(|| line.get("address"))?.as_str()?.parse().ok()
    })
}

/// The file contains the keys of boards, so only its owner can read it.
#[test]
fn other_users_cannot_read_a_new_file() -> Result<()> {
    let folder = TempDir::new()?;
    let path = folder.path().join("tabiya.redb");
    drop(Embedded::open(&path, DAY)?);
    let mode = fs::metadata(&path)?.permissions().mode() & 0o777;
    ensure!(mode == 0o600, "{mode:o}");
    Ok(())
}

/// A file that is already there keeps its mode, which is the operator's choice, and the relay warns.
#[test]
fn a_relay_warns_if_other_users_can_read_its_store() -> Result<()> {
    let folder = TempDir::new()?;
    let path = folder.path().join("tabiya.redb");
    drop(Embedded::open(&path, DAY)?);
    let location = StoreLocation::Folder(folder.path().to_owned());
    for (mode, warns) in [(0o600, false), (0o644, true), (0o640, true)] {
        fs::set_permissions(&path, fs::Permissions::from_mode(mode))?;
        let Some(relay) = RelayProcess::start(location.clone(), &[])? else { return Ok(()) };
        let has_warned = relay.log().iter().any(|line| line.contains("other users can read the store"));
        ensure!(has_warned == warns, "{mode:o}: {:?}", relay.log());
        ensure!(fs::metadata(&path)?.permissions().mode() & 0o777 == mode, "the mode has changed");
    }
    Ok(())
}
