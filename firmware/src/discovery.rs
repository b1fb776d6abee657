//! Finds a relay in the local network: DNS-SD over multicast DNS, as one query that is answered by unicast (RFC 6762, section 5.1).
//!
//! This is the encoding only; the link task sends and receives.

use core::fmt::Write as _;
use core::net::Ipv4Addr;

use board::RelayAddress;
use heapless::String;
use wire::journal::MAX_VALUE;

/// The group and the port of multicast DNS.
pub const MDNS: (Ipv4Addr, u16) = (Ipv4Addr::new(224, 0, 0, 251), 5353);

/// The service that relays announce, as the labels of its domain name.
const SERVICE: [&[u8]; 3] = [b"_tabiya", b"_tcp", b"local"];

/// Length of the query: header, name, type and class.
pub const QUERY_BYTES: usize = 36;

const HEADER_BYTES: usize = 12;
const IS_RESPONSE: u8 = 0x80;

const TYPE_A: u16 = 1;
const TYPE_PTR: u16 = 12;
const TYPE_SRV: u16 = 33;
const CLASS_IN: u16 = 1;

/// A relay that has answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundRelay {
    /// `ws://host:port`, with the relay's name in the domain `local`, which stays the same if its address changes.
    pub url: String<MAX_VALUE>,
    /// Its address, if the answer has it.
    pub address: Option<Ipv4Addr>,
}

/// A query for relays. The id comes back in the answer.
#[must_use]
pub fn query(id: u16) -> [u8; QUERY_BYTES] {
    let mut bytes = [0; QUERY_BYTES];
    let labels = SERVICE.iter().flat_map(|label| [label.len() as u8].into_iter().chain(label.iter().copied()));
    let head = id.to_be_bytes().into_iter().chain([0, 0, 0, 1, 0, 0, 0, 0, 0, 0]);
    let kind = [0].into_iter().chain(TYPE_PTR.to_be_bytes()).chain(CLASS_IN.to_be_bytes());
    for (slot, byte) in bytes.iter_mut().zip(head.chain(labels).chain(kind)) {
        *slot = byte;
    }
    bytes
}

/// Reads an answer to the query with this id. `None` if it is invalid, or names no relay.
#[must_use]
pub fn read_answer(message: &[u8], id: u16) -> Option<FoundRelay> {
    let [id_high, id_low, flags, ..] = *message else { return None };
    if u16::from_be_bytes([id_high, id_low]) != id || flags & IS_RESPONSE == 0 {
        return None;
    }
    let records = || Records::of(message);
    let service = records()?.find(|record| record.kind == TYPE_SRV && is_instance(message, record.name))?;
    // Priority and weight are of no use with one relay.
    let port = u16_at(message, service.data.checked_add(4)?)?;
    let host = service.data.checked_add(6)?;
    let is_host = |record: &DnsRecord| record.kind == TYPE_A && same_name(message, record.name, host);
    let address = records()?.find(is_host).and_then(|record| {
        let octets: [u8; 4] = message.get(record.data..)?.first_chunk().copied()?;
        Some(Ipv4Addr::from(octets))
    });
    let mut url = String::new();
    url.push_str("ws://").ok()?;
    for (index, label) in Labels::new(message, host).enumerate() {
        if index > 0 {
            url.push('.').ok()?;
        }
        url.push_str(str::from_utf8(label?).ok()?).ok()?;
    }
    write!(url, ":{port}").ok()?;
    RelayAddress::parse(&url).ok()?;
    Some(FoundRelay { url, address })
}

/// Whether a name is that of the service, with one label before it.
fn is_instance(message: &[u8], name: usize) -> bool {
    let labels = Labels::new(message, name);
    let mut service = SERVICE.iter();
    labels.skip(1).all(|label| match (label, service.next()) {
        (Some(label), Some(expected)) => label.eq_ignore_ascii_case(expected),
        _ => false,
    }) && service.next().is_none()
}

fn same_name(message: &[u8], one: usize, other: usize) -> bool {
    let (mut one, mut other) = (Labels::new(message, one), Labels::new(message, other));
    loop {
        match (one.next(), other.next()) {
            (None, None) => return true,
            (Some(Some(one)), Some(Some(other))) if one.eq_ignore_ascii_case(other) => {}
            _ => return false,
        }
    }
}

fn u16_at(message: &[u8], at: usize) -> Option<u16> {
    message.get(at..)?.first_chunk().copied().map(u16::from_be_bytes)
}

/// A resource record: the offsets of its name and its data.
struct DnsRecord {
    name: usize,
    kind: u16,
    data: usize,
}

/// The resource records of all sections. Ends early if the message is invalid.
struct Records<'a> {
    message: &'a [u8],
    at: usize,
    left: usize,
}

impl<'a> Records<'a> {
    fn of(message: &'a [u8]) -> Option<Self> {
        let count = |at| u16_at(message, at).map(usize::from);
        let left = count(6)?.checked_add(count(8)?)?.checked_add(count(10)?)?;
        let mut at = HEADER_BYTES;
        for _ in 0..count(4)? {
            at = after_name(message, at)?.checked_add(4)?;
        }
        Some(Self { message, at, left })
    }
}

