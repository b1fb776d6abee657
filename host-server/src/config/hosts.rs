//! Names under which a relay without `ALLOWED_DOMAIN` may be addressed.
//!
//! DNS rebinding: a foreign page is loaded as `evil.example`, whose DNS entry then changes to the address of the relay. For the
//! browser both are one origin, so the `Origin` header does not help. The `Host` header still has the foreign name. A public DNS
//! server cannot answer for an IP address, for `localhost`, for names that end in `.local`, or for the machine's own name.

use std::net::{IpAddr, Ipv6Addr};
use std::sync::LazyLock;

/// The machine's own name in lower case, if the system knows it.
static OWN_NAME: LazyLock<Option<String>> = LazyLock::new(own_name);

/// Whether the value of a `Host` header is a loopback address or `localhost`, with or without a port.
pub(crate) fn is_loopback_host(host: &str) -> bool {
    let name = without_port(host);
    is_localhost(name) || address(name).is_some_and(|address| address.to_canonical().is_loopback())
}

/// Whether the value of a `Host` header is a name that no foreign page can have.
pub(super) fn is_trusted_host(host: &str) -> bool {
    is_trusted(without_port(host), OWN_NAME.as_deref())
}

fn is_trusted(name: &str, own: Option<&str>) -> bool {
    let name = name.strip_suffix('.').unwrap_or(name).to_ascii_lowercase();
    let is_own = own.is_some_and(|own| name == own || own.split('.').next() == Some(name.as_str()));
    let is_local = name.strip_suffix(".local").is_some_and(|rest| !rest.is_empty());
    address(&name).is_some() || is_localhost(&name) || is_local || is_own
}

fn is_localhost(name: &str) -> bool {
    name.eq_ignore_ascii_case("localhost")
}

/// An IPv4 address, or an IPv6 address in brackets.
fn address(name: &str) -> Option<IpAddr> {
    match name.strip_prefix('[').and_then(|name| name.strip_suffix(']')) {
        Some(inner) => inner.parse::<Ipv6Addr>().ok().map(IpAddr::V6),
        None => name.parse().ok().filter(IpAddr::is_ipv4),
    }
}

pub(super) fn without_port(host: &str) -> &str {
    match host.rsplit_once(':') {
        // An IPv6 address has colons, too, inside brackets.
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    }
}

#[cfg(unix)]
pub(crate) fn own_name() -> Option<String> {
    let name = nix::unistd::gethostname().ok()?.into_string().ok()?;
    Some(name.to_ascii_lowercase()).filter(|name| !name.is_empty())
}

#[cfg(not(unix))]
pub(crate) fn own_name() -> Option<String> {
    let name = std::env::var("COMPUTERNAME").ok()?;
    Some(name.to_ascii_lowercase()).filter(|name| !name.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_foreign_page_cannot_have_a_trusted_name() {
        let trusted = |host| is_trusted(without_port(host), Some("kitchen.example.org"));
        for host in [
            "192.168.1.7",
            "192.168.1.7:8080",
            "203.0.113.9:80",
            "[::1]:8080",
            "[fe80::1]",
            "localhost",
            "LocalHost:8080",
            "board.local",
            "board.local.:8080",
            "a.b.LOCAL",
            "kitchen",
            "Kitchen.example.org:8080",
        ] {
            assert!(trusted(host), "{host}");
        }
        for host in [
            "",
            ":8080",
            "evil.example:8080",
            "localhost.evil.example",
            "127.0.0.1.evil.example",
            "board.local.evil.example",
            "local",
            ".local",
            "evillocal",
            "example.org",
            "other.example.org",
            "kitchen.evil.example",
            "fe80::1",
            "[evil]",
            "[127.0.0.1]",
            "2130706433",
            "0x7f.1",
        ] {
            assert!(!trusted(host), "{host}");
        }
        assert!(!is_trusted("kitchen", None) && !is_trusted("", None));
    }

    #[test]
    fn recognises_loopback_names() {
        for host in ["localhost:80", "127.0.0.1", "127.1.2.3:8080", "[::1]", "[::ffff:127.0.0.1]:8080"] {
            assert!(is_loopback_host(host), "{host}");
        }
        for host in ["192.168.1.7", "0.0.0.0", "board.local", "localhost.local", "evil.example", "[::2]", ""] {
            assert!(!is_loopback_host(host), "{host}");
        }
    }
}
