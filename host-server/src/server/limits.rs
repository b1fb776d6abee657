//! Limits per client address and per connection.

mod bucket;
mod connections;
mod rate;

use std::collections::HashMap;
use std::fmt;
use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;

use governor::clock::{Clock, DefaultClock, Reference};
use governor::nanos::Nanos;
use parking_lot::Mutex;

use bucket::{Bucket, buckets};
use connections::ConnectionLimiter;
pub(super) use connections::ConnectionPermit;
use rate::AddressRateLimiter;
pub use rate::MessageRate;

use super::ClientAddress;
use crate::config::LimitConfig;
use crate::metrics::{self, Limit};
use crate::room::{MAX_CHAT_BYTES_OF_SPECTATORS, RoomId};

const MINUTE: Duration = Duration::from_mins(1);
const DAY: Duration = Duration::from_hours(24);

/// The unit in which additions to the store are counted, in bytes: about one entry of a log.
const STORE_UNIT: usize = 256;
const UNITS_PER_MEGABYTE: NonZeroU32 = NonZeroU32::new(4_096).expect("it is not zero");

/// How many genomes and presets one address may save in a day, so that it cannot use up the number that a relay stores.
const SAVES_PER_DAY: NonZeroU32 = NonZeroU32::new(500).unwrap();

/// Chat messages per minute of all spectators of one address, each with as many bytes as below: a longer message counts as several. Players
/// have only the limits of a connection and of a room.
const SPECTATOR_CHAT_PER_MINUTE: NonZeroU32 = NonZeroU32::new(20).unwrap();
const SPECTATOR_CHAT_UNIT: usize = 100;

/// What all spectators of one site may say in a room, in bytes: a part of the share of all spectators.
const SPECTATOR_CHAT_PER_ROOM: usize = MAX_CHAT_BYTES_OF_SPECTATORS / 4;

/// For how long that is remembered after the last message.
const CHAT_REMEMBERED: Duration = DAY;

/// Time after which a refused request can succeed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RetryAfter(pub Duration);

impl RetryAfter {
    /// Whole seconds for the `Retry-After` header, at least 1.
    #[must_use]
    pub fn seconds(self) -> u64 {
        self.0.as_millis().div_ceil(1_000).max(1) as u64
    }
}

impl fmt::Display for RetryAfter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.seconds() {
            1 => f.write_str("try again in a second"),
            seconds => write!(f, "try again in {seconds} seconds"),
        }
    }
}

/// What the spectators of each site have said in each room.
type SaidInRooms<I> = HashMap<(ClientAddress, RoomId), Said<I>>;

#[derive(Debug)]
struct Said<I> {
    bytes: usize,
    /// Until when that is remembered.
    until: I,
}

/// Why a chat message of a spectator is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ChatLimit {
    /// The address says too much at a time.
    Rate(RetryAfter),
    /// The share of the address in the chat of the room is used up.
    Room,
}

/// All limits of a listener. Addresses are removed as soon as they are back within their limits.
#[derive(Debug)]
pub(super) struct Limits<C: Clock = DefaultClock> {
    config: LimitConfig,
    clock: C,
    open_connections: Arc<ConnectionLimiter>,
    connections: Option<AddressRateLimiter<C>>,
    requests: Option<AddressRateLimiter<C>>,
    joins: Option<AddressRateLimiter<C>>,
    /// Genomes and presets that are saved. They are as many per minute as wrong codes, but are counted apart: who saves some can still join a game.
    saves: Option<AddressRateLimiter<C>>,
    /// The same in a day.
    saves_of_day: Option<AddressRateLimiter<C>>,
    /// What an address may add to the store in a day, in units of [`STORE_UNIT`].
    stored: Option<AddressRateLimiter<C>>,
    /// Off if messages are not limited.
    spectator_chat: Option<AddressRateLimiter<C>>,
    said: Mutex<SaidInRooms<C::Instant>>,
    /// Buckets that tried too many codes, with the end of the block.
    blocked: Mutex<HashMap<Bucket, C::Instant>>,
}

