//! Parsers of single values. Each error says which values are allowed.

use std::net::{IpAddr, SocketAddr};
use std::num::NonZeroU32;
use std::ops::RangeInclusive;
use std::str::FromStr;
use std::time::Duration;

use ipnet::IpNet;
use tracing_subscriber::filter::{LevelFilter, Targets};

use super::Limit;

pub(super) fn address(text: &str) -> Result<SocketAddr, String> {
    text.parse().map_err(|_| "must be an address and a port, such as 0.0.0.0:8080 or [::]:8080".to_owned())
}

pub(super) fn port(text: &str) -> Result<u16, String> {
    in_range(text, &(1..=u16::MAX), "port")
}

pub(super) fn number(text: &str) -> Result<u32, String> {
    digits(text).ok_or_else(|| "must be a number".to_owned())
}

pub(super) fn limit(text: &str) -> Result<Limit, String> {
    digits(text).map(NonZeroU32::new).ok_or_else(|| "must be a number, or 0 for no limit".to_owned())
}

pub(super) fn processes(text: &str) -> Result<usize, String> {
    in_range(text, &(0..=256), "number of processes")
}

pub(super) fn message_size(text: &str) -> Result<usize, String> {
    in_range(text, &(1_024..=16_777_216), "number of bytes")
}

pub(super) fn grace(text: &str) -> Result<Duration, String> {
    in_range(text, &(1..=86_400), "number of seconds").map(Duration::from_secs)
}

pub(super) fn stop_within(text: &str) -> Result<Duration, String> {
    in_range(text, &(0..=600), "number of seconds").map(Duration::from_secs)
}

pub(super) fn days(text: &str) -> Result<Duration, String> {
    in_range(text, &(1..=36_500), "number of days").map(|days: u64| Duration::from_secs(days * 24 * 60 * 60))
}

/// A word for Redis: white space or control characters would break its keys and log lines.
pub(super) fn word(text: &str) -> Result<String, String> {
    if text.chars().any(|c| c.is_whitespace() || c.is_control()) {
        return Err("must not contain spaces or control characters".to_owned());
    }
    Ok(text.to_owned())
}

/// The name becomes part of a file name, and must not lead to another directory.
pub(super) fn environment(text: &str) -> Result<String, String> {
    let is_valid = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_');
    if text.chars().all(is_valid) {
        Ok(text.to_owned())
    } else {
        Err("must consist of letters, digits, hyphens and underscores".to_owned())
    }
}

/// A network in CIDR notation, or a single address. Host bits are an error, since either the address or the length is a typo.
pub(super) fn network(text: &str) -> Result<IpNet, String> {
    let text = text.trim();
    let network = text.parse::<IpNet>().or_else(|_| text.parse::<IpAddr>().map(IpNet::from));
    match network {
        Ok(network) if network.trunc() == network => Ok(network),
        Ok(network) => Err(format!("has bits beyond the length of the network; did you mean {}?", network.trunc())),
        Err(_) => Err("must be an address or a network, such as 10.0.0.0/8 or ::1".to_owned()),
    }
}

/// A level, or a list of `module=level`.
pub(super) fn log_filter(text: &str) -> Result<String, String> {
    // An empty text parses as a level, too.
    let is_level = |level: &str| !level.is_empty() && level.parse::<LevelFilter>().is_ok();
    let is_valid = text.split(',').all(|part| is_level(part.rsplit_once('=').map_or(part, |(_, level)| level)));
    if is_valid && text.parse::<Targets>().is_ok() {
        Ok(text.to_owned())
    } else {
        Err("must be error, warn, info, debug or trace, or such as info,host_server=debug".to_owned())
    }
}

fn in_range<T: FromStr + PartialOrd + std::fmt::Display>(
    text: &str,
    range: &RangeInclusive<T>,
    unit: &str,
) -> Result<T, String> {
    digits(text)
        .filter(|number| range.contains(number))
        .ok_or_else(|| format!("must be a {unit} from {} to {}", range.start(), range.end()))
}

/// Digits only: `from_str` would also accept a leading plus sign.
fn digits<T: FromStr>(text: &str) -> Option<T> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_networks_and_single_addresses() {
        let contains = |text: &str, address: &str| network(text).unwrap().contains(&address.parse::<IpAddr>().unwrap());
        assert!(contains("10.0.0.0/8", "10.255.1.2"));
        assert!(!contains("10.0.0.0/8", "11.0.0.0"));
        assert!(contains("192.168.1.7", "192.168.1.7"));
        assert!(!contains("192.168.1.7", "192.168.1.8"));
        assert!(contains("0.0.0.0/0", "203.0.113.9"));
        assert!(!contains("0.0.0.0/0", "::1"));
        assert!(contains("2001:db8::/32", "2001:db8:1::2"));
        assert!(!contains("2001:db8::/32", "2001:db9::"));
        assert!(!contains("::/0", "127.0.0.1"));
    }

    #[test]
    fn rejects_invalid_networks() {
        for text in ["", "localhost", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/+8", "::/129"] {
            assert!(network(text).unwrap_err().starts_with("must be an address or a network"), "{text}");
        }
        assert!(network("10.0.0.1/8").unwrap_err().ends_with("did you mean 10.0.0.0/8?"));
    }

    #[test]
    fn a_log_filter_has_levels_only() {
        for text in ["info", "WARN", "off", "info,host_server=debug", "host_server=trace"] {
            assert_eq!(log_filter(text).as_deref(), Ok(text));
        }
        for text in ["", "infoo", "=,=", "info,host_server", "info,host_server=loud"] {
            assert!(log_filter(text).is_err(), "{text}");
        }
    }
}
