//! Client addresses: local clients, trusted proxies and forwarding headers.

use std::fmt;
use std::net::{IpAddr, Ipv6Addr, SocketAddr};

use axum::http::header::{FORWARDED, HOST, HeaderName, VIA};
use axum::http::{HeaderMap, HeaderValue};

use crate::config::{AllowedOrigins, Proxies, ProxyHeader, is_loopback_host};

const X_FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");

/// Headers that only proxies add. A request with one of them did not come from the relay's own machine.
const PROXY_HEADERS: [HeaderName; 8] = [
    FORWARDED,
    X_FORWARDED_FOR,
    VIA,
    HeaderName::from_static("x-forwarded-host"),
    HeaderName::from_static("x-forwarded-proto"),
    HeaderName::from_static("x-real-ip"),
    HeaderName::from_static("cf-connecting-ip"),
    HeaderName::from_static("true-client-ip"),
];

/// The address of a client.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ClientAddress {
    /// The address of the peer, or the one that a trusted proxy named.
    Ip(IpAddr),
    /// A trusted proxy named the client by a text that is not an address. All such clients share their limits.
    Unknown,
}

impl ClientAddress {
    /// What counts as one client where a few are admitted: an IPv4 address, or the first 64 bits of an IPv6 address, of which every client has all
    /// the others.
    #[must_use]
    pub(crate) fn network(self) -> Self {
        self.prefix(64)
    }

    /// What one customer of a provider may have, for a share that nobody may have twice: an IPv4 address, or the first 48 bits of an IPv6 address.
    #[must_use]
    pub(crate) fn site(self) -> Self {
        self.prefix(48)
    }

    fn prefix(self, bits: u32) -> Self {
        match self {
            Self::Ip(IpAddr::V6(address)) => {
                let rest = 128 - bits;
                Self::Ip(Ipv6Addr::from_bits(address.to_bits() >> rest << rest).into())
            }
            other => other,
        }
    }
}

impl fmt::Display for ClientAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ip(address) => address.fmt(f),
            Self::Unknown => f.write_str("unknown"),
        }
    }
}

impl From<IpAddr> for ClientAddress {
    fn from(address: IpAddr) -> Self {
        Self::Ip(address.to_canonical())
    }
}

/// Whether an address belongs to a trusted proxy.
pub(super) fn is_proxy(address: IpAddr, proxies: &Proxies) -> bool {
    proxies.trusted.iter().any(|network| network.contains(&address.to_canonical()))
}

/// Whether the client is on this machine: it connects over the loopback interface, not through a proxy, to a loopback name, and is
/// no page of another origin, not even of one in `ALLOWED_DOMAIN`: that permits a page to play, and not to act for the owner.
/// The name stops DNS rebinding, where a foreign page is loaded under a name that later resolves to 127.0.0.1.
pub(super) fn is_local(peer: IpAddr, headers: &HeaderMap) -> bool {
    let host = headers.get(HOST).and_then(|host| host.to_str().ok());
    // An empty list allows only the origin that is the relay itself.
    let is_foreign = AllowedOrigins::default().check(headers).is_err();
    peer.to_canonical().is_loopback() && !is_forwarded(headers) && host.is_some_and(is_loopback_host) && !is_foreign
}

fn is_forwarded(headers: &HeaderMap) -> bool {
    PROXY_HEADERS.iter().any(|name| headers.contains_key(name))
}

/// The client's address. Each proxy appends the address of its peer, so the list is read from the end while the writers are
/// trusted proxies. Everything before the first untrusted address can be forged, and may be any bytes.
pub(super) fn client(peer: IpAddr, headers: &HeaderMap, proxies: &Proxies) -> ClientAddress {
    let mut client = peer.to_canonical();
    if !is_proxy(client, proxies) {
        return client.into();
    }
    let name = match proxies.header {
        ProxyHeader::XForwardedFor => X_FORWARDED_FOR,
        ProxyHeader::Forwarded => FORWARDED,
    };
    let lists: Vec<&[u8]> = headers.get_all(name).iter().map(HeaderValue::as_bytes).collect();
    for hop in lists.iter().rev().flat_map(|list| list.rsplit(|&byte| byte == b',')) {
        let forwarded = match proxies.header {
            ProxyHeader::XForwardedFor => address(hop),
            ProxyHeader::Forwarded => forwarded_for(hop),
        };
        let Some(forwarded) = forwarded else { return ClientAddress::Unknown };
        client = forwarded;
        if !is_proxy(client, proxies) {
            break;
        }
    }
    client.into()
}

