//! Buckets of the limits per address.
//!
//! An IPv4 address is one bucket. A provider assigns a /64, a /56 or a /48 of IPv6 to a customer, so an IPv6 client counts in
//! all three prefixes, and a wider one allows a multiple of the limit.

use std::net::IpAddr;

use crate::server::ClientAddress;

/// Prefix lengths in bits, from narrow to wide, with the multiple of the limit that they allow.
pub(super) const PREFIXES: [(u32, u32); 3] = [(64, 1), (56, 4), (48, 16)];

/// Key of a limit per address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Bucket {
    V4(u32),
    /// The first 64 bits, with zeros after the prefix.
    V6 {
        bits: u64,
        length: u32,
    },
    /// All clients whose address is unknown.
    Unknown,
}

/// The buckets of an address, each with its index in [`PREFIXES`]. The narrow ones come first: a client that a narrow bucket
/// refuses is not counted in the wider ones, which it shares with its neighbours.
pub(super) fn buckets(address: ClientAddress) -> impl Iterator<Item = (usize, Bucket)> + Clone {
    let single = match address {
        ClientAddress::Ip(IpAddr::V4(address)) => Some(Bucket::V4(address.to_bits())),
        ClientAddress::Ip(IpAddr::V6(_)) => None,
        ClientAddress::Unknown => Some(Bucket::Unknown),
    };
    let network = match address {
        ClientAddress::Ip(IpAddr::V6(address)) => Some((address.to_bits() >> 64) as u64),
        _ => None,
    };
    let prefixes = network.into_iter().flat_map(|network| {
        PREFIXES.into_iter().map(move |(length, _)| Bucket::V6 { bits: network & (u64::MAX << (64 - length)), length })
    });
    single.into_iter().chain(prefixes).enumerate()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Vec<(usize, Bucket)> {
        buckets(text.parse::<IpAddr>().unwrap().into()).collect()
    }

    #[test]
    fn an_ipv6_client_counts_in_its_64_56_and_48_bit_prefixes() {
        let bits = |length| match length {
            64 => 0x2001_0db8_0001_0203,
            56 => 0x2001_0db8_0001_0200,
            _ => 0x2001_0db8_0001_0000,
        };
        let expected = [64, 56, 48].map(|length| Bucket::V6 { bits: bits(length), length });
        assert_eq!(of("2001:db8:1:203::1"), expected.into_iter().enumerate().collect::<Vec<_>>());
        assert_eq!(of("2001:db8:1:203::1"), of("2001:db8:1:203:ffff::9"));
        let (here, neighbour, other) = (of("2001:db8:1:203::1"), of("2001:db8:1:204::1"), of("2001:db8:1:300::1"));
        assert_ne!(here[0], neighbour[0]);
        assert_eq!(here[1..], neighbour[1..]);
        assert_ne!(here[1], other[1]);
        assert_eq!(here[2], other[2]);
        assert_ne!(of("2001:db8:2::1")[2], here[2]);
    }

    #[test]
    fn an_ipv4_client_counts_once() {
        assert_eq!(of("192.0.2.1"), [(0, Bucket::V4(0xc000_0201))]);
        assert_eq!(of("::ffff:192.0.2.1"), of("192.0.2.1"));
        assert_eq!(buckets(ClientAddress::Unknown).collect::<Vec<_>>(), [(0, Bucket::Unknown)]);
    }
}
