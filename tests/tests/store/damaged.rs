//! A damaged file of the embedded store, and other users of the machine.

#![cfg(unix)]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use anyhow::{Context, Result, ensure};
use host_server::store::embedded::{Checked, Embedded, OpenError, check};
use host_server::store::{Collection, Store};
use tests::parts;
use tests::random::Random;
use tests::temp_dir::TempDir;

use crate::DAY;
use crate::entries::{batch, head, line, open_room};

/// Number of damaged copies.
const COPIES: u64 = 60;

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
