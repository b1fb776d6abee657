//! The stored record of a board's session: written before anything of it is sent (write-ahead), with compare-and-swap.

use std::time::Duration;

use tokio::time::sleep;

use super::super::close_cause::CloseCause;
use super::super::record::BoardRecord;
use super::BoardConnection;
use crate::metrics;
use crate::store::{Collection, StoreError};

/// Maximum number of retries of a store operation.
const RETRIES: u32 = 5;

impl BoardConnection {
    /// Stores the record of the session if it has changed.
    pub(super) async fn keep(&mut self) -> Result<(), CloseCause> {
        if self.relay_session.needs_storing() {
            let record = self.relay_session.record().through(Some(self.server.relay().id()));
            self.write(&record).await?;
            self.relay_session.mark_stored(&record);
        }
        Ok(())
    }

    async fn write(&mut self, record: &BoardRecord) -> Result<(), CloseCause> {
        let store = self.server.relay().store().clone();
        let name = self.board.id().to_string();
        let bytes = serde_json::to_vec(record).map_err(|error| StoreError::Corrupt(error.to_string()))?;
        let mut pause = Duration::from_millis(50);
        let mut failures = 0;
        let mut is_uncertain = false;
        loop {
            match store.write(Collection::Sessions, &name, self.version, &bytes).await {
                Ok(Some(version)) => {
                    self.version = version;
                    return Ok(());
                }
                Ok(None) if is_uncertain => {
                    // An earlier try may have succeeded although its answer was lost.
                    let found = store.read(Collection::Sessions, &name).await?.filter(|found| found.bytes == bytes);
                    self.version = found.ok_or(CloseCause::Replaced)?.version;
                    return Ok(());
                }
                Ok(None) => return Err(CloseCause::Replaced),
                Err(error @ (StoreError::Unavailable(_) | StoreError::Unclear(_))) if failures < RETRIES => {
                    metrics::store_failed("write");
                    is_uncertain |= matches!(error, StoreError::Unclear(_));
                    failures += 1;
                    sleep(pause).await;
                    pause *= 2;
                }
                Err(error) => return Err(error.into()),
            }
        }
    }

    /// Stores the record without a relay, and leaves the room.
    pub(super) async fn release(&mut self, close_cause: &CloseCause) {
        if matches!(close_cause, CloseCause::Unpaired) {
            // The board will not come back.
            let _ = self.leave().await;
            self.leave_followed_game().await;
            let _ = self.server.relay().store().remove(Collection::Sessions, &self.board.id().to_string()).await;
        }
        // The opponent learns of the disconnection before the board can reconnect.
        self.handle = None;
        // The board repeats what is not stored yet. A version conflict means that another relay serves the board by now.
        if close_cause.leaves_record() && self.relay_session.is_whole() && !self.relay_session.needs_storing() {
            let record = self.relay_session.record().through(None);
            let _ = self.write(&record).await;
        }
    }
}