impl<C: Clock + Clone> Limits<C> {
    pub(super) fn new(config: LimitConfig, clock: &C) -> Self {
        let rates = |limit: Option<_>| limit.map(|limit| AddressRateLimiter::new(limit, MINUTE, clock));
        Self {
            config,
            clock: clock.clone(),
            open_connections: ConnectionLimiter::new(config.connections, config.connections_per_address),
            connections: rates(config.connections_per_minute),
            requests: rates(config.requests_per_minute),
            joins: rates(config.joins_per_minute),
            saves: rates(config.joins_per_minute),
            saves_of_day: config.store_per_day.map(|_| AddressRateLimiter::new(SAVES_PER_DAY, DAY, clock)),
            stored: config.store_per_day.map(|megabytes| {
                let units = megabytes.saturating_mul(UNITS_PER_MEGABYTE);
                AddressRateLimiter::new(units, DAY, clock)
            }),
            spectator_chat: rates(config.messages_per_second.map(|_| SPECTATOR_CHAT_PER_MINUTE)),
            said: Mutex::default(),
            blocked: Mutex::default(),
        }
    }

    /// A new connection. That of a proxy serves many clients, so only the total counts.
    pub(super) fn connect(&self, address: ClientAddress, is_proxy: bool) -> Result<ConnectionPermit, RetryAfter> {
        let address = (!is_proxy).then_some(address);
        if let Some(address) = address {
            check(self.connections.as_ref(), address, Limit::ConnectionRate)?;
        }
        self.open_connections.acquire(address, true)
    }

    /// A client behind a trusted proxy, whose connection is already counted in the total.
    pub(super) fn connect_through_proxy(&self, address: ClientAddress) -> Result<ConnectionPermit, RetryAfter> {
        self.open_connections.acquire(Some(address), false)
    }

    pub(super) fn request(&self, address: ClientAddress) -> Result<(), RetryAfter> {
        check(self.requests.as_ref(), address, Limit::RequestRate)
    }

    /// An attempt to join with a code that is wrong or new.
    pub(super) fn join(&self, address: ClientAddress) -> Result<(), RetryAfter> {
        let Some(joins) = &self.joins else { return Ok(()) };
        joins.check(address).map_err(|(bucket, retry)| {
            metrics::refused(Limit::JoinRate);
            self.blocked.lock().insert(bucket, self.clock.now() + Nanos::from(retry.0));
            retry
        })
    }

    /// An attempt to join with a code that exists. It is refused while the address is blocked for wrong codes; otherwise a
    /// blocked client could still recognise the existing codes by their different answer.
    pub(super) fn join_known(&self, address: ClientAddress) -> Result<(), RetryAfter> {
        let (blocked, now) = (self.blocked.lock(), self.clock.now());
        let until = buckets(address).filter_map(|(_, bucket)| blocked.get(&bucket).copied()).max();
        match until {
            Some(until) if until > now => {
                metrics::refused(Limit::JoinRate);
                Err(RetryAfter(until.duration_since(now).into()))
            }
            _ => Ok(()),
        }
    }

    /// An addition to the store.
    pub(super) fn store(&self, address: ClientAddress, bytes: usize) -> Result<(), RetryAfter> {
        let units = u32::try_from(bytes.div_ceil(STORE_UNIT)).ok().and_then(NonZeroU32::new).unwrap_or(NonZeroU32::MIN);
        let Some(stored) = &self.stored else { return Ok(()) };
        stored.check_many(address, units).map_err(|(_, retry)| {
            metrics::refused(Limit::StoreRate);
            retry
        })
    }

    /// An addition to the store that was made already, of which an address pays what it can.
    pub(super) fn stored(&self, address: ClientAddress, bytes: usize) {
        let Some(stored) = &self.stored else { return };
        let mut left = u32::try_from(bytes.div_ceil(STORE_UNIT)).unwrap_or(u32::MAX);
        let mut part = left;
        while let Some(units) = NonZeroU32::new(part.min(left)) {
            match stored.check_many(address, units) {
                Ok(()) => left -= units.get(),
                Err(_) => part = units.get() / 2,
            }
        }
    }

    /// A genome or preset that is stored.
    pub(super) fn save(&self, address: ClientAddress, bytes: usize) -> Result<(), RetryAfter> {
        check(self.saves.as_ref(), address, Limit::StoreRate)?;
        check(self.saves_of_day.as_ref(), address, Limit::StoreRate)?;
        self.store(address, bytes)
    }