/// The `for` parameter of one element of the `Forwarded` header.
fn forwarded_for(element: &[u8]) -> Option<IpAddr> {
    let pairs = element.split(|&byte| byte == b';');
    let mut values = pairs.filter_map(|pair| {
        let equals = pair.iter().position(|&byte| byte == b'=')?;
        let (name, value) = (pair.get(..equals)?, pair.get(equals + 1..)?);
        name.trim_ascii().eq_ignore_ascii_case(b"for").then(|| value.trim_ascii())
    });
    let value = values.next()?;
    let quoted = value.strip_prefix(b"\"").and_then(|value| value.strip_suffix(b"\""));
    address(quoted.unwrap_or(value))
}

/// Parses an address with or without a port.
fn address(text: &[u8]) -> Option<IpAddr> {
    let text = std::str::from_utf8(text).ok()?.trim();
    let bare = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).unwrap_or(text);
    let address = bare.parse().ok().or_else(|| text.parse().ok().map(|address: SocketAddr| address.ip()))?;
    Some(address.to_canonical())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(lines: &[(&'static str, &[u8])]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for &(name, value) in lines {
            headers.append(name, HeaderValue::from_bytes(value).unwrap());
        }
        headers
    }

    fn client_of(peer: &str, trusted: &[&str], header: ProxyHeader, lines: &[(&'static str, &[u8])]) -> String {
        let trusted = trusted.iter().map(|network| network.parse().unwrap()).collect();
        client(peer.parse().unwrap(), &headers(lines), &Proxies { trusted, header }).to_string()
    }

    #[test]
    fn ignores_headers_of_untrusted_peers() {
        let forged: [(&str, &[u8]); 2] = [("x-forwarded-for", b"1.2.3.4"), ("forwarded", b"for=1.2.3.4")];
        assert_eq!(client_of("203.0.113.9", &[], ProxyHeader::XForwardedFor, &forged), "203.0.113.9");
        assert_eq!(client_of("203.0.113.9", &["10.0.0.0/8"], ProxyHeader::XForwardedFor, &forged), "203.0.113.9");
        assert_eq!(client_of("::ffff:203.0.113.9", &["10.0.0.0/8"], ProxyHeader::Forwarded, &forged), "203.0.113.9");
    }

    #[test]
    fn reads_the_list_of_trusted_proxies_from_the_end() {
        let x = |lines| client_of("127.0.0.1", &["127.0.0.1/32", "10.0.0.0/8"], ProxyHeader::XForwardedFor, lines);
        assert_eq!(x(&[("x-forwarded-for", b"203.0.113.9")]), "203.0.113.9");
        assert_eq!(x(&[("x-forwarded-for", b"6.6.6.6, 203.0.113.9, 10.1.1.1")]), "203.0.113.9");
        assert_eq!(x(&[("x-forwarded-for", b"6.6.6.6"), ("x-forwarded-for", b"203.0.113.9")]), "203.0.113.9");
        assert_eq!(x(&[("x-forwarded-for", b"[2001:db8::1]:443")]), "2001:db8::1");
        assert_eq!(x(&[("x-forwarded-for", b"203.0.113.9:50000")]), "203.0.113.9");
        assert_eq!(x(&[("x-forwarded-for", b"::ffff:203.0.113.9")]), "203.0.113.9");
        assert_eq!(x(&[]), "127.0.0.1");
        // A proxy passes on the header that it does not write, so the other one is ignored.
        assert_eq!(x(&[("forwarded", b"for=6.6.6.6"), ("x-forwarded-for", b"203.0.113.9")]), "203.0.113.9");
        assert_eq!(
            client_of(
                "::ffff:10.0.0.1",
                &["10.0.0.0/8"],
                ProxyHeader::XForwardedFor,
                &[("x-forwarded-for", b"1.1.1.1")]
            ),
            "1.1.1.1"
        );
    }

    #[test]
    fn reads_the_forwarded_header() {
        let f = |line| client_of("127.0.0.1", &["127.0.0.1/32"], ProxyHeader::Forwarded, &[("forwarded", line)]);
        assert_eq!(f(b"for=192.0.2.60;proto=http;by=203.0.113.43"), "192.0.2.60");
        assert_eq!(f(b"For=\"[2001:db8:cafe::17]:4711\""), "2001:db8:cafe::17");
        assert_eq!(f(b"for=6.6.6.6, proto=https;for=192.0.2.60"), "192.0.2.60");
    }

    #[test]
    fn bytes_of_the_client_do_not_hide_the_address_from_the_proxy() {
        let x =
            |line| client_of("127.0.0.1", &["127.0.0.1/32"], ProxyHeader::XForwardedFor, &[("x-forwarded-for", line)]);
        assert_eq!(x(b"\xff, 203.0.113.9"), "203.0.113.9");
        assert_eq!(x(b"127.0.0.1, \xff,\x80, 203.0.113.9"), "203.0.113.9");
        let f = |line| client_of("127.0.0.1", &["127.0.0.1/32"], ProxyHeader::Forwarded, &[("forwarded", line)]);
        assert_eq!(f(b"for=\xff, for=203.0.113.9"), "203.0.113.9");
        assert_eq!(f(b"for=\"\xff, for=203.0.113.9"), "203.0.113.9");
    }

    #[test]
    fn a_client_without_a_readable_address_is_unknown_and_never_the_proxy() {
        let x = |line| {
            let trusted = ["127.0.0.1/32", "10.0.0.0/8"];
            client_of("127.0.0.1", &trusted, ProxyHeader::XForwardedFor, &[("x-forwarded-for", line)])
        };
        for line in
            [&b"unknown"[..], b"6.6.6.6, unknown, 10.1.1.1", b"\xff", b"203.0.113.9, \xff", b"", b"203.0.113.9,"]
        {
            assert_eq!(x(line), "unknown", "{}", line.escape_ascii());
        }
        let f = |line| client_of("127.0.0.1", &["127.0.0.1/32"], ProxyHeader::Forwarded, &[("forwarded", line)]);
        for line in [&b"for=_hidden"[..], b"for=unknown", b"proto=https", b"for=\xff", b"for=192.0.2.60, for=\"_x\""] {
            assert_eq!(f(line), "unknown", "{}", line.escape_ascii());
        }
    }

    #[test]
    fn a_request_through_a_proxy_is_never_local() {
        let local = |peer: &str, lines: &[(&'static str, &[u8])]| is_local(peer.parse().unwrap(), &headers(lines));
        for host in [&b"localhost:8080"[..], b"LOCALHOST", b"127.0.0.1:8080", b"127.9.9.9", b"[::1]:8080"] {
            assert!(local("127.0.0.1", &[("host", host)]) && local("::1", &[("host", host)]));
            assert!(local("::ffff:127.0.0.1", &[("host", host)]));
            assert!(!local("192.168.1.7", &[("host", host)]) && !local("10.0.0.5", &[("host", host)]));
            for header in PROXY_HEADERS {
                for value in [&b"127.0.0.1"[..], b"for=127.0.0.1", b"for=_hidden", b"unknown", b"\xff", b""] {
                    let mut lines = headers(&[("host", host)]);
                    lines.append(header.clone(), HeaderValue::from_bytes(value).unwrap());
                    assert!(!is_local("127.0.0.1".parse().unwrap(), &lines), "{header}: {}", value.escape_ascii());
                }
            }
        }
        // DNS rebinding: the page believes that this machine is evil.example.
        for host in [&b"evil.example:8080"[..], b"localhost.evil.example", b"127.0.0.1.evil.example", b"\xff", b""] {
            assert!(!local("127.0.0.1", &[("host", host)]), "{}", host.escape_ascii());
        }
        assert!(!local("127.0.0.1", &[]));
    }
}