impl Iterator for Records<'_> {
    type Item = DnsRecord;

    fn next(&mut self) -> Option<DnsRecord> {
        self.left = self.left.checked_sub(1)?;
        let name = self.at;
        let head = after_name(self.message, name)?;
        let kind = u16_at(self.message, head)?;
        let len = usize::from(u16_at(self.message, head.checked_add(8)?)?);
        let data = head.checked_add(10)?;
        self.at = data.checked_add(len)?;
        (self.at <= self.message.len()).then_some(DnsRecord { name, kind, data })
    }
}

/// The offset after the name at this offset.
fn after_name(message: &[u8], mut at: usize) -> Option<usize> {
    loop {
        match *message.get(at)? {
            0 => return at.checked_add(1),
            // A pointer to the rest of the name.
            0xc0.. => return at.checked_add(2),
            len => at = at.checked_add(1)?.checked_add(usize::from(len))?,
        }
    }
}

/// The labels of a name; `None` for one that is invalid, after which the iterator ends.
struct Labels<'a> {
    message: &'a [u8],
    at: Option<usize>,
    /// A pointer must lead backwards, so a name cannot be endless.
    limit: usize,
}

impl<'a> Labels<'a> {
    fn new(message: &'a [u8], at: usize) -> Self {
        Self { message, at: Some(at), limit: at }
    }

    /// The label at this offset; empty for the end of the name.
    fn read(&mut self, mut at: usize) -> Option<&'a [u8]> {
        loop {
            match *self.message.get(at)? {
                0 => return Some(&[]),
                len @ 0xc0.. => {
                    let target = usize::from(u16::from_be_bytes([len & 0x3f, *self.message.get(at.checked_add(1)?)?]));
                    if target >= self.limit {
                        return None;
                    }
                    (self.limit, at) = (target, target);
                }
                len if len < 64 => {
                    let start = at.checked_add(1)?;
                    let end = start.checked_add(usize::from(len))?;
                    self.at = Some(end);
                    return self.message.get(start..end);
                }
                _ => return None,
            }
        }
    }
}

impl<'a> Iterator for Labels<'a> {
    type Item = Option<&'a [u8]>;

    fn next(&mut self) -> Option<Self::Item> {
        let at = self.at.take()?;
        Some(self.read(at)).filter(|label| label.is_none_or(|label| !label.is_empty()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An answer of a relay with the name `tabiya-pi.local`, port 8080, with the usual compression of names.
    fn answer() -> Vec<u8> {
        let mut bytes = vec![0x12, 0x34, 0x84, 0, 0, 1, 0, 1, 0, 0, 0, 3];
        // The question, at offset 12, and the PTR record with a pointer to it.
        bytes.extend(b"\x07_tabiya\x04_tcp\x05local\0\0\x0c\0\x01");
        bytes.extend(b"\xc0\x0c\0\x0c\0\x01\0\0\0\x0a\0\x05\x02pi\xc0\x0c");
        // The TXT and SRV records, with the name of the instance at offset 48.
        bytes.extend(b"\xc0\x30\0\x10\0\x01\0\0\0\x0a\0\x01\0");
        bytes.extend(b"\xc0\x30\0\x21\0\x01\0\0\0\x0a\0\x12\0\0\0\0\x1f\x90\x09tabiya-pi\xc0\x19");
        // The host name is at offset 84.
        bytes.extend(b"\xc0\x54\0\x01\0\x01\0\0\0\x0a\0\x04\xc0\xa8\x01\x14");
        bytes
    }

    #[test]
    fn a_query_asks_for_the_service() {
        let query = query(0x1234);
        assert_eq!(query[..12], [0x12, 0x34, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0]);
        assert_eq!(&query[12..], b"\x07_tabiya\x04_tcp\x05local\0\0\x0c\0\x01");
    }

    #[test]
    fn an_answer_names_the_relay() {
        let found = read_answer(&answer(), 0x1234).expect("a relay");
        assert_eq!(found.url, "ws://tabiya-pi.local:8080");
        assert_eq!(found.address, Some(Ipv4Addr::new(192, 168, 1, 20)));
    }

    #[test]
    fn an_answer_without_an_address_still_names_the_relay() {
        let mut bytes = answer();
        bytes[11] = 2;
        let found = read_answer(&bytes, 0x1234).expect("a relay");
        assert_eq!((found.url.as_str(), found.address), ("ws://tabiya-pi.local:8080", None));
    }

    #[test]
    fn answers_to_others_are_ignored() {
        assert_eq!(read_answer(&answer(), 0x1235), None, "another id");
        let mut bytes = answer();
        bytes[2] = 0;
        assert_eq!(read_answer(&bytes, 0x1234), None, "a query");
        let mut bytes = answer();
        bytes[13] = b'#';
        assert_eq!(read_answer(&bytes, 0x1234), None, "another service");
        assert_eq!(read_answer(&query(7), 7), None);
    }

    /// Every truncation and every change of one byte is read without a panic and without an endless loop.
    #[test]
    fn damaged_answers_are_survived() {
        let bytes = answer();
        for len in 0..bytes.len() {
            let _ = read_answer(&bytes[..len], 0x1234);
        }
        for at in 0..bytes.len() {
            for value in 0..=255 {
                let mut bytes = bytes.clone();
                bytes[at] = value;
                let _ = read_answer(&bytes, 0x1234);
            }
        }
    }
}