    /// A chat message of a spectator, in bytes.
    pub(super) fn spectator_chat(&self, address: ClientAddress, room: RoomId, bytes: usize) -> Result<(), ChatLimit> {
        let Some(chat) = &self.spectator_chat else { return Ok(()) };
        let mut said = self.said.lock();
        let before = said.get(&(address.site(), room)).map_or(0, |said| said.bytes);
        if before.saturating_add(bytes) > SPECTATOR_CHAT_PER_ROOM {
            metrics::refused(Limit::SpectatorChat);
            return Err(ChatLimit::Room);
        }
        let units = u32::try_from(bytes.div_ceil(SPECTATOR_CHAT_UNIT)).ok().and_then(NonZeroU32::new);
        // The longest message is as much as the whole limit.
        let units = units.unwrap_or(NonZeroU32::MIN).min(SPECTATOR_CHAT_PER_MINUTE);
        chat.check_many(address, units).map_err(|(_, retry)| {
            metrics::refused(Limit::SpectatorChat);
            ChatLimit::Rate(retry)
        })?;
        let until = self.clock.now() + Nanos::from(CHAT_REMEMBERED);
        said.insert((address.site(), room), Said { bytes: before + bytes, until });
        Ok(())
    }

    pub(super) fn messages(&self) -> MessageRate<C> {
        MessageRate::new(self.config.messages_per_second, &self.clock)
    }

    pub(super) const fn message_size(&self) -> usize {
        self.config.message
    }

    pub(super) fn remove_expired(&self) {
        let (saves, chat) = ([&self.saves, &self.saves_of_day, &self.stored], &self.spectator_chat);
        let limiters = [&self.connections, &self.requests, &self.joins, chat].into_iter().chain(saves);
        for limiter in limiters.flatten() {
            limiter.remove_expired();
        }
        let now = self.clock.now();
        self.blocked.lock().retain(|_, until| *until > now);
        self.said.lock().retain(|_, said| said.until > now);
    }
}

