//! From texts to values. Each says in a sentence what it would have liked to read.

use std::error::Error;
use std::net::SocketAddr;
use std::num::NonZeroU32;
use std::ops::RangeInclusive;
use std::str::FromStr;
use std::time::Duration;

use tracing_subscriber::EnvFilter;

use super::{Network, ProxyHeader};
use crate::server::LogFormat;
use crate::virtual_board::Hands;

/// Why a text is no value.
type Problem = Box<dyn Error>;

pub(super) fn address(text: &str) -> Result<SocketAddr, Problem> {
    text.parse().map_err(|_| "it is an address and a port, like 0.0.0.0:8080 or [::]:8080".into())
}

pub(super) fn port(text: &str) -> Result<u16, Problem> {
    digits(text).filter(|&port| port > 0).ok_or_else(|| "a port is a number from 1 to 65535".into())
}

pub(super) fn number(text: &str) -> Result<u32, Problem> {
    digits(text).ok_or_else(|| "it is a number".into())
}

/// A number of which none at all means that there is no limit.
pub(super) fn limit(text: &str) -> Result<Option<NonZeroU32>, Problem> {
    digits(text).map(NonZeroU32::new).ok_or_else(|| "it is a number, or 0 for no limit".into())
}

pub(super) fn size(text: &str, range: RangeInclusive<usize>) -> Result<usize, Problem> {
    in_range(text, &range, "bytes")
}

pub(super) fn seconds(text: &str, range: RangeInclusive<u64>) -> Result<Duration, Problem> {
    in_range(text, &range, "seconds").map(Duration::from_secs)
}

pub(super) fn days(text: &str, range: RangeInclusive<u64>) -> Result<Duration, Problem> {
    in_range(text, &range, "days").map(|days| Duration::from_secs(days * 24 * 60 * 60))
}

/// Something that has neither spaces in it nor what could end a line.
pub(super) fn word(text: &str) -> Result<String, Problem> {
    if text.chars().any(|c| c.is_whitespace() || c.is_control()) {
        return Err("there is a space or a control character in it".into());
    }
    Ok(text.to_owned())
}

pub(super) fn networks(text: &str) -> Result<Vec<Network>, Problem> {
    Ok(text.split(',').map(|part| part.trim().parse()).collect::<Result<_, _>>()?)
}

/// Who may touch the virtual board; nothing, if there is to be none.
pub(super) fn hands(text: &str) -> Result<Option<Hands>, Problem> {
    match text.to_ascii_lowercase().as_str() {
        "off" => Ok(None),
        "local" => Ok(Some(Hands::Local)),
        "all" => Ok(Some(Hands::All)),
        _ => Err("it is local, all or off".into()),
    }
}

pub(super) fn proxy_header(text: &str) -> Result<ProxyHeader, Problem> {
    match text.to_ascii_lowercase().as_str() {
        "x-forwarded-for" => Ok(ProxyHeader::XForwardedFor),
        "forwarded" => Ok(ProxyHeader::Forwarded),
        _ => Err("it is x-forwarded-for or forwarded".into()),
    }
}

pub(super) fn log_filter(text: &str) -> Result<String, Problem> {
    EnvFilter::try_new(text).map_err(|_| "it is error, warn, info, debug or trace, or like info,host_server=debug")?;
    Ok(text.to_owned())
}

pub(super) fn log_format(text: &str) -> Result<LogFormat, Problem> {
    match text {
        "human" => Ok(LogFormat::Human),
        "json" => Ok(LogFormat::Json),
        _ => Err("it is human or json".into()),
    }
}

pub(super) fn switch(text: &str) -> Result<bool, Problem> {
    match text.to_ascii_lowercase().as_str() {
        "1" | "true" | "yes" | "on" => Ok(true),
        "0" | "false" | "no" | "off" => Ok(false),
        _ => Err("it is true or false".into()),
    }
}

fn in_range<T: FromStr + PartialOrd + std::fmt::Display>(
    text: &str,
    range: &RangeInclusive<T>,
    unit: &str,
) -> Result<T, Problem> {
    digits(text)
        .filter(|number| range.contains(number))
        .ok_or_else(|| format!("it is a number of {unit} from {} to {}", range.start(), range.end()).into())
}

/// Digits and nothing else: the parser of numbers would take a plus sign before them.
fn digits<T: FromStr>(text: &str) -> Option<T> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok()).flatten()
}
