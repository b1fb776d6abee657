//! An address for the network card of a board that was not given one.

/// The address that follows from a chip's own number: the same after every start, and another one on every other board.
///
/// It says of itself that it was not bought (bit 1 of the first byte), and that it is of one machine (bit 0). The number has
/// the place on the wafer in it, and is alike for chips of one wafer in most of its bits; so it is hashed (FNV-1a).
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
