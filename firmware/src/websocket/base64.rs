const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Writes bytes as Base64, with padding, into text of exactly the length that it takes.
pub(super) fn encode(bytes: &[u8], text: &mut [u8]) {
    debug_assert_eq!(text.len(), bytes.len().div_ceil(3) * 4);
    for (three, four) in bytes.chunks(3).zip(text.chunks_mut(4)) {
        let bits = three.iter().fold(0, |bits, &byte| bits << 8 | u32::from(byte)) << (8 * (3 - three.len()));
        for (place, character) in four.iter_mut().enumerate() {
            let digit = bits >> (18 - 6 * place) & 0x3f;
            *character = if place <= three.len() { ALPHABET[digit as usize] } else { b'=' };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encodes_as_the_standard_does() {
        for (plain, expected) in [("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy"), ("", "")] {
            let mut text = vec![0; expected.len()];
            encode(plain.as_bytes(), &mut text);
            assert_eq!(text, expected.as_bytes());
        }
    }
}
