//! Counts open connections, in total and per address.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;

use super::RetryAfter;
use super::bucket::{Bucket, PREFIXES, buckets};
use crate::metrics::{self, Limit};
use crate::server::ClientAddress;

/// `Retry-After` of a full server. When a connection ends is not known.
const FULL: RetryAfter = RetryAfter(Duration::from_secs(5));

#[derive(Debug)]
pub(super) struct ConnectionLimiter {
    max: Option<NonZeroU32>,
    max_per_address: Option<NonZeroU32>,
    open: Mutex<OpenConnections>,
}

#[derive(Debug, Default)]
struct OpenConnections {
    total: u32,
    /// No entry is zero, so the map has at most three entries per connection.
    per_address: HashMap<Bucket, u32>,
}

/// RAII permit for one connection, which is counted until the permit is dropped.
#[derive(Debug)]
pub(crate) struct ConnectionPermit {
    limiter: Arc<ConnectionLimiter>,
    address: Option<ClientAddress>,
    in_total: bool,
}

impl ConnectionLimiter {
    pub(super) fn new(max: Option<NonZeroU32>, max_per_address: Option<NonZeroU32>) -> Arc<Self> {
        Arc::new(Self { max, max_per_address, open: Mutex::default() })
    }

    /// Acquires a permit. The connection of a proxy has no address to count; a client behind a proxy is not counted in the
    /// total, since the proxy's connection already is.
    pub(super) fn acquire(
        self: &Arc<Self>,
        address: Option<ClientAddress>,
        in_total: bool,
    ) -> Result<ConnectionPermit, RetryAfter> {
        let mut open = self.open.lock();
        if in_total && self.max.is_some_and(|max| open.total >= max.get()) {
            metrics::refused(Limit::Connections);
            return Err(FULL);
        }
        if let Some(address) = address {
            let is_full = |(index, bucket): (usize, Bucket)| {
                let multiple = PREFIXES.get(index).map_or(1, |&(_, multiple)| multiple);
                let count = open.per_address.get(&bucket).copied().unwrap_or(0);
                self.max_per_address.is_some_and(|max| count >= max.get().saturating_mul(multiple))
            };
            if buckets(address).any(is_full) {
                metrics::refused(Limit::ConnectionsPerAddress);
                return Err(FULL);
            }
            for (_, bucket) in buckets(address) {
                *open.per_address.entry(bucket).or_default() += 1;
            }
        }
        open.total += u32::from(in_total);
        drop(open);
        Ok(ConnectionPermit { limiter: self.clone(), address, in_total })
    }
}

impl Drop for ConnectionPermit {
    fn drop(&mut self) {
        let mut open = self.limiter.open.lock();
        open.total -= u32::from(self.in_total);
        for (_, bucket) in self.address.into_iter().flat_map(buckets) {
            if let Entry::Occupied(mut entry) = open.per_address.entry(bucket) {
                *entry.get_mut() -= 1;
                if *entry.get() == 0 {
                    entry.remove();
                }
            }
        }
    }
}
