//! A static IPv4 configuration, for networks without DHCP: `192.168.1.9/24 192.168.1.1 9.9.9.9`.

use core::fmt;
use core::net::Ipv4Addr;

use crate::profile::Profile;

/// Address, gateway and DNS server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Address {
    /// The board's own address.
    pub ip: Ipv4Addr,
    /// Length of the network prefix in bits.
    pub prefix: u8,
    /// Default gateway.
    pub gateway: Option<Ipv4Addr>,
    /// DNS server.
    pub dns: Option<Ipv4Addr>,
}

/// Why a text is not a static configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AddressError {
    /// A part is not an IPv4 address.
    Ip,
    /// The prefix length is missing or not from 1 to 30.
    Prefix,
    /// More than an address, a gateway and a DNS server.
    TooMuch,
}

impl fmt::Display for AddressError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Ip => "an address is four numbers from 0 to 255, with dots between them",
            Self::Prefix => "the address is followed by a slash and a prefix length from 1 to 30",
            Self::TooMuch => "an address, a gateway and a DNS server are the most that can be set",
        })
    }
}

impl core::error::Error for AddressError {}

impl Address {
    /// The configuration in the profile; none means DHCP.
    #[must_use]
    pub fn of(profile: Profile<'_>) -> Option<Self> {
        Self::parse(profile.address_text()?).ok()
    }

    /// Parses a configuration.
    pub fn parse(text: &str) -> Result<Self, AddressError> {
        let mut words = text.split_ascii_whitespace();
        let (ip, prefix) = words.next().and_then(|word| word.split_once('/')).ok_or(AddressError::Prefix)?;
        let read = |word: &str| word.parse().map_err(|_| AddressError::Ip);
        let prefix = prefix.parse().ok().filter(|prefix| (1..=30).contains(prefix)).ok_or(AddressError::Prefix)?;
        let address = Self {
            ip: read(ip)?,
            prefix,
            gateway: words.next().map(read).transpose()?,
            dns: words.next().map(read).transpose()?,
        };
        words.next().is_none().then_some(address).ok_or(AddressError::TooMuch)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_addresses() {
        let address = Address::parse("10.0.2.15/24 10.0.2.2").expect("an address");
        assert_eq!((address.ip, address.prefix), (Ipv4Addr::new(10, 0, 2, 15), 24));
        assert_eq!((address.gateway, address.dns), (Some(Ipv4Addr::new(10, 0, 2, 2)), None));
    }

    #[test]
    fn rejects_invalid_addresses() {
        for (text, error) in [
            ("", AddressError::Prefix),
            ("10.0.2.15", AddressError::Prefix),
            ("10.0.2.15/31", AddressError::Prefix),
            ("10.0.2.256/24", AddressError::Ip),
            ("10.0.2.15/24 gateway", AddressError::Ip),
            ("10.0.2.15/24 1.1.1.1 1.1.1.1 1.1.1.1", AddressError::TooMuch),
        ] {
            assert_eq!(Address::parse(text), Err(error), "{text}");
        }
    }
}