fn check<C: Clock + Clone>(
    limiter: Option<&AddressRateLimiter<C>>,
    address: ClientAddress,
    limit: Limit,
) -> Result<(), RetryAfter> {
    limiter.map_or(Ok(()), |limiter| limiter.check(address)).map_err(|(_, retry)| {
        metrics::refused(limit);
        retry
    })
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

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
            store_per_day: NonZeroU32::new(1),
            message: 65_536,
        };
        (Limits::new(config, &clock), clock)
    }

    fn address(text: &str) -> ClientAddress {
        text.parse::<IpAddr>().unwrap().into()
    }

    #[test]
    fn a_rate_allows_a_number_of_events_per_minute() {
        let (limits, clock) = limits();
        let (here, there) = (address("192.0.2.1"), address("192.0.2.2"));
        for _ in 0..3 {
            assert_eq!(limits.join(here), Ok(()));
        }
        assert_eq!(limits.join(here), Err(RetryAfter(Duration::from_secs(20))));
        assert_eq!(limits.join(there), Ok(()));
        clock.advance(Duration::from_millis(19_500));
        let wait = limits.join(here).unwrap_err();
        assert_eq!((wait, wait.seconds()), (RetryAfter(Duration::from_millis(500)), 1));
        clock.advance(Duration::from_millis(500));
        assert_eq!(limits.join(here), Ok(()));
        assert!(limits.join(here).is_err());
        clock.advance(MINUTE);
        for _ in 0..3 {
            assert_eq!(limits.join(here), Ok(()));
        }
    }

    #[test]
    fn saving_genomes_is_limited_by_minute_and_day_and_blocks_no_codes() {
        let (limits, clock) = limits();
        let (here, there) = (address("192.0.2.1"), address("192.0.2.2"));
        for _ in 0..3 {
            assert_eq!(limits.save(here, 500), Ok(()));
        }
        assert_eq!(limits.save(here, 500), Err(RetryAfter(Duration::from_secs(20))));
        assert_eq!((limits.join(here), limits.join_known(here)), (Ok(()), Ok(())));
        let saved = (0..700).filter(|_| {
            clock.advance(Duration::from_secs(20));
            limits.save(here, 10).is_ok()
        });
        // Some of the 500 come back while the others are used up.
        assert!((500..600).contains(&saved.count()), "an address has a share of the store");
        assert_eq!(limits.save(there, 500), Ok(()));
    }

    #[test]
    fn a_client_that_guesses_codes_does_not_learn_which_exist() {
        let (limits, clock) = limits();
        let (here, there) = (address("192.0.2.1"), address("192.0.2.2"));
        for _ in 0..3 {
            assert_eq!((limits.join(here), limits.join_known(here)), (Ok(()), Ok(())));
        }
        assert_eq!(limits.join_known(here), Ok(()), "the limit is reached, not exceeded");
        let wait = RetryAfter(Duration::from_secs(20));
        assert_eq!((limits.join(here), limits.join_known(here)), (Err(wait), Err(wait)));
        assert_eq!(limits.join_known(there), Ok(()));
        clock.advance(Duration::from_secs(20));
        assert_eq!(limits.join_known(here), Ok(()));
        limits.remove_expired();
        assert!(limits.blocked.lock().is_empty());
    }

    #[test]
    fn an_ipv6_prefix_shares_its_limits() {
        let (limits, _) = limits();
        for host in 1..=3 {
            assert_eq!(limits.join(address(&format!("2001:db8:1:2::{host}"))), Ok(()));
        }
        assert!(limits.join(address("2001:db8:1:2:3:4:5:6")).is_err());
        assert_eq!(limits.join(address("2001:db8:1:3::1")), Ok(()));
    }

    #[test]
    fn many_prefixes_of_one_customer_do_not_multiply_the_limits() {
        let (limits, _) = limits();
        // 256 networks of 64 bits in one of 56 bits, and 256 of those in one of 48 bits.
        let join = |middle: u32, low: u32| limits.join(address(&format!("2001:db8:1:{middle:x}{low:02x}::1"))).is_ok();
        assert_eq!((0..256).filter(|&low| join(1, low)).count(), 12, "a /56 has four times the limit");
        assert_eq!((2..256).filter(|&middle| join(middle, 0)).count(), 36, "a /48 has sixteen times the limit");
        assert!(limits.join_known(address("2001:db8:1:ff00::9")).is_err(), "the whole /48 is blocked");
        assert_eq!(limits.join(address("2001:db8:2::1")), Ok(()));

        let config = LimitConfig { connections: None, connections_per_minute: None, ..limits.config };
        let limits = Limits::new(config, &FakeRelativeClock::default());
        let connect = |number: u32| limits.connect(address(&format!("2001:db8:1:{number:x}::1")), false).ok();
        let open: Vec<_> = (0..65_536).step_by(16).filter_map(connect).collect();
        assert_eq!(open.len(), 32, "two connections per address, and sixteen times that of a /48");
        drop(open);
        assert!(connect(0).is_some());
    }

    #[test]
    fn an_address_adds_a_limited_number_of_bytes_per_day() {
        let (limits, clock) = limits();
        let (here, there) = (address("192.0.2.1"), address("192.0.2.2"));
        let added = (0..1_000).filter(|_| limits.store(here, 2_000).is_ok()).count();
        assert_eq!(added, 512, "a megabyte");
        assert!(limits.store(here, 1).is_err());
        assert_eq!(limits.store(there, 1), Ok(()));
        clock.advance(DAY);
        assert_eq!(limits.store(here, 2_000), Ok(()));
    }

    #[test]
    fn what_was_stored_already_is_paid_as_far_as_possible() {
        let (limits, _) = limits();
        let (here, there) = (address("192.0.2.1"), address("192.0.2.2"));
        limits.stored(here, 900_000);
        assert!(limits.store(here, 200_000).is_err());
        // More than what is left.
        limits.stored(here, 200_000);
        assert!(limits.store(here, 1).is_err());
        limits.stored(there, 1_000);
        let rest = (0..5_000).filter(|_| limits.store(there, STORE_UNIT).is_ok()).count();
        assert_eq!(rest, 4_092, "a megabyte without four units");
    }

    #[test]
    fn clients_without_an_address_share_their_limits() {
        let (limits, _) = limits();
        for _ in 0..3 {
            assert_eq!(limits.join(ClientAddress::Unknown), Ok(()));
        }
        assert!(limits.join(ClientAddress::Unknown).is_err());
        assert_eq!(limits.join(address("127.0.0.1")), Ok(()));
    }

    #[test]
    fn connections_count_while_they_are_open() {
        let (limits, _) = limits();
        let (here, there, proxy) = (address("192.0.2.1"), address("192.0.2.2"), address("10.0.0.1"));
        let first = limits.connect(here, false).unwrap();
        let _second = limits.connect(here, false).unwrap();
        assert!(limits.connect(here, false).is_err());
        let _third = limits.connect(there, false).unwrap();
        drop(first);
        let again = limits.connect(here, false).unwrap();
        // A proxy only counts in the total.
        let _fourth = limits.connect(proxy, true).unwrap();
        let fifth = limits.connect(proxy, true).unwrap();
        assert!(limits.connect(proxy, true).is_err());
        assert!(limits.connect(there, false).is_err());
        // Clients behind it only count per address.
        let _here = limits.connect_through_proxy(there).unwrap();
        assert!(limits.connect_through_proxy(there).is_err());
        drop((again, fifth));
        assert!(limits.connect(proxy, true).is_ok());
    }

    #[test]
    fn the_rate_of_new_connections_is_limited() {
        let (limits, clock) = limits();
        let here = address("192.0.2.1");
        for _ in 0..6 {
            drop(limits.connect(here, false).unwrap());
        }
        assert_eq!(limits.connect(here, false).unwrap_err(), RetryAfter(Duration::from_secs(10)));
        clock.advance(Duration::from_secs(10));
        drop(limits.connect(here, false).unwrap());
    }

    #[test]
    fn messages_of_five_seconds_may_come_in_a_burst() {
        let (limits, clock) = limits();
        let rate = limits.messages();
        for _ in 0..50 {
            assert_eq!(rate.check(), Ok(()));
        }
        assert_eq!(rate.check(), Err(RetryAfter(Duration::from_millis(100))));
        clock.advance(Duration::from_millis(100));
        assert_eq!(rate.check(), Ok(()));
        assert!(rate.check().is_err());
        assert_eq!(limits.messages().check(), Ok(()));
    }

    #[test]
    fn spectators_of_one_address_share_a_chat_limit() {
        let (limits, clock) = limits();
        let (here, room) = (address("192.0.2.1"), RoomId(1));
        assert_eq!((0..40).filter(|_| limits.spectator_chat(here, room, 20).is_ok()).count(), 20);
        assert_eq!(limits.spectator_chat(address("192.0.2.2"), room, 20), Ok(()));
        clock.advance(Duration::from_secs(3));
        assert_eq!(limits.spectator_chat(here, room, 20), Ok(()));
        assert!(matches!(limits.spectator_chat(here, room, 20), Err(ChatLimit::Rate(_))));
        clock.advance(MINUTE);
        assert_eq!(
            (0..40).filter(|_| limits.spectator_chat(here, room, 2_000).is_ok()).count(),
            1,
            "it counts by size"
        );
    }

    #[test]
    fn spectators_of_one_address_cannot_use_up_the_chat_of_all_spectators() {
        let (limits, clock) = limits();
        let (here, neighbour) = (address("2001:db8:1:2::1"), address("2001:db8:1:3::1"));
        let (there, room) = (address("192.0.2.2"), RoomId(1));
        let said = (0..60).filter(|&minute| {
            clock.advance(MINUTE);
            limits.remove_expired();
            limits.spectator_chat(if minute % 2 == 0 { here } else { neighbour }, room, 2_000).is_ok()
        });
        assert_eq!(said.count(), 6, "a quarter of the share has 12,288 bytes");
        assert_eq!(limits.spectator_chat(here, room, 2_000), Err(ChatLimit::Room));
        assert_eq!(
            (limits.spectator_chat(there, room, 2_000), limits.spectator_chat(here, RoomId(2), 20)),
            (Ok(()), Ok(()))
        );
        clock.advance(CHAT_REMEMBERED);
        limits.remove_expired();
        assert!(limits.said.lock().is_empty());
    }

    #[test]
    fn without_limits_nothing_is_refused() {
        let limits = Limits::new(LimitConfig::unlimited(65_536), &FakeRelativeClock::default());
        let here = address("192.0.2.1");
        let permits: Vec<_> = (0..5_000).map(|_| limits.connect(here, false).unwrap()).collect();
        assert!((0..5_000).all(|_| limits.join(here).is_ok() && limits.request(here).is_ok()));
        let rate = limits.messages();
        assert!((0..5_000).all(|_| rate.check().is_ok()));
        drop(permits);
    }

    #[test]
    fn expired_addresses_are_removed() {
        let (limits, clock) = limits();
        for number in 0..400_000_u32 {
            assert_eq!(limits.request(IpAddr::from(number.to_be_bytes()).into()), Ok(()));
            clock.advance(Duration::from_micros(10));
        }
        // At 60 requests a minute an address expires two seconds after its request.
        assert!(limits.requests.as_ref().unwrap().len() <= 200_001 + rate::SWEEP_AFTER as usize);
        clock.advance(Duration::from_secs(2));
        limits.remove_expired();
        assert_eq!(limits.requests.as_ref().unwrap().len(), 0);
    }
}
