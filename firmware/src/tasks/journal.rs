//! Executes flash operations of the journal, so that the main loop does not wait for them.

use defmt::warn;
use embassy_sync::blocking_mutex::raw::RawMutex;
use embassy_sync::mutex::Mutex;
use embassy_time::{Duration, Timer};

use super::channels::{ERASE_AHEAD, FLASH_OPERATIONS, FLASH_RESULT, FlashOperation, NOTICES};
use super::clock;
use super::liveness::check_in_during;
use crate::hal::{Flash, Stopwatch};
use crate::liveness::TaskId;
use crate::lost_time::LostTime;

/// Time between the announcement of an erase and the erase. The console needs 9 ms to print the announcement.
const NOTICE_TIME: Duration = Duration::from_millis(20);

pub(crate) async fn journal(flash: &Mutex<impl RawMutex, impl Flash>, mut stopwatch: impl Stopwatch) -> ! {
    let mut lost_time = LostTime::new();
    loop {
        let operation = check_in_during(TaskId::Journal, FLASH_OPERATIONS.receive()).await;
        if let FlashOperation::Erase(_) = operation {
            let _ = NOTICES.try_send("journal: erasing a flash sector, the board may pause for up to 4 s");
            ERASE_AHEAD.signal(());
            Timer::after(NOTICE_TIME).await;
        }
        let result = {
            let mut flash = flash.lock().await;
            match &operation {
                FlashOperation::Erase(bank) => {
                    clock::run_stalling(&mut stopwatch, &mut lost_time, || flash.erase(*bank))
                }
                FlashOperation::Write { bank, offset, bytes } => flash.write(*bank, *offset, bytes),
            }
        };
        if let FlashOperation::Erase(_) = operation {
            let _ = NOTICES.try_send(if result.is_ok() {
                "journal: sector erased"
            } else {
                "journal: erasing the sector failed"
            });
        }
        if result.is_err() {
            warn!("journal write or erase failed");
        }
        FLASH_RESULT.signal(result.is_ok());
    }
}
