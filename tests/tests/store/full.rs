//! A full disk, and a disk with room again.
//!
//! Two ways to have a full disk: a small tmpfs, where the system allows one without root, and a limit on the file size,
//! which works everywhere.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};
use std::{env, fs, io};

use anyhow::{Result, ensure};
use host_server::store::embedded::Embedded;
use host_server::store::{Appended, Store, StoreError};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use tests::temp_dir::TempDir;
use tokio::time::sleep;

use crate::DAY;
use crate::entries::{batch, head, line, open_room, write_ids};

/// Environment variables for the child process: the path of the store, and of a file that fills the disk.
const CHILD_STORE: &str = "TABIYA_TEST_STORE";
const CHILD_BALLAST: &str = "TABIYA_TEST_BALLAST";

/// Timeout of every wait. It ends a test that hangs.
const TIMEOUT: Duration = Duration::from_mins(1);

/// The initial limit of the file size, in bytes.
const LIMIT: u64 = 3 << 20;

/// The child process of the tests below: it appends until the disk is full, and again when there is room.
#[test]
fn child_that_fills_the_disk() -> Result<()> {
    // Only as a child process.
    let Some(path) = env::var_os(CHILD_STORE).map(PathBuf::from) else { return Ok(()) };
    let ballast = env::var_os(CHILD_BALLAST).map(PathBuf::from);
    if let Some(ballast) = &ballast {
        fs::write(ballast, vec![1; 1 << 20])?;
    } else {
        setrlimit(Resource::Fsize, Rlimit { current: Some(LIMIT), ..getrlimit(Resource::Fsize) })?;
    }
    tokio::runtime::Runtime::new()?.block_on(fill(&path, || {
        if let Some(ballast) = &ballast {
            fs::remove_file(ballast)?;
        } else {
            let limit = getrlimit(Resource::Fsize);
            setrlimit(Resource::Fsize, Rlimit { current: limit.maximum, ..limit })?;
        }
        Ok(())
    }))?;
    writeln!(io::stdout(), "appended after the disk was full")?;
    Ok(())
}

async fn fill(path: &Path, make_room: impl FnOnce() -> Result<()>) -> Result<()> {
    let store: Arc<dyn Store> = Arc::new(Embedded::open(path, DAY)?);
    let (room, _) = open_room(&*store).await?;
    let mut known = 1;
    // The write id of an entry is the number of entries before it.
    let end = |known: u64| head(known, known - 1);
    let error = loop {
        // Large batches, so that the disk fills quickly.
        let lines = (0..200).map(|number| line(known + number)).collect();
        match store.append(room, batch(end(known), lines)).await {
            Ok(Appended::Done) => known += 200,
            Ok(other) => anyhow::bail!("a conflict without another writer: {other:?}"),
            Err(error) => break error,
        }
        ensure!(known < 10_000_000, "the disk is never full");
    };
    ensure!(matches!(error, StoreError::Full(_)), "{error}");
    ensure!(known > 1000, "the disk was full too early");
    let expected: Vec<u64> = (1..known).collect();
    ensure!(write_ids(&store.load(room, 1).await?) == expected, "acknowledged entries can be read");

    let error = store.append(room, batch(end(known), (0..20_000).map(line).collect())).await;
    ensure!(matches!(error, Err(StoreError::Full(_))), "{error:?}");
    ensure!(write_ids(&store.load(room, 1).await?) == expected, "a failed append changes nothing");

    // A check after a failure is a real write, and not one that fits into free pages of the file.
    for _ in 0..3 {
        let checked = store.check().await;
        ensure!(matches!(checked, Err(StoreError::Full(_))), "the disk is full, but the check says {checked:?}");
    }

    // A player must not lose on time who cannot move.
    let stopped = store.now();
    for _ in 0..3 {
        let error = store.append(room, batch(end(known), (0..20_000).map(line).collect())).await;
        ensure!(matches!(error, Err(StoreError::Full(_))), "{error:?}");
    }
    ensure!(store.now() == stopped, "the clock runs although nothing can be stored");
    let begin = Instant::now();
    make_room()?;
    let deadline = Instant::now() + TIMEOUT;
    // It goes on although nobody asks for anything.
    while store.now() == stopped {
        ensure!(Instant::now() < deadline, "the disk has room again, but the clock stands still");
        sleep(Duration::from_millis(50)).await;
    }
    let counted = u128::from(store.now().since(stopped));
    ensure!(counted <= begin.elapsed().as_millis() + 1, "{counted} ms are counted");
    while let Err(error) = store.check().await {
        ensure!(Instant::now() < deadline, "the disk has room again, but the check says: {error}");
        sleep(Duration::from_millis(50)).await;
    }
    while let Err(error) = store.append(room, batch(end(known), vec![line(known)])).await {
        ensure!(Instant::now() < deadline, "the disk has room again, but: {error}");
        sleep(Duration::from_millis(50)).await;
    }
    ensure!(write_ids(&store.load(room, known).await?) == [known]);
    drop(store);
    let store = Embedded::open(path, DAY)?;
    ensure!(store.load(room, 1).await?.len() as u64 == known, "all entries are there after a restart");
    Ok(())
}

/// Runs the child in a shell script that prepares the disk. Returns false if the preparation failed.
fn run(script: &str, wrapper: &[&str], variables: &[(&str, &Path)]) -> Result<bool> {
    let child = env::current_exe()?;
    let mut words: Vec<&str> = wrapper.to_vec();
    words.extend(["sh", "-c", script]);
    let mut command = Command::new(words[0]);
    command.args(&words[1..]).arg(child);
    command.args(["--exact", "full::child_that_fills_the_disk", "--nocapture"]);
    command.envs(variables.iter().copied()).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let Ok(child) = command.spawn() else { return Ok(false) };
    let output = child.wait_with_output()?;
    let output_lines: Vec<String> = BufReader::new(&*output.stdout).lines().collect::<io::Result<_>>()?;
    if !output_lines.iter().any(|line| line.contains("ready")) {
        return Ok(false);
    }
    let all = output_lines.join("\n") + &String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success() && all.contains("appended after the disk was full"), "{all}");
    Ok(true)
}

#[test]
fn reports_a_file_size_limit_as_a_full_disk() -> Result<()> {
    let folder = TempDir::new()?;
    // SIGXFSZ would end the process.
    let script = "trap '' XFSZ && echo ready && exec \"$0\" \"$@\"";
    let ran = run(script, &[], &[(CHILD_STORE, &folder.path().join("store"))])?;
    ensure!(ran, "no shell");
    Ok(())
}

#[test]
fn reports_a_full_disk_and_goes_on_when_there_is_room() -> Result<()> {
    let folder = TempDir::new()?;
    let disk = folder.path().join("disk");
    fs::create_dir(&disk)?;
    let script = format!("mount -t tmpfs -o size=4m tmpfs '{}' && echo ready && exec \"$0\" \"$@\"", disk.display());
    let wrapper = ["unshare", "--user", "--map-root-user", "--mount"];
    let variables = [(CHILD_STORE, &*disk.join("store")), (CHILD_BALLAST, &*disk.join("ballast"))];
    if !run(&script, &wrapper, &variables)? {
        // Directly to stderr, since the test harness captures the output of tests that pass.
        let _ = writeln!(io::stderr(), "skipped: mounting a tmpfs without root is not possible here");
    }
    Ok(())
}
