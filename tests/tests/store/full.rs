//! The disk is full, and then it is not any more.
//!
//! Two ways to have one that is: a small file system of our own, where the system lets us have one without asking anybody,
//! and a limit on the size of a file. The first is the real thing; the second works everywhere.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};
use std::{env, fs, io};

use anyhow::{Context, Result, ensure};
use host_server::store::embedded::Embedded;
use host_server::store::{Appended, Store, StoreError};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use tests::redis::Folder;
use tokio::time::sleep;

use crate::DAY;
use crate::lines::{batch, line, open_room, pens};

/// Say to a child process where its store is, and what takes up the room on its disk.
const CHILD_STORE: &str = "TABIYA_TEST_STORE";
const CHILD_BALLAST: &str = "TABIYA_TEST_BALLAST";

/// So large the file may get at first.
const LIMIT: u64 = 3 << 20;

/// The child of the tests below: it writes until the disk is full, and goes on when there is room again.
#[test]
#[ignore = "it is started by other tests"]
fn child_that_fills_the_disk() -> Result<()> {
    let path = env::var_os(CHILD_STORE).map(PathBuf::from).context("nobody says where the store is")?;
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
    writeln!(io::stdout(), "it went on")?;
    Ok(())
}

async fn fill(path: &Path, make_room: impl FnOnce() -> Result<()>) -> Result<()> {
    let store: Arc<dyn Store> = Arc::new(Embedded::open(path, DAY)?);
    let (room, _) = open_room(&*store).await?;
    let mut known = 1;
    let error = loop {
        // A line of some length, so that it does not take long.
        let lines = (0..200).map(|number| line(known + number)).collect();
        match store.append(room, batch(known, lines)).await {
            Ok(Appended::Done) => known += 200,
            Ok(other) => anyhow::bail!("nobody else writes: {other:?}"),
            Err(error) => break error,
        }
        ensure!(known < 10_000_000, "the disk is never full");
    };
    ensure!(matches!(error, StoreError::Full(_)), "{error}");
    ensure!(known > 1000, "hardly anything was written before the disk was full");
    let expected: Vec<u64> = (1..known).collect();
    ensure!(pens(&store.load(room, 1).await?) == expected, "what was acknowledged can be read all the same");

    // Nothing changes as long as it is full.
    let error = store.append(room, batch(known, (0..20_000).map(line).collect())).await;
    ensure!(matches!(error, Err(StoreError::Full(_))), "{error:?}");
    ensure!(pens(&store.load(room, 1).await?) == expected, "nothing was half written");

    make_room()?;
    let began = Instant::now();
    while let Err(error) = store.append(room, batch(known, vec![line(known)])).await {
        ensure!(began.elapsed() < Duration::from_secs(20), "there is room again, but: {error}");
        sleep(Duration::from_millis(50)).await;
    }
    ensure!(pens(&store.load(room, known).await?) == [known]);
    drop(store);
    let store = Embedded::open(path, DAY)?;
    ensure!(store.load(room, 1).await?.len() as u64 == known, "all of it is there when it is opened again");
    Ok(())
}

/// Runs the child through a shell that prepares what it needs. Returns whether it came as far as being run.
fn run(script: &str, wrapper: &[&str], variables: &[(&str, &Path)]) -> Result<bool> {
    let child = env::current_exe()?;
    let mut words: Vec<&str> = wrapper.to_vec();
    words.extend(["sh", "-c", script]);
    let mut command = Command::new(words[0]);
    command.args(&words[1..]).arg(child);
    command.args(["--exact", "full::child_that_fills_the_disk", "--ignored", "--nocapture"]);
    command.envs(variables.iter().copied()).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let Ok(child) = command.spawn() else { return Ok(false) };
    let output = child.wait_with_output()?;
    let said: Vec<String> = BufReader::new(&*output.stdout).lines().collect::<io::Result<_>>()?;
    if !said.iter().any(|line| line.contains("ready")) {
        return Ok(false);
    }
    let all = said.join("\n") + &String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success() && all.contains("it went on"), "{all}");
    Ok(true)
}

#[test]
fn a_file_that_may_not_grow_is_a_full_disk() -> Result<()> {
    let folder = Folder::new()?;
    // The signal that comes with it would end the process.
    let script = "trap '' XFSZ && echo ready && exec \"$0\" \"$@\"";
    let ran = run(script, &[], &[(CHILD_STORE, &folder.path().join("store"))])?;
    ensure!(ran, "there is no shell");
    Ok(())
}

#[test]
fn a_full_disk_is_said_to_be_full_and_is_used_again() -> Result<()> {
    let folder = Folder::new()?;
    let disk = folder.path().join("disk");
    fs::create_dir(&disk)?;
    let script = format!("mount -t tmpfs -o size=4m tmpfs '{}' && echo ready && exec \"$0\" \"$@\"", disk.display());
    let wrapper = ["unshare", "--user", "--map-root-user", "--mount"];
    let variables = [(CHILD_STORE, &*disk.join("store")), (CHILD_BALLAST, &*disk.join("ballast"))];
    if !run(&script, &wrapper, &variables)? {
        // Written past the test harness, which would keep the words of a test that passes to itself.
        let _ = writeln!(io::stderr(), "skipped: there is no way to have a small disk here without being root");
    }
    Ok(())
}
