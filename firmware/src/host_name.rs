//! Host name of the board, which DHCP gives to the router.

use core::fmt::Write as _;

use heapless::String;

/// Maximum length of a host name in bytes.
pub const HOST_NAME_BYTES: usize = 32;

/// A host name from the board's name: letters and digits in lower case, anything else becomes a hyphen. Without a usable
/// name, `tabiya-` and the last three bytes of the MAC address.
#[must_use]
pub fn host_name(name: &str, mac: [u8; 6]) -> String<HOST_NAME_BYTES> {
    let mut host: String<HOST_NAME_BYTES> = String::new();
    for character in name.chars() {
        let is_plain = character.is_ascii_alphanumeric();
        if !is_plain && (host.is_empty() || host.ends_with('-')) {
            continue;
        }
        if host.push(if is_plain { character.to_ascii_lowercase() } else { '-' }).is_err() {
            break;
        }
    }
    while host.ends_with('-') {
        host.pop();
    }
    if host.is_empty() {
        let [.., a, b, c] = mac;
        // It has 13 bytes.
        let _ = write!(host, "tabiya-{a:02x}{b:02x}{c:02x}");
    }
    host
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_name_has_only_letters_digits_and_hyphens() {
        let mac = [2, 0, 0, 0xab, 0xcd, 0x01];
        for (name, host) in [
            ("", "tabiya-abcd01"),
            ("ü ö", "tabiya-abcd01"),
            ("kitchen", "kitchen"),
            (" Kitchen, by the  window! ", "kitchen-by-the-window"),
            ("a very long name of a board in a very large club", "a-very-long-name-of-a-board-in-a"),
        ] {
            assert_eq!(host_name(name, mac).as_str(), host);
        }
    }
}
