//! What must not be guessed, and what must not be the same twice.

use std::cell::RefCell;

/// Letters and digits that are not easily taken for one another.
const CODE_LETTERS: &[u8; 32] = b"23456789ABCDEFGHJKLMNPQRSTUVWXYZ";

/// So many of them are a code.
const CODE_LENGTH: usize = 10;

/// The alphabet of URL-safe base64.
const ID_LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// Random bytes, from where the operating system has them.
pub(crate) fn bytes<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    // There is no safe way to go on without: everything that keeps people out of other people's games depends on it.
    getrandom::fill(&mut bytes).expect("the operating system has random bytes");
    bytes
}

/// A random number that is not 0. Every move needs some, so the system is asked for a handful of them at a time.
pub(crate) fn roll() -> u64 {
    thread_local! {
        static HANDFUL: RefCell<Vec<u64>> = const { RefCell::new(Vec::new()) };
    }
    HANDFUL.with_borrow_mut(|handful| {
        if handful.is_empty() {
            let bytes = bytes::<512>();
            let (numbers, _) = bytes.as_chunks();
            handful.extend(numbers.iter().map(|&number| u64::from_le_bytes(number)));
        }
        handful.pop().unwrap_or_default().max(1)
    })
}

/// A code of ten letters: at a thousand guesses a second, one in a thousand rooms would be found in 36 years.
pub(crate) fn code() -> crate::room::Code {
    loop {
        let code = letters::<CODE_LENGTH, 32>(CODE_LETTERS).parse().expect("letters and digits make a code");
        if is_drawn(&code) {
            return code;
        }
    }
}

/// Whether a code could be one of these, which have letters and digits. Nobody finds such a code by trying, however often;
/// one that people have thought of rarely looks like this.
pub(crate) fn is_drawn(code: &crate::room::Code) -> bool {
    let code = code.as_str().as_bytes();
    code.len() == CODE_LENGTH
        && code.iter().all(|letter| CODE_LETTERS.contains(letter))
        && code.iter().any(u8::is_ascii_digit)
        && code.iter().any(u8::is_ascii_alphabetic)
}

/// A new user id.
pub(crate) fn user_id() -> crate::room::UserId {
    letters::<12, 64>(ID_LETTERS).parse().expect("twelve letters make an id")
}

/// A secret of 132 bits.
pub(crate) fn token() -> String {
    letters::<22, 64>(ID_LETTERS)
}

fn letters<const N: usize, const M: usize>(alphabet: &[u8; M]) -> String {
    bytes::<N>().iter().map(|&byte| char::from(alphabet[usize::from(byte) % M])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_that_people_think_of_are_not_taken_for_drawn_ones() {
        assert!((0..1_000).all(|_| is_drawn(&code())));
        for code in
            ["32g9y", "table_1", "KITCHEN", "CHESSCLUBS", "2345678923", "kitchen234", "ABCDEFGH10", "ABCDEFGH234"]
        {
            assert!(!is_drawn(&code.parse().unwrap()), "{code}");
        }
    }
}
