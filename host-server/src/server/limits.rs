//! How much is too much, and who has had it.

mod rate;
mod seats;

use std::collections::HashMap;
use std::fmt;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use governor::clock::{Clock, DefaultClock, Reference};
use governor::nanos::Nanos;

pub use rate::MessageRate;
use rate::Rates;
pub(super) use seats::Permit;
use seats::Seats;

use super::address::Household;
use super::metrics::{self, Limit};
use crate::config::LimitConfig;

const MINUTE: Duration = Duration::from_mins(1);

/// How long to wait until it is not too much any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wait(pub Duration);

impl Wait {
    /// In whole seconds, as `Retry-After` says it. It is never none, since then there would be nothing to wait for.
    #[must_use]
    pub fn seconds(self) -> u64 {
        self.0.as_millis().div_ceil(1_000).max(1) as u64
    }
}

impl fmt::Display for Wait {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.seconds() {
            1 => f.write_str("try again in a second"),
            seconds => write!(f, "try again in {seconds} seconds"),
        }
    }
}

/// All limits of a relay. It remembers an address only for as long as that makes a difference.
#[derive(Debug)]
pub(super) struct Limits<C: Clock = DefaultClock> {
    config: LimitConfig,
    clock: C,
    seats: Arc<Seats>,
    connections: Option<Rates<C>>,
    requests: Option<Rates<C>>,
    joins: Option<Rates<C>>,
    /// Who has tried too many codes, and until when.
    guessers: Mutex<HashMap<Household, C::Instant>>,
}

impl<C: Clock + Clone> Limits<C> {
    pub(super) fn new(config: LimitConfig, clock: &C) -> Self {
        let rates = |limit: Option<_>| limit.map(|limit| Rates::new(limit, MINUTE, clock));
        Self {
            config,
            clock: clock.clone(),
            seats: Seats::new(config.connections, config.connections_per_address),
            connections: rates(config.connections_per_minute),
            requests: rates(config.requests_per_minute),
            joins: rates(config.joins_per_minute),
            guessers: Mutex::default(),
        }
    }

    /// Somebody has connected. A proxy connects for many, so it is only counted among all.
    pub(super) fn connect(&self, address: IpAddr, is_proxy: bool) -> Result<Permit, Wait> {
        let household = (!is_proxy).then(|| Household::from(address));
        if let Some(household) = household {
            check(self.connections.as_ref(), household, Limit::ConnectionRate)?;
        }
        self.seats.take(household, true)
    }

    /// Somebody has connected to a proxy of ours, which is already counted among all.
    pub(super) fn connect_through_proxy(&self, address: IpAddr) -> Result<Permit, Wait> {
        self.seats.take(Some(address.into()), false)
    }

    pub(super) fn request(&self, address: IpAddr) -> Result<(), Wait> {
        check(self.requests.as_ref(), address.into(), Limit::RequestRate)
    }

    /// Somebody tries a code that opens nothing.
    pub(super) fn join(&self, address: IpAddr) -> Result<(), Wait> {
        let household = address.into();
        check(self.joins.as_ref(), household, Limit::JoinRate).inspect_err(|wait| {
            self.guessers().insert(household, self.clock.now() + Nanos::from(wait.0));
        })
    }

    /// Somebody tries a code that opens something. Who has just tried too many that did not is not told so: otherwise all
    /// codes could be tried, and those that are refused for another reason would be the right ones.
    pub(super) fn join_known(&self, address: IpAddr) -> Result<(), Wait> {
        let (household, now) = (Household::from(address), self.clock.now());
        match self.guessers().get(&household) {
            Some(&until) if until > now => {
                metrics::refused(Limit::JoinRate);
                Err(Wait(until.duration_since(now).into()))
            }
            _ => Ok(()),
        }
    }

    fn guessers(&self) -> MutexGuard<'_, HashMap<Household, C::Instant>> {
        // Nothing is ever half-done in it.
        self.guessers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn messages(&self) -> MessageRate<C> {
        MessageRate::new(self.config.messages_per_second, &self.clock)
    }

    pub(super) const fn message_size(&self) -> usize {
        self.config.message
    }

    /// Forgets everybody who has not asked for anything lately.
    pub(super) fn forget(&self) {
        for rates in [&self.connections, &self.requests, &self.joins].into_iter().flatten() {
            rates.forget();
        }
        let now = self.clock.now();
        self.guessers().retain(|_, until| *until > now);
    }
}

