//! Who is asking.

use std::net::{IpAddr, SocketAddr};

use axum::http::HeaderMap;
use axum::http::header::{FORWARDED, HeaderName};

use crate::config::{Proxies, ProxyHeader};

const X_FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");

/// Who counts as one when there is a limit: an IPv4 address, or the 64 bits of IPv6 that one household is given. Whoever has
/// one address of IPv6 has all of those.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Household {
    V4(u32),
    V6(u64),
}

impl From<IpAddr> for Household {
    fn from(address: IpAddr) -> Self {
        match address.to_canonical() {
            IpAddr::V4(address) => Self::V4(address.to_bits()),
            IpAddr::V6(address) => Self::V6((address.to_bits() >> 64) as u64),
        }
    }
}

/// Whether this is one of those who may say for whom they ask.
pub(super) fn is_proxy(address: IpAddr, proxies: &Proxies) -> bool {
    proxies.trusted.iter().any(|network| network.contains(address.to_canonical()))
}

/// Whether somebody asks from this machine. It is trusted, unless somebody asks through it: a proxy that we were not told
/// about looks as if everybody were here.
pub(super) fn is_local(peer: IpAddr, headers: &HeaderMap, proxies: &Proxies) -> bool {
    let is_hidden = is_forwarded(headers) && !is_proxy(peer, proxies);
    client(peer, headers, proxies).is_loopback() && !is_hidden
}

/// Whether somebody claims to ask for somebody else.
fn is_forwarded(headers: &HeaderMap) -> bool {
    headers.contains_key(FORWARDED) || headers.contains_key(X_FORWARDED_FOR)
}

/// Who is asking. Every proxy adds at the end whom it was asked by, so the list is read from there, for as long as it is
/// proxies of ours that have written it; anybody could have written what is before.
pub(super) fn client(peer: IpAddr, headers: &HeaderMap, proxies: &Proxies) -> IpAddr {
    let mut client = peer.to_canonical();
    if !is_proxy(client, proxies) {
        return client;
    }
    let name = match proxies.header {
        ProxyHeader::XForwardedFor => X_FORWARDED_FOR,
        ProxyHeader::Forwarded => FORWARDED,
    };
    let lists: Vec<&str> = headers.get_all(name).iter().filter_map(|value| value.to_str().ok()).collect();
    for hop in lists.iter().rev().flat_map(|list| list.rsplit(',')) {
        let said = match proxies.header {
            ProxyHeader::XForwardedFor => address(hop),
            ProxyHeader::Forwarded => forwarded_for(hop),
        };
        // The last one who is known is as near as we get.
        let Some(said) = said else { return client };
        client = said;
        if !is_proxy(client, proxies) {
            return client;
        }
    }
    client
}

/// The `for` in one part of the header `Forwarded`.
fn forwarded_for(part: &str) -> Option<IpAddr> {
    let pairs = part.split(';').filter_map(|pair| pair.split_once('='));
    let mut named = pairs.filter(|(name, _)| name.trim().eq_ignore_ascii_case("for"));
    named.next().and_then(|(_, value)| address(value.trim().trim_matches('"')))
}

/// An address, with or without a port.
fn address(text: &str) -> Option<IpAddr> {
    let text = text.trim();
    let bare = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).unwrap_or(text);
    let address = bare.parse().ok().or_else(|| text.parse().ok().map(|address: SocketAddr| address.ip()))?;
    Some(address.to_canonical())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn who(peer: &str, trusted: &[&str], header: ProxyHeader, lines: &[(&'static str, &'static str)]) -> String {
        let mut headers = HeaderMap::new();
        for &(name, value) in lines {
            headers.append(name, value.parse().unwrap());
        }
        let trusted = trusted.iter().map(|network| network.parse().unwrap()).collect();
        client(peer.parse().unwrap(), &headers, &Proxies { trusted, header }).to_string()
    }

    #[test]
    fn strangers_are_not_believed() {
        let forged = [("x-forwarded-for", "1.2.3.4"), ("forwarded", "for=1.2.3.4")];
        assert_eq!(who("203.0.113.9", &[], ProxyHeader::XForwardedFor, &forged), "203.0.113.9");
        assert_eq!(who("203.0.113.9", &["10.0.0.0/8"], ProxyHeader::XForwardedFor, &forged), "203.0.113.9");
        assert_eq!(who("::ffff:203.0.113.9", &["10.0.0.0/8"], ProxyHeader::Forwarded, &forged), "203.0.113.9");
    }

    #[test]
    fn proxies_are_believed_from_the_end() {
        let x = |lines| who("127.0.0.1", &["127.0.0.1", "10.0.0.0/8"], ProxyHeader::XForwardedFor, lines);
        assert_eq!(x(&[("x-forwarded-for", "203.0.113.9")]), "203.0.113.9");
        assert_eq!(x(&[("x-forwarded-for", "6.6.6.6, 203.0.113.9, 10.1.1.1")]), "203.0.113.9");
        assert_eq!(x(&[("x-forwarded-for", "6.6.6.6"), ("x-forwarded-for", "203.0.113.9")]), "203.0.113.9");
        assert_eq!(x(&[("x-forwarded-for", "[2001:db8::1]:443")]), "2001:db8::1");
        assert_eq!(x(&[("x-forwarded-for", "203.0.113.9:50000")]), "203.0.113.9");
        assert_eq!(x(&[("x-forwarded-for", "::ffff:203.0.113.9")]), "203.0.113.9");
        assert_eq!(x(&[("x-forwarded-for", "6.6.6.6, unknown, 10.1.1.1")]), "10.1.1.1");
        assert_eq!(x(&[]), "127.0.0.1");
        // The other header goes through a proxy as a stranger wrote it.
        assert_eq!(x(&[("forwarded", "for=6.6.6.6"), ("x-forwarded-for", "203.0.113.9")]), "203.0.113.9");
        assert_eq!(
            who("::ffff:10.0.0.1", &["10.0.0.0/8"], ProxyHeader::XForwardedFor, &[("x-forwarded-for", "1.1.1.1")]),
            "1.1.1.1"
        );
    }

    #[test]
    fn the_standard_header_is_read() {
        let f = |line| who("127.0.0.1", &["127.0.0.1"], ProxyHeader::Forwarded, &[("forwarded", line)]);
        assert_eq!(f("for=192.0.2.60;proto=http;by=203.0.113.43"), "192.0.2.60");
        assert_eq!(f("For=\"[2001:db8:cafe::17]:4711\""), "2001:db8:cafe::17");
        assert_eq!(f("for=6.6.6.6, proto=https;for=192.0.2.60"), "192.0.2.60");
        assert_eq!(f("for=_hidden"), "127.0.0.1");
    }

    #[test]
    fn a_household_is_one() {
        let household = |text: &str| Household::from(text.parse::<IpAddr>().unwrap());
        assert_eq!(household("2001:db8:1:2::1"), household("2001:db8:1:2:ffff::9"));
        assert_ne!(household("2001:db8:1:2::1"), household("2001:db8:1:3::1"));
        assert_eq!(household("::ffff:192.0.2.1"), household("192.0.2.1"));
        assert_ne!(household("192.0.2.1"), household("192.0.2.2"));
    }
}
