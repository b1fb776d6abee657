//! The board's own place in a network that gives none: `192.168.1.9/24 192.168.1.1 9.9.9.9`.

use core::fmt;
use core::net::Ipv4Addr;

use board::Profile;

/// An address that somebody has chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Address {
    /// The address.
    pub ip: Ipv4Addr,
    /// How many of its bits are the network's.
    pub prefix: u8,
    /// Who knows the way to everywhere else, if anybody does.
    pub gateway: Option<Ipv4Addr>,
    /// Who knows names, if anybody does.
    pub dns: Option<Ipv4Addr>,
}

/// What is wrong with an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AddressError {
    /// One of its parts is no IPv4 address.
    Ip,
    /// There is no prefix from 1 to 30 behind it.
    Prefix,
    /// There is more than an address, a gateway and a name server.
    TooMuch,
}

impl fmt::Display for AddressError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Ip => "an address is four numbers from 0 to 255, with dots between them",
            Self::Prefix => "behind the address comes a slash and a number from 1 to 30",
            Self::TooMuch => "there can be an address, a gateway and a name server, and no more",
        })
    }
}

impl core::error::Error for AddressError {}

impl Address {
    /// The one that a board has been given; none if it is to ask for one.
    #[must_use]
    pub fn of(profile: Profile<'_>) -> Option<Self> {
        Self::parse(profile.address_text()?).ok()
    }

    /// Reads an address.
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
    fn reads_addresses() {
        let address = Address::parse("10.0.2.15/24 10.0.2.2").expect("an address");
        assert_eq!((address.ip, address.prefix), (Ipv4Addr::new(10, 0, 2, 15), 24));
        assert_eq!((address.gateway, address.dns), (Some(Ipv4Addr::new(10, 0, 2, 2)), None));
    }

    #[test]
    fn says_what_is_wrong_with_others() {
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