fn check<C: Clock + Clone>(rates: Option<&Rates<C>>, household: Household, limit: Limit) -> Result<(), Wait> {
    rates.map_or(Ok(()), |rates| rates.check(household)).inspect_err(|_| metrics::refused(limit))
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU32;

    use governor::clock::FakeRelativeClock;

    use super::*;

    fn limits() -> (Limits<FakeRelativeClock>, FakeRelativeClock) {
        let clock = FakeRelativeClock::default();
        let config = LimitConfig {
            connections: NonZeroU32::new(5),
            connections_per_address: NonZeroU32::new(2),
            connections_per_minute: NonZeroU32::new(6),
            requests_per_minute: NonZeroU32::new(60),
            joins_per_minute: NonZeroU32::new(3),
            messages_per_second: NonZeroU32::new(10),
            message: 65_536,
        };
        (Limits::new(config, &clock), clock)
    }

    fn address(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    #[test]
    fn a_rate_is_a_number_in_a_minute() {
        let (limits, clock) = limits();
        let (here, there) = (address("192.0.2.1"), address("192.0.2.2"));
        for _ in 0..3 {
            assert_eq!(limits.join(here), Ok(()));
        }
        assert_eq!(limits.join(here), Err(Wait(Duration::from_secs(20))));
        assert_eq!(limits.join(there), Ok(()));
        clock.advance(Duration::from_millis(19_500));
        let wait = limits.join(here).unwrap_err();
        assert_eq!((wait, wait.seconds()), (Wait(Duration::from_millis(500)), 1));
        clock.advance(Duration::from_millis(500));
        assert_eq!(limits.join(here), Ok(()));
        assert!(limits.join(here).is_err());
        clock.advance(MINUTE);
        for _ in 0..3 {
            assert_eq!(limits.join(here), Ok(()));
        }
    }

    #[test]
    fn who_guesses_is_not_told_which_codes_are_right() {
        let (limits, clock) = limits();
        let (here, there) = (address("192.0.2.1"), address("192.0.2.2"));
        for _ in 0..3 {
            assert_eq!((limits.join(here), limits.join_known(here)), (Ok(()), Ok(())));
        }
        assert_eq!(limits.join_known(here), Ok(()), "nobody has tried too many yet");
        let wait = Wait(Duration::from_secs(20));
        assert_eq!((limits.join(here), limits.join_known(here)), (Err(wait), Err(wait)));
        assert_eq!(limits.join_known(there), Ok(()));
        clock.advance(Duration::from_secs(20));
        assert_eq!(limits.join_known(here), Ok(()));
        limits.forget();
        assert!(limits.guessers().is_empty());
    }

    #[test]
    fn a_household_shares_its_limits() {
        let (limits, _) = limits();
        for host in 1..=3 {
            assert_eq!(limits.join(address(&format!("2001:db8:1:2::{host}"))), Ok(()));
        }
        assert!(limits.join(address("2001:db8:1:2:3:4:5:6")).is_err());
        assert_eq!(limits.join(address("2001:db8:1:3::1")), Ok(()));
    }

    #[test]
    fn connections_are_counted_while_they_last() {
        let (limits, _) = limits();
        let (here, there, proxy) = (address("192.0.2.1"), address("192.0.2.2"), address("10.0.0.1"));
        let first = limits.connect(here, false).unwrap();
        let _second = limits.connect(here, false).unwrap();
        assert!(limits.connect(here, false).is_err());
        let _third = limits.connect(there, false).unwrap();
        drop(first);
        let again = limits.connect(here, false).unwrap();
        // A proxy is only limited in all.
        let _fourth = limits.connect(proxy, true).unwrap();
        let fifth = limits.connect(proxy, true).unwrap();
        assert!(limits.connect(proxy, true).is_err());
        assert!(limits.connect(there, false).is_err());
        // Those who come through it are only limited each.
        let _here = limits.connect_through_proxy(there).unwrap();
        assert!(limits.connect_through_proxy(there).is_err());
        drop((again, fifth));
        assert!(limits.connect(proxy, true).is_ok());
    }

    #[test]
    fn new_connections_are_limited_even_if_they_do_not_last() {
        let (limits, clock) = limits();
        let here = address("192.0.2.1");
        for _ in 0..6 {
            drop(limits.connect(here, false).unwrap());
        }
        assert_eq!(limits.connect(here, false).unwrap_err(), Wait(Duration::from_secs(10)));
        clock.advance(Duration::from_secs(10));
        drop(limits.connect(here, false).unwrap());
    }

    #[test]
    fn messages_may_come_five_seconds_worth_at_once() {
        let (limits, clock) = limits();
        let rate = limits.messages();
        for _ in 0..50 {
            assert_eq!(rate.check(), Ok(()));
        }
        assert_eq!(rate.check(), Err(Wait(Duration::from_millis(100))));
        clock.advance(Duration::from_millis(100));
        assert_eq!(rate.check(), Ok(()));
        assert!(rate.check().is_err());
        assert_eq!(limits.messages().check(), Ok(()));
    }

    #[test]
    fn no_limit_is_no_limit() {
        let config = LimitConfig {
            connections: None,
            connections_per_address: None,
            connections_per_minute: None,
            requests_per_minute: None,
            joins_per_minute: None,
            messages_per_second: None,
            message: 65_536,
        };
        let limits = Limits::new(config, &FakeRelativeClock::default());
        let here = address("192.0.2.1");
        let permits: Vec<_> = (0..5_000).map(|_| limits.connect(here, false).unwrap()).collect();
        assert!((0..5_000).all(|_| limits.join(here).is_ok() && limits.request(here).is_ok()));
        let rate = limits.messages();
        assert!((0..5_000).all(|_| rate.check().is_ok()));
        drop(permits);
    }

    #[test]
    fn addresses_are_forgotten() {
        let (limits, clock) = limits();
        for number in 0..400_000_u32 {
            assert_eq!(limits.request(IpAddr::from(number.to_be_bytes())), Ok(()));
            clock.advance(Duration::from_micros(10));
        }
        // A request a minute's sixtieth is forgotten after two seconds, and it is looked at every so many requests.
        assert!(limits.requests.as_ref().unwrap().known() <= 200_001 + rate::SWEEP_AFTER as usize);
        clock.advance(Duration::from_secs(2));
        limits.forget();
        assert_eq!(limits.requests.as_ref().unwrap().known(), 0);
    }
}
