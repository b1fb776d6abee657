use std::time::{Duration, Instant};

use parking_lot::Mutex;
use redb::ReadTransaction;

use super::file::Trouble;
use super::tables;

/// A measurement reads the whole file. The next one waits for this many times as long as the last one took.
const PAUSE: u32 = 20;

/// How much of the file holds data. The file itself does not shrink: the pages of removed games are free for new ones.
#[derive(Debug, Default)]
pub(super) struct Usage(Mutex<Option<Measured>>);

#[derive(Clone, Copy, Debug)]
struct Measured {
    bytes: u64,
    took: Duration,
    at: Instant,
}

impl Usage {
    /// The bytes in use, at present or a while ago.
    pub(super) fn measure(&self, file: &ReadTransaction) -> Result<u64, Trouble> {
        let mut last = self.0.lock();
        if let Some(Measured { bytes, took, at }) = *last
            && at.elapsed() < took * PAUSE
        {
            return Ok(bytes);
        }
        let began = Instant::now();
        let bytes = tables::used(file)?;
        *last = Some(Measured { bytes, took: began.elapsed(), at: Instant::now() });
        Ok(bytes)
    }
}
