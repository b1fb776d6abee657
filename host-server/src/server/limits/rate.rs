//! Rate limiters (GCRA, from the `governor` crate): per address and per connection.

use std::fmt;
use std::num::NonZeroU32;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use governor::clock::{Clock, DefaultClock};
use governor::middleware::NoOpMiddleware;
use governor::state::keyed::HashMapStateStore;
use governor::state::{InMemoryState, NotKeyed};
use governor::{NotUntil, Quota, RateLimiter};

use super::RetryAfter;
use super::bucket::{Bucket, PREFIXES, buckets};
use crate::server::ClientAddress;

/// Number of checks after which expired addresses are removed. It bounds the map to this plus the active addresses.
pub(super) const SWEEP_AFTER: u32 = 65_536;

/// The wait that is reported for what is never allowed.
const NEVER: Duration = Duration::from_hours(24);

type BucketRateLimiter<C> = RateLimiter<Bucket, HashMapStateStore<Bucket>, C, NoOpMiddleware<<C as Clock>::Instant>>;

/// Rate limiter per client address.
pub(super) struct AddressRateLimiter<C: Clock> {
    /// One for each of [`PREFIXES`].
    limiters: [BucketRateLimiter<C>; PREFIXES.len()],
    clock: C,
    checks: AtomicU32,
}

impl<C: Clock + Clone> AddressRateLimiter<C> {
    /// Allows `limit` events per `period`, all of which may come in one burst.
    pub(super) fn new(limit: NonZeroU32, period: Duration, clock: &C) -> Self {
        let limiters = PREFIXES.map(|(_, multiple)| {
            let limit = NonZeroU32::new(multiple).map_or(limit, |multiple| limit.saturating_mul(multiple));
            RateLimiter::hashmap_with_clock(quota(limit, period), clock.clone())
        });
        Self { limiters, clock: clock.clone(), checks: AtomicU32::new(0) }
    }

    /// Counts one event. The error names the bucket that is empty.
    pub(super) fn check(&self, address: ClientAddress) -> Result<(), (Bucket, RetryAfter)> {
        self.check_many(address, NonZeroU32::MIN)
    }

    /// Counts several events at once. More than the whole limit are never allowed.
    pub(super) fn check_many(&self, address: ClientAddress, count: NonZeroU32) -> Result<(), (Bucket, RetryAfter)> {
        if self.checks.fetch_add(1, Ordering::Relaxed) >= SWEEP_AFTER {
            self.remove_expired();
        }
        for (limiter, (_, bucket)) in self.limiters.iter().zip(buckets(address)) {
            let never = |_| (bucket, RetryAfter(NEVER));
            let checked = limiter.check_key_n(&bucket, count).map_err(never)?;
            checked.map_err(|not| (bucket, retry_after(&not, &self.clock)))?;
        }
        Ok(())
    }

    /// Removes addresses whose bucket is full again.
    pub(super) fn remove_expired(&self) {
        self.checks.store(0, Ordering::Relaxed);
        for limiter in &self.limiters {
            limiter.retain_recent();
            limiter.shrink_to_fit();
        }
    }

    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.limiters.iter().map(RateLimiter::len).sum()
    }
}

impl<C: Clock> fmt::Debug for AddressRateLimiter<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AddressRateLimiter").finish_non_exhaustive()
    }
}

/// Burst size in seconds of the configured rate: a board that reconnects sends its queued events at once.
const BURST_SECONDS: u32 = 5;

/// Rate limiter for the messages of one connection.
#[derive(Debug)]
pub struct MessageRate<C: Clock = DefaultClock> {
    limiter: Option<RateLimiter<NotKeyed, InMemoryState, C, NoOpMiddleware<C::Instant>>>,
    clock: C,
}

impl<C: Clock + Clone> MessageRate<C> {
    pub(super) fn new(per_second: Option<NonZeroU32>, clock: &C) -> Self {
        let limiter = per_second.map(|per_second| {
            let burst = per_second.saturating_mul(NonZeroU32::MIN.saturating_add(BURST_SECONDS - 1));
            let quota = quota(burst, Duration::from_secs(BURST_SECONDS.into()));
            RateLimiter::direct_with_clock(quota, clock.clone())
        });
        Self { limiter, clock: clock.clone() }
    }

    /// Counts one message.
    pub fn check(&self) -> Result<(), RetryAfter> {
        let limiter = self.limiter.as_ref();
        limiter.map_or(Ok(()), |limiter| limiter.check().map_err(|not| retry_after(&not, &self.clock)))
    }
}

fn quota(limit: NonZeroU32, period: Duration) -> Quota {
    // `with_period` fails only for a limit of more than one event per nanosecond.
    let quota = Quota::with_period(period / limit.get()).unwrap_or_else(|| Quota::per_second(limit));
    quota.allow_burst(limit)
}

fn retry_after<C: Clock>(not: &NotUntil<C::Instant>, clock: &C) -> RetryAfter {
    RetryAfter(not.wait_time_from(clock.now()))
}
