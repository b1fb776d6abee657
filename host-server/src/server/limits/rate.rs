use std::fmt;
use std::num::NonZeroU32;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use governor::clock::{Clock, DefaultClock};
use governor::middleware::NoOpMiddleware;
use governor::state::keyed::HashMapStateStore;
use governor::state::{InMemoryState, NotKeyed};
use governor::{NotUntil, Quota, RateLimiter};

use super::Wait;
use crate::server::address::Household;

/// After so many checks it is time to forget somebody. A household makes a difference only until it has earned back what it
/// has used, and is remembered for little longer, so there are never many more than this plus those who are here now.
pub(super) const SWEEP_AFTER: u32 = 65_536;

/// How often each household does something.
pub(super) struct Rates<C: Clock> {
    limiter: RateLimiter<Household, HashMapStateStore<Household>, C, NoOpMiddleware<C::Instant>>,
    clock: C,
    checks: AtomicU32,
}

impl<C: Clock + Clone> Rates<C> {
    /// So often in a time, at once or not.
    pub(super) fn new(limit: NonZeroU32, time: Duration, clock: &C) -> Self {
        let quota = quota(limit, time);
        Self {
            limiter: RateLimiter::hashmap_with_clock(quota, clock.clone()),
            clock: clock.clone(),
            checks: AtomicU32::new(0),
        }
    }

    pub(super) fn check(&self, household: Household) -> Result<(), Wait> {
        if self.checks.fetch_add(1, Ordering::Relaxed) >= SWEEP_AFTER {
            self.forget();
        }
        self.limiter.check_key(&household).map_err(|not| wait(&not, &self.clock))
    }

    pub(super) fn forget(&self) {
        self.checks.store(0, Ordering::Relaxed);
        self.limiter.retain_recent();
        self.limiter.shrink_to_fit();
    }

    #[cfg(test)]
    pub(super) fn known(&self) -> usize {
        self.limiter.len()
    }
}

impl<C: Clock> fmt::Debug for Rates<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Rates").finish_non_exhaustive()
    }
}

/// So much of a second's worth of messages may come at once: a board that was away has a few things to say.
const SECONDS_AT_ONCE: u32 = 5;

/// How often a connection says something.
#[derive(Debug)]
pub struct MessageRate<C: Clock = DefaultClock> {
    limiter: Option<RateLimiter<NotKeyed, InMemoryState, C, NoOpMiddleware<C::Instant>>>,
    clock: C,
}

impl<C: Clock + Clone> MessageRate<C> {
    pub(super) fn new(per_second: Option<NonZeroU32>, clock: &C) -> Self {
        let limiter = per_second.map(|per_second| {
            let burst = per_second.saturating_mul(NonZeroU32::MIN.saturating_add(SECONDS_AT_ONCE - 1));
            let quota = quota(burst, Duration::from_secs(SECONDS_AT_ONCE.into()));
            RateLimiter::direct_with_clock(quota, clock.clone())
        });
        Self { limiter, clock: clock.clone() }
    }

    /// It says something.
    pub fn check(&self) -> Result<(), Wait> {
        let limiter = self.limiter.as_ref();
        limiter.map_or(Ok(()), |limiter| limiter.check().map_err(|not| wait(&not, &self.clock)))
    }
}

/// So much in a time, which may also come at once.
fn quota(limit: NonZeroU32, time: Duration) -> Quota {
    // There is no limit so high that nothing is left of the time; it would be none worth the name.
    let quota = Quota::with_period(time / limit.get()).unwrap_or_else(|| Quota::per_second(limit));
    quota.allow_burst(limit)
}

fn wait<C: Clock>(not: &NotUntil<C::Instant>, clock: &C) -> Wait {
    Wait(not.wait_time_from(clock.now()))
}
