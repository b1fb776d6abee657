//! Random ids, tokens and codes from the CSPRNG of the operating system.

use std::cell::RefCell;

/// Letters and digits without those that look alike (0, 1, I, O).
const CODE_LETTERS: &[u8; 32] = b"23456789ABCDEFGHJKLMNPQRSTUVWXYZ";

/// Length of a generated code.
const CODE_LENGTH: usize = 10;

/// Length of the part of it that one person reads out to another.
const SHORT_LENGTH: usize = 6;

/// The alphabet of URL-safe base64.
const ID_LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// Random bytes from the operating system.
pub(crate) fn bytes<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    // Without randomness tokens and codes could be guessed, so the process must not continue.
    getrandom::fill(&mut bytes).expect("the operating system has random bytes");
    bytes
}

/// A random number that is not 0. Each move needs some, so they are drawn in batches per thread.
pub(crate) fn roll() -> u64 {
    thread_local! {
        static BATCH: RefCell<Vec<u64>> = const { RefCell::new(Vec::new()) };
    }
    BATCH.with_borrow_mut(|batch| {
        if batch.is_empty() {
            let bytes = bytes::<512>();
            let (numbers, _) = bytes.as_chunks();
            batch.extend(numbers.iter().map(|&number| u64::from_le_bytes(number)));
        }
        batch.pop().unwrap_or_default().max(1)
    })
}

/// A code of ten characters: at a thousand guesses per second it takes 36 years to find one of a thousand rooms.
pub(crate) fn code() -> crate::room::Code {
    loop {
        let code = letters::<CODE_LENGTH, 32>(CODE_LETTERS).parse().expect("letters and digits are a valid code");
        if is_drawn(&code) {
            return code;
        }
    }
}

/// Whether a code looks generated: ten characters of the alphabet, with letters and digits. Such a code is too long to guess;
/// codes that people choose rarely look like this.
pub(crate) fn is_drawn(code: &crate::room::Code) -> bool {
    let code = code.as_str().as_bytes();
    code.len() == CODE_LENGTH
        && code.iter().all(|letter| CODE_LETTERS.contains(letter))
        && code.iter().any(u8::is_ascii_digit)
        && code.iter().any(u8::is_ascii_alphabetic)
}

/// The first characters of a generated code, by which a table is found while it waits for an opponent.
pub(crate) fn short_code(code: &crate::room::Code) -> Option<&str> {
    code.as_str().get(..SHORT_LENGTH).filter(|_| is_drawn(code))
}

/// Whether a text in capital letters can be a short code.
pub(crate) fn is_short(text: &str) -> bool {
    text.len() == SHORT_LENGTH && text.bytes().all(|letter| CODE_LETTERS.contains(&letter))
}

/// A new user id.
pub(crate) fn user_id() -> crate::room::UserId {
    letters::<12, 64>(ID_LETTERS).parse().expect("twelve letters are a valid id")
}

/// A secret token of 132 bits.
pub(crate) fn token() -> String {
    letters::<22, 64>(ID_LETTERS)
}

/// Hashes a number (the finalizer of `SplitMix64`), for simulations; not for secrets.
pub(crate) const fn splitmix64(number: u64) -> u64 {
    let number = (number ^ number >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ number >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ number >> 31
}

fn letters<const N: usize, const M: usize>(alphabet: &[u8; M]) -> String {
    bytes::<N>().iter().map(|&byte| char::from(alphabet[usize::from(byte) % M])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chosen_codes_do_not_look_generated() {
        assert!((0..1_000).all(|_| is_drawn(&code())));
        for code in
            ["32g9y", "table_1", "KITCHEN", "CHESSCLUBS", "2345678923", "kitchen234", "ABCDEFGH10", "ABCDEFGH234"]
        {
            assert!(!is_drawn(&code.parse().unwrap()), "{code}");
        }
    }
}
