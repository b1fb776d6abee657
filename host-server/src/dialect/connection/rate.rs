//! Message rate limits of a connection: refuse what exceeds them, or read more slowly.

use std::num::NonZeroU32;
use std::time::Duration;

use governor::clock::{Clock, DefaultClock};
use governor::{DefaultDirectRateLimiter, Quota, RateLimiter};
use tokio::time::Instant;

use super::End;
use crate::server::{MessageRate, RetryAfter};

/// A client may exceed its rate by this many messages more than it has sent within it. After that it is disconnected.
const TOLERATED_EXCESS: u32 = 100;

/// The message rate limit of a connection.
pub(in crate::dialect) enum Rate {
    /// Messages beyond the limit are refused.
    Refuse { limiter: MessageRate, excess: u32 },
    /// The socket is read no faster than the limit.
    Delay(Box<Delay>),
}

/// A limiter that slows down reading.
pub(in crate::dialect) struct Delay {
    limiter: DefaultDirectRateLimiter,
    clock: DefaultClock,
    /// Whether the next message has been paid for.
    is_permitted: bool,
}

/// What to do with a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::dialect) enum Checked {
    Within,
    /// To be refused.
    Exceeded(RetryAfter),
}

impl Rate {
    pub(in crate::dialect) const fn refuse(limiter: MessageRate) -> Self {
        Self::Refuse { limiter, excess: 0 }
    }

    /// Reads at most `burst` messages at once, and one more in each `interval`.
    pub(in crate::dialect) fn delay(burst: NonZeroU32, interval: Duration) -> Self {
        let quota = Quota::with_period(interval).unwrap_or_else(|| Quota::per_second(NonZeroU32::MIN));
        let limiter = RateLimiter::direct(quota.allow_burst(burst));
        Self::Delay(Box::new(Delay { limiter, clock: DefaultClock::default(), is_permitted: false }))
    }

    /// Until when the socket must not be read, if it must not be now.
    pub(super) fn delay_until(&mut self) -> Option<Instant> {
        let Self::Delay(delay) = self else { return None };
        if !delay.is_permitted {
            match delay.limiter.check() {
                Ok(()) => delay.is_permitted = true,
                Err(not) => return Some(Instant::now() + not.wait_time_from(delay.clock.now())),
            }
        }
        None
    }

    /// Counts a message that was received.
    pub(in crate::dialect) fn count(&mut self) -> Result<Checked, End> {
        match self {
            Self::Delay(delay) => {
                delay.is_permitted = false;
                Ok(Checked::Within)
            }
            Self::Refuse { limiter, excess } => match limiter.check() {
                Ok(()) => {
                    *excess = excess.saturating_sub(1);
                    Ok(Checked::Within)
                }
                Err(_) if *excess >= TOLERATED_EXCESS => Err(End::Rate),
                Err(wait) => {
                    *excess += 1;
                    Ok(Checked::Exceeded(wait))
                }
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_burst_is_read_at_once_and_then_more_slowly() {
        let mut rate = Rate::delay(NonZeroU32::new(256).unwrap(), Duration::from_hours(1));
        for _ in 0..256 {
            assert_eq!(rate.delay_until(), None);
            assert_eq!(rate.delay_until(), None, "one permit is for one message");
            assert_eq!(rate.count(), Ok(Checked::Within));
        }
        let until = rate.delay_until().unwrap();
        let wait = until.saturating_duration_since(Instant::now());
        assert!(wait > Duration::from_mins(59) && wait <= Duration::from_hours(1), "{wait:?}");
    }
}
