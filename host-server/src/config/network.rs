use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;

/// All addresses that begin with the same bits, as CIDR writes it: `10.0.0.0/8`, `::1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Network {
    address: IpAddr,
    length: u8,
}

/// A text is no network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NetworkError {
    /// What is before the slash is no address.
    Address,
    /// What is after the slash is no number of bits that such an address has.
    Length,
    /// The address has bits that do not belong to the network. One of the two is not what was meant.
    Host,
}

impl Network {
    /// Whether an address is in it.
    #[must_use]
    pub fn contains(&self, address: IpAddr) -> bool {
        self.address.is_ipv4() == address.is_ipv4() && first_bits(address, self.length) == bits(self.address)
    }
}

impl FromStr for Network {
    type Err = NetworkError;

    fn from_str(text: &str) -> Result<Self, NetworkError> {
        let (address, length) = text.split_once('/').map_or((text, None), |(address, length)| (address, Some(length)));
        let address: IpAddr = address.parse().map_err(|_| NetworkError::Address)?;
        let most = if address.is_ipv4() { 32 } else { 128 };
        let length = match length {
            None => most,
            Some(text) if text.bytes().all(|byte| byte.is_ascii_digit()) => {
                text.parse().ok().filter(|&length| length <= most).ok_or(NetworkError::Length)?
            }
            Some(_) => return Err(NetworkError::Length),
        };
        if first_bits(address, length) != bits(address) {
            return Err(NetworkError::Host);
        }
        Ok(Self { address, length })
    }
}

fn bits(address: IpAddr) -> u128 {
    match address {
        // At the top, where those of IPv6 are as well.
        IpAddr::V4(address) => u128::from(address.to_bits()) << 96,
        IpAddr::V6(address) => address.to_bits(),
    }
}

fn first_bits(address: IpAddr, length: u8) -> u128 {
    let rest = u128::MAX.checked_shr(length.into()).unwrap_or(0);
    bits(address) & !rest
}

impl fmt::Display for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.address, self.length)
    }
}

impl fmt::Display for NetworkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Address => "it is an address or a network, like 10.0.0.0/8 or ::1",
            Self::Length => "after the slash is how many bits are the same, up to 32 for IPv4 and 128 for IPv6",
            Self::Host => "the address has bits after those that the network has",
        })
    }
}

impl std::error::Error for NetworkError {}

#[cfg(test)]
mod tests {
    use super::*;

    fn contains(network: &str, address: &str) -> bool {
        network.parse::<Network>().unwrap().contains(address.parse().unwrap())
    }

    #[test]
    fn a_network_is_its_first_bits() {
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
    fn what_is_no_network_is_refused() {
        for (text, error) in [
            ("", NetworkError::Address),
            ("localhost", NetworkError::Address),
            ("10.0.0.0/", NetworkError::Length),
            ("10.0.0.0/33", NetworkError::Length),
            ("10.0.0.0/+8", NetworkError::Length),
            ("::/129", NetworkError::Length),
            ("10.0.0.1/8", NetworkError::Host),
        ] {
            assert_eq!(text.parse::<Network>(), Err(error), "{text}");
        }
    }
}
