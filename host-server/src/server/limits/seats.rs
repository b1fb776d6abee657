use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::num::NonZeroU32;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use super::Wait;
use crate::server::address::Household;
use crate::server::metrics::{self, Limit};

/// Nobody knows when somebody leaves. This is soon enough for a program, and long enough not to be a burden.
const UNTIL_SOMEBODY_LEAVES: Wait = Wait(Duration::from_secs(5));

/// How many connections there are, and whose they are.
#[derive(Debug)]
pub(super) struct Seats {
    most: Option<NonZeroU32>,
    most_each: Option<NonZeroU32>,
    taken: Mutex<Taken>,
}

#[derive(Debug, Default)]
struct Taken {
    all: u32,
    /// Nobody is in it with none, so it is never larger than all connections.
    each: HashMap<Household, u32>,
}

/// That a connection may be. It is counted until this is dropped.
#[derive(Debug)]
pub(crate) struct Permit {
    seats: Arc<Seats>,
    household: Option<Household>,
    /// Whether it is counted among all.
    counts: bool,
}

impl Seats {
    pub(super) fn new(most: Option<NonZeroU32>, most_each: Option<NonZeroU32>) -> Arc<Self> {
        Arc::new(Self { most, most_each, taken: Mutex::default() })
    }

    /// Takes a seat. A proxy's belongs to no household, and those who come through it are not counted among all again.
    pub(super) fn take(self: &Arc<Self>, household: Option<Household>, counts: bool) -> Result<Permit, Wait> {
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        if counts && self.most.is_some_and(|most| taken.all >= most.get()) {
            metrics::refused(Limit::Connections);
            return Err(UNTIL_SOMEBODY_LEAVES);
        }
        if let Some(household) = household {
            let each = taken.each.get(&household).copied().unwrap_or(0);
            if self.most_each.is_some_and(|most| each >= most.get()) {
                metrics::refused(Limit::ConnectionsPerAddress);
                return Err(UNTIL_SOMEBODY_LEAVES);
            }
            taken.each.insert(household, each + 1);
        }
        taken.all += u32::from(counts);
        drop(taken);
        Ok(Permit { seats: self.clone(), household, counts })
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        let mut taken = self.seats.taken.lock().unwrap_or_else(PoisonError::into_inner);
        taken.all -= u32::from(self.counts);
        if let Some(household) = self.household
            && let Entry::Occupied(mut entry) = taken.each.entry(household)
        {
            *entry.get_mut() -= 1;
            if *entry.get() == 0 {
                entry.remove();
            }
        }
    }
}
