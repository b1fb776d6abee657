//! A relay with an embedded store.

use std::net::SocketAddr;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use rustix::process::{Pid, Resource, Rlimit, prlimit};
use tokio::task::block_in_place;
use tokio::time::sleep;

use super::fault::Fault;
use super::{Entrances, LONG_GRACE};
use crate::proxy::Proxy;
use crate::relay::{RelayProcess, StoreLocation};
use crate::temp_dir::TempDir;

/// A file size that the store has reached already.
const FULL: u64 = 4_096;

pub(super) struct EmbeddedSite {
    relay: RelayProcess,
    /// A second way to the relay.
    door: Proxy,
    _folder: TempDir,
}

impl EmbeddedSite {
    /// `None` if the program is missing.
    pub(super) async fn start() -> Result<Option<Self>> {
        let folder = TempDir::new()?;
        let location = StoreLocation::Folder(folder.path().join("data"));
        let Some(relay) = block_in_place(|| RelayProcess::start(location, &[LONG_GRACE]))? else { return Ok(None) };
        let door = Proxy::start(relay.address()).await?;
        Ok(Some(Self { relay, door, _folder: folder }))
    }

    pub(super) fn entrances(&self) -> Entrances {
        [self.relay.address(), self.door.address()].into()
    }

    pub(super) fn relay(&self) -> SocketAddr {
        self.relay.address()
    }

    /// Injects a fault, and repairs it after this time.
    pub(super) async fn inject(&mut self, fault: Fault, time: Duration) -> Result<()> {
        match fault {
            Fault::EmbeddedKilled => {
                block_in_place(|| self.relay.kill9())?;
                sleep(time).await;
                block_in_place(|| self.relay.restart())
            }
            Fault::EmbeddedSuspended => {
                self.relay.suspend()?;
                sleep(time).await;
                self.relay.resume()
            }
            Fault::EmbeddedTerminated => block_in_place(|| {
                self.relay.terminate()?;
                let status = self.relay.wait()?;
                ensure!(status.success(), "the relay has ended with {status}");
                self.relay.restart()
            }),
            Fault::EmbeddedDiskFull => {
                let pid = Pid::from_raw(self.relay.process_id()?.try_into()?).context("a process has an id")?;
                let limit = |current| Rlimit { current, maximum: None };
                prlimit(Some(pid), Resource::Fsize, limit(Some(FULL)))?;
                sleep(time).await;
                prlimit(Some(pid), Resource::Fsize, limit(None))?;
                Ok(())
            }
            _ => bail!("not a fault of this site"),
        }
    }

    /// The relay has not failed, and its file is not damaged.
    pub(super) fn check(&mut self) -> Result<()> {
        block_in_place(|| {
            self.relay.check()?;
            self.relay.kill9()?;
            self.relay.command(&["store", "check"]).map(drop)
        })
    }
}
