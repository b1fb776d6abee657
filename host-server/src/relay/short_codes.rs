//! Short codes of tables that wait for an opponent: the first six characters of the code, to be read out to another person.
//!
//! A short code is valid until the game begins, for at most a day. The code itself stays the permanent address of the game. There are a
//! thousand million short codes: with a thousand tables that wait, an address that tries 30 codes per minute needs three weeks to find
//! one of them.

use std::sync::atomic::{AtomicU64, Ordering};

use serde::{Deserialize, Serialize};

use super::Relay;
use crate::random;
use crate::room::{Code, Entry, Room, Time};
use crate::store::{Collection, StoreError};

/// An invitation is valid for this long, in milliseconds.
const VALID_MS: u64 = 24 * 60 * 60 * 1_000;

/// How often a relay removes expired short codes, in milliseconds.
const SWEEP_MS: u64 = 60 * 60 * 1_000;

/// The record of a short code.
#[derive(Debug, Serialize, Deserialize)]
struct Waiting {
    code: Code,
    /// When the table was opened, in milliseconds of the store's time.
    at: u64,
}

impl Waiting {
    const fn is_expired(&self, now: Time) -> bool {
        now.0.saturating_sub(self.at) >= VALID_MS
    }
}

/// When expired short codes were removed last.
#[derive(Debug, Default)]
pub(super) struct LastSweep(AtomicU64);

impl Relay {
    /// Draws a code whose short code leads to no other table that waits.
    pub async fn draw_code(&self) -> Result<Code, StoreError> {
        let store = self.store();
        self.sweep_short_codes().await?;
        loop {
            let code = random::code();
            let Some(short) = random::short_code(&code) else { continue };
            let version = match store.read(Collection::ShortCodes, short).await? {
                Some(record) if self.waiting(&record.bytes).await?.is_some() => continue,
                Some(record) => record.version,
                None => 0,
            };
            let waiting = Waiting { code: code.clone(), at: store.now().0 };
            let bytes = serde_json::to_vec(&waiting).unwrap_or_default();
            if store.write(Collection::ShortCodes, short, version, &bytes).await?.is_some() {
                return Ok(code);
            }
        }
    }

    /// The code of the table that waits under a short code, in capital or small letters.
    pub async fn find_short_code(&self, short: &Code) -> Result<Option<Code>, StoreError> {
        let short = short.as_str().to_ascii_uppercase();
        if !random::is_short(&short) {
            return Ok(None);
        }
        match self.store().read(Collection::ShortCodes, &short).await? {
            Some(record) => self.waiting(&record.bytes).await,
            None => Ok(None),
        }
    }

    /// The code in a record, if its table still waits.
    async fn waiting(&self, bytes: &[u8]) -> Result<Option<Code>, StoreError> {
        let Ok(waiting) = serde_json::from_slice::<Waiting>(bytes) else { return Ok(None) };
        if waiting.is_expired(self.store().now()) {
            return Ok(None);
        }
        let Some(room) = self.find(&waiting.code).await? else { return Ok(None) };
        let waits = |room: &Room| room.games() == 0 && room.open_seat().is_some();
        let waits = if let Some(room) = self.copy(room).await {
            waits(&room)
        } else {
            let waits = move |log: Vec<Entry>| Room::from_log(&log).is_some_and(|room| waits(&room));
            self.replay_log(room, waits).await?.unwrap_or(false)
        };
        Ok(waits.then_some(waiting.code))
    }

    /// Removes expired short codes from time to time.
    async fn sweep_short_codes(&self) -> Result<(), StoreError> {
        let store = self.store();
        let now = store.now();
        let last = self.shared.short_codes_swept.0.load(Ordering::Relaxed);
        if last != 0 && now.0.saturating_sub(last) < SWEEP_MS {
            return Ok(());
        }
        self.shared.short_codes_swept.0.store(now.0.max(1), Ordering::Relaxed);
        for (short, record) in store.list(Collection::ShortCodes).await? {
            let waiting = serde_json::from_slice::<Waiting>(&record.bytes);
            if waiting.is_ok_and(|waiting| !waiting.is_expired(now)) {
                continue;
            }
            store.remove(Collection::ShortCodes, &short).await?;
        }
        Ok(())
    }
}
