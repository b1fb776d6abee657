//! Carries out what the journal wants done to its banks.

use defmt::warn;
use embassy_sync::blocking_mutex::raw::RawMutex;
use embassy_sync::mutex::Mutex;

use super::meeting::{CHORES, Chore, DONE};
use super::roll::patiently;
use crate::parts::Vault;
use crate::roll_call::Who;

pub(crate) async fn journal(vault: &Mutex<impl RawMutex, impl Vault>) -> ! {
    loop {
        let chore = patiently(Who::Journal, CHORES.receive()).await;
        let result = {
            let mut vault = vault.lock().await;
            match &chore {
                Chore::Erase(bank) => vault.erase(*bank),
                Chore::Write { bank, offset, bytes } => vault.write(*bank, *offset, bytes),
            }
        };
        if result.is_err() {
            warn!("the journal could not be written");
        }
        DONE.signal(result.is_ok());
    }
}
