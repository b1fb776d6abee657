//! Latency of fsync on the same disk: the lower bound of every durable store.

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use tests::temp_dir::TempDir;

/// One write.
const PAGE: [u8; 4_096] = [1; 4_096];
const PAGES: u64 = 256;

/// Pause between writes, so that the probe hardly loads the disk.
const EVERY: Duration = Duration::from_millis(10);

/// Writes and syncs pages in the background, and measures each.
pub(crate) struct Probe {
    stop: Arc<AtomicBool>,
    thread: JoinHandle<Result<Vec<f64>>>,
}

impl Probe {
    pub(crate) fn start() -> Self {
        let stop = Arc::new(AtomicBool::new(false));
        let is_over = stop.clone();
        Self { stop, thread: thread::spawn(move || probe(&is_over)) }
    }

    /// Stops, and returns the time of each write in milliseconds.
    pub(crate) fn stop(self) -> Result<Vec<f64>> {
        self.stop.store(true, Ordering::Relaxed);
        self.thread.join().ok().context("the probe of the disk has failed")?
    }
}

fn probe(is_over: &AtomicBool) -> Result<Vec<f64>> {
    let folder = TempDir::new()?;
    let file = File::create(folder.path().join("pages"))?;
    file.set_len(PAGES * PAGE.len() as u64)?;
    let mut took = Vec::new();
    for page in (0..PAGES).cycle() {
        if is_over.load(Ordering::Relaxed) {
            break;
        }
        let begin = Instant::now();
        file.write_all_at(&PAGE, page * PAGE.len() as u64)?;
        file.sync_data()?;
        took.push(begin.elapsed().as_secs_f64() * 1_000.0);
        thread::sleep(EVERY);
    }
    Ok(took)
}
