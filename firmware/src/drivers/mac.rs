//! A MAC address for a board without an assigned one.

/// Derives a MAC address from the unique id of the chip: stable over resets, and different on every board.
///
/// The address is locally administered (bit 1 of the first byte) and unicast (bit 0). The id contains the position on the
/// wafer, so ids of one wafer differ in few bits; therefore it is hashed (FNV-1a).
#[must_use]
pub fn mac(chip: &[u8; 12]) -> [u8; 6] {
    let hash = chip
        .iter()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3));
    let [first, rest @ .., _, _] = hash.to_be_bytes();
    let mut mac = [first & 0b1111_1100 | 0b0000_0010; 6];
    mac[1..].copy_from_slice(&rest);
    mac
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn chips_of_one_wafer_have_different_addresses_of_the_right_kind() {
        let macs: HashSet<[u8; 6]> = (0..=u16::MAX)
            .map(|place| {
                let [x, y] = place.to_le_bytes();
                mac(&[x, 0, y, 0, 0x0d, 0x51, 0x37, 0x34, 0x31, 0x38, 0x35, 0x32])
            })
            .collect();
        assert_eq!(macs.len(), 1 << 16);
        assert!(macs.iter().all(|mac| mac[0] & 0b11 == 0b10));
    }
}
